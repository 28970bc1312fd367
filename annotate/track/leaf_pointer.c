/* SPDX-License-Identifier: MIT */
/* Pointers to one leaf: they stay pointers. */
#include "annotate/track/leaf_pointer.h"

#include <string.h>

#include "annotate/track/form.h"
#include "annotate/track/node.h"

static const char *const leaf_functions[] = {"atomic_", "atom_", "fract",  "modf",
                                             "sincos",  "frexp", "remquo", "lgamma_r"};

/* A builtin that touches only what its pointer points to. */
bool dl__touches_one_leaf(const char *name)
{
    for (size_t i = 0; i < sizeof leaf_functions / sizeof *leaf_functions; i++)
        if (!strncmp(name, leaf_functions[i], strlen(leaf_functions[i])))
            return true;
    return false;
}

bool dl__reaches_neighbours(const char *name)
{
    static const char *const builtins[] = {"vload", "vstore", "async_work_group_",
                                           "prefetch"};

    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (!strncmp(name, builtins[i], strlen(builtins[i])))
            return true;
    return false;
}

/* `&place` of a scalar or vector, or a variable that holds one, through casts to elements
 * of the same size. */
bool dl__is_leaf_pointer(struct dl__unit *u, struct dl__node *n)
{
    struct dl__variable *v;
    struct dl__access place;
    struct dl__node *inner = dl__strip_casts(n);
    uint32_t bytes;

    v = dl__variable_of(u, inner);
    if (v && v->kind == DL__LEAF) {
        bytes = v->leaf_bytes;
    } else if (inner->kind == DL__N_UNARY && dl__op_is(inner, "&") &&
               dl__find_place(u, inner->children[0], &place) &&
               (place.type->kind == DL__T_SCALAR || place.type->kind == DL__T_VECTOR)) {
        bytes = place.type->bytes;
    } else {
        return false;
    }
    for (struct dl__node *at = n; at != inner; at = at->children[0]) {
        const struct dl__type *type = dl__type_of(u, at);

        if (type->kind != DL__T_POINTER)
            return false;
        if (type->element->bytes != bytes)
            dl__refuse(u, at->begin, "a member is viewed as elements of another size");
    }
    return true;
}

void dl__edit_leaf_pointer(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__type *type = dl__type_of(u, n);
    bool reads_only = type->kind == DL__T_POINTER && type->element->is_const;
    struct dl__access place;

    n = dl__strip_casts(n);
    if (n->kind == DL__N_NAME)
        return;
    dl__find_place(u, n->children[0], &place);
    place.root->written |= !reads_only;
    place.root->form->edit_address(u, n, &place);
}

static bool touches_one_leaf(struct dl__unit *u, struct dl__function *f, size_t parameter,
                             unsigned depth);

/* Without parentheses, conversions, and casts to pointers to elements of the same size. */
static struct dl__node *strip_views(struct dl__unit *u, struct dl__node *n)
{
    for (;;) {
        const struct dl__type *to, *from;

        n = dl__strip(n);
        if (n->kind != DL__N_CAST || n->child_count != 1)
            return n;
        to = dl__type_of(u, n);
        from = dl__type_of(u, n->children[0]);
        if (to->kind != DL__T_POINTER || from->kind != DL__T_POINTER ||
            !to->element->bytes || to->element->bytes != from->element->bytes)
            return n;
        n = n->children[0];
    }
}

/* True when every mention of the variable declared at `declared_at` is `*p`, `p[0]`, or
 * an argument that a builtin or function reaches that way. */
static bool only_dereferenced(struct dl__unit *u, struct dl__node *n, size_t declared_at,
                              unsigned depth)
{
    struct dl__node *inner = n->child_count ? strip_views(u, n->children[0]) : NULL;
    size_t begin, end;

    if (n->kind == DL__N_NAME)
        return n->declared_at != declared_at;
    if (inner && inner->kind == DL__N_NAME && inner->declared_at == declared_at) {
        if (n->kind == DL__N_UNARY && dl__op_is(n, "*"))
            return true;
        if (n->kind == DL__N_SUBSCRIPT) {
            dl__bracket_range(u, n, &begin, &end);
            return end - begin == 1 && dl__text_at(u, begin) == '0';
        }
        if (n->kind != DL__N_PAREN && n->kind != DL__N_IMPLICIT)
            return false;
    }
    for (size_t i = 0; i < n->child_count; i++) {
        struct dl__node *child = strip_views(u, n->children[i]);

        if (n->kind == DL__N_CALL && i && child->kind == DL__N_NAME &&
            child->declared_at == declared_at) {
            struct dl__function *f = dl__ast_callee(u->tracker->ast, n);

            if (f ? depth > 8 || !touches_one_leaf(u, f, i - 1, depth + 1)
                  : !dl__touches_one_leaf(n->name))
                return false;
        } else if (!only_dereferenced(u, n->children[i], declared_at, depth)) {
            return false;
        }
    }
    return true;
}

static bool touches_one_leaf(struct dl__unit *u, struct dl__function *f, size_t parameter,
                             unsigned depth)
{
    return f->is_defined && parameter < f->parameter_count &&
           only_dereferenced(u, dl__ast_body(u->tracker->ast, f),
                             f->parameters[parameter].name_at, depth);
}

bool dl__parameter_touches_one_leaf(struct dl__unit *u, struct dl__function *f,
                                    size_t parameter)
{
    return touches_one_leaf(u, f, parameter, 0);
}
