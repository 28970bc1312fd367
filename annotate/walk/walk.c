/* SPDX-License-Identifier: MIT */
/* The walk over a body: every mention of a tracked pointer is rewritten or refuses the
 * kernel. */
#include "annotate/walk/walk.h"

#include <string.h>

#include "annotate/forms/far.h"
#include "annotate/forms/moved.h"
#include "annotate/forms/part.h"
#include "annotate/track/arrays.h"
#include "annotate/track/braces.h"
#include "annotate/track/far.h"
#include "annotate/track/form.h"
#include "annotate/track/leaf_pointer.h"
#include "annotate/track/node.h"
#include "annotate/track/part.h"
#include "annotate/walk/call.h"
#include "annotate/walk/compare.h"
#include "annotate/walk/view.h"

static void walk_children(struct dl__unit *u, struct dl__node *n);

/* ---- statements and expressions ---- */

static void walk_declarations(struct dl__unit *u, struct dl__node *n)
{
    size_t tracked = 0, parts = 0, far = 0;

    for (size_t i = 0; i < n->child_count; i++) {
        struct dl__variable *v = u->variables;

        while (v && v->declared_at != n->children[i]->declared_at)
            v = v->next;
        if (!v || v->kind != DL__INDEX || n->children[i]->kind != DL__N_VARIABLE)
            continue;
        tracked++;
        parts += v->root->is_part;
        far += v->root->is_far;
    }
    if (!tracked) {
        walk_children(u, n);
        return;
    }
    if (tracked != n->child_count || (parts && parts != tracked) ||
        (far && far != tracked))
        dl__refuse(u, n->begin,
                   "a pointer into a buffer is declared together with others; "
                   "declare it by itself");
    for (size_t i = 0; i < n->child_count; i++) {
        struct dl__node *d = n->children[i];
        struct dl__variable *v = u->variables;
        size_t begin = n->begin;

        while (v->declared_at != d->declared_at)
            v = v->next;
        if (i) {
            begin = dl__skip(u, n->children[i - 1]->end);
            if (dl__text_at(u, begin) != ',')
                dl__refuse(u, d->begin, "this declaration is not understood");
            begin++;
        }
        dl__replace(u, begin, d->name_at,
                    i       ? " "
                    : parts ? "dl_part "
                    : far   ? "dl_far "
                            : "dl_index ");
        if (v->is_array)
            continue;
        for (size_t k = 0; k < d->child_count; k++)
            if (!dl__can_be_set_to(u, v->root, d->children[k]))
                dl__refuse(u, d->children[k]->begin,
                           "a pointer into '%s' is set from something else",
                           v->root->name);
        v->root->form->edit_variable(u, d);
    }
}

/* True where a value is thrown away. */
static bool is_statement(const struct dl__node *n)
{
    const struct dl__node *p = n->parent;

    while (p && ((p->kind == DL__N_PAREN && p->child_count == 1) ||
                 (p->kind == DL__N_BINARY && dl__op_is(p, ",") && p->children[0] == n))) {
        n = p;
        p = n->parent;
    }
    if (p && p->kind == DL__N_BINARY && dl__op_is(p, ","))
        return is_statement(p);
    if (p && p->kind == DL__N_BRANCH)
        return p->condition != n;
    return p && p->kind == DL__N_STATEMENT;
}

/* What an assignment writes to: marks the buffer, then rewrites as any expression. */
static void walk_target(struct dl__unit *u, struct dl__node *n)
{
    struct dl__access place;
    struct dl__node *at = n;

    for (;;) {
        if (dl__find_place(u, at, &place)) {
            place.root->written = true;
            break;
        }
        if ((at->kind != DL__N_PAREN && at->kind != DL__N_IMPLICIT &&
             at->kind != DL__N_MEMBER && at->kind != DL__N_SUBSCRIPT) ||
            !at->child_count)
            break;
        at = at->children[0];
    }
    dl__walk(u, n);
}

