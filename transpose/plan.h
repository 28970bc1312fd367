/* SPDX-License-Identifier: MIT */
/* Tasks: problems in the algorithms' terms, a batch of row-major matrices or an array of
 * axes. Plans: launches in order, some of them repeated. */
#ifndef DL_TRANSPOSE_PLAN_H
#define DL_TRANSPOSE_PLAN_H

#include "library.h"

/* ---- tasks (problem.c) ---- */

enum { DL__AXES_MAX = DL_TRANSPOSE_AXES_MAX + 1 /* the batch is one more */ };

/* A task has its axes by falling distance in the source. */
struct dl__axis {
    uint64_t extent, from_bytes, to_bytes; /* distances in the source and in the target */
};

/* Once reduced, axes that stay together are one, none has one element, and those that
 * stay innermost are part of the element. */
struct dl__axes {
    unsigned count;
    struct dl__axis axes[DL__AXES_MAX];
    uint64_t element_bytes; /* of a run that moves as one */
};

/* The arithmetic on the way (algorithms/out_axes.c). */
struct dl__numbers {
    bool scales, conjugates;    /* neither: elements are only moved */
    uint32_t bytes, real_bytes; /* of a number, and of its parts */
    uint64_t alpha[2], beta[2]; /* as scaled.cl takes them */
    /* In place, where the results lie, in numbers. */
    uint64_t rows, width, leading, batch, stride;
};

/* rows x cols elements, row-major, become cols x rows. */
struct dl__task {
    const struct dl_transpose *transpose; /* has the kernels */
    uint64_t rows, cols, element_bytes;
    uint64_t leading, leading_out; /* in elements */
    uint64_t batch, stride_bytes, offset_bytes;
    uint64_t matrix_bytes; /* dense */
    uint64_t end_bytes;    /* of the last matrix in the buffer */
    uint64_t cap_bytes;    /* of workspace */
    uint64_t unit_bytes;   /* the element's largest power of two, at most 16 */
    uint64_t block_rows, tile_rows, tile_cols; /* asked for, or 0 */
    bool is_out;                               /* out of place; then, of the target: */
    bool conjugate;                            /* out of place, on the way */
    bool is_empty;
    bool slides; /* in place: rows are only moved to another distance */
    bool keeps_between;
    struct dl__numbers numbers;
    uint64_t stride_out_bytes, offset_out_bytes, end_out_bytes;
    /* Not a batch of matrices: these axes; matrix_bytes is the array's. */
    bool is_array;
    uint64_t shift_bytes; /* it is repeated at multiples of this; 0: it is not */
    bool has_axes; /* the problem had axes, even if they are a batch of matrices: */
    struct dl__axes axes;
};

/* Checks a problem and puts it in these terms.
 *   errors  see dl_transpose_plan_make */
enum dl_status dl__task_make(const struct dl_transpose *transpose,
                             const struct dl_transpose_problem *problem,
                             struct dl__task *out, struct dl_transpose_error *error);
/* Merges the task's axes, once the batch is known: the task is one of matrices, or says
 * that it is an array. */
void dl__axes_reduce(struct dl__task *task);

/* Returns the task for one of its matrices, without arithmetic. */
static inline struct dl__task dl__task_of_one(const struct dl__task *task)
{
    struct dl__task one = *task;

    one.batch = 1;
    one.numbers = (struct dl__numbers){.scales = false};
    if (task->batch > 1)
        one.shift_bytes |= task->stride_bytes;
    return one;
}

static inline bool dl__is_dense_batch(const struct dl__task *task)
{
    return task->batch == 1 || task->stride_bytes == task->matrix_bytes;
}

/* Whether each matrix is a square whose rows stay as far apart as they are. */
static inline bool dl__is_square(const struct dl__task *task)
{
    return task->rows == task->cols && task->leading == task->leading_out;
}

/* All places of matrices in the source and in the target, in bytes, combined by OR: a
 * power of two that divides this divides each of them. */
static inline uint64_t dl__places_of(const struct dl__task *task)
{
    uint64_t all = task->offset_bytes | task->offset_out_bytes | task->shift_bytes;

    return task->batch > 1 ? all | task->stride_bytes | task->stride_out_bytes : all;
}

/* Converts a number to the bits that scaled.cl takes, for parts of so many bytes. */
void dl__number_bits(uint32_t real_bytes, const double number[2], uint64_t out[2]);

/* ---- plans ---- */

enum {
    DL__LAUNCHES_MAX = 80,
    DL__PHASES_MAX = 40,
    DL__GROUPS_MAX = INT32_MAX, /* work-groups of a launch that every device takes */
    DL__ARG_NUMBERS = 2         /* which argument of a kernel its numbers are */
};

/* Runs that are enqueued `repeats` times, each time `stride_bytes` further on. */
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
    /* While the plan is made, the last runs may be in no phase yet. */
    struct dl__phase phases[DL__PHASES_MAX + 1];
    size_t phase_count;
    cl_mem workspace;                 /* owned; NULL: none */
    struct dl_transpose_error *error; /* the caller's, while the plan is made; or NULL */
    char why[700];
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

/* Says that the plan's algorithm can't do its task, and why. Returns DL_ENOTSUP. */
__attribute__((format(printf, 2, 3))) enum dl_status
dl__decline(const struct dl_transpose_plan *plan, const char *why, ...);
/* Says so of the elements' size. */
static inline enum dl_status dl__decline_elements(const struct dl_transpose_plan *plan)
{
    return dl__decline(plan, "it does not take elements of %llu bytes",
                       (unsigned long long)plan->task.element_bytes);
}
/* Says that it needs so many bytes of workspace, 0 if that is not known, which is more
 * than the cap allows. Returns DL_EREFUSED. */
enum dl_status dl__decline_cap(const struct dl_transpose_plan *plan,
                               uint64_t needed_bytes);

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

/* Makes a phase of the plan's last `runs` runs.
 *   errors  DL_ENOTSUP: the plan has too many phases */
enum dl_status dl__repeat_last(struct dl_transpose_plan *plan, size_t runs,
                               uint64_t repeats, uint64_t stride_bytes);

struct divisor dl__divisor_make(uint32_t number);

#endif
