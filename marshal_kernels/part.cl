/* SPDX-License-Identifier: MIT */
/* Parts of a tiled array, out of place: gathers bytes into a staging area as the program
 * wrote them, and scatters them back. The program looks at a few structs and the array
 * stays in tiles (Sung 2013, 5.2, on-demand marshaling).
 *
 * A part is a box: slices of rows, each so many elements wide. In staging its elements
 * lie one after the other. Elements are as large as leaves and box allow, single bytes at
 * worst: nothing beside the box is ever touched.
 *
 * Knobs beside those of step.cl: FORMULA_AT, the tiling's formula for any index.
 * OWN_ARRAYS: the program sees an array for each leaf, of so many columns. */
#ifndef DL_STEP
#include "step.cl"
#endif
/* Counts elements of the whole array. NARROW: 32 bits do; divisions of 64 are
 * tens of instructions on a GPU, and each element takes three (LBM whose planes travel,
 * H200: 2 %). */
#ifdef NARROW
typedef uint dl_index;
#else
typedef ulong dl_index;
#endif
#ifndef GRID
#include "grid_any.cl"
#endif
#include "layout/formula.h"
#include "layout/grid_formula.h"
/* The tiling: a formula of that file. */
#ifndef FORMULA_AT
#define FORMULA_AT dl_tiles_at
#endif

/* The array's element for element e as the program sees it. What lies beyond the whole
 * structs never moves. */
dl_index part_place(dl_index e, dl_index tile_structs, dl_index head_structs,
                    dl_index tail_structs GRID)
{
#ifdef OWN_ARRAYS
    dl_index structs = head_structs + tail_structs, array = structs * OWN_ARRAYS;

    if (e >= structs * COLUMNS)
        return e;
    dl_index leaf = e / array, i = (e - leaf * array) / OWN_ARRAYS;
    uint width = OWN_ARRAYS, first = (uint)leaf * OWN_ARRAYS;
    uint q = first + (uint)(e - leaf * array - i * OWN_ARRAYS);
#else
    dl_index i = e / COLUMNS;
    uint q = (uint)(e - i * COLUMNS), width, first = leaf_of(q, &width);
#endif

    return FORMULA_AT(i, COLUMNS, first, width, tile_structs, head_structs,
                      tail_structs GRID_ARGUMENT) +
           (q - first);
}

/* Element k of a box, as the program sees it. */
dl_index part_of_box(dl_index k, dl_index first, dl_index width, dl_index height,
                     dl_index row, dl_index slice)
{
    dl_index y = width ? k / width : 0; /* 0: all of the box is one row */
    dl_index z = width ? y / height : 0;

    return first + z * slice + (y - z * height) * row + (k - y * width);
}

/* All of the box in elements. */
__kernel void dl_part_gather(__global const element_t *array, ulong tile_structs,
                             ulong head_structs, ulong tail_structs, ulong count,
                             ulong first, ulong width, ulong height, ulong row,
                             ulong slice, __global element_t *staging GRID)
{
    for (ulong k = get_global_id(0); k < count; k += get_global_size(0)) {
        dl_index e = part_of_box((dl_index)k, (dl_index)first, (dl_index)width,
                                 (dl_index)height, (dl_index)row, (dl_index)slice);

        staging[k] = array[part_place(e, (dl_index)tile_structs, (dl_index)head_structs,
                                      (dl_index)tail_structs GRID_VALUE)];
    }
}

__kernel void dl_part_scatter(__global element_t *array, ulong tile_structs,
                              ulong head_structs, ulong tail_structs, ulong count,
                              ulong first, ulong width, ulong height, ulong row,
                              ulong slice, __global const element_t *staging GRID)
{
    for (ulong k = get_global_id(0); k < count; k += get_global_size(0)) {
        dl_index e = part_of_box((dl_index)k, (dl_index)first, (dl_index)width,
                                 (dl_index)height, (dl_index)row, (dl_index)slice);

        array[part_place(e, (dl_index)tile_structs, (dl_index)head_structs,
                         (dl_index)tail_structs GRID_VALUE)] = staging[k];
    }
}
