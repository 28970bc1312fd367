/* SPDX-License-Identifier: MIT */
/* dl-run: starts a program with DL in it, by setting its environment and becoming it. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "command.h"
#include "doctor/doctor.h"
#include "doctor/program.h"
#include "words.h"

enum { EXIT_USAGE = 2, EXIT_BROKEN = 125, EXIT_NOT_RUN = 126, EXIT_NOT_FOUND = 127 };

#define LIBRARY "libdl_intercept.so"

/* The build tree's, or a folder of DL's own among an installation's libraries. */
static const char *const libraries[] = {"../lib/" LIBRARY, "../lib/dl/" LIBRARY,
                                        "../" DL_RUN_LIBDIR "/dl/" LIBRARY};

/* The path of this program, into PATH_MAX bytes; also where there is no /proc. */
static bool find_self(char *self)
{
    const char *started_as = (const char *)getauxval(AT_EXECFN);
    ssize_t bytes = readlink("/proc/self/exe", self, PATH_MAX - 1);
    if (bytes > 0) {
        self[bytes] = '\0';
        return true;
    }
    return started_as && realpath(started_as, self);
}

/* What belongs to this dl-run, at one of these places beside its folder. returns owned by
 * the caller; NULL: not there */
static char *find_beside(const char *const *places, size_t count)
{
    char self[PATH_MAX];
    if (!find_self(self))
        return NULL;
    *strrchr(self, '/') = '\0'; /* an absolute path always has one */

    for (size_t i = 0; i < count; i++) {
        char *candidate = NULL, *path = NULL;
        if (asprintf(&candidate, "%s/%s", self, places[i]) < 0)
            return NULL;
        path = realpath(candidate, NULL);
        free(candidate);
        if (path)
            return path;
    }
    return NULL;
}

static bool list_has(const char *list, const char *separators, const char *entry)
{
    size_t entry_bytes = strlen(entry);
    while (*list) {
        size_t bytes = strcspn(list, separators);
        if (bytes == entry_bytes && memcmp(list, entry, bytes) == 0)
            return true;
        list += bytes;
        list += strspn(list, separators);
    }
    return false;
}

/* Appends an entry to a list in the environment, once. The user's own entries stay in
 * front: a sanitizer's runtime, for one, must be first. */
static bool append_to_list(const char *variable, const char *separators,
                           const char *entry)
{
    const char *old = getenv(variable);
    char *list = NULL;
    bool set;
    if (!old || !*old)
        return setenv(variable, entry, 1) == 0;
    if (list_has(old, separators, entry))
        return true; /* dl-run inside dl-run */
    if (asprintf(&list, "%s:%s", old, entry) < 0)
        return false;
    set = setenv(variable, list, 1) == 0;
    free(list);
    return set;
}

static bool is_quiet(void)
{
    char wrong[DL_OPTION_TEXT_BYTES];
    struct dl_option_value value;
    bool quiet = dl_option_read(DL_OPTION_log, &value, wrong) == DL_OK &&
                 (dl_option_is(&value, "quiet") || dl_option_is(&value, "error"));
    dl_option_value_free(&value);
    return quiet;
}

/* The dynamic linker splits LD_PRELOAD at blanks, too, and knows no quoting. */
static bool goes_by_layer(const struct run_command *command, const char *library)
{
    return run_command_has(command, DL_OPTION_layer) ||
           (library && strpbrk(library, " \t"));
}

/* What the command line asks for, or where neither that nor the environment does,
 * dl-run's own default. */
static bool set_option(const struct run_command *command, enum dl_option option)
{
    const struct dl_option_row *row = dl_option_row(option);
    const char *text = command->values[option].text, *there;

    if (!row->environment)
        return true;
    there = getenv(row->environment);
    if (!text && (!there || !*there))
        text = row->run_initial;
    return !text || setenv(row->environment, text, 1) == 0;
}

/* What LD_PRELOAD names: a path by which each child's dynamic linker gets what it can
 * load (libdl_intercept/preload.cmake); where there is no such folder, the library. The
 * caller frees it. */
static char *find_preload(const char *library)
{
    const int folder_bytes = (int)(strrchr(library, '/') - library);
    char *path = NULL;
    bool there;

    if (asprintf(&path, "%.*s/preload/lib64/%s", folder_bytes, library, LIBRARY) < 0)
        return NULL;
    there = access(path, R_OK) == 0;
    free(path);
    if (!there)
        return strdup(library);
    return asprintf(&path, "%.*s/preload/$LIB/%s", folder_bytes, library, LIBRARY) < 0
               ? NULL
               : path;
}

