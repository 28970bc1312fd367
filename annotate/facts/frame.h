/* SPDX-License-Identifier: MIT */
/* A function in one context: what is known of its variables, given its arguments. */
#ifndef DL_ANNOTATE_FRAME_H
#define DL_ANNOTATE_FRAME_H

#include "annotate/facts/outline.h"
#include "annotate/facts/value.h"

/* A pointer into a buffer: rows (or structs), and elements beyond the row's first. Of
 * other variables the rows are their value. */
struct dl__pair {
    struct dl__value rows, rest;
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
struct dl__pair dl__pair_of_number(const struct dl__root *root, struct dl__value v);
/* The elements of a row, where the text says how many; 1: a struct; 0: only a launch
 * knows. */
int64_t dl__row_elements(const struct dl__root *root);
/* With a constant rest inside the row; the struct's index then is what the rows are, and
 * `*inside` says where in the row, DL__V_NOTHING where it is not one element. */
struct dl__value dl__pair_struct(const struct dl__root *root, struct dl__pair pair,
                                 struct dl__value *inside);

#endif
