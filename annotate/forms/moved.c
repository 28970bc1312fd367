/* SPDX-License-Identifier: MIT */
/* Members of a struct that is handed on, where they are moved or set to other pointers
 * into one buffer. */
#include "annotate/forms/moved.h"

#include "annotate/forms/sum.h"
#include "annotate/track/braces.h"
#include "annotate/track/form.h"
#include "annotate/track/node.h"
#include "annotate/track/part.h"

bool dl__is_moved(struct dl__unit *u, struct dl__node *n)
{
    if (!u->contexts.count)
        return false;
    n = dl__strip(n);
    return dl__is_moved_member(
        u,
        (dl__is_assignment(n) || dl__is_step(n)) && n->child_count ? n->children[0] : n);
}

/* Rewrites any pointer into the buffer, or null, to the program's pointer, which a member
 * is set to. */
static void edit_pointer(struct dl__unit *u, const struct dl__root *root,
                         struct dl__node *n)
{
    struct dl__root *of = dl__root_of(u, n);

    if (!of && dl__is_null(u, n))
        return;
    if (of != root)
        dl__refuse(u, n->begin,
                   of ? "a member can point into '%s' and into '%s'"
                      : "a pointer into '%s' is set from something else",
                   root->name, of ? of->name : "");
    if (dl__is_moved(u, n) || dl__is_base(u, n)) {
        dl__moved_keep(u, n);
        return;
    }
    dl__replace(u, n->begin, n->begin,
                dl__format(u, "(%s %s *)dl_pointer(%s, ", dl__space_name(root->space),
                           dl__type_text(root->element_type->name), root->name));
    root->form->edit_index(u, n, true);
    dl__replace(u, n->end, n->end, dl__format(u, ", %u)", root->element_type->bytes));
}

void dl__moved_keep(struct dl__unit *u, struct dl__node *n)
{
    n = dl__strip(n);
    if (n->kind == DL__N_MEMBER) {
        dl__walk(u, n->children[0]);
    } else if (n->kind == DL__N_COMPOUND) {
        dl__moved_keep(u, n->children[0]);
        dl__walk(u, n->children[1]);
    } else if (dl__is_assignment(n)) {
        dl__moved_keep(u, n->children[0]);
        edit_pointer(u, dl__root_of(u, n->children[0]), n->children[1]);
    } else if (dl__is_step(n)) {
        dl__moved_keep(u, n->children[0]);
    }
}

const char *dl__moved_text(struct dl__unit *u, struct dl__node *n)
{
    return dl__format(u, "(dl_index)(%s - %s)",
                      dl__rewritten(u, n->children[0], n->begin, n->end),
                      dl__root_of(u, n)->name);
}

void dl__moved_edit_index(struct dl__unit *u, struct dl__node *n, bool may_be_null)
{
    const struct dl__root *root = dl__root_of(u, n);
    const char *text;

    if (may_be_null && root->form->null && n->kind == DL__N_MEMBER) {
        if (!dl__is_pure(n) || u->nested > DL__TWICE_DEPTH_MAX)
            dl__refuse(u, n->begin,
                       "'%s' may be null, and what is before it changes something",
                       n->name);
        text = dl__rewritten(u, n->children[0], n->begin, n->end);
        dl__replace(u, n->begin, n->end,
                    dl__format(u, "(%s ? (dl_index)(%s - %s) : %s)", text, text,
                               root->name, root->form->null));
        return;
    }
    dl__replace(u, n->begin, n->begin, "(dl_index)((");
    dl__moved_keep(u, n);
    dl__replace(u, n->end, n->end, dl__format(u, ") - %s)", root->name));
}

void dl__moved_walk_braces(struct dl__unit *u, struct dl__node *n)
{
    for (size_t i = 0; i < n->child_count; i++) {
        const struct dl__context *c = dl__braces_set(u, n, i);
        struct dl__braces_item item;

        if (!c) {
            dl__walk(u, n->children[i]);
            continue;
        }
        dl__braces_item(u, n, i, &item);
        edit_pointer(u, dl__context_root(u, c), item.value);
    }
}
