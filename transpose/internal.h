/* What the files of this room share. */
#ifndef DL_TRANSPOSE_INTERNAL_H
#define DL_TRANSPOSE_INTERNAL_H

#include <pthread.h>
#include <stdbool.h>

#include "dl_transpose.h"
#include "marshal_kernels/internal.h"

/* The numbers of a launch: the kernels' own text. */
typedef uint32_t dl__uint;
typedef uint64_t dl__ulong;
#define uint dl__uint
#define ulong dl__ulong
#include "shape.cl"
#undef uint
#undef ulong

/* X(identifier, symbol of a text before it, symbol of the file): each is put behind shape.cl. */
#define DL_TRANSPOSE_FILE_MAP(X)                                                         \
    X(PANEL, dl_empty, dl_panel_cl)                                                      \
    X(MOVE, dl_empty, dl_move_cl)                                                        \
    X(SQUARE, dl_empty, dl_square_cl)                                                    \
    X(FUSE, dl_empty, dl_fuse_cl)                                                        \
    X(PACK, dl_empty, dl_pack_cl)                                                        \
    X(C2R, dl_c2r_index_cl, dl_c2r_cl)                                                   \
    X(C2R_GROUPS, dl_c2r_index_cl, dl_c2r_groups_cl)

enum dl__file {
#define X(name, before, symbol) DL__FILE_##name,
    DL_TRANSPOSE_FILE_MAP(X)
#undef X
        DL__FILE_COUNT
};

/* What can be tuned, for dl-bench. X(name, default on GPUs, default on CPUs, what it means) */
#define DL_TRANSPOSE_KNOB_MAP(X)                                                         \
    X(panel_bytes, 16384, 16384, "local memory of a tile of a panel, about")             \
    X(panel_group, 256, 32, "work-items that transpose a tile")                          \
    X(block_bytes, 1024, 1024, "bytes of a block at most")                               \
    X(move_group, 256, 32, "work-items of the mover")                                    \
    X(move_ahead, 8, 1, "vectors of 16 bytes that a work-item has in flight")            \
    X(move_bytes, 32, 64, "bytes of a block that a work-item moves")                     \
    X(move_span, 2048, 512, "places searched by a work-group for cycles without a cut")  \
    X(c2r_group, 1024, 32, "work-items that hold a row, or columns, in registers")       \
    X(c2r_bytes, 128, 128, "bytes that each of them holds")                              \
    X(cut, 0, 0, "places for one cut; 0: what the cap has room for")

struct dl__tuning {
#define X(name, gpu, cpu, help) unsigned name;
    DL_TRANSPOSE_KNOB_MAP(X)
#undef X
};

enum { DL__KERNELS_MAX = 12, DL__LAUNCHES_MAX = 80 };

/* ---- the library's object ---- */

/* A file built with one set of knobs: a shape class. */
struct dl__built {
    struct dl__built *next;
    enum dl__file file;
    char *knobs; /* the text before the kernels; the cache's key */
    cl_program program;
    struct {
        const char *name; /* a literal */
        cl_kernel kernel;
    } kernels[DL__KERNELS_MAX];
};

struct dl_transpose {
    cl_icd_dispatch own; /* what `cl` points to when the functions are those linked to */
    const cl_icd_dispatch *cl;
    cl_context context;
    cl_device_id device;
    struct dl_marshal *marshal;
    struct dl__device_limits limits;
    struct dl__tuning tuning;
    pthread_mutex_t lock; /* all below, and the kernels' arguments */
    struct dl__built *built;
};

/* Fills in the functions that this library is linked to (names.c). */
void dl__names_fill(cl_icd_dispatch *cl);

/* Says what went wrong and returns `status`. */
__attribute__((format(printf, 3, 4))) enum dl_status
dl__fail(struct dl_transpose_error *error, enum dl_status status, const char *format,
         ...);

/* The kernel `name` of a file built with these knobs; built at the first need (program.c).
 *   name    a literal; `out` lives as long as `transpose` */
enum dl_status dl__kernel_get(struct dl_transpose *transpose, enum dl__file file,
                              const char *knobs, const char *name, cl_kernel *out,
                              struct dl_transpose_error *error);

/* ---- plans ---- */

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
};

/* One kernel launch: (mem, base, numbers by value, workspace). */
struct dl__run {
    const char *name;
    cl_kernel kernel; /* NULL: a launch of marshal_kernels' */
    struct dl__launch marshal;
    union {
        struct panel_shape panel;
        struct square_shape square;
        struct fuse_shape fuse;
        struct pack_shape pack;
        struct c2r_shape c2r;
    } numbers;
    size_t numbers_bytes;
    bool reads_only; /* leaves the matrix as it is */
    size_t global[3], local[3];
};

struct dl_transpose_plan {
    struct dl_transpose *transpose;
    struct dl__task task;
    struct dl_transpose_info info;
    struct dl__run runs[DL__LAUNCHES_MAX];
    size_t run_count;
    bool batch_at_once; /* the launches do all matrices themselves */
    cl_mem workspace;   /* owned; NULL: none */
    char why[600];
};

/* The algorithms: each fills a zeroed plan's runs and info for its task, or refuses with
 * DL_EREFUSED (the cap) or DL_ENOTSUP (the shape). Nothing is held on failure. */
enum dl_status dl__panel_plan(struct dl_transpose_plan *plan, bool by_rows,
                              struct dl_transpose_error *error);
