/* Between the passes over one function (unit, place, access, flat, walk, track): what they know of
 * its variables and expressions. For this room only. */
#ifndef DL_ANNOTATE_UNIT_H
#define DL_ANNOTATE_UNIT_H

#include "annotate/track/track.h"

enum dl__variable_kind {
    DL__ROOT,
    DL__INDEX, /* a pointer temporary: a dl_index after rewriting */
    DL__LEAF   /* a pointer to one leaf: stays a pointer */
};

struct dl__variable {
    enum dl__variable_kind kind;
    size_t declared_at;
    const char *name;
    struct dl__root *root; /* NULL while unknown */
    uint32_t leaf_bytes;   /* of a DL__LEAF */
    struct dl__variable *next;
};

enum { DL__STEPS_MAX = 32 };

/* An expression that denotes a struct of a buffer, or a part of one. */
struct dl__access {
    struct dl__root *root;
    struct dl__node *pointer;    /* the element pointer it starts from */
    struct dl__node *index;      /* `pointer[index]`; NULL: *pointer */
    struct dl__node *index_host; /* the subscript that `index` belongs to */
    struct dl__step steps[DL__STEPS_MAX];
    /* Of array steps: the index, NULL for a constant 0, and its subscript. */
    struct dl__node *step_index[DL__STEPS_MAX];
    struct dl__node *step_host[DL__STEPS_MAX];
    size_t step_count;
    const struct dl__type *type;
};

/* ---- unit.c ---- */

/* Gives the unit up, for the place and the reason. */
void dl__refuse(struct dl__unit *u, size_t at, const char *format, ...)
    __attribute__((noreturn, format(printf, 3, 4)));
