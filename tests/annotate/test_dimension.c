/* SPDX-License-Identifier: MIT */
/* Claims: dimensions evaluate in 64-bit arithmetic with C's precedence; what can't be
 * evaluated says why; malformed ones are refused. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/annotations/dimension.h"

static struct dl_launch launch_of(const struct dl_arg_value *args, unsigned count)
{
    struct dl_launch launch = {.work_dim = 2,
                               .global_size = {100, 30, 1},
                               .global_offset = {7, 0, 0},
                               .local_size = {16, 0, 1},
                               .args = args,
                               .arg_count = count};

    return launch;
}

static const struct {
    const char *text;
    int64_t value;
} values[] = {{"0", 0},
              {"1 + 2 * 3", 7},
              {"(1 + 2) * 3", 9},
              {"10 - 4 - 3", 3},
              {"100 / 7 % 4", 2},
              {"-7 / 2", -3},
              {"-7 % 2", -1},
              {"- - 5", 5},
              {"2 - -3", 5},
              {"0x10 + 010", 24},
              {"4096u", 4096},
              {"1 << 4 + 1", 32},
              {"(1 << 20) >> 3", 131072},
              {"min(3, 2 + 2)", 3},
              {"max(min(9, 4), 2) * 2", 8},
              {"global_size(0)", 100},
              {"global_size(1)", 30},
              {"global_size(2)", 1},
              {"global_offset(0) + global_offset(1) + global_offset(2)", 7},
              {"local_size(0)", 16},
              {"local_size(2)", 1},
              {"num_groups(0)", 7},
              {"num_groups(2)", 1},
              {"(global_size(0) + global_offset(0)) * global_size(1)", 3210},
              {"arg(0, i4, 0)", -5},
              {"arg(0, u4, 0)", 4294967291},
              {"arg(0, i1, 0)", -5},
              {"arg(0, u1, 0)", 251},
              {"arg(0, i2, 2)", -1},
              {"arg(0, u2, 0)", 65531},
              {"arg(1, i8, 0)", 1099511627776},
              {"arg(1, u8, 0) - 1", 1099511627775},
              {"arg(2, i4, 4) * arg(2, i4, 8)", 60000000000},
              {"arg(0, i4, 0) > 0 ? 7 : 9 + 1", 10},
              {"1 ? 2 ? 3 : 4 : 5", 3},
              {"0 ? 1 : 0 ? 2 : 3", 3},
              {"min(1 < 2 ? 8 : 9, 100)", 8},
              {"1 < 2 && 3 <= 3 || 0", 1},
              {"2 > 1 == 1 >= 2", 0},
              {"!0 + !5 + (1 != 2)", 2},
              {"1 + 1 > 1 << 1", 0},
              {"9223372036854775807", INT64_MAX}};

static const int32_t minus_five = -5;
static const int64_t big = (int64_t)1 << 40;
static const int32_t members[] = {1, 200000, 300000};
static const struct dl_arg_value args[] = {{&minus_five, sizeof minus_five},
                                           {&big, sizeof big},
                                           {members, sizeof members},
                                           {NULL, 4}};

static struct dl__arena arena;

static struct dl_dimension *parse(const char *text, size_t bytes, const char **reason)
{
    if (setjmp(arena.fail))
        ck_abort_msg("the arena failed");
    return dl__dimension_parse(&arena, text, bytes, reason);
}

START_TEST(dimension_has_its_value)
{
    struct dl_launch launch = launch_of(args, 4);
    struct dl_dimension *d;
    const char *reason = NULL;
    int64_t got = -1;

    d = parse(values[_i].text, strlen(values[_i].text), &reason);
    ck_assert_ptr_nonnull(d);
    ck_assert_int_eq(dl_dimension_eval(d, &launch, &got, &reason), DL_OK);
    ck_assert_msg(got == values[_i].value, "%s is %lld", values[_i].text, (long long)got);
}
END_TEST

static const struct {
    const char *text;
    enum dl_status status;
    const char *reason; /* a part of it */
} failures[] = {{"1 / 0", DL_EOVERFLOW, "divides by zero"},
                {"1 % (global_size(0) - 100)", DL_EOVERFLOW, "divides by zero"},
                {"9223372036854775807 + 1", DL_EOVERFLOW, "overflows"},
                {"-9223372036854775807 - 2", DL_EOVERFLOW, "overflows"},
                {"-(-9223372036854775807 - 1)", DL_EOVERFLOW, "overflows"},
                {"(-9223372036854775807 - 1) / -1", DL_EOVERFLOW, "overflows"},
                {"(-9223372036854775807 - 1) % -1", DL_EOVERFLOW, "overflows"},
                {"arg(1, i8, 0) * arg(1, i8, 0)", DL_EOVERFLOW, "overflows"},
                {"1 << 63", DL_EOVERFLOW, "overflows"},
                {"1 << -1", DL_EOVERFLOW, "overflows"},
                {"local_size(1)", DL_EINVAL, "left to the driver"},
                {"num_groups(1)", DL_EINVAL, "left to the driver"},
                {"arg(3, i4, 0)", DL_EINVAL, "not set"},
                {"arg(9, i4, 0)", DL_EINVAL, "not set"},
                {"arg(0, i8, 0)", DL_EINVAL, "a size other"},
                {"arg(0, i4, 1)", DL_EINVAL, "a size other"}};

