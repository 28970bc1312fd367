/* SPDX-License-Identifier: MIT */
/* dl-run --doctor: checks what DL needs. Findings are lines on standard output. */
#ifndef DL_RUN_DOCTOR_H
#define DL_RUN_DOCTOR_H

#include <limits.h>
#include <stdbool.h>

struct doctor {
    const char *library; /* DL's */
    const char *version;
    bool layer;     /* the program gets DL by OPENCL_LAYERS, else by LD_PRELOAD */
    char **program; /* with its arguments; NULL: none */
    bool bundle;    /* for a bug report: all that is known, and nothing that the program
                       prints */
    bool logs;      /* the user has said how much DL is to log */
};

/* Looks at the machine, then at the program, and runs it. The environment is as the
 * program is to find it.
 *   returns  0: nothing is wrong; 1: something is */
int doctor_examine(const struct doctor *doctor);

/* ---- a program, as far as that decides whether DL gets into it ---- */

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
