/* SPDX-License-Identifier: MIT */
/* dl-bench: measures and checks DL on a device. */
#include <string.h>

#include "bench.h"
#include "options/options.h"

static const struct {
    const char *name, *words, *help;
    bench_main *run;
} commands[] = {
    {"figure", "ID", "a figure or table of the papers", figure_main},
    {"marshal", "[...]", "speed of every conversion, checked", marshal_main},
    {"tune", "[...]", "the same for every variant of --knobs", marshal_main},
    {"transpose", "[...]", "transposition in place and out of place", transpose_main},
    {"apps", "[...]", "whole programs, natively and under DL", apps_main},
    {"coalesced", "[...]",
     "whole structs, as written, by work-groups together and in tiles", coalesced_main},
    {"grids", "[...]", "samples on grids, by layout and size", grids_main},
    {"steering", "[...]", "address bits that spread requests over a memory",
     steering_main},
    {"scale", "[...]", "a sample over several devices, natively and under DL",
     scale_main},
    {"overhead", "[...]", "instructions that DL adds to a call", overhead_main},
};

static void usage(FILE *out)
{
    for (size_t c = 0; c < COUNT(commands); c++)
        fprintf(out, "%s dl-bench %-10s %-5s %s\n",
                c ? "      " : "usage:", commands[c].name, commands[c].words,
                commands[c].help);
    fputs("\nEach has --help.\n", out);
}

/* The command that a misspelt one was meant for; NULL: none is like it. */
static const char *nearest(const char *command)
{
    const char *best = NULL;
    size_t best_apart = SIZE_MAX;

    for (size_t c = 0; c < COUNT(commands); c++) {
        size_t apart = dl_word_distance(command, strlen(command), commands[c].name);

        if (apart < best_apart) {
            best = commands[c].name;
            best_apart = apart;
        }
    }
    return best;
}

int main(int argc, char **argv)
{
    const char *command = argc >= 2 ? argv[1] : "", *near;

    if (strcmp(command, "--help") == 0 || strcmp(command, "-h") == 0) {
        usage(stdout);
        return 0;
    }
    if (strcmp(command, "--version") == 0 || strcmp(command, "-V") == 0) {
        puts("dl-bench " DL_VERSION);
        return 0;
    }
    for (size_t c = 0; c < COUNT(commands); c++)
        if (strcmp(command, commands[c].name) == 0)
            return commands[c].run(argc, argv);
    if (argc < 2) {
        usage(stderr);
        return 2;
    }
    near = nearest(command);
    fprintf(stderr, "dl-bench: unknown %s %s%s%s%s (see dl-bench --help)\n",
            *command == '-' ? "option" : "command", command,
            near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
    return 2;
}
