/* What the files of this room share. */
#ifndef DL_MARSHAL_INTERNAL_H
#define DL_MARSHAL_INTERNAL_H

#include <pthread.h>

#include "layout/plan.h"
#include "marshal.h"

/* X(identifier, source file's symbol): a family is one .cl file. */
#define DL_FAMILY_MAP(X)                                                                 \
    X(TILE, dl_tile_cl)                                                                  \
    X(CHUNK, dl_chunk_cl)                                                                \
    X(EACH, dl_each_cl)                                                                  \
    X(CYCLE, dl_cycle_cl)                                                                \
    X(CUT, dl_cut_cl)                                                                    \
    X(SLIDE, dl_slide_cl)                                                                \
    X(PIPT, dl_pipt_cl)                                                                  \
    X(SUPER, dl_super_cl)                                                                \
    X(PART, dl_part_cl)

enum dl_family {
#define X(name, symbol) DL_FAMILY_##name,
    DL_FAMILY_MAP(X)
#undef X
        DL_FAMILY_COUNT
};

/* X(identifier, family, kernel's name) */
#define DL_ENTRY_MAP(X)                                                                  \
    X(TILE_ANY, TILE, "dl_tile_any")                                                     \
    X(EACH, EACH, "dl_each")                                                             \
    X(CHUNK, CHUNK, "dl_chunk")                                                          \
    X(CYCLE_LOCAL, CYCLE, "dl_cycle_local")                                              \
    X(CYCLE_GLOBAL, CYCLE, "dl_cycle_global")                                            \
    X(CYCLE_CLEAR, CYCLE, "dl_cycle_clear")                                              \
    X(CUT_SAVE, CUT, "dl_cut_save")                                                      \
    X(CUT_MOVE, CUT, "dl_cut_move")                                                      \
    X(SLIDE_SAVE, SLIDE, "dl_slide_save")                                                \
    X(SLIDE_MOVE, SLIDE, "dl_slide_move")                                                \
    X(PIPT, PIPT, "dl_pipt")                                                             \
    X(SUPER, SUPER, "dl_super")                                                          \
    X(SUPER_CLEAR, SUPER, "dl_super_clear")                                              \
    X(PART_GATHER, PART, "dl_part_gather")                                               \
    X(PART_SCATTER, PART, "dl_part_scatter")

enum dl_entry {
#define X(name, family, kernel) DL_ENTRY_##name,
    DL_ENTRY_MAP(X)
#undef X
        DL_ENTRY_COUNT
};

/* What can be tuned. X(name, default, what it means); dl-bench tunes them by these
 * names. */
#define DL_KNOB_MAP(X)                                                                   \
    X(family, 0,                                                                         \
      "0: the chooser decides; 1: tile, 2: cycle, 3: cut, 4: each, 5: pipt, 6: super "   \
      "wherever it can run")                                                             \
    X(tile_bytes, 49152, "tiles up to this size go through local memory")                \
    X(tile_group, 128, "work-items of a chunk of tiles; larger tiles take more")         \
    X(tile_items, 3, "16-byte vectors a work-item of a chunk moves")                     \
    X(each_tiles, 16, "tiles that a work-item of a CPU transposes")                      \
    X(tile_pad, 3, "local tiles: 0 plain, 1 padded, 2 exclusive-or, 3 diagonal")         \
    X(cycle_group, 1024, "work-items that follow cycles in one tile, at most")           \
    X(cycle_flags, 1, "flags in a word of local memory: 32 / spreading factor")          \
    X(cycle_held, 4, "elements that a work-item following cycles holds in registers")    \
    X(cycle_pad, 0, "1: a free word after each 32 words of flags in local memory")       \
    X(cycle_remap, 0, "1: flags of neighbours in neighbouring words")                    \
    X(super_mode, 2, "100! as in the thesis: 0 barriers, 1 local, 2 register tiling")    \
    X(super_vector, 4, "bytes of its elements at most")                                  \
    X(cut_places, 34, "super-elements for one saved copy")                               \
    X(cut_ahead, 8, "loads of super-elements that a work-item has in flight")            \
    X(cut_ahead_short, 6, "the same, of super-elements of 128 bytes or less")            \
    X(cut_vector, 16, "bytes of a vector at most")                                       \
    X(cut_bytes, 16, "bytes of a super-element that a work-item moves")                  \
    X(cut_stretches, 1, "stretches of cycles that a work-item moves")                    \
    X(cut_stretches_short, 2, "the same, of super-elements of 128 bytes or less")        \
    X(cut_row, 128,                                                                      \
      "bytes of an aligned row of super-elements not whole lines; 0: none")              \
    X(cut_loads, 24, "loads of elements of rows that a work-item has in flight")         \
    X(cut_group, 128, "work-items")                                                      \
    X(cut_group_short, 64, "the same, of short super-elements or aligned rows")          \
    X(cut_span, 2048, "places searched by a work-group for cycles without a cut")        \
    X(slide_group, 256, "work-items that slide a range")                                 \
    X(slide_items, 4, "16-byte vectors that a work-item of a slide holds")

struct dl__knobs {
#define X(name, value, help) unsigned name;
    DL_KNOB_MAP(X)
#undef X
};

