/* SPDX-License-Identifier: MIT */
/* dl_transpose: transposition of matrices, and of arrays of up to eight axes, in OpenCL
 * buffers, in place and out of place.
 *
 * A matrix of any rows x cols, with elements of any size, becomes its transpose in the
 * memory that it lies in, beside a workspace whose size the caller bounds, or in another
 * buffer. Work goes in three steps, each of which says what it costs:
 *
 *     dl_transpose_make        once for a context and device: kernels are built at need,
 *                              and kept
 *     dl_transpose_plan_make   once for a shape: chooses and builds; what a shape, a cap
 *                              or the device rules out is said here. A workspace is the
 *                              caller's, or dl_transpose_plan_allocate's
 *     dl_transpose_enqueue     any number of times: commands on the caller's queue;
 *                              allocates nothing, waits for nothing; out of place:
 *                              dl_transpose_enqueue_out
 *
 * There is no global state. Units: `_bytes` are bytes, all else counts elements.
 *
 * The algorithms come from
 *   [S] I-J. Sung, Data Layout Transformation Through In-Place Transposition, 2013, ch. 4
 *   [C] B. Catanzaro, A. Keller, M. Garland, A Decomposition for In-place Matrix
 *       Transposition, PPoPP 2014
 *   [G] M. Gorawski, M. Lorek, Efficient Processing of Large Data Structures on GPUs:
 *       Enumeration Scheme Based Optimisation, 2017
 *   [K] A. Khan et al., Padding Free Bank Conflict Resolution for CUDA-Based Matrix
 *       Transpose Algorithm
 *   [L] L.-S. Chien, Matrix transpose (three axes) */
#ifndef DL_TRANSPOSE_H
#define DL_TRANSPOSE_H

#include <stddef.h>
#include <stdint.h>

#include <CL/cl.h>
#include <CL/cl_icd.h>

#include "dl_status.h"
#include "dl_version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(identifier, "name", "what it is"): every algorithm that a plan may say it has, by the
 * name that selects it. */
#define DL_TRANSPOSE_ALGORITHM_MAP(X)                                                    \
    X(AUTO, "auto", "the chooser's pick")                                                \
    X(NONE, "none", "a single row or column: nothing moves")                             \
    X(ONCHIP, "onchip", "each matrix through local memory: 1 pass")                      \
    X(SQUARE, "square", "pairs of tiles swapped: 1 pass, no workspace; rows = cols")     \
    X(CYCLES, "cycles", "whole elements along cut cycles, 100!: 1 pass, for structs")    \
    X(PANEL_ROWS, "panel-rows",                                                          \
      "panels of rows transposed, then blocks moved: 2 passes")                          \
    X(PANEL_COLS, "panel-cols", "the inverse order, by columns: 2 passes")               \
    X(C2R, "c2r", "columns to rows [C]: rotate, row shuffle, rotate, row permute")       \
    X(R2C, "r2c", "rows to columns [C]: the inverse of c2r on the swapped sides")        \
    X(STAGE3, "3-stage", "100!, 0010!, 0100! [S 4.7]; tiles must divide both sides")     \
    X(SQUARE_V1, "square-v1", "pairs of tiles in registers, row by row [G 4.3]: 1 pass") \
    X(SQUARE_V1R, "square-v1r", "the same, each row from the diagonal [G 4.4]")          \
    X(SQUARE_V1B, "square-v1b", "the same, in bands of columns [G 5.1]")                 \
    X(SQUARE_SUPER, "square-super", "the same, in super-tiles of tiles")                 \
    X(OUT, "out", "out of place: tiles row by row: 1 pass")                              \
    X(OUT_BANDED, "out-banded", "the same, in bands of columns, V1BF [G 6]")             \
    X(OUT_UNITS, "out-units",                                                            \
      "out of place: elements of any size, unit by unit: 1 pass")                        \
    X(THROUGH, "through",                                                                \
      "out of place into a workspace as large as a matrix, and back: 2 passes")          \
    X(AXES, "axes", "axes: the cheapest sequence of transpositions and swaps")           \
    X(AXES_SWAP, "axes-swap",                                                            \
      "two axes of one extent swapped, in bands [G 3.3]: 1 pass")                        \
    X(STEP, "step", "elements moved whole in every matrix at once, 0100! [S 4.3]")       \
    X(CYCLES_BARE, "cycles-bare",                                                        \
      "elements along their cycles: 1 slow pass, no workspace")                          \
    X(SQUARE_PADDED, "square-padded",                                                    \
      "near-square: strip aside, square swapped, rows slid [S 4.1.1]: 2 passes and a "   \
      "bit")                                                                             \
    X(OUT_BLOCKS, "out-blocks", "out of place, for CPUs: a block for each work-item")    \
    X(SQUARE_BLOCKS, "square-blocks",                                                    \
      "for CPUs: pairs of blocks swapped by a work-item")                                \
    X(OUT_AXES, "out-axes", "out of place: axes in any order: 1 pass")                   \
    X(OUT_LINES, "out-lines", "out of place: tiles that write whole lines: 1 pass")      \
    X(OUT_SCALED, "out-scaled", "out of place: alpha times each, plus beta: 1 pass")     \
    X(SLIDE, "slide", "rows of a matrix that stays brought to another distance: 1 pass")

