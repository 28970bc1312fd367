/* SPDX-License-Identifier: MIT */
/* Shadow programs, the shadow kernels launched in place of the program's, and
 * conversions. How far what a launch wants is can be asked without ever waiting for a
 * compiler. What is not to be had at once the builder makes; where there can be none,
 * everything is ready, and made when it is used. */
#ifndef DL_INTERCEPT_SHADOW_H
#define DL_INTERCEPT_SHADOW_H

#include "engine/binaries.h"
#include "libdl_intercept/state/residence.h"
#include "libdl_intercept/state/records.h"
#include "builder.h"
#include "rewrite.h"

/* The shadow of `kernel` with these knobs, every argument of the program's set, built at
 * first need; they are narrowed to those of its build. NULL: it can't be built, `*reason`
 * says why; the program's kernel must run.
 *   mems  what each of its arguments names (args.h) */
struct dl__shadow_kernel *dl__shadow_kernel_get(struct dl__kernel *kernel,
                                                struct dl__queue *queue,
                                                struct dl__mem *const *mems,
                                                struct dl__shadow_knobs *knobs,
                                                const char **reason) DL__WITH_LOCK;
/* Builds the shadow program for these knobs, if that is not done yet.
 *   first  NULL, or the job's launch of it (dl__first_ask), which is made */
void dl__shadow_prepare(struct dl__rewrite *rewrite, struct dl__context *context,
                        cl_device_id device, const struct dl__shadow_knobs *knobs,
                        struct dl__unpack *first) DL__WITH_LOCK;
/* Gives it every argument that the program has set to something else since it last had
 * it.
 *   errors  the driver's code */
cl_int dl__shadow_kernel_set(struct dl__kernel *kernel, struct dl__mem *const *mems,
                             struct dl__shadow_kernel *to) DL__WITH_LOCK;

/* ---- asking ---- */

/* The shadow program of the kernel's rewrite for these knobs, narrowed as by
 * dl__shadow_kernel_get.
 */
enum dl__ready dl__shadow_ask(const struct dl__kernel *kernel, cl_device_id device,
                              struct dl__shadow_knobs *knobs) DL__WITH_LOCK;
/* Has it made where it is not kept, before a launch wants it; loads nothing. */
void dl__shadow_ask_ahead(const struct dl__kernel *kernel, struct dl__device *device,
                          struct dl__shadow_knobs *knobs) DL__WITH_LOCK;
/* Has the builder do that for a kernel of this name as soon as it has read its text
 * (dl__jobs_expect_by). */
void dl__expect_ask(struct dl__rewrite *rewrite, cl_device_id device,
                    const char *kernel) DL__WITH_LOCK;
/* The conversions that dl__move_prepare prepares. Of the move: the buffer, layout, leaves
 * and structs. */
enum dl__ready dl__move_ask(const struct dl__move *move,
                            struct dl__queue *queue) DL__WITH_LOCK;
/* The same, and waits until the builder has made them. False: they can't be made, nor may
 * the program; `*reason`. */
bool dl__move_wait(const struct dl__move *move, struct dl__queue *queue,
                   const char **reason) DL__WITH_LOCK;

/* Finds what was found out with the shadow of these knobs for the kernel, in this run or
 * an earlier one. False: nothing, `value` is as it was; or with `put` it is kept. */
bool dl__shadow_note(const struct dl__kernel *kernel, cl_device_id device,
                     const struct dl__shadow_knobs *knobs, void *value,
                     size_t value_bytes, bool put) DL__WITH_LOCK;

/* PoCL compiles a kernel in the first launch with groups of a size. A launch that is
 * compiled for as the program's are, and its arguments. */
struct dl__first_launch {
    const struct dl__kernel *kernel;
    struct dl__mem *const *mems; /* by argument (args.h) */
    cl_uint work_dim;
    size_t global[3], local[3]; /* local[0] 0: the driver chooses */
};
/* Has the builder launch the shadow kernel with these knobs, which is kept, so, on zeros
 * in place of the buffers. READY: it has, or it was so in an earlier run, *compiled; or
 * it can't, or compiles fast. */
enum dl__ready dl__first_ask(const struct dl__first_launch *first, cl_device_id device,
                             struct dl__shadow_knobs *knobs, struct dl__ticket *ticket,
                             bool *compiled) DL__WITH_LOCK;

/* A job of the builder's: the conversions of a buffer there and back, and the kernels for
 * looks at it. */
struct dl__move_wanted {
    cl_device_id device;
    struct dl_leaf_table leaves;
    uint64_t structs, bytes;
    struct dl_layout layout;
};

/* In the builder: has what a rewritten kernel is compared with its own text by, and what
 * it is moved by while conversions of its shape are built, unless a launch is waited for.
 */
void dl__launch_prepare(struct dl_marshal *marshal, cl_device_id device, bool waited);
/* `expect` says what launches of a kernel want, once its text is read (serve.c); it asks
 * for that as above.
 * Called when the library is loaded. */
void dl__jobs_expect_by(void (*expect)(struct dl__kernel *kernel));
/* In the builder: a build waits for another builder's of the same until this is true,
 * which it is while the program waits for a job. */
void dl__builds_wait_until(bool (*stop)(void));
/* Marshaling kernels are kept so from now on. */
void dl__binaries_offer(void);

#endif
