/* SPDX-License-Identifier: MIT */
/* Random grids and layouts of bits. */
#ifndef DL_TESTS_GRIDS_H
#define DL_TESTS_GRIDS_H

#include "layout/grid.h"

static inline uint32_t grid_draw(uint64_t *state, uint32_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33) % below;
}

/* From 1 to 5 dimensions, at most about so many elements: extents are powers of two,
 * primes and others; each dimension is cut into up to 3 strips. */
static inline struct dl_grid_map grid_random(unsigned seed, uint64_t elements)
{
    static const uint32_t primes[] = {2, 3, 5, 7, 11, 13, 17, 31, 61, 127, 251, 509};
    uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    struct dl_grid_map map = {.grid = {.dim_count = 1 + grid_draw(&state, 5)}};
    unsigned lows[DL_GRID_DIMS_MAX][3], left[DL_GRID_DIMS_MAX], strips = 0;

    for (uint32_t d = 0; d < map.grid.dim_count; d++) {
        uint32_t most = elements > 512 ? 512 : (uint32_t)elements,
                 how = grid_draw(&state, 3);
        uint32_t extent = how == 0   ? 1u << grid_draw(&state, 9)
                          : how == 1 ? primes[grid_draw(&state, 12)]
                                     : 1 + grid_draw(&state, 200);

        map.grid.extents[d] = extent < most ? extent : most;
        elements /= map.grid.extents[d];
        left[d] = 1 + grid_draw(&state, 3);
        for (unsigned s = left[d]; s-- > 0;) /* the highest is last */
            lows[d][s] = s == 0 ? 0 : 0xff;
        for (unsigned s = 1; s < left[d]; s++)
            lows[d][s] = lows[d][s - 1] + 1 + grid_draw(&state, 5);
        strips += left[d];
    }
    while (strips > 0) {
        uint32_t d = grid_draw(&state, map.grid.dim_count);
        struct dl_grid_strip *strip = &map.layout.strips[map.layout.strip_count];
        unsigned s;
        bool is_first = true;

        if (left[d] == 0)
            continue;
        for (uint32_t before = 0; before < map.layout.strip_count; before++)
            is_first = is_first && map.layout.strips[before].dim != d;
        s = --left[d];
        strip->dim = (uint8_t)d;
        strip->low = (uint8_t)lows[d][s];
        strip->bits = (uint8_t)(is_first ? 0 : lows[d][s + 1] - lows[d][s]);
        map.layout.strip_count++;
        strips--;
    }
    return map;
}

#endif
