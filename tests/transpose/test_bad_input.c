/* SPDX-License-Identifier: MIT */
/* Bad input gets a status and a sentence that says what is wrong, and nothing is
 * enqueued. */
#include <check.h>
#include <string.h>

#include "harness.h"
#include "transpose/algorithms/algorithm.h"

static struct harness harness;

struct bad {
    struct dl_transpose_problem problem;
    enum dl_status status;
    const char *says; /* a part of the sentence */
};

#define MATRIX .rows = 100, .cols = 200, .element_bytes = 4

static const struct bad bads[] = {
    {{MATRIX, .struct_bytes = 1}, DL_EINVAL, "struct_bytes is 1, but"},
    {{MATRIX, .struct_bytes = offsetof(struct dl_transpose_problem, reserved) + 3},
     DL_EINVAL,
     "struct_bytes is"},
    {{MATRIX, .reserved = 1}, DL_ENOTSUP, "reserved is not 0"},
    {{.rows = 5, .cols = 5, .element_bytes = 0}, DL_EINVAL, "element_bytes is 0"},
    {{.rows = UINT64_C(1) << 32, .cols = UINT64_C(1) << 32, .element_bytes = 1},
     DL_EOVERFLOW,
     "exceed 2^63"},
    {{.rows = UINT64_C(1) << 31, .cols = UINT64_C(1) << 31, .element_bytes = 16},
     DL_EOVERFLOW,
     "exceed 2^63"},
    /* Below 2^64 but not below 2^63. */
    {{.rows = UINT64_C(3) << 30, .cols = UINT64_C(1) << 32, .element_bytes = 1},
     DL_EOVERFLOW,
     "exceed 2^63"},
    {{MATRIX, .batch = UINT64_C(1) << 60}, DL_EOVERFLOW, "last matrix ends beyond"},
    /* Distances that are multiples of 2^64 bytes. */
    {{MATRIX, .batch = (UINT64_C(1) << 60) + 1}, DL_EOVERFLOW, "last matrix ends beyond"},
    {{MATRIX, .batch = 2, .batch_stride = UINT64_C(1) << 62},
     DL_EOVERFLOW,
     "last matrix ends beyond"},
    {{.rows = 2,
      .cols = 100,
      .element_bytes = 4,
      .leading = UINT64_C(1) << 62,
      .batch_stride = 1},
     DL_EOVERFLOW,
     "last matrix ends beyond"},
    {{MATRIX, .leading = UINT64_C(1) << 62}, DL_EOVERFLOW, "leading distances spread it"},
    {{MATRIX, .leading_out = UINT64_C(1) << 62},
     DL_EOVERFLOW,
     "leading distances spread it"},
    {{.rows = 2, .cols = 9, .element_bytes = 1, .leading = (UINT64_C(1) << 63) - 1},
     DL_EOVERFLOW,
     "leading distances spread it"},
    {{MATRIX, .offset_bytes = UINT64_C(1) << 63},
     DL_EOVERFLOW,
     "last matrix ends beyond"},
    {{MATRIX, .offset_bytes = UINT64_MAX - 3}, DL_EOVERFLOW, "last matrix ends beyond"},
    {{MATRIX, .leading = 199}, DL_EINVAL, "leading is 199, less than the 200"},
    {{MATRIX, .leading_out = 99}, DL_EINVAL, "leading_out is 99, less than the 100"},
    {{MATRIX, .order = DL_TRANSPOSE_COL_MAJOR, .leading = 99},
     DL_EINVAL,
     "leading is 99, less than the 100"},
    {{MATRIX, .batch = 2, .batch_stride = 19999},
     DL_EINVAL,
     "batch_stride is 19999, less"},
    {{MATRIX, .offset_bytes = 2}, DL_EINVAL, "offset_bytes is 2, not"},
    {{.rows = 5, .cols = 6, .element_bytes = 48, .offset_bytes = 8},
     DL_EINVAL,
     "not a multiple of 16"},
    {{MATRIX, .offset_bytes = 4, .buffer_bytes = 80000}, DL_EINVAL, "ends at byte 80004"},
    {{MATRIX, .batch = 3, .buffer_bytes = 239999}, DL_EINVAL, "ends at byte 240000"},
    {{MATRIX, .algorithm = (enum dl_transpose_algorithm)DL__ALGORITHMS},
     DL_EINVAL,
     "not a value of enum dl_transpose_algorithm"},
    {{MATRIX, .order = 2},
     DL_EINVAL,
     "order is 2, not a value of enum dl_transpose_order"},
    {{MATRIX, .direction = 2}, DL_EINVAL, "direction is 2, not a value"},
    {{MATRIX, .cap = DL_TRANSPOSE_CAP_6 + 1}, DL_EINVAL, "cap is 6, not a value"},
    {{.rows = 39989,
      .cols = 40009,
      .element_bytes = 8,
      .cap = DL_TRANSPOSE_CAP_0,
      .algorithm = DL_TRANSPOSE_THROUGH},
     DL_EREFUSED,
     "workspace, but the cap is 0: raise the cap, or leave the algorithm to auto"},
    {{MATRIX, .algorithm = DL_TRANSPOSE_SQUARE},
     DL_ENOTSUP,
     "square can't do this: 100 x 200 is not a square"},
    {{.rows = 50,
      .cols = 50,
      .element_bytes = 4,
      .leading = 60,
      .leading_out = 61,
      .algorithm = DL_TRANSPOSE_SQUARE},
     DL_ENOTSUP,
     "leading distances differ"},
    {{.rows = 3, .cols = 3, .element_bytes = 1 << 26, .algorithm = DL_TRANSPOSE_SQUARE},
     DL_ENOTSUP,
     "elements of 67108864 bytes"},
    {{MATRIX, .leading = 201, .algorithm = DL_TRANSPOSE_NONE},
     DL_ENOTSUP,
     "none moves nothing: it is for a single row or column without gaps, not for 100 x "
     "200; leave the algorithm to auto"},
    {{MATRIX, .algorithm = DL_TRANSPOSE_STAGE3, .tile_rows = 10, .tile_cols = 30},
     DL_ENOTSUP,
     "tiles of 10 x 30 do not divide"},
    {{.rows = 97, .cols = 89, .element_bytes = 4, .algorithm = DL__COMPARED(STAGE4)},
     DL_ENOTSUP,
     "divides 97 x 89"},
    {{.rows = 2000,
      .cols = 2000,
      .element_bytes = 16,
      .algorithm = DL__COMPARED(STAGE4_FUSED),
      .cap = DL_TRANSPOSE_CAP_ANY,
      .tile_rows = 1000,
      .tile_cols = 1000},
     DL_ENOTSUP,
     "two tiles exceed local memory"},
    {{.rows = 340,
      .cols = 1360,
      .element_bytes = 4,
      .algorithm = DL_TRANSPOSE_C2R,
      .cap_bytes = 1360 * 4 - 1},
     DL_EREFUSED,
     "a row of 5440 bytes fits neither"},
    {{.rows = 210,
      .cols = 280,
      .element_bytes = 4,
      .algorithm = DL_TRANSPOSE_STAGE3,
      .tile_rows = 6,
      .tile_cols = 5,
      .cap_bytes = 10},
     DL_EREFUSED,
     "bytes of workspace, but the cap is 10: raise the cap, or leave"},
    {{.rows = 210,
      .cols = 280,
      .element_bytes = 4,
      .algorithm = DL__COMPARED(STAGE4_FUSED),
      .tile_rows = 6,
      .tile_cols = 5,
      .cap_bytes = 10},
     DL_EREFUSED,
     "bytes of workspace, but the cap is 10: raise"},
    {{.rows = 70,
      .cols = 60,
      .element_bytes = 4,
      .algorithm = DL_TRANSPOSE_PANEL_ROWS,
      .cap = DL_TRANSPOSE_CAP_ANY,
      .block_rows = 40},
     DL_ENOTSUP,
     "a side of 70 can't be divided"},
    {{.rows = 1 << 22,
      .cols = 1 << 22,
      .element_bytes = 4,
      .algorithm = DL_TRANSPOSE_PANEL_ROWS,
      .cap = DL_TRANSPOSE_CAP_ANY},
     DL_ENOTSUP,
     "a side of 4194304 can't be divided"},
    {{.rows = 1360,
      .cols = 340,
      .element_bytes = 4,
      .algorithm = DL_TRANSPOSE_C2R,
      .cap_bytes = 1360 * 4 - 1},
     DL_EREFUSED,
     "a column of 5440 bytes fits neither"},
    {{.rows = 100, .cols = 200, .element_bytes = 4100, .algorithm = DL_TRANSPOSE_C2R},
     DL_ENOTSUP,
     "elements of 4100 bytes"},
    {{.rows = 5, .cols = UINT32_MAX, .element_bytes = 4, .algorithm = DL_TRANSPOSE_R2C},
     DL_ENOTSUP,
     "a side has 2^32 - 1 elements"},
    {{.rows = 1 << 16,
      .cols = 1 << 15,
      .element_bytes = 4,
      .algorithm = DL_TRANSPOSE_CYCLES},
     DL_ENOTSUP,
     "more than 2^31 elements"},
    {{.rows = 5, .cols = 6, .element_bytes = 4097, .algorithm = DL_TRANSPOSE_CYCLES},
     DL_ENOTSUP,
     "elements of 4097 bytes"},
    {{.rows = 64, .cols = 1 << 20, .element_bytes = 4, .algorithm = DL_TRANSPOSE_ONCHIP},
     DL_ENOTSUP,
     "of local memory"},
    {{MATRIX, .cap = DL_TRANSPOSE_CAP_0, .algorithm = DL_TRANSPOSE_CYCLES},
     DL_EREFUSED,
     "cycles needs more than 0 bytes of workspace, but the cap is 0: raise the cap, or "
     "leave the algorithm to auto"},
    {{MATRIX, .cap_bytes = 16, .algorithm = DL_TRANSPOSE_PANEL_ROWS},
     DL_EREFUSED,
     "the cap is 16: raise"},
    {{MATRIX, .cap = DL_TRANSPOSE_CAP_0, .algorithm = DL_TRANSPOSE_PANEL_COLS},
     DL_EREFUSED,
     "the cap is 0: raise"},
};