static void walk_assignment(struct dl__unit *u, struct dl__node *n)
{
    struct dl__node *left = n->children[0], *right = n->children[1];
    struct dl__access place;

    if (dl__op_is(n, "=") && n->kind == DL__N_BINARY && dl__find_place(u, left, &place) &&
        place.type->kind == DL__T_STRUCT) {
        const char *before, *behind;
        size_t equals = dl__skip(u, left->end), at;

        if (dl__text_at(u, equals) != '=')
            dl__refuse(u, n->begin, "this assignment is not understood");
        place.root->written = true;
        at = place.root->form->edit_store(u, left, &place, &before, &behind);
        dl__replace(u, at, dl__skip(u, equals + 1), before);
        dl__walk(u, right);
        dl__replace(u, n->end, n->end, behind);
        return;
    }
    walk_target(u, left);
    dl__walk(u, right);
}

static bool holds_index(struct dl__unit *u, struct dl__node *n)
{
    struct dl__variable *v = dl__variable_of(u, n);

    if ((v && v->kind == DL__INDEX) || dl__pointer_array_of(u, n))
        return true;
    for (size_t i = 0; i < n->child_count; i++)
        if (holds_index(u, n->children[i]))
            return true;
    return false;
}

static void __attribute__((noreturn))
refuse_pointer(struct dl__unit *u, struct dl__node *n, const char *name)
{
    const struct dl__node *p = n->parent;

    while (p && (p->kind == DL__N_PAREN || p->kind == DL__N_IMPLICIT ||
                 (p->kind == DL__N_BINARY && (dl__op_is(p, "+") || dl__op_is(p, "-")))))
        p = p->parent;
    if (p && p->kind == DL__N_CAST)
        dl__refuse(u, p->begin, "a pointer into '%s' is cast to another type", name);
    if (p && p->kind == DL__N_RETURN)
        dl__refuse(u, n->begin, "a pointer into '%s' is returned", name);
    if (p && p->kind == DL__N_UNARY && dl__op_is(p, "&"))
        dl__refuse(u, n->begin, "the address of the pointer '%s' is taken", name);
    if (p && (dl__is_assignment(p) || p->kind == DL__N_VARIABLE ||
              (p->kind == DL__N_OTHER && dl__text_at(u, p->begin) == '{')))
        dl__refuse(u, n->begin,
                   "a pointer into '%s' is stored where it can't be followed", name);
    if (p && p->kind == DL__N_CALL)
        dl__refuse(u, n->begin, "a pointer into '%s' is passed to '%s'", name, p->name);
    dl__refuse(u, n->begin, "this use of a pointer into '%s' is not understood", name);
}

/* A pointer used as a truth value. */
static bool is_condition(const struct dl__node *n)
{
    const struct dl__node *p = n->parent;

    while (p && (p->kind == DL__N_PAREN || p->kind == DL__N_IMPLICIT)) {
        n = p;
        p = n->parent;
    }
    if (!p)
        return false;
    return (p->kind == DL__N_UNARY && dl__op_is(p, "!")) ||
           (p->kind == DL__N_BINARY && (dl__op_is(p, "&&") || dl__op_is(p, "||"))) ||
           (p->kind == DL__N_BRANCH && p->condition == n) ||
           (p->kind == DL__N_CONDITIONAL && p->children[0] == n);
}

/* sizeof of what a pointer temporary points to, or of a part of it: the type stands for
 * it. */
static void walk_sizeof(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__type *type = dl__type_of(u, n->children[0]);

    if (type->kind == DL__T_POINTER || !type->bytes ||
        strncmp(u->tracker->ast->text + n->begin, "sizeof", 6))
        dl__refuse(u, n->begin,
                   "this use of sizeof on a pointer temporary is not understood");
    /* A name could mean another thing here. */
    dl__replace(u, n->begin, n->end, dl__format(u, "sizeof(char[%u])", type->bytes));
}

static void walk_children(struct dl__unit *u, struct dl__node *n)
{
    for (size_t i = 0; i < n->child_count; i++)
        dl__walk_node(u, n->children[i]);
}

