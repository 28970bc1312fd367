/* SPDX-License-Identifier: MIT */
/* Decisions as bytes: what one run writes is what the next one reads; and what other
 * processes have written meanwhile is not lost. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/policy/core.h"
#include "libdl_intercept/programs/pack.h"
#include "free.h"

static const unsigned char text[DL__TEXT_BYTES] = {1, 2, 3},
                           other_text[DL__TEXT_BYTES] = {3};

static struct dl__policy_row *known_row(struct dl__policy *policy,
                                        const unsigned char *hash, const char *name,
                                        double work, uint64_t group_items)
{
    struct dl__policy_kernel *kernel = dl__policy_kernel_get(policy, hash, name);
    struct dl__policy_row *row = dl__policy_row_get(kernel, work, 4096, group_items);

    for (int i = 0; i < 3; i++)
        dl__samples_add(&row->of[DL__NATIVE].samples, 0.004, work);
    row->of[DL__ASTA].state = DL__MAY_RUN;
    row->of[DL__ASTA].promised = (struct dl__sample){0.001, work};
    row->of[DL__DA].state = DL__AS_WRITTEN;
    dl__tried_why(&row->of[DL__DA], "there is no memory for copies");
    row->of[DL__COALESCED].state = DL__AS_WRITTEN;
    row->best = DL__ASTA;
    row->returns = 0.25;
    row->together = 2;
    row->shortest = 300;
    row->changed = true;
    return row;
}

static struct dl__policy_row *row_of(struct dl__policy *policy, const char *name,
                                     double work, uint64_t group_items)
{
    return dl__policy_row_get(dl__policy_kernel_get(policy, text, name), work, 4096,
                              group_items);
}

START_TEST(what_is_written_is_read)
{
    static const uint64_t groups = UINT64_C(64) << 40 | 1 << 20 | 1;
    struct dl__policy written = {0}, read = {0};
    struct dl__policy_row *row;
    struct dl__pack said = {0};

    known_row(&written, text, "one", 1000, 0);
    known_row(&written, text, "one", 5000, groups);
    known_row(&written, text, "two", 1000, 0);
    known_row(&written, other_text, "one", 1000, 0);
    for (int i = 0; i < 9; i++)
        dl__samples_add(&written.moves[DL__ASTA], 0.7, 1);
    ck_assert(dl__remember_changed(&written, text));
    for (int run = 0; run < 7; run++) {
        dl__remember_write(&written, text, &said);
        policy_free(&read);
        read = (struct dl__policy){0};
        dl__remember_read(&read, text, said.data, said.bytes, false);
        dl__pack_free(&said);
        row = row_of(&read, "one", 5000, groups);
        ck_assert_double_eq_tol(dl__row_seconds(row, DL__NATIVE, 5000), 0.004, 1e-9);
        ck_assert_double_eq_tol(dl__row_seconds(row, DL__ASTA, 5000), 0.001, 1e-9);
        ck_assert_int_eq(row->of[DL__ASTA].state, DL__MAY_RUN);
        ck_assert_int_eq(row->of[DL__DA].state, DL__AS_WRITTEN);
        ck_assert_str_eq(row->of[DL__DA].why, "there is no memory for copies");
        ck_assert_int_eq(row->of[DL__COALESCED].state, DL__AS_WRITTEN);
        ck_assert_int_eq(row->of[DL__GRID].state, DL__UNTRIED);
        ck_assert_int_eq(row->best, DL__ASTA);
        ck_assert_double_eq_tol(row->returns, 0.25, 1e-9);
        ck_assert_uint_eq(row->together, 2);
        ck_assert_double_eq(dl__row_horizon(row), run < DL__RUNS_KEPT ? 300 : 1000);
        ck_assert_uint_eq(row->run_count, run < 4 ? (unsigned)run + 1 : DL__RUNS_KEPT);
        ck_assert(dl__samples_known(&read.moves_before[DL__ASTA]));
        ck_assert(!dl__remember_changed(&read, text));
        ck_assert_ptr_null(dl__policy_kernel_get(&read, other_text, "one")->rows);
        /* One more run, which adds its own launches. */
        policy_free(&written);
        written = read;
        read = (struct dl__policy){0};
        for (row = dl__policy_kernel_get(&written, text, "one")->rows; row;
             row = row->next)
            row->shortest = 1000;
    }
    policy_free(&written);
}
END_TEST

