/* SPDX-License-Identifier: MIT */
/* The table of options is well formed, and what is read of a value is what it says. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "options/options.h"

static char wrong[DL_OPTION_TEXT_BYTES];
/* In the order in which they count. */
static const char *const ranks[] = {
    "OMPI_COMM_WORLD_RANK", "PMIX_RANK",   "PMI_RANK",
    "MV2_COMM_WORLD_RANK",  "PALS_RANKID", "SLURM_PROCID"};

static void expect(enum dl_option option, const char *text, uint64_t number, bool percent,
                   const char *kept)
{
    struct dl_option_value value, again;

    ck_assert_msg(dl_option_parse(option, text, &value, wrong) == DL_OK, "%s", wrong);
    ck_assert_uint_eq(value.number, number);
    ck_assert_int_eq(value.percent, percent);
    ck_assert_str_eq(value.text, kept);
    /* What dl-run puts into the environment means the same there. */
    ck_assert_int_eq(dl_option_parse(option, value.text, &again, wrong), DL_OK);
    ck_assert_uint_eq(again.number, number);
    ck_assert_int_eq(again.percent, percent);
    ck_assert_str_eq(again.text, kept);
    dl_option_value_free(&again);
    dl_option_value_free(&value);
}

START_TEST(rows_are_well_formed)
{
    const enum dl_option option = (enum dl_option)_i;
    const struct dl_option_row *row = dl_option_row(option);
    struct dl_option_value value = {.text = NULL};
    enum dl_option cut[2];

    ck_assert_ptr_nonnull(row->flag);
    ck_assert_int_eq(dl_option_complete(row->flag, strlen(row->flag), cut), option);
    if (row->letter)
        ck_assert_int_eq(dl_option_find_letter(row->letter), option);
    ck_assert_int_ne(row->help[strlen(row->help) - 1], '.');
    ck_assert_int_eq(row->environment == NULL, row->type == DL_VALUE_FLAG);
    ck_assert_int_eq(row->value != NULL,
                     row->type != DL_VALUE_FLAG && row->type != DL_VALUE_WORD);
    ck_assert_uint_le(row->smallest, row->largest);
    if (row->environment)
        ck_assert_int_eq(strncmp(row->environment, "DL_", 3), 0);
    if (row->initial && row->type < DL_VALUE_INPUT)
        ck_assert_int_eq(dl_option_parse(option, row->initial, &value, wrong), DL_OK);
    dl_option_value_free(&value);
    if (row->left_out)
        ck_assert_int_eq(dl_option_parse(option, row->left_out, &value, wrong), DL_OK);
    dl_option_value_free(&value);
}
END_TEST

START_TEST(flags_are_found_whole)
{
    enum dl_option cut[2];

    ck_assert_int_eq(dl_option_complete("layouts", 7, cut), DL_OPTION_COUNT);
    ck_assert_int_eq(dl_option_complete("", 0, cut), DL_OPTION_COUNT);
    ck_assert_int_eq(dl_option_complete("layout=aos", 6, cut), DL_OPTION_layout);
    ck_assert_int_eq(dl_option_find_letter('x'), DL_OPTION_COUNT);
    ck_assert_int_eq(dl_option_find_letter('\0'), DL_OPTION_COUNT);
}
END_TEST

START_TEST(values_are_what_they_say)
{
    expect(DL_OPTION_layout, "auto", 0, false, "auto");
    expect(DL_OPTION_layout, "aos", 4, false, "aos");
    expect(DL_OPTION_layout, "soa", 2, false, "da");
    expect(DL_OPTION_layout, "SoA", 2, false, "da");
    expect(DL_OPTION_layout, "ASTA", 1, false, "asta");
    expect(DL_OPTION_tile, "Auto", 0, false, "auto");
    expect(DL_OPTION_tile, "auto", 0, false, "auto");
    expect(DL_OPTION_tile, "0016", 16, false, "0016");
    expect(DL_OPTION_memory_cap, "0%", 0, true, "0%");
    expect(DL_OPTION_memory_cap, "100%", 100, true, "100%");
    expect(DL_OPTION_memory_cap, "512M", 512 << 20, false, "512M");
    expect(DL_OPTION_staging, "0k", 0, false, "0k");
    expect(DL_OPTION_staging, "3g", 3ull << 30, false, "3g");
    expect(DL_OPTION_staging, "9223372036854775807", INT64_MAX, false,
           "9223372036854775807");
    expect(DL_OPTION_verify, "4294967295", UINT32_MAX, false, "4294967295");
    expect(DL_OPTION_stats, "1", 0, false, "1");
    expect(DL_OPTION_cache, "off", 0, false, "off");
    expect(DL_OPTION_libclang, "libclang-14.so.1", 0, false, "libclang-14.so.1");
    expect(DL_OPTION_log, "debug", 4, false, "debug");
}
END_TEST

START_TEST(names_become_absolute)
{
    ck_assert_int_eq(chdir("/tmp"), 0);
    expect(DL_OPTION_stats, "s.json", 0, false, "/tmp/s.json");
    expect(DL_OPTION_cache, "a b/c", 0, false, "/tmp/a b/c");
    expect(DL_OPTION_cache, "./off", 0, false, "/tmp/./off");
    expect(DL_OPTION_stats, "/dev/null", 0, false, "/dev/null");
    ck_assert_int_eq(chdir("/"), 0);
    expect(DL_OPTION_stats, "dev/null", 0, false, "/dev/null");
}
END_TEST

