/* SPDX-License-Identifier: MIT */
/* Claim: C2R and R2C run with a workspace of max(rows, cols) elements and no more
 * (theorem 6 of the paper), for any shape and size of elements; and with 64 (rows + cols)
 * elements or less nothing falls to cycles-bare that they could do.
 *
 * DL_TEST_SEED=N: of the shapes. DL_TEST_SHAPES=N: how many (12; DL_TEST_FULL=1: 500).
 * DL_TEST_SIDE=N: the longer side, at most (2500), to be above what a work-group of a GPU
 * holds. */
#include <check.h>
#include <stdlib.h>

#include "harness.h"
#include "transpose/algorithms/algorithm.h"

static struct harness harness;

enum { SIZES = 6, AREA = 200000 };
static const uint32_t element_sizes[SIZES] = {4, 8, 1, 2, 16, 12};

static uint64_t number_of(const char *name, uint64_t fallback)
{
    const char *value = getenv(name);

    return value ? strtoull(value, NULL, 10) : fallback;
}

static struct dl_transpose_problem random_shape(unsigned i)
{
    uint64_t most = number_of("DL_TEST_SIDE", 2500);
    uint64_t longer = 1 + harness_random(&harness, most), other = AREA / longer + 1;
    struct dl_transpose_problem p = {.element_bytes = element_sizes[i / 2 % SIZES],
                                     .algorithm =
                                         i % 2 ? DL_TRANSPOSE_R2C : DL_TRANSPOSE_C2R};

    other = 1 + harness_random(&harness, other < most ? other : most);
    /* Every third pair has common divisors. */
    if (i % 3 == 0 && longer > 60) {
        longer -= longer % 60;
        other = (other + 59) / 60 * 60;
    }
    p.rows = harness_random(&harness, 2) ? longer : other;
    p.cols = p.rows == longer ? other : longer;
    p.cap_bytes = (longer > other ? longer : other) * p.element_bytes;
    return p;
}

START_TEST(a_line_is_workspace_enough)
{
    unsigned count =
        (unsigned)number_of("DL_TEST_SHAPES", getenv("DL_TEST_FULL") ? 500 : 12);

    harness_seed(&harness);
    for (unsigned i = 0; i < count; i++) {
        struct dl_transpose_problem p = random_shape(i);
        uint64_t made = harness.made;
        const char *wrong = harness_run(&harness, &p, 16);
        ck_assert_msg(!wrong, "%s", wrong);
        ck_assert_msg(harness.made > made, "refused: %llu x %llu of %u bytes",
                      (unsigned long long)p.rows, (unsigned long long)p.cols,
                      p.element_bytes);
    }
    printf("%u shapes are right\n", count);
}
END_TEST

/* Several lines at once, several columns in each place, and a launch for all of them. */
START_TEST(more_workspace_is_more_lines)
{
    for (uint64_t lines = 1; lines <= 64; lines *= 4) {
        struct dl_transpose_problem p = {.rows = 1500,
                                         .cols = 1300,
                                         .element_bytes = 4,
                                         .algorithm = DL_TRANSPOSE_C2R,
                                         .cap_bytes = lines * 1500 * 4};
        struct dl_transpose_plan *plan;
        struct dl_transpose_info info;
        const char *wrong = harness_run(&harness, &p, 16);
        ck_assert_msg(!wrong, "%s", wrong);
        ck_assert_int_eq(dl_transpose_plan_make(harness.transpose, &p, &plan, NULL),
                         DL_OK);
        dl_transpose_plan_info(plan, &info);
        ck_assert_uint_le(info.workspace_bytes, p.cap_bytes);
        ck_assert_uint_le(info.launches, 18);
        dl_transpose_plan_free(plan);
    }
}
END_TEST

/* By costs alone, on this device and as on a GPU; it stays one: the last test. */
START_TEST(nothing_falls_to_cycles_bare)
{
    for (unsigned i = 0; i < 1000; i++) {
        struct dl_transpose *transpose = harness.transpose;
        uint64_t most = i % 3 ? 20000 : 1000000;
        struct dl_transpose_problem p = {
            .rows = 2 + harness_random(&harness, most),
            .cols = 2 + harness_random(&harness, i % 3 == 1 ? 30 : 20000),
            .element_bytes = element_sizes[harness_random(&harness, SIZES)]};
        uint64_t longer = p.rows > p.cols ? p.rows : p.cols;
        uint64_t lines = 1 + harness_random(&harness, 64);
        struct dl__task task;
        double c2r, r2c, bare;
        if (i == 500)
            harness_as_gpu(&harness);
        p.cap_bytes = lines * longer * p.element_bytes;
        ck_assert_int_eq(dl__task_make(transpose, &p, &task, NULL), DL_OK);
        c2r = dl__transpose_C2R.cost(&task);
        r2c = dl__transpose_R2C.cost(&task);
        bare = dl__transpose_CYCLES_BARE.cost(&task);
        ck_assert_msg(c2r < bare || r2c < bare ||
                          (c2r == bare &&
                           dl__transpose_C2R.order < dl__transpose_CYCLES_BARE.order),
                      "%llu x %llu of %u bytes: %g, %g, bare %g",
                      (unsigned long long)p.rows, (unsigned long long)p.cols,
                      p.element_bytes, c2r, r2c, bare);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("transpose c2r");
    TCase *tests = tcase_create("all");

    harness_open(&harness);
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, a_line_is_workspace_enough);
    tcase_add_test(tests, more_workspace_is_more_lines);
    tcase_add_test(tests, nothing_falls_to_cycles_bare);
    suite_add_tcase(suite, tests);
    return harness_run_all(&harness, suite);
}
