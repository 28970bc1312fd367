/* SPDX-License-Identifier: MIT */
/* Launches as the dimensions of annotations see them: whether these fit their buffers,
 * and what only a launch knows of a flat one, how wide its rows are, or how many arrays
 * it has. */
#ifndef DL_INTERCEPT_DIMENSIONS_H
#define DL_INTERCEPT_DIMENSIONS_H

#include "annotate/notes.h"
#include "libdl_intercept/state/residence.h"
#include "args.h"

/* One annotated buffer of one launch. */
struct dl__binding {
    const struct dl_buffer_note *note;
    struct dl__mem *mem; /* NULL: the program passes no buffer */
    /* the sub-buffer of `mem` that it passes; NULL: it passes `mem` */
    struct dl__mem *part;
    struct dl__move move;           /* of all of `mem` */
    uint64_t first_struct, structs; /* of the move's, those that the argument holds */
};

/* True when the launch wants the buffer in another layout than the program's. */
static inline bool dl__binding_is_moved(const struct dl__binding *binding)
{
    return binding->mem && binding->move.layout.kind != DL_LAYOUT_AOS;
}

/* The same of the first binding of the buffer: one that is bound twice is moved once. */
static inline bool dl__binding_moves(const struct dl__binding *bindings, size_t b)
{
    bool moves = dl__binding_is_moved(&bindings[b]);

    for (size_t earlier = 0; earlier < b && moves; earlier++)
        moves = bindings[earlier].mem != bindings[b].mem ||
                !dl__binding_is_moved(&bindings[earlier]);
    return moves;
}

/* What the program passes. */
static inline cl_mem dl__binding_handle(const struct dl__binding *binding)
{
    return binding->part ? binding->part->object.handle : binding->mem->object.handle;
}

/* ---- launches on sub-buffers ----
 *
 * The layout is the whole buffer's, and a sub-buffer that begins where a tile does looks
 * to a kernel like a buffer of its own, with fewer tiles. */

/* Sets where the binding's argument begins and how many structs it holds. False: kernels
 * can't run on the layout that is wanted, by this sub-buffer; `text` says why. */
bool dl__part_place(struct dl__binding *binding, char *text, size_t room) DL__WITH_LOCK;
/* What else can fail before data moves, once the move is prepared.
 *   errors  a static clause in *reason */
bool dl__part_prepare(struct dl__binding *binding, const char **reason) DL__WITH_LOCK;
/* What a kernel that wants the tiles must be given for this argument. */
cl_mem dl__part_argument(const struct dl__binding *binding) DL__WITH_LOCK;

/* Buffers in which host and kernel both have discrete arrays, and which kernels may be
 * given in tiles: as long as the arrays fill the buffer. Where they don't, the buffer
 * stays as it lies, and a rewritten kernel is told so: its other buffers may be in tiles
 * still. */

/* True when only a launch knows the leaves of a buffer. */
static inline bool dl__leaves_are_open(const struct dl_buffer_note *note)
{
    return note->width || (note->arrays && note->leaves.leaf_count == 1);
}

/* What becomes of a bound buffer that kernels take for arrays or for structs: one of
 * arrays may be left as it lies. Why its kernel must run as written; NULL: it need not.
 */
const char *dl__arrays_settle(struct dl__kernel *kernel, const struct dl_launch *launch,
                              struct dl__binding *binding) DL__WITH_LOCK;
/* True when the launch would run a rewritten kernel on nothing but arrays that stay as
 * they lie. */
bool dl__arrays_for_nothing(const struct dl_kernel_note *note,
                            const struct dl__binding *bindings);

/* The launch as the dimensions see it, to be ended in any case. False: the driver will
 * reject it anyway, or there is no memory. */
bool dl__launch_begin(const struct dl__ndrange *range,
                      struct dl_launch *launch) DL__WITH_LOCK;
void dl__launch_end(struct dl_launch *launch);
/* True when ids lie beyond what rewritten texts take them to be. */
bool dl__has_far_ids(const struct dl_launch *launch);
/* Returns why the numbers of bytes that the launch gives keep the kernel from being run
 * in tiles; NULL: nothing does. */
const char *dl__bytes_refusal(const struct dl_buffer_note *note,
                              const struct dl_launch *launch);
/* Checks the annotated dimension against the buffer. False: the kernel must run as
 * written. */
bool dl__dimension_check(struct dl__kernel *kernel, const struct dl__binding *binding,
                         const struct dl_launch *launch) DL__WITH_LOCK;
/* Makes the leaves of a flat buffer as wide as this launch says. False: the kernel must
 * run as written. */
bool dl__width_set(const struct dl__ndrange *range, size_t buffer,
                   const struct dl_launch *launch) DL__WITH_LOCK;

#endif
