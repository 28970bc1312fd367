/* SPDX-License-Identifier: MIT */
/* What a GPU's limits ask of the plans, checked where there is none: with a GPU's tuning
 * every kernel of every program that is built, not just those launched, fits 48 KiB of
 * local memory, since a compiler refuses a program for one kernel that doesn't. And
 * panels of common sizes fit the caps of 1 and 6 %, and what costs least is taken. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "transpose/algorithms/algorithm.h"

enum { LOCAL_BYTES = HARNESS_GPU_LOCAL_BYTES };

static struct harness harness;

static void expect_local_memory_fits(const struct dl_transpose *transpose)
{
    for (const struct dl__engine_program *built = transpose->engine.programs; built;
         built = built->next) {
        cl_kernel kernels[16];
        cl_uint count = 0;
        ck_assert_int_eq(clCreateKernelsInProgram(built->program, 16, kernels, &count),
                         CL_SUCCESS);
        for (cl_uint k = 0; k < count; k++) {
            cl_ulong bytes = 0;
            char name[64] = "";
            clGetKernelInfo(kernels[k], CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
            ck_assert_int_eq(clGetKernelWorkGroupInfo(kernels[k], harness.device.id,
                                                      CL_KERNEL_LOCAL_MEM_SIZE,
                                                      sizeof bytes, &bytes, NULL),
                             CL_SUCCESS);
            ck_assert_msg(bytes <= LOCAL_BYTES, "%s: %llu bytes of local memory with\n%s",
                          name, (unsigned long long)bytes, built->knobs);
            clReleaseKernel(kernels[k]);
        }
    }
}

START_TEST(kernels_fit_local_memory)
{
    static const struct {
        uint64_t rows, cols;
        uint32_t bytes;
        enum dl_transpose_algorithm algorithm;
    } cases[] = {{131, 103, 4, DL_TRANSPOSE_C2R},
                 {1, 7, 4, DL_TRANSPOSE_R2C},
                 {197, 71, 12, DL_TRANSPOSE_R2C},
                 {20000, 20000, 8, DL_TRANSPOSE_C2R},
                 {10007, 9973, 4, DL_TRANSPOSE_AUTO},
                 {3000017, 31, 4, DL_TRANSPOSE_AUTO},
                 {2, 3000017, 16, DL_TRANSPOSE_AUTO},
                 {5003, 3001, 1, DL_TRANSPOSE_PANEL_COLS},
                 {503, 301, 3000, DL_TRANSPOSE_PANEL_ROWS},
                 {5003, 3001, 200, DL_TRANSPOSE_PANEL_COLS},
                 {5000, 5000, 20, DL_TRANSPOSE_AUTO},
                 {5000, 5000, 4, DL_TRANSPOSE_SQUARE_V1},
                 {5001, 5001, 8, DL_TRANSPOSE_SQUARE_SUPER},
                 {1000, 1000, 4, DL_TRANSPOSE_SQUARE_V1},
                 {7200, 1800, 8, DL__COMPARED(STAGE4_FUSED)},
                 {7200, 1800, 4, DL_TRANSPOSE_STAGE3}};
    size_t count = getenv("DL_TEST_FULL") ? sizeof cases / sizeof *cases : 9;

    harness_as_gpu(&harness);
    for (size_t c = 0; c < count; c++) {
        struct dl_transpose_problem problem = {.rows = cases[c].rows,
                                               .cols = cases[c].cols,
                                               .element_bytes = cases[c].bytes,
                                               .algorithm = cases[c].algorithm,
                                               .cap = DL_TRANSPOSE_CAP_12};
        struct dl_transpose_error error = {""};
        struct dl_transpose_plan *plan = NULL;
        enum dl_status st =
            dl_transpose_plan_make(harness.transpose, &problem, &plan, &error);
        ck_assert_msg(st == DL_OK || st == DL_EREFUSED || st == DL_ENOTSUP, "%s",
                      error.text);
        dl_transpose_plan_free(plan);
    }
    ck_assert_ptr_nonnull(harness.transpose->engine.programs);
    expect_local_memory_fits(harness.transpose);
}
END_TEST

/* Planning alone: no kernel is built. */
START_TEST(panels_fit_every_cap_and_cost_little)
{
    struct dl_transpose *transpose = harness.transpose;

    harness_as_gpu(&harness);
    for (unsigned i = 0; i < 400; i++) {
        struct dl_transpose_problem problem = {
            .rows = 1000 + harness_random(&harness, 19001),
            .cols = 1000 + harness_random(&harness, 19001),
            .element_bytes = i % 2 ? 4 : 8,
            .cap = i % 3 ? DL_TRANSPOSE_CAP_6 : DL_TRANSPOSE_CAP_1};
        struct dl__task task;
        double rows, cols, least;
        ck_assert_int_eq(dl__task_make(transpose, &problem, &task, NULL), DL_OK);
        rows = dl__transpose_PANEL_ROWS.cost(&task);
        cols = dl__transpose_PANEL_COLS.cost(&task);
        least = rows < cols ? rows : cols;
        /* Two passes cost a little more than twice the matrix: no shape is left behind.
         */
        ck_assert_msg(least < 40 * (double)task.matrix_bytes, "%llu x %llu",
                      (unsigned long long)problem.rows, (unsigned long long)problem.cols);
    }
}
END_TEST

