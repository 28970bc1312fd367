/* SPDX-License-Identifier: MIT */
/* The tile by way of which an array of structs goes to one tile. */
#ifndef DL_MIDDLE_H
#define DL_MIDDLE_H

#include "plan.h"

struct dl__middle {
    uint64_t tile; /* structs; 0: none is any good, single elements must go all the way */
    /* The tile leaves a rest, so that the arrays must slide into place afterwards. */
    bool slides;
};

/* The fastest way for `structs` structs of struct_bytes, whose leaves are multiples of
 * unit_bytes. */
struct dl__middle dl__middle_choose(uint64_t structs, uint64_t struct_bytes,
                                    uint64_t unit_bytes,
                                    const struct dl_plan_limits *limits, bool may_slide);

#endif
