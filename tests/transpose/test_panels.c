/* SPDX-License-Identifier: MIT */
/* Claims of the panel algorithm on a device: blocks may begin anywhere, and each of its
 * kernels gives the transpose, byte for byte, and touches nothing else. Half of the sizes
 * of elements a turn (tests/common/turn.h). */
#include <check.h>
#include <string.h>

#include "harness.h"
#include "tests/common/turn.h"
#include "transpose/algorithms/algorithm.h"

static struct harness harness;

static void expect_right(const struct dl_transpose_problem *problem, size_t spare_bytes)
{
    const char *wrong = harness_run(&harness, problem, spare_bytes);

    ck_assert_msg(!wrong, "%s", wrong);
}

/* Blocks that are asked for and begin anywhere: vectors are as wide as what lies before
 * them lets them be. */
START_TEST(blocks_that_are_asked_for)
{
    struct dl_transpose_problem problem = {.rows = 70,
                                           .cols = 60,
                                           .element_bytes = 4,
                                           .block_rows = 4,
                                           .algorithm = _i ? DL_TRANSPOSE_PANEL_COLS
                                                           : DL_TRANSPOSE_PANEL_ROWS,
                                           .cap = DL_TRANSPOSE_CAP_ANY};
    struct dl_transpose_info info;
    struct dl_transpose_plan *plan;

    ck_assert_int_eq(dl_transpose_plan_make(harness.transpose, &problem, &plan, NULL),
                     DL_OK);
    dl_transpose_plan_info(plan, &info);
    ck_assert_uint_eq(info.block_rows, 4);
    dl_transpose_plan_free(plan);
    problem.offset_bytes = 4;
    expect_right(&problem, 16);
    problem.offset_bytes = 0;
    problem.batch = 2;
    problem.batch_stride = 70 * 60 + 1;
    expect_right(&problem, 16);
}
END_TEST

/* One pass of panels by runs of whole words, with blocks that begin with sectors or with
 * lines. */
static void panel_by_runs(uint32_t element_bytes, bool joining, bool lines)
{
    struct dl__tuning *tuning = &harness.transpose->tuning;
    struct dl_transpose_problem problem = {.rows = joining ? 71 : 937,
                                           .cols = joining ? 937 : 71,
                                           .element_bytes = element_bytes,
                                           .algorithm = joining ? DL_TRANSPOSE_PANEL_COLS
                                                                : DL_TRANSPOSE_PANEL_ROWS,
                                           .offset_bytes = 3 * element_bytes,
                                           .cap = DL_TRANSPOSE_CAP_ANY};
    struct dl_transpose_plan *plan;

    tuning->panel_run = lines ? 1 : 4;
    tuning->sector_bytes = lines ? 128 : 32;
    expect_right(&problem, 5);
    ck_assert_int_eq(dl_transpose_plan_make(harness.transpose, &problem, &plan, NULL),
                     DL_OK);
    ck_assert_str_eq(plan->runs[1].name,
                     joining ? "dl_panel_join_runs" : "dl_panel_split_runs");
    dl_transpose_plan_free(plan);
}

/* Claim: panels whose columns are written, or read, as runs of whole words give the same,
 * at odd offsets too; and it is those kernels which run. */
START_TEST(panels_by_runs)
{
    static const uint32_t bytes[] = {1, 2, 4, 8, 16};
    struct dl__tuning *tuning = &harness.transpose->tuning, known = *tuning;

    tuning->panel_run_group = 64;
    tuning->panel_run_held = 1;
    tuning->panel_run_bytes = 4096;
    tuning->panel_cols = 64;
    for (size_t b = 0; b < sizeof bytes / sizeof *bytes; b++) {
        if (!is_its_turn_of((unsigned)b, 2))
            continue;
        panel_by_runs(bytes[b], false, b / 2 % 2 == 1);
        if (bytes[b] >= 4)
            panel_by_runs(bytes[b], true, b / 2 % 2 == 1);
    }
    *tuning = known;
}
END_TEST

/* Claim: so do panels by units, and tiles of which each is a work-item's, for elements of
 * any size. */