START_TEST(failure_leaves_out_alone_and_says_why)
{
    struct dl_launch launch = launch_of(args, 4);
    struct dl_dimension *d;
    const char *reason = NULL;
    int64_t got = 77;

    d = parse(failures[_i].text, strlen(failures[_i].text), &reason);
    ck_assert_ptr_nonnull(d);
    ck_assert_int_eq(dl_dimension_eval(d, &launch, &got, &reason), failures[_i].status);
    ck_assert_int_eq(got, 77);
    ck_assert_msg(reason && strstr(reason, failures[_i].reason), "%s: %s",
                  failures[_i].text, reason);
    ck_assert_int_eq(dl_dimension_eval(d, &launch, &got, NULL), failures[_i].status);
}
END_TEST

static const char *const malformed[] = {"",
                                        " ",
                                        "1 +",
                                        "* 2",
                                        "(1",
                                        "1)",
                                        "1 2",
                                        "1.5",
                                        "1e3",
                                        "n",
                                        "global_size",
                                        "global_size(3)",
                                        "global_size(1+1)",
                                        "global_size(-1)",
                                        "min(1)",
                                        "min(1, 2, 3)",
                                        "arg(0)",
                                        "arg(0, f4, 0)",
                                        "arg(0, i3, 0)",
                                        "arg(0, i4)",
                                        "a.b",
                                        "1 ? 2",
                                        "1 ? 2 :",
                                        "1 : 2",
                                        "1 <",
                                        "99999999999999999999",
                                        "1 = 1",
                                        "\"1\"",
                                        "f[1]"};

START_TEST(malformed_is_refused)
{
    const char *reason = NULL;

    ck_assert_ptr_null(parse(malformed[_i], strlen(malformed[_i]), &reason));
    ck_assert_ptr_nonnull(reason);
}
END_TEST

START_TEST(nesting_is_bounded)
{
    static char text[200001];
    struct dl_launch launch = launch_of(args, 4);
    struct dl_dimension *d;
    const char *reason;
    int64_t got;

    memset(text, '(', sizeof text - 1);
    ck_assert_ptr_null(parse(text, sizeof text - 1, &reason));
    memset(text, '-', sizeof text - 1);
    ck_assert_ptr_null(parse(text, sizeof text - 1, &reason));
    for (size_t i = 0; i < sizeof text - 1; i++)
        text[i] = i % 2 ? '+' : '1';
    ck_assert_ptr_null(parse(text, sizeof text - 2, &reason));
    /* The deepest that parses also evaluates. */
    memset(text, 0, sizeof text);
    for (int i = 0; i < 90; i++)
        strcat(text, "1+(2*(");
    strcat(text, "1");
    for (int i = 0; i < 90; i++)
        strcat(text, "))");
    d = parse(text, strlen(text), &reason);
    ck_assert_ptr_nonnull(d);
    ck_assert_int_eq(dl_dimension_eval(d, &launch, &got, &reason), DL_EOVERFLOW);
}
END_TEST

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

int main(void)
{
    Suite *suite = suite_create("dimension");
    TCase *tcase = tcase_create("all");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_loop_test(tcase, dimension_has_its_value, 0, COUNT(values));
    tcase_add_loop_test(tcase, failure_leaves_out_alone_and_says_why, 0, COUNT(failures));
    tcase_add_loop_test(tcase, malformed_is_refused, 0, COUNT(malformed));
    tcase_add_test(tcase, nesting_is_bounded);
    suite_add_tcase(suite, tcase);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    dl__arena_free(&arena);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
