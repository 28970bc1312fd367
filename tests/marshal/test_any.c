/* SPDX-License-Identifier: MIT */
/* Claim: one program converts tiles of structs of any shape, by arguments alone: leaves
 * of all widths from 1 to 128 bytes, equal and mixed, in tiles of any length with and
 * without tails, by groups of one work-item and of many. It builds one program for all of
 * them. The seed of the random shapes is printed (DL_SEED); DL_TEST_FULL takes ten times
 * as many. Where it is kept it stands in for kernels that are not, and gives way to them.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kept.h"
#include "tests/common/random_numbers.h"

static uint64_t state;

static void setup(void)
{
    device_open(&device);
    ck_assert_int_eq(dl_marshal_make(&device.cl, device.context, device.id, &marshal),
                     DL_OK);
    DL__STEPS_SET(&marshal->steps, family, DL_FORCE_ANY);
}

static void setup_gpu(void)
{
    setup();
    marshal_as_gpu();
}

static uint64_t below(uint64_t end)
{
    return random_shift(&state) % end;
}

/* The program of all conversions so far is the one of any.cl. */
static void check_one_program(void)
{
    const struct dl__engine_program *program = marshal->engine.programs;

    ck_assert(program == NULL || program->next == NULL);
    for (struct dl_conversion *c = marshal->conversions; c; c = c->next)
        for (size_t r = 0; r < c->list.count; r++)
            ck_assert_msg(strncmp(c->list.runs[r].name, "dl_any", 6) == 0, "%s",
                          c->list.runs[r].name);
}

static bool fits(const struct dl_leaf_table *table, uint32_t tile)
{
    return (uint64_t)tile * table->struct_bytes + 4 * table->struct_bytes <= 16 << 10;
}

START_TEST(any_leaf_width)
{
    static const uint32_t tiles[] = {32, 7, 5, 16};
    static const unsigned counts[] = {2, 3, 5};

    for (unsigned width = 1; width <= 128; width++) {
        struct dl_leaf_table table = table_make_equal(width, counts[width % 3]);
        uint32_t tile = tiles[width % 4];

        if (fits(&table, tile))
            check_both_ways(&table, tile * (3 + width % 19) + width % tile,
                            (struct dl_layout){DL_LAYOUT_ASTA, tile});
        dl_leaf_table_free(&table);
    }
    check_one_program();
}
END_TEST

START_TEST(any_tile_and_tail)
{
    static const unsigned widths[] = {4, 8, 2, 1, 1, 16, 4, 0};
    static const uint32_t tiles[] = {2, 3, 8, 31, 32, 33, 64, 100, 256};
    struct dl_leaf_table table = table_make(widths);

    for (size_t t = 0; t < sizeof tiles / sizeof *tiles; t++)
        for (unsigned rest = 0; rest < 3; rest++)
            check_both_ways(&table,
                            tiles[t] * 33 +
                                (rest == 2 ? tiles[t] - 1 : rest * (tiles[t] / 2)),
                            (struct dl_layout){DL_LAYOUT_ASTA, tiles[t]});
    check_one_program();
    dl_leaf_table_free(&table);
}
END_TEST

/* As many columns as it takes, and one more: that goes another way. */
START_TEST(any_columns)
{
    static const unsigned counts[] = {61, 62, 63, 64, 125, 126, 190, 253};

    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        unsigned widths[256] = {0};
        struct dl_leaf_table table;

        for (unsigned i = 0; i < counts[c]; i++)
            widths[i] = 4;
        widths[counts[c] / 2] = 8;
        table = table_make(widths);
        check_both_ways(&table, 8 * 11 + 3, (struct dl_layout){DL_LAYOUT_ASTA, 8});
        dl_leaf_table_free(&table);
    }
    check_one_program();
}
END_TEST

START_TEST(too_many_columns)
{
    unsigned widths[12] = {1, 127, 128, 128, 128, 128, 128, 128, 127, 1, 0};
    struct dl_leaf_table table = table_make(widths);

    check_both_ways(&table, 4 * 9 + 1, (struct dl_layout){DL_LAYOUT_ASTA, 4});
    ck_assert_str_ne(marshal->conversions->list.runs[0].name, "dl_any_1");
    dl_leaf_table_free(&table);
}
END_TEST

START_TEST(random_shapes)
{
    static const unsigned units[] = {1, 2, 4, 8, 16};
    unsigned shapes = getenv("DL_TEST_FULL") ? 600 : 60;

    for (unsigned s = 0; s < shapes; s++) {
        unsigned widths[16] = {0}, unit = units[below(5)], leaves = 2 + below(10);
        uint32_t tile = 2 + (uint32_t)below(60);
        struct dl_leaf_table table;

        for (unsigned l = 0; l < leaves; l++)
            widths[l] = unit * (1 + (unsigned)below(below(3) ? 4 : 128 / unit));
        table = table_make(widths);
        if (fits(&table, tile))
            check_both_ways(&table, below(40 * tile) + tile,
                            (struct dl_layout){DL_LAYOUT_ASTA, tile});
        dl_leaf_table_free(&table);
    }
    check_one_program();
}
END_TEST

/* ---- standing in ---- */

static const struct dl_layout aos = {DL_LAYOUT_AOS, 0}, asta = {DL_LAYOUT_ASTA, 32};

static enum dl_status ask(const struct dl_leaf_table *table, struct dl_layout to,
                          bool may_stand_in)
{
    return dl_marshal_ask(marshal, table, 4099, aos, to, may_stand_in);
}

static const char *first_run(const struct dl_leaf_table *table)
{
    const struct dl_conversion *conversion = NULL;
    const char *name;

    ck_assert_int_eq(dl_marshal_prepare(marshal, table, 4099, aos, asta, &conversion),
                     DL_OK);
    name = conversion->list.runs[0].name;
    ck_assert(dl_marshal_stands_in(marshal, conversion) ==
              (strncmp(name, "dl_any", 6) == 0));
    return name;
}

