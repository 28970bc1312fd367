/* SPDX-License-Identifier: MIT */
/* What an expression denotes: a pointer to a struct of a buffer, a struct, or a part of
 * one. */
#include "annotate/track/place.h"

#include <string.h>

#include "annotate/track/arrays.h"
#include "annotate/track/context.h"
#include "annotate/track/far.h"
#include "annotate/track/node.h"
#include "annotate/track/part.h"
#include "annotate/track/returned.h"

/* ---- element pointers ---- */

bool dl__is_element(const struct dl__root *root, const struct dl__type *type)
{
    const struct dl__type *element = root->element_type;

    if (element->kind == DL__T_STRUCT)
        return type->identity == element->identity;
    return type->kind == element->kind && type->name &&
           !strcmp(type->name, element->name);
}

static bool points_into(struct dl__unit *u, struct dl__node *n,
                        const struct dl__root *root)
{
    const struct dl__type *type = dl__type_of(u, n);

    return type->kind == DL__T_POINTER && dl__is_element(root, type->element);
}

/* Of `c ? a : b`. */
static struct dl__root *root_of_either(struct dl__unit *u, struct dl__node *n)
{
    struct dl__root *left = dl__root_of(u, n->children[1]),
                    *right = dl__root_of(u, n->children[2]);

    if (left && right && left != right) {
        struct dl__root *far = dl__far_of(u, left, right);

        if (!far)
            dl__refuse(u, n->begin, "one pointer can point into '%s' and into '%s'",
                       left->name, right->name);
        return far;
    }
    if (left && !right && dl__can_be_set_to(u, left, n->children[2]))
        return left;
    if (right && !left && dl__can_be_set_to(u, right, n->children[1]))
        return right;
    return left && right ? left : NULL;
}

/* The root of an expression that points to a struct of a tracked buffer; NULL for
 * others. */
struct dl__root *dl__root_of(struct dl__unit *u, struct dl__node *n)
{
    struct dl__variable *v;
    struct dl__root *left;
    struct dl__access place;

    n = dl__strip(n);
    switch (n->kind) {
    case DL__N_NAME:
        v = dl__variable_of(u, n);
        return v && v->kind != DL__LEAF && v->kind != DL__ARRAYS &&
                       !dl__is_array_pointer(u, n, v)
                   ? v->root
                   : NULL;
    case DL__N_CAST:
        if (n->child_count != 1)
            return NULL;
        left = dl__root_of(u, n->children[0]);
        return left && points_into(u, n, left) ? left : NULL;
    case DL__N_UNARY:
        if (dl__is_step(n))
            return dl__root_of(u, n->children[0]);
        if (!dl__op_is(n, "&"))
            return NULL;
        if (dl__find_place(u, n->children[0], &place) && place.array_count)
            return NULL;
        if (dl__find_place(u, n->children[0], &place) && !place.step_count)
            return place.root;
        return dl__root_of_part(u, n);
    case DL__N_CALL:
        return dl__root_of_call(u, n);
    case DL__N_MEMBER:
    case DL__N_SUBSCRIPT:
        v = dl__variable_of(u, n);
        return v ? v->root : dl__root_of_part(u, n);
    case DL__N_COMPOUND:
        return dl__root_of(u, n->children[0]);
    case DL__N_BINARY:
        if (dl__op_is(n, "="))
            return dl__root_of(u, n->children[0]);
        if (dl__op_is(n, "+") || dl__op_is(n, "-")) {
            /* Not the difference of two pointers. libclang shows the type of what was
             * declared as an array parameter as that array. */
            if (dl__type_of(u, n)->kind == DL__T_SCALAR)
                return NULL;
            left = dl__root_of(u, n->children[0]);
            return left ? left : dl__root_of(u, n->children[1]);
        }
        return NULL;
    case DL__N_CONDITIONAL:
        if (n->child_count != 3)
            return NULL;
        return root_of_either(u, n);
    default:
        return NULL;
    }
}

