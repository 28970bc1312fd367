/* SPDX-License-Identifier: MIT */
/* A grid's layout derived from how a kernel's work-items index it and from which bits of
 * an address the memory spreads requests by. Source: Sung 2013, 6.3.2 and 6.3.3. */
#ifndef DL_DERIVE_H
#define DL_DERIVE_H

#include <stdbool.h>
#include <string.h>

#include "dl_status.h"
#include "grid.h"

/* The terms that an index is a sum of. A global id is that of the group times its length
 * plus that in the group, which is known when the kernel is launched. */
enum dl_grid_column {
    DL_GRID_GROUP,      /* get_group_id(0), (1), (2) */
    DL_GRID_LOCAL = 3,  /* get_local_id */
    DL_GRID_GLOBAL = 6, /* get_global_id, without its offset */
    DL_GRID_COLUMNS = 9
};

/* The affine form of an access's indices, a row for each dimension of the grid:
 *     index_d = sum over columns c of coefficients[d][c] * id_c  +  constants[d] */
struct dl_grid_access {
    int64_t coefficients[DL_GRID_DIMS_MAX][DL_GRID_COLUMNS];
    int64_t constants[DL_GRID_DIMS_MAX];
};

struct dl_grid_launch {
    uint64_t group_sizes[3];  /* work-items; at least 1 */
    uint64_t group_counts[3]; /* 0: not known, many */
    uint64_t resident_groups; /* how many run at once; at least 1 */
};

/* Bits of an element's place, from the lowest: those that say where in a burst it is, and
 * those above by which requests are spread over channels and banks. */
struct dl_grid_memory {
    uint32_t burst_bits, steering_bits;
};

struct dl_grid_derivation {
    /* Of each dimension: bits of its index that differ among the work-items that run at
     * once. */
    uint64_t busy_bits[DL_GRID_DIMS_MAX];
    uint32_t fastest; /* the dimension along which neighbouring work-items lie */
    struct dl_grid_layout layout;
};

/* Whether two accesses have the same pattern, apart from the constants. */
static inline bool dl_grid_access_is_alike(const struct dl_grid_access *a,
                                           const struct dl_grid_access *b,
                                           uint32_t dim_count)
{
    return memcmp(a->coefficients, b->coefficients,
                  dim_count * sizeof a->coefficients[0]) == 0;
}

/* Derives a layout: below, in the burst and by the steering bits, the low bits of the
 * fastest dimension, then of the others, as far up as they are busy, in the order of the
 * ids that they depend on (local before group, x before y before z); above, what is left,
 * in the order of the dimensions. Low bits that are not busy come along: the bits of a
 * dimension keep their order.
 *   grid    extents may be 0 here: not known, large
 *   access  the pattern that all accesses to the grid have in common; constants do not
 *           matter
 *   errors  DL_EINVAL: no dimensions or too many, an empty group, no resident group, more
 *           than 63 bits of memory */
enum dl_status dl_grid_derive(const struct dl_grid *grid,
                              const struct dl_grid_access *access,
                              const struct dl_grid_launch *launch,
                              const struct dl_grid_memory *memory,
                              struct dl_grid_derivation *out);

/* Whether it is the program's own layout. */
static inline bool dl_grid_layout_is_own(const struct dl_grid_layout *layout)
{
    for (uint32_t s = 0; s < layout->strip_count; s++)
        if (layout->strips[s].dim != s || layout->strips[s].low != 0)
            return false;
    return true;
}

#endif
