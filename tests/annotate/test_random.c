/* Claims: random annotated programs compute the same bytes rewritten as as written; and so they do
 * without their annotations, as DL finds their buffers itself.
 *
 * Runs seeds 1 to 40, some in one kernel, on two of four tilings by turns; with DL_TEST_FULL 1 to
 * 500, and on all tilings, as when DL_ALL is set. Without annotations 41 to 50, and 501 to 2500
 * (DL_DETECT_SEEDS), five in a kernel. DL_SEEDS=FIRST-LAST runs other seeds, each by
 * itself when DL_ALONE is set; DL_SECONDS=S goes on with new ones, on all tilings, until they
 * have passed. Every other kernel is built without optimising, unless all tilings are asked for
 * (common/turn.h). DL_PRINT_SEED=N prints a program. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "case_run.h"
#include "random_program.h"
#include "tests/common/turn.h"

enum { BATCH = 10, BATCH_BARE = 5 };

enum { SEEDS = 40, SEEDS_FULL = 500, SEEDS_BARE = 10, SEEDS_BARE_FULL = 2000 };

static int first = 1, last = SEEDS, batch = BATCH;
static int first_bare = SEEDS + 1, last_bare = SEEDS + SEEDS_BARE;
static bool all_tilings;
static time_t stop_at;

/* Takes the annotations out of a copy. */
static char *without_annotations(const char *text)
{
    char *bare = strdup(text), *at = bare;

    while ((at = strstr(at, "//DL:")) != NULL)
        memset(at, ' ', strcspn(at, "\n"));
    return bare;
}

static size_t run(int seed, int count, unsigned which, bool detect)
{
    size_t found;
    char name[64];
    struct case_file c = {.name = name, .path = (char[]){"/tmp/random.cl"}};

    snprintf(name, sizeof name, "seeds %d-%d", seed, seed + count - 1);
    c.text = random_program((uint32_t)seed, (unsigned)count);
    c.bytes = strlen(c.text);
    c.run = strdup(strstr(c.text, "// run: ") + strlen("// run: "));
    *strchr(c.run, '\n') = '\0';
    case_run_optimise(all_tilings ||
                      is_its_turn((unsigned)(seed / (detect ? BATCH_BARE : BATCH))));
    c.detect = detect;
    c.bare = detect ? without_annotations(c.text) : NULL;
    found = case_run(&c, which);
    free(c.run);
    free(c.bare);
    free(c.text);
    return found;
}

START_TEST(random_programs_compute_the_same_bytes)
{
    for (int seed = first; stop_at ? time(NULL) < stop_at : seed <= last; seed += batch)
        run(seed, !stop_at && last - seed + 1 < batch ? last - seed + 1 : batch,
            all_tilings        ? CASE_TILINGS_ALL
            : seed / batch % 2 ? CASE_TILINGS_ODD
                               : CASE_TILINGS_EVEN,
            false);
}
END_TEST

START_TEST(random_programs_need_no_annotations)
{
    size_t programs = 0, found = 0, buffers = 0;

    for (int seed = first_bare; !stop_at && seed <= last_bare; seed += BATCH_BARE) {
        int left = last_bare - seed + 1;
        size_t of_these = run(seed, left < BATCH_BARE ? left : BATCH_BARE,
                              all_tilings             ? CASE_TILINGS_ALL
                              : seed / BATCH_BARE % 2 ? CASE_TILINGS_ODD
                                                      : CASE_TILINGS_EVEN,
                              true);

        programs++;
        found += of_these > 0;
        buffers += of_these;
    }
    printf("seeds %d to %d without annotations: %zu buffers, in %zu of %zu kernels\n",
           first_bare, last_bare, buffers, found, programs);
    /* One buffer that is passed twice, and found once, keeps all of its kernel as it is. */
    ck_assert_msg(found * 2 >= programs, "found in %zu kernels of %zu", found, programs);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("random");
    TCase *tcase = tcase_create("programs");
    SRunner *runner = srunner_create(suite);
    const char *seeds = getenv("DL_SEEDS"), *print = getenv("DL_PRINT_SEED"),
               *seconds = getenv("DL_SECONDS"), *bare = getenv("DL_DETECT_SEEDS");
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
    if (getenv("DL_TEST_FULL")) {
        last = SEEDS_FULL;
        first_bare = SEEDS_FULL + 1;
        last_bare = SEEDS_FULL + SEEDS_BARE_FULL;
    }
    if (bare && sscanf(bare, "%d-%d", &first_bare, &last_bare) != 2) {
        fprintf(stderr, "DL_DETECT_SEEDS has the form FIRST-LAST\n");
        return EXIT_FAILURE;
    }
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
    if (!bare)
        tcase_add_test(tcase, random_programs_compute_the_same_bytes);
    if (bare || !seeds)
        tcase_add_test(tcase, random_programs_need_no_annotations);
    tcase_set_timeout(tcase, 0);
    suite_add_tcase(suite, tcase);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    case_run_close();
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