/* A buffer parameter itself, which stands at index 0. */
bool dl__is_base(struct dl__unit *u, struct dl__node *n)
{
    struct dl__variable *v = dl__variable_of(u, dl__strip(n));

    return v && v->kind == DL__ROOT && !v->root->has_index && !dl__is_moved_member(u, n);
}

/* ---- places ---- */

static bool add_step(struct dl__unit *u, struct dl__access *p, struct dl__node *n,
                     const struct dl__field *field, const struct dl__type *type,
                     struct dl__node *index)
{
    struct dl__step step = {field, type};

    if (p->step_count == sizeof p->steps / sizeof *p->steps)
        dl__refuse(u, n->begin, "members are nested too deeply");
    p->step_index[p->step_count] = index;
    p->step_host[p->step_count] = n;
    p->steps[p->step_count++] = step;
    p->type = type;
    return true;
}

/* Steps to a field by name, through anonymous members. */
static bool step_to(struct dl__unit *u, struct dl__access *p, struct dl__node *n,
                    const struct dl__struct *s, const char *name)
{
    for (size_t i = 0; i < s->field_count; i++) {
        const struct dl__field *field = &s->fields[i];

        if (!strcmp(field->name, name))
            return add_step(u, p, n, field, field->type, NULL);
        if (!field->name[0] && field->type->kind == DL__T_STRUCT) {
            struct dl__access saved = *p;

            add_step(u, p, n, field, field->type, NULL);
            if (step_to(u, p, n, field->type->identity, name))
                return true;
            *p = saved;
        }
    }
    return false;
}

/* An array member where it is used as a pointer. */
static bool find_array(struct dl__unit *u, struct dl__node *n, struct dl__access *out)
{
    n = dl__strip(n);
    return (n->kind == DL__N_MEMBER || n->kind == DL__N_SUBSCRIPT) &&
           dl__type_of(u, n)->kind == DL__T_ARRAY && dl__find_place(u, n, out) &&
           out->type->kind == DL__T_ARRAY;
}

bool dl__start_place(struct dl__unit *u, struct dl__node *pointer, struct dl__node *host,
                     struct dl__node *index, struct dl__access *out)
{
    struct dl__root *root = dl__root_of(u, pointer);

    if (!root)
        return false;
    memset(out, 0, sizeof *out);
    out->root = root;
    out->pointer = pointer;
    out->index = index;
    out->index_host = host;
    out->type = root->element_type;
    return true;
}

bool dl__find_place(struct dl__unit *u, struct dl__node *n, struct dl__access *out)
{
    struct dl__node *child;

    while (n->kind == DL__N_PAREN && n->child_count == 1)
        n = n->children[0];
    if (n->child_count == 0)
        return false;
    child = n->children[0];
    switch (n->kind) {
    case DL__N_MEMBER:
        if (dl__type_of(u, child)->kind == DL__T_POINTER || dl__root_of(u, child)) {
            if (find_array(u, child, out)) {
                add_step(u, out, n, NULL, out->type->element, NULL);
            } else if (!dl__start_place(u, child, NULL, NULL, out)) {
                return false;
            }
        } else if (!dl__find_place(u, child, out)) {
            return false;
        }
        return out->type->kind == DL__T_STRUCT &&
               step_to(u, out, n, out->type->identity, n->name);
    case DL__N_SUBSCRIPT:
        if (n->child_count != 2)
            return false;
        if (dl__find_array_place(u, n, out))
            return true;
        if (find_array(u, child, out))
            return add_step(u, out, n, NULL, out->type->element, n->children[1]);
        return dl__start_place(u, child, n, n->children[1], out);
    case DL__N_UNARY:
        if (!dl__op_is(n, "*"))
            return false;
        if (find_array(u, child, out))
            return add_step(u, out, n, NULL, out->type->element, NULL);
        return dl__start_place(u, child, NULL, NULL, out);
    default:
        return false;
    }
}
