/* Bad input gets a status and a sentence that says what is wrong, and nothing is enqueued. */
#include <check.h>
#include <string.h>

#include "harness.h"

static struct harness harness;

struct bad {
    struct dl_transpose_problem problem;
    enum dl_status status;
    const char *says; /* a part of the sentence */
};

#define MATRIX .rows = 100, .cols = 200, .element_bytes = 4

static const struct bad bads[] = {
    {{.rows = 0, .cols = 5, .element_bytes = 4}, DL_EINVAL, "0 x 5 has no elements"},
    {{.rows = 5, .cols = 0, .element_bytes = 4}, DL_EINVAL, "no elements"},
    {{.rows = 5, .cols = 5, .element_bytes = 0}, DL_EINVAL, "0 bytes"},
    {{.rows = UINT64_C(1) << 32, .cols = UINT64_C(1) << 32, .element_bytes = 1},
     DL_EOVERFLOW,
     "exceed 2^63"},
    {{.rows = UINT64_C(1) << 31, .cols = UINT64_C(1) << 31, .element_bytes = 16},
     DL_EOVERFLOW,
     "exceed 2^63"},
    {{MATRIX, .batch = UINT64_C(1) << 60}, DL_EOVERFLOW, "last matrix ends past"},
    {{MATRIX, .leading = UINT64_C(1) << 62}, DL_EOVERFLOW, "leading distance"},
    {{MATRIX, .offset_bytes = UINT64_MAX - 3}, DL_EOVERFLOW, "last matrix ends past"},
    {{MATRIX, .leading = 199}, DL_EINVAL, "leading distance of 199 is below the 200"},
    {{MATRIX, .leading_out = 99}, DL_EINVAL, "leading distance of 99 is below the 100"},
    {{MATRIX, .order = DL_TRANSPOSE_COL_MAJOR, .leading = 99},
     DL_EINVAL,
     "leading distance of 99 is below the 100"},
    {{MATRIX, .batch = 2, .batch_stride = 19999}, DL_EINVAL, "batch stride of 19999"},
    {{MATRIX, .offset_bytes = 2}, DL_EINVAL, "offset of 2 bytes"},
    {{MATRIX, .offset_bytes = 4, .buffer_bytes = 80000}, DL_EINVAL, "ends at byte 80004"},
    {{MATRIX, .batch = 3, .buffer_bytes = 239999}, DL_EINVAL, "ends at byte 240000"},
    {{MATRIX, .algorithm = DL_TRANSPOSE_ALGORITHM_COUNT}, DL_EINVAL, "no known one"},
    {{MATRIX, .order = 2}, DL_EINVAL, "no known one"},
    {{.rows = 39989, .cols = 40009, .element_bytes = 8, .cap = DL_TRANSPOSE_CAP_0},
     DL_EREFUSED,
     "no algorithm meets the workspace cap of 0 bytes"},
    {{.rows = 39989, .cols = 40009, .element_bytes = 8, .cap_bytes = 1000},
     DL_EREFUSED,
     "no algorithm meets the workspace cap of 1000 bytes"},
    {{MATRIX, .algorithm = DL_TRANSPOSE_SQUARE}, DL_ENOTSUP, "square: 100 x 200"},
    {{.rows = 97, .cols = 89, .element_bytes = 4, .algorithm = DL_TRANSPOSE_STAGE4},
     DL_ENOTSUP,
     "divides 97 x 89"},
    {{MATRIX, .cap_bytes = 16, .algorithm = DL_TRANSPOSE_PANEL_ROWS},
     DL_EREFUSED,
     "cap of 16 bytes"},
    {{MATRIX, .cap = DL_TRANSPOSE_CAP_0, .algorithm = DL_TRANSPOSE_PANEL_COLS},
     DL_EREFUSED,
     "cap of 0 bytes"},
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

    for (unsigned a = 0; a < DL_TRANSPOSE_ALGORITHM_COUNT; a++) {
        const char *name = dl_transpose_algorithm_name((enum dl_transpose_algorithm)a);
        ck_assert_int_eq(dl_transpose_algorithm_find(name, &found), DL_OK);
        ck_assert_uint_eq(found, a);
    }
    ck_assert_int_eq(dl_transpose_algorithm_find("panel", &found), DL_EINVAL);
    ck_assert_str_eq(dl_transpose_algorithm_name(DL_TRANSPOSE_ALGORITHM_COUNT), "?");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("transpose bad input");
    TCase *tests = tcase_create("all");
    SRunner *runner;
    int failed;

    harness_open(&harness);
    tcase_set_timeout(tests, 600);
    tcase_add_loop_test(tests, plan_says_what_is_wrong, 0, sizeof bads / sizeof *bads);
    tcase_add_test(tests, enqueue_says_what_is_wrong);
    tcase_add_test(tests, names_lead_to_algorithms);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    harness_close(&harness);
    return failed ? 1 : 0;
}
