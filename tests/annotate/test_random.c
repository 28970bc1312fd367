/* Claim: random annotated programs compute the same bytes rewritten as as written.
 *
 * Runs seeds 1 to 8; DL_SEEDS=FIRST-LAST runs others, DL_PRINT_SEED=N prints a program.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_run.h"
#include "random_program.h"

START_TEST(random_program_computes_the_same_bytes)
{
    char name[32];
    struct case_file c = {.name = name, .path = (char[]){"/tmp/random.cl"}};

    snprintf(name, sizeof name, "seed %d", _i);
    c.text = random_program((uint32_t)_i);
    c.bytes = strlen(c.text);
    c.run = strdup(strstr(c.text, "// run: ") + strlen("// run: "));
    *strchr(c.run, '\n') = '\0';
    c.ignore = strstr(c.text, "// ignore:");
    c.ignore = c.ignore ? c.ignore + strlen("// ignore:") : NULL;
    case_run(&c);
    free(c.run);
    free(c.text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("random");
    TCase *tcase = tcase_create("programs");
    SRunner *runner = srunner_create(suite);
    const char *seeds = getenv("DL_SEEDS"), *print = getenv("DL_PRINT_SEED");
    int failed, first = 1, last = 8;

    if (print) {
        char *text = random_program((uint32_t)atoi(print));

        fputs(text, stdout);
        free(text);
        srunner_free(runner);
        return EXIT_SUCCESS;
    }
    if (!case_run_open()) {
        fprintf(stderr, "skipped: no OpenCL device on the CPU\n");
        srunner_free(runner);
        return 77;
    }
    if (seeds && sscanf(seeds, "%d-%d", &first, &last) != 2) {
        fprintf(stderr, "DL_SEEDS has the form FIRST-LAST\n");
        return EXIT_FAILURE;
    }
    tcase_add_loop_test(tcase, random_program_computes_the_same_bytes, first, last + 1);
    tcase_set_timeout(tcase, 0);
    suite_add_tcase(suite, tcase);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    case_run_close();
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
