/* SPDX-License-Identifier: MIT */
/* Claim: what is wrong with a problem of axes is said by the argument's name, and nothing
 * is made or enqueued; arrays beyond 2^32 elements and launches beyond 2^31 tiles are
 * planned right or refused, never wrapped. */
#include <check.h>
#include <string.h>

#include "harness.h"
#include "transpose/algorithms/algorithm.h"

static struct harness harness;

#define ARRAY .axis_count = 3, .extents = {4, 5, 6}, .element_bytes = 4
#define TURN .permutation = {2, 0, 1}
#define OUT .place = DL_TRANSPOSE_OUT_OF_PLACE
#define HUGE UINT64_C(1) << 32

static const struct {
    struct dl_transpose_problem problem;
    enum dl_status status;
    const char *says;
} bads[] = {
    {{ARRAY, .permutation = {2, 0, 2}}, DL_EINVAL, "permutation has axis 2 twice"},
    {{ARRAY, .permutation = {2, 0, 3}}, DL_EINVAL, "permutation[2] is 3"},
    {{ARRAY, .permutation = {2, 0, UINT32_MAX}},
     DL_EINVAL,
     "permutation[2] is 4294967295"},
    {{ARRAY}, DL_EINVAL, "permutation has axis 0 twice"},
    {{.axis_count = 9, .element_bytes = 4}, DL_EINVAL, "axis_count is 9: at most 8"},
    {{.axis_count = UINT32_MAX, .element_bytes = 4},
     DL_EINVAL,
     "axis_count is 4294967295"},
    {{.axis_count = 2, .extents = {4, 3}, .permutation = {1, 0}},
     DL_EINVAL,
     "element_bytes is 0"},
    {{ARRAY, TURN, .rows = 4}, DL_EINVAL, "axis_count is 3: rows and cols must be 0"},
    {{ARRAY, TURN, .cols = 4}, DL_EINVAL, "axis_count is 3: rows and cols must be 0"},
    {{ARRAY, TURN, .reserved_axes = 1}, DL_ENOTSUP, "reserved_axes is not 0"},
    {{ARRAY, TURN, .leading = 7}, DL_ENOTSUP, "leading: in place"},
    {{ARRAY, TURN, .leading_out = 7}, DL_ENOTSUP, "leading_out: in place"},
    {{ARRAY, TURN, .leading = 5}, DL_EINVAL, "leading is 5, less than the 6"},
    {{ARRAY, TURN, OUT, .leading_out = 4},
     DL_EINVAL,
     "leading_out is 4, less than the 5"},
    {{ARRAY, TURN, OUT, .direction = DL_TRANSPOSE_INVERSE, .leading = 5},
     DL_EINVAL,
     "leading is 5, less than the 6"},
    {{ARRAY, TURN, OUT, .order = DL_TRANSPOSE_COL_MAJOR, .leading_out = 5},
     DL_EINVAL,
     "leading_out is 5, less than the 6"},
    {{ARRAY, TURN, OUT, .leading = UINT64_C(1) << 61},
     DL_EOVERFLOW,
     "leading distances spread it"},
    {{ARRAY, TURN, .offset_bytes = 2},
     DL_EINVAL,
     "offset_bytes is 2, not a multiple of 4"},
    {{ARRAY, TURN, OUT, .offset_out_bytes = 6}, DL_EINVAL, "offset_out_bytes is 6, not"},
    {{ARRAY, TURN, .batch = 2, .batch_stride = 119},
     DL_EINVAL,
     "batch_stride is 119, less"},
    {{ARRAY, TURN, OUT, .batch = 2, .batch_stride_out = 119},
     DL_EINVAL,
     "batch_stride_out is 119, less"},
    {{ARRAY, TURN, .buffer_bytes = 479},
     DL_EINVAL,
     "ends at byte 480, but its buffer has only 479"},
    {{ARRAY, TURN, OUT, .buffer_out_bytes = 479}, DL_EINVAL, "target ends at byte 480"},
    {{ARRAY, TURN, .conjugate = 1, .number = DL_TRANSPOSE_FLOAT},
     DL_EINVAL,
     "conjugate is 1, but number is of a real type"},
    {{ARRAY, TURN, .number = DL_TRANSPOSE_DOUBLE},
     DL_EINVAL,
     "number is of a type of 8 bytes, but element_bytes is 4"},
    {{ARRAY, TURN, .number = (enum dl_transpose_number)7},
     DL_EINVAL,
     "number is 7, not a value of enum dl_transpose_number"},
    {{ARRAY, TURN, .scale = 1}, DL_EINVAL, "number must say the type"},
    {{ARRAY, TURN, .scale = 2}, DL_EINVAL, "scale is 2"},
    {{ARRAY, TURN, .scale = 1, .number = DL_TRANSPOSE_FLOAT, .beta = {1}},
     DL_EINVAL,
     "beta must be 0 in place"},
    {{ARRAY, TURN, OUT, .scale = 1, .number = DL_TRANSPOSE_FLOAT,
      .algorithm = DL_TRANSPOSE_OUT_AXES},
     DL_ENOTSUP,
     "out-axes does not scale"},
    {{ARRAY, TURN, OUT, .algorithm = DL_TRANSPOSE_OUT_SCALED},
     DL_ENOTSUP,
     "out-scaled can't do this: it is for problems with scale"},
    {{ARRAY, TURN, .algorithm = DL_TRANSPOSE_SLIDE},
     DL_ENOTSUP,
     "slide can't do this: it is for"},
    {{ARRAY, TURN, .outer = {9, 9, 9}}, DL_ENOTSUP, "outer must be 0 in place"},
    {{ARRAY, TURN, OUT, .outer = {1}}, DL_EINVAL, "outer[0] is 1, less than the"},
    {{ARRAY, TURN, OUT, .outer_out = {0, 0, 1}},
     DL_EINVAL,
     "outer_out[2] is 1, less than"},
    {{ARRAY, TURN, OUT, .leading = 8, .outer = {0, 0, 9}},
     DL_EINVAL,
     "leading is 8, but the innermost of the outer extents is 9"},
    {{ARRAY, TURN, .keep_between = 2}, DL_EINVAL, "keep_between is 2"},
    {{ARRAY, TURN, .reserved_scale = 2}, DL_ENOTSUP, "reserved_scale is not 0"},
    {{.axis_count = 3, .extents = {HUGE, HUGE, 2}, TURN, .element_bytes = 1},
     DL_EOVERFLOW,
     "extents: an array of these"},
    {{.axis_count = 3, .extents = {HUGE, UINT64_C(1) << 29, 1}, TURN, .element_bytes = 4},
     DL_EOVERFLOW,
     "extents: an array of these"},
    {{.axis_count = 8,
      .extents = {256, 256, 256, 256, 256, 256, 256, 256},
      .permutation = {7, 6, 5, 4, 3, 2, 1, 0},
      .element_bytes = 1},
     DL_EOVERFLOW,
     "extents: an array of these"},
    {{ARRAY, TURN, .batch = UINT64_C(1) << 57}, DL_EOVERFLOW, "last matrix ends beyond"},
    {{.axis_count = 3,
      .extents = {4, 5, 6},
      .permutation = {2, 1, 0},
      .element_bytes = 4,
      .algorithm = DL_TRANSPOSE_C2R},
     DL_ENOTSUP,
     "c2r transposes only matrices, not an array of 3 axes; leave the algorithm "
     "to auto"},
    {{.axis_count = 3,
      .extents = {4, 5, 6},
      .permutation = {2, 1, 0},
      .element_bytes = 4,
      .algorithm = DL_TRANSPOSE_AXES_SWAP},
     DL_ENOTSUP,
     "axes-swap can't do this: it is for two axes of one extent"},
    {{ARRAY, TURN, .algorithm = DL_TRANSPOSE_OUT_AXES},
     DL_ENOTSUP,
     "out-axes works only out of place"},
    {{ARRAY, TURN, OUT, .algorithm = DL_TRANSPOSE_AXES},
     DL_ENOTSUP,
     "axes works only in place; leave the algorithm to auto"},
    {{.rows = 4, .cols = 5, .element_bytes = 4, OUT, .algorithm = DL_TRANSPOSE_OUT_AXES},
     DL_ENOTSUP,
     "out-axes can't do this: it is for arrays of axes"},
    {{.axis_count = 3,
      .extents = {1 << 16, 1 << 16, 1 << 12},
      .permutation = {2, 1, 0},
      .element_bytes = 1,
      .algorithm = DL_TRANSPOSE_OUT_AXES,
      OUT},
     DL_ENOTSUP,
     "more than 2^31 tiles"},
    {{.axis_count = 3,
      .extents = {1 << 13, 1 << 16, 1 << 13},
      .permutation = {2, 1, 0},
      .element_bytes = 1,
      .algorithm = DL_TRANSPOSE_AXES_SWAP},
     DL_ENOTSUP,
     "more than 2^31 pairs"},
};

