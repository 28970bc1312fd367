/* SPDX-License-Identifier: MIT */
/* dl-bench apps: a row's runs and the files that keep what came of them. */
#ifndef DL_BENCH_APPS_H
#define DL_BENCH_APPS_H

#include "tools/dl-bench/bench.h"

#define APPS_OPTION_MAP(X)                                                               \
    X(device, "SUBSTRING", "", "a part of the device's name; else a GPU")                \
    X(out, "FOLDER", "apps-results",                                                     \
      "apps.csv and summary.csv; a row that is there is not run again")                  \
    X(rows, "LIST", "",                                                                  \
      "rows, beginnings of their names, or samples, patterns, thesis, large; else all "  \
      "but large")                                                                       \
    X(layouts, "LIST", "native,aos,asta,da,auto", "native is always run")                \
    X(states, "LIST", "cold,warm,remembered", "what is left of earlier runs")            \
    BENCH_REPS(X, "5")                                                                   \
    X(steps, "N", "1000", "the longest run; shorter ones are read off it")               \
    X(shrink, "N", "1", "the patterns' buffers are so many times smaller")               \
    BENCH_PART(X)                                                                        \
    X(minutes, "N", "0", "begin no other row after so many; 0: no limit")                \
    X(small, "", "", "small samples, --shrink 256, --steps 20: for a CPU")               \
    X(check, "", "", "exit code 1 where `auto` breaks a bound")                          \
    X(explain, "", "", "print what `auto` decides in each of its runs")                  \
    X(report, "", "", "run nothing; only what FOLDER has")                               \
    X(list, "", "", "print the rows")

struct apps_options {
    APPS_OPTION_MAP(BENCH_FIELD)
};

enum apps_layout { APPS_NATIVE, APPS_AOS, APPS_ASTA, APPS_DA, APPS_AUTO, APPS_LAYOUTS };
/* Cold: nothing is left of earlier runs. Warm: rewritten texts and all binaries are,
 * decisions of the policy are not. Remembered: everything is. */
enum apps_state { APPS_COLD, APPS_WARM, APPS_REMEMBERED, APPS_STATES };
enum { APPS_REPS_MAX = 31 };

extern const char *const apps_layout_names[APPS_LAYOUTS];
extern const char *const apps_state_names[APPS_STATES];
/* Only `auto` makes decisions: for the others, remembered is warm. */
enum apps_state apps_state_of(enum apps_layout layout, enum apps_state state);

struct apps_row {
    char name[40], set[16];
    char program[PATH_MAX], arguments[256 + PATH_MAX]; /* separated by spaces */
    int step_max, reps_max;                            /* 0: no limit of its own */
};

/* Times in milliseconds, each until the end of a step: of the queue, busy with the
 * program's commands and what stands before them; of the commands alone; of the host,
 * from an open context. `start` is the rest before, without what the program does by
 * itself, and `end` all after. */
struct apps_times {
    size_t steps;
    double *busy_ms, *kernel_ms, *wall_ms;
    double start_ms, end_ms;
    uint64_t checksum;
    char device[256];
};

void apps_times_free(struct apps_times *times);

/* All runs of a row, and their medians. */
struct apps_cell {
    size_t count;
    struct apps_times runs[APPS_REPS_MAX], median;
    double steady_busy_us, steady_kernel_us,
        steady_wall_us; /* a step; 0: too few steps */
    double spread_ms;   /* of the runs' whole times */
};

struct apps_cells {
    struct apps_cell cell[APPS_LAYOUTS][APPS_STATES];
    bool same; /* all checksums */
    bool said; /* what DL has to say of the row is printed */
};

/* False: out of memory. */
bool apps_cells_sum(struct apps_cells *cells);
void apps_cells_free(struct apps_cells *cells);
/* Appends a row's lines to apps.csv and summary.csv. */
bool apps_files_add(const struct apps_options *options, const struct apps_row *row,
                    const struct apps_cells *cells, int argc, char **argv);
/* Whether summary.csv has the row. */
bool apps_files_have(const struct apps_options *options, const char *row);
/* False after a message: FOLDER is of another device or of other options. */
bool apps_files_fit(const struct apps_options *options, const char *device);
/* How many rows have wrong results, and how many break a bound of `auto`. */
struct apps_verdict {
    size_t wrong, over;
};
/* Prints a line for each row of summary.csv. False after a message: it can't be read. */
bool apps_report(const struct apps_options *options, struct apps_verdict *out);

#endif
