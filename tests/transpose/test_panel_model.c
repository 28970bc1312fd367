/* SPDX-License-Identifier: MIT */
/* Claims of the panel algorithm that need no device: however its tiles interleave, no
 * value is overwritten before it was read; each block of the array before has one place
 * after; and all arithmetic holds beyond 2^31 elements. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "transpose/algorithms/algorithm.h"
#include "tests/common/must.h"
#include "tests/common/random_numbers.h"

enum { SECTOR_BYTES = 32 };

static uint64_t seed = 1;

/* A shape with tiles, as the planner might make it. */
static bool shape_random(struct panel_shape *shape, bool join, uint32_t *tile_cols,
                         uint32_t tile_rows)
{
    struct dl__sides sides = {2 + random_size_below(&seed, 90),
                              1 + random_size_below(&seed, 40), 4,
                              4 * random_size_below(&seed, 9)};
    uint64_t align = UINT64_C(1) << random_size_below(&seed, 4);
    uint64_t block = align * (1 + random_size_below(&seed, 12 / align + 1));

    if (!dl__panel_shape_make(&sides, SECTOR_BYTES, align, block, shape))
        return false;
    if (join && random_size_below(&seed, 2)) {
        shape->col_skew = shape->align - 1;
        *tile_cols = (uint32_t)dl__round_up(*tile_cols, align);
    }
    shape->tiles_across = (shape->cols + shape->col_skew + *tile_cols - 1) / *tile_cols;
    shape->tiles_down =
        (shape->block + (join ? shape->skew : 0) + tile_rows - 1) / tile_rows;
    shape->by_cut = dl__divisor_make(2 + (uint32_t)random_size_below(&seed, 9));
    shape->cuts = places_used(shape) / shape->by_cut.number + 1;
    return true;
}

/* ---- interleavings ---- */

enum { TILES_MAX = 4096, ELEMENTS_MAX = 91 * 40 };

struct run {
    struct panel_shape shape;
    uint32_t tile_cols, tile_rows, tiles, counts[128];
    uint32_t each; /* tiles that a work-group takes one after the other */
    bool join;
    int array[ELEMENTS_MAX], hole[ELEMENTS_MAX], saved[ELEMENTS_MAX];
    int *held[TILES_MAX];
    bool is_read[TILES_MAX], is_written[TILES_MAX];
};

static int *block_at(struct run *run, uint32_t x)
{
    const struct panel_shape *s = &run->shape;

    uint32_t cut = x < s->hole ? NOWHERE : cut_at_place(s, x - s->hole);

    return x < s->hole      ? run->hole + x * s->block
           : cut != NOWHERE ? run->saved + cut * s->block
                            : run->array + place_begin(s, x - s->hole);
}

/* Splitting: reads a tile into `held` from the rows, or writes it to the blocks. */
static void split_go(struct run *run, struct tile tile, int *held, bool write)
{
    const struct panel_shape *s = &run->shape;
    uint32_t rows =
        s->block - tile.y < run->tile_rows ? s->block - tile.y : run->tile_rows;

    for (uint32_t j = tile.first; j < tile.past; j++)
        for (uint32_t y = tile.y; y < tile.y + rows; y++, held++) {
            int *in_rows =
                run->array +
                ((uint64_t)tile.panel * s->block + y + place_head(s, j)) * s->cols + j;
            int *in_block = block_at(run, tile.panel * s->cols + j) + y;
            if (write)
                *in_block = *held;
            else
                *held = *in_rows;
        }
}

/* Joining: the columns of each row are moved left, so that more are read than written. */
static void join_go(struct run *run, struct tile tile, int *held, bool write)
{
    const struct panel_shape *s = &run->shape;

    for (uint32_t y = tile.y; y < tile.y + run->tile_rows; y++) {
        uint64_t row = (uint64_t)tile.panel * s->block + y;
        for (uint32_t c = 0; c < run->tile_cols + s->col_skew; c++, held++) {
            uint32_t j = tile.first + c - s->col_skew;
            uint32_t to = tile.first + c - join_shift(s, row, tile.first);
            if (!write && j < s->cols && y - place_head(s, j) < s->block)
                *held = block_at(run, tile.panel * s->cols + j)[y - place_head(s, j)];
            if (write && c < run->tile_cols && to < s->cols &&
                y - place_head(s, to) < s->block)
                run->array[row * s->cols + to] =
                    held[s->col_skew - join_shift(s, row, tile.first)];
        }
    }
}

static void tile_go(struct run *run, uint32_t number, bool write)
{
    struct tile tile =
        tile_of(&run->shape, number, run->tile_cols, run->tile_rows, run->join);

    (run->join ? join_go : split_go)(run, tile, run->held[number], write);
}

static bool may_write(const struct run *run, uint32_t number)
{
    const struct panel_shape *s = &run->shape;
    struct tile tile = tile_of(s, number, run->tile_cols, run->tile_rows, run->join);
    uint32_t first, past;

    if (run->join)
        join_waits_for(s, tile, run->tile_rows, &first, &past);
    else
        split_waits_for(s, tile, &first, &past);
    for (uint32_t k = first; k < past; k++)
        if (run->counts[k] < s->tiles_across * s->tiles_down)
            return false;
    return true;
}

