/* SPDX-License-Identifier: MIT */
/* Claim: what is tried besides (launches/trial.h) is within the bound, and charged to it. */
#include <check.h>
#include <stdlib.h>

#include "libdl_intercept/policy/core.h"

enum { MB = 1000000 };

START_TEST(a_trial_is_begun_within_the_bound_only)
{
    struct dl__policy policy = {
        .rates = {.copy_mb = 1000}}; /* a millisecond a megabyte */
    struct dl__policy_ask ask = {.estimate = {.native_seconds = 0.001}, .work = 1};
    const unsigned char text[32] = "text";

    ask.kernel = dl__policy_kernel_get(&policy, text, "kernel");
    ask.row = dl__policy_row_get(ask.kernel, 1, 1);
    /* Of 50 ms a fifth is left alone. */
    ck_assert(dl__policy_affords(&policy, &ask, 10 * MB, 2));
    ck_assert(dl__policy_affords(&policy, &ask, 37 * MB, 2));
    ck_assert(!dl__policy_affords(&policy, &ask, 39 * MB, 2));
    ck_assert(!dl__policy_affords(&policy, &ask, 37 * MB, 4));
    /* What one took, the next has not. */
    dl__policy_spent(&policy, &ask, 0.030);
    ck_assert(dl__policy_affords(&policy, &ask, 7 * MB, 2));
    ck_assert(!dl__policy_affords(&policy, &ask, 9 * MB, 2));
    /* 5 % of a second more. */
    policy.ledger.native_seconds += 1;
    ck_assert(dl__policy_affords(&policy, &ask, 47 * MB, 2));
    ck_assert(!dl__policy_affords(&policy, &ask, 49 * MB, 2));
    dl__policy_free(&policy);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("trials");
    TCase *tcase = tcase_create("trials");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_test(tcase, a_trial_is_begun_within_the_bound_only);
    suite_add_tcase(suite, tcase);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
