/* SPDX-License-Identifier: MIT */
/* The kinds of layouts, a row each, and their tilings: where a leaf lives. */
#include "layout.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* OpenCL C shares the text, of which this file needs only a part. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-parameter"
typedef uint64_t dl_index;
#include "formula.h"
#pragma GCC diagnostic pop

struct kind_row {
    const char *name, *tiling; /* the latter DL_TILING of rewritten kernels; NULL: none */
    bool has_tile;             /* tile_structs means something */
    bool is_one_tile;          /* then DL_TILE does not; it saves kernels a division */
};

static const struct kind_row kinds[] = {
    [DL_LAYOUT_AOS] = {"AoS", NULL, false, false},
    [DL_LAYOUT_ASTA] = {"ASTA", "dl_tiles", true, false},
    [DL_LAYOUT_DA] = {"DA", "dl_one_tile", true, true},
    [DL_LAYOUT_SOA] = {"SoA", "dl_one_tile", false, true},
    [DL_LAYOUT_GRID] = {"grid", "dl_grid", false, false}};

enum { KINDS = sizeof kinds / sizeof *kinds };

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
    const struct kind_row *kind = &kinds[layout->kind];

    out->text[0] = '\0';
    if (kind->has_tile && !kind->is_one_tile)
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
    const struct kind_row *kind = &kinds[layout.kind];
    struct dl_tiling tiling = {structs, 1, structs, 0, DL_LAYOUT_AOS};

    if (kind->has_tile && layout.tile_structs == 0)
        return DL_EINVAL;
    if (kind->has_tile) {
        tiling.tile_structs = layout.tile_structs;
        tiling.tail_structs = structs % layout.tile_structs;
        tiling.head_structs -= tiling.tail_structs;
    }
    if (kind->is_one_tile && tiling.head_structs > 0)
        tiling.tile_structs = tiling.head_structs;
    if (layout.kind == DL_LAYOUT_GRID) {
        if (dl_grid_check(&layout.grid.grid) ||
            dl_grid_layout_check(&layout.grid.layout, layout.grid.grid.dim_count) ||
            dl_grid_elements(&layout.grid.grid) > structs)
            return DL_EINVAL;
        tiling.head_structs = dl_grid_elements(&layout.grid.grid);
        tiling.grid = layout.grid;
        tiling.formula = DL_LAYOUT_GRID;
    }
    *out = tiling;
    return DL_OK;
}

/* Makes tilings that place every leaf alike the same: a tail alone is a whole tile. */
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
    if (tiling->formula == DL_LAYOUT_GRID)
        return (i < tiling->head_structs ? dl_grid_rank(&tiling->grid, i) : i) *
                   struct_bytes +
               leaf.offset_bytes;
    return dl_tiles_at(i, struct_bytes, leaf.offset_bytes, leaf.width_bytes,
                       tiling->tile_structs, tiling->head_structs, tiling->tail_structs);
}

/* Returns the structs from `i` on whose leaves lie `stride` bytes apart. */
static uint64_t evenly_spaced(const struct dl_tiling *tiling, uint32_t struct_bytes,
                              uint32_t width_bytes, uint64_t i, uint64_t *stride)
{
    *stride = width_bytes;
    if (tiling->formula == DL_LAYOUT_GRID)
        return 1;
    if (i >= tiling->head_structs)
        return tiling->structs - i;
    if (tiling->tile_structs > 1)
        return tiling->tile_structs - i % tiling->tile_structs;
    *stride = struct_bytes;
    return tiling->head_structs - i;
}

/* Copies of constant widths need no call. */
static void move_evenly(unsigned char *to, uint64_t to_stride, const unsigned char *from,
                        uint64_t from_stride, uint32_t width_bytes, uint64_t count)
{
    for (; count > 0; count--, to += to_stride, from += from_stride) {
        if (width_bytes == 4)
            memcpy(to, from, 4);
        else if (width_bytes == 8)
            memcpy(to, from, 8);
        else
            memcpy(to, from, width_bytes);
    }
}

/* Structs whose leaves are moved one by one while the caches hold them. */
enum { MOVED_STRUCTS = 256 };

void dl_tiling_move(const struct dl_leaf *leaves, uint32_t leaf_count,
                    uint32_t struct_bytes, uint64_t structs,
                    const struct dl_tiling *from_tiling, const void *from,
                    const struct dl_tiling *to_tiling, void *to)
{
    for (uint64_t first = 0; first < structs; first += MOVED_STRUCTS) {
        uint64_t end = structs - first < MOVED_STRUCTS ? structs : first + MOVED_STRUCTS;

        for (uint32_t l = 0; l < leaf_count; l++) {
            uint32_t width = leaves[l].width_bytes;

            for (uint64_t i = first, count; i < end; i += count) {
                uint64_t from_stride, to_stride,
                    there = evenly_spaced(to_tiling, struct_bytes, width, i, &to_stride);

                count = evenly_spaced(from_tiling, struct_bytes, width, i, &from_stride);
                count = count < there ? count : there;
                count = count < end - i ? count : end - i;
                move_evenly(
                    (unsigned char *)to +
                        dl_tiling_leaf_byte(to_tiling, struct_bytes, leaves[l], i),
                    to_stride,
                    (const unsigned char *)from +
                        dl_tiling_leaf_byte(from_tiling, struct_bytes, leaves[l], i),
                    from_stride, width, count);
            }
        }
    }
}
