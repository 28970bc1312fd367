/* SPDX-License-Identifier: MIT */
/* Launches on sub-buffers: the layout is the whole buffer's, and a sub-buffer that begins
 * where a tile does looks to a kernel like a buffer of its own, with fewer tiles. */
#ifndef DL_INTERCEPT_PART_H
#define DL_INTERCEPT_PART_H

#include "annotate/notes.h"
#include "libdl_intercept/state/moves.h"

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

/* What the program passes. */
static inline cl_mem dl__binding_handle(const struct dl__binding *binding)
{
    return binding->part ? binding->part->object.handle : binding->mem->object.handle;
}

/* Sets where the binding's argument begins and how many structs it holds. False: kernels
 * can't run on the layout that is wanted, by this sub-buffer; `text` says why. */
bool dl__part_place(struct dl__binding *binding, char *text, size_t room) DL__WITH_LOCK;
/* What else can fail before data moves, once the move is prepared.
 *   errors  a static clause in *reason */
bool dl__part_prepare(struct dl__binding *binding, const char **reason) DL__WITH_LOCK;
/* What a kernel that wants the tiles must be given for this argument. */
cl_mem dl__part_argument(const struct dl__binding *binding) DL__WITH_LOCK;

#endif
