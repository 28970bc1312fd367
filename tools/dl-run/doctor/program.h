/* SPDX-License-Identifier: MIT */
/* Looks at a program as far as that decides whether DL gets into it. */
#ifndef DL_RUN_PROGRAM_H
#define DL_RUN_PROGRAM_H

#include <limits.h>
#include <stdbool.h>

struct program {
    char path[PATH_MAX];   /* the file that is run in the end: a script's interpreter */
    char script[PATH_MAX]; /* the script; "": it is none */
    bool is_elf;
    bool is_32_bit, is_foreign; /* of another class or machine than DL */
    bool is_static;             /* no dynamic linker, so no preload */
    bool is_musl;
    bool has_rights;   /* more than its user: set-user-id, file capabilities */
    bool needs_opencl; /* it is linked with an OpenCL library; others open it later */
};

/* Looks for the program as execvp does.
 *   errors  false, errno says why: it would not be run */
bool program_look(const char *name, struct program *out);

/* Why DL can't get into the program, and what to do: a line. NULL: it can, as far as its
 * file shows.
 *   layer   DL comes by OPENCL_LAYERS */
const char *program_obstacle(const struct program *program, bool layer);

#endif
