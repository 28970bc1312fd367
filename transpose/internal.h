/* SPDX-License-Identifier: MIT */
/* What the files of this room share. */
#ifndef DL_TRANSPOSE_INTERNAL_H
#define DL_TRANSPOSE_INTERNAL_H

#include "axes.h"
#include "dl_transpose.h"
#include "engine/opencl.h"
#include "engine/run.h"
#include "layout/arith.h"
#include "layout/permute.h"
#include "marshal_kernels/steps.h"
#include "tuning.h"

/* The numbers of a launch: the kernels' own text. */
typedef uint32_t dl__uint;
typedef uint64_t dl__ulong;
#define uint dl__uint
#define ulong dl__ulong
#include "algorithms/shape.cl"
#undef uint
#undef ulong

/* The text that every kernel of this room begins with. */
extern const char dl_shape_cl[], dl_units_cl[];

enum { DL__LAUNCHES_MAX = 80 };

/* ---- the library's object ---- */

struct dl_transpose {
    cl_icd_dispatch own; /* what the device uses when the functions are those linked to */
    struct dl__opencl opencl;
    struct dl__engine engine;
    struct dl__steps steps; /* the elementary transpositions of the stages */
    struct dl__tuning tuning;
    pthread_mutex_t matcopy_lock;
    struct dl__matcopy *matcopy; /* plans that matcopy.c keeps; NULL: none yet */
};

/* Fills in the functions that this library is linked to (names.c). */
void dl__names_fill(cl_icd_dispatch *cl);

/* Says what went wrong and returns `status`. */
__attribute__((format(printf, 3, 4))) enum dl_status
dl__fail(struct dl_transpose_error *error, enum dl_status status, const char *format,
         ...);

/* The kernel `name` of a file built with these knobs; built at the first need
 * (program.c).
 *   name    a literal; `out` lives as long as `transpose` */
enum dl_status dl__kernel_get(struct dl_transpose *transpose,
                              const struct dl__kernel_source *source, const char *knobs,
                              const char *name, cl_kernel *out,
                              struct dl_transpose_error *error);

/* ---- plans ---- */

/* What is computed on the way: scaled.c. */
struct dl__numbers {
    bool scales, conjugates;    /* neither: elements are only moved */
    uint32_t bytes, real_bytes; /* of a number, and of its parts */
    uint64_t alpha[2], beta[2]; /* as scaled.cl takes them */
    /* In place, where the results lie, in numbers. */
    uint64_t rows, width, leading, batch, stride;
};

/* A problem in the terms of the algorithms: rows x cols elements, row-major, becomes
 * cols x rows. */
