/* SPDX-License-Identifier: MIT */
/* A function's variables, what changes them, and its branches: all that does not depend
 * on values. */
#ifndef DL_ANNOTATE_OUTLINE_H
#define DL_ANNOTATE_OUTLINE_H

#include "annotate/track/place.h"

struct dl__analysis;

enum { DL__NO_BRANCH = -1, DL__LOOPS_MAX = 32 };

/* Sets of what an expression varies with: loops of a function by their bits, and its
 * parameters. */
typedef uint64_t dl__variation;

enum dl__change_kind {
    DL__C_SET,    /* to `source`, in whole or in part */
    DL__C_UPDATE, /* by an operator like += */
    DL__C_STEP,   /* ++ or -- */
    DL__C_ESCAPE  /* in a way that is not followed */
};

struct dl__change {
    enum dl__change_kind kind;
    struct dl__node *at;     /* the assignment, or the declaration */
    struct dl__node *source; /* NULL for a step */
    struct dl__outline_variable *variable;
    size_t number; /* in the outline */
    size_t end; /* of it in the text; what a for does last counts as at the loop's end */
    int branch; /* the innermost around it */
    bool partial;            /* of an array, struct or vector */
    bool of_itself;          /* the new value is made of the old one */
    struct dl__change *next; /* of the same variable */
};

struct dl__outline_variable {
    size_t declared_at;
    struct dl__node *declaration; /* NULL: a parameter */
    size_t parameter;
    size_t number;                      /* in the outline */
    const struct dl__variable *tracked; /* into a buffer; NULL: none */
    bool in_local_memory;
    int branch; /* the innermost around its declaration */
    size_t change_count;
    struct dl__change *changes;
    dl__variation varies; /* of a pointer into a buffer: its rows */
    dl__variation rest_varies;
};

enum dl__branch_kind { DL__B_IF, DL__B_LOOP, DL__B_SWITCH, DL__B_LOGIC };

struct dl__branch {
    enum dl__branch_kind kind;
    struct dl__node *node, *condition; /* NULL: none */
    int parent;
    unsigned loop; /* of a loop: its bit in masks; DL__LOOPS_MAX: it has none */
};

struct dl__jump {
    bool breaks; /* or continues */
    size_t at;
    int branch; /* around it */
    int loop;   /* that it leaves or continues */
};

struct dl__outline {
    struct dl__unit *unit;
    struct dl__node *body;
    struct dl__outline_variable *variables; /* by place of declaration */
    size_t variable_count;
    struct {
        struct dl__change *items;
        size_t count, room;
    } changes; /* in the order of the text */
    struct {
        struct dl__branch *items;
        size_t count, room;
    } branches;
    struct {
        struct dl__jump *items;
        size_t count, room;
    } jumps;
    struct {
        struct dl__returned {
            struct dl__node *value;
            int branch;
        } * items;
        size_t count, room;
    } returns;
    struct {
        int *items;
        size_t count, room;
    } loops; /* branches that are such, by place */
    bool has_goto;
    struct dl__outline *next;
};

/* The outline of a function, made at first need. */
struct dl__outline *dl__outline_of(struct dl__analysis *analysis, struct dl__unit *unit);
/* The variable of a name; NULL: it is not the function's. */
struct dl__outline_variable *dl__outline_find(const struct dl__outline *outline,
                                              size_t declared_at);
/* The loops and parameters that an integer varies with; of a pointer into a buffer, or a
 * number added to one, those of its rows, and of its rest. */
dl__variation dl__variation_of(const struct dl__outline *outline, struct dl__node *n);
dl__variation dl__variation_of_pointer(const struct dl__outline *outline,
                                       struct dl__node *n, dl__variation *rest);
dl__variation dl__variation_of_offset(const struct dl__outline *outline,
                                      const struct dl__root *root, struct dl__node *n,
                                      dl__variation *rest);
/* That of a parameter. */
dl__variation dl__variation_bit(size_t parameter);
/* True when the branch stands around this place. */
bool dl__branch_holds(const struct dl__branch *branch, size_t at);
/* True when the branch `outer` is `inner`, or around it. */
bool dl__branch_is_around(const struct dl__outline *outline, int outer, int inner);
/* The branch of a loop. */
int dl__loop_of(const struct dl__outline *outline, const struct dl__node *n);
/* "if", "for", ...: the word that a statement begins with. */
bool dl__begins_with(const struct dl__unit *unit, const struct dl__node *n,
                     const char *word);
/* The name that an lvalue is a part of, without going through a pointer; NULL: none. */
struct dl__node *dl__base_name(struct dl__unit *unit, struct dl__node *n);

#endif
