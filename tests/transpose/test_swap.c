/* SPDX-License-Identifier: MIT */
/* Claim: squares swapped through registers become their transposes in the order of every
 * scheme, byte for byte; what lies around them and between their rows stays.
 *
 * DL_TEST_SEED=N: of the random problems. DL_TEST_FULL=1: every side in 1..140 with every
 * element size, 300 random ones. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "transpose/algorithms/algorithm.h"

static struct harness harness;

static const uint32_t element_sizes[] = {4, 8, 1, 2, 16};
static const enum dl_transpose_algorithm algorithms[] = {
    DL_TRANSPOSE_SQUARE_V1,       DL_TRANSPOSE_SQUARE_V1R,     DL_TRANSPOSE_SQUARE_V1B,
    DL_TRANSPOSE_SQUARE_SUPER,    DL_TRANSPOSE_SQUARE_BLOCKS,  DL__COMPARED(SQUARE_NAIVE),
    DL__COMPARED(SQUARE_REGIONS), DL__COMPARED(SQUARE_THREADS)};

static bool is_full(void)
{
    return getenv("DL_TEST_FULL") != NULL;
}

static void expect_right(const struct dl_transpose_problem *problem)
{
    const char *wrong = harness_run(&harness, problem, 48);

    ck_assert_msg(!wrong, "%s", wrong);
}

START_TEST(each_scheme_on_small_squares)
{
    static const uint64_t sides[] = {1, 31, 64, 65, 100, 133};
    uint64_t refused = harness.refused;
    size_t sizes = is_full() ? 5 : _i == 0 ? 2 : 1;

    for (size_t e = 0; e < sizes; e++)
        for (uint64_t s = 0; s < (is_full() ? 140 : sizeof sides / sizeof *sides); s++)
            expect_right(
                &(struct dl_transpose_problem){.rows = is_full() ? s + 1 : sides[s],
                                               .cols = is_full() ? s + 1 : sides[s],
                                               .element_bytes = element_sizes[e],
                                               .algorithm = algorithms[_i],
                                               .cap = DL_TRANSPOSE_CAP_0});
    ck_assert_uint_eq(harness.refused, refused);
}
END_TEST

/* A super grid by launches: three regions of 32 tiles, the last ones in part. */
START_TEST(regions_are_launches)
{
    struct dl_transpose_problem p = {.rows = 603,
                                     .cols = 603,
                                     .element_bytes = 4,
                                     .algorithm = DL__COMPARED(SQUARE_REGIONS),
                                     .cap = DL_TRANSPOSE_CAP_0};
    unsigned known = harness.transpose->tuning.square_side;
    struct dl_transpose_plan *plan;

    harness.transpose->tuning.square_side = 16;
    ck_assert_int_eq(dl_transpose_plan_make(harness.transpose, &p, &plan, NULL), DL_OK);
    ck_assert_uint_eq(plan->run_count, 3);
    dl_transpose_plan_free(plan);
    expect_right(&p);
    harness.transpose->tuning.square_side = known;
}
END_TEST

/* Matrices with few pairs have tiles of half the side. */
START_TEST(few_pairs_have_small_tiles)
{
    static const uint64_t sides[] = {40, 65};
    unsigned known = harness.transpose->tuning.square_few_bytes;

    harness.transpose->tuning.square_few_bytes = 1 << 20;
    for (size_t e = 0; e < (is_full() ? 5 : 1); e++)
        for (size_t s = 0; s < 2; s++) {
            struct dl_transpose_problem p = {.rows = sides[s],
                                             .cols = sides[s],
                                             .element_bytes = element_sizes[e],
                                             .algorithm = DL_TRANSPOSE_SQUARE_V1};
            struct dl_transpose_info info;
            struct dl_transpose_plan *plan;
            ck_assert_int_eq(dl_transpose_plan_make(harness.transpose, &p, &plan, NULL),
                             DL_OK);
            dl_transpose_plan_info(plan, &info);
            dl_transpose_plan_free(plan);
            harness.transpose->tuning.square_few_bytes = 0;
            ck_assert_int_eq(dl_transpose_plan_make(harness.transpose, &p, &plan, NULL),
                             DL_OK);
            ck_assert_uint_eq(info.tile_rows * 2, plan->info.tile_rows);
            dl_transpose_plan_free(plan);
            harness.transpose->tuning.square_few_bytes = 1 << 20;
            expect_right(&p);
        }
    harness.transpose->tuning.square_few_bytes = known;
}
END_TEST

