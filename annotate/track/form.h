/* SPDX-License-Identifier: MIT */
/* A form of buffer: what the program's pointers into it step over, what an index becomes,
 * and what the tables say. One constant for each form, in forms/. */
#ifndef DL_ANNOTATE_FORM_H
#define DL_ANNOTATE_FORM_H

#include "annotate/track/place.h"

struct dl__binding;

struct dl__form {
    /* ---- places ---- */

    /* Of forms whose elements are scalars or vectors, else NULL. Rewrites what reaches
     * one to `before`, its address and `after`. */
    void (*edit_element)(struct dl__unit *u, struct dl__node *n,
                         const struct dl__access *p, const char *before,
                         const char *after);
    /* Of all others. Rewrites a place to its value, or to its address. */
    void (*edit_value)(struct dl__unit *u, struct dl__node *n,
                       const struct dl__access *p);
    void (*edit_address)(struct dl__unit *u, struct dl__node *n,
                         const struct dl__access *p);
    /* Of forms whose elements are structs, else NULL. Opens the store of a struct, the
     * left side of an assignment; returns where the text goes on, with what stands before
     * the value, and behind it. */
    size_t (*edit_store)(struct dl__unit *u, struct dl__node *n,
                         const struct dl__access *p, const char **before,
                         const char **behind);
    /* The same. Puts `before`, the struct's index and the array indices. */
    size_t (*edit_arguments)(struct dl__unit *u, struct dl__node *n,
                             const struct dl__access *p, const char *before,
                             const char **close);
    /* Of forms whose elements are scalars or vectors, else NULL: the accessor of any
     * element. */
    const struct dl__accessor_kind *any;

    /* ---- pointers ---- */

    /* The index that stands for a null pointer; NULL: there is none. */
    const char *null;
    /* Rewrites an element pointer to the index of its element. Unless its value is
     * `converted` to dl_index by where it stands, it is made one. */
    void (*edit_index)(struct dl__unit *u, struct dl__node *n, bool converted);
    /* Rewrites the pointer `n`, which is all of [begin, end) but parentheses and casts,
     * to the arguments for what takes it: the buffer, its index, and what tiles need. */
    void (*edit_argument)(struct dl__unit *u, struct dl__node *n, size_t begin,
                          size_t end);
    /* The same of the buffer's beginning, for a copy that has no index of it; NULL: all
     * have one. */
    void (*edit_base)(struct dl__unit *u, struct dl__node *n, size_t begin, size_t end);
    /* Rewrites a statement that changes a pointer. */
    void (*edit_change)(struct dl__unit *u, struct dl__node *n);
    /* Rewrites the variable in a pointer's declaration, from its name on. */
    void (*edit_variable)(struct dl__unit *u, struct dl__node *n);

    /* The form of pointers into one of several such buffers, where rows have a constant
     * width; NULL: this one. */
    const struct dl__form *far;

    /* ---- functions ---- */

    /* Returns what a helper's copy has after the parameter; as edit_argument gives it. */
    const char *(*parameters)(struct dl__unit *u, const struct dl__root *root);
    /* The same as an argument of a copy: what comes behind the buffer, where a variable
     * points to. */
    const char *(*base)(struct dl__unit *u, const struct dl__root *root,
                        const struct dl__variable *v);
    /* Returns what a kernel declares at its entry, before the program can change an
     * argument; "". */
    const char *(*entry)(struct dl__unit *u, const struct dl__root *root);
    /* Bits of a helper's parameters that hold what the form looks for; NULL: nothing. */
    uint64_t (*shape_parameters)(struct dl__unit *u, const struct dl__root *root,
                                 struct dl__node *call, const struct dl__function *f);

    /* ---- what is said of it ---- */

    /* "foo of 16 bytes in 4 leaves" */
    const char *(*describe)(struct dl__arena *arena, const struct dl__root *root);
    /* A line of the tables after the leaves; NULL: none. */
    const char *(*table_line)(struct dl__arena *arena, const struct dl__root *root);
};

/* The form, element and shape of a buffer from its annotation. */
struct dl__binding {
    struct dl__arena *arena;
    const struct dl__function *function;
    const struct dl__type *type; /* the parameter's */
    const char *buffer;
    const char *width;  /* in the second brackets; NULL: none */
    const char *length; /* of the program's own discrete arrays, which the width counts;
                           NULL: none */
    struct dl__struct **rows; /* of flat buffers, made so far: kernels share them */
    const char *reason;       /* NULL: it is bound */
};

#endif
