/* SPDX-License-Identifier: MIT */
/* What only a launch knows of a flat buffer. */
#include "width.h"

#include <stdio.h>
#include <stdlib.h>

#include "arrays.h"

bool dl__width_set(struct dl__kernel *kernel, struct dl__mem *const *mems, size_t buffer,
                   const struct dl_launch *launch)
{
    const struct dl_buffer_note *note = &kernel->note->buffers[buffer];
    struct dl_leaf_table made;
    const char *reason = NULL;
    const char *end = note->native == DL_LAYOUT_SOA ? "" : "; the kernel runs as written";
    char text[200];
    int64_t width = 0;

    if (!dl__leaves_are_open(note))
        return true;
    if (!kernel->launched.rows)
        kernel->launched.rows =
            calloc(kernel->note->buffer_count, sizeof *kernel->launched.rows);
    if (!kernel->launched.rows)
        return false;
    if (note->arrays)
        return note->arg_index < kernel->arg_count &&
               dl__arrays_make(note, launch, dl__mem_root(mems[note->arg_index]),
                               &kernel->launched.rows[buffer]) == DL_OK;
    if (dl_dimension_eval(note->width, launch, &width, &reason) != DL_OK) {
        snprintf(text, sizeof text, "the width can't be evaluated: %s%s",
                 reason ? reason : "an error", end);
    } else if (width > 0 && width == kernel->launched.rows[buffer].leaf_count) {
        return true;
    } else if (dl_flat_leaves_make(note, width, &made) == DL_OK) {
        dl_leaf_table_free(&kernel->launched.rows[buffer]);
        kernel->launched.rows[buffer] = made;
        kernel->launched.rows_made++;
        return true;
    } else {
        snprintf(text, sizeof text, "the width evaluates to %lld, not from 1 to %d%s",
                 (long long)width, DL_FLAT_WIDTH_MAX, end);
    }
    if (!kernel->launched.dimension_remarked)
        dl__plan_remark(kernel, note, text);
    kernel->launched.dimension_remarked = true;
    return false;
}