static const struct dl__transpose_algorithm *const rows[] = {
#define X(name, text, help) &dl__transpose_##name,
    DL__ALGORITHM_MAP(X)
#undef X
};

/* On a GPU: a CPU has an order of its own. */
START_TEST(the_cheapest_is_taken)
{
    static const uint64_t sides[][2] = {{211, 307}, {307, 211}, {3, 20011},
                                        {20011, 3}, {320, 320}, {321, 321}};

    harness_as_gpu(&harness);
    for (size_t s = 0; s < sizeof sides / sizeof *sides; s++) {
        struct dl_transpose *transpose = harness.transpose;
        struct dl_transpose_problem problem = {
            .rows = sides[s][0], .cols = sides[s][1], .element_bytes = s % 2 ? 8 : 4};
        struct dl_transpose_plan *plan;
        struct dl__task task;
        double costs[DL__ALGORITHMS] = {0}, cost;
        ck_assert_int_eq(dl__task_make(harness.transpose, &problem, &task, NULL), DL_OK);
        ck_assert_int_eq(dl_transpose_plan_make(transpose, &problem, &plan, NULL), DL_OK);
        for (unsigned a = DL_TRANSPOSE_NONE; a < DL__ALGORITHMS; a++)
            if (!rows[a]->is_out && rows[a]->cost && rows[a]->cost(&task) < DL__NOT_FOR)
                costs[a] = rows[a]->cost(&task);
        cost = costs[plan->info.algorithm];
        dl_transpose_plan_free(plan);
        ck_assert(cost > 0);
        for (unsigned a = 0; a < DL__ALGORITHMS; a++) {
            problem.algorithm = (enum dl_transpose_algorithm)a;
            if (costs[a] == 0 || costs[a] >= cost)
                continue;
            /* Cheaper, but it can't. */
            ck_assert_msg(dl_transpose_plan_make(transpose, &problem, &plan, NULL) !=
                              DL_OK,
                          "%llu x %llu: %s is cheaper", (unsigned long long)problem.rows,
                          (unsigned long long)problem.cols,
                          dl_transpose_algorithm_name(problem.algorithm));
        }
    }
}
END_TEST

/* What a kernel holds in registers makes it longer, and a compiler slower than any
 * transposition. */
static void expect_short_kernels(const struct dl_transpose *transpose)
{
    for (const struct dl__engine_program *built = transpose->engine.programs; built;
         built = built->next) {
        const char *items =
            built->knobs ? strstr(built->knobs, "#define PER_ITEM ") : NULL;
        if (items)
            ck_assert_msg(strtoul(items + strlen("#define PER_ITEM "), NULL, 10) <= 64,
                          "%s", built->knobs);
    }
}

