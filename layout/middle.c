/* Weighs the tiles by way of which an array can go to one tile: 010! on tiles, then 100! on
 * super-elements of a tile's length, and, when the tile leaves a rest, a slide. */
#include "arith.h"
#include "middle.h"

enum {
    TILE_STRUCTS_MAX = 1024,
    LINE_BYTES = 128, /* of a cache */
    SLIDE_BYTES_MIN = 512,
    SLIDE_BYTES_MAX = 768,
    /* Of so many tiles the strips that a slide sets aside are less than 1/32. */
    SLIDE_TILES_MIN = 512
};

/* Times in thousandths of a copy's, as measured on an NVIDIA H200 (docs/notes/marshal-speed.md);
 * other devices agree on which is longer. */
enum { TIME_SLIDE = 1100, TIME_CHUNK = 1050, TIME_TILE = 1600, TIME_BEYOND = 5000 };

/* 010!: chunks of whole vectors are fastest. */
static unsigned time_of_tiles(uint64_t tile_bytes, uint64_t tile_bytes_max)
{
    if (tile_bytes / dl__gcd(tile_bytes, 16) * 16 <= tile_bytes_max)
        return TIME_CHUNK;
    return tile_bytes <= tile_bytes_max ? TIME_TILE : TIME_BEYOND;
}

/* 100!: a super-element that is not whole lines shares its ends with its neighbours. */
static unsigned time_of_supers(uint64_t super_bytes)
{
    static const struct {
        unsigned bytes, lines, others;
    } times[] = {{512, 1180, 1620}, {256, 1400, 1900}, {128, 1500, 2450},
                 {64, 2500, 2500},  {32, 4000, 4000},  {0, 15000, 15000}};
    unsigned t = 0;

    while (super_bytes < times[t].bytes)
        t++;
    return super_bytes % LINE_BYTES == 0 ? times[t].lines : times[t].others;
}

struct dl__middle dl__middle_choose(uint64_t structs, uint64_t struct_bytes,
                                    uint64_t unit_bytes, uint64_t tile_bytes,
                                    bool may_slide)
{
    /* The least tile of whole lines. */
    uint64_t line = LINE_BYTES / dl__gcd(unit_bytes, LINE_BYTES), rest = 0;
    struct dl__middle best = {0, false};
    unsigned best_time = 0;

    for (uint64_t tile = 2; tile <= TILE_STRUCTS_MAX && tile < structs; tile++) {
        unsigned time = time_of_tiles(tile * struct_bytes, tile_bytes) +
                        time_of_supers(tile * unit_bytes);
        if (structs % tile == 0 && (best.tile == 0 || time < best_time)) {
            best.tile = tile;
            best_time = time;
        }
    }
    for (uint64_t tile = line; may_slide && tile <= TILE_STRUCTS_MAX; tile += line) {
        uint64_t bytes = tile * unit_bytes;
        unsigned time = time_of_tiles(tile * struct_bytes, tile_bytes) +
                        time_of_supers(bytes) + TIME_SLIDE;
        if (tile < 2 || structs % tile == 0 || structs / tile < SLIDE_TILES_MIN ||
            (bytes > SLIDE_BYTES_MAX && tile > line))
            continue;
        /* As good as another, the one that leaves the least: its strips are short. */
        if (best.tile == 0 || time < best_time ||
            (time == best_time && best.slides && structs % tile < rest)) {
            best = (struct dl__middle){tile, true};
            best_time = time;
            rest = structs % tile;
        }
    }
    return best;
}
