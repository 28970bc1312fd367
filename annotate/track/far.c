/* SPDX-License-Identifier: MIT */
/* Pointers that may point into one of several buffers. */
#include "annotate/track/far.h"

#include "annotate/track/form.h"
#include "annotate/track/node.h"

/* Pointers that are two indices are no dl_far: of rows of a constant width they are one,
 * of elements. */
static const struct dl__form *far_form(const struct dl__root *root)
{
    return root->form->far && root->element->fields->type->count > 1 ? root->form->far
                                                                     : root->form;
}

bool dl__far_are_alike(const struct dl__root *a, const struct dl__root *b)
{
    return far_form(a) == far_form(b) && !far_form(a)->edit_base &&
           a->element == b->element && a->space == b->space &&
           (a->space & ~(unsigned)DL__VOLATILE) == DL__GLOBAL && !a->is_part &&
           !b->is_part;
}

struct dl__root *dl__far_of(struct dl__unit *u, struct dl__root *a, struct dl__root *b)
{
    struct dl__root *far = u->far;

    if (!dl__far_are_alike(a, b))
        return NULL;
    while (far && !dl__far_are_alike(far, a))
        far = far->next_part;
    if (far)
        return far;
    far = DL__NEW(u->tracker->arena, struct dl__root);
    *far = *a;
    far->form = far_form(a);
    far->name = dl__format(u, "%s' or '%s", a->name, b->name);
    far->is_far = true;
    far->has_index = true;
    far->written = false;
    far->first = far->owner = far->parts = NULL;
    far->next_part = u->far;
    u->far = far;
    for (size_t i = 0; i < u->root_count; i++)
        u->roots[i].is_joined |= dl__far_are_alike(&u->roots[i], far);
    return far;
}

const char *dl__far_name(struct dl__unit *u, struct dl__node *n)
{
    struct dl__node *at = dl__strip_casts(n);
    struct dl__variable *v = dl__variable_of(u, at);
    struct dl__access place;

    if (v)
        return v->kind == DL__ROOT ? dl__format(u, "dl_far_%s", v->name) : v->name;
    if (at->kind == DL__N_UNARY && dl__op_is(at, "&") &&
        dl__find_place(u, at->children[0], &place) && !place.step_count)
        return dl__far_name(u, place.pointer);
    if (at->kind == DL__N_COMPOUND || dl__is_step(at))
        return dl__far_name(u, at->children[0]);
    if (at->kind == DL__N_BINARY && (dl__op_is(at, "+") || dl__op_is(at, "-")))
        return dl__far_name(u, at->children[!dl__root_of(u, at->children[0])]);
    dl__refuse(u, n->begin,
               "this pointer into '%s' is used before it is in a variable; set a pointer "
               "to it first",
               dl__root_of(u, n)->name);
}

const struct dl__variable *dl__far_parameter(const struct dl__unit *u,
                                             const struct dl__root *root)
{
    size_t declared_at = u->function->parameters[root->parameter].name_at;

    for (const struct dl__variable *v = u->variables; v; v = v->next)
        if (v->declared_at == declared_at && v->root && v->root->is_far)
            return v;
    return NULL;
}