static int set_environment(const struct run_command *command, const char *library)
{
    int exit_code = EXIT_BROKEN;
    const bool layer = goes_by_layer(command, library);
    const char *separators = layer ? ":" : ": \t";
    const char *variable = layer ? "OPENCL_LAYERS" : "LD_PRELOAD";
    char *entry = NULL;
    if (!library) {
        fprintf(
            stderr,
            "dl-run: %s is not in the folder `lib` beside dl-run's own: build or install "
            "DL again\n",
            LIBRARY);
        goto out;
    }
    if (strchr(library, ':')) {
        fprintf(stderr,
                "dl-run: %s can't be named in %s: its path holds a separator; install DL "
                "in a folder without a colon\n",
                library, variable);
        goto out;
    }
    for (int i = 0; i < DL_OPTION_COUNT; i++)
        if (!set_option(command, (enum dl_option)i))
            goto out_of_memory;
    entry = layer ? strdup(library) : find_preload(library);
    if (entry && append_to_list(variable, separators, entry)) {
        if (layer && !run_command_has(command, DL_OPTION_layer) && !is_quiet())
            fprintf(stderr,
                    "dl-run: warning: LD_PRELOAD can't name %s, whose path has a blank: "
                    "going by OPENCL_LAYERS as with --layer\n",
                    library);
        exit_code = 0;
        goto out;
    }
out_of_memory:
    fputs("dl-run: out of memory\n", stderr);
out:
    free(entry);
    return exit_code;
}

/* Nothing else would say why nothing happens. */
static void warn_of_obstacle(const struct run_command *command, const char *library)
{
    const char *obstacle = NULL;
    struct program program;
    if (program_look(command->program[0], &program))
        obstacle = program_obstacle(&program, goes_by_layer(command, library));
    if (obstacle && !is_quiet())
        fprintf(stderr, "dl-run: warning: %s %s\n", program.path, obstacle);
}

static int examine(const struct run_command *command, const char *library)
{
    const struct doctor doctor = {.library = library,
                                  .version = "dl-run " DL_RUN_VERSION,
                                  .layer = goes_by_layer(command, library),
                                  .program = command->program,
                                  .bundle = run_command_has(command, DL_OPTION_bundle),
                                  .logs = run_command_has(command, DL_OPTION_log)};
    return doctor_examine(&doctor);
}

/* pyopencl may have kept binaries that were built without DL, which have no text to read.
 * They stay as they are, for runs without DL: this has it build from source, as it does
 * by itself for drivers with a cache of their own. */
static void set_caches_aside(void)
{
    setenv("PYOPENCL_NO_CACHE", "1", 0);
}

/* So that this process can tell itself from those that it starts
 * (libdl_intercept/reports/unused.c). */
static void name_process(void)
{
    char process[24];

    snprintf(process, sizeof process, "%ld", (long)getpid());
    setenv("DL_RUN_PROCESS", process, 1);
}

/* Returns only when the program can't be run: with the exit code, after a line that says
 * why. */
static int become_program(const struct run_command *command)
{
    execvp(command->program[0], command->program);
    int error = errno;
    fprintf(stderr, "dl-run: %s: %s", command->program[0], strerror(error));
    if (error == ENOENT && command->before_program != DL_OPTION_COUNT) {
        const char *flag = dl_option_row(command->before_program)->flag;
        fprintf(stderr, " (a value of --%s comes after '=': --%s=%s)", flag, flag,
                command->program[0]);
    } else if (error == ENOENT && !strchr(command->program[0], '/') &&
               access(command->program[0], X_OK) == 0) {
        fprintf(stderr, " in PATH; did you mean ./%s?", command->program[0]);
    }
    fputc('\n', stderr);
    return error == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_RUN;
}

int main(int argc, char **argv)
{
    int exit_code = EXIT_USAGE;
    struct run_command command;
    char *library = NULL;
    bool help, words;
    if (!run_command_parse(argc, argv, &command))
        goto out;
    help = run_command_has(&command, DL_OPTION_help);
    words = run_command_has(&command, DL_OPTION_words);
    if (help || words || run_command_has(&command, DL_OPTION_version)) {
        if (help)
            run_help_print(stdout);
        else if (words)
            words_print(stdout);
        else
            puts("dl-run " DL_RUN_VERSION);
        exit_code = fflush(stdout) == 0 ? 0 : EXIT_BROKEN;
        goto out;
    }
    library = find_beside(libraries, sizeof libraries / sizeof *libraries);
    exit_code = set_environment(&command, library);
    if (exit_code == 0 && (run_command_has(&command, DL_OPTION_doctor) ||
                           run_command_has(&command, DL_OPTION_bundle))) {
        set_caches_aside();
        exit_code = examine(&command, library);
    } else if (exit_code == 0) {
        warn_of_obstacle(&command, library);
        set_caches_aside();
        name_process();
        exit_code = become_program(&command);
    }
out:
    free(library);
    run_command_free(&command);
    return exit_code;
}