/* ---- one kind of node each ---- */

static void walk_name(struct dl__unit *u, struct dl__node *n)
{
    struct dl__variable *v = dl__variable_of(u, n), *array = dl__pointer_array_of(u, n);

    if (array)
        refuse_pointer(u, n, array->root->name);
    if (!v || (v->kind == DL__ROOT && !v->root->has_index && is_condition(n)))
        return;
    if (v->kind == DL__ARRAYS || dl__is_array_pointer(u, n, v))
        dl__refuse_array_pointer(u, n, v->name);
    if (v->kind == DL__LEAF || !v->root->form->null || !is_condition(n))
        refuse_pointer(u, n, v->kind == DL__LEAF ? v->name : v->root->name);
    if (v->root->is_far) {
        dl__replace(u, n->begin, n->end,
                    dl__format(u, "(0 != %s.dl_f)", dl__far_name(u, n)));
        return;
    }
    dl__replace(u, n->begin, n->end,
                dl__format(u, "(%s && %s%s%s != %s)", v->root->name,
                           v->kind == DL__ROOT ? "dl_at_" : "", v->name,
                           v->root->is_part ? ".dl_i" : "", v->root->form->null));
}

/* What a copy returns in place of a pointer. */
static void walk_return(struct dl__unit *u, struct dl__node *n)
{
    if (!u->returned || !n->child_count) {
        walk_children(u, n);
        return;
    }
    if (!dl__can_be_set_to(u, u->returned, n->children[0]))
        dl__refuse(u, n->begin,
                   "either a pointer into '%s' or something else is returned",
                   u->returned->name);
    if (u->returned->is_part)
        dl__part_edit(u, n->children[0]);
    else if (u->returned->is_far)
        dl__far_edit(u, n->children[0]);
    else
        u->returned->form->edit_index(u, n->children[0], true);
}

/* Sizes keep their values; the operand is not evaluated. */
static void walk_size(struct dl__unit *u, struct dl__node *n)
{
    if (holds_index(u, n))
        walk_sizeof(u, n);
}

static void walk_variable(struct dl__unit *u, struct dl__node *n)
{
    struct dl__variable *v = u->variables;

    while (v && !((v->kind == DL__LEAF || v->kind == DL__ARRAYS) &&
                  v->declared_at == n->declared_at))
        v = v->next;
    if (v && v->kind == DL__ARRAYS)
        return; /* it keeps the argument's value */
    for (size_t i = 0; i < n->child_count; i++) {
        if (v && dl__is_leaf_pointer(u, n->children[i]))
            dl__edit_leaf_pointer(u, n->children[i]);
        else
            dl__walk_node(u, n->children[i]);
    }
}

/* A place; false for others. */
static bool walk_place(struct dl__unit *u, struct dl__node *n)
{
    struct dl__access place;

    if (!dl__find_place(u, n, &place))
        return false;
    place.root->form->edit_value(u, n, &place);
    return true;
}

static void walk_member(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__variable *v = dl__variable_of(u, n);

    /* A member that stands for a buffer still has the program's pointer. */
    if (v && !is_condition(n))
        refuse_pointer(u, n, v->root->name);
    if (v || !walk_place(u, n))
        walk_children(u, n);
}

static void walk_subscript(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__variable *v = dl__variable_of(u, n);
    struct dl__node *k;
    size_t begin, end;

    if (v)
        refuse_pointer(u, n, v->root->name);
    if (walk_place(u, n))
        return;
    if (n->child_count != 2 || !dl__is_leaf_pointer(u, n->children[0])) {
        walk_children(u, n);
        return;
    }
    k = dl__strip(n->children[1]);
    dl__bracket_range(u, n, &begin, &end);
    if (k->child_count || end - begin != 1 || dl__text_at(u, begin) != '0')
        dl__refuse(u, n->begin, "a pointer to a member is used as an array");
    dl__edit_leaf_pointer(u, n->children[0]);
}

