/* SPDX-License-Identifier: MIT */
/* dl-run's command line, read by the table of options.
 *
 * Threads: none; used before the program starts. */
#ifndef DL_RUN_COMMAND_H
#define DL_RUN_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

#include "options/options.h"

struct run_command {
    /* NULL: not given, so that the environment stays */
    struct dl_option_value values[DL_OPTION_COUNT];
    char **program; /* borrowed from argv: the program and its arguments */
    /* The program's name may have been meant for this option, which takes a value only
     * after
     * '='; DL_OPTION_COUNT: there is no such option before it */
    enum dl_option before_program;
};

static inline bool run_command_has(const struct run_command *command,
                                   enum dl_option option)
{
    return command->values[option].text != NULL;
}

/* Reads argv. File names become absolute, since the program may change its directory.
 *   out     filled also on failure; the caller frees it with run_command_free
 *   returns false after one line on standard error that says what is wrong */
bool run_command_parse(int argc, char **argv, struct run_command *out);
void run_command_free(struct run_command *command);

/* The text of --help. */
void run_help_print(FILE *to);

#endif