/* What it would cost, in bytes copied; DBL_MAX: it can't be, within the cap. */
double dl__panel_cost(const struct dl_transpose *transpose, const struct dl__task *task,
                      bool by_rows);
enum dl_status dl__cycles_plan(struct dl_transpose_plan *plan,
                               struct dl_transpose_error *error);
enum dl_status dl__onchip_plan(struct dl_transpose_plan *plan,
                               struct dl_transpose_error *error);
enum dl_status dl__c2r_plan(struct dl_transpose_plan *plan, bool c2r,
                            struct dl_transpose_error *error);
/* What it would cost, as dl__panel_cost. */
double dl__c2r_cost(const struct dl_transpose *transpose, const struct dl__task *task,
                    bool c2r);
enum dl_status dl__square_plan(struct dl_transpose_plan *plan,
                               struct dl_transpose_error *error);
/* What it would cost, in bytes copied, roughly; DBL_MAX: no tile divides both sides. */
double dl__stage3_cost(const struct dl_transpose *transpose, const struct dl__task *task);
enum dl_status dl__stage3_plan(struct dl_transpose_plan *plan,
                               struct dl_transpose_error *error);
enum dl_status dl__stage4_plan(struct dl_transpose_plan *plan, bool fused,
                               struct dl_transpose_error *error);
/* The middle pass of the fused four stages: down x across tiles to across x down (simple.c). */
enum dl_status dl__fuse_add(struct dl_transpose_plan *plan, uint64_t down,
                            uint64_t across, uint64_t tile_rows, uint64_t tile_cols,
                            struct dl_transpose_error *error);

/* Plans for a matrix whose rows lie apart: packs, transposes, spreads (pack.c). */
enum dl_status dl__pack_around(struct dl_transpose_plan *plan,
                               enum dl_transpose_algorithm algorithm,
                               struct dl_transpose_error *error);

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

/* Tries every distance of cuts that the cap has room for; keeps the cheapest in `best`, whose cut
 * is 0 while there is none. */
void dl__cuts_try(const struct dl__tuning *tuning, const struct dl__sides *sides,
                  uint64_t cap_bytes, bool joining, struct panel_shape shape,
                  struct dl__candidate *best);
/* The cheapest shape within the task's cap; false: none (panel_shape.c). */
bool dl__candidate_choose(const struct dl__tuning *tuning, const struct dl__task *task,
                          const struct dl__sides *sides, bool joining,
                          struct dl__candidate *best);

/* How `rows` rows of a panel of `cols` columns are shared out in tiles on a GPU: tiles of rows x
 * cols elements, `parts` of them above one another. */
struct dl__tile_rows {
    uint32_t rows, cols, parts;
};
struct dl__tile_rows dl__tile_rows(uint64_t cols, uint64_t rows, uint64_t element_bytes,
                                   uint64_t tile_bytes);
/* The panel algorithm's numbers for one block length, in elements, and one alignment of blocks; the
 * workspace and the tiles are left open. False: not possible. */
bool dl__panel_shape_make(const struct dl__sides *sides, uint64_t align, uint64_t block,
                          struct panel_shape *out);

/* Checks a problem and puts it in the algorithms' terms (plan.c). */
enum dl_status dl__task_make(const struct dl_transpose_problem *problem,
                             struct dl__task *out, struct dl_transpose_error *error);
/* Plans by the named algorithm, or by the best that the cap allows (choose.c). */
enum dl_status dl__choose(struct dl_transpose_plan *plan,
                          enum dl_transpose_algorithm algorithm,
                          struct dl_transpose_error *error);
void dl__built_free_all(struct dl_transpose *transpose);

/* Appends a run; returns it, zeroed but for these. */
struct dl__run *dl__run_add(struct dl_transpose_plan *plan, const char *name,
                            cl_kernel kernel, const void *numbers, size_t numbers_bytes);
/* Enqueues one run for the matrix at byte `base`. Called with the lock held (enqueue.c). */
cl_int dl__run_enqueue(const struct dl_transpose_plan *plan, const struct dl__run *run,
                       cl_command_queue queue, cl_mem mem, cl_mem workspace,
                       cl_ulong base, cl_uint wait_count, const cl_event *wait,
                       cl_event *event);
/* The problem of a program that may have been built for another version (version.c). */
enum dl_status dl__problem_read(const struct dl_transpose_problem *given,
                                struct dl_transpose_problem *out,
                                struct dl_transpose_error *error);
/* Whether a call of dl_transpose_enqueue may go on; else what is wrong with it (check.c). */
enum dl_status dl__enqueue_check(const struct dl_transpose_plan *plan,
                                 cl_command_queue queue, cl_mem mem, cl_mem workspace,
                                 cl_uint wait_count, const cl_event *wait, bool *in_order,
                                 struct dl_transpose_error *error);
/* What the longest of the stretches costs that comes last, in bytes copied. Stretches are `stretch`
 * moves long on average, of `moves` in all; their lengths vary as a geometric distribution's. */
double dl__stretch_cost(double stretch, double moves);
/* The largest tile that marshal_kernels takes through local memory at ease. */
uint64_t dl__tile_bytes(const struct dl_transpose *transpose);
/* Appends the launches of an elementary transposition by marshal_kernels. */
enum dl_status dl__step_add(struct dl_transpose_plan *plan, const struct dl_step *step,
                            struct dl_transpose_error *error);

static inline uint64_t dl__round_up(uint64_t number, uint64_t multiple)
{
    return (number + multiple - 1) / multiple * multiple;
}

struct divisor dl__divisor_make(uint32_t number);

#endif
