/* SPDX-License-Identifier: MIT */
/* Decisions as text: what one run writes is what the next one reads, or nothing; and what other processes
 * have written meanwhile is not lost. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/policy/core.h"
#include "libdl_intercept/policy/remember.h"

static const unsigned char text[32] = {1, 2, 3}, other_text[32] = {3};

static struct dl__policy_row *measured_row(struct dl__policy *policy,
                                           const unsigned char *hash, const char *name,
                                           double work)
{
    struct dl__policy_kernel *kernel = dl__policy_kernel_get(policy, hash, name);
    struct dl__policy_row *row = dl__policy_row_get(kernel, work, 4096);

    for (int i = 0; i < 3; i++) {
        dl__samples_add(&row->samples[DL__NATIVE], 0.004, work);
        dl__samples_add(&row->samples[DL__ASTA], 0.001, work);
    }
    row->pays = true;
    row->changed = true;
    return row;
}

START_TEST(what_is_written_is_read)
{
    struct dl__policy written = {0}, read = {0};
    struct dl__policy_row *row;
    char *said, *again;

    measured_row(&written, text, "one", 1000);
    measured_row(&written, text, "one", 5000);
    measured_row(&written, text, "two", 1000);
    measured_row(&written, other_text, "one", 1000);
    written.moved[DL__ASTA] = 1u << 20 | UINT64_C(1) << 63;
    ck_assert(dl__remember_changed(&written, text));
    said = dl__remember_write(&written, text, "2026-11-22");
    ck_assert_ptr_nonnull(said);
    ck_assert(dl__remember_read(&read, text, said, strlen(said)));
    row = dl__policy_row_get(dl__policy_kernel_get(&read, text, "one"), 5000, 4096);
    ck_assert_double_eq_tol(row->remembered[DL__NATIVE].seconds, 0.004, 1e-9);
    ck_assert_double_eq_tol(row->remembered[DL__ASTA].seconds, 0.001, 1e-9);
    ck_assert_double_eq(row->remembered[DL__ASTA].work, 5000);
    ck_assert_double_eq(row->remembered[DL__DA].work, 0);
    ck_assert(row->pays);
    ck_assert_uint_eq(read.moved[DL__ASTA], written.moved[DL__ASTA]);
    ck_assert(!dl__remember_changed(&read, text));
    ck_assert_ptr_null(dl__policy_kernel_get(&read, other_text, "one")->rows);
    /* What this run has not measured stays as it was. */
    again = dl__remember_write(&read, text, "2026-11-23");
    ck_assert_ptr_nonnull(strstr(again, "ASTA 1000000 5000"));
    free(said);
    free(again);
    dl__policy_free(&written);
    dl__policy_free(&read);
}
END_TEST

/* Ranks that end together keep what all of them have measured; one's own counts more. */
START_TEST(what_others_kept_is_added)
{
    struct dl__policy own = {0}, others = {0};
    struct dl__policy_row *row;
    char *said, *all;

    measured_row(&own, text, "one", 1000);
    row = measured_row(&others, text, "one", 1000);
    memset(row->samples, 0, sizeof row->samples);
    for (int i = 0; i < 3; i++)
        dl__samples_add(&row->samples[DL__NATIVE], 0.123, 1000);
    for (int i = 0; i < 3; i++)
        dl__samples_add(&row->samples[DL__DA], 0.040, 1000);
    measured_row(&others, text, "one", 5000);
    measured_row(&others, text, "two", 1000);
    said = dl__remember_write(&others, text, "2026-11-22");
    ck_assert(dl__remember_add(&own, text, said, strlen(said)));
    ck_assert(!dl__remember_add(&own, text, "nonsense\n", 9));
    all = dl__remember_write(&own, text, "2026-11-22");
    ck_assert_ptr_null(strstr(all, "native 123000000 1000"));
    ck_assert_ptr_nonnull(strstr(all, "ASTA 1000000 1000"));
    ck_assert_ptr_nonnull(strstr(all, "DA 40000000 1000"));
    ck_assert_ptr_nonnull(strstr(all, "ASTA 1000000 5000"));
    ck_assert_ptr_nonnull(strstr(all, "kernel two"));
    free(said);
    free(all);
    dl__policy_free(&own);
    dl__policy_free(&others);
}
END_TEST

/* A single launch on a candidate may have had its kernel's compiling in it. */
START_TEST(one_sample_is_not_remembered)
{
    struct dl__policy policy = {0};
    struct dl__policy_row *row = measured_row(&policy, text, "k", 1000);
    char *said;

    memset(row->samples, 0, sizeof row->samples);
    for (int i = 0; i < 3; i++)
        dl__samples_add(&row->samples[DL__NATIVE], 0.004, 1000);
    dl__samples_add(&row->samples[DL__ASTA], 0.012, 1000);
    dl__samples_add(&row->samples[DL__DA], 0.040, 1000);
    said = dl__remember_write(&policy, text, "2026-11-22");
    ck_assert_ptr_null(strstr(said, "ASTA"));
    ck_assert_ptr_null(strstr(said, "DA"));
    free(said);
    dl__policy_free(&policy);
}
END_TEST

/* A run in which conversions take so many times as long as estimated: reads what is kept, writes it anew. */
static char *later_run(char *said, double ratio, double *cost)
{
    struct dl__policy policy = {0};
    char *again;

    if (said)
        ck_assert(dl__remember_read(&policy, text, said, strlen(said)));
    *cost = dl__cost_move_ratio(&policy, DL__DA, false);
    measured_row(&policy, text, "one", 1000);
    for (int i = 0; i < 2 && ratio > 0; i++)
        dl__samples_add(&policy.moves[DL__DA], ratio, 1);
    again = dl__remember_write(&policy, text, "2026-11-23");
    ck_assert_ptr_nonnull(again);
    dl__policy_free(&policy);
    free(said);
    return again;
}

