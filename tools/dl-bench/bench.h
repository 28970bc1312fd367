/* SPDX-License-Identifier: MIT */
/* What the files of dl-bench share. */
#ifndef DL_BENCH_H
#define DL_BENCH_H

#include <stdio.h>

#include <CL/cl.h>
#include <CL/cl_icd.h>

#include "layout/arith.h"
#include "marshal_kernels/internal.h"

/* X(identifier, "flag", "VALUE", "default", "help") */
#define BENCH_OPTION_MAP(X)                                                              \
    X(device, "device", "SUBSTRING", "", "a part of the device's name; else the first")  \
    X(cases, "cases", "LIST", "asta,mixed,super,cycle,da,soa",                           \
      "which groups of cases, by commas; there are da32, access, shapes, matrices "      \
      "(table 5.1 of the thesis) and slide, too")                                        \
    X(bytes, "bytes", "N", "",                                                           \
      "bytes of a buffer; K, M and G are known; default 1G, "                            \
      "64M on a CPU")                                                                    \
    X(words, "words", "LIST", "",                                                        \
      "struct sizes of the asta and cycle cases, lengths of the super "                  \
      "cases, as 2-8,20")                                                                \
    X(tiles, "tiles", "LIST", "32", "tiles of the asta, mixed and cycle cases")          \
    X(shapes, "shapes", "N", "60", "random shapes of the da and soa cases")              \
    X(seed, "seed", "N", "1", "of the random shapes")                                    \
    X(reps, "reps", "N", "5", "timed runs; the median counts")                           \
    X(knobs, "knobs", "LIST", "", "as cut_ahead=4,cut_group=128; tune sweeps 1/2/4")     \
    X(part, "part", "I/N", "0/1", "only every N-th case, from the I-th")                 \
    X(csv, "csv", "FILE", "", "write every line as comma-separated values")              \
    X(json, "json", "FILE", "", "the same lines as a JSON array of objects")             \
    X(table, "table", "FILE", "",                                                        \
      "tune: write the device's file with the best variant of each size")                \
    X(check, "check", "yes|no", "yes", "check each result on the device")                \
    X(steps, "steps", "yes|no", "no", "time every launch of a conversion by itself")

struct options {
#define X(name, flag, value, fallback, help) const char *name;
    BENCH_OPTION_MAP(X)
#undef X
};

/* ---- the device (device.c) ---- */

struct device {
    cl_icd_dispatch cl;
    cl_device_id id;
    cl_context context;
    cl_command_queue queue; /* with profiling */
    char name[128], driver[64];
    cl_device_type type;
    cl_program program;
    cl_kernel fill, check, check_axes, copy, touch;
    cl_mem errors; /* one uint */
};

/* Opens the first device whose name has `part` in it; says on stderr what failed.
 * False: nothing to release. */
bool device_open(struct device *device, const char *part);
void device_close(struct device *device);
/* Fills with values that a formula gives back. */
cl_int device_fill(struct device *device, cl_mem mem, uint64_t bytes);
/* Counts the leaves that are not where the formula of layout.h says. */
cl_int device_check(struct device *device, cl_mem mem, const struct dl_leaf_table *table,
                    const struct dl_tiling *tiling, cl_uint *errors);
/* Enqueues the same, with its event. */
cl_int device_fill_start(struct device *device, cl_mem mem, uint64_t bytes,
                         cl_event *event);
/* The axes of an array that was filled, and then permuted: as check.cl has them. */
enum { BENCH_AXES_MAX = 9 };
struct bench_axes {
    cl_ulong extents[BENCH_AXES_MAX],
        was[BENCH_AXES_MAX]; /* distances before, in elements */
    cl_ulong elements, element_bytes;
    cl_uint count;
};
/* Counts the elements that are not where they should be. */
cl_int device_check_axes(struct device *device, cl_mem mem, const struct bench_axes *axes,
                         cl_uint *errors);
/* Enqueues a kernel that reads and writes so many bytes in place; its event is the
 * caller's. */
cl_int device_touch_start(struct device *device, cl_mem mem, uint64_t bytes,
                          cl_event *event);
/* Device seconds from the start of one event to the end of another; releases both. */
double device_seconds(cl_event first, cl_event last);
/* The best of a copy command and a copy kernel, median of `reps`, in bytes moved a
 * second. */
double device_copy_speed(struct device *device, uint64_t bytes, int reps);