START_TEST(plan_says_what_is_wrong)
{
    struct dl_transpose_plan *plan = (void *)&harness;
    struct dl_transpose_error error = {""};
    enum dl_status st =
        dl_transpose_plan_make(harness.transpose, &bads[_i].problem, &plan, &error);

    ck_assert_msg(st == bads[_i].status, "%s: %s", dl_status_name(st), error.text);
    ck_assert_msg(strstr(error.text, bads[_i].says) != NULL, "%s", error.text);
    ck_assert_ptr_eq(plan, (void *)&harness);
    ck_assert_int_eq(
        dl_transpose_plan_make(harness.transpose, &bads[_i].problem, &plan, NULL),
        bads[_i].status);
}
END_TEST

/* A program built with a later version's header has a longer struct: its fields must be
 * left alone. */
START_TEST(later_versions_problems_are_read)
{
    struct {
        struct dl_transpose_problem problem;
        uint32_t more[3];
    } later = {.problem = {MATRIX, .struct_bytes = sizeof later}};
    struct dl_transpose_problem now = DL_TRANSPOSE_PROBLEM_INIT,
                                zero = {.struct_bytes = sizeof zero};
    struct dl_transpose_plan *plan;
    struct dl_transpose_error error = {""};

    ck_assert_msg(
        dl_transpose_plan_make(harness.transpose, &later.problem, &plan, &error) == DL_OK,
        "%s", error.text);
    dl_transpose_plan_free(plan);
    later.more[2] = 1;
    ck_assert_int_eq(
        dl_transpose_plan_make(harness.transpose, &later.problem, &plan, &error),
        DL_ENOTSUP);
    ck_assert_msg(strstr(error.text, "a later version"), "%s", error.text);
    later.problem.struct_bytes =
        sizeof later.problem; /* what comes then is not its own */
    ck_assert_int_eq(
        dl_transpose_plan_make(harness.transpose, &later.problem, &plan, &error), DL_OK);
    dl_transpose_plan_free(plan);
    ck_assert_mem_eq(&now, &zero, sizeof now);
    ck_assert_int_eq(dl_transpose_version(), DL_VERSION_NUMBER);
}
END_TEST