/* A run beside other programs must not keep all later ones from converting: the middle one of the last runs counts. */
START_TEST(one_loaded_run_does_not_make_conversions_dear)
{
    static const double idle[] = {1, 1, 8, 1, 1, 8, 1, 1}, loaded[] = {1, 8, 8, 8, 8};
    char *said = NULL;
    double cost;

    for (size_t r = 0; r < sizeof idle / sizeof *idle; r++) {
        said = later_run(said, idle[r], &cost);
        ck_assert_double_le(cost, 1.5);
    }
    /* One that converts nothing changes nothing. */
    for (int r = 0; r < 9; r++)
        said = later_run(said, 0, &cost);
    ck_assert_double_eq_tol(cost, 1.5, 1e-6);
    /* And where most are, it counts. */
    for (size_t r = 0; r < sizeof loaded / sizeof *loaded; r++)
        said = later_run(said, loaded[r], &cost);
    said = later_run(said, 1, &cost);
    ck_assert_double_eq_tol(cost, 12, 1e-6);
    free(said);
}
END_TEST

/* What is written several times in a run counts as one. */
START_TEST(a_run_counts_once)
{
    struct dl__policy policy = {0};
    char *said = NULL;

    measured_row(&policy, text, "one", 1000);
    dl__samples_add(&policy.moves[DL__DA], 3, 1);
    for (int i = 0; i < 3; i++) {
        free(said);
        said = dl__remember_write(&policy, text, "2026-11-23");
        ck_assert(dl__remember_add(&policy, text, said, strlen(said)));
    }
    ck_assert_ptr_nonnull(strstr(said, "moves DA 0 3000\n"));
    free(said);
    dl__policy_free(&policy);
}
END_TEST

/* Each byte that is changed, and each end that is cut off: read as it is written, or not at all. */
START_TEST(damaged_text_adds_nothing_or_a_number)
{
    static const char odd[] = "\0\n 9-x\xff";
    struct dl__policy written = {0};
    char *said;
    size_t bytes;

    measured_row(&written, text, "one", 1000);
    measured_row(&written, text, "two", 9);
    written.moved[DL__DA] = 7;
    said = dl__remember_write(&written, text, "2026-11-22");
    bytes = strlen(said);
    for (size_t at = 0; at < bytes; at++) {
        for (size_t o = 0; o < sizeof odd; o++) {
            struct dl__policy read = {0};
            char before = said[at];

            said[at] = odd[o];
            if (!dl__remember_read(&read, text, said, bytes))
                ck_assert_ptr_null(read.kernels);
            said[at] = before;
            dl__policy_free(&read);
        }
    }
    for (size_t end = 0; end < bytes; end++) {
        struct dl__policy read = {0};

        if (said[end ? end - 1 : 0] != '\n')
            ck_assert(!dl__remember_read(&read, text, said, end));
        dl__policy_free(&read);
    }
    free(said);
    dl__policy_free(&written);
}
END_TEST

START_TEST(text_of_others_is_not_read)
{
    static const char *const texts[] = {
        "",
        "\n",
        "dl policy 1 2026-11-22\nkernel k\n",
        "dl policy 2 x\nrow 1 1 -\n",
        "dl policy 2 x\nmoves ASTA 5 0\n",
        "dl policy 2 x\nmoves ASTA 5 1 \n",
        "dl policy 2 x\nmoves ASTA 5 1 2 3 4 5 6\n",
        "dl policy 2 x\nkernel k\nnative 5 5 5\n",
        "dl policy 2 x\nkernel k\nrow 64 1 -\n",
        "dl policy 2 x\nkernel k\nrow 1 1 -\nnative 0 5 5\n",
        "dl policy 2 x\nkernel k\nrow 1 1 -\nnative 5 5\n",
        "dl policy 2 x\nkernel k\nrow 1 1 -\nnative 5 5 5 5\n",
        "dl policy 2 x\nkernel k"};

    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        struct dl__policy policy = {0};

        ck_assert_msg(!dl__remember_read(&policy, text, texts[t], strlen(texts[t])), "%s",
                      texts[t]);
        ck_assert_ptr_null(policy.kernels);
    }
}
END_TEST

/* What it promises is loaded with the first launch, and not after 0.5 ms of launches, which may be half of the run. */
START_TEST(what_gained_a_fifth_is_better)
{
    struct dl__policy_row row = {0};

    ck_assert(!dl__cost_was_better(&row));
    row.remembered[DL__ASTA] = (struct dl__remembered){7e-6, 1000};
    ck_assert(!dl__cost_was_better(&row));
    row.remembered[DL__NATIVE] = (struct dl__remembered){26e-6, 2000};
    ck_assert(dl__cost_was_better(&row));
    row.remembered[DL__NATIVE] = (struct dl__remembered){16e-6, 2000};
    ck_assert(!dl__cost_was_better(&row));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("policy_remember");
    TCase *tcase = tcase_create("remember");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_test(tcase, what_is_written_is_read);
    tcase_add_test(tcase, what_others_kept_is_added);
    tcase_add_test(tcase, one_sample_is_not_remembered);
    tcase_add_test(tcase, one_loaded_run_does_not_make_conversions_dear);
    tcase_add_test(tcase, a_run_counts_once);
    tcase_add_test(tcase, damaged_text_adds_nothing_or_a_number);
    tcase_add_test(tcase, text_of_others_is_not_read);
    tcase_add_test(tcase, what_gained_a_fifth_is_better);
    suite_add_tcase(suite, tcase);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