/* Kernels for any shape are what stands in where the host does not. */
static void let_kernels_stand_in(void)
{
    marshal->engine.limits.calls_host = false;
}

START_TEST(stands_in_until_it_is_built)
{
    static const unsigned widths[] = {8, 4, 4, 4, 0};
    struct dl_leaf_table table = table_make(widths);
    struct dl_part_box box = {.width_bytes = table.struct_bytes, .height = 1, .depth = 1};
    const struct dl_conversion *conversion;
    const struct dl_part *part;

    let_kernels_stand_in();
    /* Nothing is kept; and what for any shape is kept stands in only where that may be.
     */
    ck_assert_int_eq(ask(&table, asta, false), DL_ECL);
    ck_assert_int_eq(ask(&table, asta, true), DL_ECL);
    ck_assert_int_eq(dl_marshal_prepare_any(builder), DL_OK);
    ck_assert_int_eq(ask(&table, asta, false), DL_ECL);
    ck_assert_int_eq(ask(&table, asta, true), DL_OK);
    ck_assert_int_eq(dl_marshal_ask(marshal, &table, 4099, asta, aos, true), DL_OK);
    ck_assert_int_eq(strncmp(first_run(&table), "dl_any", 6), 0);
    check_both_ways(&table, 4099, asta);
    /* place.cl by elements and parts on a CPU, whole elsewhere, and any.cl */
    ck_assert_uint_eq(kept_count, marshal->engine.limits.is_cpu ? 5 : 2);
    ck_assert_int_eq(dl_marshal_part_prepare(marshal, &table, 4099 * table.struct_bytes,
                                             asta, &box, false, &part),
                     DL_OK);

    /* It takes over once all is there. */
    ck_assert_int_eq(dl_marshal_prepare(builder, &table, 4099, aos, asta, &conversion),
                     DL_OK);
    ck_assert_int_eq(dl_marshal_prepare(builder, &table, 4099, asta, aos, &conversion),
                     DL_OK);
    for (int i = 0; i < 8; i++)
        first_run(&table);
    ck_assert_int_ne(strncmp(first_run(&table), "dl_any", 6), 0);
    check_both_ways(&table, 4099, asta);
    ck_assert_int_eq(ask(&table, asta, false), DL_OK);
    dl_leaf_table_free(&table);
}
END_TEST

/* Kernels that were not built in so long are not waited for. */
START_TEST(stands_in_for_good_at_last)
{
    static const unsigned widths[] = {8, 4, 4, 4, 0};
    struct dl_leaf_table table = table_make(widths);
    const struct dl_conversion *conversion = NULL;

    let_kernels_stand_in();
    ck_assert_int_eq(dl_marshal_prepare_any(builder), DL_OK);
    ck_assert_int_eq(ask(&table, asta, true), DL_OK);
    for (int i = 0; i < 2000; i++)
        ck_assert_int_eq(
            dl_marshal_prepare(marshal, &table, 4099, aos, asta, &conversion), DL_OK);
    ck_assert_int_eq(strncmp(conversion->list.runs[0].name, "dl_any", 6), 0);
    ck_assert(!dl_marshal_stands_in(marshal, conversion));
    dl_leaf_table_free(&table);
}
END_TEST

START_TEST(stands_in_for_no_small_elements)
{
    static const unsigned widths[] = {1, 4, 2, 1, 0};
    struct dl_leaf_table table = table_make(widths);

    let_kernels_stand_in();
    ck_assert_int_eq(dl_marshal_prepare_any(builder), DL_OK);
    ck_assert_int_eq(ask(&table, asta, true), DL_ECL);
    DL__STEPS_SET(&marshal->steps, any_element_min, 1);
    ck_assert_int_eq(ask(&table, asta, true), DL_OK);
    /* 100! has nothing that would. */
    ck_assert_int_eq(dl_marshal_ask(marshal, &table, 100003, aos,
                                    (struct dl_layout){DL_LAYOUT_DA, 32}, true),
                     DL_ECL);
    dl_leaf_table_free(&table);
}
END_TEST

static TCase *tcase_make(const char *name, SFun set_up)
{
    TCase *tcase = tcase_create(name);

    tcase_add_unchecked_fixture(tcase, set_up, marshal_close);
    tcase_set_timeout(tcase, 0);
    tcase_add_test(tcase, any_leaf_width);
    tcase_add_test(tcase, any_tile_and_tail);
    tcase_add_test(tcase, any_columns);
    tcase_add_test(tcase, random_shapes);
    /* Last: it builds another program. */
    tcase_add_test(tcase, too_many_columns);
    return tcase;
}

int main(void)
{
    const char *seed = getenv("DL_SEED");
    Suite *suite = suite_create("any");
    TCase *standing_in;
    SRunner *runner;
    int failed;

    device_open(&device); /* skips when there is none */
    device_close(&device);
    state = (seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL)) | 1;
    printf("DL_SEED=%llu\n", (unsigned long long)state);
    suite_add_tcase(suite, tcase_make("device", setup));
    suite_add_tcase(suite, tcase_make("as a small GPU", setup_gpu));
    standing_in = tcase_create("standing in");
    tcase_add_checked_fixture(standing_in, setup_kept, close_kept);
    tcase_set_timeout(standing_in, 0);
    tcase_add_test(standing_in, stands_in_until_it_is_built);
    tcase_add_test(standing_in, stands_in_for_good_at_last);
    tcase_add_test(standing_in, stands_in_for_no_small_elements);
    suite_add_tcase(suite, standing_in);
    runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