/* What a problem comes to in the algorithms' terms: row-major, forward. */
static struct dl__task task_make(struct dl_transpose_problem problem)
{
    struct dl_transpose_error error = {""};
    struct dl__task task;
    enum dl_status st = dl__task_make(harness.transpose, &problem, &task, &error);

    ck_assert_msg(st == DL_OK, "%s", error.text);
    return task;
}

START_TEST(what_is_right_is_taken)
{
    struct dl__task task = task_make((struct dl_transpose_problem){
        MATRIX, .batch = 3, .offset_bytes = 12, .buffer_bytes = 12 + 3 * 80000});

    ck_assert_uint_eq(task.end_bytes, 12 + 3 * 80000);
    ck_assert_uint_eq(task.stride_bytes, 80000);
    /* The distance to the next matrix says nothing where there is none. */
    task_make((struct dl_transpose_problem){MATRIX, .batch_stride = 1});
    task = task_make((struct dl_transpose_problem){
        .rows = 5, .cols = 6, .element_bytes = 96, .offset_bytes = 16});
    ck_assert_uint_eq(task.unit_bytes, 16);
    /* What it spans afterwards may be more than before. */
    task = task_make((struct dl_transpose_problem){MATRIX, .leading_out = 300});
    ck_assert_uint_eq(task.end_bytes, (199 * 300 + 100) * 4);
}
END_TEST

