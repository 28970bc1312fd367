/* SPDX-License-Identifier: MIT */
/* The kinds of layouts, a row each. */
#include "kinds.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The text that OpenCL C shares has more than is asked for here. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-parameter"
typedef uint64_t dl_index;
#include "formula.h"
#pragma GCC diagnostic pop

/* One tile is a case of many: the formula of its own only saves kernels a division. */
static const struct dl__formula tiles = {"dl_tiles", dl_tiles_at};

static const struct dl__formula grids = {"dl_grid", NULL}; /* grid.h's */

static struct dl_tiling tile_aos(uint64_t tile_structs, uint64_t structs)
{
    (void)tile_structs;
    return (struct dl_tiling){structs, 1, structs, 0, DL_LAYOUT_AOS};
}

static struct dl_tiling tile_asta(uint64_t tile_structs, uint64_t structs)
{
    uint64_t tail = structs % tile_structs;

    return (struct dl_tiling){structs, tile_structs, structs - tail, tail, DL_LAYOUT_AOS};
}

static struct dl_tiling tile_da(uint64_t tile_structs, uint64_t structs)
{
    struct dl_tiling tiling = tile_asta(tile_structs, structs);

    if (tiling.head_structs > 0)
        tiling.tile_structs = tiling.head_structs;
    return tiling;
}

static struct dl_tiling tile_soa(uint64_t tile_structs, uint64_t structs)
{
    (void)tile_structs;
    return (struct dl_tiling){structs, structs ? structs : 1, structs, 0, DL_LAYOUT_AOS};
}

/* Which of them are the grid's, dl_layout_tile says. */
static struct dl_tiling tile_grid(uint64_t tile_structs, uint64_t structs)
{
    (void)tile_structs;
    return (struct dl_tiling){structs, 1, structs, 0, DL_LAYOUT_GRID};
}

static const struct dl__kind kinds[] = {
    [DL_LAYOUT_AOS] = {"AoS", false, NULL, false, &tiles, tile_aos},
    [DL_LAYOUT_ASTA] = {"ASTA", true, "dl_tiles", true, &tiles, tile_asta},
    [DL_LAYOUT_DA] = {"DA", true, "dl_one_tile", false, &tiles, tile_da},
    [DL_LAYOUT_SOA] = {"SoA", false, "dl_one_tile", false, &tiles, tile_soa},
    [DL_LAYOUT_GRID] = {"grid", false, "dl_grid", false, &grids, tile_grid}};

enum { KINDS = sizeof kinds / sizeof *kinds };

const struct dl__kind *dl__kind_of(enum dl_layout_kind kind)
{
    return &kinds[kind];
}

const char *dl_layout_name(enum dl_layout_kind kind)
{
    return (size_t)kind < KINDS ? kinds[kind].name : "?";
}

bool dl_layout_find(const char *name, enum dl_layout_kind *out)
{
    for (size_t k = 0; k < KINDS; k++) {
        if (strcasecmp(kinds[k].name, name) == 0) {
            *out = (enum dl_layout_kind)k;
            return true;
        }
    }
    return false;
}

bool dl_layout_has_tile(enum dl_layout_kind kind)
{
    return kinds[kind].has_tile;
}

void dl_layout_knobs(const struct dl_layout *layout, struct dl_layout_knobs *out)
{
    const struct dl__kind *kind = dl__kind_of(layout->kind);

    out->text[0] = '\0';
    if (kind->tiling && kind->tiling_has_tile)
        snprintf(out->text, sizeof out->text, "-DDL_TILING=%s -DDL_TILE=%u", kind->tiling,
                 layout->tile_structs);
    else if (kind->tiling)
        snprintf(out->text, sizeof out->text, "-DDL_TILING=%s", kind->tiling);
    if (layout->kind == DL_LAYOUT_GRID)
        dl_grid_define(&layout->grid, " -D", "=", "", out->text + strlen(out->text),
                       sizeof out->text - strlen(out->text));
}

bool dl_layout_equal(const struct dl_layout *a, const struct dl_layout *b)
{
    return a->kind == b->kind &&
           (!dl_layout_has_tile(a->kind) || a->tile_structs == b->tile_structs) &&
           (a->kind != DL_LAYOUT_GRID || dl_grid_map_equal(&a->grid, &b->grid));
}
