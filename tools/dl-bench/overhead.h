/* SPDX-License-Identifier: MIT */
/* dl-bench overhead: programs whose calls are counted. */
#ifndef DL_BENCH_OVERHEAD_H
#define DL_BENCH_OVERHEAD_H

#include <stdbool.h>
#include <stddef.h>

#include <CL/cl.h>

/* Calls of one kind. */
struct overhead_case {
    const char *name;
    void (*call)(unsigned);
    double limit; /* instructions that DL may add to a call */
    double locks; /* that it may take */
};

struct overhead_program {
    const char *title;
    const char *layout; /* DL_LAYOUT; NULL: as it is by default */
    bool annotated;     /* libclang is loaded */
    void (*open)(void);
    const struct overhead_case *cases;
    size_t case_count;
};

extern const struct overhead_program overhead_plain, overhead_auto, overhead_asta;

/* Ends the program where a call has failed. */
void overhead_must(cl_int err, const char *what);

#endif