/* A work-group says that its next tile is read when it has written the one before. */
static bool may_read(const struct run *run, uint32_t number)
{
    return number % run->each == 0 || run->is_written[number - 1];
}

/* Runs all tiles in a random order that the kernel allows: work-groups started in turn,
 * so that at most `together` tiles are under way. False: stuck. */
static bool run_all(struct run *run, uint32_t together)
{
    uint32_t started = 0, done = 0;

    while (done < run->tiles) {
        uint32_t ready[64], count = 0, number;
        for (uint32_t t = done; t < started; t++)
            if (!run->is_written[t] &&
                (run->is_read[t] ? may_write(run, t) : may_read(run, t)))
                ready[count++] = t;
        if (started < run->tiles && started - done < together &&
            random_size_below(&seed, 2)) {
            started = started + run->each < run->tiles ? started + run->each : run->tiles;
            continue;
        }
        if (count == 0) {
            if (started == run->tiles || started - done >= together)
                return false;
            started = started + run->each < run->tiles ? started + run->each : run->tiles;
            continue;
        }
        number = ready[random_size_below(&seed, count)];
        if (!run->is_read[number]) {
            struct tile tile =
                tile_of(&run->shape, number, run->tile_cols, run->tile_rows, run->join);
            tile_go(run, number, false);
            run->is_read[number] = true;
            run->counts[tile.panel]++;
        } else {
            tile_go(run, number, true);
            run->is_written[number] = true;
        }
        while (done < run->tiles && run->is_written[done])
            done++;
    }
    return true;
}

static void interleave(bool join)
{
    static struct run run;
    unsigned runs = getenv("DL_TEST_FULL") ? 60000 : 400, made = 0;

    for (unsigned r = 0; r < runs; r++) {
        const struct panel_shape *s = &run.shape;
        static int values[ELEMENTS_MAX];
        memset(&run, 0, sizeof run);
        run.join = join;
        run.each = join ? 1 : 1 + (uint32_t)random_size_below(&seed, 4);
        run.tile_cols = 1 + (uint32_t)random_size_below(&seed, 12);
        run.tile_rows = 1 + (uint32_t)random_size_below(&seed, 9);
        if (!shape_random(&run.shape, join, &run.tile_cols, run.tile_rows) ||
            s->blocks > 128)
            continue;
        run.tiles = s->tiles_across * s->tiles_down * s->blocks;
        if (run.tiles > TILES_MAX)
            continue;
        made++;
        for (uint32_t t = 0; t < run.tiles; t++)
            run.held[t] = malloc((run.tile_cols + 8) * run.tile_rows * sizeof(int));
        for (uint32_t e = 0; e < s->rows * s->cols; e++)
            run.array[e] = values[e] = (int)e + 1;
        if (join) {
            /* As a split and nothing else would leave it: made by reading a copy. */
            memset(run.array, 0, sizeof run.array);
            for (uint32_t k = 0; k < s->blocks; k++)
                for (uint32_t j = 0; j < s->cols; j++)
                    for (uint32_t y = 0; y < s->block; y++)
                        block_at(&run, k * s->cols + j)[y] =
                            values[(k * s->block + y + place_head(s, j)) * s->cols + j];
        }
        ck_assert_msg(run_all(&run, 1 + (uint32_t)random_size_below(&seed, 20)),
                      "stuck: %u x %u, blocks of %u", (unsigned)s->rows, s->cols,
                      s->block);
        for (uint32_t k = 0; k < s->blocks; k++)
            for (uint32_t j = 0; j < s->cols; j++)
                for (uint32_t y = 0; y < s->block; y++) {
                    uint32_t e = (k * s->block + y + place_head(s, j)) * s->cols + j;
                    int got = join ? run.array[e] : block_at(&run, k * s->cols + j)[y];
                    if (got != values[e])
                        ck_abort_msg(
                            "%u x %u, blocks of %u, hole %u: block %u of column %u",
                            (unsigned)s->rows, s->cols, s->block, s->hole, k, j);
                }
        for (uint32_t t = 0; t < run.tiles; t++)
            free(run.held[t]);
    }
    ck_assert_uint_gt(made, runs / 8);
}

START_TEST(splitting_reads_before_it_overwrites)
{
    interleave(false);
}
END_TEST

START_TEST(joining_reads_before_it_overwrites)
{
    interleave(true);
}
END_TEST

/* ---- rows that lie apart ---- */

/* The chunk that reads an address; none: -1. */
static long reader_of(const struct pack_shape *s, uint64_t address, uint32_t units)
{
    uint64_t row = address / s->from, rest = address % s->from;

    if (rest >= s->width || row >= s->rows)
        return -1;
    return (long)((row * s->width + rest) / units);
}

