/* SPDX-License-Identifier: MIT */
/* The kinds of layouts, a row each, and their tilings: where a leaf lives. */
#include "layout.h"

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

struct formula {
    const char *name;
    /* NULL: only a map says */
    uint64_t (*at)(uint64_t i, uint64_t struct_bytes, uint64_t offset, uint64_t width,
                   uint64_t tile, uint64_t head, uint64_t tail);
};

struct kind_row {
    const char *name;
    bool has_tile; /* tile_structs means something */
    const char
        *tiling; /* DL_TILING of rewritten kernels; NULL: none, the program's own */
    bool tiling_has_tile;          /* DL_TILE, too */
    const struct formula *formula; /* where leaves live, for any tiling of this kind */
    /* The tiling of `structs` structs, 0 allowed. */
    struct dl_tiling (*tile)(uint64_t tile_structs, uint64_t structs);
};

/* One tile is a case of many: the formula of its own only saves kernels a division. */
static const struct formula tiles = {"dl_tiles", dl_tiles_at};

static const struct formula grids = {"dl_grid", NULL}; /* grid.h's */

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

static const struct kind_row kinds[] = {
    [DL_LAYOUT_AOS] = {"AoS", false, NULL, false, &tiles, tile_aos},
    [DL_LAYOUT_ASTA] = {"ASTA", true, "dl_tiles", true, &tiles, tile_asta},
    [DL_LAYOUT_DA] = {"DA", true, "dl_one_tile", false, &tiles, tile_da},
    [DL_LAYOUT_SOA] = {"SoA", false, "dl_one_tile", false, &tiles, tile_soa},
    [DL_LAYOUT_GRID] = {"grid", false, "dl_grid", false, &grids, tile_grid}};

enum { KINDS = sizeof kinds / sizeof *kinds };

static const struct kind_row *kind_of(enum dl_layout_kind kind)
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
    const struct kind_row *kind = kind_of(layout->kind);

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

static bool layout_equal(const struct dl_grid_layout *a, const struct dl_grid_layout *b)
{
    bool equal = a->strip_count == b->strip_count;

    for (uint32_t s = 0; s < a->strip_count && equal; s++)
        equal = dl_grid_code(a->strips[s]) == dl_grid_code(b->strips[s]);
    return equal;
}

static bool grid_map_equal(const struct dl_grid_map *a, const struct dl_grid_map *b)
{
    bool equal =
        a->grid.dim_count == b->grid.dim_count && layout_equal(&a->layout, &b->layout);

    for (uint32_t d = 0; d < a->grid.dim_count && equal; d++)
        equal = a->grid.extents[d] == b->grid.extents[d];
    return equal;
}

bool dl_layout_equal(const struct dl_layout *a, const struct dl_layout *b)
{
    return a->kind == b->kind &&
           (!dl_layout_has_tile(a->kind) || a->tile_structs == b->tile_structs) &&
           (a->kind != DL_LAYOUT_GRID || grid_map_equal(&a->grid, &b->grid));
}

/* ---- tilings ---- */

enum dl_status dl_layout_tile(struct dl_layout layout, uint64_t structs,
                              struct dl_tiling *out)
{
    const struct kind_row *kind = kind_of(layout.kind);
    struct dl_tiling tiling;

    if (kind->has_tile && layout.tile_structs == 0)
        return DL_EINVAL;
    tiling = kind->tile(layout.tile_structs, structs);
    if (layout.kind == DL_LAYOUT_GRID) {
        if (dl_grid_check(&layout.grid.grid) ||
            dl_grid_layout_check(&layout.grid.layout, layout.grid.grid.dim_count) ||
            dl_grid_elements(&layout.grid.grid) > structs)
            return DL_EINVAL;
        tiling.head_structs = dl_grid_elements(&layout.grid.grid);
        tiling.grid = layout.grid;
    }
    *out = tiling;
    return DL_OK;
}

/* One form for the tilings that place every leaf alike: a tail alone is a whole tile, in
 * whose array for each leaf the structs keep their order, whatever the kind. */
static struct dl_tiling tiling_normalize(const struct dl_tiling *tiling)
{
    struct dl_tiling t = *tiling;

    if (t.structs == 0)
        return (struct dl_tiling){0, 1, 0, 0, DL_LAYOUT_AOS};
    if (t.head_structs == 0)
        return (struct dl_tiling){t.structs, t.structs, t.structs, 0, DL_LAYOUT_AOS};
    return t;
}

bool dl_tiling_equal(const struct dl_tiling *a, const struct dl_tiling *b)
{
    struct dl_tiling x = tiling_normalize(a), y = tiling_normalize(b);

    return x.structs == y.structs && x.tile_structs == y.tile_structs &&
           x.head_structs == y.head_structs && x.tail_structs == y.tail_structs &&
           x.formula == y.formula &&
           (x.formula != DL_LAYOUT_GRID || grid_map_equal(&x.grid, &y.grid));
}

uint64_t dl_tiling_leaf_byte(const struct dl_tiling *tiling, uint32_t struct_bytes,
                             struct dl_leaf leaf, uint64_t i)
{
    const struct formula *formula = kind_of(tiling->formula)->formula;

    if (tiling->formula == DL_LAYOUT_GRID)
        return (i < tiling->head_structs ? dl_grid_rank(&tiling->grid, i) : i) *
                   struct_bytes +
               leaf.offset_bytes;
    return formula->at(i, struct_bytes, leaf.offset_bytes, leaf.width_bytes,
                       tiling->tile_structs, tiling->head_structs, tiling->tail_structs);
}

const char *dl_tiling_formula(const struct dl_tiling *tiling)
{
    return kind_of(tiling->formula)->formula->name;
}
