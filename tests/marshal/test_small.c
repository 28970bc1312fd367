/* SPDX-License-Identifier: MIT */
/* Claim: small arrays take few launches, on a GPU: one for tiles whatever is left over,
 * two for any other permutation, by way of a workspace as large as the array where
 * `aside_bytes` allows that; and structs with leaves of single bytes go by strips. All of
 * them move every byte where the formula says. DL_TEST_FULL takes more tiles and struct
 * types. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "convert.h"

static const struct dl_layout aos = {DL_LAYOUT_AOS, 0};

static void setup(void)
{
    device_open(&device);
    ck_assert_int_eq(dl_marshal_make(&device.cl, device.context, device.id, &marshal),
                     DL_OK);
    marshal_as_gpu();
}

static const struct dl_conversion *prepare(const struct dl_leaf_table *table,
                                           uint64_t structs, struct dl_layout from,
                                           struct dl_layout to)
{
    const struct dl_conversion *conversion = NULL;

    ck_assert_int_eq(dl_marshal_prepare(marshal, table, structs, from, to, &conversion),
                     DL_OK);
    return conversion;
}

/* ---- one launch for tiles ---- */

START_TEST(tiles_take_one_launch)
{
    /* Whole chunks; tiles left over; the short tile alone; both; one struct of it, which
     * stays. */
    static const uint64_t counts[] = {32 * 967 + 31, 32 * 960, 32 * 967, 32 * 960 + 9,
                                      32 * 967 + 1};
    static const unsigned widths[][8] = {{4, 4, 4}, {1, 4, 2}, {8, 4}};
    struct dl_leaf_table table = table_make(widths[_i]);
    struct dl_layout asta = {DL_LAYOUT_ASTA, 32};

    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        ck_assert_uint_eq(prepare(&table, counts[c], aos, asta)->list.count, 1);
        ck_assert_uint_eq(prepare(&table, counts[c], asta, aos)->list.count, 1);
        ck_assert_uint_eq(prepare(&table, counts[c], asta, aos)->list.traffic_bytes,
                          2 * (counts[c] - (counts[c] % 32 == 1)) * table.struct_bytes);
        check_both_ways(&table, counts[c], asta);
    }
    dl_leaf_table_free(&table);
}
END_TEST

/* ---- strips ---- */

/* Without DL_TEST_FULL the first few. */
static const unsigned mixes[][17] = {
    {1, 4, 2},
    {2, 2, 4, 8},
    {8, 1},
    {1, 1, 1, 1, 1, 1, 1},
    /* In blocks: of one shape, of two, across wide leaves, with leaves that none may cut.
     */
    {1, 1, 2, 4, 8, 16, 1, 1, 2, 4, 8, 16},
    {4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 1, 1, 2},
    {1, 3, 128, 64, 2, 2, 4},
    {2, 7, 30, 1, 5, 3, 8, 4},
    {2, 2, 64, 6, 6, 32},
    {1, 1},
    {3, 1, 16, 5},
    {1, 1, 2, 4, 8},
    {1, 2, 1, 16, 7},
    {3, 3},
    {2, 6},
};

enum { MIXES = sizeof mixes / sizeof *mixes, MIXES_AT_FIRST = 7 };

START_TEST(strips_move_every_byte)
{
    static const uint32_t tiles[] = {32, 4, 8, 100};
    struct dl_leaf_table table = table_make(mixes[_i]);
    bool full = getenv("DL_TEST_FULL") != NULL;

    DL__STEPS_SET(&marshal->steps, strip_block_words, _i / 2 % 2 ? 8 : 32);
    /* One for each mix, by turns: compiling is what takes the time. */
    for (size_t t = full ? 0 : (size_t)_i % 4; t < 4; t += full ? 1 : 4) {
        struct dl_layout asta = {DL_LAYOUT_ASTA, tiles[t]};
        uint64_t structs =
            (uint64_t)tiles[t] * (20000 / table.struct_bytes / tiles[t] + 2);

        /* The small GPU's local memory. */
        if (tiles[t] * 4 * table.struct_bytes > 16 << 10)
            continue;
        ck_assert_str_eq(prepare(&table, structs, aos, asta)->list.runs[0].name,
                         "dl_strip");
        check_both_ways(&table, structs + tiles[t] - 1, asta);
    }
    dl_leaf_table_free(&table);
}
END_TEST

START_TEST(strips_are_not_for_these)
{
    static const unsigned widths[] = {1, 2, 0};
    struct dl_leaf_table table = table_make(widths);
    struct dl_layout asta = {DL_LAYOUT_ASTA, 31};

    /* No strip is whole words of each leaf. */
    ck_assert_str_ne(prepare(&table, 9000, aos, asta)->list.runs[0].name, "dl_strip");
    check_both_ways(&table, 9000, asta);
    /* More than a strip may have. */
    asta.tile_structs = 32;
    DL__STEPS_SET(&marshal->steps, strip_bytes_max, 8);
    ck_assert_str_ne(prepare(&table, 9000, aos, asta)->list.runs[0].name, "dl_strip");
    dl_leaf_table_free(&table);
}
END_TEST

