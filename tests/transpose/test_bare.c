/* SPDX-License-Identifier: MIT */
/* Claim: with a cap of 0 every shape is transposed, by a plan that wants no workspace:
 * cycles of one place, short ones that a work-item moves and long ones that a work-group
 * shares, elements of any size, batches, and rows that lie apart.
 *
 * DL_TEST_SEED=N: of the random shapes. DL_TEST_FULL=1: every m and n in 1..40 with every
 * element size, 300 random ones. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "transpose/algorithms/algorithm.h"

static struct harness harness;

static const uint32_t element_sizes[] = {4, 8, 12, 1, 2, 16, 200};

static bool is_full(void)
{
    return getenv("DL_TEST_FULL") != NULL;
}

static void expect_right(struct dl_transpose_problem problem)
{
    struct dl_transpose_error error = {""};
    struct dl_transpose_plan *plan;
    const char *wrong;

    problem.cap = DL_TRANSPOSE_CAP_0;
    ck_assert_msg(dl_transpose_plan_make(harness.transpose, &problem, &plan, &error) ==
                      DL_OK,
                  "%s", error.text);
    ck_assert_uint_eq(plan->info.workspace_bytes, 0);
    dl_transpose_plan_free(plan);
    wrong = harness_run(&harness, &problem, 48);
    ck_assert_msg(!wrong, "%s", wrong);
}

/* Cycles of 2 x 20011 elements and the like are thousands of places long. */
START_TEST(shapes_without_workspace)
{
    static const uint64_t shapes[][2] = {{1, 9},     {2, 2},     {5, 3},
                                         {31, 33},   {64, 32},   {2, 20011},
                                         {20011, 2}, {211, 307}, {3, 12000}};

    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        expect_right(
            (struct dl_transpose_problem){.rows = shapes[s][0],
                                          .cols = shapes[s][1],
                                          .element_bytes = element_sizes[s % 3],
                                          .algorithm = DL_TRANSPOSE_CYCLES_BARE});
    for (size_t e = 0; is_full() && e < sizeof element_sizes / sizeof *element_sizes; e++)
        for (uint64_t m = 1; m <= 40; m++)
            for (uint64_t n = 1; n <= 40; n++)
                expect_right(
                    (struct dl_transpose_problem){.rows = m,
                                                  .cols = n,
                                                  .element_bytes = element_sizes[e],
                                                  .algorithm = DL_TRANSPOSE_CYCLES_BARE});
}
END_TEST

START_TEST(random_shapes_by_the_chooser)
{
    harness_seed(&harness);
    for (int i = 0; i < (is_full() ? 300 : 12); i++) {
        uint64_t m = 1 + harness_random(&harness, 200),
                 n = 1 + harness_random(&harness, 200);
        struct dl_transpose_problem p = {
            .rows = m,
            .cols = n,
            .element_bytes = element_sizes[harness_random(&harness, is_full() ? 7 : 2)],
            .order = (enum dl_transpose_order)harness_random(&harness, 2),
            .direction = (enum dl_transpose_direction)harness_random(&harness, 2),
            .batch = 1 + harness_random(&harness, 3)};
        bool by_cols = p.order == DL_TRANSPOSE_COL_MAJOR;
        if (harness_random(&harness, 2))
            p.leading = (by_cols ? m : n) + harness_random(&harness, 6);
        if (harness_random(&harness, 2))
            p.leading_out = (by_cols ? n : m) + harness_random(&harness, 6);
        expect_right(p);
    }
}
END_TEST

/* With 2^32 elements and more places have 64 bits: the same text, told that it has them.
 */
START_TEST(wide_places)
{
    struct dl_transpose_problem problem = {.struct_bytes = sizeof problem,
                                           .rows = 70000,
                                           .cols = 70001,
                                           .element_bytes = 1,
                                           .cap = DL_TRANSPOSE_CAP_0};
    struct dl_transpose_plan *plan;
    const struct bare_shape *shape;

    ck_assert_int_eq(dl_transpose_plan_make(harness.transpose, &problem, &plan, NULL),
                     DL_OK);
    ck_assert_int_eq(plan->info.algorithm, DL_TRANSPOSE_CYCLES_BARE);
    shape = dl__run_value(&plan->runs[0], DL__ARG_NUMBERS);
    ck_assert_uint_eq(shape->rows, 70000);
    ck_assert_uint_eq(shape->cols, 70001);
    /* Its kernel on a matrix that is there. */
    {
        struct dl_transpose_plan small = *plan;
        struct bare_shape numbers = {211, 307, 0, 1};
        unsigned char *bytes = malloc(211 * 307), *got = malloc(211 * 307);
        cl_int err;
        cl_mem mem;
        for (size_t b = 0; b < 211 * 307; b++)
            bytes[b] = (unsigned char)harness_random(&harness, 256);
        mem = clCreateBuffer(harness.device.context, CL_MEM_COPY_HOST_PTR, 211 * 307,
                             bytes, &err);
        ck_assert_int_eq(err, CL_SUCCESS);
        memcpy((void *)(uintptr_t)dl__run_value(&small.runs[0], DL__ARG_NUMBERS),
               &numbers, sizeof numbers);
        small.task.end_bytes = 211 * 307;
        small.runs[0].global[0] = 4 * small.runs[0].local[0];
        ck_assert_int_eq(dl_transpose_enqueue(&small, harness.device.queue, mem, NULL, 0,
                                              NULL, NULL, NULL, NULL),
                         DL_OK);
        ck_assert_int_eq(clEnqueueReadBuffer(harness.device.queue, mem, CL_TRUE, 0,
                                             211 * 307, got, 0, NULL, NULL),
                         CL_SUCCESS);
        for (size_t i = 0; i < 211; i++)
            for (size_t j = 0; j < 307; j++)
                ck_assert_uint_eq(got[j * 211 + i], bytes[i * 307 + j]);
        clReleaseMemObject(mem);
        free(bytes);
        free(got);
    }
    dl_transpose_plan_free(plan);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("transpose without workspace");
    TCase *tests = tcase_create("all");

    harness_open(&harness);
    tcase_set_timeout(tests, 3600);
    tcase_add_test(tests, shapes_without_workspace);
    tcase_add_test(tests, random_shapes_by_the_chooser);
    tcase_add_test(tests, wide_places);
    suite_add_tcase(suite, tests);
    return harness_run_all(&harness, suite);
}
