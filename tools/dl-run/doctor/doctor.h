/* SPDX-License-Identifier: MIT */
/* dl-run --doctor: checks what DL needs. Findings are lines on standard output. */
#ifndef DL_RUN_DOCTOR_H
#define DL_RUN_DOCTOR_H

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

/* The parts of it: what DL needs; OpenCL; the program. */
void doctor_check_setup(const struct doctor *doctor);
void doctor_check_opencl(const struct doctor *doctor);
/* Returns what to do next, which the caller frees; NULL: it is not known. */
char *doctor_check_program(const struct doctor *doctor);

/* Runs `look` in a child, since libraries that it opens may crash. `about` as in
 * finding.h. */
void doctor_in_child(const char *about, void (*look)(const struct doctor *doctor),
                     const struct doctor *doctor);

/* A file for reports, which DL is then told of; NULL: none, which was said. The caller
 * removes and frees it. */
char *doctor_begin_report(void);

#endif
