/* SPDX-License-Identifier: MIT */
/* What the files of dl-bench transpose share. */
#ifndef DL_BENCH_TRANSPOSE_H
#define DL_BENCH_TRANSPOSE_H

#include "bench.h"
#include "transpose/algorithms/algorithm.h" /* tuning and single launches */

/* X(identifier, "flag", "VALUE", "default", "help") */
#define TRANSPOSE_OPTION_MAP(X)                                                          \
    X(device, "device", "SUBSTRING", "", "a part of the device's name; else the first")  \
    X(sets, "sets", "LIST", "random,table,skinny",                                       \
      "which sizes: random in [1000, 20000], table (4.2 of the thesis), skinny, "        \
      "primes, "                                                                         \
      "whole (skinny, counts of whole tiles), small (1..200), tiles (the stages on "     \
      "7200 x 1800 by many tiles), square (even, odd and large sides), nearsquare (1 "   \
      "to 10 percent longer), outofplace "                                               \
      "(random, out of place), axes (orders of three, and random ones of four to "       \
      "six), batch (small matrices, many of them), landscape (20 x 20 sizes), "          \
      "involutions "                                                                     \
      "(two of three axes swapped), kilos (squares of multiples of 1024)")               \
    X(shapes, "shapes", "LIST", "", "sizes of your own, as 7200x1800,5x1000000")         \
    X(place, "place", "in|out", "in", "where all but outofplace and square go")          \
    X(buffers, "buffers", "N", "1",                                                      \
      "buffers that each case is run in; the median counts, since the memory that one "  \
      "gets decides some percent")                                                       \
    X(tiles, "tiles", "LIST", "", "tile sides for the stages, as 60x24; else chosen")    \
    X(sizes, "sizes", "N", "60", "how many random, skinny, prime and small ones")        \
    X(seed, "seed", "N", "1", "of the random sizes")                                     \
    X(elements, "elements", "LIST", "4,8", "bytes of an element")                        \
    X(algorithms, "algorithms", "LIST", "auto", "by name, or all")                       \
    X(caps, "caps", "LIST", "6",                                                         \
      "workspace: 0, 1, 6, 12 percent; line, max(rows, cols) elements; linear, 64 "      \
      "(rows + cols); or any")                                                           \
    X(bytes, "bytes", "N", "",                                                           \
      "the largest matrix; K, M and G are known; default 4G, "                           \
      "256M on a CPU")                                                                   \
    X(cache, "cache", "N", "64M", "matrices up to this size are reported apart")         \
    X(reps, "reps", "N", "5", "timed runs; the median counts")                           \
    X(part, "part", "I/N", "0/1", "only every N-th case, from the I-th")                 \
    X(check, "check", "yes|no", "yes", "check each result on the device")                \
    X(explain, "explain", "yes|no", "no", "print what was chosen and why")               \
    X(steps, "steps", "yes|no", "no", "time every launch by itself")                     \
    X(knobs, "knobs", "LIST", "", "as panel_group=128/256: every combination is run")    \
    X(csv, "csv", "FILE", "",                                                            \
      "write every line as comma-separated values; "                                     \
      "bench/figures.py draws them")

struct transpose_options {
#define X(name, flag, value, fallback, help) const char *name;
    TRANSPOSE_OPTION_MAP(X)
#undef X
};

enum { LINEAR_CAP = 64 /* elements of workspace for each row and column */ };

/* One matrix to be transposed. */
struct transpose_case {
    char set[16];
    uint64_t rows, cols;
    uint32_t element_bytes, tile_rows, tile_cols;
    enum dl_transpose_algorithm algorithm;
    const char *cap; /* one of the list's words */
    bool is_out;
    uint64_t batch; /* matrices, one after the other; 0: one */
    /* 0: a matrix; else rows x cols are the elements of all axes. */
    uint32_t axis_count, permutation[DL_TRANSPOSE_AXES_MAX];
    uint64_t extents[DL_TRANSPOSE_AXES_MAX];
};

/* Of all its matrices. */
uint64_t transpose_case_bytes(const struct transpose_case *item);
/* What is to be where afterwards. */
struct bench_axes transpose_case_axes(const struct transpose_case *item);
/* "48x30x60>2.1.0", or "" for a matrix. */
void transpose_case_text(const struct transpose_case *item, char *text, size_t bytes);

/* A growing list of cases, none of which is beyond bytes_max. */
struct transpose_list {
    struct transpose_case *cases;
    size_t count, capacity;
    uint64_t bytes_max;
    /* Of the set that is being added: how many were larger than bytes_max, and what the
     * smallest takes. */
    size_t too_large;
    uint64_t too_large_bytes;
    bool too_large_said; /* for this size of an element */
    bool failed;
};
void transpose_list_add(struct transpose_list *list, struct transpose_case item);
/* The state of the random sizes: the same for the same seed, whatever else is asked for.
 */
uint64_t transpose_random_below(uint64_t *state, uint64_t below);
/* Adds the sizes of a set that has its own (transpose_sets.c); false: it is another. */
bool transpose_set_add(struct transpose_list *list, const char *set,
                       struct transpose_case form, int sizes, uint64_t seed);

struct transpose_result {
    enum dl_status status;
    struct dl_transpose_info info;
    cl_uint errors;
    double bytes_per_s, plan_s;
    double touch_bytes_per_s; /* of a kernel that reads and writes the matrix in place; 0:
                                 not asked */
};

/* The cases of all sets, each with every element size, algorithm and cap. False: bad text
 * or no memory, said on stderr. `out` is freed by the caller. */
bool transpose_cases_make(const struct transpose_options *options, uint64_t bytes_max,
                          struct transpose_case **out, size_t *count);

/* One line, and one of the CSV unless that is NULL. */
void transpose_result_print(FILE *csv, const struct transpose_case *item,
                            const char *knobs, const struct transpose_result *result,
                            double copy, const struct dl_transpose_error *error);
/* Least, middle and most share of each group of cases, those in the cache apart. */
void transpose_summary_print(const struct transpose_case *cases, size_t count,
                             const double *shares, uint64_t cache, double copy,
                             const char *knobs);
/* How close the chooser's picks come to the best of the other algorithms that were run.
 */
void transpose_choice_print(const struct transpose_case *cases, size_t count,
                            const double *shares);

#endif