struct dl__device_limits {
    uint64_t local_bytes; /* usable local memory, 0 when there is none */
    uint64_t alloc_bytes;
    size_t group_items; /* of dimension 0 */
    unsigned compute_units;
    bool is_cpu;
    /* NVIDIA reports 256 as the largest work-group of every kernel, even of those that it has built
     * for larger ones and runs. */
    bool understates_groups;
};

/* ---- programs (program.c) ---- */

/* A family built with one set of knobs. */
struct dl__program {
    struct dl__program *next;
    enum dl_family family;
    char *knobs; /* the text before the kernels; the cache's key */
    cl_program program;
    /* those of this family; guarded by the marshal's lock */
    cl_kernel kernels[DL_ENTRY_COUNT];
};

struct dl_marshal {
    const cl_icd_dispatch *cl; /* borrowed */
    cl_context context;        /* retained by the objects made in it */
    cl_device_id device;
    struct dl__device_limits limits;
    struct dl__knobs knobs, defaults; /* defaults: as made, before anybody sets a knob */
    const char *tuning;               /* lines of a table for this device, or NULL */
    pthread_mutex_t lock;             /* all below, and the kernels' arguments */
    struct dl__program *programs;
    struct dl_conversion *conversions;
    struct dl__workspace *workspaces;
    struct dl_part *parts;
};

/* Finds or builds; takes the knobs' text over. Called with the lock held. */
enum dl_status dl__program_get(struct dl_marshal *marshal, enum dl_family family,
                               char *knobs, struct dl__program **out);
void dl__program_free(const cl_icd_dispatch *cl, struct dl__program *program);
enum dl_status dl__status_of_cl(cl_int err);

/* ---- tuning tables (tuning.c) ---- */

/* The lines for a device of this name, or NULL. */
const char *dl__tuning_find(const char *device_name);
/* The knobs for a family's tiles or super-elements of so many bytes: the table's, but for those
 * that differ from the defaults because somebody has set them. */
struct dl__knobs dl__tuned_knobs(const struct dl_marshal *marshal, const char *family,
                                 uint64_t bytes);
/* False: there is no such knob. */
bool dl__knob_set(struct dl__knobs *knobs, const char *name, size_t name_bytes,
                  unsigned value);

/* ---- launches (choose.c) ---- */

/* One kernel launch. Arguments: mem, base_bytes, rows; then the workspace or local memory
 * where not 0. CYCLE_CLEAR takes the workspace and its words. */
struct dl__launch {
    struct dl__program *program;
    enum dl_entry entry;
    cl_ulong base_bytes, rows;
    cl_ulong workspace_bytes, local_bytes, searchers;
    cl_ulong groups;   /* that share an instance, of PIPT */
    cl_ulong slide[4]; /* tail rows, first place that changes, places a group, groups */
    size_t global[2], local[2];
};

struct dl__launch_list {
    struct dl__launch *launches;
    size_t count, capacity;
    uint64_t workspace_bytes; /* the most that any launch needs */
    uint64_t traffic_bytes;
};

/* Chooses the kernels for one step and appends their launches. Called with the lock held.
 *   errors  DL_ENOTSUP: no family fits; DL_EOVERFLOW; DL_ENOMEM; DL_ECL */
enum dl_status dl__choose_step(struct dl_marshal *marshal, const struct dl_step *step,
                               struct dl__launch_list *list);
/* The largest tile that goes through local memory. */
uint64_t dl__choose_tile_bytes(const struct dl_marshal *marshal);
/* Enqueues one launch; `mem` and the workspace as it needs them. Called with the lock
 * held. */
cl_int dl__launch_enqueue(const struct dl_marshal *marshal, cl_command_queue queue,
                          const struct dl__launch *launch, cl_mem mem, cl_mem workspace,
                          cl_uint wait_count, const cl_event *wait, cl_event *event);

struct dl_conversion {
    struct dl_conversion *next;
    struct dl_leaf_table leaves; /* these four are the key */
    uint64_t structs;
    struct dl_layout from, to;
    struct dl__launch_list list;
};

/* Frees what part.c keeps. */
void dl__parts_free(struct dl_marshal *marshal);

/* ---- workspaces (workspace.c) ---- */

/* Device memory beside the buffers, for one enqueued conversion at a time. */
struct dl__workspace {
    struct dl__workspace *next;
    cl_mem mem;
    uint64_t bytes;
    cl_event last; /* of the last command that uses it; NULL: none yet */
    bool busy;     /* taken, its commands not enqueued yet */
    bool touched;  /* a command has used it, so that the device has memory for it */
};

/* Takes a workspace that no unfinished command uses, or makes one. Called with the lock held.
 *   errors  DL_EWORKSPACE, DL_ENOMEM, DL_ECL */
enum dl_status dl__workspace_take(struct dl_marshal *marshal, uint64_t bytes,
                                  struct dl__workspace **out);
/* Drivers find memory for a buffer only when a command uses it, which must not fail when half of a
 * conversion is done: enqueues a command that does. event   out, may be NULL */
enum dl_status dl__workspace_touch(const cl_icd_dispatch *cl, cl_command_queue queue,
                                   struct dl__workspace *workspace, cl_uint wait_count,
                                   const cl_event *wait, cl_event *event);
void dl__workspace_give(struct dl_marshal *marshal, struct dl__workspace *workspace,
                        cl_event last);
void dl__workspace_free(const cl_icd_dispatch *cl, struct dl__workspace *workspace);

#endif
