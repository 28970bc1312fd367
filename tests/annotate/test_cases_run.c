/* Claim: a rewritten kernel computes the same bytes as the original, on every tiling: a case on one
 * of five by turns (turn.h), on all with DL_TEST_FULL or when a case is named; half of the cases a turn are
 * built without optimising, which takes half as long. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_run.h"
#include "tests/common/turn.h"

static struct case_file *cases;
static size_t case_count;
static bool natively, named;

/* In `make test` tilings 0, 2, 4, 1, 3 by turns; under sanitizers the next of the case. */
static unsigned tilings(unsigned number)
{
    unsigned turn = number * 2 % 5;

    if (named || getenv("DL_TEST_FULL"))
        return CASE_TILINGS_ALL;
    return is_its_turn(0) ? 1U << turn : 1U << (turn + 1) % 5;
}

START_TEST(case_computes_the_same_bytes)
{
    if (natively && cases[_i].run && !cases[_i].refused)
        fprintf(stderr, "case %s\n", cases[_i].name);
    case_run_optimise(natively || named || is_its_turn((unsigned)_i));
    case_run(&cases[_i], natively ? 0 : tilings((unsigned)_i));
}
END_TEST

/* A case that is not run would only say what the text is. */
START_TEST(every_accepted_case_is_run)
{
    size_t run = 0, refused = 0;

    for (size_t i = 0; i < case_count; i++) {
        /* Discrete arrays are the interposer's to make: memory_soa runs such kernels. */
        bool elsewhere =
            strstr(cases[i].text, "DL: SoA:") && !strstr(cases[i].text, "to ASTA");

        ck_assert_msg(cases[i].refused || cases[i].run || elsewhere,
                      "%s has no `// run:`", cases[i].name);
        run += !cases[i].refused && !elsewhere;
        refused += cases[i].refused;
    }
    ck_assert_uint_ge(run, 80);
    ck_assert_uint_ge(refused, 20);
}
END_TEST

/* With a name, runs that case only; with --native, all as written, for others to look at. */
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
    natively = argc > 1 && !strcmp(argv[1], "--native");
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
    case_run_close();
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
