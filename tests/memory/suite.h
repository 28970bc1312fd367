/* SPDX-License-Identifier: MIT */
/* What the programs of memory tests share around their cases. */
#ifndef SUITE_H
#define SUITE_H

#include <check.h>

/* A case of its own for each test, so that CK_RUN_CASE can run it alone; the second form
 * runs it `count` times, with _i from 0. */
#define SUITE_CASE(suite, name) SUITE_CASES(suite, name, 1)
#define SUITE_CASES(suite, name, count)                                                  \
    do {                                                                                 \
        TCase *tcase = tcase_create(#name);                                              \
        tcase_set_timeout(tcase, 60);                                                    \
        tcase_add_loop_test(tcase, name, 0, count);                                      \
        suite_add_tcase(suite, tcase);                                                   \
    } while (0)

/* Runs all cases in this process, for drivers do not live through a fork. Frees the
 * suite; the result is main's. */
static inline int suite_run(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    int failed;

    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}

#endif
