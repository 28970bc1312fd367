/* SPDX-License-Identifier: MIT */
/* What happens while the driver builds. */
#include "fake.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

bool fake_is_builder(void)
{
    return strcmp(program_invocation_short_name, "dl-builder") == 0;
}

/* A file that changes while the driver builds. */
void fake_append_while_building(const char *options)
{
    const char *path = getenv("FAKE_BUILD_APPENDS");
    FILE *file = path && options && strstr(options, "DL_TILE") ? fopen(path, "a") : NULL;

    if (!file)
        return;
    fputs("/* changed */\n", file);
    fclose(file);
}

/* Behind the part of a rewritten text that ends with the #endif of the #if that `at`
 * stands behind. */
static char *behind_endif(char *at)
{
    for (int depth = 1; depth && strchr(at, '\n');) {
        at = strchr(at, '\n') + 1;
        depth += (strncmp(at, "#if", 3) == 0) - (strncmp(at, "#endif", 6) == 0);
    }
    return at;
}

/* True when the options define one of the names that this line asks for. */
static bool asked_for(const char *line, const char *options)
{
    size_t end = strcspn(line, "\n");

    for (const char *at = line; (at = strstr(at, "DL_WITH_")) && at < line + end; at++) {
        char with[256];

        snprintf(with, sizeof with, "-D%.*s ", (int)strcspn(at, " \n"), at);
        if (strstr(options, with))
            return true;
    }
    return false;
}

void fake_leave_out_others(struct fake_program *program, const char *options)
{
    char *at = program->source;

    if (!options || !strstr(options, "-DDL_ONLY"))
        return;
    while ((at = strstr(at, "\n#if !defined DL_ONLY"))) {
        at++;
        if (!asked_for(at, options)) {
            const char *behind = behind_endif(at);

            memmove(at, behind, strlen(behind) + 1);
            at--;
        }
    }
}

void fake_leave_out_uncalled(struct fake_program *program, const char *options)
{
    char *at = options && strstr(options, "-DDL_ONLY")
                   ? strstr(program->source, "\n#if !defined DL_ONLY")
                   : NULL;

    if (!at)
        return;
    *behind_endif(++at) = '\0';
    memmove(program->source, at, strlen(at) + 1);
}

/* When the test is over, there is nobody left to make the file. A builder that makes a
 * cache while the test's folder is removed keeps the folder: hence no longer than that.
 */
static void wait_for_file(const char *file)
{
    enum { SECONDS = 120 };
    char folder[4096];
    time_t end = time(NULL) + SECONDS;

    snprintf(folder, sizeof folder, "%s", file);
    if (strrchr(folder, '/'))
        *strrchr(folder, '/') = '\0';
    /* A builder may outlive its test: then nobody opens the gate. */
    for (int look = 0;
         access(file, F_OK) != 0 && access(folder, F_OK) == 0 && time(NULL) < end; look++)
        usleep(look < 1000 ? 1000 : 50000);
}

void fake_wait_to_start(void)
{
    const char *start = getenv("FAKE_BUILDER_START");

    if (start && fake_is_builder())
        wait_for_file(start);
}

/* The programs of these tests are built without options, those of DL with some. */
void fake_wait_at_gate(const struct fake_program *program, const char *options)
{
    const char *gate = getenv("FAKE_BUILD_GATE"), *of = getenv("FAKE_BUILD_GATE_OF");

    if (!options || !*options || !program->has_source)
        return;
    if (fake_is_builder() && fake_option("FAKE_BUILDER_CRASHES", "1"))
        raise(SIGKILL);
    if (gate && (!of || strstr(program->source, of)))
        wait_for_file(gate);
}
