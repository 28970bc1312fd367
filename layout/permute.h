/* SPDX-License-Identifier: MIT */
/* Permutations of an array's axes as the cheapest sequence of moves, each of which one
 * pass or two can do: of two neighbouring groups of axes, or of two axes of one extent
 * with others between. */
#ifndef DL_PERMUTE_H
#define DL_PERMUTE_H

#include <stddef.h>
#include <stdint.h>

#include "dl_status.h"

enum { DL_PERMUTE_AXES_MAX = 8, DL_PERMUTE_MOVES_MAX = 16 };

/* A dense array of instances x rows x middle x columns elements becomes instances x
 * columns x middle x rows. Where middle is not 1, rows and columns are equal. */
struct dl_move {
    uint64_t instances, rows, middle, columns, element_bytes;
};

/* Returns the cost of a move, in any unit; positive. */
typedef double dl_move_cost(const void *state, const struct dl_move *move);

/* Finds the sequence whose costs have the smallest sum, by Dijkstra's search over the
 * orders of the axes, which it numbers by their factorial numbers.
 *   extents     not 0; their product with element_bytes and instances is below
 *               2^63
 *   order       new axis d is old axis order[d]: a permutation
 *   instances   arrays, one after the other
 *   moves       room for DL_PERMUTE_MOVES_MAX; *count of them are made
 *   errors      DL_EINVAL: more than DL_PERMUTE_AXES_MAX axes; DL_ELIMIT: the cheapest is
 *               longer than there is room for; DL_ENOMEM */
enum dl_status dl_permute_search(const uint64_t *extents, const unsigned *order,
                                 unsigned axes, uint64_t instances,
                                 uint64_t element_bytes, dl_move_cost *cost,
                                 const void *state, struct dl_move *moves, size_t *count);

#endif
