/* SPDX-License-Identifier: MIT */
/* How far what a launch wants is, without ever waiting for a compiler. What is not to be
 * had at once the builder makes; where there can be none, everything is ready, and made
 * when it is used. */
#ifndef DL_INTERCEPT_ASK_H
#define DL_INTERCEPT_ASK_H

#include "jobs.h"

/* The shadow program of a rewrite for these knobs, narrowed as by dl__shadow_kernel_get.
 */
enum dl__ready dl__shadow_ask(struct dl__rewrite *rewrite, struct dl__context *context,
                              const struct dl_kernel_note *note, cl_device_id device,
                              struct dl__shadow_knobs *knobs) DL__WITH_LOCK;
/* Waits until the builder has made the one of these very knobs. DL__ALONE: it can't, and
 * the program may. */
enum dl__ready dl__shadow_wait(struct dl__rewrite *rewrite, cl_device_id device,
                               const struct dl__shadow_knobs *knobs) DL__WITH_LOCK;
/* Has it made where it is not kept, before a launch wants it; loads nothing. */
void dl__shadow_ask_ahead(struct dl__rewrite *rewrite, struct dl__context *context,
                          const struct dl_kernel_note *note, struct dl__device *device,
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
/* Has the builder build kernels of DL's own, and waits for it. False: they must not be
 * compiled here. Threads: safe. */
bool dl__kernels_wait(const struct dl__build *build);
void dl__shadow_jobs_free(struct dl__rewrite *rewrite) DL__WITH_LOCK;

#endif
