/* SPDX-License-Identifier: MIT */
/* A function's outline, which does not depend on values, and its frames: its variables in
 * one context, given its arguments. */
#ifndef DL_ANNOTATE_FRAME_H
#define DL_ANNOTATE_FRAME_H

#include <stdbool.h>
#include <stdint.h>

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
    dl__variation varies;
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
    struct dl__scope *scope; /* see values/integer.h; made at first need */
    struct dl__outline *next;
};

/* The outline of a function, made at first need. */
struct dl__outline *dl__outline_of(struct dl__analysis *analysis, struct dl__unit *unit);
/* The variable of a name; NULL: it is not the function's. */
struct dl__outline_variable *dl__outline_find(const struct dl__outline *outline,
                                              size_t declared_at);
/* The loops and parameters that an expression varies with, by its names. */
dl__variation dl__variation_of(const struct dl__outline *outline, struct dl__node *n);
/* The loops around a change, and all parameters; *outlived: the loops that what it makes
 * of the old value varies with, too. */
dl__variation dl__loops_around(const struct dl__outline *outline,
                               const struct dl__change *change, dl__variation *outlived);
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

/* The value of an integer, seen from work-items that run side by side.
 *
 * "Side by side" is a matter of most neighbours, not of all: `(x + 1) % n` steps by 1,
 * and what changes once in DL__NEAR work-items or more is the same for them. */

enum { DL__NEAR = 32 };

/* By what is known, the most first: joining values goes up. */
enum dl__value_kind {
    DL__V_NOTHING, /* not reached yet */
    DL__V_UNIFORM,
    DL__V_LINEAR,  /* `step` more from one work-item to the next; never 0 */
    DL__V_UNKNOWN, /* made of the work-item's place in some other way */
    DL__V_GATHER   /* made of what was read from memory */
};

struct dl__value {
    enum dl__value_kind kind;
    int64_t step;
    /* Whatever the work-item, it is a multiple of `modulus` and `rest`. 0: it is `rest`;
     * 1: any. */
    int64_t modulus, rest;
    int64_t most;   /* of a uniform one: none is larger, with either sign; 0: not known */
    uint64_t holds; /* bits of arguments of the kernel that may have been added to it */
};
struct dl__value dl__value_constant(int64_t value);
bool dl__value_is_constant(struct dl__value v);
struct dl__value dl__value_multiply(struct dl__value a, struct dl__value b);

/* A pointer into a buffer: rows (or structs), and elements beyond the row's first. Of
 * other variables the rows are their value. */
struct dl__pair {
    struct dl__value rows, rest;
    dl__variation rows_vary, rest_vary;
};

/* How neighbours agree on a condition. */
enum dl__agreement {
    DL__SAME,       /* one thing */
    DL__MOSTLY_YES, /* one thing, but at a bound; most take it */
    DL__MOSTLY_NO,
    DL__DIVERGENT
};

struct dl__frame {
    struct dl__analysis *analysis;
    struct dl__outline *outline;
    /* By parameter: what it is, and the kernel's root. */
    struct dl__pair *arguments;
    struct dl__root **roots;
    bool joined; /* of all calls beyond the first few */
    /* By change of the outline: the variable after it; by variable: whatever it may be;
     * by branch. */
    struct dl__pair *changed, *anywhere;
    enum dl__agreement *agreements;
    struct dl__value result;
    struct dl__pair result_pair; /* of a copy that returns a pointer into a buffer */
    unsigned round;              /* of solving */
    bool is_solved, is_busy;
    struct dl__frame *next;
};

/* One kernel's analysis. */
struct dl__analysis {
    struct dl__arena *arena;
    struct dl__unit *kernel;
    struct dl__outline *outlines;
    struct dl__frame *frames;
    size_t frame_count;
    unsigned depth;      /* of frames being solved */
    unsigned long steps; /* of evaluation */
    unsigned version;    /* of the frames that several calls share */
    bool is_settled;     /* what is still not known is never reached */
    bool failed;         /* more than is followed */
};

/* The kernel's own frame. */
struct dl__frame *dl__frame_of_kernel(struct dl__analysis *analysis,
                                      struct dl__unit *unit);
/* That of a call of a function with a body, solved. NULL: it is not followed. */
struct dl__frame *dl__frame_of_call(struct dl__frame *caller, struct dl__node *call,
                                    struct dl__function *callee);

struct dl__value dl__evaluate(struct dl__frame *frame, struct dl__node *n);
enum dl__agreement dl__agreement_of(struct dl__frame *frame, struct dl__node *condition);
enum dl__agreement dl__agreement_opposite(enum dl__agreement a);
/* Where both must hold. */
enum dl__agreement dl__agreement_both(enum dl__agreement a, enum dl__agreement b);

/* An element pointer into a tracked buffer, and a place's. */
struct dl__pair dl__evaluate_pointer(struct dl__frame *frame, struct dl__node *n);
struct dl__pair dl__evaluate_place(struct dl__frame *frame, const struct dl__access *p);
/* The pair of an integer that is added to a pointer. */
struct dl__pair dl__evaluate_offset(struct dl__frame *frame, const struct dl__root *root,
                                    struct dl__node *n);
struct dl__pair dl__pair_add(struct dl__pair a, struct dl__pair b);
/* The pair so many elements beyond a pointer. */
struct dl__pair dl__pair_of_number(const struct dl__root *root, struct dl__value v,
                                   dl__variation varies);
/* The elements of a row, where the text says how many; 1: a struct; 0: only a launch
 * knows. */
int64_t dl__row_elements(const struct dl__root *root);
/* With a constant rest inside the row; the struct's index then is what the rows are, and
 * `*inside` says where in the row, DL__V_NOTHING where it is not one element. */
struct dl__value dl__pair_struct(const struct dl__root *root, struct dl__pair pair,
                                 struct dl__value *inside);

#endif