#define DL_TRANSPOSE_ENUMERATOR(name, text, help) DL_TRANSPOSE_##name,
enum dl_transpose_algorithm {
    DL_TRANSPOSE_ALGORITHM_MAP(DL_TRANSPOSE_ENUMERATOR) DL_TRANSPOSE_ALGORITHM_COUNT
};
#undef DL_TRANSPOSE_ENUMERATOR

/* DL_VERSION_NUMBER of the library that the program runs with (the header's:
 * dl_version.h). */
int dl_transpose_version(void);

/* "panel-rows" and so on; "?" for any other number. */
const char *dl_transpose_algorithm_name(enum dl_transpose_algorithm algorithm);
/* The algorithm of a name; DL_EINVAL: there is none. Names that dl-bench compares with
 * are found, too: those may go in any version. */
enum dl_status dl_transpose_algorithm_find(const char *name,
                                           enum dl_transpose_algorithm *out);

/* Row-major: the elements of a row are neighbours. Column-major: those of a column. */
enum dl_transpose_order { DL_TRANSPOSE_ROW_MAJOR, DL_TRANSPOSE_COL_MAJOR };
/* Forward: a rows x cols matrix becomes cols x rows. Inverse: the cols x rows matrix that
 * forward leaves becomes rows x cols again. */
enum dl_transpose_direction { DL_TRANSPOSE_FORWARD, DL_TRANSPOSE_INVERSE };

/* The most workspace, as a share of one matrix. */
enum dl_transpose_cap {
    /* as much as all the matrices have, up to 64 MiB, or 1/16 of one where that is more
     */
    DL_TRANSPOSE_CAP_DEFAULT,
    DL_TRANSPOSE_CAP_0,  /* none at all */
    DL_TRANSPOSE_CAP_1,  /* 1/100 */
    DL_TRANSPOSE_CAP_12, /* 1/8 */
    DL_TRANSPOSE_CAP_ANY,
    DL_TRANSPOSE_CAP_6 /* 1/16 */
};

/* In place: the transpose takes the matrix's own memory, by dl_transpose_enqueue. Out of
 * place: it goes to another buffer, or another part of the same, by
 * dl_transpose_enqueue_out, without workspace; the matrix stays. */
enum dl_transpose_place { DL_TRANSPOSE_IN_PLACE, DL_TRANSPOSE_OUT_OF_PLACE };

enum { DL_TRANSPOSE_AXES_MAX = 8 };

/* The numbers that elements are, for arithmetic. */
enum dl_transpose_number {
    DL_TRANSPOSE_BYTES, /* any: they are moved */
    DL_TRANSPOSE_HALF,
    DL_TRANSPOSE_FLOAT,
    DL_TRANSPOSE_DOUBLE,
    /* pairs of those, the real part first */
    DL_TRANSPOSE_COMPLEX_HALF,
    DL_TRANSPOSE_COMPLEX_FLOAT,
    DL_TRANSPOSE_COMPLEX_DOUBLE
};

