/* SPDX-License-Identifier: MIT */
/* Grids of n dimensions and their layouts of bits: which bits of which index stand where.
 *
 * A layout is right when the strips of each dimension cover its bits exactly once and appear from
 * high to low. An element's place is its rank: elements are ordered by the tuple of their strips'
 * values, the highest strip first, counting only indices within the extents:
 *
 *     rank = sum over strips s of  value_s * 2^low_s * product over dimensions d other than s's of
 *                                  rest_d, where rest_d is
 *         extent_d                                           before any strip of d
 *         min(2^low of d's last strip, extent_d - what its strips so far sum up to)      after it
 *
 * So a strip that does not divide its extent ends in a short one, and nothing is padded. AoS, ASTA
 * and discrete arrays of n structs are three layouts of a grid n x leaves. Source: Sung 2013, 6.2.1. */
#ifndef DL_GRID_H
#define DL_GRID_H

#include <stdint.h>

enum { DL_GRID_DIMS_MAX = 8, DL_GRID_STRIPS_MAX = 24 };

/* Dimension 0 varies slowest in the program's own layout: the first of f[nz][ny][nx][4]. */
struct dl_grid {
    uint32_t dim_count;
    uint64_t extents[DL_GRID_DIMS_MAX]; /* none is 0 */
};

/* Bits [low, low + bits) of the index of `dim`. */
struct dl_grid_strip {
    uint8_t dim, low;
    uint8_t bits; /* 0: all from `low` on */
};

struct dl_grid_layout {
    uint32_t strip_count;
    struct dl_grid_strip strips[DL_GRID_STRIPS_MAX]; /* the highest first */
};

#endif
