/* SPDX-License-Identifier: MIT */
/* What the files of dl-bench apps share: whole programs, natively and under dl-run, from
 * their first step to their last. */
#ifndef DL_BENCH_APPS_H
#define DL_BENCH_APPS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* X(identifier, "flag", "VALUE", "default", "help"); without a VALUE the option takes
 * none */
#define APPS_OPTION_MAP(X)                                                               \
    X(device, "device", "SUBSTRING", "", "a part of the device's name; else a GPU")      \
    X(out, "out", "FOLDER", "apps-results",                                              \
      "apps.csv and summary.csv; a row that is there is not run again")                  \
    X(rows, "rows", "LIST", "",                                                          \
      "rows, beginnings of their names, or samples, patterns, thesis, large; else all "  \
      "but "                                                                             \
      "large")                                                                           \
    X(layouts, "layouts", "LIST", "native,aos,asta,da,auto", "native is always run")     \
    X(states, "states", "LIST", "cold,warm,remembered", "what is left of earlier runs")  \
    X(reps, "reps", "N", "5", "runs of each; the median counts")                         \
    X(steps, "steps", "N", "1000", "the longest run; shorter ones are read off it")      \
    X(shrink, "shrink", "N", "1", "the patterns' buffers are so many times smaller")     \
    X(part, "part", "I/N", "0/1", "only every N-th row, from the I-th")                  \
    X(minutes, "minutes", "N", "0", "begin no other row after so many; 0: no limit")     \
    X(matrices, "matrices", "FOLDER", "",                                                \
      "has bcsstk32.mtx.gz; else DL_MATRICES and ../shared/matrices")                    \
    X(small, "small", "", "", "small samples, --shrink 256, --steps 20: for a CPU")      \
    X(check, "check", "", "", "exit code 1 where `auto` breaks a bound")                 \
    X(explain, "explain", "", "", "print what `auto` decides in each of its runs")       \
    X(report, "report", "", "", "run nothing; only what FOLDER has")                     \
    X(list, "list", "", "", "print the rows")

struct apps_options {
#define X(name, flag, value, fallback, help) const char *name;
    APPS_OPTION_MAP(X)
#undef X
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

/* ---- rows (apps_rows.c) ---- */

struct apps_row {
    char name[40], set[16];
    char program[PATH_MAX], arguments[256 + PATH_MAX]; /* separated by spaces */
    int step_max, reps_max;                            /* 0: no limit of its own */
};

struct apps_rows {
    struct apps_row *rows;
    size_t count;
    char folder[PATH_MAX]; /* of dl-bench, dl-run and dl-patterns */
};

/* All rows that the options ask for. False after a message; `out` is freed by the caller.
 */
bool apps_rows_make(const struct apps_options *options, struct apps_rows *out);
/* True when `word` is in the list. */
bool apps_list_has(const char *list, const char *word);

/* ---- one run of a program (apps_run.c) ---- */

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

/* Runs a row's program with its caches below `caches`. False after a message; `out` is to
 * be freed in any case. */
bool apps_run(const struct apps_rows *rows, const struct apps_row *row,
              const struct apps_options *options, enum apps_layout layout, int steps,
              const char *work, const char *caches, struct apps_times *out);
/* Prints what DL had to say of the last run, as that it found no libclang: a layout that
 * was not to be had must not pass for a measured one. */
void apps_run_said(const struct apps_row *row, enum apps_layout layout, const char *work);
void apps_times_free(struct apps_times *times);

/* ---- caches (apps_caches.c) ---- */

/* Removes a folder with all that is in it. */
void apps_folder_remove(const char *path);
/* Makes DL forget what its policy has decided, and nothing else. */
void apps_decisions_remove(const char *caches);

/* ---- sums (apps_sums.c) ---- */

/* All runs of a row, and their medians. */
struct apps_cell {
    bool wanted;
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

/* The largest excess over native at any length of run, beyond a share of native. */
struct apps_excess {
    double ms, percent;
    size_t at;
    bool within;
};

/* False: out of memory. */
bool apps_cells_sum(struct apps_cells *cells);
void apps_cells_free(struct apps_cells *cells);
/* Of the host's time or the device's, in the state; the bound is what `auto` promises in
 * it. */
struct apps_excess apps_excess_of(const struct apps_cells *cells, enum apps_layout layout,
                                  enum apps_state state, bool device);
/* The first length from which on the layout is never behind native; 0: there is none. */
size_t apps_break_even(const struct apps_cells *cells, enum apps_layout layout,
                       enum apps_state state, bool device);
/* The best of native, asta and da in steady state, in microseconds of the device; 0: not
 * known. */
double apps_best_us(const struct apps_cells *cells);

/* ---- files (apps_report.c) ---- */

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
