/* Tilings: where a leaf lives. */
#include "kinds.h"

/* The text that OpenCL C shares has more than is asked for here. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-parameter"
typedef uint64_t dl_index;
#include "formula.h"
#pragma GCC diagnostic pop

enum dl_status dl_layout_tile(struct dl_layout layout, uint64_t structs,
                              struct dl_tiling *out)
{
    const struct dl__kind *kind = dl__kind_of(layout.kind);

    if (kind->has_tile && layout.tile_structs == 0)
        return DL_EINVAL;
    *out = kind->tile(layout.tile_structs, structs);
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
    return dl_tiles_at(i, struct_bytes, leaf.offset_bytes, leaf.width_bytes,
                       tiling->tile_structs, tiling->head_structs, tiling->tail_structs);
}
