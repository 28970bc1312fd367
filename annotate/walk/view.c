/* SPDX-License-Identifier: MIT */
/* `*(float4 *)&f[i].x`: members side by side in the program's layout, read and written as
 * one vector, are gathered and scattered one by one. */
#include "annotate/walk/view.h"

#include "annotate/track/form.h"
#include "annotate/track/node.h"
#include "annotate/track/part.h"
#include "annotate/track/use.h"

void dl__edit_view_pointer(struct dl__unit *u, struct dl__node *pointer,
                           const struct dl__access *place)
{
    const char *separator, *name = place->root->name;
    size_t at;

    if (!place->step_count) {
        place->root->form->edit_argument(u, place->pointer, pointer->begin, pointer->end);
        return;
    }
    at = place->root->form->edit_arguments(
        u, pointer, place, dl__format(u, "%s, ", dl__root_base(u, place->root)),
        &separator);
    dl__replace(u, at, pointer->end, dl__format(u, "%s DL_ARGS(%s)", separator, name));
}

static const char *accessor_of(struct dl__unit *u, struct dl__node *n,
                               const struct dl__view *view, bool stores)
{
    struct dl__vector_form form = {.builtin = stores ? "view_store" : "view",
                                   .lanes = view->lanes,
                                   .view = view->lane->name,
                                   .value = view->value->name,
                                   .across = true,
                                   .value_last = stores};

    if (!dl__view_fits(u, &view->place, 0, view->lanes, view->lane->bytes))
        dl__refuse(u, n->begin, "members of '%s' are viewed as elements of another size",
                   view->place.root->name);
    return dl__use_vector(u, n, &view->place, stores ? &dl__scatter : &dl__gather,
                          view->lane, &form)
        ->name;
}

/* True where more than the value is wanted. */
static bool is_changed(const struct dl__node *n)
{
    const struct dl__node *p = n->parent;

    while (p && (p->kind == DL__N_PAREN || p->kind == DL__N_MEMBER ||
                 p->kind == DL__N_SUBSCRIPT ||
                 (p->kind == DL__N_IMPLICIT && p->child_count == 1))) {
        n = p;
        p = n->parent;
    }
    return p && (((dl__is_assignment(p) || p->kind == DL__N_SUBSCRIPT) &&
                  p->children[0] == n) ||
                 dl__is_step(p) || (p->kind == DL__N_UNARY && dl__op_is(p, "&")));
}

bool dl__walk_view(struct dl__unit *u, struct dl__node *n)
{
    struct dl__view view;
    struct dl__node *pointer;
    const char *name;

    if (!dl__find_view(u, n, &view))
        return false;
    if (is_changed(n))
        dl__refuse(u, n->begin,
                   "members of '%s' are changed through a pointer of another type; "
                   "read and write them in two statements",
                   view.place.root->name);
    name = accessor_of(u, n, &view, false);
    pointer = n->children[0];
    dl__replace(u, n->begin, pointer->begin, dl__format(u, "%s(0, ", name));
    dl__edit_view_pointer(u, pointer, &view.place);
    dl__replace(u, n->end, n->end, ")");
    return true;
}

static bool is_statement(const struct dl__node *n)
{
    const struct dl__node *p = n->parent;

    return p &&
           (p->kind == DL__N_STATEMENT || (p->kind == DL__N_BRANCH && p->condition != n));
}

bool dl__walk_view_store(struct dl__unit *u, struct dl__node *n)
{
    struct dl__node *left = dl__strip(n->children[0]), *pointer;
    size_t equals = dl__skip(u, n->children[0]->end);
    struct dl__view view;
    const char *name;

    if (n->kind != DL__N_BINARY || !dl__op_is(n, "=") || !dl__find_view(u, left, &view) ||
        !is_statement(n) || dl__text_at(u, equals) != '=')
        return false;
    name = accessor_of(u, n, &view, true);
    view.place.root->written = true;
    pointer = left->children[0];
    dl__replace(u, n->begin, pointer->begin, dl__format(u, "%s(0, ", name));
    dl__edit_view_pointer(u, pointer, &view.place);
    dl__replace(u, pointer->end, dl__skip(u, equals + 1), ", ");
    dl__walk(u, n->children[1]);
    dl__replace(u, n->end, n->end, ")");
    return true;
}
