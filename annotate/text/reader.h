/* SPDX-License-Identifier: MIT */
/* Between the files that preprocess (preprocess, invocation, directive, include,
 * included, compiler_macros).
 * For this room only. */
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

/* ---- reader.c ---- */

/* One remark at the file's byte; leaves through the arena (DL_EPARSE). */
void dl__pp_give_up(struct dl__pp *pp, const struct dl__file *file, size_t offset,
                    const char *format, ...)
    __attribute__((noreturn, format(printf, 4, 5)));
/* False inside a branch that is not compiled. */
bool dl__pp_is_active(const struct dl__reader *r);
/* What was added to the text since `at` stands for the file's bytes [origin, origin_end).
 */
void dl__pp_add_segment(struct dl__reader *r, enum dl__segment_kind kind, size_t at,
                        size_t origin, size_t origin_end);
/* Copies the file up to a byte. */
void dl__pp_copy_until(struct dl__reader *r, size_t origin);
/* The line breaks of the file's bytes. */
void dl__pp_add_newlines(struct dl__reader *r, size_t origin, size_t origin_end);
/* Copies the file up to `origin`, then leaves out what stands up to `end`. */
void dl__pp_blank(struct dl__reader *r, enum dl__segment_kind kind, size_t origin,
                  size_t end);

/* ---- invocation.c ---- */

/* Replaces the invocation whose name was just read. */
void dl__pp_invoke(struct dl__reader *r, const struct dl__token *name,
                   struct dl__macro *m);

/* ---- directive.c ---- */

/* Obeys the directive whose # was just read, on the line that starts at `line_start`. The
 * result: an included file, which is to be read next; NULL: none. */
const struct dl__file *dl__pp_directive(struct dl__reader *r, size_t line_start);

/* ---- include.c ---- */

/* The name that `#include` names, "" or <> taken off; NULL when malformed. */
char *dl__pp_include_name(struct dl__pp *pp, const struct dl__pp_tokens *t, bool expand,
                          bool *quoted);
/* The embedded header or file that an #include names; NULL when there is none. */
struct dl__file *dl__pp_find_include(struct dl__pp *pp, const struct dl__file *from,
                                     const char *name, bool quoted);

/* ---- included.c ---- */

/* Told the tokens behind the # of each directive, one at least, whether it is compiled or
 * not. False: no more. */
typedef bool dl__pp_directive_fn(void *user, const struct dl__file *file,
                                 const struct dl__pp_tokens *t);
/* False: stopped so. */
bool dl__pp_each_directive(struct dl__pp *pp, const struct dl__file *file,
                           dl__pp_directive_fn *told, void *user);
/* What a directive includes; NULL: it is no #include, there is no such file, or a macro
 * names it and `expand` is false. */
const struct dl__file *dl__pp_included(struct dl__pp *pp, const struct dl__file *from,
                                       const struct dl__pp_tokens *t, bool expand);

/* ---- compiler_macros.c ---- */

/* Defines what the text asks for of the compiler's own macros. */
void dl__pp_define_compiler_macros(struct dl__pp *pp);
void dl__pp_define_text(struct dl__pp *pp, const char *name, const char *value,
                        bool compiler);

#endif