START_TEST(caps_are_shares_of_a_matrix)
{
    static const struct {
        enum dl_transpose_cap cap;
        uint64_t bytes;
    } caps[] = {{DL_TRANSPOSE_CAP_0, 0},
                {DL_TRANSPOSE_CAP_1, 800},
                {DL_TRANSPOSE_CAP_DEFAULT, 560000},
                {DL_TRANSPOSE_CAP_6, 5000},
                {DL_TRANSPOSE_CAP_12, 10000},
                {DL_TRANSPOSE_CAP_ANY, UINT64_MAX}};
    struct dl_transpose_problem problem = {MATRIX, .batch = 7, .leading = 250};

    /* Of a batch, all that it has. */
    ck_assert_uint_eq(task_make(problem).cap_bytes, 560000);
    problem.batch = 1000;
    ck_assert_uint_eq(task_make(problem).cap_bytes, 64 << 20);
    /* All of it up to 64 MiB; 1/16 where that is more. */
    problem =
        (struct dl_transpose_problem){.rows = 4096, .cols = 4096, .element_bytes = 4};
    ck_assert_uint_eq(task_make(problem).cap_bytes, 64 << 20);
    problem.cols = 4097;
    ck_assert_uint_eq(task_make(problem).cap_bytes, 64 << 20);
    problem.cols = 16 * 4096 + 16;
    ck_assert_uint_eq(task_make(problem).cap_bytes, (64 << 20) + 4096 * 4);
    problem = (struct dl_transpose_problem){MATRIX, .batch = 7, .leading = 250};
    for (size_t c = 0; c < sizeof caps / sizeof *caps; c++) {
        problem.cap = caps[c].cap;
        problem.cap_bytes = 0;
        ck_assert_uint_eq(task_make(problem).cap_bytes, caps[c].bytes);
        problem.cap_bytes = 123;
        ck_assert_uint_eq(task_make(problem).cap_bytes, 123);
    }
}
END_TEST