/* ---- aside ---- */

static const struct dl_layout layouts[] = {
    {DL_LAYOUT_DA, 32}, {DL_LAYOUT_AOS, 0}, {DL_LAYOUT_SOA, 0}, {DL_LAYOUT_ASTA, 32}};

static const unsigned aside_widths[][8] = {
    {4, 4, 4}, {1, 4, 2}, {12, 6}, {8, 4, 4}, {16, 128}};

START_TEST(aside_moves_every_byte)
{
    struct dl_leaf_table table = table_make(aside_widths[_i]);
    uint64_t n = 16 * 1021 / table.struct_bytes * 32;
    bool full = getenv("DL_TEST_FULL") != NULL;

    DL__STEPS_SET(&marshal->steps, aside_bytes, 1 << 20);
    for (uint64_t structs = full ? n : n + 2; structs < n + 3; structs += 2) {
        for (size_t a = 0; a < 4; a++) {
            const struct dl_conversion *da = prepare(&table, structs, aos, layouts[0]);

            ck_assert_uint_eq(da->list.count, 2);
            ck_assert_str_eq(da->list.runs[0].name, "dl_aside_there");
            ck_assert_uint_le(da->list.workspace_bytes, structs * table.struct_bytes);
            for (size_t b = 0; b < 4; b++)
                /* Other two go by way of AoS, but for DA and ASTA, whose tiles move
                 * whole. */
                if (full || a == 1 || b == 1 || a + b == 3)
                    check_on_queue(&table, structs, layouts[a], layouts[b], device.queue);
        }
    }
    dl_leaf_table_free(&table);
}
END_TEST

START_TEST(larger_arrays_stay_in_place)
{
    struct dl_leaf_table table = table_make(aside_widths[0]);
    uint64_t bytes = 5000 * 32 * table.struct_bytes;

    DL__STEPS_SET(&marshal->steps, aside_bytes, (unsigned)bytes - 1);
    ck_assert_uint_le(prepare(&table, 5000 * 32, aos, layouts[0])->list.workspace_bytes,
                      bytes / 7);
    dl_leaf_table_free(&table);
}
END_TEST

/* The device has no room for so large a workspace: in place, as ever. */
START_TEST(in_place_where_there_is_no_workspace)
{
    struct dl_leaf_table table = table_make(aside_widths[0]);
    uint64_t structs = 3000 * 32, bytes = structs * table.struct_bytes;

    DL__STEPS_SET(&marshal->steps, aside_bytes, 4 << 20);
    marshal->engine.limits.alloc_bytes = bytes - 1;
    check_both_ways(&table, structs, layouts[0]);
    ck_assert_uint_lt(prepare(&table, structs, aos, layouts[0])->list.workspace_bytes,
                      bytes / 4);
    dl_leaf_table_free(&table);
}
END_TEST

/* ---- tiles that fit ---- */

START_TEST(tiles_that_fit)
{
    static const struct {
        unsigned words, wanted, tile;
    } cases[] = {{4, 32, 32},  {123, 32, 32}, {128, 32, 16}, {257, 32, 8},
                 {980, 32, 4}, {1025, 32, 0}, {4, 128, 128}, {61, 128, 64}};
    struct dl_leaf_table table = {.struct_bytes = cases[_i].words * 4};

    marshal->engine.limits.local_bytes = 16 << 10;
    ck_assert_uint_eq(dl_marshal_tile(marshal, &table, cases[_i].wanted), cases[_i].tile);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("small");
    TCase *tcase = tcase_create("small");
    bool full = getenv("DL_TEST_FULL") != NULL;
    SRunner *runner;
    int failed;

    device_open(&device); /* skips when there is none */
    device_close(&device);
    tcase_add_checked_fixture(tcase, setup, marshal_close);
    tcase_set_timeout(tcase, 0);
    tcase_add_loop_test(tcase, tiles_take_one_launch, 0, full ? 3 : 2);
    tcase_add_loop_test(tcase, strips_move_every_byte, 0, full ? MIXES : MIXES_AT_FIRST);
    tcase_add_test(tcase, strips_are_not_for_these);
    tcase_add_loop_test(tcase, aside_moves_every_byte, 0, full ? 5 : 2);
    tcase_add_test(tcase, larger_arrays_stay_in_place);
    tcase_add_test(tcase, in_place_where_there_is_no_workspace);
    tcase_add_loop_test(tcase, tiles_that_fit, 0, 8);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
