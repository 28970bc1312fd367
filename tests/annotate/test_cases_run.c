/* SPDX-License-Identifier: MIT */
/* Claim: a rewritten kernel computes the same bytes as the original, on every tiling.
 * What each case is rewritten to, annotate_cases_text compares; here a sixteenth of the
 * cases a turn (turn.h) run, each on one of five tilings, all optimised: without, PoCL
 * takes up to forty times as long for some. All on all with DL_TEST_FULL; a case that is
 * named, or says `each turn`, on all. Others look at half of the cases a turn. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "case_run.h"
#include "tests/common/turn.h"

static struct case_file *cases;
static size_t case_count;
static bool looked_at, named;
static unsigned others; /* variants that others look at */

static bool all(void)
{
    return looked_at || named || getenv("DL_TEST_FULL");
}

/* Of a turn's cases tilings 0, 4, 3, 2, 1 one after the other. */
static unsigned tilings(unsigned number)
{
    return all() || cases[number].each_turn ? CASE_TILINGS_ALL
                                            : CASE_COALESCED | 1U << number / 16 * 4 % 5;
}

START_TEST(case_computes_the_same_bytes)
{
    /* Compare-and-exchange is what shows that a race would be seen. */
    bool its_turn =
        looked_at
            ? is_its_turn_of((unsigned)_i, 2) || strstr(cases[_i].text, "cmpxchg") != NULL
            : all() || cases[_i].each_turn || is_its_turn_of((unsigned)_i, 16);

    if (!its_turn)
        return;
    if (looked_at && cases[_i].run && !cases[_i].refused)
        fprintf(stderr, "case %s\n", cases[_i].name);
    /* Oclgrind does not know what LLVM makes of functions that return structs. */
    case_run_optimise(!others);
    case_run(&cases[_i], looked_at ? others : tilings((unsigned)_i));
}
END_TEST

/* A case that is not run would only say what the text is. */
START_TEST(every_accepted_case_is_run)
{
    size_t run = 0, refused = 0;

    for (size_t i = 0; i < case_count; i++) {
        /* Discrete arrays and layouts of grids are the interposer's to make:
         * memory_discrete and memory_grid run such kernels. */
        bool elsewhere =
            strstr(cases[i].text, "DL: grid:") ||
            (strstr(cases[i].text, "DL: SoA:") && !strstr(cases[i].text, "to ASTA"));

        ck_assert_msg(cases[i].refused || cases[i].run || elsewhere,
                      "%s has no `// run:`", cases[i].name);
        run += !cases[i].refused && !elsewhere;
        refused += cases[i].refused;
    }
    ck_assert_uint_ge(run, 80);
    ck_assert_uint_ge(refused, 20);
}
END_TEST

/* With a name, runs that case only; with --native, all as written, for others to look at,
 * and with
 * --coalesced those that have a text for it in that, too. */
int main(int argc, char **argv)
{
    Suite *suite = suite_create("cases");
    TCase *tcase = tcase_create("run");
    SRunner *runner = srunner_create(suite);
    int failed, first = 0, last;

    if (!case_run_open()) {
        fprintf(stderr, "skipped: no OpenCL device on the CPU\n");
        srunner_free(runner);
        return 77;
    }
    looked_at =
        argc > 1 && (!strcmp(argv[1], "--native") || !strcmp(argv[1], "--coalesced"));
    others = looked_at && !strcmp(argv[1], "--coalesced") ? CASE_COALESCED : 0;
    cases = case_files_load(&case_count);
    last = (int)case_count;
    for (int i = 0; argc > 1 && i < (int)case_count; i++) {
        if (!strcmp(cases[i].name, argv[1])) {
            first = i;
            last = i + 1;
            named = true;
        }
    }
    tcase_add_loop_test(tcase, case_computes_the_same_bytes, first, last);
    tcase_add_test(tcase, every_accepted_case_is_run);
    tcase_set_timeout(tcase, 120);
    suite_add_tcase(suite, tcase);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    case_files_free(cases, case_count);
    /* PoCL 6.0 damages its heap at times while it compiles, also with the cases as
     * written (--native, an empty cache: 1 run in 5), and aborts when the context is
     * released. All has been checked by then. */
    fflush(NULL);
    _exit(failed ? EXIT_FAILURE : EXIT_SUCCESS);
}
