/* SPDX-License-Identifier: MIT */
/* dl_transpose: transposition of matrices, and of arrays of up to eight axes, in OpenCL
 * buffers, in place and out of place.
 *
 * The library transposes a matrix of any rows x cols, with elements of any size, in its
 * own memory, with a workspace whose size the caller bounds, or to another buffer. There
 * are three steps:
 *
 *     dl_transpose_make        once for a context and device: kernels are built when they
 *                              are needed, and kept
 *     dl_transpose_plan_make   once for a shape: chooses and builds; fails if the shape,
 *                              the cap or the device rules out every algorithm. The
 *                              workspace is the caller's, or dl_transpose_plan_allocate's
 *     dl_transpose_enqueue     any number of times: enqueues on the caller's queue;
 *                              allocates nothing, waits for nothing; out of place:
 *                              dl_transpose_enqueue_out
 *
 * There is no global state. Sizes whose names end in `_bytes` are in bytes, all others in
 * elements.
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

/* X(identifier, "name", "what it is"): every algorithm that a plan may have, with the
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
    X(SLIDE, "slide", "no transposition: rows moved to another distance: 1 pass")

#define DL_TRANSPOSE_ENUMERATOR(name, text, help) DL_TRANSPOSE_##name,
enum dl_transpose_algorithm {
    DL_TRANSPOSE_ALGORITHM_MAP(DL_TRANSPOSE_ENUMERATOR) DL_TRANSPOSE_ALGORITHM_COUNT
};
#undef DL_TRANSPOSE_ENUMERATOR

/* Returns DL_VERSION_NUMBER of the library that the program runs with; dl_version.h has
 * the header's. */
int dl_transpose_version(void);

/* "panel-rows" and so on; "?" for any other number. */
const char *dl_transpose_algorithm_name(enum dl_transpose_algorithm algorithm);
/* Finds the algorithm of a name; DL_EINVAL: there is none. This also finds the names of
 * algorithms that only dl-bench uses for comparisons; any version may remove those. */
enum dl_status dl_transpose_algorithm_find(const char *name,
                                           enum dl_transpose_algorithm *out);

/* Row-major: the elements of a row are neighbours. Column-major: those of a column. */
enum dl_transpose_order { DL_TRANSPOSE_ROW_MAJOR, DL_TRANSPOSE_COL_MAJOR };
/* Forward: a rows x cols matrix becomes cols x rows. Inverse: the cols x rows matrix that
 * forward leaves becomes rows x cols again. */
enum dl_transpose_direction { DL_TRANSPOSE_FORWARD, DL_TRANSPOSE_INVERSE };

/* The largest workspace, as a share of one matrix. */
enum dl_transpose_cap {
    /* the size of all matrices, but at most the larger of 64 MiB and 1/16 of one */
    DL_TRANSPOSE_CAP_DEFAULT,
    DL_TRANSPOSE_CAP_0,  /* none at all */
    DL_TRANSPOSE_CAP_1,  /* 1/100 */
    DL_TRANSPOSE_CAP_12, /* 1/8 */
    DL_TRANSPOSE_CAP_ANY,
    DL_TRANSPOSE_CAP_6 /* 1/16 */
};

/* In place, dl_transpose_enqueue writes the transpose into the matrix's own memory. Out
 * of place, dl_transpose_enqueue_out writes it into another buffer, or another part of
 * the same, without a workspace, and the matrix stays. */
enum dl_transpose_place { DL_TRANSPOSE_IN_PLACE, DL_TRANSPOSE_OUT_OF_PLACE };

enum { DL_TRANSPOSE_AXES_MAX = 8 };

/* The types of elements, for arithmetic. */
enum dl_transpose_number {
    DL_TRANSPOSE_BYTES, /* any: elements are only moved */
    DL_TRANSPOSE_HALF,
    DL_TRANSPOSE_FLOAT,
    DL_TRANSPOSE_DOUBLE,
    /* pairs of those, the real part first */
    DL_TRANSPOSE_COMPLEX_HALF,
    DL_TRANSPOSE_COMPLEX_FLOAT,
    DL_TRANSPOSE_COMPLEX_DOUBLE
};

/* The matrices to transpose. If all fields but rows, cols and element_bytes are zero, it
 * is one dense row-major matrix at the start of the buffer, forward, by the chooser's
 * pick, with a workspace within DL_TRANSPOSE_CAP_DEFAULT. Fields that later versions add
 * come last; 0 in them means what this version does. */
