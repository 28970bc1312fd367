/* Tilings: where a leaf lives. */
#include "layout.h"

enum dl_status dl_layout_tile(struct dl_layout layout, uint64_t structs,
                              struct dl_tiling *out)
{
    struct dl_tiling tiling = {structs, 1, structs, 0};

    if (layout.kind == DL_LAYOUT_SOA && structs > 1)
        tiling.tile_structs = structs;
    if (layout.kind == DL_LAYOUT_ASTA || layout.kind == DL_LAYOUT_DA) {
        if (layout.tile_structs == 0)
            return DL_EINVAL;
        tiling.tail_structs = structs % layout.tile_structs;
        tiling.head_structs = structs - tiling.tail_structs;
        tiling.tile_structs = layout.tile_structs;
        if (layout.kind == DL_LAYOUT_DA && tiling.head_structs > 0)
            tiling.tile_structs = tiling.head_structs;
    }
    *out = tiling;
    return DL_OK;
}

/* One form for the tilings that place every leaf alike: a tail alone is a whole tile. */
static struct dl_tiling tiling_normalize(const struct dl_tiling *tiling)
{
    struct dl_tiling t = *tiling;

    if (t.structs == 0)
        return (struct dl_tiling){0, 1, 0, 0};
    if (t.head_structs == 0)
        return (struct dl_tiling){t.structs, t.structs, t.structs, 0};
    return t;
}

bool dl_tiling_equal(const struct dl_tiling *a, const struct dl_tiling *b)
{
    struct dl_tiling x = tiling_normalize(a), y = tiling_normalize(b);

    return x.structs == y.structs && x.tile_structs == y.tile_structs &&
           x.head_structs == y.head_structs && x.tail_structs == y.tail_structs;
}

uint64_t dl_tiling_leaf_byte(const struct dl_tiling *tiling, uint32_t struct_bytes,
                             struct dl_leaf leaf, uint64_t i)
{
    uint64_t first = tiling->head_structs, tile = tiling->tail_structs;

    if (i < tiling->head_structs) {
        tile = tiling->tile_structs;
        first = i - i % tile;
    }
    return first * struct_bytes + tile * leaf.offset_bytes +
           (i - first) * leaf.width_bytes;
}

const char *dl_layout_name(enum dl_layout_kind kind)
{
    switch (kind) {
    case DL_LAYOUT_AOS:
        return "AoS";
    case DL_LAYOUT_ASTA:
        return "ASTA";
    case DL_LAYOUT_DA:
        return "DA";
    case DL_LAYOUT_SOA:
        return "SoA";
    }
    return "?";
}
