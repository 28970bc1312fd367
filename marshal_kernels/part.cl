/* Parts of a tiled array, out of place: gathers structs into a staging area as the program wrote
 * them, and scatters them back. The program looks at a few structs and the array stays in tiles
 * (Sung 2013, 5.2, on-demand marshaling). */
#ifndef DL_STEP
#include "step.cl"
#endif

/* The array's element for element e of its AoS form. */
ulong part_place(ulong e, ulong tile_structs, ulong head_structs, ulong tail_structs)
{
    ulong i = e / COLUMNS;
    ulong rows = i < head_structs ? tile_structs : tail_structs;
    ulong base = (i < head_structs ? i - i % tile_structs : head_structs) * COLUMNS;

    return base + step_target(rows, e - base);
}

/* `first` and `count` in elements; staging begins with the first. */
__kernel void dl_part_gather(__global const element_t *array, ulong tile_structs,
                             ulong head_structs, ulong tail_structs, ulong first, ulong count,
                             __global element_t *staging)
{
    for (ulong k = get_global_id(0); k < count; k += get_global_size(0))
        staging[k] = array[part_place(first + k, tile_structs, head_structs, tail_structs)];
}

__kernel void dl_part_scatter(__global element_t *array, ulong tile_structs, ulong head_structs,
                              ulong tail_structs, ulong first, ulong count,
                              __global const element_t *staging)
{
    for (ulong k = get_global_id(0); k < count; k += get_global_size(0))
        array[part_place(first + k, tile_structs, head_structs, tail_structs)] = staging[k];
}