struct dl_transpose_problem {
    /* sizeof(struct dl_transpose_problem), from which the library knows the fields. 0 is
     * not an error: the fields up to `reserved`, those of version 0.1, are read. */
    size_t struct_bytes;
    /* If one of them, or the extent of an axis, is 0, nothing is done, which is not an
     * error. */
    uint64_t rows, cols;
    uint32_t element_bytes; /* 1 and up: a scalar or a whole struct */
    enum dl_transpose_order order;
    enum dl_transpose_direction direction;
    uint64_t batch;        /* matrices; 0 means 1 */
    uint64_t batch_stride; /* elements from one matrix to the next; 0: each begins after
                            * the last element of the last row */
    /* Elements from one row (row-major) or column (column-major) to the next, in the
     * rows x cols and in the cols x rows matrix; 0: dense. With rows != cols or different
     * distances, the elements between rows are overwritten with undefined values; with
     * rows == cols and equal distances they are left alone. See keep_between. */
    uint64_t leading, leading_out;
    /* Bytes before the first matrix in the buffer: a multiple of the largest power of two
     * that divides element_bytes, up to 16. */
    uint64_t offset_bytes;
    /* The buffer's length, checked when the plan is made; 0: checked at each enqueue. */
    uint64_t buffer_bytes;
    enum dl_transpose_algorithm algorithm; /* AUTO, or a fixed one */
    enum dl_transpose_cap cap;             /* used if cap_bytes is 0 */
    uint64_t cap_bytes;                    /* the largest workspace; 0: use cap */
    /* Rows of a block, or sides of a tile, in elements, for experiments with algorithms
     * that have them; 0: the chooser's. */
    uint32_t block_rows, tile_rows, tile_cols;
    uint32_t reserved; /* 0 */
    enum dl_transpose_place place;
    /* 1: elements are complex numbers, pairs of half, float or double (4, 8 or 16 bytes),
     * and the result has their conjugates. */
    uint32_t conjugate;
    /* Out of place, these describe the target, and batch_stride, offset_bytes and
     * buffer_bytes the source. A batch_stride_out of 0 means batch_stride, or, if that is
     * 0 too, that each matrix begins after the last element of the one before.
     * offset_out_bytes is aligned like offset_bytes; buffer_out_bytes may be 0. Elements
     * between the target's rows are left alone. */
    uint64_t batch_stride_out, offset_out_bytes, buffer_out_bytes;
    /* If axis_count is not 0, the problem is an array with this number of axes instead of
     * a matrix, and rows and cols are 0. There are extents[a] elements along axis a.
     * Forward, axis d of the result is axis permutation[d] of the array; inverse reverses
     * that. In row-major order the elements of the last axis are neighbours, in
     * column-major order those of the first; leading and leading_out are the distances
     * between neighbouring lines of these elements. In place such arrays are dense,
     * unless the axes keep their order: then the lines are moved to another distance, and
     * nothing between them is written. */
    uint32_t axis_count;
    uint32_t permutation[DL_TRANSPOSE_AXES_MAX];
    uint32_t reserved_axes; /* 0 */
    uint64_t extents[DL_TRANSPOSE_AXES_MAX];
    /* 1: in place, elements between rows that are not part of the result keep their
     * values, even with rows != cols or different distances, which then takes a workspace
     * as large as a matrix. */
    uint32_t keep_between;
    enum dl_transpose_number number; /* the type of elements, for scale */
    /* 1: the result is alpha times each element, conjugated or not, and out of place plus
     * beta times the target's old value. Real numbers use alpha[0] and beta[0], complex
     * numbers both parts; an imaginary part of 0 is not multiplied with. With a beta of 0
     * the target is not read, and with an alpha of 0 the source is not. Halves are
     * computed as float. In place this takes one more pass. */
    uint32_t scale;
    uint32_t reserved_scale; /* 0 */
    double alpha[2], beta[2];
    /* Out of place, source and target may be parts of larger arrays with these extents,
     * which set the distances: outer[a] along axis a of the source, outer_out[d] along
     * axis d of the target; 0: as extents. If leading or leading_out is not 0, the
     * innermost of these must be 0 or equal to it. */
    uint64_t outer[DL_TRANSPOSE_AXES_MAX], outer_out[DL_TRANSPOSE_AXES_MAX];
};

/* All fields except struct_bytes are 0; in C, {.struct_bytes = sizeof problem} is the
 * same.
 */
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

/* A sentence for people that says what went wrong. Every function accepts NULL for it.
 * Its size does not change in later versions. */
struct dl_transpose_error {
    char text[200];
};

/* The kernels for one context and device. Threads: several may use one object. */
struct dl_transpose;

