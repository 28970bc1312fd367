/* SPDX-License-Identifier: MIT */
/* Claims: random annotated programs compute the same bytes rewritten as as written; and
 * so they do without their annotations, as DL finds their buffers itself.
 *
 * Runs seeds 1 to 10 (11 to 20 with DL_TURN=1), some in one kernel, on two of four
 * tilings by turns; with DL_TEST_FULL 1 to 500, and on all tilings, as when DL_ALL is
 * set. Without annotations 41 to 46, and 501 to 2500 (DL_DETECT_SEEDS=FIRST-LAST runs
 * others), three in a kernel. DL_SEEDS=FIRST-LAST runs other annotated seeds; each is by
 * itself when DL_ALONE is set. DL_SECONDS=S goes on with new ones, on all tilings, until
 * they have passed. Every other kernel is built without optimising, unless all tilings
 * are asked for. DL_PRINT_SEED=N prints a program.
 *
 * A difference does not end the run: what differs is run again seed by seed, and a line
 * names each seed that differs by itself. Another names those whose program differs from
 * itself as written, built without optimising: that is the device's compiler's doing, or
 * the generator's. A crash names the seeds that it came with. */
#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "case_run.h"
#include "random_program.h"

enum {
    BATCH = 5,
    BATCH_BARE = 3,
    SEEDS = 10,
    SEEDS_FULL = 500,
    SEEDS_BARE = 6,
    SEEDS_BARE_FULL = 2000
};

/* Seeds FIRST to LAST, some in a kernel, with annotations or without. */
struct range {
    int first, last, batch;
    bool detect;
};

static struct range by_hand = {1, SEEDS, BATCH, false},
                    bare = {41, 40 + SEEDS_BARE, BATCH_BARE, true};
static bool all_tilings, as_written;
static time_t stop_at;
static size_t programs, programs_found, buffers_found;

/* What is run, for whoever has to say so. */
static char running[64];

/* Takes the annotations out of a copy. */
static char *without_annotations(const char *text)
{
    char *copy = strdup(text), *at = copy;

    while ((at = strstr(at, "//DL:")) != NULL)
        memset(at, ' ', strcspn(at, "\n"));
    return copy;
}

static size_t run(const struct range *r, int seed, int count)
{
    size_t found;
    struct case_file c = {.name = running, .path = (char[]){DL_CASES_DIR "/random.cl"}};

    snprintf(running, sizeof running, "seeds %d-%d%s", seed, seed + count - 1,
             r->detect ? " without annotations" : "");
    c.text = random_program((uint32_t)seed, (unsigned)count);
    c.bytes = strlen(c.text);
    c.run = strdup(strstr(c.text, "// run: ") + strlen("// run: "));
    *strchr(c.run, '\n') = '\0';
    case_run_optimise(all_tilings || seed / r->batch % 2 == 0);
    c.detect = r->detect;
    c.bare = r->detect ? without_annotations(c.text) : NULL;
    found = case_run(&c, as_written            ? CASE_AS_WRITTEN
                         : all_tilings         ? CASE_TILINGS_ALL
                         : seed / r->batch % 2 ? CASE_TILINGS_ODD
                                               : CASE_TILINGS_EVEN);
    free(c.run);
    free(c.bare);
    free(c.text);
    return found;
}

/* The _i-th kernel of a range. */
static void run_batch(const struct range *r, int number)
{
    int seed = r->first + number * r->batch, left = r->last - seed + 1;
    size_t found = run(r, seed, left < r->batch ? left : r->batch);

    programs += r->detect;
    programs_found += r->detect && found > 0;
    buffers_found += r->detect ? found : 0;
}

START_TEST(random_programs_compute_the_same_bytes)
{
    run_batch(&by_hand, _i);
}
END_TEST

START_TEST(random_programs_compute_the_same_bytes_for_a_time)
{
    for (int seed = by_hand.first; time(NULL) < stop_at; seed += by_hand.batch)
        run(&by_hand, seed, by_hand.batch);
}
END_TEST

START_TEST(random_programs_need_no_annotations)
{
    run_batch(&bare, _i);
}
END_TEST

START_TEST(most_need_no_annotations)
{
    printf("seeds %d to %d without annotations: %zu buffers, in %zu of %zu kernels\n",
           bare.first, bare.last, buffers_found, programs_found, programs);
    /* One buffer that is passed twice, and found once, keeps all of its kernel as it is.
     */
    ck_assert_msg(programs_found * 2 >= programs, "found in %zu kernels of %zu",
                  programs_found, programs);
}
END_TEST

/* ---- which seed it was ---- */

static struct range alone; /* seeds of one kernel that differed */

START_TEST(one_seed_alone)
{
    run(&alone, alone.first + _i, 1);
}
END_TEST

static int run_tests(TCase *tcase, enum print_output how, SRunner **runner)
{
    Suite *suite = suite_create("random");

    tcase_set_timeout(tcase, 0);
    suite_add_tcase(suite, tcase);
    *runner = srunner_create(suite);
    srunner_set_fork_status(*runner, CK_NOFORK);
    srunner_run_all(*runner, how);
    return srunner_ntests_failed(*runner);
}

