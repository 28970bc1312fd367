/* SPDX-License-Identifier: MIT */
/* Pointers into one of several buffers: the buffer, the struct's index in it, and what
 * tiles need. */
#include "annotate/forms/far.h"

#include "annotate/forms/index.h"
#include "annotate/track/far.h"
#include "annotate/track/node.h"
#include "annotate/track/part.h"
#include "annotate/track/returned.h"

/* A pointer into a buffer of its own. */
static void edit_near(struct dl__unit *u, struct dl__node *n)
{
    const char *name = dl__root_of(u, n)->name;

    dl__replace(u, n->begin, n->begin, dl__format(u, "dl_far_at(%s, ", name));
    dl__root_of(u, n)->form->edit_index(u, n, true);
    dl__replace(u, n->end, n->end, dl__format(u, " DL_ARGS(%s))", name));
}

static void edit_sum(struct dl__unit *u, struct dl__node *n)
{
    struct dl__node *left = n->children[0], *right = n->children[1];

    dl__operator_at(u, n, "this expression's extent is not understood");
    if (dl__root_of(u, left)) {
        dl__replace(u, n->begin, left->begin, "dl_far_moved(");
        dl__far_edit(u, left);
        dl__replace(u, left->end, right->begin,
                    dl__op_is(n, "+") ? ", (dl_index)(" : ", (dl_index)0 - (dl_index)(");
        dl__walk(u, right);
        dl__replace(u, right->end, n->end, "))");
    } else {
        dl__replace(u, n->begin, left->begin, "dl_far_beyond((dl_index)(");
        dl__walk(u, left);
        dl__replace(u, left->end, right->begin, "), ");
        dl__far_edit(u, right);
        dl__replace(u, right->end, n->end, ")");
    }
}

/* `&pointer[index]`, `&*pointer` */
static void edit_address_of(struct dl__unit *u, struct dl__node *n)
{
    struct dl__access place;
    size_t begin, end;

    dl__find_place(u, n->children[0], &place);
    dl__replace(u, n->begin, place.pointer->begin, place.index ? "dl_far_moved(" : "(");
    dl__far_edit(u, place.pointer);
    if (!place.index) {
        dl__replace(u, place.pointer->end, n->end, ")");
        return;
    }
    dl__bracket_range(u, place.index_host, &begin, &end);
    dl__replace(u, place.pointer->end, begin, ", (dl_index)(");
    dl__walk(u, place.index);
    dl__replace(u, end, n->end, "))");
}

static void edit_assignment(struct dl__unit *u, struct dl__node *n)
{
    struct dl__root *to = dl__root_of(u, n->children[0]);

    if (!dl__variable_of(u, dl__strip(n->children[0])) ||
        !dl__can_be_set_to(u, to, n->children[1]))
        dl__refuse(u, n->begin, "a pointer into '%s' is set from something else",
                   to->name);
    dl__far_edit(u, n->children[0]);
    dl__far_edit(u, n->children[1]);
}

/* What a helper returns is a pointer into one of its buffers, or an index into the buffer
 * that it was given. */
static void edit_call(struct dl__unit *u, struct dl__node *n)
{
    struct dl__node *from = dl__far_returned_argument(u, n);

    if (from)
        dl__replace(u, n->begin, n->begin,
                    dl__format(u, "dl_far_set(%s, ", dl__far_name(u, from)));
    u->call = n;
    dl__walk(u, n);
    if (from)
        dl__replace(u, n->end, n->end, ")");
}

void dl__far_edit(struct dl__unit *u, struct dl__node *n)
{
    struct dl__root *root = dl__root_of(u, n);

    if (!root) {
        dl__edit_null(u, n, "dl_far_none()");
        return;
    }
    if (!root->is_far) {
        edit_near(u, n);
        return;
    }
    switch (n->kind) {
    case DL__N_PAREN:
    case DL__N_IMPLICIT:
        dl__far_edit(u, n->children[0]);
        return;
    case DL__N_CAST:
        dl__replace(u, n->begin, n->children[0]->begin, "");
        dl__far_edit(u, n->children[0]);
        return;
    case DL__N_NAME:
        dl__replace(u, n->begin, n->end, dl__far_name(u, n));
        return;
    case DL__N_CALL:
        edit_call(u, n);
        return;
    case DL__N_CONDITIONAL:
        dl__walk(u, n->children[0]);
        dl__far_edit(u, n->children[1]);
        dl__far_edit(u, n->children[2]);
        return;
    case DL__N_BINARY:
        if (dl__op_is(n, "="))
            edit_assignment(u, n);
        else
            edit_sum(u, n);
        return;
    default:
        if (n->kind == DL__N_UNARY && dl__op_is(n, "&")) {
            edit_address_of(u, n);
            return;
        }
        dl__refuse(u, n->begin,
                   "a pointer into '%s' is changed where it is used; change it in a "
                   "statement of its own",
                   root->name);
    }
}

void dl__far_edit_change(struct dl__unit *u, struct dl__node *n)
{
    if (dl__op_is(n, "="))
        edit_assignment(u, n);
    else
        dl__index_edit(u, n, true);
}

const char *dl__far_base(struct dl__unit *u, const struct dl__root *root,
                         const char *name)
{
    return dl__format(u, "(%s %s *)%s.dl_f", dl__space_name(root->space),
                      dl__type_text(root->element->name), name);
}

void dl__far_edit_argument(struct dl__unit *u, struct dl__node *n, size_t begin,
                           size_t end)
{
    const char *name = dl__far_name(u, n);

    dl__replace(u, begin, n->begin,
                dl__format(u, "%s, ", dl__far_base(u, dl__root_of(u, n), name)));
    dl__index_edit(u, n, true);
    dl__replace(u, n->end, end, dl__format(u, " DL_FAR_ARGS(%s)", name));
}

void dl__far_edit_null_comparison(struct dl__unit *u, struct dl__node *n,
                                  struct dl__node *pointer)
{
    dl__replace(u, n->begin, pointer->begin, dl__op_is(n, "==") ? "(!(" : "(0 != (");
    dl__far_edit(u, pointer);
    dl__replace(u, pointer->end, n->end, ").dl_f)");
}

const char *dl__far_entry(struct dl__unit *u, const struct dl__root *root)
{
    const struct dl__variable *v = dl__far_parameter(u, root);

    const char *index = "0";

    if (!v)
        return "";
    if (u->new_name && root->form->edit_base)
        index =
            dl__format(u, "dl_row_%s * dl_w_%s + dl_at_%s", v->name, v->name, v->name);
    else if (u->new_name)
        index = dl__format(u, "dl_at_%s", v->name);
    return dl__format(u, " dl_far dl_far_%s = dl_far_at(%s, %s DL_ARGS(%s));", v->name,
                      v->name, index, v->name);
}
