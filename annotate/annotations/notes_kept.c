/* SPDX-License-Identifier: MIT */
/* Tables that were read: who frees them, and finds a kernel in them. */
#include <stdlib.h>
#include <string.h>

#include "annotate/notes.h"

static void free_kernel(struct dl_kernel_note *kernel)
{
    for (size_t i = 0; i < kernel->buffer_count; i++) {
        struct dl_buffer_note *b = &kernel->buffers[i];

        free(b->name);
        free(b->element_type);
        dl_leaf_table_free(&b->leaves);
        free(b->structs);
        for (uint32_t d = 0; d < b->extent_count; d++)
            free(b->extents[d]);
        free(b->strips);
        free(b->width);
        free(b->facts);
        free(b->found);
    }
    free(kernel->buffers);
    free(kernel->name);
    free(kernel->memory_args);
}

void dl_notes_free(struct dl_notes *notes)
{
    if (!notes)
        return;
    for (size_t i = 0; i < notes->kernel_count; i++)
        free_kernel(&notes->kernels[i]);
    free(notes->kernels);
    free(notes);
}

const struct dl_kernel_note *dl_notes_find(const struct dl_notes *notes,
                                           const char *kernel)
{
    for (size_t i = 0; i < notes->kernel_count; i++)
        if (!strcmp(notes->kernels[i].name, kernel))
            return &notes->kernels[i];
    return NULL;
}