/* Ranks that end together keep what all of them have found; one's own counts more. */
START_TEST(what_others_kept_is_added)
{
    struct dl__policy own = {0}, others = {0};
    struct dl__policy_row *row;
    struct dl__pack said = {0};

    known_row(&own, text, "one", 1000, 0);
    row = known_row(&others, text, "one", 1000, 0);
    row->of[DL__ASTA].promised.seconds = 0.123;
    row->of[DL__GRID].state = DL__MAY_RUN;
    row->of[DL__GRID].promised = (struct dl__sample){0.002, 1000};
    known_row(&others, text, "two", 1000, 0);
    dl__remember_write(&others, text, &said);
    dl__remember_read(&own, text, said.data, said.bytes, true);
    row = row_of(&own, "one", 1000, 0);
    ck_assert_double_eq_tol(dl__row_seconds(row, DL__ASTA, 1000), 0.001, 1e-9);
    ck_assert_double_eq_tol(dl__row_seconds(row, DL__GRID, 1000), 0.002, 1e-9);
    ck_assert_int_eq(row_of(&own, "two", 1000, 0)->of[DL__ASTA].state, DL__MAY_RUN);
    dl__pack_free(&said);
    policy_free(&own);
    policy_free(&others);
}
END_TEST

/* A busy run explores at twice the time of both texts: the next, quiet one knows the
 * program's own as it is then, and the layout's by how they compared. */
START_TEST(what_a_busy_run_has_explored_is_scaled)
{
    struct dl__policy busy = {0}, quiet = {0}, later = {0};
    struct dl__policy_row *row = known_row(&busy, text, "one", 1000, 0);
    struct dl__pack said = {0};

    row->of[DL__NATIVE].samples = (struct dl__samples){0};
    for (int i = 0; i < 3; i++)
        dl__samples_add(&row->of[DL__NATIVE].samples, 0.006, 1000);
    row->of[DL__ASTA].promised.seconds = 0.003;
    row->of[DL__ASTA].beside = 0.006;
    dl__remember_write(&busy, text, &said);
    dl__remember_read(&quiet, text, said.data, said.bytes, false);
    dl__pack_free(&said);
    row = row_of(&quiet, "one", 1000, 0);
    ck_assert_double_eq_tol(dl__row_seconds(row, DL__ASTA, 1000), 0.003, 1e-9);
    for (int i = 0; i < 9; i++)
        dl__samples_add(&row->of[DL__NATIVE].samples, 0.003, 1000);
    ck_assert_double_eq_tol(dl__row_seconds(row, DL__ASTA, 1000), 0.0015, 1e-9);
    dl__remember_write(&quiet, text, &said);
    dl__remember_read(&later, text, said.data, said.bytes, false);
    dl__pack_free(&said);
    row = row_of(&later, "one", 1000, 0);
    ck_assert_double_eq_tol(dl__row_seconds(row, DL__NATIVE, 1000), 0.003, 1e-9);
    ck_assert_double_eq_tol(dl__row_seconds(row, DL__ASTA, 1000), 0.0015, 1e-9);
    policy_free(&busy);
    policy_free(&quiet);
    policy_free(&later);
}
END_TEST

START_TEST(short_is_what_was_launched_and_timed)
{
    static const double seconds[] = {0, 2e-6, 2e-3};
    struct dl__policy policy = {0};

    for (int k = 0; k < 3; k++) {
        size_t launched = 0, known_short = 0;
        struct dl__policy_row *row = row_of(&policy, "one", 1000, 0);

        for (int i = 0; i < 3 && seconds[k] > 0; i++)
            dl__samples_add(&row->of[DL__NATIVE].samples, seconds[k], 1000);
        dl__policy_count_short(&policy, &launched, &known_short);
        ck_assert_uint_eq(launched + known_short, 0);
        row->launches = 1;
        dl__policy_count_short(&policy, &launched, &known_short);
        ck_assert_uint_eq(launched, 1);
        ck_assert_uint_eq(known_short, seconds[k] == 2e-6);
        policy_free(&policy);
        policy = (struct dl__policy){0};
    }
}
END_TEST

/* Nothing is read beyond the end, wherever that is. */
START_TEST(an_end_is_an_end)
{
    struct dl__policy written = {0};
    struct dl__pack said = {0};

    known_row(&written, text, "one", 1000, 0);
    dl__remember_write(&written, text, &said);
    for (size_t bytes = 0; bytes < said.bytes; bytes++) {
        struct dl__policy policy = {0};
        void *part = malloc(bytes);

        memcpy(part, said.data, bytes);
        dl__remember_read(&policy, text, part, bytes, false);
        free(part);
        policy_free(&policy);
    }
    dl__pack_free(&said);
    policy_free(&written);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("policy");
    TCase *tcase = tcase_create("remember");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_test(tcase, what_is_written_is_read);
    tcase_add_test(tcase, what_others_kept_is_added);
    tcase_add_test(tcase, what_a_busy_run_has_explored_is_scaled);
    tcase_add_test(tcase, short_is_what_was_launched_and_timed);
    tcase_add_test(tcase, an_end_is_an_end);
    suite_add_tcase(suite, tcase);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
