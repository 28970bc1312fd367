/* SPDX-License-Identifier: MIT */
/* Conversion plans: a change of layout as a short list of elementary transpositions.
 *
 * An elementary transposition takes `instances` arrays, one after the other, each of
 * rows x columns elements, and makes each columns x rows. In the factorial numbering of
 * Sung 2013, 4.3, with A = instances, B = rows, C = columns, D = element_bytes:
 * 010! is D = one unit and A tiles; 100! is A = 1 and D a super-element; 0100! has both.
 *
 * Columns may be grouped into leaves, `leaf_columns` each, that stay together: the
 * element (j, q) whose leaf starts at column o and is w columns wide goes to element
 *
 *     rows * o + j * w + (q - o)
 *
 * which is the transposition when every w is 1.
 *
 * A step with tail_rows is a slide instead: from two tiles that are already transposed,
 * one of `rows` and then one of `tail_rows`, to one tile of both (Sung 2013, 4.1.1,
 * padding in place). The array of each leaf moves by tail_rows * o elements, and its tail
 * follows it.
 *
 * A step with rest_rows has one more instance, with that number of rows, after the
 * others: the short tile at an array's end, so that one launch can do both. */
#ifndef DL_PLAN_H
#define DL_PLAN_H

#include <stdlib.h>
#include <string.h>

#include "layout.h"

struct dl_step {
    uint64_t base_bytes; /* where the first instance starts */
    uint64_t instances, rows, columns;
    uint64_t element_bytes;
    /* Width of each leaf in columns, columns in all; NULL: every column is a leaf.
     * Borrowed from the plan. */
    const uint32_t *leaf_columns;
    uint32_t leaf_count;
    bool inverse;       /* undoes the transposition of the same numbers */
    uint64_t tail_rows; /* 0: a transposition */
    uint64_t rest_rows; /* of one more, shorter instance behind them; 0: none */
};

enum { DL_PLAN_STEPS_MAX = 8 };

struct dl_plan {
    size_t step_count;
    struct dl_step steps[DL_PLAN_STEPS_MAX]; /* in this order */
    uint32_t *leaf_columns;                  /* owned; the steps point to it */
};

enum { DL_PLAN_SUPERS_MAX = 16 };

/* Limits of a plan's steps, and their times in thousandths of a copy's. */
struct dl_plan_limits {
    uint64_t tile_bytes;       /* a tile up to this size is transposed in one fast pass */
    uint64_t aside_bytes;      /* an array up to this size goes in one step, by a copy */
    unsigned line_bytes;       /* of a cache */
    unsigned tile_structs_max; /* of a tile on the way to one tile */
    /* Slides: super-elements are no longer; from slide_tiles_min tiles on the strips that
     * are set aside are short. */
    unsigned slide_bytes_max, slide_tiles_min;
    /* 010!: chunks of whole vectors, single tiles, tiles beyond tile_bytes; and a slide.
     */
    unsigned chunk_time, tile_time, beyond_time, slide_time;
    /* 100! on super-elements from this number of bytes on, in order of bytes from 0:
     * those that are whole lines, and others. */
    struct dl_super_time {
        uint64_t bytes;
        unsigned lines_time, others_time;
    } supers[DL_PLAN_SUPERS_MAX];
    size_t super_count; /* at least 1 */
};

/* Plans the conversion of `structs` structs between two layouts. Equal layouts make a
 * plan of no steps.
 *   out     the caller frees it with dl_plan_free
 *   errors  DL_EINVAL: a tile of 0, or limits without a line or a time; DL_EOVERFLOW: the
 *           bytes do not fit 63 bits; DL_ENOMEM */
enum dl_status dl_plan_make(const struct dl_leaf_table *leaves, uint64_t structs,
                            struct dl_layout from, struct dl_layout to,
                            const struct dl_plan_limits *limits, struct dl_plan *out);

/* Plans a permutation of the dimensions of a dense row-major array: the new dimension d
 * is the old order[d]. Strip-mining is a matter of how `extents` is written, so that AoS
 * -> ASTA of n structs of k words is extents {n / M, M, k}, order {0, 2, 1}.
 *   errors  DL_EINVAL: more than DL_PLAN_STEPS_MAX dimensions, or `order` is not a
 *           permutation; DL_EOVERFLOW */
enum dl_status dl_plan_permute(const uint64_t *extents, const unsigned *order,
                               size_t dimensions, uint64_t element_bytes,
                               struct dl_plan *out);

static inline void dl_plan_free(struct dl_plan *plan)
{
    free(plan->leaf_columns);
    memset(plan, 0, sizeof *plan);
}

#endif