/* Returns how many fail. */
static int say_failures(TCase *tcase, const char *how)
{
    SRunner *runner;
    int failed = run_tests(tcase, CK_SILENT, &runner);
    TestResult **results = srunner_failures(runner);

    for (int i = 0; i < failed; i++)
        fprintf(stderr, "%s: %s\n", how, tr_msg(results[i]));
    free(results);
    srunner_free(runner);
    return failed;
}

/* Runs the seeds of a kernel that differed one by one. Tilings and optimising are chosen
 * by a seed's number in its range: alone they must be those of its kernel, or all. */
static void name_seeds(const struct range *r, int seed)
{
    TCase *tcase = tcase_create("alone");
    int count = r->last - seed + 1 < r->batch ? r->last - seed + 1 : r->batch, failed;
    bool all = all_tilings;

    alone = (struct range){seed, seed + count - 1, 1, r->detect};
    all_tilings = true;
    tcase_add_loop_test(tcase, one_seed_alone, 0, count);
    failed = say_failures(tcase, "seed that differs");
    tcase = tcase_create("as written");
    as_written = true;
    tcase_add_loop_test(tcase, one_seed_alone, 0, count);
    say_failures(tcase, "as written it differs without optimising, too");
    as_written = false;
    all_tilings = all;
    if (!failed)
        fprintf(stderr, "seeds that differ, but not alone: %d-%d%s\n", seed,
                seed + count - 1, r->detect ? " without annotations" : "");
}

static void name_failures(SRunner *runner)
{
    int failed = srunner_ntests_failed(runner), first, last;
    TestResult **results = srunner_failures(runner);

    for (int i = 0; i < failed; i++)
        if (sscanf(tr_msg(results[i]), "seeds %d-%d", &first, &last) == 2)
            name_seeds(strstr(tr_msg(results[i]), "without") ? &bare : &by_hand, first);
    free(results);
}

static void say_where(int number)
{
    ssize_t written = write(STDERR_FILENO, "crashed in ", strlen("crashed in "));

    written = write(STDERR_FILENO, running, strlen(running));
    written = write(STDERR_FILENO, "\n", 1);
    (void)written;
    signal(number, SIG_DFL);
    raise(number);
}

/* ---- what is asked for ---- */

static bool read_range(const char *name, struct range *r)
{
    const char *value = getenv(name);
    char end;

    if (value && (sscanf(value, "%d-%d%c", &r->first, &r->last, &end) != 2 ||
                  r->first < 1 || r->last < r->first)) {
        fprintf(stderr, "%s has the form FIRST-LAST\n", name);
        return false;
    }
    return true;
}

static bool read_environment(void)
{
    const char *seconds = getenv("DL_SECONDS"), *turn = getenv("DL_TURN");

    if (turn && *turn == '1') {
        by_hand.first += SEEDS;
        by_hand.last += SEEDS;
    }
    if (getenv("DL_TEST_FULL")) {
        by_hand.first = 1;
        by_hand.last = SEEDS_FULL;
        bare.first = SEEDS_FULL + 1;
        bare.last = SEEDS_FULL + SEEDS_BARE_FULL;
    }
    if (!read_range("DL_SEEDS", &by_hand) || !read_range("DL_DETECT_SEEDS", &bare))
        return false;
    all_tilings = seconds || getenv("DL_ALL") || getenv("DL_TEST_FULL");
    if (getenv("DL_ALONE"))
        by_hand.batch = bare.batch = 1;
    if (seconds) {
        stop_at = time(NULL) + atoi(seconds);
        if (!getenv("DL_SEEDS"))
            by_hand.first = (int)(time(NULL) & 0xffffff) * BATCH;
        printf("seeds from %d on\n", by_hand.first);
    }
    return true;
}

static int batches(const struct range *r)
{
    return (r->last - r->first) / r->batch + 1;
}

static void add_tests(TCase *tcase)
{
    bool seeds = getenv("DL_SEEDS"), detect = getenv("DL_DETECT_SEEDS");

    if (stop_at && !detect)
        tcase_add_test(tcase, random_programs_compute_the_same_bytes_for_a_time);
    else if (seeds || !detect)
        tcase_add_loop_test(tcase, random_programs_compute_the_same_bytes, 0,
                            batches(&by_hand));
    if (!stop_at && (detect || !seeds)) {
        tcase_add_loop_test(tcase, random_programs_need_no_annotations, 0,
                            batches(&bare));
        tcase_add_test(tcase, most_need_no_annotations);
    }
}

int main(void)
{
    TCase *tcase = tcase_create("programs");
    const char *print = getenv("DL_PRINT_SEED");
    SRunner *runner;
    int failed;

    if (print) {
        char *text = random_program((uint32_t)atoi(print), 1);

        fputs(text, stdout);
        free(text);
        return EXIT_SUCCESS;
    }
    if (!case_run_open()) {
        fprintf(stderr, "skipped: no OpenCL device on the CPU\n");
        return 77;
    }
    if (!read_environment())
        return EXIT_FAILURE;
    signal(SIGSEGV, say_where);
    signal(SIGABRT, say_where);
    add_tests(tcase);
    failed = run_tests(tcase, CK_NORMAL, &runner);
    name_failures(runner);
    srunner_free(runner);
    case_run_close();
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
