/* SPDX-License-Identifier: MIT */
/* Between preprocess.c and annotations/annotation.c. */
#ifndef DL_ANNOTATE_READER_H
#define DL_ANNOTATE_READER_H

#include "annotate/text/preprocess.h"

enum { DL__INCLUDE_DEPTH_MAX = 64 };

struct dl__pp_tokens {
    struct dl__token *items;
    size_t count, room;
};

struct dl__pp {
    struct dl__arena *arena;
    const struct dl__preprocess_input *input;
    struct dl__macros macros;
    struct dl__buf text;
    struct dl__expanded *out;
    struct {
        const struct dl__file **items;
        size_t count, room;
    } once;
    unsigned depth;
    size_t notes_above; /* annotations before this stand above kernels that have begun */
    const struct dl_side_file *side; /* for annotation.c, as `words` */
    struct dl__words *words;
};

/* Told the tokens behind the # of each directive, one at least, whether it is compiled or
 * not. False: no more. */
typedef bool dl__pp_directive_fn(void *user, const struct dl__file *file,
                                 const struct dl__pp_tokens *t);
/* False: stopped so. */
bool dl__pp_each_directive(struct dl__pp *pp, const struct dl__file *file,
                           dl__pp_directive_fn *told, void *user);
/* Returns the file that a directive includes; NULL: it is no #include, there is no such
 * file, or a macro names it and `expand` is false. */
const struct dl__file *dl__pp_included(struct dl__pp *pp, const struct dl__file *from,
                                       const struct dl__pp_tokens *t, bool expand);

#endif
