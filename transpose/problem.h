/* SPDX-License-Identifier: MIT */
/* A problem in the algorithms' terms: a batch of row-major matrices, or an array of axes.
 */
#ifndef DL_TRANSPOSE_PROBLEM_H
#define DL_TRANSPOSE_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>

#include "dl_transpose.h"

enum { DL__AXES_MAX = DL_TRANSPOSE_AXES_MAX + 1 /* the batch is one more */ };

/* By falling distance in the source. */
struct dl__axis {
    uint64_t extent, from_bytes, to_bytes; /* distances in the source and in the target */
};

/* Axes that stay together are one, those of one element are gone, and what stays
 * innermost is part of the element. */
struct dl__axes {
    unsigned count;
    struct dl__axis axes[DL__AXES_MAX];
    uint64_t element_bytes; /* what moves as one, all of it neighbours on both sides */
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
    const struct dl_transpose *transpose; /* whose kernels are to do it */
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
    bool is_empty;                             /* there is nothing to do */
    bool slides; /* in place: no transposition, rows are brought to another distance */
    bool keeps_between;
    struct dl__numbers numbers;
    uint64_t stride_out_bytes, offset_out_bytes, end_out_bytes;
    /* No matrix, and no batch of them, but these axes; matrix_bytes is the array's. */
    bool is_array;
    uint64_t shift_bytes; /* all of it is done at multiples of this again; 0: it is not */
    bool has_axes;        /* the problem was one of axes; then also where it is a batch of
                             matrices: */
    struct dl__axes axes;
};

/* The problem of a program that may have been built for another version. */
enum dl_status dl__problem_read(const struct dl_transpose_problem *given,
                                struct dl_transpose_problem *out,
                                struct dl_transpose_error *error);
/* Checks a problem and puts it in these terms.
 *   errors  see dl_transpose_plan_make */
enum dl_status dl__task_make(const struct dl_transpose *transpose,
                             const struct dl_transpose_problem *problem,
                             struct dl__task *out, struct dl_transpose_error *error);
/* Merges the task's axes, once the batch is known: the task is one of matrices, or says
 * that it is an array. */
void dl__axes_reduce(struct dl__task *task);

/* Whether the task's matrices lie one after the other. */
static inline bool dl__is_dense_batch(const struct dl__task *task)
{
    return task->batch == 1 || task->stride_bytes == task->matrix_bytes;
}

/* Whether the task's axes are all of its matrices. */
static inline bool dl__is_at_once(const struct dl__task *task)
{
    return !task->is_array && (task->axes.count == 3 || !task->has_axes);
}

/* Whether each matrix is a square whose rows stay as far apart as they are. */
static inline bool dl__is_square(const struct dl__task *task)
{
    return task->rows == task->cols && task->leading == task->leading_out;
}

/* All places of matrices in the source and in the target, in bytes, combined by OR: what
 * divides this divides each of them. */
uint64_t dl__places_of(const struct dl__task *task);
/* As scaled.cl takes a number of such parts. */
void dl__number_bits(uint32_t real_bytes, const double number[2], uint64_t out[2]);

#endif
