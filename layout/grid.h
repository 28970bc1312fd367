/* SPDX-License-Identifier: MIT */
/* Grids of n dimensions and their layouts of bits: an order of the bits of all indices.
 *
 * A layout is right when the strips of each dimension cover its bits exactly once and
 * appear from high to low. An element's place is its rank: elements are ordered by the
 * tuple of their strips' values, the highest strip first, counting only indices within
 * the extents:
 *
 *     rank = sum over strips s of  value_s * 2^low_s * product over dimensions d other
 *                                  than s's of rest_d, where rest_d is
 *         extent_d                                           before any strip of d
 *         min(2^low of d's last strip, extent_d - what its strips so far sum up to)
 *         after it
 *
 * So a strip that does not divide its extent ends in a short one, and nothing is padded.
 * AoS, ASTA and discrete arrays of n structs are three layouts of a grid n x leaves.
 * Source: Sung 2013, 6.2.1. */
#ifndef DL_GRID_H
#define DL_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DL_GRID_DIMS_MAX = 8, DL_GRID_STRIPS_MAX = 24 };

/* Dimension 0 varies slowest in the program's own layout: the first of f[nz][ny][nx][4].
 */
struct dl_grid {
    uint32_t dim_count;
    uint64_t extents[DL_GRID_DIMS_MAX]; /* not 0 */
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

/* A layout applied to a grid. */
struct dl_grid_map {
    struct dl_grid grid;
    struct dl_grid_layout layout;
};

enum { DL_GRID_NAME_BYTES = 16, DL_GRID_TEXT_BYTES = 512 };

/* Names of the dimensions in a layout's text. */
struct dl_grid_names {
    char names[DL_GRID_DIMS_MAX][DL_GRID_NAME_BYTES];
};

/* The number of elements; 0: more than 2^63. */
uint64_t dl_grid_elements(const struct dl_grid *grid);
/* Returns an error, a static clause; NULL: none. */
const char *dl_grid_check(const struct dl_grid *grid);
const char *dl_grid_layout_check(const struct dl_grid_layout *layout, uint32_t dim_count);
/* True of a layout that is the program's own, row after row. */
bool dl_grid_map_is_plain(const struct dl_grid_map *map);

/* Reads `y[*] x[*] k y[4:0] x[6:0]`: strips, the highest first; `[*]` are all bits above
 * the next strip of the dimension, a name alone is all of its bits. Or a word for one:
 * AoS, row after row; DA, the last dimension first; ASTA/32, the last dimension in front
 * of 5 bits of the last but one.
 *   names   of the dimensions, all different
 *   returns NULL, or an error in one clause: `reason`, of DL_GRID_TEXT_BYTES, or a
 *   static one */
const char *dl_grid_layout_parse(const char *text, const struct dl_grid_names *names,
                                 uint32_t dim_count, struct dl_grid_layout *out,
                                 char *reason);
/* Writes a layout as text, cut off at `room`. */
void dl_grid_layout_print(const struct dl_grid_layout *layout,
                          const struct dl_grid_names *names, char *out, size_t room);

/* The place of an element, counted in the program's own order. Both are below
 * dl_grid_elements. */
uint64_t dl_grid_rank(const struct dl_grid_map *map, uint64_t element);

/* Returns the length, in elements, of slices that are independent in both layouts, so
 * that a conversion may go slice by slice; that of the grid: there are none. */
uint64_t dl_grid_slice(const struct dl_grid_map *map);

/* As grid_formula.h has a strip. */
static inline uint32_t dl_grid_code(struct dl_grid_strip strip)
{
    return (uint32_t)strip.dim << 16 | (uint32_t)strip.low << 8 | strip.bits;
}

/* The macros that grid_formula.h wants of a map, each as
 * `before`NAME`between`VALUE`after`. Cut off at `room`. */
void dl_grid_define(const struct dl_grid_map *map, const char *before,
                    const char *between, const char *after, char *out, size_t room);

#endif