/* ---- numbers (numbers.c) ---- */

/* "64M" -> bytes; 0 on bad text. */
uint64_t bytes_parse(const char *text);
/* "I/N" of --part; false: other text. */
bool part_find(const char *text, unsigned *index, unsigned *count);
/* "2-8,20" -> numbers; returns how many, 0 on bad text. */
size_t numbers_parse(const char *text, unsigned *numbers, size_t most);
/* Sorts them by size. */
void numbers_sort(double *numbers, size_t count);
/* The one in the middle; sorts them. */
double median_of(double *numbers, size_t count);
/* Seconds of a clock that only goes forward. */
double now_s(void);
/* The smallest prime that is not below the number. */
uint64_t prime_from(uint64_t number);

/* ---- cases (cases.c) ---- */

struct bench_case {
    char group[16], label[96];
    struct dl_leaf_table table;
    uint64_t structs;
    struct dl_layout from, to;
    unsigned family; /* forced, or 0 */
};

struct case_list {
    struct bench_case *cases;
    size_t count;
};

bool cases_make(const struct options *options, uint64_t bytes, struct case_list *out);
void cases_free(struct case_list *list);

/* ---- running (run.c) ---- */

struct case_result {
    enum dl_status status;
    cl_uint errors;
    double bytes_per_s; /* twice the buffer's bytes over the median time */
    double prepare_s;
    uint64_t workspace_bytes;
    size_t launches;
    double launch_s[16];
    const char *launch_names[16];
};

/* Knows the tiles of wide structs afterwards. */
struct case_result case_run(struct device *device, struct bench_case *bench,
                            size_t variant, cl_mem mem, const struct options *options);
/* Reading every struct in the layout `from` (access.c); bytes_per_s counts each byte
 * once. */
struct case_result access_run(struct device *device, const struct bench_case *bench,
                              cl_mem mem, const struct options *options);
/* Writes a file for the device, with the best variants; shares[variant * cases + case]
 * (table.c). */
bool table_write(const char *path, const struct device *device,
                 const struct options *options, const struct case_list *list,
                 const double *shares, size_t variants);
/* Writes a file for the device that says what a burst is and how many address bits above
 * it steer; all else is as it was. */
bool table_write_memory(const char *path, const struct device *device,
                        unsigned burst_bytes, unsigned steering_bits);
/* Sets knobs by name as "a=1,b=2", by calling `set` for each; a value list "1/2/4" makes
 * variants: variant `index` of all. `label` gets what that has of knobs with several
 * values, by `separator`. Returns how many variants there are, 0 on bad text or where
 * `set` says that there is no such knob. (knobs.c) */
typedef bool knob_set(void *target, const char *name, size_t name_bytes, unsigned value);
size_t knobs_parse(const char *text, size_t index, knob_set *set, void *target,
                   char separator, char *label, size_t label_bytes);
/* For knobs of marshaling: into a `struct dl__steps`, or only to see that they are there.
 */
knob_set knob_set_steps, knob_set_nowhere;
/* False: it is not a list of knobs of dl__knob_table or `other`, which may be NULL, with
 * values that they can have; the reason has been printed. */
bool knobs_check(const char *text, const struct dl__number_table *other);
/* The names of a table's numbers, their values on GPUs and on CPUs, and what they mean.
 */
void knobs_print(FILE *out, const struct dl__number_table *table, size_t values_bytes);

/* ---- dl-bench overhead (overhead.c): a command of its own, with options of its own */
int overhead_main(int argc, char **argv);

/* ---- dl-bench build (build.c): another one */
int build_main(int argc, char **argv);

/* ---- dl-bench apps (apps/apps.c): likewise */
int apps_main(int argc, char **argv);

/* dl-bench scale (scale.c): the exit code. */
int scale_main(int argc, char **argv);

/* dl-bench coalesced (coalesced/coalesced.c): likewise */
int coalesced_main(int argc, char **argv);

/* dl-bench grids (grids/grids.c): likewise */
int grids_main(int argc, char **argv);

/* dl-bench figure (figure.c): likewise; 3: tables are left, as --limit says */
int figure_main(int argc, char **argv);

/* dl-bench steering (steering/steering.c): likewise */
int steering_main(int argc, char **argv);

/* ---- dl-bench transpose (transpose.c): likewise */
int transpose_main(int argc, char **argv);

#endif
