/* SPDX-License-Identifier: MIT */
/* The macro-expanded text of a translation unit, with the way back to the user's text.
 *
 * Directives become empty lines, included files stand in place of their #include, and the
 * user's macro invocations are replaced by what they expand to; everything else is
 * verbatim and line breaks are kept. Macros of the compiler itself (CLK_LOCAL_MEM_FENCE,
 * INFINITY) stay as they are: they mean something else on each device. A segment says
 * where a piece came from, so that the output can keep every invocation that no edit
 * touched as the user wrote it. */
#ifndef DL_ANNOTATE_PREPROCESS_H
#define DL_ANNOTATE_PREPROCESS_H

#include <string.h>

#include "annotate/base/arena.h"
#include "annotate/notes.h"
#include "annotate/text/build_options.h"
#include "annotate/text/lex.h"

/* Of the main file, of an included one, of the expanded text. */
enum { DL__TEXT_BYTES_MAX = 64 << 20 };

struct dl__hidden; /* the macros a token must not be expanded by again */

/* A token in a list. */
struct dl__item {
    enum dl__token_kind kind;
    const char *text;
    size_t bytes;
    bool spaced;
    bool is_expanded; /* a macro of this name would have become its body by now */
    struct dl__hidden *hidden;
    struct dl__item *next;
};

struct dl__macro {
    const char *name;
    size_t name_bytes;
    bool defined;
    bool compiler; /* of the compiler: never expanded in code */
    bool user;     /* it was once the user's */
    bool undefined_by_user;
    bool function;
    bool variadic; /* the last parameter takes the rest */
    const char **parameters;
    size_t parameter_count;
    struct dl__item *body;
    struct {
        struct dl__macro_span {
            size_t begin, end; /* in the expanded text; an end of SIZE_MAX: to its end */
            bool function;
        } * items;
        size_t count, room;
    } spans; /* where it is the user's: those of #define, in the order of reading */
    struct dl__macro *next;
};

enum { DL__MACRO_BUCKETS = 1024 };

struct dl__macros {
    struct dl__arena *arena;
    struct dl__macro *buckets[DL__MACRO_BUCKETS];
    size_t steps;       /* bounds runaway expansion */
    bool keeps_defined; /* what `defined` asks for is not expanded */
    struct {
        const struct dl__item **items;
        size_t count, room;
    } pasted; /* expanded names that were operands of # or ## since this was emptied */
};

/* NULL when not defined. */
struct dl__macro *dl__macro_find(const struct dl__macros *macros, const char *name,
                                 size_t bytes);
/* Replaces a definition; the caller fills it. */
struct dl__macro *dl__macro_define(struct dl__macros *macros, const char *name,
                                   size_t bytes);
/* True when a name in the text was ever the user's macro, so that a preprocessor may
 * expand it;
 * `*name` is the first such. A function-like macro counts before a parenthesis only. */
bool dl__macro_in_text(const struct dl__macros *macros, const char *text, size_t bytes,
                       struct dl__token *name);

/* Where in the expanded text generated text goes: in [begin, end). */
struct dl__reach {
    size_t begin, end;
    bool passed; /* out: the text has a name that is a macro elsewhere, but not there */
};

/* The same, of the names that are macros somewhere in `reach`. */
bool dl__macro_in_reach(const struct dl__macros *macros, const char *text, size_t bytes,
                        struct dl__reach *reach, struct dl__token *name);

/* Where a file's lines begin, found at first need. */
struct dl__lines {
    struct dl__arena *arena;
    size_t *items;
    size_t count, room;
};

struct dl__file {
    const char *name; /* for remarks */
    const char *text;
    size_t bytes;
    bool is_main;
    struct dl__lines *lines;
};

enum dl__segment_kind {
    DL__VERBATIM,
    DL__BLANK,    /* a directive or a skipped line: only its newlines are there */
    DL__DEFINE,   /* #define and #undef: as BLANK, but the output keeps them */
    DL__LINE,     /* the user's own #line: as BLANK, but the output has its line mark */
    DL__EXPANSION /* of a macro invocation */
};

struct dl__segment {
    enum dl__segment_kind kind;
    const struct dl__file *file;
    size_t at, end;            /* in the expanded text */
    size_t origin, origin_end; /* in the file */
};

/* A `//DL:` comment. */
struct dl__note {
    const struct dl__file *file; /* NULL: a side file's */
    size_t origin, origin_end;   /* the comment, in its file */
    size_t at;                   /* where it stands in the expanded text */
    const char *body;            /* after the colon, macros expanded inside brackets */
};