/* No plan needs more workspace than the cap: it is refused, or another way is taken. */
START_TEST(no_plan_exceeds_its_cap)
{
    static const uint64_t caps[] = {1, 40, 300, 3000};

    for (size_t c = 0; c < 2 * sizeof caps / sizeof *caps; c++) {
        struct dl_transpose_problem problem = {.rows = 36,
                                               .cols = 40,
                                               .element_bytes = 4,
                                               .cap_bytes = caps[c / 2],
                                               .leading = c % 2 ? 41 : 0,
                                               .tile_rows = 6,
                                               .tile_cols = 5,
                                               .algorithm =
                                                   (enum dl_transpose_algorithm)_i};
        struct dl_transpose_error error = {""};
        struct dl_transpose_info info;
        struct dl_transpose_plan *plan;
        enum dl_status st =
            dl_transpose_plan_make(harness.transpose, &problem, &plan, &error);
        if (st != DL_OK) {
            ck_assert_msg(st == DL_EREFUSED || st == DL_ENOTSUP, "%s", error.text);
            continue;
        }
        dl_transpose_plan_info(plan, &info);
        ck_assert_uint_le(info.workspace_bytes, problem.cap_bytes);
        dl_transpose_plan_free(plan);
        /* A cap of just what it needs is enough for the same. */
        if (info.workspace_bytes > 0) {
            uint64_t needed = problem.cap_bytes = info.workspace_bytes;
            ck_assert_msg(dl_transpose_plan_make(harness.transpose, &problem, &plan,
                                                 &error) == DL_OK,
                          "%s", error.text);
            dl_transpose_plan_info(plan, &info);
            ck_assert_uint_eq(info.workspace_bytes, needed);
            dl_transpose_plan_free(plan);
        }
    }
}
END_TEST

START_TEST(enqueue_says_what_is_wrong)
{
    struct dl_transpose_problem problem = {.rows = 211,
                                           .cols = 307,
                                           .element_bytes = 4,
                                           .algorithm = DL_TRANSPOSE_PANEL_ROWS};
    struct dl_transpose_error error = {""};
    struct dl_transpose_info info;
    struct dl_transpose_plan *plan;
    cl_event event = NULL;
    cl_int err;
    cl_mem mem, work;
    int started = 1;

    ck_assert_int_eq(dl_transpose_plan_make(harness.transpose, &problem, &plan, &error),
                     DL_OK);
    dl_transpose_plan_info(plan, &info);
    ck_assert_uint_gt(info.workspace_bytes, 0);
    mem = clCreateBuffer(harness.device.context, CL_MEM_READ_WRITE, 211 * 307 * 4, NULL,
                         &err);
    work = clCreateBuffer(harness.device.context, CL_MEM_READ_WRITE,
                          info.workspace_bytes - 1, NULL, &err);

    ck_assert_int_eq(dl_transpose_enqueue(plan, harness.device.queue, mem, NULL, 0, NULL,
                                          &event, &started, &error),
                     DL_EINVAL);
    ck_assert_ptr_nonnull(strstr(error.text, "workspace"));
    ck_assert_int_eq(dl_transpose_enqueue(plan, harness.device.queue, mem, work, 0, NULL,
                                          &event, &started, &error),
                     DL_EINVAL);
    ck_assert_ptr_nonnull(strstr(error.text, "workspace"));
    ck_assert_int_eq(dl_transpose_plan_allocate(plan, &error), DL_OK);
    ck_assert_int_eq(dl_transpose_enqueue(plan, harness.device.queue, work, NULL, 0, NULL,
                                          &event, &started, &error),
                     DL_EINVAL);
    ck_assert_ptr_nonnull(strstr(error.text, "ends at byte"));
    /* One that is given is used, also where the plan has its own. */
    ck_assert_int_eq(dl_transpose_enqueue(plan, harness.device.queue, mem, work, 0, NULL,
                                          &event, &started, &error),
                     DL_EINVAL);
    ck_assert_ptr_nonnull(strstr(error.text, "workspace"));
    ck_assert_int_eq(dl_transpose_enqueue(plan, harness.device.queue, NULL, NULL, 0, NULL,
                                          &event, &started, &error),
                     DL_ECL);
    ck_assert_ptr_nonnull(strstr(error.text, "is not valid"));
    ck_assert_int_eq(started, 0);
    ck_assert_ptr_null(event);
    clReleaseMemObject(mem);
    clReleaseMemObject(work);
    dl_transpose_plan_free(plan);
}
END_TEST

