/* dl-run's command line: the option table of dl_options.h, parsed and checked.
 *
 * Threads: none; used before the program starts. */
#ifndef DL_RUN_OPTIONS_H
#define DL_RUN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "dl_options.h"

enum run_option {
#define X(identifier, flag, environment, value, initial, help) RUN_OPTION_##identifier,
    DL_OPTION_MAP(X)
#undef X
        RUN_OPTION_COUNT
};

struct run_command {
    char *values[RUN_OPTION_COUNT]; /* owned; NULL: not given, the environment stays */
    bool help, version;
    bool layer;     /* by OPENCL_LAYERS instead of LD_PRELOAD */
    char **program; /* borrowed from argv: the program and its arguments */
};

/* The environment variable of an option. */
const char *run_option_environment(enum run_option option);

/* Reads argv. File names become absolute, since the program may change its directory.
 *   out     filled also on failure; the caller frees it with run_command_free
 *   returns false after one line on standard error that says what is wrong */
bool run_command_parse(int argc, char **argv, struct run_command *out);
void run_command_free(struct run_command *command);

/* The text of --help. */
void run_options_print(FILE *to);

#endif
