/* SPDX-License-Identifier: MIT */
/* Which members of a launch's buffers lie beside their structs. Any choice is right: kernels find a
 * member where it lies. So it is made by what the text says of the accesses, and no more rests on that. */
#ifndef DL_INTERCEPT_MEMBERS_H
#define DL_INTERCEPT_MEMBERS_H

#include "args.h"
#include "bind.h"
#include "layout/members.h"

/* Sets the members of *layout for all buffers of the launch: those that lie beside already, and those that
 * the program's kernels use that don't use most of the struct. False: there are none, or one of the buffers is
 * in constant memory, in which accessors don't look beside a struct. */
bool dl__members_choose(struct dl__kernel *kernel, struct dl__queue *queue,
                        const struct dl__ndrange *range,
                        struct dl_layout *layout) DL__WITH_LOCK;
/* True when one of the buffers is in constant memory. */
bool dl__members_have_constant(const struct dl_kernel_note *note);
/* The layout of one buffer of the launch: these members of its structs, or the program's own. */
struct dl_layout dl__members_wanted(const struct dl__kernel *kernel, size_t buffer,
                                    const struct dl_layout *layout) DL__WITH_LOCK;
/* Where members lie beside buffers that the kernel may write, they are newer than those from now on: also
 * where the launch fails, and the program's own kernel has them back. */
void dl__members_written(const struct dl__plan *plan, size_t count) DL__WITH_LOCK;

#endif
