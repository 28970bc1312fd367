/* SPDX-License-Identifier: MIT */
/* dl-bench overhead: programs whose calls are counted. */
#ifndef DL_BENCH_OVERHEAD_H
#define DL_BENCH_OVERHEAD_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include <CL/cl.h>

/* Calls of one kind. */
struct overhead_case {
    const char *name;
    void (*call)(unsigned);
    double
        limit; /* instructions that DL may add to a call; without annotations: its own */
    double locks; /* that it may take */
};

struct overhead_program {
    const char *title;
    const char *layout; /* DL_LAYOUT; NULL: as it is by default */
    bool annotated;     /* libclang is loaded */
    void (*open)(void);
    void (*finish)(void); /* waits for the device */
    const struct overhead_case *cases;
    size_t case_count;
};

extern const struct overhead_program overhead_plain, overhead_auto, overhead_asta;

enum { OVERHEAD_PROGRAMS = 3, OVERHEAD_CASES_MAX = 8, OVERHEAD_WARM_CALLS = 600 };
extern const struct overhead_program *const overhead_programs[OVERHEAD_PROGRAMS];

/* In a process of its own: makes the calls of each case and prints what a call takes, in
 * nanoseconds, a line each. */
int overhead_time_program(const struct overhead_program *program);
/* Prints what DL adds to the calls in microseconds of the host, on the machine's own
 * driver: programs run by turns natively and under the launcher `runner`, so often. */
bool overhead_time(const char *self, const char *runner, unsigned reps);

enum { OVERHEAD_LINE_BYTES = PATH_MAX + 64 };
struct overhead_count {
    double instructions, locks; /* of a call */
    double
        own; /* of the instructions, those of libdl_intercept.so itself: what the driver
              * and the C library do for it is left out, and how their own work varies */
};
/* Reads a file of callgrind's, of so many calls; `clang`, of so many bytes, gets a line
 * that names a libclang. False: there is none. */
bool overhead_profile_read(const char *path, unsigned calls, struct overhead_count *count,
                           char *clang, size_t clang_bytes);

/* The variable that names a part of the device's or the platform's name; not set, or
 * empty: the first device. */
#define OVERHEAD_DEVICE "DL_BENCH_DEVICE"
void overhead_find(cl_platform_id *platform, cl_device_id *device);
/* Ends the program where a call has failed. */
void overhead_must(cl_int err, const char *what);

#endif
