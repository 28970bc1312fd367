/* SPDX-License-Identifier: MIT */
/* imatcopy and omatcopy for matrices in OpenCL buffers, with the names, argument order
 * and meaning of MKL and OpenBLAS. After each buffer comes an additional argument: the
 * elements before the matrix in the buffer.
 *
 *     struct dl_matcopy on = {.transpose = library, .queue = queue};
 *     dl_simatcopy(&on, 'R', 'T', rows, cols, 1.0f, ab, 0, cols, rows);
 *
 * They use plans of dl_transpose.h. The library keeps the last 64, with their workspaces:
 * the first call of a kind plans, builds and allocates, and later ones only enqueue. */
#ifndef DL_MATCOPY_H
#define DL_MATCOPY_H

#include "dl_transpose.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where a call works, and what it waits for. */
struct dl_matcopy {
    struct dl_transpose *transpose; /* of the queue's context and device */
    cl_command_queue queue;
    cl_uint wait_count; /* events in `wait`; 0 and NULL: none */
    const cl_event *wait;
    cl_event *event; /* out, or NULL: the last command's; the caller releases it */
    struct dl_transpose_error *error; /* out, or NULL */
};

/*   ordering    'R': row-major, 'C': column-major
 *   trans       'N': op(X) = X, 'T': its transpose, 'R': its conjugate, 'C': its
 *               conjugate transpose; for real numbers 'R' means 'N' and 'C' means 'T'.
 *               Letters may be lower-case
 *   rows, cols  those of the source. If one of them or batch_size is 0, nothing is done;
 *               of the other arguments only the letters are checked
 *   alpha       1: elements keep their bits; 0: the source is not read; an imaginary part
 *               of 0 is not multiplied with
 *   lda, ldb    elements from one row (column-major: column) to the next, before and
 *               after
 *   stride*     elements from one matrix of the batch to the next, at least what a matrix
 *               spans; not read for a batch of 1
 *
 * imatcopy: AB = alpha * op(AB), in place. Only elements of the result are written;
 * others stay, including those between rows. A transposition with elements between rows
 * takes a workspace as large as a matrix, unless the matrix is square and lda = ldb;
 * every other call takes at most what DL_TRANSPOSE_CAP_DEFAULT allows. omatcopy: B =
 * alpha * op(A). omatadd: B = alpha * op(A) + beta * B; with a beta of 0 B is not read. A
 * and B may be in the same buffer if they do not overlap from first to last element.
 *
 *   errors   as dl_transpose_plan_make and dl_transpose_enqueue; DL_EINVAL also for any
 *            other letter, a leading distance shorter than a line, and a stride smaller
 *            than a matrix.
 *            After an OpenCL error, commands may have been enqueued
 *   kept     the last 64 plans, each with its workspace and a reference to its queue,
 *            until the library's object is freed
 *   threads  safe; calls from several take turns */
#define DL_MATCOPY_TYPE_MAP(X)                                                           \
    X(s, cl_float)                                                                       \
    X(d, cl_double)                                                                      \
    X(c, cl_float2)                                                                      \
    X(z, cl_double2)

#define DL_MATCOPY_DECLARE(letter, number)                                               \
    enum dl_status dl_##letter##imatcopy(                                                \
        const struct dl_matcopy *on, char ordering, char trans, size_t rows,             \
        size_t cols, number alpha, cl_mem ab, size_t ab_offset, size_t lda, size_t ldb); \
    enum dl_status dl_##letter##imatcopy_batch_strided(                                  \
        const struct dl_matcopy *on, char ordering, char trans, size_t rows,             \
        size_t cols, number alpha, cl_mem ab, size_t ab_offset, size_t lda, size_t ldb,  \
        size_t stride, size_t batch_size);                                               \
    enum dl_status dl_##letter##omatcopy(                                                \
        const struct dl_matcopy *on, char ordering, char trans, size_t rows,             \
        size_t cols, number alpha, cl_mem a, size_t a_offset, size_t lda, cl_mem b,      \
        size_t b_offset, size_t ldb);                                                    \
    enum dl_status dl_##letter##omatcopy_batch_strided(                                  \
        const struct dl_matcopy *on, char ordering, char trans, size_t rows,             \
        size_t cols, number alpha, cl_mem a, size_t a_offset, size_t lda,                \
        size_t stridea, cl_mem b, size_t b_offset, size_t ldb, size_t strideb,           \
        size_t batch_size);                                                              \
    enum dl_status dl_##letter##omatadd(                                                 \
        const struct dl_matcopy *on, char ordering, char trans, size_t rows,             \
        size_t cols, number alpha, cl_mem a, size_t a_offset, size_t lda, number beta,   \
        cl_mem b, size_t b_offset, size_t ldb);
DL_MATCOPY_TYPE_MAP(DL_MATCOPY_DECLARE)
#undef DL_MATCOPY_DECLARE

#ifdef __cplusplus
}
#endif

#endif
