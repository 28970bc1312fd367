/* SPDX-License-Identifier: MIT */
/* Shadow programs and the shadow kernels launched in place of the program's. */
#ifndef DL_INTERCEPT_SHADOW_H
#define DL_INTERCEPT_SHADOW_H

#include "libdl_intercept/state/records.h"
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
/* Sets `only` of the knobs as of the build that this kernel's shadow is of: of that
 * kernel only, or of all in a text that came rewritten. */
void dl__shadow_knobs_narrow(const struct dl__rewrite *rewrite,
                             const struct dl_kernel_note *note,
                             struct dl__shadow_knobs *knobs) DL__WITH_LOCK;
/* Builds the shadow program for these knobs, if that is not done yet. True: it is done,
 * for good or bad.
 *   kept_only  from the binary that is kept, or not at all */
bool dl__shadow_prepare(struct dl__rewrite *rewrite, struct dl__context *context,
                        cl_device_id device, const struct dl__shadow_knobs *knobs,
                        bool kept_only) DL__WITH_LOCK;
/* Gives it every argument that the program has set to something else since it last had
 * it.
 *   errors  the driver's code */
cl_int dl__shadow_kernel_set(struct dl__kernel *kernel, struct dl__mem *const *mems,
                             struct dl__shadow_kernel *to) DL__WITH_LOCK;
void dl__shadow_kernels_free(struct dl__kernel *kernel) DL__WITH_LOCK;

#endif
