/* SPDX-License-Identifier: MIT */
/* The leaves of buffers of which the tables don't say all. */
#include <stdlib.h>

#include "annotate/notes.h"

enum dl_status dl_flat_leaves_make(const struct dl_buffer_note *note, int64_t width,
                                   struct dl_leaf_table *out)
{
    uint32_t bytes = note->leaves.struct_bytes;
    struct dl_leaf_table table = {0};

    if (width < 1 || width > DL_FLAT_WIDTH_MAX)
        return DL_EOVERFLOW;
    table.leaves = calloc((size_t)width, sizeof *table.leaves);
    if (!table.leaves)
        return DL_ENOMEM;
    table.struct_bytes = bytes * (uint32_t)width;
    table.leaf_count = (uint32_t)width;
    table.arrays = note->arrays;
    for (uint32_t i = 0; i < table.leaf_count; i++)
        table.leaves[i] = (struct dl_leaf){i * bytes, bytes};
    *out = table;
    return DL_OK;
}

bool dl_annotate_needs_index_64(const struct dl_leaf_table *leaves, uint64_t buffer_bytes)
{
    uint32_t step_bytes = leaves->leaves[0].width_bytes;

    for (uint32_t i = 1; i < leaves->leaf_count; i++)
        if (leaves->leaves[i].width_bytes != step_bytes)
            step_bytes = leaves->struct_bytes;
    return buffer_bytes > UINT32_MAX || buffer_bytes / step_bytes > INT32_MAX;
}
