/* SPDX-License-Identifier: MIT */
/* Grids and their layouts of bits: where an element lies, and which element lies there.
 */
#include "grid.h"

#include <stdio.h>
#include <string.h>

#define DL_GRID_DIMS (int)dl_map->grid.dim_count
#define DL_GRID_ROOM DL_GRID_DIMS_MAX
#define DL_GRID_STRIPS (int)(dl_map->layout.strip_count)
#define DL_GRID_FORMAL , const struct dl_grid_map *dl_map
#define DL_GRID_PASS , dl_map
#define DL_GRID_EXTENT(dl_d) dl_map->grid.extents[dl_d]
#define DL_GRID_STRIP(dl_s) (int)dl_grid_code(dl_map->layout.strips[dl_s])

uint32_t dl_grid_code(struct dl_grid_strip strip)
{
    return (uint32_t)strip.dim << 16 | (uint32_t)strip.low << 8 | strip.bits;
}

/* The text that OpenCL C shares has more than is asked for here. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
typedef uint64_t dl_index;
#include "grid_formula.h"
#pragma GCC diagnostic pop

uint64_t dl_grid_rank(const struct dl_grid_map *map, uint64_t element)
{
    return dl_grid_rank_of(element, map);
}

uint64_t dl_grid_element(const struct dl_grid_map *map, uint64_t rank)
{
    uint64_t index[DL_GRID_DIMS_MAX] = {0}, rest[DL_GRID_DIMS_MAX], element = 0;

    for (uint32_t d = 0; d < map->grid.dim_count; d++)
        rest[d] = map->grid.extents[d];
    for (uint32_t s = 0; s < map->layout.strip_count; s++) {
        struct dl_grid_strip strip = map->layout.strips[s];
        uint64_t size = UINT64_C(1) << strip.low, block = size, left;

        for (uint32_t d = 0; d < map->grid.dim_count; d++)
            block *= d == strip.dim ? 1 : rest[d];
        index[strip.dim] += rank / block << strip.low;
        rank %= block;
        left = map->grid.extents[strip.dim] - index[strip.dim];
        rest[strip.dim] = left < size ? left : size;
    }
    for (uint32_t d = 0; d < map->grid.dim_count; d++)
        element = element * map->grid.extents[d] + index[d];
    return element;
}

uint64_t dl_grid_elements(const struct dl_grid *grid)
{
    uint64_t elements = 1;

    for (uint32_t d = 0; d < grid->dim_count; d++)
        if (__builtin_mul_overflow(elements, grid->extents[d], &elements) ||
            elements > INT64_MAX)
            return 0;
    return elements;
}

const char *dl_grid_check(const struct dl_grid *grid)
{
    if (grid->dim_count == 0 || grid->dim_count > DL_GRID_DIMS_MAX)
        return "a grid has from 1 to 8 dimensions";
    for (uint32_t d = 0; d < grid->dim_count; d++)
        if (grid->extents[d] == 0)
            return "an extent of the grid is 0";
    return dl_grid_elements(grid) ? NULL : "the grid has more than 2^63 elements";
}

const char *dl_grid_layout_check(const struct dl_grid_layout *layout, uint32_t dim_count)
{
    int above[DL_GRID_DIMS_MAX]; /* the low end of the strip before; -1: none */

    if (layout->strip_count > DL_GRID_STRIPS_MAX)
        return "the layout has more than 24 strips";
    memset(above, -1, sizeof above);
    for (uint32_t s = 0; s < layout->strip_count; s++) {
        struct dl_grid_strip strip = layout->strips[s];

        if (strip.dim >= dim_count)
            return "the layout names a dimension that the grid lacks";
        if (strip.low + strip.bits >= 63)
            return "the layout names bits from 63 on";
        if (above[strip.dim] < 0 && strip.bits)
            return "the layout misses the upper bits of a dimension: its first strip is "
                   "written `[*]`";
        if (above[strip.dim] >= 0 &&
            (!strip.bits || strip.low + strip.bits > above[strip.dim]))
            return "the layout has bits of a dimension twice, or the lower ones first";
        if (above[strip.dim] > strip.low + strip.bits)
            return "the layout misses bits of a dimension";
        above[strip.dim] = strip.low;
    }
    for (uint32_t d = 0; d < dim_count; d++) {
        if (above[d] < 0)
            return "the layout misses a dimension";
        if (above[d] > 0)
            return "the layout misses the lower bits of a dimension";
    }
    return NULL;
}

bool dl_grid_layout_equal(const struct dl_grid_layout *a, const struct dl_grid_layout *b)
{
    bool equal = a->strip_count == b->strip_count;

    for (uint32_t s = 0; s < a->strip_count && equal; s++)
        equal = dl_grid_code(a->strips[s]) == dl_grid_code(b->strips[s]);
    return equal;
}

bool dl_grid_map_equal(const struct dl_grid_map *a, const struct dl_grid_map *b)
{
    bool equal = a->grid.dim_count == b->grid.dim_count &&
                 dl_grid_layout_equal(&a->layout, &b->layout);

    for (uint32_t d = 0; d < a->grid.dim_count && equal; d++)
        equal = a->grid.extents[d] == b->grid.extents[d];
    return equal;
}

bool dl_grid_map_is_plain(const struct dl_grid_map *map)
{
    uint32_t before = 0;

    /* Strips of one value order nothing. */
    for (uint32_t s = 0; s < map->layout.strip_count; s++) {
        struct dl_grid_strip strip = map->layout.strips[s];

        if (map->grid.extents[strip.dim] <= UINT64_C(1) << strip.low)
            continue;
        if (strip.dim < before)
            return false;
        before = strip.dim;
    }
    return true;
}

uint64_t dl_grid_slice(const struct dl_grid_map *map)
{
    uint64_t elements = dl_grid_elements(&map->grid);
    uint64_t row = elements / map->grid.extents[0];
    uint32_t low = 0;

    if (map->layout.strip_count == 0 || map->layout.strips[0].dim != 0)
        return elements;
    /* Its strips in front. */
    for (uint32_t s = 0; s < map->layout.strip_count && map->layout.strips[s].dim == 0;
         s++)
        low = map->layout.strips[s].low;
    return map->grid.extents[0] >> low ? row << low : elements;
}

void dl_grid_define(const struct dl_grid_map *map, const char *before,
                    const char *between, const char *after, char *out, size_t room)
{
    size_t used = 0;

#define ADD(...)                                                                         \
    used += (size_t)snprintf(out + (used < room ? used : room),                          \
                             used < room ? room - used : 0, __VA_ARGS__)
    ADD("%sDL_GRID_DIMS%s%u%s", before, between, map->grid.dim_count, after);
    for (uint32_t d = 0; d < map->grid.dim_count; d++)
        ADD("%sDL_X%u%s%llu%s", before, d, between,
            (unsigned long long)map->grid.extents[d], after);
    ADD("%sDL_GRID_STRIPS%s%u%s", before, between, map->layout.strip_count, after);
    for (uint32_t s = 0; s < map->layout.strip_count; s++)
        ADD("%sDL_B%u%s%u%s", before, s, between, dl_grid_code(map->layout.strips[s]),
            after);
#undef ADD
}