START_TEST(panels_by_units)
{
    static const uint32_t bytes[] = {1, 2, 3, 4, 8, 12, 16, 48};
    struct dl__tuning *tuning = &harness.transpose->tuning, known = *tuning;

    for (size_t b = 0; b < sizeof bytes / sizeof *bytes; b++) {
        struct dl_transpose_problem problem = {.rows = 937,
                                               .cols = 71,
                                               .element_bytes = bytes[b],
                                               .offset_bytes = 3 * bytes[b],
                                               .algorithm = DL_TRANSPOSE_PANEL_ROWS,
                                               .cap = DL_TRANSPOSE_CAP_ANY};
        struct dl_transpose_plan *plan;

        if (!is_its_turn_of((unsigned)b + (unsigned)_i, 2))
            continue;
        tuning->panel_blocks = (unsigned)_i;
        expect_right(&problem, 5);
        ck_assert_int_eq(dl_transpose_plan_make(harness.transpose, &problem, &plan, NULL),
                         DL_OK);
        if (plan->transpose->engine.limits.is_cpu)
            ck_assert_str_eq(plan->runs[1].name,
                             _i ? "dl_panel_split_blocks" : "dl_panel_split");
        dl_transpose_plan_free(plan);
    }
    *tuning = known;
}
END_TEST

/* Claim: where costs are not known, no shape takes three passes that panels do in two; a
 * short side that one tile spans goes by tiles. */
START_TEST(two_passes)
{
    static const uint64_t shapes[][2] = {{300, 500}, {420, 360}, {12, 9000}};
    struct dl_transpose_info info;
    struct dl_transpose_plan *plan;

    if (harness.transpose->tuning.costs_known)
        return;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        struct dl_transpose_problem problem = {.rows = shapes[s][0],
                                               .cols = shapes[s][1],
                                               .element_bytes = 8,
                                               .cap = DL_TRANSPOSE_CAP_6};
        ck_assert_int_eq(dl_transpose_plan_make(harness.transpose, &problem, &plan, NULL),
                         DL_OK);
        dl_transpose_plan_info(plan, &info);
        ck_assert_uint_eq(info.passes, 2);
        ck_assert_int_eq(info.algorithm,
                         s < 2 ? DL_TRANSPOSE_PANEL_ROWS : DL_TRANSPOSE_STAGE3);
        dl_transpose_plan_free(plan);
    }
}
END_TEST

/* Claim: where loops are not unrolled, as for CPUs, the mover's are not, either: a
 * work-item moves a block of 1 KiB by itself there, of which Intel's compiler made
 * straight code for 35 s. */
START_TEST(mover_is_unrolled_on_gpus_alone)
{
    const bool as_cpu = harness.transpose->tuning.unroll <= 1;
    unsigned movers = 0;

    for (unsigned by_cols = 0; by_cols < 2; by_cols++) {
        struct dl_transpose_problem problem = {
            .rows = 5000,
            .cols = 5001,
            .element_bytes = 4,
            .algorithm = by_cols ? DL_TRANSPOSE_PANEL_COLS : DL_TRANSPOSE_PANEL_ROWS,
            .cap = DL_TRANSPOSE_CAP_ANY};
        struct dl_transpose_plan *plan;

        ck_assert_int_eq(dl_transpose_plan_make(harness.transpose, &problem, &plan, NULL),
                         DL_OK);
        dl_transpose_plan_free(plan);
    }
    for (const struct dl__engine_program *p = harness.transpose->engine.programs; p;
         p = p->next) {
        if (strcmp(p->kernels[0].name, "dl_move") != 0)
            continue;
        ck_assert_int_eq(strstr(p->knobs, "#define UNROLL 1\n") != NULL,
                         as_cpu || strstr(p->knobs, "#define PER_LANE 1u\n") != NULL);
        movers++;
    }
    ck_assert_uint_gt(movers, 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("transpose panels");
    TCase *tests = tcase_create("all");

    harness_open(&harness);
    tcase_set_timeout(tests, 600);
    tcase_add_loop_test(tests, blocks_that_are_asked_for, 0, 2);
    tcase_add_test(tests, panels_by_runs);
    tcase_add_loop_test(tests, panels_by_units, 0, 2);
    tcase_add_test(tests, two_passes);
    tcase_add_test(tests, mover_is_unrolled_on_gpus_alone);
    suite_add_tcase(suite, tests);
    return harness_run_all(&harness, suite);
}