START_TEST(plan_says_what_is_wrong)
{
    struct dl_transpose_problem problem = bads[_i].problem;
    struct dl_transpose_error error = {""};
    struct dl_transpose_plan *plan = NULL;
    enum dl_status st;

    problem.struct_bytes = sizeof problem;
    st = dl_transpose_plan_make(harness.transpose, &problem, &plan, &error);
    ck_assert_msg(st == bads[_i].status, "%s: %s", dl_status_name(st), error.text);
    ck_assert_msg(strstr(error.text, bads[_i].says), "\"%s\" does not say \"%s\"",
                  error.text, bads[_i].says);
    ck_assert_ptr_null(plan);
}
END_TEST

/* A program of version 0.1 does not have the fields, whatever lies behind its struct; a
 * size of 0 stands for that version. */
static const size_t older_bytes[] = {0,
                                     offsetof(struct dl_transpose_problem, axis_count)};

START_TEST(older_programs_have_matrices)
{
    struct dl_transpose_problem problem = {.struct_bytes = older_bytes[_i],
                                           .rows = 4,
                                           .cols = 5,
                                           .element_bytes = 4,
                                           .axis_count = 77};
    struct dl_transpose_plan *plan = NULL;

    ck_assert_int_eq(dl_transpose_plan_make(harness.transpose, &problem, &plan, NULL),
                     DL_OK);
    ck_assert(!plan->task.has_axes);
    dl_transpose_plan_free(plan);
}
END_TEST

