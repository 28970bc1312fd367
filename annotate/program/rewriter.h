/* SPDX-License-Identifier: MIT */
/* The state of one rewrite, between its passes. For this room only. */
#ifndef DL_ANNOTATE_REWRITER_H
#define DL_ANNOTATE_REWRITER_H

#include "annotate/text/build_options.h"
#include "annotate/track/unit.h"

/* Where an annotation stands, for remarks: in the main file or in a side file. */
struct dl__source {
    const char *file;
    unsigned line;
    const struct dl__note *note; /* NULL: a side file's */
    const char *original;        /* the body as written */
};

struct dl__buffer {
    const char *name;
    const char *dimension; /* as resolved for the tables; "*" for as many as fit */
    const char *written;   /* the dimension in the annotation; "" for as many as fit */
    const char *width;     /* as annotated or detected; NULL: none */
    const char *file;      /* and line: of the annotation */
    unsigned line;
    struct dl__root *root; /* in kernel.roots */
    bool soa;              /* discrete arrays, which the kernel reads as it is */
    bool arrays;           /* discrete arrays of the program's own, for tiles */
    const struct dl__grid_wish *grid; /* NULL: none */
};

/* A grid, as the tables have it. */
struct dl__grid_wish {
    size_t extent_count;
    const char *extents[DL_GRID_DIMS_MAX]; /* resolved */
    struct dl_grid_names names;
    const char *strips; /* given by hand; NULL: none */
};

struct dl__kernel {
    struct dl__function *function;
    struct {
        struct dl__source *items;
        size_t count, room;
    } sources;
    struct {
        struct dl__buffer *items;
        size_t count, room;
    } buffers;
    bool detected; /* it has no annotation: its buffers were found in the text */
    /* Where else its name stands and is in the way, or would be in that of plain_name;
     * SIZE_MAX: nowhere. */
    size_t mentioned_at, others_at;
    const char *plain_name; /* of its text as written, which stays beside the rewritten
                               one for who calls it; NULL: nobody does */
    struct {
        const struct dl__note **items;
        size_t count, room;
    } declarations;        /* without a body: they go when it is rewritten, or declare
                              plain_name */
    struct dl__unit *unit; /* NULL: left as it was */
    bool tells;            /* it has a text that tells whether it prints */
    struct dl__coalesced
        *coalesced;     /* a second text for AoS (annotate/coalesce); or NULL */
    bool soa_alone;     /* left as it was, but it reads discrete arrays */
    bool soa_refused;   /* it reads discrete arrays that it can't be given */
    bool takes_structs; /* the arrays that it is annotated with are structs to it */
    size_t out_begin,
        out_end; /* in the output, with what is generated for it; of a unit */
};

struct dl__rewriter {
    struct dl__arena arena;
    const struct dl_annotate_options *options;
    dl_remark_fn remark; /* hands on to the caller's */
    void *user;
    dl_remark_fn caller_remark;
    void *caller_user;
    bool hand_made; /* the text has annotations, or may have: the user wants to know what
                       is wrong */
    enum { DL__NOT_ASKED, DL__DOES_MORE, DL__WRITES_ALONE } text_does;
    bool detecting; /* what is said now is of a kernel without annotation */
    const struct dl__clang *clang;
    struct dl__build_options build;
    struct dl__ast_options ast_options;
    struct dl__file main;
    struct dl__lines main_lines;
    struct dl__expanded expanded;
    struct {
        struct dl__guess *items;
        size_t count, room;
    } answers;                     /* of the device */
    const struct dl__rewriter *of; /* whose output this is; NULL: a program's text */
    struct dl__ast ast;
    struct dl__tracker tracker;
    struct {
        struct dl__kernel *items;
        size_t count, room;
    } kernels;               /* by place in the text */
    struct dl__struct *rows; /* of flat buffers */
    struct dl__macros
        *theirs; /* as a set: names like generated ones that are the program's */
    struct dl__buf out;
    bool prelude_printed;
    bool group_printed; /* what second texts rest on */
    bool shared_said;   /* what is in the way of all kernels */
    bool kept_sought;   /* a pointer that is read from memory */
    size_t kept_at;     /* SIZE_MAX: there is none */
    struct {
        struct dl__placed {
            const struct dl__kernel *kernel;
            const struct dl__source *source; /* NULL: a declaration, which goes */
            const struct dl__note *note;
            const char *condition; /* of one that stays, which begins here; "": it ends;
                                      NULL: neither */
            bool printed;
        } * items;
        size_t count, room;
    } placed; /* annotations and declarations of transformed kernels in the text, and with
                 `apart` kernels that stay; by file and place */
    bool others_stay;       /* with `apart`: the text does not build without them */
    bool prelude_is_clean;  /* no word of it is a macro of the program */
    struct dl__reach reach; /* of the kernel whose generated text is looked at */
    struct dl_annotate_times times;
    double lap_ms;     /* when the last lap ended */
    const char *named; /* by the last #line in the output that gave a name; NULL: none */
    size_t guesses_begin,
        guesses_end; /* in the output: what was taken to be so of the device */
    struct {
        bool is_there;
        size_t at; /* in the main file; SIZE_MAX: not known */
        char text[256];
    } error; /* the first of a parse */
};

/* One rewrite, or parse, of a text. NULL: out of memory. */
struct dl__rewriter *dl__rewriter_open(const char *text, size_t text_bytes,
                                       const struct dl_annotate_options *options,
                                       dl_remark_fn remark, void *user);
void dl__rewriter_close(struct dl__rewriter *w);
/* Adds the time since the last lap to *part_ms, of w->times. */
void dl__rewriter_lap(struct dl__rewriter *w, double *part_ms);

/* Remarks; of a line and column of a file, and of a byte of the expanded text. */
void dl__say(struct dl__rewriter *w, enum dl_severity severity, const char *file,
             unsigned line, unsigned column, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
void dl__say_at(struct dl__rewriter *w, enum dl_severity severity, size_t at,
                const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Preprocesses and parses the text, with `more` options after the program's. Leaves
 * through the arena on errors. */
void dl__program_read(struct dl__rewriter *w, const char *more);

#endif