START_TEST(names_lead_to_algorithms)
{
    enum dl_transpose_algorithm found = DL_TRANSPOSE_AUTO;

    for (unsigned a = 0; a < DL__ALGORITHMS; a++) {
        const char *name = dl_transpose_algorithm_name((enum dl_transpose_algorithm)a);
        ck_assert_int_eq(dl_transpose_algorithm_find(name, &found), DL_OK);
        ck_assert_uint_eq(found, a);
    }
    ck_assert_int_eq(dl_transpose_algorithm_find("panel", &found), DL_EINVAL);
    ck_assert_str_eq(
        dl_transpose_algorithm_name((enum dl_transpose_algorithm)DL__ALGORITHMS), "?");
}
END_TEST

/* Why other algorithms are not for it is no error. */
START_TEST(what_succeeds_leaves_no_sentence)
{
    struct dl_transpose_problem problem = DL_TRANSPOSE_PROBLEM_INIT;
    struct dl_transpose_plan *plan;
    struct dl_transpose_error error = {"before"};

    problem.rows = problem.cols = problem.element_bytes = 4;
    ck_assert_int_eq(dl_transpose_plan_make(harness.transpose, &problem, &plan, &error),
                     DL_OK);
    ck_assert_str_eq(error.text, "");
    dl_transpose_plan_free(plan);
}
END_TEST

/* The public list has what a plan may say it has, and the other what has to be named. */
START_TEST(only_what_is_chosen_is_public)
{
    static const struct dl__transpose_algorithm *const rows[] = {
#define X(name, text, help) &dl__transpose_##name,
        DL__ALGORITHM_MAP(X)
#undef X
    };

    for (unsigned a = 0; a < DL__ALGORITHMS; a++) {
        bool is_chosen =
            rows[a]->cost != NULL || a == DL_TRANSPOSE_AUTO || a == DL_TRANSPOSE_SLIDE;
        ck_assert_msg(is_chosen == (a < DL_TRANSPOSE_ALGORITHM_COUNT), "%s",
                      dl_transpose_algorithm_name((enum dl_transpose_algorithm)a));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("transpose bad input");
    TCase *tests = tcase_create("all");

    harness_open(&harness);
    /* No device holds more than 4 KiB of rows or columns. */
    harness.transpose->tuning.c2r_group = 32;
    harness.transpose->tuning.c2r_bytes = 128;
    tcase_set_timeout(tests, 600);
    tcase_add_loop_test(tests, plan_says_what_is_wrong, 0, sizeof bads / sizeof *bads);
    tcase_add_test(tests, later_versions_problems_are_read);
    tcase_add_test(tests, what_is_right_is_taken);
    tcase_add_test(tests, caps_are_shares_of_a_matrix);
    tcase_add_loop_test(tests, no_plan_exceeds_its_cap, DL_TRANSPOSE_AUTO,
                        DL__ALGORITHMS);
    tcase_add_test(tests, enqueue_says_what_is_wrong);
    tcase_add_test(tests, names_lead_to_algorithms);
    tcase_add_test(tests, only_what_is_chosen_is_public);
    tcase_add_test(tests, what_succeeds_leaves_no_sentence);
    suite_add_tcase(suite, tests);
    return harness_run_all(&harness, suite);
}