/* Makes the library's object for a context and device.
 *   cl      a table of OpenCL's functions; borrowed, must outlive the object. NULL: the
 *           functions that this library is linked to (any ICD loader)
 *   out     the caller frees it with dl_transpose_free, after its plans
 *   errors  DL_EINVAL: context, device or out is NULL
 *           DL_ENOLIB: cl is NULL, and this library (that of a Python package) is not
 *           linked to a loader
 *           DL_ENOLOCAL: the device has no local memory; DL_ECL; DL_ENOMEM */
enum dl_status dl_transpose_make(const cl_icd_dispatch *cl, cl_context context,
                                 cl_device_id device, struct dl_transpose **out,
                                 struct dl_transpose_error *error);
void dl_transpose_free(struct dl_transpose *transpose);

/* A chosen algorithm with its kernels. Constant once made: any number of threads may use
 * it, each call with a workspace of its own (see dl_transpose_enqueue). */
struct dl_transpose_plan;

/* The costs of a plan. Its size does not change in later versions. */
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
 *   errors  DL_EINVAL: an argument other than `error` is NULL, elements of zero bytes, a
 *           leading distance shorter than a row, an offset that is not aligned, a matrix
 *           past the end of buffer_bytes, an unknown algorithm, a struct_bytes that is
 *           not 0 but smaller than that of version 0.1
 *           DL_EOVERFLOW: rows * cols * element_bytes, or where the last matrix ends,
 *           exceeds 2^63
 *           DL_EREFUSED: no algorithm meets the workspace cap, or the named one doesn't
 *           DL_ENOTSUP: the named algorithm or the device can't do this shape, the
 *           problem is in place but has distances for out of place (outer), or it sets
 *           fields of a later version than the library's
 *           DL_ENOMEM, DL_ECL
 *           In each case the error's sentence says which, and nothing is enqueued or
 *           kept. */
enum dl_status dl_transpose_plan_make(struct dl_transpose *transpose,
                                      const struct dl_transpose_problem *problem,
                                      struct dl_transpose_plan **out,
                                      struct dl_transpose_error *error);
void dl_transpose_plan_free(struct dl_transpose_plan *plan);
void dl_transpose_plan_info(const struct dl_transpose_plan *plan,
                            struct dl_transpose_info *out);
/* Writes which algorithm was chosen and why, at most `bytes` with the NUL; returns the
 * length of the whole text without the NUL. */
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
 *   workspace  another buffer, or another part of the same, of at least workspace_bytes;
 *              its contents are lost, it is borrowed likewise, and only one execution at
 *              a time may use it. NULL: the plan's own, or none is needed
 *   wait       events of that context, for which the first command waits; NULL if there
 *              are none
 *   event      out, may be NULL: the last command's; the caller releases it
 *   started    out, may be NULL: set where commands that change `mem` were enqueued
 *              before an error; otherwise none was
 *   errors     With these, nothing is enqueued, and `mem` and `*event` are untouched:
 *              DL_EINVAL: no plan; a queue, buffer, workspace or event of another
 *              context; a queue of another device, or one on the device; a count without
 *              a list, or a list without a count; an image; a buffer or workspace, or the
 *              buffer that it is part of, that is CL_MEM_READ_ONLY or CL_MEM_WRITE_ONLY
 *              (CL_MEM_HOST_ flags do not matter); the matrix ends past the end of `mem`;
 *              no workspace, one too short, or one that overlaps the matrix
 *              DL_ECL: a handle is NULL, or the driver does not know it. (A handle that
 *              was released can't be told from a valid one: like any OpenCL function,
 *              this one may crash on it.)
 *              Otherwise DL_ECL or DL_ENOMEM: the driver refused a command (`started`)
 *   threads    safe */
enum dl_status dl_transpose_enqueue(const struct dl_transpose_plan *plan,
                                    cl_command_queue queue, cl_mem mem, cl_mem workspace,
                                    cl_uint wait_count, const cl_event *wait,
                                    cl_event *event, int *started,
                                    struct dl_transpose_error *error);

/* The same for a plan whose problem says DL_TRANSPOSE_OUT_OF_PLACE.
 *   from    a buffer or sub-buffer that kernels may read; its matrices stay
 *   to      another buffer, or another part of the same, that kernels may write; it gets
 *           the transposes
 *   errors  as above; also DL_EINVAL if source and target overlap between the beginning
 *           of the first matrix and the end of the last, or if the plan is in place
 *           (dl_transpose_enqueue: if it is out of place). There is only one command, so
 *           after any error `to` is untouched */
enum dl_status dl_transpose_enqueue_out(const struct dl_transpose_plan *plan,
                                        cl_command_queue queue, cl_mem from, cl_mem to,
                                        cl_uint wait_count, const cl_event *wait,
                                        cl_event *event,
                                        struct dl_transpose_error *error);

#ifdef __cplusplus
}
#endif

#endif
