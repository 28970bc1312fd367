/* SPDX-License-Identifier: MIT */
/* Plans: launches in order, some of them repeated. */
#ifndef DL_TRANSPOSE_PLAN_H
#define DL_TRANSPOSE_PLAN_H

#include "library.h"
#include "problem.h"

enum {
    DL__LAUNCHES_MAX = 80,
    DL__PHASES_MAX = 40,
    DL__GROUPS_MAX = INT32_MAX, /* work-groups of a launch that every device takes */
    DL__ARG_NUMBERS = 2         /* which argument of a kernel its numbers are */
};

/* Some of a plan's runs, which are enqueued `repeats` times, each time `stride_bytes`
 * further on. */
struct dl__phase {
    size_t runs;
    uint64_t repeats, stride_bytes;
};

struct dl_transpose_plan {
    struct dl_transpose *transpose;
    struct dl__task task;
    struct dl_transpose_info info;
    struct dl__run runs[DL__LAUNCHES_MAX];
    size_t run_count;
    bool batch_at_once; /* the launches do all matrices themselves */
    bool has_last;      /* one launch for all matrices comes after all others: */
    struct dl__run last;
    /* The runs for a matrix, or for all of them at once, in phases; while the plan
     * is made, runs behind the phases' are in none yet. */
    struct dl__phase phases[DL__PHASES_MAX + 1];
    size_t phase_count;
    cl_mem workspace;                 /* owned; NULL: none */
    struct dl_transpose_error *error; /* the caller's, while the plan is made; or NULL */
    char why[600];
};

/* A launch of a kernel whose arguments are the buffer, where the matrix begins, the
 * numbers by value and the workspace. */
struct dl__launch {
    const struct dl__kernel_source *source;
    const char *kernel; /* a literal */
    const void *numbers;
    size_t numbers_bytes;
    size_t group;       /* work-items of a work-group */
    uint64_t groups[3]; /* 0 is 1 */
    bool reads_only;    /* leaves the matrix as it is */
};

#define DL__LAUNCH_AS(reads, text, name, shape, items, ...)                              \
    &(struct dl__launch)                                                                 \
    {                                                                                    \
        .source = (text), .kernel = (name), .numbers = &(shape),                         \
        .numbers_bytes = sizeof(shape), .reads_only = (reads), .group = (items),         \
        .groups = {                                                                      \
            __VA_ARGS__                                                                  \
        }                                                                                \
    }
#define DL__LAUNCH(...) DL__LAUNCH_AS(false, __VA_ARGS__)
#define DL__LAUNCH_READING(...) DL__LAUNCH_AS(true, __VA_ARGS__)

/* Says that the plan's algorithm can't do its task, and why: DL_ENOTSUP. */
__attribute__((format(printf, 2, 3))) enum dl_status
dl__decline(const struct dl_transpose_plan *plan, const char *why, ...);
/* The same of the elements' size. */
enum dl_status dl__decline_elements(const struct dl_transpose_plan *plan);
/* It can't do with the workspace that the cap allows: DL_EREFUSED. */
enum dl_status dl__decline_cap(const struct dl_transpose_plan *plan);

/* Says what a plan of one pass does, by tiles of these sides; 0: it has none. */
__attribute__((format(printf, 4, 5))) void dl__describe(struct dl_transpose_plan *plan,
                                                        uint64_t tile_rows,
                                                        uint64_t tile_cols,
                                                        const char *why, ...);

/* Appends a launch of a kernel that is built with these knobs at the first need.
 *   errors  DL_ENOTSUP: the plan has too many launches; DL_ENOMEM, DL_ECL */
__attribute__((format(printf, 3, 4))) enum dl_status
dl__launch_add(struct dl_transpose_plan *plan, const struct dl__launch *launch,
               const char *knobs, ...);

/* Has the last `runs` of the plan's enqueued `repeats` times, each time `stride_bytes`
 * further on.
 *   errors  DL_ENOTSUP: the plan has too many phases */
enum dl_status dl__repeat_last(struct dl_transpose_plan *plan, size_t runs,
                               uint64_t repeats, uint64_t stride_bytes);

/* Has the plan's launches do the whole batch, if so many work-groups for a matrix allow
 * that; returns how many there are then. */
uint64_t dl__batch_groups(struct dl_transpose_plan *plan, uint64_t groups,
                          uint64_t batch);

struct divisor dl__divisor_make(uint32_t number);

#endif
