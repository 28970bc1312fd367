/* SPDX-License-Identifier: MIT */
/* Between preprocess.c, include.c and annotations/wanted.c. */
#ifndef DL_ANNOTATE_READER_H
#define DL_ANNOTATE_READER_H

#include "annotate/text/macro.h"
#include "annotate/text/preprocess.h"

enum { DL__INCLUDE_DEPTH_MAX = 64, DL__CONDITION_DEPTH_MAX = 256 };

struct dl__pp_group {
    bool active; /* this branch is compiled */
    bool taken;  /* a branch was */
    bool outer;  /* the group around it is compiled */
};

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
    const struct dl_side_file *side; /* for wanted.c, as `words` */
    struct dl__words *words;
};

/* One file on its way. */
struct dl__reader {
    struct dl__pp *pp;
    const struct dl__file *file;
    struct dl__lexer lexer;
    size_t copied; /* the file's text is in pp->text up to here */
    size_t noted;  /* annotations before this byte are noted */
    struct dl__pp_group groups[DL__CONDITION_DEPTH_MAX];
    unsigned group_count;
};

/* The name that `#include` names, "" or <> taken off; NULL when malformed. */
char *dl__pp_include_name(struct dl__pp *pp, const struct dl__pp_tokens *t, bool expand,
                          bool *quoted);
/* The embedded header or file that an #include names; NULL when there is none. */
struct dl__file *dl__pp_find_include(struct dl__pp *pp, const struct dl__file *from,
                                     const char *name, bool quoted);

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
void dl__pp_define_text(struct dl__pp *pp, const char *name, const char *value,
                        bool compiler);

#endif
