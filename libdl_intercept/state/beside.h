/* SPDX-License-Identifier: MIT */
/* Buffers of DL's own that members of a buffer's structs lie in (layout/members.h). */
#ifndef DL_INTERCEPT_BESIDE_H
#define DL_INTERCEPT_BESIDE_H

#include "residence.h"

/* Sees that there is room for so many structs' members, within what copies may take.
 *   errors  a static clause in *reason; nothing changed */
bool dl__beside_prepare(struct dl__mem *mem, const struct dl_members *members,
                        uint32_t struct_bytes, uint64_t structs, uint64_t cap_bytes,
                        const char **reason) DL__WITH_LOCK;
/* The members of a prepared move are about to be gathered: nothing else is beside the buffer any more. */
void dl__beside_take(struct dl__mem *mem) DL__WITH_LOCK;
/* A kernel that writes the buffer is about to be launched on its members. */
void dl__beside_written(struct dl__mem *mem) DL__WITH_LOCK;
/* Drivers keep the last command on a buffer, the program's or one of DL's on its queue, for as long as the buffer: another one takes its
 * place, on a queue of DL's own, so that the program does not count it. */
void dl__beside_settle(struct dl__context *context) DL__WITH_LOCK;
/* Before the record of a buffer ends. */
void dl__beside_end(struct dl__mem *mem) DL__WITH_LOCK;

#endif
