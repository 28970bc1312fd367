/* SPDX-License-Identifier: MIT */
/* The leaves of a struct, collected. Between element.c and union.c only. */
#ifndef DL_ANNOTATE_UNION_H
#define DL_ANNOTATE_UNION_H

#include "annotate/accessors/element.h"
#include "layout/layout.h"

struct dl__leaves {
    struct dl_leaf *items;
    size_t count, room;
    bool has_shifted_gap; /* padding that is not aligned, in a packed struct */
    const char *reason;   /* a clause: the type has no leaves; NULL: it has */
};

void dl__leaves_add(struct dl__arena *arena, const struct dl__type *type, uint32_t base,
                    struct dl__leaves *out);
/* The padding [from, to) of a struct that lies at `base`. It is cut by places in its own
 * struct, so that it is cut alike wherever that lies. */
void dl__leaves_add_gap(struct dl__arena *arena, uint32_t from, uint32_t to,
                        uint32_t base, struct dl__leaves *out);
void dl__leaves_add_union(struct dl__arena *arena, const struct dl__struct *s,
                          uint32_t base, struct dl__leaves *out);

#endif
