/* Launches on sub-buffers: the layout is the whole buffer's, and a sub-buffer that begins where a
 * tile does looks to a kernel like a buffer of its own, with fewer tiles.
 *
 * Every function wants the context's lock held. */
#ifndef DL_INTERCEPT_PART_H
#define DL_INTERCEPT_PART_H

#include "bind.h"

/* Sets where the binding's argument begins and how many structs it holds. False: kernels can't
 * run on the layout that is wanted, by this sub-buffer; `text` says why. */
bool dl__part_place(struct dl__binding *binding, char *text, size_t room);
/* What else can fail before data moves, once the move is prepared.
 *   errors  a static clause in *reason */
bool dl__part_prepare(struct dl__binding *binding, const char **reason);
/* What a kernel that wants the tiles must be given for this argument. */
cl_mem dl__part_argument(const struct dl__binding *binding);

#endif