/* A problem: the matrices to be transposed. All zero but rows, cols and element_bytes:
 * one dense row-major matrix at the start of the buffer, forward, by the chooser's pick,
 * with a workspace within DL_TRANSPOSE_CAP_DEFAULT. Fields that later versions add come
 * last, and mean with 0 what there was before. */
struct dl_transpose_problem {
    /* sizeof(struct dl_transpose_problem), by which the library knows which fields there
     * are; 0: those of version 0.1 */
    size_t struct_bytes;
    uint64_t rows,
        cols; /* of one, or an axis, 0: there is nothing to do, which is no error */
    uint32_t element_bytes; /* 1 and up: a scalar or a whole struct */
    enum dl_transpose_order order;
    enum dl_transpose_direction direction;
    uint64_t batch;        /* matrices; 0 means 1 */
    uint64_t batch_stride; /* from one matrix to the next, in elements; 0: each begins
                            * behind the last row's last element */
    /* From one row (row-major) or column (column-major) to the next, of the rows x cols
     * and of the cols x rows matrix; 0: dense. A matrix owns what it spans: with rows !=
     * cols or different distances, elements between its rows are overwritten with no
     * defined value; with rows == cols and equal distances they are left alone. */
    uint64_t leading, leading_out;
    /* of the first matrix in the buffer: a multiple of the largest power of two that
     * divides element_bytes, up to 16 */
    uint64_t offset_bytes;
    /* the buffer's length, to be checked now; 0: at each enqueue */
    uint64_t buffer_bytes;
    enum dl_transpose_algorithm algorithm; /* AUTO, or a fixed one */
    enum dl_transpose_cap cap;             /* where cap_bytes is 0 */
    uint64_t cap_bytes;                    /* the most workspace; 0: a share */
    /* Bytes of a block or tile sides for the algorithms that have them, to experiment
     * with; 0: chosen. */
    uint32_t block_rows, tile_rows, tile_cols;
    uint32_t reserved; /* 0 */
    enum dl_transpose_place place;
    /* 1: elements are complex numbers, pairs of half, float or double (4, 8 or 16 bytes),
     * and the result has their conjugates */
    uint32_t conjugate;
    /* Out of place, of the target: from one matrix to the next in elements, 0: as
     * batch_stride, or each begins behind the last row's last element where that is 0
     * too; where the first begins, aligned as offset_bytes is; the buffer's length, or 0.
     * There batch_stride, offset_bytes and buffer_bytes are those of the source, and what
     * lies between the target's rows is left alone. */
    uint64_t batch_stride_out, offset_out_bytes, buffer_out_bytes;
    /* An array of axis_count axes instead of a matrix, whose rows and cols are 0 then; 0:
     * a matrix. extents[a] elements along axis a; forward, axis d of the result is axis
     * permutation[d] of the array, and inverse takes that back. Row-major: the elements
     * of the last axis are neighbours, column-major: those of the first. Leading and
     * leading_out are the distances between neighbouring lines of those. In place such
     * arrays are dense, unless axes stay in their order: then lines are brought to
     * another distance, and nothing between them is written. */
    uint32_t axis_count;
    uint32_t permutation[DL_TRANSPOSE_AXES_MAX];
    uint32_t reserved_axes; /* 0 */
    uint64_t extents[DL_TRANSPOSE_AXES_MAX];
    /* 1: in place, elements between rows that are not the result's stay as they are, also
     * with rows
     * != cols or different distances, which takes a workspace as large as a matrix then.
     */
    uint32_t keep_between;
    enum dl_transpose_number number; /* of element_bytes; for scale */
    /* 1: the result is alpha times each element, conjugated or not, and out of place plus
     * beta times what the target had. Real numbers take alpha[0] and beta[0], complex
     * ones both parts, of which an imaginary 0 is not multiplied with. A beta of 0 does
     * not read the target, an alpha of 0 not the source. Halves are computed as float.
     * One more pass in place. */
    uint32_t scale;
    uint32_t reserved_scale; /* 0 */
    double alpha[2], beta[2];
    /* Out of place, an array of axes may be part of a larger one: its extents, which only
     * tell distances; 0: as extents. Of outer[a] along axis a of the source, outer_out[d]
     * along axis d of the target; where leading or leading_out is not 0, the innermost of
     * these is 0 or the same. */
    uint64_t outer[DL_TRANSPOSE_AXES_MAX], outer_out[DL_TRANSPOSE_AXES_MAX];
};