START_TEST(files_to_write_are_the_process_s_own)
{
    struct dl_option_value value;
    char want[128];

    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++)
        unsetenv(ranks[i]);
    ck_assert_int_eq(chdir("/tmp"), 0);
    /* What is handed on to other processes stays a pattern. */
    expect(DL_OPTION_stats, "s-%r-%p.json", 0, false, "/tmp/s-%r-%p.json");
    setenv("DL_STATS", "s-%r-%p-%%p%x%", 1);
    snprintf(want, sizeof want, "/tmp/s-0-%ld-%%p%%x%%", (long)getpid());
    ck_assert_int_eq(dl_option_read(DL_OPTION_stats, &value, wrong), DL_OK);
    ck_assert_str_eq(value.text, want);
    dl_option_value_free(&value);
    /* The last of the list gives way to those before it; what is no number is not a rank.
     */
    for (size_t i = sizeof ranks / sizeof *ranks; i-- > 0;) {
        char rank[16];

        snprintf(rank, sizeof rank, "%zu", 17 + i);
        setenv(ranks[i], rank, 1);
        snprintf(want, sizeof want, "/tmp/t%s", rank);
        setenv("DL_TRACE", "t%r", 1);
        ck_assert_int_eq(dl_option_read(DL_OPTION_trace, &value, wrong), DL_OK);
        ck_assert_str_eq(value.text, want);
        dl_option_value_free(&value);
    }
    setenv("OMPI_COMM_WORLD_RANK", "../x", 1);
    ck_assert_int_eq(dl_option_read(DL_OPTION_trace, &value, wrong), DL_OK);
    ck_assert_str_eq(value.text, "/tmp/t18");
    dl_option_value_free(&value);
    /* It is the file of this process that must be writable; a cache is shared. */
    ck_assert_int_eq(mkdir("dl-rank-18", 0700) == 0 || errno == EEXIST, 1);
    ck_assert_int_eq(dl_option_parse(DL_OPTION_stats, "dl-rank-%r", &value, wrong),
                     DL_EINVAL);
    ck_assert_int_eq(rmdir("dl-rank-18"), 0);
    expect(DL_OPTION_cache, "c-%r", 0, false, "/tmp/c-%r");
    setenv("DL_CACHE", "c-%r", 1);
    ck_assert_int_eq(dl_option_read(DL_OPTION_cache, &value, wrong), DL_OK);
    ck_assert_str_eq(value.text, "/tmp/c-%r");
    dl_option_value_free(&value);
    unsetenv("DL_STATS");
    unsetenv("DL_TRACE");
    unsetenv("DL_CACHE");
}
END_TEST

START_TEST(the_environment_is_read_or_the_default)
{
    struct dl_option_value value;

    unsetenv("DL_STAGING");
    ck_assert_int_eq(dl_option_read(DL_OPTION_staging, &value, wrong), DL_OK);
    ck_assert_uint_eq(value.number, 16 << 20);
    dl_option_value_free(&value);
    setenv("DL_STAGING", "", 1);
    ck_assert_int_eq(dl_option_read(DL_OPTION_staging, &value, wrong), DL_OK);
    ck_assert_uint_eq(value.number, 16 << 20);
    dl_option_value_free(&value);
    setenv("DL_STAGING", "1M", 1);
    ck_assert_int_eq(dl_option_read(DL_OPTION_staging, &value, wrong), DL_OK);
    ck_assert_uint_eq(value.number, 1 << 20);
    dl_option_value_free(&value);
    setenv("DL_STAGING", "1%", 1);
    ck_assert_int_eq(dl_option_read(DL_OPTION_staging, &value, wrong), DL_EINVAL);
    ck_assert_uint_eq(value.number, 16 << 20);
    ck_assert_str_eq(wrong, "DL_STAGING=1%: not a number of bytes; allowed: a number of "
                            "bytes from 0 to 9223372036854775807, k, M or G may follow; "
                            "using 16M");
    dl_option_value_free(&value);
    setenv("DL_VERIFY", "0", 1);
    ck_assert_int_eq(dl_option_read(DL_OPTION_verify, &value, wrong), DL_EINVAL);
    ck_assert_ptr_null(value.text);
    ck_assert_str_eq(wrong, "DL_VERIFY=0: too small; allowed: a number from 1 to "
                            "4294967295; ignored");
}
END_TEST

/* A long value is cut, and what is allowed is still said. */
START_TEST(long_values_fit_the_sentence)
{
    char text[5000];

    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    for (int i = 0; i < DL_OPTION_COUNT; i++) {
        struct dl_option_value value;

        if (dl_option_row((enum dl_option)i)->type >= DL_VALUE_LIBRARY)
            continue;
        ck_assert_int_ne(dl_option_parse((enum dl_option)i, text, &value, wrong), DL_OK);
        ck_assert_ptr_nonnull(strstr(wrong, "; allowed: "));
        if (!dl_option_row((enum dl_option)i)->environment)
            continue;
        setenv(dl_option_row((enum dl_option)i)->environment, text, 1);
        ck_assert_int_ne(dl_option_read((enum dl_option)i, &value, wrong), DL_OK);
        ck_assert_msg(strstr(wrong, "; using ") || strstr(wrong, "; ignored"), "%s",
                      wrong);
        dl_option_value_free(&value);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("options");
    TCase *tests = tcase_create("table");

    tcase_add_loop_test(tests, rows_are_well_formed, 0, DL_OPTION_COUNT);
    tcase_add_test(tests, flags_are_found_whole);
    tcase_add_test(tests, values_are_what_they_say);
    tcase_add_test(tests, names_become_absolute);
    tcase_add_test(tests, files_to_write_are_the_process_s_own);
    tcase_add_test(tests, the_environment_is_read_or_the_default);
    tcase_add_test(tests, long_values_fit_the_sentence);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
