/* SPDX-License-Identifier: MIT */
/* Members beside their structs: the structs of a buffer lie where the program has them, and some of
 * their members, those that kernels use, in a second buffer as one array each. What such a member
 * has in the structs themselves is old.
 *
 * For n structs the second buffer's arrays count N structs, n rounded up to DL_MEMBERS_ROUND, so that
 * each is aligned: a leaf of width w with `before` bytes of others before it has that of struct i at byte
 *
 *     N * before + i * w
 *
 * formula.h has this as dl_members_at. */
#ifndef DL_MEMBERS_H
#define DL_MEMBERS_H

#include "layout.h"

enum { DL_MEMBERS_ROUND = 128, DL_MEMBERS_STRUCT_BYTES_MAX = 65535 };

bool dl_members_equal(const struct dl_members *a, const struct dl_members *b);
/* Those of structs of one size. */
struct dl_members dl_members_of(const struct dl_members *members, uint32_t struct_bytes);
/* Bytes of each struct that lie beside structs of this size. */
uint32_t dl_members_bytes(const struct dl_members *members, uint32_t struct_bytes);
/* Bytes of the second buffer for n structs.
 *   errors  DL_EOVERFLOW */
enum dl_status dl_members_buffer_bytes(const struct dl_members *members,
                                       uint32_t struct_bytes, uint64_t structs,
                                       uint64_t *out);
/* True when the leaf lies beside; *before: bytes of others before it there. */
bool dl_members_find(const struct dl_members *members, uint32_t struct_bytes,
                     struct dl_leaf leaf, uint32_t *before);
/* Where it is of struct i. */
uint64_t dl_members_byte(uint64_t structs, uint32_t before, struct dl_leaf leaf,
                         uint64_t i);

/* Adds the leaves that `picked` says, by their number, in at most `runs_max` runs: where they would be
 * more, what lies between two near ones is added, too. Leaves that lie beside already stay.
 *   errors  DL_ENOTSUP: the structs are too large, or `members` has no room; DL_ENOMEM */
enum dl_status dl_members_add(struct dl_members *members,
                              const struct dl_leaf_table *leaves, const bool *picked,
                              uint32_t runs_max);

/* The knobs' text for kernels. Between members.c and kinds.c only. */
void dl__members_add_knobs(const struct dl_members *members,
                           struct dl_layout_knobs *knobs);

#endif