/* Batches, offsets and distances, aligned for vectors or not. */
START_TEST(random_squares)
{
    uint64_t refused = harness.refused;

    harness_seed(&harness);
    for (int i = 0; i < (is_full() ? 300 : 16); i++) {
        uint64_t whole = i % 2 ? 4 : 1;
        uint64_t side = (1 + harness_random(&harness, is_full() ? 150 : 50)) * whole;
        uint32_t e = element_sizes[harness_random(&harness, is_full() ? 5 : 2)];
        struct dl_transpose_problem p = {
            .rows = side,
            .cols = side,
            .element_bytes = e,
            .batch = 1 + harness_random(&harness, 3),
            .algorithm = algorithms[harness_random(&harness, 5)],
            .offset_bytes = e * whole * harness_random(&harness, 5),
            .cap = DL_TRANSPOSE_CAP_0};
        if (harness_random(&harness, 2))
            p.leading = p.leading_out = side + whole * harness_random(&harness, 9);
        if (harness_random(&harness, 2))
            p.batch_stride = (side + 9 * whole) * (side + 9 * whole);
        expect_right(&p);
    }
    ck_assert_uint_eq(harness.refused, refused);
}
END_TEST

/* Every pair of tiles has one number, and super-tiles alone have numbers for none. */
START_TEST(schemes_have_each_pair_once)
{
    enum { MOST = 23 };
    struct swap_shape s = {.order = (uint32_t)_i};
    bool seen[MOST * MOST];

    for (s.tiles = 1; s.tiles < MOST; s.tiles++)
        for (s.width = 1; s.width < MOST + 2; s.width++) {
            uint64_t numbers = swap_numbers(&s), pairs = 0;
            memset(seen, 0, sizeof seen);
            for (uint32_t k = 0; k < numbers; k++) {
                struct tile_place at = swap_place(&s, k);
                if (_i != TILES_SUPER)
                    ck_assert(at.col <= at.row && at.row < s.tiles);
                else if (at.col > at.row || at.row >= s.tiles)
                    continue;
                ck_assert(!seen[at.row * MOST + at.col]);
                seen[at.row * MOST + at.col] = true;
                pairs++;
            }
            ck_assert_uint_eq(pairs, s.tiles * (s.tiles + 1) / 2);
        }
}
END_TEST

/* The papers' figures, with the diagonal: 5 x 5 tiles, bands of 2. */
START_TEST(schemes_are_those_of_the_paper)
{
    static const uint8_t places[3][15] = {{0x00, 0x10, 0x11, 0x20, 0x21, 0x22, 0x30, 0x31,
                                           0x32, 0x33, 0x40, 0x41, 0x42, 0x43, 0x44},
                                          {0x00, 0x11, 0x10, 0x22, 0x21, 0x20, 0x33, 0x32,
                                           0x31, 0x30, 0x44, 0x43, 0x42, 0x41, 0x40},
                                          {0x00, 0x10, 0x11, 0x20, 0x21, 0x30, 0x31, 0x40,
                                           0x41, 0x22, 0x32, 0x33, 0x42, 0x43, 0x44}};

    for (uint32_t order = 0; order < 3; order++)
        for (uint32_t k = 0; k < 15; k++) {
            struct swap_shape s = {.tiles = 5, .width = 2, .order = order};
            struct tile_place at = swap_place(&s, k);
            ck_assert_msg((at.row << 4 | at.col) == places[order][k],
                          "order %u, pair %u: %u, %u", order, k, at.row, at.col);
        }
}
END_TEST

/* Where the root of a float is least exact: the largest squares that there are. */
START_TEST(rows_of_large_triangles)
{
    for (uint32_t y = 1; y < 65535; y += y < 60000 ? 997 : 1) {
        ck_assert_uint_eq(triangle_row(triangle(y)), y);
        ck_assert_uint_eq(triangle_row(triangle(y) - 1), y - 1);
        ck_assert_uint_eq(triangle_row(triangle(y) + y), y);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("transpose squares");
    TCase *tests = tcase_create("all");

    harness_open(&harness);
    tcase_set_timeout(tests, 3600);
    tcase_add_loop_test(tests, schemes_have_each_pair_once, 0, 4);
    tcase_add_test(tests, schemes_are_those_of_the_paper);
    tcase_add_test(tests, rows_of_large_triangles);
    tcase_add_loop_test(tests, each_scheme_on_small_squares, 0, 8);
    tcase_add_test(tests, few_pairs_have_small_tiles);
    tcase_add_test(tests, regions_are_launches);
    tcase_add_test(tests, random_squares);
    suite_add_tcase(suite, tests);
    return harness_run_all(&harness, suite);
}
