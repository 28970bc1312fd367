/* The kinds of layouts, a row each. */
#include "kinds.h"

#include <stdio.h>

static struct dl_tiling tile_aos(uint64_t tile_structs, uint64_t structs)
{
    (void)tile_structs;
    return (struct dl_tiling){structs, 1, structs, 0};
}

static struct dl_tiling tile_asta(uint64_t tile_structs, uint64_t structs)
{
    uint64_t tail = structs % tile_structs;

    return (struct dl_tiling){structs, tile_structs, structs - tail, tail};
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
    return (struct dl_tiling){structs, structs ? structs : 1, structs, 0};
}

static const struct dl__kind kinds[] = {
    [DL_LAYOUT_AOS] = {"AoS", false, NULL, false, tile_aos},
    [DL_LAYOUT_ASTA] = {"ASTA", true, "dl_tiles", true, tile_asta},
    [DL_LAYOUT_DA] = {"DA", true, "dl_one_tile", false, tile_da},
    [DL_LAYOUT_SOA] = {"SoA", false, "dl_one_tile", false, tile_soa}};

const struct dl__kind *dl__kind_of(enum dl_layout_kind kind)
{
    return &kinds[kind];
}

const char *dl_layout_name(enum dl_layout_kind kind)
{
    return (size_t)kind < sizeof kinds / sizeof *kinds ? kinds[kind].name : "?";
}

struct dl_layout_knobs dl_layout_knobs(struct dl_layout layout)
{
    const struct dl__kind *kind = dl__kind_of(layout.kind);
    struct dl_layout_knobs knobs = {""};

    if (kind->tiling && kind->tiling_has_tile)
        snprintf(knobs.text, sizeof knobs.text, "-DDL_TILING=%s -DDL_TILE=%u",
                 kind->tiling, layout.tile_structs);
    else if (kind->tiling)
        snprintf(knobs.text, sizeof knobs.text, "-DDL_TILING=%s", kind->tiling);
    return knobs;
}
