/* SPDX-License-Identifier: MIT */
/* The columns of summary.csv, which apps_files.c writes and apps_report.c reads. */
#ifndef DL_BENCH_APPS_FILES_H
#define DL_BENCH_APPS_FILES_H

/* A line is a row in one layout and state. Excesses are over native in the same state, at
 * the length of run where they are the most beyond the bound's share of native; at: that
 * length. */
#define SUMMARY_MAP(X)                                                                   \
    X(row)                                                                               \
    X(set)                                                                               \
    X(layout)                                                                            \
    X(state)                                                                             \
    X(status)                                                                            \
    X(reps)                                                                              \
    X(steps)                                                                             \
    X(checksum)                                                                          \
    X(steady_device_us)                                                                  \
    X(steady_kernel_us)                                                                  \
    X(steady_wall_us)                                                                    \
    X(best_device_us)                                                                    \
    X(over_best_percent)                                                                 \
    X(wall_excess_ms)                                                                    \
    X(wall_excess_percent)                                                               \
    X(wall_excess_at)                                                                    \
    X(device_excess_ms)                                                                  \
    X(device_excess_percent)                                                             \
    X(device_excess_at)                                                                  \
    X(start_excess_ms)                                                                   \
    X(end_excess_ms)                                                                     \
    X(break_even_wall)                                                                   \
    X(break_even_device)                                                                 \
    X(spread_ms)                                                                         \
    X(within)

enum summary_column {
#define X(name) SUMMARY_##name,
    SUMMARY_MAP(X)
#undef X
        SUMMARY_COUNT
};

#define SUMMARY_NAME(name) "," #name
#define SUMMARY_COLUMNS (&(SUMMARY_MAP(SUMMARY_NAME))[1])

enum { STEADY_PERCENT = 3 /* that `auto` may be over the best layout in steady state */ };

#endif