/* A statement that changes a pointer into a buffer; false for others. */
static bool walk_change(struct dl__unit *u, struct dl__node *n)
{
    struct dl__root *root = dl__root_of(u, n->children[0]);
    struct dl__node *to = dl__strip(n->children[0]);

    if (!root)
        return false;
    if (!is_statement(n) && !(dl__is_moved(u, n) && is_condition(n)))
        refuse_pointer(u, n, root->name);
    if (dl__is_moved(u, n)) {
        dl__moved_keep(u, n);
        return true;
    }
    if (to->kind == DL__N_MEMBER && dl__variable_of(u, to)) {
        /* To the buffer's argument, as it always is. */
        dl__walk_node(u, to->children[0]);
        return true;
    }
    root->form->edit_change(u, n);
    return true;
}

static void walk_unary(struct dl__unit *u, struct dl__node *n)
{
    struct dl__access place;

    if (!n->child_count)
        return;
    if (dl__op_is(n, "*")) {
        if (walk_place(u, n) || dl__walk_view(u, n))
            return;
        if (dl__is_leaf_pointer(u, n->children[0])) {
            dl__edit_leaf_pointer(u, n->children[0]);
            return;
        }
    }
    if (dl__op_is(n, "&") && dl__find_place(u, n->children[0], &place))
        dl__refuse(u, n->begin, "the address of a part of '%s' escapes",
                   place.root->name);
    if (!dl__is_step(n))
        walk_children(u, n);
    else if (!walk_change(u, n))
        walk_target(u, n->children[0]);
}

static void walk_binary(struct dl__unit *u, struct dl__node *n)
{
    struct dl__access place;

    if (n->child_count != 2) {
        walk_children(u, n);
        return;
    }
    if (dl__is_assignment(n)) {
        if (!walk_change(u, n) && !dl__walk_view_store(u, n))
            walk_assignment(u, n);
        return;
    }
    if (!n->op[0] && dl__find_place(u, n->children[0], &place))
        dl__refuse(u, n->begin,
                   "this expression inside a compiler macro is not understood");
    if (!dl__walk_comparison(u, n))
        walk_children(u, n);
}

/* Its value is that of its last statement, which looks thrown away. */
static void walk_value_block(struct dl__unit *u, struct dl__node *n)
{
    if (dl__type_of(u, n)->kind == DL__T_POINTER)
        dl__refuse(u, n->begin,
                   "a statement expression whose value is a pointer is not understood");
    walk_children(u, n);
}

static void walk_other(struct dl__unit *u, struct dl__node *n)
{
    if (u->contexts.count && dl__is_braces(u, n))
        dl__moved_walk_braces(u, n);
    else
        walk_children(u, n);
}

void dl__walk_node(struct dl__unit *u, struct dl__node *n)
{
    static void (*const by_kind[])(struct dl__unit *, struct dl__node *) = {
        [DL__N_OTHER] = walk_other,
        [DL__N_NAME] = walk_name,
        [DL__N_SUBSCRIPT] = walk_subscript,
        [DL__N_MEMBER] = walk_member,
        [DL__N_UNARY] = walk_unary,
        [DL__N_BINARY] = walk_binary,
        [DL__N_COMPOUND] = walk_binary,
        [DL__N_CONDITIONAL] = walk_children,
        [DL__N_PAREN] = walk_children,
        [DL__N_CAST] = walk_children,
        [DL__N_IMPLICIT] = walk_children,
        [DL__N_CALL] = dl__walk_call,
        [DL__N_SIZEOF] = walk_size,
        [DL__N_DECL_STATEMENT] = walk_declarations,
        [DL__N_VARIABLE] = walk_variable,
        [DL__N_RETURN] = walk_return,
        [DL__N_VALUE_BLOCK] = walk_value_block,
        [DL__N_STATEMENT] = walk_children,
        [DL__N_BRANCH] = walk_children};

    by_kind[n->kind](u, n);
}