/* Every field 0 but struct_bytes; in C, {.struct_bytes = sizeof problem} is the same. */
#define DL_TRANSPOSE_PROBLEM_INIT                                                        \
    {                                                                                    \
        sizeof(struct dl_transpose_problem), 0, 0, 0, DL_TRANSPOSE_ROW_MAJOR,            \
            DL_TRANSPOSE_FORWARD, 0, 0, 0, 0, 0, 0, DL_TRANSPOSE_AUTO,                   \
            DL_TRANSPOSE_CAP_DEFAULT, 0, 0, 0, 0, 0, DL_TRANSPOSE_IN_PLACE, 0, 0, 0, 0,  \
            0, {0}, 0, {0}, 0, DL_TRANSPOSE_BYTES, 0, 0, {0}, {0}, {0},                  \
        {                                                                                \
            0                                                                            \
        }                                                                                \
    }

/* A sentence of what went wrong, for people. Every function that takes one may be given
 * NULL. Its size stays. */
struct dl_transpose_error {
    char text[200];
};

/* The kernels of one (context, device). Threads: every function is safe on one from
 * several. */
struct dl_transpose;

/*   cl      where OpenCL's functions are; borrowed, must outlive the object. NULL: those
 *           that this library is linked to, by name (any ICD loader)
 *   out     the caller frees it with dl_transpose_free, after its plans
 *   errors  DL_EINVAL: context, device or out is NULL
 *           DL_ENOLIB: cl is NULL, and this library (of a Python package) is linked to
 *           none
 *           DL_ENOTSUP: the device has no local memory; DL_ECL; DL_ENOMEM */
enum dl_status dl_transpose_make(const cl_icd_dispatch *cl, cl_context context,
                                 cl_device_id device, struct dl_transpose **out,
                                 struct dl_transpose_error *error);
void dl_transpose_free(struct dl_transpose *transpose);

/* A chosen algorithm with its kernels. Constant once made: any number of threads may use
 * it, each call with a workspace of its own (see dl_transpose_enqueue). */
struct dl_transpose_plan;

/* The costs of a plan. Its size stays. */
struct dl_transpose_info {
    enum dl_transpose_algorithm algorithm;
    uint64_t workspace_bytes; /* device memory beside the matrix */
    uint32_t passes;       /* over the matrix: each reads and writes every element once */
    uint32_t launches;     /* for each matrix of the batch */
    uint64_t matrix_bytes; /* of all matrices of the batch, dense */
    uint64_t block_rows, blocks; /* the panels: elements of a block, blocks of a column */
    uint64_t tile_rows, tile_cols; /* the stages */
    uint64_t reserved[6];          /* 0; for later versions */
};

/* Chooses and builds.
 *   problem borrowed for the call
 *   out     the caller frees it with dl_transpose_plan_free; `transpose` must outlive it
 *   errors  DL_EINVAL: an argument but `error` is NULL, elements of zero bytes, a leading
 *           distance below a row, an offset that is not aligned, a matrix past the end of
 *           buffer_bytes, an unknown algorithm, a struct_bytes below that of version 0.1
 *           DL_EOVERFLOW: rows * cols * element_bytes, or where the last matrix ends,
 *           exceeds 2^63
 *           DL_EREFUSED: no algorithm meets the workspace cap, or the named one doesn't
 *           DL_ENOTSUP: the named algorithm can't do this shape, or the device can't; in
 *           place, distances that only out of place has (outer); the problem sets fields
 *           of a later version than the library's
 *           DL_ENOMEM, DL_ECL
 *           In each case the error's sentence says which, nothing is enqueued or kept. */
