/* SPDX-License-Identifier: MIT */
/* The knobs of tiles that are read by rows and written as runs of columns (columns.cl).
 */
#include "transpose/internal.h"

#include <stdio.h>

static unsigned pack_of(uint64_t element_bytes)
{
    return element_bytes < 4 ? 4 / (unsigned)element_bytes : 1;
}

bool dl__columns_fit(const struct dl_transpose *transpose, struct dl__columns *tile,
                     uint64_t element_bytes, uint64_t other_bytes)
{
    unsigned pack = pack_of(element_bytes);
    uint64_t word = pack * element_bytes, down;

    while (tile->run > 1 &&
           (tile->run * word > 16 || tile->rows % (tile->run * pack) != 0))
        tile->run /= 2;
    while (tile->cols / pack > tile->group)
        tile->cols /= 2;
    if (tile->rows % (tile->run * pack) != 0 || tile->cols < pack ||
        (tile->cols & (tile->cols - 1)) != 0 || tile->group % (tile->cols / pack) != 0)
        return false;
    down = dl__divide_up(tile->rows + tile->more, pack);
    return ((down + 1) | 1) * tile->cols * word + other_bytes <=
           transpose->engine.limits.local_bytes;
}

int dl__columns_knobs(const struct dl__columns *tile, uint64_t element_bytes,
                      bool conjugate, char *knobs, size_t bytes)
{
    return snprintf(knobs, bytes,
                    "#define ELEMENT_BYTES %u\n#define TILE_COLS %uu\n#define TILE_ROWS "
                    "%uu\n#define MORE_ROWS %uu\n#define RUN %u\n#define GROUP %uu\n"
                    "#define HELD %uu\n#define L2_HINT %u\n#define CONJUGATE %d\n",
                    (unsigned)element_bytes, tile->cols, tile->rows, tile->more,
                    tile->run, tile->group, tile->held ? tile->held : 1,
                    tile->hint > 1 ? tile->hint : 0, conjugate);
}
