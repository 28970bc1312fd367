/* SPDX-License-Identifier: MIT */
/* Weighs the tiles by way of which an array can go to one tile: 010! on tiles, then 100!
 * on super-elements of a tile's length, and, when the tile leaves a rest, a slide. */
#include "arith.h"
#include "middle.h"

/* 010!: chunks of whole vectors are fastest. */
static unsigned time_of_tiles(uint64_t tile_bytes, const struct dl_plan_limits *limits)
{
    if (tile_bytes / dl__gcd(tile_bytes, 16) * 16 <= limits->tile_bytes)
        return limits->chunk_time;
    return tile_bytes <= limits->tile_bytes ? limits->tile_time : limits->beyond_time;
}

/* 100!: a super-element that is not whole lines shares its ends with its neighbours. */
static unsigned time_of_supers(uint64_t super_bytes, const struct dl_plan_limits *limits)
{
    size_t t = limits->super_count - 1;

    while (t > 0 && super_bytes < limits->supers[t].bytes)
        t--;
    return super_bytes % limits->line_bytes == 0 ? limits->supers[t].lines_time
                                                 : limits->supers[t].others_time;
}

/* The best tile that divides the structs; its time. */
static unsigned best_whole(uint64_t structs, uint64_t struct_bytes, uint64_t unit_bytes,
                           const struct dl_plan_limits *limits, struct dl__middle *best)
{
    unsigned best_time = 0;

    for (uint64_t tile = 2; tile <= limits->tile_structs_max && tile < structs; tile++) {
        unsigned time = time_of_tiles(tile * struct_bytes, limits) +
                        time_of_supers(tile * unit_bytes, limits);
        if (structs % tile == 0 && (best->tile == 0 || time < best_time)) {
            best->tile = tile;
            best_time = time;
        }
    }
    return best_time;
}

struct dl__middle dl__middle_choose(uint64_t structs, uint64_t struct_bytes,
                                    uint64_t unit_bytes,
                                    const struct dl_plan_limits *limits, bool may_slide)
{
    /* The smallest tile of whole lines. */
    uint64_t line = limits->line_bytes / dl__gcd(unit_bytes, limits->line_bytes);
    uint64_t rest = 0;
    struct dl__middle best = {0, false};
    unsigned best_time = best_whole(structs, struct_bytes, unit_bytes, limits, &best);

    for (uint64_t tile = line; may_slide && tile <= limits->tile_structs_max;
         tile += line) {
        uint64_t bytes = tile * unit_bytes;
        unsigned time = time_of_tiles(tile * struct_bytes, limits) +
                        time_of_supers(bytes, limits) + limits->slide_time;
        if (tile < 2 || structs % tile == 0 || structs / tile < limits->slide_tiles_min ||
            (bytes > limits->slide_bytes_max && tile > line))
            continue;
        /* As good as another, the one that leaves the shortest rest: its strips are
         * short. */
        if (best.tile == 0 || time < best_time ||
            (time == best_time && best.slides && structs % tile < rest)) {
            best = (struct dl__middle){tile, true};
            best_time = time;
            rest = structs % tile;
        }
    }
    return best;
}
