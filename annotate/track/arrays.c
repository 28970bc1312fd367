/* SPDX-License-Identifier: MIT */
/* Pointers to arrays of a grid's elements. */
#include "annotate/track/arrays.h"

#include <string.h>

#include "annotate/track/locals.h"
#include "annotate/track/node.h"

const struct dl__type *dl__array_innermost(const struct dl__type *type)
{
    while (type->kind == DL__T_ARRAY)
        type = type->element;
    return type;
}

/* Of a name. libclang shows the type of an array parameter as that array. */
static const struct dl__type *pointer_type(struct dl__unit *u, struct dl__node *n,
                                           const struct dl__variable *v)
{
    return v->kind == DL__ROOT ? u->function->parameters[v->root->parameter].type
                               : dl__type_of(u, n);
}

bool dl__is_array_pointer(struct dl__unit *u, struct dl__node *n,
                          const struct dl__variable *v)
{
    const struct dl__type *type = pointer_type(u, n, v);

    return type->kind == DL__T_POINTER && type->element->kind == DL__T_ARRAY;
}

static bool points_to_arrays(const struct dl__root *root, const struct dl__type *type)
{
    return root->extent_count && type->kind == DL__T_POINTER &&
           type->element->kind == DL__T_ARRAY &&
           dl__is_element(root, dl__array_innermost(type->element)) &&
           dl__array_innermost(type->element)->is_volatile ==
               ((root->space & DL__VOLATILE) != 0);
}

/* The buffer's argument behind casts, which is never changed; NULL: it is something else.
 */
static struct dl__root *argument_behind(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__variable *v;

    /* A cast's last child: the lengths in its type are children, too. */
    while (n->child_count &&
           (n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT || n->kind == DL__N_CAST))
        n = n->children[n->child_count - 1];
    v = n->kind == DL__N_NAME ? dl__variable_of(u, n) : NULL;
    return v && (v->kind == DL__ROOT || v->kind == DL__ARRAYS) && !v->root->has_index &&
                   !u->new_name
               ? v->root
               : NULL;
}

void dl__find_array_pointers(struct dl__unit *u, struct dl__node *n)
{
    if (n->kind == DL__N_VARIABLE && n->child_count) {
        struct dl__root *root = argument_behind(u, n->children[n->child_count - 1]);
        struct dl__node *declaration;

        if (root && points_to_arrays(root, dl__type_of(u, n)) &&
            !dl__is_changed(u, n->declared_at, &declaration)) {
            struct dl__variable *v = DL__NEW(u->tracker->arena, struct dl__variable);

            *v = (struct dl__variable){.kind = DL__ARRAYS,
                                       .declared_at = n->declared_at,
                                       .name = n->name,
                                       .root = root,
                                       .next = u->variables};
            u->variables = v;
        }
    }
    for (size_t i = 0; i < n->child_count; i++)
        dl__find_array_pointers(u, n->children[i]);
}

bool dl__find_array_place(struct dl__unit *u, struct dl__node *n, struct dl__access *out)
{
    struct dl__node *hosts[DL_GRID_DIMS_MAX], *at = n;
    const struct dl__type *type = NULL;
    const struct dl__variable *v;
    size_t count = 0;

    while (at->kind == DL__N_SUBSCRIPT && at->child_count == 2 &&
           count < DL_GRID_DIMS_MAX) {
        hosts[count++] = at;
        at = dl__strip(at->children[0]);
    }
    v = count && at->kind == DL__N_NAME ? dl__variable_of(u, at) : NULL;
    if (!v || (v->kind != DL__ARRAYS && v->kind != DL__ROOT) || v->root->has_index ||
        !points_to_arrays(v->root, pointer_type(u, at, v)) ||
        dl__type_of(u, n)->kind == DL__T_ARRAY)
        return false;
    memset(out, 0, sizeof *out);
    out->root = v->root;
    out->pointer = at;
    out->type = v->root->element_type;
    for (type = pointer_type(u, at, v)->element; count; type = type->element) {
        struct dl__node *host = hosts[--count];

        out->array_index[out->array_count] = host->children[1];
        out->array_host[out->array_count] = host;
        out->array_step[out->array_count++] = type->bytes / out->type->bytes;
        if (type->kind != DL__T_ARRAY)
            return count == 0;
    }
    return false;
}

void dl__refuse_array_pointer(struct dl__unit *u, const struct dl__node *n,
                              const char *name)
{
    dl__refuse(u, n->begin,
               "'%s' points to arrays of the grid's elements, and is used other than by "
               "all indices of one",
               name);
}