/* Sequences of moves whose matrices are thousands, and elements of a megabyte. */
START_TEST(axes_take_few_launches_and_short_kernels)
{
    static const struct {
        uint64_t extents[6];
        uint32_t count, permutation[6], bytes;
    } cases[] = {{{34, 34, 28, 19, 13, 33}, 6, {1, 4, 3, 2, 5, 0}, 4},
                 {{15, 30, 12, 36, 34, 20}, 6, {1, 4, 3, 2, 5, 0}, 8},
                 {{26, 27, 12, 13, 18, 59}, 6, {1, 3, 5, 0, 2, 4}, 8},
                 {{32, 24, 21, 20, 18, 46}, 6, {3, 0, 2, 4, 1, 5}, 4}};

    harness_as_gpu(&harness);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct dl_transpose_problem problem = {.struct_bytes = sizeof problem,
                                               .axis_count = cases[c].count,
                                               .element_bytes = cases[c].bytes,
                                               .cap = DL_TRANSPOSE_CAP_6};
        struct dl_transpose_plan *plan;
        memcpy(problem.extents, cases[c].extents, sizeof cases[c].extents);
        memcpy(problem.permutation, cases[c].permutation, sizeof cases[c].permutation);
        ck_assert_int_eq(dl_transpose_plan_make(harness.transpose, &problem, &plan, NULL),
                         DL_OK);
        ck_assert_uint_le(plan->info.launches, 100);
        dl_transpose_plan_free(plan);
        expect_short_kernels(harness.transpose);
    }
}
END_TEST

/* Where two launches do, no cycle is followed; where one does, it is one. */
START_TEST(small_matrices_take_few_launches)
{
    harness_as_gpu(&harness);
    for (unsigned i = 0; i < 300; i++) {
        struct dl_transpose_problem problem = {.rows = 2 + harness_random(&harness, 400),
                                               .cols = 2 + harness_random(&harness, 400),
                                               .element_bytes = 1u << i % 5};
        struct dl__task task;
        double through, bare, onchip;
        ck_assert_int_eq(dl__task_make(harness.transpose, &problem, &task, NULL), DL_OK);
        through = dl__transpose_THROUGH.cost(&task);
        bare = dl__transpose_CYCLES_BARE.cost(&task);
        onchip = dl__transpose_ONCHIP.cost(&task);
        ck_assert(through < bare);
        /* A work-group that is alone takes long for many units. */
        if (onchip < DL__NOT_FOR && task.rows * task.cols <= 12000)
            ck_assert(onchip < through);
    }
}
END_TEST

START_TEST(few_small_matrices_are_right)
{
    static const uint64_t sides[][3] = {{26, 39, 1},  {1, 7, 1},   {91, 96, 1},
                                        {5, 2300, 3}, {130, 2, 7}, {63, 65, 2}};
    static const uint32_t element_bytes[] = {4, 8, 1, 2, 16, 12};

    harness_as_gpu(&harness);
    for (size_t s = 0; s < 36; s++) {
        struct dl_transpose_problem problem = {.rows = sides[s / 6][0],
                                               .cols = sides[s / 6][1],
                                               .batch = sides[s / 6][2],
                                               .element_bytes = element_bytes[s % 6],
                                               .offset_bytes = 16 * (s % 2),
                                               .algorithm = DL_TRANSPOSE_ONCHIP};
        const char *wrong = harness_run(&harness, &problem, 48);
        ck_assert_msg(!wrong, "%s", wrong);
    }
    ck_assert_uint_ge(harness.made, 25);
}
END_TEST

/* Claim: no tile takes all of local memory, whose launch NVIDIA's driver refuses (a batch
 * of 64 x 48 elements of 16 bytes). */
START_TEST(no_tile_takes_all_of_local_memory)
{
    struct dl__device_limits *limits = &harness.transpose->engine.limits, known = *limits;

    limits->local_bytes = LOCAL_BYTES;
    ck_assert_uint_lt(dl__steps_tile_bytes(&harness.transpose->steps), LOCAL_BYTES);
    *limits = known;
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("transpose limits");
    TCase *tests = tcase_create("all");

    harness_open(&harness);
    tcase_set_timeout(tests, 1200);
    tcase_add_test(tests, kernels_fit_local_memory);
    tcase_add_test(tests, panels_fit_every_cap_and_cost_little);
    tcase_add_test(tests, the_cheapest_is_taken);
    tcase_add_test(tests, axes_take_few_launches_and_short_kernels);
    tcase_add_test(tests, small_matrices_take_few_launches);
    tcase_add_test(tests, few_small_matrices_are_right);
    tcase_add_test(tests, no_tile_takes_all_of_local_memory);
    suite_add_tcase(suite, tests);
    return harness_run_all(&harness, suite);
}