static struct dl__task task_of(struct dl_transpose_problem problem)
{
    struct dl_transpose_error error = {""};
    struct dl__task task;

    ck_assert_msg(dl__task_make(harness.transpose, &problem, &task, &error) == DL_OK,
                  "%s", error.text);
    return task;
}

/* What stays together is one axis, what stays innermost is the element, and what is left
 * may be a matrix. */
START_TEST(axes_are_merged)
{
    struct dl__task task =
        task_of((struct dl_transpose_problem){.axis_count = 5,
                                              .extents = {3, 4, 5, 6, 7},
                                              .permutation = {0, 2, 3, 1, 4},
                                              .element_bytes = 4,
                                              .batch = 2});

    ck_assert(!task.is_array);
    ck_assert_uint_eq(task.batch, 6);
    ck_assert_uint_eq(task.rows, 4);
    ck_assert_uint_eq(task.cols, 30);
    ck_assert_uint_eq(task.element_bytes, 28);
    ck_assert_uint_eq(task.unit_bytes, 4);
    task = task_of((struct dl_transpose_problem){.axis_count = 4,
                                                 .extents = {1 << 17, 1, 1 << 16, 3},
                                                 .permutation = {3, 1, 2, 0},
                                                 .element_bytes = 8});
    ck_assert(task.is_array);
    ck_assert_uint_eq(task.axes.count, 3);
    ck_assert_uint_eq(task.axes.axes[0].from_bytes, UINT64_C(3) << 19);
    ck_assert_uint_eq(task.axes.axes[1].to_bytes, UINT64_C(1) << 20);
    ck_assert_uint_eq(task.matrix_bytes, UINT64_C(3) << 36);
    task = task_of((struct dl_transpose_problem){.axis_count = 3,
                                                 .extents = {7, 8, 9},
                                                 .permutation = {0, 1, 2},
                                                 .element_bytes = 4});
    ck_assert(!task.is_array);
    ck_assert_uint_eq(task.rows, 1);
}
END_TEST

/* Beyond 2^32 elements: what the kernels are told has not wrapped. */
START_TEST(large_arrays_are_planned)
{
    struct dl_transpose_problem problem = {.struct_bytes = sizeof problem,
                                           .axis_count = 3,
                                           .extents = {3000, 700, 3000},
                                           .permutation = {2, 1, 0},
                                           .element_bytes = 4,
                                           .place = DL_TRANSPOSE_OUT_OF_PLACE};
    struct dl_transpose_plan *plan = NULL;
    struct axes_shape out;
    struct swap_shape swap;

    ck_assert_int_eq(dl_transpose_plan_make(harness.transpose, &problem, &plan, NULL),
                     DL_OK);
    memcpy(&out, dl__run_value(&plan->runs[0], DL__ARG_NUMBERS), sizeof out);
    ck_assert_uint_eq(out.row_from, 2100000);
    ck_assert_uint_eq(out.col_to, 2100000);
    ck_assert_uint_eq(plan->runs[0].global[0], (uint64_t)out.tiles_down *
                                                   out.tiles_across * 700 *
                                                   plan->runs[0].local[0]);
    dl_transpose_plan_free(plan);
    problem.place = DL_TRANSPOSE_IN_PLACE;
    problem.algorithm = DL_TRANSPOSE_AXES_SWAP;
    ck_assert_int_eq(dl_transpose_plan_make(harness.transpose, &problem, &plan, NULL),
                     DL_OK);
    memcpy(&swap, dl__run_value(&plan->runs[0], DL__ARG_NUMBERS), sizeof swap);
    ck_assert_uint_eq(swap.leading, 2100000);
    ck_assert_uint_eq(swap.inner, 700);
    ck_assert_uint_eq(swap.inner_bytes, 12000);
    ck_assert_uint_eq(plan->info.matrix_bytes, UINT64_C(25200000000));
    dl_transpose_plan_free(plan);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("transpose axes: what is refused");
    TCase *tests = tcase_create("all");

    harness_open(&harness);
    tcase_set_timeout(tests, 3600);
    tcase_add_loop_test(tests, plan_says_what_is_wrong, 0, sizeof bads / sizeof *bads);
    tcase_add_loop_test(tests, older_programs_have_matrices, 0,
                        sizeof older_bytes / sizeof *older_bytes);
    tcase_add_test(tests, axes_are_merged);
    tcase_add_test(tests, large_arrays_are_planned);
    suite_add_tcase(suite, tests);
    return harness_run_all(&harness, suite);
}
