/* SPDX-License-Identifier: MIT */
/* Comparisons and differences of pointers. */
#include "annotate/walk/compare.h"

#include "annotate/forms/far.h"
#include "annotate/forms/moved.h"
#include "annotate/forms/part.h"
#include "annotate/track/far.h"
#include "annotate/track/form.h"
#include "annotate/track/node.h"
#include "annotate/track/part.h"

/* An index that is compared: with a sign where its order counts, and never wider than an
 * index, as a sum with a long is. */
static void edit_operand(struct dl__unit *u, struct dl__node *n, bool ordered)
{
    const char *cast =
        ordered ? "(dl_signed)("
        : dl__strip(n)->kind == DL__N_BINARY || dl__strip(n)->kind == DL__N_CONDITIONAL
            ? "(dl_index)("
            : "";

    dl__replace(u, n->begin, n->begin, cast);
    dl__root_of(u, n)->form->edit_index(u, n, false);
    dl__replace(u, n->end, n->end, *cast ? ")" : "");
}

/* A pointer and a null pointer. Of a buffer that is none itself, every pointer is null.
 */
static void edit_null_comparison(struct dl__unit *u, struct dl__node *n,
                                 struct dl__node *pointer, struct dl__node *null)
{
    const struct dl__root *root = dl__root_of(u, pointer);
    bool equals = dl__op_is(n, "==");

    if (root->is_far) {
        dl__far_edit_null_comparison(u, n, pointer);
        return;
    }
    dl__replace(u, n->begin, n->begin,
                dl__format(u, equals ? "(!%s || " : "(%s && ", root->name));
    if (root->is_part) {
        dl__part_edit_comparison(u, n);
    } else {
        edit_operand(u, pointer, false);
        dl__edit_null(u, null, root->form->null);
    }
    dl__replace(u, n->end, n->end, ")");
}

/* Pointers that need not be into one buffer: by where the program has them. */
static void edit_places(struct dl__unit *u, struct dl__node *n, unsigned bytes)
{
    bool differ = dl__op_is(n, "-");

    dl__operator_at(u, n, "this expression's extent is not understood");
    dl__replace(u, n->begin, n->begin,
                differ ? "((dl_difference)((long)(dl_far_place(" : "dl_far_place(");
    dl__far_edit(u, n->children[0]);
    dl__replace(u, n->children[0]->end, n->children[0]->end,
                dl__format(u, ", %u)", bytes));
    dl__replace(u, n->children[1]->begin, n->children[1]->begin, "dl_far_place(");
    dl__far_edit(u, n->children[1]);
    dl__replace(u, n->end, n->end,
                differ ? dl__format(u, ", %u)) / %u))", bytes, bytes)
                       : dl__format(u, ", %u)", bytes));
}

static void edit_comparison(struct dl__unit *u, struct dl__node *n)
{
    struct dl__node *left = n->children[0], *right = n->children[1];
    struct dl__root *a = dl__root_of(u, left), *b = dl__root_of(u, right);
    bool ordered = n->op[0] == '<' || n->op[0] == '>';

    if (!a || !b) {
        struct dl__node *pointer = a ? left : right, *other = a ? right : left;

        if ((dl__op_is(n, "==") || dl__op_is(n, "!=")) && dl__is_null(u, other)) {
            if (dl__is_base(u, pointer) || dl__is_moved(u, pointer)) {
                dl__moved_keep(u, pointer);
                return;
            }
            if ((a ? a : b)->form->null) {
                edit_null_comparison(u, n, pointer, other);
                return;
            }
        }
        dl__refuse(u, n->begin, "a pointer into '%s' is compared with something else",
                   (a ? a : b)->name);
    }
    if ((a->is_far || b->is_far || a != b) && dl__far_are_alike(a, b)) {
        edit_places(u, n, a->element_type->bytes);
        return;
    }
    if (a != b)
        dl__refuse(u, n->begin, "pointers into '%s' and '%s' are combined", a->name,
                   b->name);
    if (a->is_part) {
        dl__part_edit_comparison(u, n);
        return;
    }
    if (dl__op_is(n, "-")) {
        dl__replace(u, n->begin, n->begin, "(dl_difference)(dl_signed)(");
        a->form->edit_index(u, left, false);
        a->form->edit_index(u, right, false);
        dl__replace(u, n->end, n->end, ")");
        return;
    }
    edit_operand(u, left, ordered);
    edit_operand(u, right, ordered);
}

static bool is_comparison(struct dl__unit *u, const struct dl__node *n)
{
    return n->op[0] == '<' || n->op[0] == '>' || dl__op_is(n, "==") ||
           dl__op_is(n, "!=") ||
           (dl__op_is(n, "-") &&
            dl__type_of(u, (struct dl__node *)n)->kind == DL__T_SCALAR);
}

bool dl__walk_comparison(struct dl__unit *u, struct dl__node *n)
{
    if ((!dl__root_of(u, n->children[0]) && !dl__root_of(u, n->children[1])) ||
        !is_comparison(u, n))
        return false;
    edit_comparison(u, n);
    return true;
}