START_TEST(packing_waits_for_what_it_overwrites)
{
    for (unsigned r = 0; r < 3000; r++) {
        struct pack_shape s = {.rows = 1 + random_size_below(&seed, 30),
                               .width = 1 + random_size_below(&seed, 30)};
        uint32_t units = 1 + (uint32_t)random_size_below(&seed, 40);
        /* One of the two is dense in two of three. */
        s.from = s.width + (r % 3 == 0 ? 0 : random_size_below(&seed, 70));
        s.to = s.width + (r % 3 == 1 ? 0 : random_size_below(&seed, 70));
        s.chunks = (uint32_t)((s.rows * s.width + units - 1) / units);
        for (uint64_t unit = 0; unit < s.rows * s.width; unit++) {
            uint32_t chunk = (uint32_t)(unit / units), first, past;
            long reader = reader_of(&s, pack_place(&s, s.to, unit), units);
            bool spread = s.to > s.from;
            if (spread)
                pack_spread_waits_for(&s, chunk, units, &first, &past);
            else
                pack_together_waits_for(&s, chunk, units, &first, &past);
            /* Itself, or waited for; and those have earlier tickets. */
            if (reader >= 0 && reader != (long)chunk &&
                (reader < (long)first || reader >= (long)past))
                ck_abort_msg("chunk %u overwrites what %ld reads", chunk, reader);
            MUST(spread ? first > chunk && past <= s.chunks : past <= chunk);
        }
    }
}
END_TEST

/* ---- big numbers ---- */

START_TEST(places_beyond_32_bits)
{
    static const uint64_t sides[][3] = {{70001, 65537, 128},
                                        {20011, 1000003, 1024},
                                        {4000000007u, 3, 512},
                                        {9000000011u, 3, 512},
                                        {99991, 99989, 8}};

    for (size_t c = 0; c < sizeof sides / sizeof *sides; c++) {
        struct dl__sides big = {sides[c][0], sides[c][1], 4, 20};
        struct panel_shape s;
        ck_assert(dl__panel_shape_make(&big, SECTOR_BYTES, 8, sides[c][2], &s));
        for (unsigned i = 0; i < 50000; i++) {
            uint64_t places = (uint64_t)s.blocks * s.cols;
            uint32_t place = (uint32_t)random_size_below(&seed, places), tiles[2];
            unsigned __int128 t = place / s.blocks, b = place % s.blocks, element;
            uint32_t head = 0;
            while ((big.offset_bytes + 4 * ((uint64_t)(t * big.rows) + head)) % 32 != 0)
                head++;
            element = t * big.rows + head + b * s.block;
            MUST(place_begin(&s, place) == (uint64_t)element);
            MUST(element + s.block <= (unsigned __int128)big.rows * big.cols);
            MUST(place_near(&s, (uint64_t)element + random_size_below(&seed, s.block)) ==
                 place);
            MUST(divide(s.by_cols, place) == place / s.cols);
            /* One place of every so many is a cut's, and knows its number. */
            s.by_cut = dl__divisor_make(7 + i % 50);
            tiles[0] = place / s.by_cut.number;
            tiles[1] = place_of_cut(&s, tiles[0]);
            MUST(tiles[1] / s.by_cut.number == tiles[0]);
            MUST(cut_at_place(&s, tiles[1]) ==
                 (tiles[1] < places_used(&s) ? tiles[0] : NOWHERE));
            MUST(place == tiles[1] || cut_at_place(&s, place) == NOWHERE);
            /* What a tile waits for comes earlier. */
            s.tiles_across = (s.cols + 63) / 64;
            s.tiles_down = (s.block + 63) / 64;
            if ((uint64_t)s.tiles_across * s.tiles_down * s.blocks < UINT32_MAX) {
                struct tile tile = tile_of(
                    &s,
                    (uint32_t)random_size_below(&seed, (uint64_t)s.tiles_across *
                                                           s.tiles_down * s.blocks),
                    64, 64, false);
                split_waits_for(&s, tile, &tiles[0], &tiles[1]);
                MUST(tiles[1] <= tile.panel);
                join_waits_for(&s, tile, 64, &tiles[0], &tiles[1]);
                MUST(tiles[0] > tile.panel);
            }
        }
    }
}
END_TEST

START_TEST(division_is_exact)
{
    for (unsigned i = 0; i < 500000; i++) {
        uint64_t number =
            1 + (random_size_below(&seed, UINT32_MAX) >> random_size_below(&seed, 32));
        uint64_t by =
            random_size_below(&seed, UINT32_MAX) >> random_size_below(&seed, 32);
        if (i % 3 == 0) /* multiples, and one less */
            by = number * (1 + random_size_below(&seed, UINT32_MAX / number)) - (i & 1);
        MUST(divide(dl__divisor_make((uint32_t)number), (uint32_t)by) == by / number);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("panel model");
    TCase *tests = tcase_create("all");
    SRunner *runner;
    int failed;

    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, splitting_reads_before_it_overwrites);
    tcase_add_test(tests, joining_reads_before_it_overwrites);
    tcase_add_test(tests, packing_waits_for_what_it_overwrites);
    tcase_add_test(tests, places_beyond_32_bits);
    tcase_add_test(tests, division_is_exact);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