struct dl__pragma_list;

struct dl__expanded {
    struct dl__arena *arena;
    struct dl__pragma_list *pragmas; /* found at first need */
    const struct dl__file *main;
    const char *text;
    size_t bytes;
    struct {
        struct dl__segment *items;
        size_t count, room;
    } segments; /* by rising `at`, without gaps */
    struct {
        struct dl__note *items;
        size_t count, room;
    } notes; /* in the order they were read */
    struct {
        struct dl__inclusion {
            const struct dl__file *from;
            size_t origin, origin_end;   /* the directive, in `from` */
            const struct dl__file *file; /* NULL: a file that comes but once, and has */
        } * items;
        size_t count, room;
    } inclusions; /* and `#pragma once`, which includes nothing; in the order they were
                     read */
    struct {
        struct dl__line_mark {
            const struct dl__file *in;
            size_t origin; /* in that file, after the directive */
            unsigned line; /* that the next line claims to be */
            const char *file;
        } * items;
        size_t count, room;
    } line_marks; /* the user's own #line directives */
    /* The conditions that ask for macros of the compiler or device, the user's macros in
     * them expanded, and how they were decided. */
    struct {
        struct dl__guess {
            const char *condition;
            bool holds;
            bool is_sure; /* the device was asked */
        } * items;
        size_t count, room;
    } guesses;
    struct {
        struct dl__compiler_macro {
            const char *name, *value;
        } * items;
        size_t count, room;
    } compiler_macros;               /* that the text, or what it includes, may ask for */
    const struct dl__macros *macros; /* as at the text's end */
    const char **bodies; /* those of the input, macros expanded as at the text's end */
};

/* True of names that OpenCL keeps for compilers and devices. */
static inline bool dl__is_compilers(const char *name, size_t bytes)
{
    return bytes > 2 &&
           (!memcmp(name, "__", 2) || !memcmp(name, "cl_", 3) || !memcmp(name, "CL_", 3));
}

struct dl__preprocess_input {
    const struct dl__file *main;
    const char *directory; /* where the main file's includes are sought first */
    const struct dl__build_options *options;
    const struct dl_header *headers;
    size_t header_count;
    /* Finds the values of compiler macros: values[i] is NULL when names[i] is none, else
     * its expansion. */
    void (*compiler_macros)(void *user, const char *const *names, size_t count,
                            const char **values);
    void *user;
    /* Of the text that this one was made from: what is generated asks for no more of
     * them. NULL: they are to be found. */
    const struct dl__expanded *of;
    const struct dl__guess *answers; /* what the device said of conditions */
    size_t answer_count;
    bool can_ask;              /* it can be asked for more */
    const char *const *bodies; /* annotations kept beside the program */
    size_t body_count;
    dl_remark_fn remark;
    void *remark_user;
    /* As in struct dl_annotate_options. */
    void (*on_file)(void *user, const char *path, const char *text, size_t bytes);
    void *on_file_user;
};

/* Where the includes of the main file are sought first; its name may be NULL. */
const char *dl__main_directory(struct dl__arena *arena, const char *file_name);

/* Tells of the text, and of each that it includes by a name that is written out, whatever
 * its conditions are. False: `told` wanted no more. */
bool dl__each_text(struct dl__arena *arena, const char *text, size_t text_bytes,
                   const struct dl_annotate_options *options,
                   bool (*told)(void *user, const struct dl__file *file), void *user);

/* Leaves through the arena (DL_EPARSE, remarked) when the text is malformed. */
void dl__preprocess(struct dl__arena *arena, const struct dl__preprocess_input *input,
                    struct dl__expanded *out);

/* Where a byte of the expanded text came from. */
struct dl__place {
    const struct dl__file *file;
    size_t offset;
    unsigned line, column; /* 1-based */
};
/* May leave through the arena. */
struct dl__place dl__file_place(const struct dl__file *file, size_t offset);
struct dl__place dl__expanded_place(const struct dl__expanded *expanded, size_t at);
/* The segment that holds the byte; the last one for the end of the text. */
const struct dl__segment *dl__expanded_segment(const struct dl__expanded *expanded,
                                               size_t at);

struct dl__pragmas {
    const char *fp_contract; /* "DEFAULT" where none says otherwise */
    size_t others;           /* that may have an effect, too */
};

struct dl__pragmas dl__pragmas_at(const struct dl__expanded *expanded, size_t at);
/* The last mention of FP_CONTRACT before a byte, in whatever it stands; false: none. */
bool dl__fp_contract_before(const struct dl__expanded *expanded, size_t before,
                            size_t *at);

#endif
