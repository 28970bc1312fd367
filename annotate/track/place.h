/* SPDX-License-Identifier: MIT */
/* The place that an expression denotes: a pointer into a buffer, a struct, or a part of
 * one. */
#ifndef DL_ANNOTATE_PLACE_H
#define DL_ANNOTATE_PLACE_H

#include "annotate/track/unit.h"

enum { DL__STEPS_MAX = 32 };

/* An expression that denotes a struct of a buffer, or a part of one. */
struct dl__access {
    struct dl__root *root;
    struct dl__node *pointer;    /* the element pointer it starts from */
    struct dl__node *index;      /* `pointer[index]`; NULL: *pointer */
    struct dl__node *index_host; /* the subscript that `index` belongs to */
    /* Of pointers to arrays, `pointer[z][y][x]`: the indices, and how many elements each
     * steps over. */
    struct dl__node *array_index[DL_GRID_DIMS_MAX], *array_host[DL_GRID_DIMS_MAX];
    uint64_t array_step[DL_GRID_DIMS_MAX];
    size_t array_count;
    struct dl__step steps[DL__STEPS_MAX];
    /* Of array steps: the index, NULL for a constant 0, and its subscript. */
    struct dl__node *step_index[DL__STEPS_MAX];
    struct dl__node *step_host[DL__STEPS_MAX];
    size_t step_count;
    const struct dl__type *type;
};

/* True when the program's pointers into the buffer point to this type. */
static inline bool dl__is_element(const struct dl__root *root,
                                  const struct dl__type *type)
{
    const struct dl__type *element = root->element_type;

    if (element->kind == DL__T_STRUCT)
        return type->identity == element->identity;
    return type->kind == element->kind && type->name &&
           !strcmp(type->name, element->name);
}

/* The root of an expression that points to an element of a tracked buffer; NULL for
 * others. */
struct dl__root *dl__root_of(struct dl__unit *u, struct dl__node *n);
/* A buffer parameter itself, which stands at index 0. */
bool dl__is_base(struct dl__unit *u, struct dl__node *n);
/* The place that `n` is; of a component `v->x`, the vector. */
bool dl__find_place(struct dl__unit *u, struct dl__node *n, struct dl__access *out);
/* The place `pointer[index]`, or `*pointer`. */
bool dl__start_place(struct dl__unit *u, struct dl__node *pointer, struct dl__node *host,
                     struct dl__node *index, struct dl__access *out);

/* Pointers that may point into one of several buffers of structs, or of scalars or
 * vectors that are a row each.
 *
 * Such a pointer is a dl_far: the buffer, the struct's index in it, and what its tiles
 * need. Its root is the unit's, one for each type of struct; buffers whose pointers are
 * not mixed keep their own. What is given to a helper points into one buffer there,
 * whichever it is. */

/* True when the same accessors reach what both point to. */
bool dl__far_are_alike(const struct dl__root *a, const struct dl__root *b);
/* The root of pointers that may be of either root; NULL: none can be followed. */
struct dl__root *dl__far_of(struct dl__unit *u, struct dl__root *a, struct dl__root *b);
/* True of such a pointer that is to the beginning of each: buffers change places. */
bool dl__begins_each(struct dl__unit *u, struct dl__node *pointer);
/* The variable, as it is called in the output, whose buffer such a pointer has: a name
 * that is moved. Refuses others. */
const char *dl__far_name(struct dl__unit *u, struct dl__node *n);

/* Pointers to arrays of a grid's elements, `float (*f)[NY][NX]`: a parameter, or a
 * variable that is set once from the buffer's argument, cast. They stay as they are, and
 * elements by all their indices, `f[z][y][x]`, are places; any other use refuses the
 * unit. */

/* The scalar or vector inside arrays of arrays. */
static inline const struct dl__type *dl__array_innermost(const struct dl__type *type)
{
    while (type->kind == DL__T_ARRAY)
        type = type->element;
    return type;
}

/* True when a name of that variable is such a pointer, whatever its root. */
bool dl__is_array_pointer(struct dl__unit *u, struct dl__node *n,
                          const struct dl__variable *v);
/* Adds the variables that are such. */
void dl__find_array_pointers(struct dl__unit *u, struct dl__node *n);

/* Pointers to parts of structs: to a member that is a struct, or into an array member.
 *
 * Such a pointer is a struct's index and an offset in the struct, together a dl_part. Its
 * root is the buffer's with what it points to, one for each such type; whatever part it
 * comes from, an accessor of that type takes it. */

