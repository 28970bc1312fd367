/* SPDX-License-Identifier: MIT */
/* Claims: near-square matrices become their transposes as a square and a strip, whichever
 * side is longer, byte for byte, with a workspace of the strip and a little; far from
 * square, or with less workspace, that is refused. Of a batch as many matrices go through
 * the workspace at once as it has room for.
 *
 * DL_TEST_SEED=N: of the random ones. DL_TEST_FULL=1: 300 of them, every element size. */
#include <check.h>
#include <stdlib.h>

#include "harness.h"
#include "transpose/algorithms/algorithm.h"

static struct harness harness;

static const uint32_t element_sizes[] = {4, 8, 12, 1, 2, 16};

static void expect_right(struct dl_transpose_problem problem)
{
    uint64_t refused = harness.refused;
    const char *wrong;

    problem.algorithm = DL_TRANSPOSE_SQUARE_PADDED;
    wrong = harness_run(&harness, &problem, 48);
    ck_assert_msg(!wrong, "%s", wrong);
    ck_assert_uint_eq(harness.refused, refused);
}

START_TEST(both_sides_longer)
{
    static const uint64_t shapes[][2] = {{1, 2},     {2, 1},     {64, 65},   {65, 64},
                                         {100, 110}, {133, 130}, {300, 331}, {40, 79}};

    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        expect_right(
            (struct dl_transpose_problem){.rows = shapes[s][0],
                                          .cols = shapes[s][1],
                                          .element_bytes = element_sizes[s % 3]});
}
END_TEST

START_TEST(random_ones)
{
    bool full = getenv("DL_TEST_FULL") != NULL;

    harness_seed(&harness);
    for (int i = 0; i < (full ? 300 : 10); i++) {
        uint64_t side = 2 + harness_random(&harness, 200);
        uint64_t other = side + 1 + harness_random(&harness, side);
        uint32_t bytes = element_sizes[harness_random(&harness, full ? 6 : 2)];
        struct dl_transpose_problem p = {
            .rows = i % 2 ? side : other,
            .cols = i % 2 ? other : side,
            .element_bytes = bytes,
            .batch = 1 + harness_random(&harness, 3),
            .order = (enum dl_transpose_order)harness_random(&harness, 2),
            .offset_bytes = 16 * harness_random(&harness, 2)};
        if (harness_random(&harness, 2))
            p.batch_stride = side * other + harness_random(&harness, 9);
        expect_right(p);
    }
}
END_TEST

/* A chunk waits for those alone whose places it takes, two or three, however far it
 * slides. */
START_TEST(chunks_wait_for_few)
{
    const struct pack_shape nearer = {
        .rows = 1000, .width = 1000, .from = 1100, .to = 1000};
    const struct pack_shape apart = {
        .rows = 1000, .width = 1000, .from = 1000, .to = 1100};
    enum { UNITS = 2048 };

    for (uint32_t chunk = 0; chunk < 1000 * 1000 / UNITS; chunk++) {
        uint32_t first, past;
        pack_together_waits_for(&nearer, chunk, UNITS, &first, &past);
        ck_assert_uint_le(past, first + 3);
        ck_assert_uint_le(past, chunk);
        pack_spread_waits_for(&apart, chunk, UNITS, &first, &past);
        ck_assert_uint_gt(first, chunk);
        ck_assert(past <= first || past - first <= 3);
    }
}
END_TEST

/* 1000 x 1010: 10 columns of 1000 elements are about 1/100 of it. */
START_TEST(the_strip_is_the_workspace)
{
    struct dl_transpose_problem p = {.rows = 1000,
                                     .cols = 1010,
                                     .element_bytes = 4,
                                     .algorithm = DL_TRANSPOSE_SQUARE_PADDED,
                                     .cap = DL_TRANSPOSE_CAP_6};
    struct dl_transpose_plan *plan;

    ck_assert_int_eq(dl_transpose_plan_make(harness.transpose, &p, &plan, NULL), DL_OK);
    ck_assert_uint_ge(plan->info.workspace_bytes, 40000);
    ck_assert_uint_le(plan->info.workspace_bytes, 40000 + 4 * (4000000 / 8192 + 2));
    dl_transpose_plan_free(plan);
    /* Just the strip: one work-group slides the rows. */
    p.cap_bytes = 40000;
    ck_assert_int_eq(dl_transpose_plan_make(harness.transpose, &p, &plan, NULL), DL_OK);
    ck_assert_uint_eq(plan->info.workspace_bytes, 40000);
    dl_transpose_plan_free(plan);
    p.cap_bytes = 39999;
    ck_assert_int_eq(dl_transpose_plan_make(harness.transpose, &p, &plan, NULL),
                     DL_EREFUSED);
    p.rows = 2021;
    ck_assert_int_eq(dl_transpose_plan_make(harness.transpose, &p, &plan, NULL),
                     DL_ENOTSUP);
    p.rows = 1010;
    ck_assert_int_eq(dl_transpose_plan_make(harness.transpose, &p, &plan, NULL),
                     DL_ENOTSUP);
}
END_TEST

/* Seven matrices, three at a time, and the last by itself. */
START_TEST(batches_go_through_in_groups)
{
    struct dl_transpose_problem p = {.rows = 37,
                                     .cols = 50,
                                     .element_bytes = 4,
                                     .batch = 7,
                                     .offset_bytes = 4,
                                     .cap_bytes = 3 * 37 * 50 * 4 + 100,
                                     .algorithm = DL_TRANSPOSE_THROUGH};
    struct dl_transpose_plan *plan;
    const char *wrong;

    ck_assert_int_eq(dl_transpose_plan_make(harness.transpose, &p, &plan, NULL), DL_OK);
    ck_assert_uint_eq(plan->info.workspace_bytes, 3 * 37 * 50 * 4);
    ck_assert_uint_eq(plan->info.launches, 6);
    dl_transpose_plan_free(plan);
    wrong = harness_run(&harness, &p, 48);
    ck_assert_msg(!wrong, "%s", wrong);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("near-square matrices");
    TCase *tests = tcase_create("all");

    harness_open(&harness);
    tcase_set_timeout(tests, 3600);
    tcase_add_test(tests, both_sides_longer);
    tcase_add_test(tests, random_ones);
    tcase_add_test(tests, batches_go_through_in_groups);
    tcase_add_test(tests, chunks_wait_for_few);
    tcase_add_test(tests, the_strip_is_the_workspace);
    suite_add_tcase(suite, tests);
    return harness_run_all(&harness, suite);
}