void dl__replace(struct dl__unit *u, size_t begin, size_t end, const char *text);
char *dl__format(struct dl__unit *u, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The next byte that is neither space nor comment. */
size_t dl__skip(const struct dl__unit *u, size_t at);
char dl__text_at(const struct dl__unit *u, size_t at);
bool dl__op_is(const struct dl__node *n, const char *op);
/* Without parentheses and implicit conversions around it. */
struct dl__node *dl__strip(struct dl__node *n);
const struct dl__type *dl__type_of(struct dl__unit *u, struct dl__node *n);
bool dl__is_assignment(const struct dl__node *n);
/* ++ or -- */
bool dl__is_step(const struct dl__node *n);
/* The tracked variable that a name names; NULL for others. */
struct dl__variable *dl__variable_of(struct dl__unit *u, struct dl__node *n);

/* ---- place.c ---- */

/* True for what a pointer into the buffer points to: a struct, or an element of a flat buffer. */
bool dl__is_element(const struct dl__type *type, const struct dl__struct *element);
/* The root of an expression that points to an element of a tracked buffer; NULL for others. */
struct dl__root *dl__root_of(struct dl__unit *u, struct dl__node *n);
/* A buffer parameter itself, which stands at index 0. */
bool dl__is_base(struct dl__unit *u, struct dl__node *n);
bool dl__find_place(struct dl__unit *u, struct dl__node *n, struct dl__access *out);
/* The place `pointer[index]`, or `*pointer`. */
bool dl__start_place(struct dl__unit *u, struct dl__node *pointer, struct dl__node *host,
                     struct dl__node *index, struct dl__access *out);
/* Where the text inside a subscript's brackets begins and ends. */
void dl__bracket_range(struct dl__unit *u, struct dl__node *host, size_t *begin,
                       size_t *end);

/* ---- access.c ---- */

/* Turns a place into `name(base, index, k... DL_ARGS(base)` and returns where the text goes on;
 * the caller puts *close and what closes the call there. */
size_t dl__edit_call(struct dl__unit *u, struct dl__node *n, const struct dl__access *p,
                     const char *before, const char *name, const char **close);
/* The arguments alone: puts `before`, the struct index and the array indices; *separator is what
 * must stand first where the text goes on. */
size_t dl__edit_arguments(struct dl__unit *u, struct dl__node *n,
                          const struct dl__access *p, const char *before,
                          const char **separator);
void dl__add_use(struct dl__unit *u, struct dl__node *n, const struct dl__access *p,
                 struct dl__accessor *a);
/* Rewrites a place to its value. */
void dl__edit_value(struct dl__unit *u, struct dl__node *n, const struct dl__access *p);
/* Opens the store of a struct; returns as dl__edit_call. */
size_t dl__edit_store(struct dl__unit *u, struct dl__node *n, const struct dl__access *p,
                      const char **close);
/* Rewrites an element pointer to the index of what it points to. Unless its value is `converted`
 * to dl_index by where it stands, it is made one. */
void dl__edit_index(struct dl__unit *u, struct dl__node *n, bool converted);
/* A builtin that touches only what its pointer points to. */
bool dl__touches_one_leaf(const char *name);
/* A builtin that touches more. */
bool dl__reaches_neighbours(const char *name);
/* `&place` of a scalar or vector, or a variable that holds one, through casts to elements of the
 * same size. */
bool dl__is_leaf_pointer(struct dl__unit *u, struct dl__node *n);
void dl__edit_leaf_pointer(struct dl__unit *u, struct dl__node *n);
/* True when a function reaches only what this parameter points to, never its neighbours. */
bool dl__parameter_touches_one_leaf(struct dl__unit *u, struct dl__function *f,
                                    size_t parameter);

/* ---- flat.c ---- */

/* Rewrites an element of a flat buffer to its value, or to its address. */
void dl__edit_flat(struct dl__unit *u, struct dl__node *n, const struct dl__access *p,
                   bool address);

/* The accessor of an element, and a use of it. */
const char *dl__flat_name(struct dl__unit *u, struct dl__node *n,
                          const struct dl__access *p, enum dl__accessor_kind kind);
bool dl__constant_of(const struct dl__unit *u, struct dl__node *n, int64_t *out);
/* The accessor of an element by its index, noted as used. */
const struct dl__accessor *dl__flat_any(struct dl__unit *u, struct dl__node *n,
                                        const struct dl__access *p);

/* ---- width.c ---- */

enum { DL__FACTORS_MAX = 16 };

struct dl__product {
    struct dl__node *items[DL__FACTORS_MAX];
    size_t count;
    int64_t constant;
};

/* `text` is what the user wrote, macros expanded. */
struct dl__width *dl__width_make(struct dl__arena *arena, const char *text,
                                 const char *value, const char *dimension);
/* True when an argument of a call holds the width. */
bool dl__is_width(struct dl__unit *u, const struct dl__root *root, struct dl__node *n);
/* True when an expression, behind which the text goes on at `stop`, is a multiple of the width:
 * *out is what it is multiplied with. */
bool dl__take_rows(struct dl__unit *u, const struct dl__root *root, struct dl__node *n,
                   size_t stop, struct dl__product *out);
/* True for a conversion under which a sum or product stays that of its parts. */
bool dl__keeps_sums(struct dl__unit *u, struct dl__node *n);

/* ---- split.c ---- */

/* For flat buffers whose width only a launch knows, where a pointer is two indices. */

/* Rewrites an element to its value, or to its address. */
void dl__edit_row(struct dl__unit *u, struct dl__node *n, const struct dl__access *p,
                  bool address);
/* Rewrites a pointer to the index of its element; to its two indices, with a comma between. */
void dl__edit_row_index(struct dl__unit *u, struct dl__node *n);
void dl__edit_row_pair(struct dl__unit *u, struct dl__node *n);
/* Rewrites a statement that changes a pointer. */
void dl__edit_row_change(struct dl__unit *u, struct dl__node *n);
/* Rewrites the variable in a declaration, from its name on. */
void dl__edit_row_variable(struct dl__unit *u, struct dl__node *n);

/* ---- vector.c ---- */

/* Rewrites a vload or vstore on a buffer; false when the call is none such. */
bool dl__walk_vector_call(struct dl__unit *u, struct dl__node *n);

/* ---- walk.c ---- */

void dl__walk(struct dl__unit *u, struct dl__node *n);

/* ---- track.c ---- */

/* The copy of a helper for calls in which these parameters point into buffers. */
struct dl__unit *dl__clone_for(struct dl__unit *u, struct dl__node *n,
                               struct dl__function *f, struct dl__root **by_parameter);

#endif
