/* SPDX-License-Identifier: MIT */
/* Calls: of helpers, which are copied, and of builtins. */
#include "annotate/walk/call.h"

#include "annotate/track/context.h"
#include "annotate/track/form.h"
#include "annotate/track/leaf_pointer.h"
#include "annotate/track/node.h"
#include "annotate/walk/block.h"
#include "annotate/walk/clone.h"
#include "annotate/walk/vector.h"

/* A builtin that touches one element, with pointers into flat buffers. */
static void walk_flat_call(struct dl__unit *u, struct dl__node *n)
{
    for (size_t i = 1; i < n->child_count; i++) {
        struct dl__node *arg = n->children[i];
        struct dl__root *root = dl__root_of(u, arg);
        struct dl__access place;

        if (!root) {
            dl__walk(u, arg);
            continue;
        }
        root->written = true;
        dl__start_place(u, arg, NULL, NULL, &place);
        if (dl__strip(arg)->kind == DL__N_UNARY && dl__op_is(dl__strip(arg), "&"))
            dl__find_place(u, dl__strip(arg)->children[0], &place);
        root->form->edit_address(u, arg, &place);
    }
}

/* True when a call in a helper's copy, which stands where more is declared than around
 * the helper, could mean another function there. Of what is called, one that stands ahead
 * sees less. */
static bool is_overtaken(struct dl__unit *u, const struct dl__node *n)
{
    return u->new_name && !u->is_ahead &&
           dl__ast_is_overtaken(u->tracker->ast, n->name, n->declared_at, n->begin);
}

/* A pointer to a member, as the argument of a call. */
static void walk_leaf_argument(struct dl__unit *u, struct dl__node *n,
                               struct dl__node *arg)
{
    const struct dl__type *type = dl__type_of(u, dl__strip(arg));

    /* Accessors give pointers to what can be written: another function may take such. */
    if (type->kind == DL__T_POINTER && type->element->is_const && type->element->name &&
        dl__ast_is_overloaded(u->tracker->ast, n))
        dl__replace(u, arg->begin, arg->begin,
                    dl__format(u, "(%s const %s *)", dl__space_name(type->address_space),
                               dl__type_text(type->element->name)));
    dl__edit_leaf_pointer(u, arg);
}

static bool is_at_base(const struct dl__unit *clone, size_t parameter)
{
    for (size_t i = 0; i < clone->root_count; i++)
        if (clone->roots[i].parameter == parameter)
            return clone->roots[i].is_at_base;
    return false;
}

/* The arguments of a call: pointers into buffers by parameter, members, and others. */
static void walk_arguments(struct dl__unit *u, struct dl__node *n, struct dl__function *f,
                           const struct dl__unit *clone,
                           struct dl__root *const *by_parameter)
{
    for (size_t i = 1; i < n->child_count; i++) {
        struct dl__node *arg = n->children[i];

        if (i <= 64 && by_parameter[i - 1] && clone && is_at_base(clone, i - 1)) {
            by_parameter[i - 1]->form->edit_base(u, arg, arg->begin, arg->end);
        } else if (i <= 64 && by_parameter[i - 1]) {
            by_parameter[i - 1]->form->edit_argument(u, arg, arg->begin, arg->end);
        } else if (dl__is_leaf_pointer(u, arg)) {
            /* libclang prefers the program's, the device perhaps the builtin. */
            if (f && dl__reaches_neighbours(f->name))
                dl__refuse(u, arg->begin, "'%s' is also the name of a builtin", n->name);
            if (f ? !dl__parameter_touches_one_leaf(u, f, i - 1)
                  : !dl__touches_one_leaf(n->name))
                dl__refuse(u, arg->begin, "a pointer to a member is passed to '%s'",
                           n->name);
            walk_leaf_argument(u, n, arg);
        } else {
            dl__walk(u, arg);
        }
    }
}

/* The buffers that a struct among the arguments has. */
static void add_context_arguments(struct dl__unit *u, struct dl__node *n)
{
    for (size_t i = 0; i < u->contexts.count; i++) {
        const struct dl__variable *v = u->variables;
        const struct dl__root *root;

        while (v->declared_at != u->contexts.items[i].declared_at)
            v = v->next;
        root = v->root;
        dl__replace(u, n->end - 1, n->end - 1,
                    dl__format(u, ", (%s %s *)%s%s", dl__space_name(root->space),
                               dl__type_text(root->element_type->name), root->name,
                               root->form->base(u, root, v)));
    }
}

void dl__walk_call(struct dl__unit *u, struct dl__node *n)
{
    struct dl__root *by_parameter[64] = {NULL};
    struct dl__function *f = dl__ast_callee(u->tracker->ast, n);
    struct dl__root *first = NULL;
    bool overtaken = is_overtaken(u, n), takes;
    struct dl__unit *clone = NULL;

    for (size_t i = 1; i < n->child_count && i <= 64; i++) {
        by_parameter[i - 1] = dl__root_of(u, n->children[i]);
        first = first ? first : by_parameter[i - 1];
    }
    if (!f && (dl__walk_vector_call(u, n) || dl__walk_block_call(u, n)))
        return;
    if (first && !f && first->element_type->kind != DL__T_STRUCT &&
        dl__touches_one_leaf(n->name)) {
        walk_flat_call(u, n);
        return;
    }
    if (overtaken && (!f || !f->is_defined))
        dl__refuse(u, n->begin, "'%s' would mean another function in the copy of '%s'",
                   n->name, u->function->name);
    takes = f && u->contexts.count && dl__takes_contexts(u, f);
    if (first || overtaken || takes) {
        if (first && (!f || n->child_count > 65))
            dl__refuse(u, n->begin, "a pointer into '%s' is passed to '%s'", first->name,
                       n->name);
        clone = dl__clone_for(u, n, f, by_parameter);
        if (clone->returned && u->call != n && n->parent->kind != DL__N_STATEMENT)
            dl__refuse(u, n->begin,
                       "this use of the pointer into '%s' that '%s' returns is "
                       "not understood",
                       first->name, n->name);
        dl__replace(u, n->children[0]->begin, n->children[0]->end, clone->new_name);
    }
    walk_arguments(u, n, f, clone, by_parameter);
    if (takes)
        add_context_arguments(u, n);
}
