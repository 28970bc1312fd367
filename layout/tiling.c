/* SPDX-License-Identifier: MIT */
/* Tilings: where a leaf lives. */
#include "kinds.h"

enum dl_status dl_layout_tile(struct dl_layout layout, uint64_t structs,
                              struct dl_tiling *out)
{
    const struct dl__kind *kind = dl__kind_of(layout.kind);
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
           (x.formula != DL_LAYOUT_GRID || dl_grid_map_equal(&x.grid, &y.grid));
}

uint64_t dl_tiling_leaf_byte(const struct dl_tiling *tiling, uint32_t struct_bytes,
                             struct dl_leaf leaf, uint64_t i)
{
    const struct dl__formula *formula = dl__kind_of(tiling->formula)->formula;

    if (tiling->formula == DL_LAYOUT_GRID)
        return (i < tiling->head_structs ? dl_grid_rank(&tiling->grid, i) : i) *
                   struct_bytes +
               leaf.offset_bytes;
    return formula->at(i, struct_bytes, leaf.offset_bytes, leaf.width_bytes,
                       tiling->tile_structs, tiling->head_structs, tiling->tail_structs);
}

const char *dl_tiling_formula(const struct dl_tiling *tiling)
{
    return dl__kind_of(tiling->formula)->formula->name;
}
