/* SPDX-License-Identifier: MIT */
/* Discrete arrays of the program's own. */
#include "arrays.h"

#include <stdio.h>

enum { ARRAYS_MAX = 1024 }; /* of those that nobody counted: tiles of more gain nothing */

/* How long an array is in this launch; 0: it can't be told. */
static uint64_t length_of(const struct dl_buffer_note *note,
                          const struct dl_launch *launch)
{
    const char *ignored;
    int64_t length;

    return dl_dimension_eval(note->structs, launch, &length, &ignored) == DL_OK &&
                   length > 0
               ? (uint64_t)length
               : 0;
}

enum dl_status dl__arrays_make(const struct dl_buffer_note *note,
                               const struct dl_launch *launch, const struct dl__mem *mem,
                               struct dl_leaf_table *leaves)
{
    uint64_t length = length_of(note, launch), count = 1;
    uint64_t elements = mem ? mem->bytes / note->leaves.struct_bytes : 0;
    struct dl_leaf_table made;
    enum dl_status st;

    if (length && elements / length > 1 && elements / length <= ARRAYS_MAX)
        count = elements / length;
    if (count == leaves->leaf_count)
        return DL_OK;
    st = dl_flat_leaves_make(note, (int64_t)count, &made);
    if (st != DL_OK)
        return st;
    dl_leaf_table_free(leaves);
    *leaves = made;
    return DL_OK;
}

/* Why a bound buffer of arrays stays as it lies in this launch; NULL: it may be in tiles.
 */
static DL__WITH_LOCK const char *refusal_of(const struct dl__binding *binding,
                                            const struct dl_launch *launch)
{
    const struct dl__move *move = &binding->move;
    uint64_t length = length_of(binding->note, launch);

    if (length == 0)
        return "the length of its arrays can't be evaluated";
    if (move->leaves->leaf_count < 2 || length != move->structs)
        return "arrays of this length don't fill the buffer";
    if (length < move->layout.tile_structs)
        return "its arrays are shorter than a tile";
    if (binding->part && binding->part->bytes != binding->mem->bytes)
        return "the sub-buffer is not the whole buffer, which its arrays must fill";
    return NULL;
}

/* Why a buffer can't be bound as what it is annotated for; NULL: it can. */
static DL__WITH_LOCK const char *clash_of(const struct dl__binding *binding)
{
    struct dl__residence *residence = &binding->mem->residence;

    if (binding->note->arrays ? residence->as_structs : residence->as_arrays)
        return binding->note->arrays ? "another kernel takes it for structs"
                                     : "another kernel takes it for discrete arrays";
    if (binding->note->arrays && residence->host_wants)
        return "the host wants it in a layout of its own";
    if (binding->note->arrays)
        residence->as_arrays = true;
    else
        residence->as_structs = true;
    return NULL;
}

const char *dl__arrays_settle(struct dl__kernel *kernel, const struct dl_launch *launch,
                              struct dl__binding *binding)
{
    const char *refusal;
    char text[160];

    if (!dl__binding_is_moved(binding))
        return NULL;
    refusal = binding->note->arrays ? refusal_of(binding, launch) : NULL;
    if (!refusal)
        return clash_of(binding);
    binding->move.layout.kind = DL_LAYOUT_AOS;
    snprintf(text, sizeof text, "%s; it is left as it is", refusal);
    if (!kernel->launched.dimension_remarked)
        dl__plan_remark(kernel, binding->note, text);
    kernel->launched.dimension_remarked = true;
    return NULL;
}

bool dl__arrays_for_nothing(const struct dl_kernel_note *note,
                            const struct dl__binding *bindings)
{
    bool any = false;

    for (size_t b = 0; b < note->buffer_count; b++) {
        if (dl__binding_is_moved(&bindings[b]))
            return false;
        any |= note->buffers[b].arrays;
    }
    return any;
}
