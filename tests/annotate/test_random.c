/* Claim: random annotated programs compute the same bytes rewritten as as written.
 *
 * Runs seeds 1 to 40, some in one kernel, on two of four tilings by turns; with DL_TEST_FULL 1 to
 * 500, and on all tilings, as when DL_ALL is set. DL_SEEDS=FIRST-LAST runs other seeds, each by
 * itself when DL_ALONE is set; DL_SECONDS=S goes on with new ones, on all tilings, until they
 * have passed. DL_PRINT_SEED=N prints a program. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "case_run.h"
#include "random_program.h"

enum { BATCH = 10 };

enum { SEEDS = 40, SEEDS_FULL = 500 };

static int first = 1, last = SEEDS, batch = BATCH;
static bool all_tilings;
static time_t stop_at;

static void run(int seed, int count, unsigned which)
{
    char name[64];
    struct case_file c = {.name = name, .path = (char[]){"/tmp/random.cl"}};

    snprintf(name, sizeof name, "seeds %d-%d", seed, seed + count - 1);
    c.text = random_program((uint32_t)seed, (unsigned)count);
    c.bytes = strlen(c.text);
    c.run = strdup(strstr(c.text, "// run: ") + strlen("// run: "));
    *strchr(c.run, '\n') = '\0';
    case_run(&c, which);
    free(c.run);
    free(c.text);
}

START_TEST(random_programs_compute_the_same_bytes)
{
    for (int seed = first; stop_at ? time(NULL) < stop_at : seed <= last; seed += batch)
        run(seed, !stop_at && last - seed + 1 < batch ? last - seed + 1 : batch,
            all_tilings        ? CASE_TILINGS_ALL
            : seed / batch % 2 ? CASE_TILINGS_ODD
                               : CASE_TILINGS_EVEN);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("random");
    TCase *tcase = tcase_create("programs");
    SRunner *runner = srunner_create(suite);
    const char *seeds = getenv("DL_SEEDS"), *print = getenv("DL_PRINT_SEED"),
               *seconds = getenv("DL_SECONDS");
    int failed;

    if (print) {
        char *text = random_program((uint32_t)atoi(print), 1);

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
    if (getenv("DL_TEST_FULL"))
        last = SEEDS_FULL;
    if (seeds && sscanf(seeds, "%d-%d", &first, &last) != 2) {
        fprintf(stderr, "DL_SEEDS has the form FIRST-LAST\n");
        return EXIT_FAILURE;
    }
    all_tilings = seconds || getenv("DL_ALL") || getenv("DL_TEST_FULL");
    if (getenv("DL_ALONE"))
        batch = 1;
    if (seconds) {
        stop_at = time(NULL) + atoi(seconds);
        first = seeds ? first : (int)(time(NULL) & 0xffffff) * BATCH;
        printf("seeds from %d on\n", first);
    }
    tcase_add_test(tcase, random_programs_compute_the_same_bytes);
    tcase_set_timeout(tcase, 0);
    suite_add_tcase(suite, tcase);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    case_run_close();
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
