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

/* Behind the part of a rewritten text that ends with the #endif of the #if that `at` stands behind. */
static const char *behind_endif(const char *at)
{
    int depth = 1;

    while (depth && (at = strchr(at, '\n'))) {
        at++;
        depth += (strncmp(at, "#if", 3) == 0) - (strncmp(at, "#endif", 6) == 0);
    }
    return at ? at : "";
}

bool fake_builds_text(const struct fake_program *program, const char *options,
                      const char *text)
{
    static const char guard[] = "#if !defined DL_ONLY || ";
    bool only = options && strstr(options, "-DDL_ONLY");
    const char *at = program->source, *found;

    while ((found = strstr(at, text))) {
        const char *part = only ? strstr(at, guard) : NULL, *name;
        char with[256] = "";

        if (!part || part > found)
            return true;
        name = strstr(part, "DL_WITH_");
        if (name)
            snprintf(with, sizeof with, "-D%.*s ", (int)strcspn(name, "\n"), name);
        at = *with && strstr(options, with) ? part + sizeof guard : behind_endif(part);
    }
    return false;
}

/* When the test is over, there is nobody left to make the file. A builder that makes a cache while the test's folder
 * is removed keeps the folder: hence no longer than that. */
static void wait_for_file(const char *file)
{
    enum { SECONDS = 120 };
    char folder[4096];
    time_t end = time(NULL) + SECONDS;

    snprintf(folder, sizeof folder, "%s", file);
    if (strrchr(folder, '/'))
        *strrchr(folder, '/') = '\0';
    while (access(file, F_OK) != 0 && access(folder, F_OK) == 0 && time(NULL) < end)
        usleep(1000);
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
    const char *gate = getenv("FAKE_BUILD_GATE");

    if (!options || !*options || !program->has_source)
        return;
    if (fake_is_builder() && fake_option("FAKE_BUILDER_CRASHES", "1"))
        raise(SIGKILL);
    if (gate)
        wait_for_file(gate);
}