struct dl__task {
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

/* So many of a plan's runs, enqueued so often, each time so many bytes further on. */
struct dl__phase {
    size_t runs;
    uint64_t repeats, stride_bytes;
};
enum { DL__PHASES_MAX = 40 };

struct dl_transpose_plan {
    struct dl_transpose *transpose;
    struct dl__task task;
    struct dl_transpose_info info;
    struct dl__run runs[DL__LAUNCHES_MAX];
    size_t run_count;
    bool batch_at_once; /* the launches do all matrices themselves */
    bool has_last;      /* one launch for all matrices comes after all others: */
    struct dl__run last;
    /* What is done for each matrix, or for all of them at once; none: every run, once. */
    struct dl__phase phases[DL__PHASES_MAX];
    size_t phase_count;
    cl_mem workspace; /* owned; NULL: none */
    char why[600];
};

/* ---- the algorithms ---- */

/* One row for each algorithm. */
struct dl__transpose_algorithm {
    /* Of equal cost the smallest is tried first. Two may be equal; the public list, which
     * only grows at its end, then decides. */
    unsigned order;
    /* Whether the chooser thinks of it for this task. */
    bool (*applies)(const struct dl_transpose *transpose, const struct dl__task *task);
    /* What it would cost, in bytes copied; 0: where it can do it, it is the best;
     * DBL_MAX: as far as is known it can't. */
    double (*cost)(const struct dl_transpose *transpose, const struct dl__task *task);
    /* Fills a zeroed plan's runs and info for its task, or refuses with DL_EREFUSED (the
     * cap) or DL_ENOTSUP (the shape). Nothing is held on failure. */
    enum dl_status (*plan)(struct dl_transpose_plan *plan,
                           struct dl_transpose_error *error);
    bool is_out;      /* works out of place; all others in place */
    bool keeps_apart; /* takes rows that lie apart as they are */
    bool takes_axes;  /* and arrays that are not matrices */
    bool scales;      /* out of place: computes alpha and beta */
};

/* The row of each in DL_TRANSPOSE_ALGORITHM_MAP. A new algorithm is its file and its line
 * there. */
#define DL_TRANSPOSE_ROW(name) const struct dl__transpose_algorithm dl__transpose_##name
#define X(name, text, help) extern DL_TRANSPOSE_ROW(name);
DL_TRANSPOSE_ALGORITHM_MAP(X)
#undef X

/* For rows: always, and never but when named. */
bool dl__applies_always(const struct dl_transpose *transpose,
                        const struct dl__task *task);
bool dl__applies_named(const struct dl_transpose *transpose, const struct dl__task *task);
double dl__cost_nothing(const struct dl_transpose *transpose,
                        const struct dl__task *task);

/* How tiles go through registers (tiles.c): numbers of the device's file for one size of
 * elements. */
struct dl__tiling {
    unsigned side, vector, group, width, hint;
    bool is_odd;             /* rows begin anywhere */
    struct dl__tuning costs; /* those of passes over tiles */
};

/* The numbers for tiles of elements of 1, 2, 4, 8 or 16 bytes; false: it is another size.
 * The device's file has lines for rows that begin at multiples of 64 bytes (`swap 4
 * ...`), at whole vectors (`swap_part 4 ...`) and elsewhere (`swap_odd 4 ...`).
 *   family   "swap" or "out"
 *   aligned  all distances and places, in bytes, combined by OR */
bool dl__tiling_choose(const struct dl_transpose *transpose, const char *family,
                       uint64_t element_bytes, uint64_t aligned, struct dl__tiling *out);
/* The kernel of a file that begins with tiles.cl. */
enum dl_status dl__tiling_kernel(struct dl_transpose *transpose,
                                 const struct dl__kernel_source *source,
                                 const struct dl__tiling *tiling, uint64_t element_bytes,
                                 bool conjugate, const char *name, cl_kernel *out,
                                 struct dl_transpose_error *error);
/* A move that is a swap of two axes of one extent: by pairs of tiles in bands (swap.c),
 * whose cost is in copies of the array, 0: it can't; or by pairs of runs of elements
 * (swap_runs.c). */
double dl__swap_axes_cost(const struct dl_transpose *transpose,
                          const struct dl__task *task, const struct dl_move *move);
enum dl_status dl__swap_axes_add(struct dl_transpose_plan *plan,
                                 const struct dl_move *move,
                                 struct dl_transpose_error *error);
enum dl_status dl__swap_runs_add(struct dl_transpose_plan *plan,
                                 const struct dl_move *move,
                                 struct dl_transpose_error *error);
enum dl_status dl__swap_add(struct dl_transpose_plan *plan, const struct dl_move *move,
                            struct dl_transpose_error *error);
enum { DL__RUN_BYTES_MIN = 32 /* shorter elements are parts of sectors */ };
/* Whether the task's axes are all of its matrices (axes_swap.c). */
bool dl__is_at_once(const struct dl__task *task);
/* The best pass out of place for a task that says so, and its launch: from the plan's
 * buffer to what is its workspace, or its target (out.c). */
double dl__out_cost(const struct dl_transpose *transpose, const struct dl__task *task);
enum dl_status dl__out_add(struct dl_transpose_plan *plan, const struct dl__task *task,
                           struct dl_transpose_error *error);
/* The launch of blocks, for CPUs (blocks.c). */
enum dl_status dl__blocks_add(struct dl_transpose_plan *plan, const struct dl__task *task,
                              struct dl_transpose_error *error);
/* The same for the task's axes, in one launch: its cost where the chooser may take it,
 * and the launch. */
double dl__out_axes_cost(const struct dl_transpose *transpose,
                         const struct dl__task *task);
enum dl_status dl__out_axes_add(struct dl_transpose_plan *plan,
                                const struct dl__task *task, bool on_grid,
                                struct dl_transpose_error *error);
/* The same by tiles whose sides are several axes, also for a batch of matrices
 * (out_sides.c); the cost is DBL_MAX where it can't. */
double dl__out_sides_cost(const struct dl_transpose *transpose,
                          const struct dl__task *task);
enum dl_status dl__out_sides_add(struct dl_transpose_plan *plan,
                                 const struct dl__task *task,
                                 struct dl_transpose_error *error);
/* Elements of any size, unit by unit: how much slower short units are, and how many
 * elements a tile's side is. */
double dl__units_short(uint64_t unit_bytes);
unsigned dl__units_side(uint64_t element_bytes);
/* How much more tiles of `side` cover than extents that they don't divide. */
double dl__tiles_waste(uint64_t rows, uint64_t cols, const struct dl__tiling *tiling);
/* Adds the launch of a kernel that takes such tiles of the source out of place, all
 * matrices at once; `shape` has the order alone. */
struct dl__out_tile {
    unsigned rows, cols, more,
        group; /* more: rows beyond the matrix that the last tiles begin in */
};
enum dl_status dl__out_launch_add(struct dl_transpose_plan *plan,
                                  const struct dl__task *task, const char *name,
                                  cl_kernel kernel, struct out_shape shape,
                                  struct dl__out_tile tile,
                                  struct dl_transpose_error *error);
/* Tiles that write whole lines (out_lines.c); the cost DBL_MAX: it can't. */
double dl__out_lines_cost(const struct dl_transpose *transpose,
                          const struct dl__task *task);
enum dl_status dl__out_lines_add(struct dl_transpose_plan *plan,
                                 const struct dl__task *task,
                                 struct dl_transpose_error *error);

/* Tiles that are read by rows and written as runs of columns (columns.cl): rows of a run,
 * those that are read beyond them, words written at once, what a work-item has on the
 * way, and tiles of a band (out_lines.c). */
struct dl__columns {
    unsigned cols, rows, more, run, group, held, hint, width;
};
/* Makes `run` what such elements and rows can be written in; false: the tile and so many
 * bytes more exceed local memory, or its sides are no whole words. */
bool dl__columns_fit(const struct dl_transpose *transpose, struct dl__columns *tile,
                     uint64_t element_bytes, uint64_t other_bytes);
/* Writes the knobs that columns.cl has; returns how many characters. */
int dl__columns_knobs(const struct dl__columns *tile, uint64_t element_bytes,
                      bool conjugate, char *knobs, size_t bytes);
/* `instances` slices, one after the other, of so many bytes each, whose axes come into
 * `order` through the workspace (axes_slices.c): the cost of all in bytes copied, and
 * their launches as phases of a plan that has no runs yet. One slice at least must fit
 * the cap. */
struct dl__slices {
    uint64_t instances, bytes, element_bytes;
    unsigned count, order[DL__AXES_MAX];
    uint64_t extents[DL__AXES_MAX];
};
double dl__slices_cost(const struct dl_transpose *transpose, const struct dl__task *task,
                       const struct dl__slices *slices);
enum dl_status dl__slices_add(struct dl_transpose_plan *plan,
                              const struct dl__slices *slices,
                              struct dl_transpose_error *error);
/* Adds the launch that copies rows, dense in the workspace from a byte of it on, to the
 * matrix. */
struct dl__back {
    uint64_t rows, width_bytes, leading_bytes, to_bytes, from_bytes;
};
enum dl_status dl__back_add(struct dl_transpose_plan *plan, struct dl__back back,
                            struct dl_transpose_error *error);
enum { DL__GROUPS_MAX = INT32_MAX /* of a launch: what every device takes */ };

/* The middle pass of the fused four stages: down x across tiles to across x down
 * (fuse.c). */
enum dl_status dl__fuse_add(struct dl_transpose_plan *plan, uint64_t down,
                            uint64_t across, uint64_t tile_rows, uint64_t tile_cols,
                            struct dl_transpose_error *error);

/* Adds what slides rows nearer to one another or further apart, distances in elements, by
 * flags in the workspace from a byte of it on; where the cap has no room for them, one
 * work-group does it alone (pack.c). */
enum dl_status dl__pack_add(struct dl_transpose_plan *plan, struct pack_shape shape,
                            uint64_t work_offset, struct dl_transpose_error *error);
/* The task's numbers (scaled.c). */
enum dl_status dl__numbers_make(const struct dl_transpose_problem *problem,
                                struct dl__numbers *out,
                                struct dl_transpose_error *error);
/* Makes a plan in place end with the launch that conjugates or scales, where its task
 * says so. */
enum dl_status dl__scale_add(struct dl_transpose_plan *plan,
                             struct dl_transpose_error *error);
/* Changes the numbers of a plan that scales. */
void dl__scale_set(struct dl_transpose_plan *plan, const double alpha[2],
                   const double beta[2]);
/* Forgets the plans that are kept, and the lock. */
void dl__matcopy_free(struct dl_transpose *transpose);
/* Plans for a matrix whose rows lie apart: packs, transposes, spreads (pack.c). */
enum dl_status dl__pack_around(struct dl_transpose_plan *plan,
                               enum dl_transpose_algorithm algorithm,
                               struct dl_transpose_error *error);

/* The numbers of a device for one family and size of elements, but for those that are
 * known, or have been asked for, whatever the size: all that are not 0. */
struct dl__tuning dl__tuning_for(const struct dl_transpose *transpose, const char *family,
                                 uint64_t bytes);

/* An array in the panel algorithm's terms: blocks lie along `rows`. */
struct dl__sides {
    uint64_t rows, cols, element_bytes, offset_bytes;
};

/* By columns is the inverse of by rows on the transpose. */
struct dl__sides dl__sides_of(const struct dl__task *task, bool by_rows);

/* A shape with its cuts, one of every `cut` places. */
struct dl__candidate {
    struct panel_shape shape;
    unsigned cut;
    uint64_t work_bytes;
    double cost;
};

/* Tries every distance of cuts that the cap has room for; keeps the cheapest in `best`,
 * whose cut is 0 while there is none. */
void dl__cuts_try(const struct dl__tuning *tuning, const struct dl__sides *sides,
                  uint64_t cap_bytes, bool joining, struct panel_shape shape,
                  struct dl__candidate *best);
/* The mover of blocks (move.c); `alone`: without panels, so that it has to save its cuts
 * and has no strip. */
uint32_t dl__vector_bytes_of(const struct dl__sides *sides, const struct dl__task *task,
                             const struct panel_shape *shape);
enum dl_status dl__moves_add(struct dl_transpose_plan *plan, struct panel_shape shape,
                             uint32_t vector_bytes, bool inverse, bool alone,
                             struct dl_transpose_error *error);
/* The cheapest shape within the task's cap; false: none (panel_shape.c). */
bool dl__candidate_choose(const struct dl__tuning *tuning, const struct dl__task *task,
                          const struct dl__sides *sides, bool joining,
                          struct dl__candidate *best);

/* How `rows` rows of a panel of `cols` columns are shared out in tiles on a GPU: tiles of
 * rows x cols elements, `parts` of them above one another. */
struct dl__tile_rows {
    uint32_t rows, cols, parts;
};
struct dl__tile_rows dl__tile_rows(uint64_t cols, uint64_t rows, uint64_t element_bytes,
                                   unsigned cols_most, uint64_t tile_bytes);
/* The tiles of the panels' pass and what its kernel is built with (panel_tiles.c). */
struct dl__panel_tiles {
    uint32_t cols, rows, group;
    bool by_runs;   /* of whole words; else by units */
    bool by_blocks; /* a tile for each work-item, on CPUs */
    char knobs[500];
};
/* Writes the shape's numbers of tiles, too; false: an element exceeds local memory. */
bool dl__panel_tiles_choose(const struct dl_transpose *transpose,
                            const struct dl__tuning *tuning, const struct dl__task *task,
                            struct panel_shape *shape, uint32_t vector_bytes,
                            bool joining, struct dl__panel_tiles *tiles);
/* The panel algorithm's numbers for one block length, in elements, and one alignment of
 * blocks; the workspace and the tiles are left open. False: not possible. */
bool dl__panel_shape_make(const struct dl__sides *sides, uint64_t sector_bytes,
                          uint64_t align, uint64_t block, struct panel_shape *out);

/* Checks a problem and puts it in the algorithms' terms (plan.c). */
enum dl_status dl__task_make(const struct dl_transpose_problem *problem,
                             struct dl__task *out, struct dl_transpose_error *error);
/* Plans by the named algorithm, or by the best that the cap allows (choose.c). */
enum dl_status dl__choose(struct dl_transpose_plan *plan,
                          enum dl_transpose_algorithm algorithm,
                          struct dl_transpose_error *error);

/* Appends a run of a kernel of this room, whose arguments are the buffer, where the
 * matrix begins, the numbers by value and the workspace; returns it, its sizes to be
 * filled in. */
struct dl__run *dl__run_add(struct dl_transpose_plan *plan, const char *name,
                            cl_kernel kernel, const void *numbers, size_t numbers_bytes);
enum { DL__ARG_NUMBERS = 2 }; /* which argument they are */
/* The same into a run of one's own. */
void dl__run_make(const struct dl_transpose_plan *plan, const char *name,
                  cl_kernel kernel, const void *numbers, size_t numbers_bytes,
                  struct dl__run *run);
/* So many work-items, or as many as a work-group of the device can have. */
size_t dl__group_items(const struct dl_transpose *transpose, size_t wanted);
/* The problem of a program that may have been built for another version (version.c). */
enum dl_status dl__problem_read(const struct dl_transpose_problem *given,
                                struct dl_transpose_problem *out,
                                struct dl_transpose_error *error);
/* Whether a call of dl_transpose_enqueue may go on; else what is wrong with it (check.c).
 */
enum dl_status dl__enqueue_check(const struct dl_transpose_plan *plan,
                                 cl_command_queue queue, cl_mem mem, cl_mem workspace,
                                 cl_uint wait_count, const cl_event *wait, bool *in_order,
                                 struct dl_transpose_error *error);
/* The same of dl_transpose_enqueue_out. */
enum dl_status dl__enqueue_out_check(const struct dl_transpose_plan *plan,
                                     cl_command_queue queue, cl_mem from, cl_mem to,
                                     cl_uint wait_count, const cl_event *wait,
                                     bool *in_order, struct dl_transpose_error *error);
/* What the longest of the stretches costs that comes last, in bytes copied. Stretches are
 * `stretch` moves long on average, of `moves` in all; their lengths vary as a geometric
 * distribution's. */
double dl__stretch_cost(const struct dl__tuning *tuning, double stretch, double moves);
/* The largest tile that marshal_kernels takes through local memory at ease. */
uint64_t dl__tile_bytes(const struct dl_transpose *transpose);
/* Appends the launches of an elementary transposition by marshal_kernels. */
enum dl_status dl__step_add(struct dl_transpose_plan *plan, const struct dl_step *step,
                            struct dl_transpose_error *error);

struct divisor dl__divisor_make(uint32_t number);

#endif
