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

#endif
