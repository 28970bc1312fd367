/* SPDX-License-Identifier: MIT */
/* dl-bench overhead: what DL adds to the calls of programs, in instructions, counted by
 * callgrind: each program (overhead_*.c) runs under it twice, natively and under dl-run,
 * and makes the calls of each case many times. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "options/options.h"
#include "overhead.h"

enum { CALLS = 640, REPS = 9 };

const struct overhead_program *const overhead_programs[OVERHEAD_PROGRAMS] = {
    &overhead_plain, &overhead_auto, &overhead_asta};

/* Callgrind writes down what it has counted, and starts anew, when this is called. */
void overhead_mark(void);
__attribute__((noinline)) void overhead_mark(void)
{
    __asm__ volatile("");
}

/* Each case runs once uncounted, so that everything is bound and sized. */
static int program_main(const struct overhead_program *program)
{
    program->open();
    for (size_t c = 0; c < program->case_count; c++) {
        for (unsigned i = 0; i < OVERHEAD_WARM_CALLS; i++)
            program->cases[c].call(i);
        overhead_mark();
        for (unsigned i = 0; i < CALLS; i++)
            program->cases[c].call(i);
        overhead_mark();
    }
    return 0;
}

/* ---- counting ---- */

static bool run(char *const *argv)
{
    pid_t child = fork();
    int status;

    if (child == 0) {
        execvp(argv[0], argv);
        fprintf(stderr, "dl-bench overhead: %s: %s\n", argv[0], strerror(errno));
        _exit(127);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

/* And what DL has kept in it. */
static void directory_remove(const char *directory)
{
    char *argv[] = {(char *)"rm", (char *)"-rf", (char *)"--", (char *)directory, NULL};

    run(argv);
}

/* Counts every case of a program, under `runner` when it is not NULL. The files of
 * callgrind go into `directory`, the I-th part to out.I. Parts are cut at the marks: the
 * odd ones are what comes before a case, the even ones the cases. Without `counts` it
 * only runs, so that DL keeps what it has to build. */
static bool cases_count(const char *self, char *runner, const char *layout,
                        char *directory, size_t which, struct overhead_count *counts,
                        char *clang)
{
    const struct overhead_program *program = overhead_programs[which];
    char out[PATH_MAX], path[PATH_MAX + 16], number[] = {(char)('0' + which), '\0'};
    char cache[PATH_MAX], *argv[20];
    size_t n = 0;

    snprintf(out, sizeof out, "--callgrind-out-file=%s/%s", directory,
             runner ? "dl" : "native");
    snprintf(cache, sizeof cache, "%s/cache", directory);
    if (runner) {
        argv[n++] = runner;
        argv[n++] = (char *)"--cache";
        argv[n++] = cache;
        if (layout) {
            argv[n++] = (char *)"--layout";
            argv[n++] = (char *)layout;
        }
        argv[n++] = (char *)"--";
    }
    if (counts) {
        argv[n++] = (char *)"valgrind";
        argv[n++] = (char *)"--log-file=/dev/null"; /* of system calls it does not know */
        argv[n++] = (char *)"--tool=callgrind";
        argv[n++] = (char *)"--dump-before=overhead_mark";
        argv[n++] = out;
    }
    argv[n++] = (char *)self;
    argv[n++] = (char *)"overhead";
    argv[n++] = (char *)"--program";
    argv[n++] = number;
    argv[n] = NULL;
    if (!run(argv))
        return false;
    if (!counts)
        return true;
    for (size_t part = 1; part <= 2 * program->case_count; part++) {
        struct overhead_count discarded;

        snprintf(path, sizeof path, "%s.%zu", strchr(out, '=') + 1, part);
        if (!overhead_profile_read(path, CALLS,
                                   part % 2 ? &discarded : &counts[part / 2 - 1], clang,
                                   OVERHEAD_LINE_BYTES)) {
            fprintf(stderr, "dl-bench overhead: callgrind has written no %s\n", path);
            return false;
        }
        unlink(path);
    }
    unlink(strchr(out, '=') + 1);
    return true;
}

static void overhead_usage(FILE *out)
{
    fprintf(
        out,
        "usage: dl-bench overhead [--time] [--device NAME] [--vendors DIR] [--dl-run "
        "FILE]\n\n"
        "  --time         microseconds of the host over the machine's own driver, "
        "instead\n"
        "                 of instructions over the tests'\n"
        "  --device NAME  a part of the device's or its platform's name [the first]\n"
        "  --vendors DIR  of the OpenCL driver to run over [that of the tests, if this\n"
        "                 is a build directory]\n"
        "  --dl-run FILE  the launcher [beside this program]\n\n"
        "Fails when DL adds more instructions to a call than its bound, takes a lock "
        "where\n"
        "nothing is annotated, or loads a libclang there.\n");
}

/* False: DL adds too much. */
static bool counts_print(const struct overhead_program *program,
                         const struct overhead_count *native,
                         const struct overhead_count *under_dl)
{
    bool good = true;

    printf("%-31s  native  under DL   added  bound  DL's own  locks\n", program->title);
    for (size_t c = 0; c < program->case_count; c++) {
        const struct overhead_case *own = &program->cases[c];
        double added = under_dl[c].instructions - native[c].instructions;
        double locks = under_dl[c].locks - native[c].locks;
        /* DL calls nothing of the driver's there that the program has not called: what is
         * added besides its own is the driver's looking for handles, a few more or less
         * with where its memory lies. */
        double judged = program->annotated ? added : under_dl[c].own;
        bool over = judged > own->limit || locks > own->locks;

        printf("%-31s %7.0f %9.0f %7.1f %6.0f %9.1f %6.2f%s\n", own->name,
               native[c].instructions, under_dl[c].instructions, added, own->limit,
               under_dl[c].own, locks, over ? "  TOO MANY" : "");
        good = good && !over;
    }
    return good;
}

/* False: DL adds too much, or nothing could be counted. */
static bool program_count(const char *self, char *runner, size_t which)
{
    const struct overhead_program *program = overhead_programs[which];
    char clang[OVERHEAD_LINE_BYTES] = "", directory[] = "/tmp/dl-overhead-XXXXXX";
    struct overhead_count native[OVERHEAD_CASES_MAX], under_dl[OVERHEAD_CASES_MAX];
    bool counted, good;

    if (!mkdtemp(directory)) {
        perror(directory);
        return false;
    }
    counted = cases_count(self, NULL, NULL, directory, which, native, clang);
    /* Not `auto`, which would remember what it has found. A text without annotations is
     * read so, too, and has nothing. */
    counted = counted && cases_count(self, runner, "asta", directory, which, NULL, clang);
    if (program->layout)
        counted =
            counted && cases_count(self, runner, "da", directory, which, NULL, clang);
    counted = counted && cases_count(self, runner, program->layout, directory, which,
                                     under_dl, clang);
    directory_remove(directory);
    if (!counted)
        return false;
    good = counts_print(program, native, under_dl);
    if (clang[0] && !program->annotated) {
        printf("a libclang was loaded: %s", clang);
        good = false;
    }
    return good;
}

/* The fake driver asks for variables at each call: the more there are, the longer that
 * takes, and DL adds some. The one that dl-run sets for pyopencl is set natively, too. */
static void keep_environment_small(void)
{
    static const char *const needed[] = {"PATH", "HOME", "LD_LIBRARY_PATH",
                                         "OCL_ICD_VENDORS", "POCL_CACHE_DIR"};
    char *values[sizeof needed / sizeof *needed] = {NULL};

    for (size_t n = 0; n < sizeof needed / sizeof *needed; n++) {
        const char *value = getenv(needed[n]);

        values[n] = value ? strdup(value) : NULL;
    }
    clearenv();
    for (size_t n = 0; n < sizeof needed / sizeof *needed; n++) {
        if (values[n])
            setenv(needed[n], values[n], 1);
        free(values[n]);
    }
    setenv("PYOPENCL_NO_CACHE", "1", 1);
}

int overhead_main(int argc, char **argv)
{
    char self[PATH_MAX] = "", runner[PATH_MAX + 8], vendors[PATH_MAX + 32];
    bool good = true, timed = argc > 2 && strcmp(argv[2], "--time") == 0;

    if (timed) {
        argc--;
        argv++;
    }
    if (argc == 4 && strcmp(argv[2], "--program") == 0 && argv[3][0] >= '0' &&
        argv[3][0] < '0' + OVERHEAD_PROGRAMS)
        return (timed ? overhead_time_program
                      : program_main)(overhead_programs[argv[3][0] - '0']);
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        return 1;
    snprintf(runner, sizeof runner, "%.*s/dl-run", (int)(strrchr(self, '/') - self),
             self);
    snprintf(vendors, sizeof vendors, "%.*s/../tests/vendors",
             (int)(strrchr(self, '/') - self), self);
    for (int a = 2; a < argc; a += 2) {
        if (a + 1 < argc && strcmp(argv[a], "--vendors") == 0) {
            snprintf(vendors, sizeof vendors, "%s", argv[a + 1]);
        } else if (a + 1 < argc && strcmp(argv[a], "--dl-run") == 0) {
            snprintf(runner, sizeof runner, "%s", argv[a + 1]);
        } else if (a + 1 < argc && strcmp(argv[a], "--device") == 0) {
            setenv(OVERHEAD_DEVICE, argv[a + 1], 1);
        } else {
            overhead_usage(stderr);
            return 2;
        }
    }
    if (access(vendors, F_OK) == 0 && !timed)
        setenv("OCL_ICD_VENDORS", vendors, 1);
    /* What the user has set of DL is not to be measured, nor DL where it should not
     * be. */
    unsetenv("LD_PRELOAD");
    unsetenv("OPENCL_LAYERS");
    for (int i = 0; i < DL_OPTION_COUNT; i++)
        if (dl_option_row((enum dl_option)i)->environment)
            unsetenv(dl_option_row((enum dl_option)i)->environment);
    if (timed)
        return overhead_time(self, runner, REPS) ? 0 : 1;
    keep_environment_small();
    /* dl-run's default, which is then there natively, too. */
    setenv("DL_DETECT", "on", 1);
    /* A launch takes ten ticks as written and two in tiles, a conversion one, which is
     * soon worth its cost. */
    setenv("FAKE_TICK_NS", "100000", 1);
    setenv("FAKE_LAUNCH_NS", "10/2,10/2,1", 1);
    for (size_t which = 0; which < OVERHEAD_PROGRAMS; which++)
        good = program_count(self, runner, which) && good;
    return good ? 0 : 1;
}
