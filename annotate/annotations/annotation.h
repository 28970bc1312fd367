/* SPDX-License-Identifier: MIT */
/* Annotations as the user writes them, in comments and in side files. */
#ifndef DL_ANNOTATE_ANNOTATION_H
#define DL_ANNOTATE_ANNOTATION_H

#include "annotate/base/arena.h"
#include "annotate/notes.h"

/* One `f[...]`, or `f[...][...]`, of an annotation. */
struct dl__wish {
    const char *buffer;
    const char *dimension; /* what stands in the brackets; "" for `f[]` */
    const char *width;     /* in the second brackets of a flat buffer; NULL: none */
    bool soa;              /* the kernel reads discrete arrays as it is */
    /* Host and kernel have discrete arrays, offered for tiles: the dimension is an
     * array's length, the width how many there are, "" for as many as fit. */
    bool arrays;
    /* Of a grid: what stands in its brackets, the first varies slowest; no dimension and
     * no width. */
    const char *extents[DL_GRID_DIMS_MAX];
    size_t extent_count;
    const char *strips; /* the layout that a grid is given by hand; NULL: none */
};

struct dl__wishes {
    struct dl__wish *items;
    size_t count, room;
};

/* Parses what follows `DL:`, or a kernel's name and colon in a side file; false when
 * malformed, with a clause in *reason. */
bool dl__annotation_parse(struct dl__arena *arena, const char *body,
                          struct dl__wishes *out, const char **reason);

/* True for an annotation that demands discrete arrays, sound or not. */
bool dl__annotation_is_soa(const char *body, size_t bytes);

/* dl_annotate_wanted_with, whatever `detect` is. */
bool dl__is_annotated_with(const char *text, size_t text_bytes,
                           const struct dl_annotate_options *options);

struct dl__side_entry {
    char *kernel;
    char *body;
    unsigned line;
    bool soa;
};

struct dl_side_file {
    struct dl__arena arena; /* of all that it has */
    char *path;
    struct dl__side_entry *entries;
    size_t entry_count;
    struct dl__macros *kernels[2]; /* their names; [1]: of those for discrete arrays */
};

/* Notes without kernels, and the arena that all they get must live in; NULL: no memory.
 */
struct dl_notes *dl__notes_make(struct dl__arena **arena);
/* Adds a kernel without anything. */
static inline struct dl_kernel_note *dl__notes_add(struct dl__arena *arena,
                                                   struct dl_notes *notes)
{
    notes->kernels = dl__arena_grown(arena, notes->kernels, notes->kernel_count,
                                     sizeof *notes->kernels);
    return &notes->kernels[notes->kernel_count++];
}

/* The line `//DL-access: linear 1 0+4 read`: the form, the bytes of the struct, `read`,
 * `write`, `atomic`, `walks`, `conditional` and `loops N` where they are so, in this
 * order. `0+*`: as many bytes as a row has. */
void dl__access_print(struct dl__buf *out, const struct dl_access_fact *fact);

#endif