enum dl_status dl_transpose_plan_make(struct dl_transpose *transpose,
                                      const struct dl_transpose_problem *problem,
                                      struct dl_transpose_plan **out,
                                      struct dl_transpose_error *error);
void dl_transpose_plan_free(struct dl_transpose_plan *plan);
void dl_transpose_plan_info(const struct dl_transpose_plan *plan,
                            struct dl_transpose_info *out);
/* Writes what was chosen and why, at most `bytes` with the NUL; returns what it wanted
 * to. */
size_t dl_transpose_plan_explain(const struct dl_transpose_plan *plan, char *text,
                                 size_t bytes);

/* Makes the plan own a workspace, so that dl_transpose_enqueue needs none. Executions
 * that share it must follow one another: on one in-order queue, or by their events.
 *   errors  DL_EINVAL: no plan; DL_ENOMEM, DL_ECL: the plan is as before
 *   threads before the plan is shared */
enum dl_status dl_transpose_plan_allocate(struct dl_transpose_plan *plan,
                                          struct dl_transpose_error *error);

/* Enqueues the transposition on `queue`, in order or chained by events on an out-of-order
 * queue.
 *   queue      of the context and device that the library's object was made for
 *   mem        a buffer or sub-buffer of that context that kernels may read and write,
 *              borrowed until the commands are done
 *   workspace  another, or another part of the same, of at least workspace_bytes;
 *              contents lost, borrowed likewise, and used by one execution at a time.
 *              NULL: the plan's own, or none needed
 *   wait       events of that context, which the first command waits for; NULL when there
 *              are none
 *   event      out, may be NULL: of the last command; the caller releases it
 *   errors     Nothing is enqueued, `mem` and `*event` are untouched:
 *              DL_EINVAL: no plan; a queue, buffer, workspace or event of another
 *              context; a queue of another device, or one on the device; a count without
 *              a list, or a list without a count; an image; a buffer or workspace, or the
 *              buffer that it is part of, that is
 *              CL_MEM_READ_ONLY or CL_MEM_WRITE_ONLY (of HOST_* flags any will do); the
 *              matrix ends past the end of `mem`; no workspace, one too short, or one
 *              that overlaps the matrix
 *              DL_ECL: a handle is NULL, or none that the driver knows. (One that was
 *              released is not to be told from a good one: like any OpenCL function given
 *              it, this one may crash.)
 *              Otherwise DL_ECL or DL_ENOMEM: the driver refused a command. When
 *              `started` is not NULL and set, commands that change `mem` were enqueued
 *              before; else none was
 *   threads    safe */
enum dl_status dl_transpose_enqueue(const struct dl_transpose_plan *plan,
                                    cl_command_queue queue, cl_mem mem, cl_mem workspace,
                                    cl_uint wait_count, const cl_event *wait,
                                    cl_event *event, int *started,
                                    struct dl_transpose_error *error);

/* The same for a plan whose problem says DL_TRANSPOSE_OUT_OF_PLACE.
 *   from    a buffer or sub-buffer that kernels may read; its matrices stay
 *   to      another, or another part of the same, that kernels may write; gets the
 *           transposes
 *   errors  as above; also DL_EINVAL where source and target, from their first matrix's
 *           beginning to their last one's end, overlap, and where the plan is in place,
 *           as above where it is out of place. One command is all there is: after any
 *           error `to` is untouched */
enum dl_status dl_transpose_enqueue_out(const struct dl_transpose_plan *plan,
                                        cl_command_queue queue, cl_mem from, cl_mem to,
                                        cl_uint wait_count, const cl_event *wait,
                                        cl_event *event,
                                        struct dl_transpose_error *error);

#ifdef __cplusplus
}
#endif

#endif