/* Finds those that point to single members: they must not be moved. */
void dl__find_single_parts(struct dl__unit *u, struct dl__node *body);
/* True when pointers of the root count structs, or stay in one; else elements. */
static inline bool dl__is_of_structs(const struct dl__root *root)
{
    return root->is_part || root->element_type->kind == DL__T_STRUCT;
}

/* The root of pointers to `type` that are made from pointers of `root`, by a cast or as
 * C does it: the same, or of single bytes of the parts of structs, `char`, `uchar` and
 * what `void` is taken for. An accessor finds the leaf that a byte lies in. NULL: they
 * can't be followed. */
struct dl__root *dl__root_as(struct dl__unit *u, struct dl__root *root,
                             const struct dl__type *type);
/* The buffer as the first argument of an accessor. */
const char *dl__root_base(struct dl__unit *u, const struct dl__root *root);
static inline bool dl__place_crosses_union(const struct dl__access *p)
{
    return dl__steps_cross_union(p->root->element,
                                 p->root->is_part ? p->root->element_type : NULL,
                                 p->steps, p->step_count);
}

/* Pointers that count bytes on their way from one struct to another, or words: `(foo *)
 * ((char *)f + offset + i * stride)`, also in variables and a parameter of their own
 * type. They are indices of structs as others are, and what is added to them must be
 * whole structs. */

/* The struct that all which is made of such a parameter is cast to; NULL: none, or
 * something else is done with it. */
const struct dl__type *dl__bytes_lead_to(struct dl__unit *u, size_t declared_at);
/* True of a variable for such pointers, into this buffer. */
bool dl__is_led_back(struct dl__unit *u, const struct dl__variable *v,
                     const struct dl__root *root);
/* How many bytes a pointer into a buffer of structs counts by; 0: it counts structs. */
uint32_t dl__bytes_counted(struct dl__unit *u, struct dl__node *n);

/* A builtin that touches only what its pointer points to. */
bool dl__touches_one_leaf(const char *name);
/* A builtin that touches more. */
bool dl__reaches_neighbours(const char *name);
/* True when a function touches only what this parameter points to, never its neighbours,
 * by elements of any size. */
bool dl__parameter_touches_one_leaf(struct dl__unit *u, struct dl__function *f,
                                    size_t parameter);

/* A null pointer constant. */
bool dl__is_null(struct dl__unit *u, struct dl__node *n);
/* Puts the index that stands for it there. */
void dl__edit_null(struct dl__unit *u, struct dl__node *n, const char *text);
/* True when a pointer of the root can be set to what `n` is. */
bool dl__can_be_set_to(struct dl__unit *u, const struct dl__root *root,
                       struct dl__node *n);

struct dl__view {
    struct dl__access place; /* where it begins; no steps: with the struct */
    const struct dl__type *value,
        *lane; /* a vector and its elements, or a scalar twice */
    unsigned lanes;
};

/* True when a pointer, without casts, points to a struct or member of a buffer of
 * structs. */
bool dl__find_pointed(struct dl__unit *u, struct dl__node *inner, struct dl__access *out);
/* True for `*(type *)pointer`, where type is not what is there. */
bool dl__find_view(struct dl__unit *u, struct dl__node *n, struct dl__view *out);

/* The parameters of a function that a pointer in it comes from, by bits; 0: not known. */
uint64_t dl__parameters_behind(struct dl__unit *u, struct dl__function *f,
                               struct dl__node *pointer);
/* The root of the pointers that a helper's copy returns. */
struct dl__root *dl__returned_root(struct dl__unit *u);

/* The argument in whose buffer what a call returns is, where that may be one of several;
 * NULL: the copy says itself which. */
struct dl__node *dl__far_returned_argument(struct dl__unit *u, struct dl__node *n);

/* Pointers to one leaf: they stay pointers, and what they are given to must reach nothing
 * else. */

/* The accessor of a place, noted as used by `n`. */
const struct dl__accessor *dl__use_place(struct dl__unit *u, struct dl__node *n,
                                         const struct dl__access *p,
                                         const struct dl__accessor_kind *kind);
/* The same of an element of a flat buffer. */
const struct dl__accessor *dl__use_element(struct dl__unit *u, struct dl__node *n,
                                           const struct dl__root *root,
                                           const struct dl__accessor_kind *kind);
/* The same of the elements that a vload or vstore reaches, `type` each. */
const struct dl__accessor *dl__use_vector(struct dl__unit *u, struct dl__node *n,
                                          const struct dl__access *p,
                                          const struct dl__accessor_kind *kind,
                                          const struct dl__type *type,
                                          const struct dl__vector_form *form);

#endif
