/* The walk over a body: every mention of a tracked pointer is rewritten or refuses the
 * kernel. */
#include "annotate/track/unit.h"

#include <string.h>

static void walk_children(struct dl__unit *u, struct dl__node *n);

/* ---- calls ---- */

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
        dl__edit_flat(u, arg, &place, true);
    }
}

/* True when a call in a helper's copy, which stands where more is declared than around the helper,
 * could mean another function there. */
static bool is_overtaken(struct dl__unit *u, const struct dl__node *n)
{
    return u->new_name &&
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

static void walk_call(struct dl__unit *u, struct dl__node *n)
{
    struct dl__root *by_parameter[64] = {NULL};
    struct dl__function *f = dl__ast_callee(u->tracker->ast, n);
    struct dl__root *first = NULL;
    bool overtaken = is_overtaken(u, n);
    struct dl__unit *clone;

    for (size_t i = 1; i < n->child_count && i <= 64; i++) {
        by_parameter[i - 1] = dl__root_of(u, n->children[i]);
        first = first ? first : by_parameter[i - 1];
    }
    if (!f && dl__walk_vector_call(u, n))
        return;
    if (first && !f && first->element->flat_element && dl__touches_one_leaf(n->name)) {
        walk_flat_call(u, n);
        return;
    }
    if (overtaken && (!f || !f->is_defined))
        dl__refuse(u, n->begin,
                   "'%s' means another function where the copy of '%s' stands", n->name,
                   u->function->name);
    if (first || overtaken) {
        if (first && (!f || n->child_count > 65))
            dl__refuse(u, n->begin, "a pointer into '%s' is passed to '%s'", first->name,
                       n->name);
        clone = dl__clone_for(u, n, f, by_parameter);
        dl__replace(u, n->children[0]->begin, n->children[0]->end, clone->new_name);
    }
    for (size_t i = 1; i < n->child_count; i++) {
        struct dl__node *arg = n->children[i];

        if (i <= 64 && by_parameter[i - 1]) {
            const struct dl__root *root = by_parameter[i - 1];

            dl__replace(u, arg->begin, arg->begin, dl__format(u, "%s, ", root->name));
            if (root->width)
                dl__edit_row_pair(u, arg);
            else
                dl__edit_index(u, arg, true);
            dl__replace(u, arg->end, arg->end,
                        root->width ? dl__format(u, ", dl_w_%s DL_ARGS(%s)", root->name,
                                                 root->name)
                                    : dl__format(u, " DL_ARGS(%s)", root->name));
        } else if (dl__is_leaf_pointer(u, arg)) {
            /* libclang prefers the program's, the device perhaps the builtin. */
            if (f && dl__reaches_neighbours(f->name))
                dl__refuse(u, arg->begin, "'%s' is a builtin's name, too", n->name);
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

/* ---- statements and expressions ---- */

static void walk_declarations(struct dl__unit *u, struct dl__node *n)
{
    size_t tracked = 0;

    for (size_t i = 0; i < n->child_count; i++) {
        struct dl__variable *v = u->variables;

        while (v && v->declared_at != n->children[i]->declared_at)
            v = v->next;
        tracked += v && v->kind == DL__INDEX && n->children[i]->kind == DL__N_VARIABLE;
    }
    if (!tracked) {
        walk_children(u, n);
        return;
    }
    if (tracked != n->child_count)
        dl__refuse(u, n->begin,
                   "a pointer into a buffer is declared together with others");
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
        dl__replace(u, begin, d->name_at, i ? " " : "dl_index ");
        if (v->root->width && !d->child_count)
            dl__edit_row_variable(u, d);
        for (size_t k = 0; k < d->child_count; k++) {
            if (dl__root_of(u, d->children[k]) != v->root)
                dl__refuse(u, d->children[k]->begin,
                           "a pointer into '%s' is set from something else",
                           v->root->name);
            if (v->root->width)
                dl__edit_row_variable(u, d);
            else
                dl__edit_index(u, d->children[k], true);
        }
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

static bool is_null(struct dl__node *n)
{
    while (
        (n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT || n->kind == DL__N_CAST) &&
        n->child_count == 1)
        n = n->children[0];
    return n->kind == DL__N_OTHER && !n->child_count;
}

/* An index that is compared: with a sign where its order counts, and never wider than an index,
 * as a sum with a long is. */
static void edit_operand(struct dl__unit *u, struct dl__node *n, bool ordered)
{
    const char *cast =
        ordered ? "(dl_signed)("
        : dl__strip(n)->kind == DL__N_BINARY || dl__strip(n)->kind == DL__N_CONDITIONAL
            ? "(dl_index)("
            : "";

    dl__replace(u, n->begin, n->begin, cast);
    dl__edit_index(u, n, false);
    dl__replace(u, n->end, n->end, *cast ? ")" : "");
}

static void walk_comparison(struct dl__unit *u, struct dl__node *n)
{
    struct dl__node *left = n->children[0], *right = n->children[1];
    struct dl__root *a = dl__root_of(u, left), *b = dl__root_of(u, right);
    bool ordered = n->op[0] == '<' || n->op[0] == '>';

    if (!a || !b) {
        struct dl__node *pointer = a ? left : right, *other = a ? right : left;

        if ((dl__op_is(n, "==") || dl__op_is(n, "!=")) && dl__is_base(u, pointer) &&
            is_null(other))
            return;
        dl__refuse(u, n->begin, "a pointer into '%s' is compared with something else",
                   (a ? a : b)->name);
    }
    if (a != b)
        dl__refuse(u, n->begin, "pointers into '%s' and '%s' are combined", a->name,
                   b->name);
    if (dl__op_is(n, "-")) {
        dl__replace(u, n->begin, n->begin, "(dl_difference)(dl_signed)(");
        dl__edit_index(u, left, false);
        dl__edit_index(u, right, false);
        dl__replace(u, n->end, n->end, ")");
        return;
    }
    edit_operand(u, left, ordered);
    edit_operand(u, right, ordered);
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
        const char *close;
        size_t equals = dl__skip(u, left->end), at;

        if (dl__text_at(u, equals) != '=')
            dl__refuse(u, n->begin, "this assignment is not understood");
        place.root->written = true;
        at = dl__edit_store(u, left, &place, &close);
        dl__replace(u, at, dl__skip(u, equals + 1), dl__format(u, "%s, ", close));
        dl__walk(u, right);
        dl__replace(u, n->end, n->end, ")");
        return;
    }
    walk_target(u, left);
    dl__walk(u, right);
}

static bool holds_index(struct dl__unit *u, struct dl__node *n)
{
    struct dl__variable *v = dl__variable_of(u, n);

    if (v && v->kind == DL__INDEX)
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

    while (p && (p->kind == DL__N_PAREN || p->kind == DL__N_IMPLICIT))
        p = p->parent;
    if (p && p->kind == DL__N_CAST)
        dl__refuse(u, p->begin, "a pointer into '%s' is cast to another type", name);
    if (p && p->kind == DL__N_RETURN)
        dl__refuse(u, n->begin, "a pointer into '%s' is returned", name);
    if (p && p->kind == DL__N_UNARY && dl__op_is(p, "&"))
        dl__refuse(u, n->begin, "the address of the pointer '%s' is taken", name);
    if (p && (dl__is_assignment(p) || p->kind == DL__N_VARIABLE))
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
        dl__refuse(u, n->begin, "this use of sizeof on a pointer temporary");
    /* A name could mean another thing here. */
    dl__replace(u, n->begin, n->end, dl__format(u, "sizeof(char[%u])", type->bytes));
}

static void walk_children(struct dl__unit *u, struct dl__node *n)
{
    for (size_t i = 0; i < n->child_count; i++)
        dl__walk(u, n->children[i]);
}

void dl__walk(struct dl__unit *u, struct dl__node *n)
{
    struct dl__variable *v;
    struct dl__root *root;
    struct dl__access place;

    switch (n->kind) {
    case DL__N_NAME:
        v = dl__variable_of(u, n);
        if (!v || (v->kind == DL__ROOT && !v->root->has_index && is_condition(n)))
            return;
        refuse_pointer(u, n, v->kind == DL__LEAF ? v->name : v->root->name);
    case DL__N_SIZEOF:
        /* Sizes keep their values; the operand is not evaluated. */
        if (holds_index(u, n))
            walk_sizeof(u, n);
        return;
    case DL__N_DECL_STATEMENT:
        walk_declarations(u, n);
        return;
    case DL__N_VARIABLE:
        for (size_t i = 0; i < n->child_count; i++) {
            v = u->variables;
            while (v && !(v->kind == DL__LEAF && v->declared_at == n->declared_at))
                v = v->next;
            if (v && dl__is_leaf_pointer(u, n->children[i]))
                dl__edit_leaf_pointer(u, n->children[i]);
            else
                dl__walk(u, n->children[i]);
        }
        return;
    case DL__N_CALL:
        walk_call(u, n);
        return;
    case DL__N_MEMBER:
    case DL__N_SUBSCRIPT:
        if (dl__find_place(u, n, &place)) {
            dl__edit_value(u, n, &place);
            return;
        }
        if (n->kind == DL__N_SUBSCRIPT && n->child_count == 2 &&
            dl__is_leaf_pointer(u, n->children[0])) {
            struct dl__node *k = dl__strip(n->children[1]);
            size_t begin, end;

            dl__bracket_range(u, n, &begin, &end);
            if (k->child_count || end - begin != 1 || dl__text_at(u, begin) != '0')
                dl__refuse(u, n->begin, "a pointer to a member is used as an array");
            dl__edit_leaf_pointer(u, n->children[0]);
            return;
        }
        break;
    case DL__N_UNARY:
        if (!n->child_count)
            return;
        if (dl__op_is(n, "*")) {
            if (dl__find_place(u, n, &place)) {
                dl__edit_value(u, n, &place);
                return;
            }
            if (dl__is_leaf_pointer(u, n->children[0])) {
                dl__edit_leaf_pointer(u, n->children[0]);
                return;
            }
        }
        if (dl__op_is(n, "&") && dl__find_place(u, n->children[0], &place))
            dl__refuse(u, n->begin, "the address of a part of '%s' escapes",
                       place.root->name);
        if (dl__is_step(n)) {
            root = dl__root_of(u, n->children[0]);
            if (root && !is_statement(n))
                refuse_pointer(u, n, root->name);
            if (root && root->width)
                dl__edit_row_change(u, n);
            else if (root)
                dl__edit_index(u, n, true);
            else
                walk_target(u, n->children[0]);
            return;
        }
        break;
    case DL__N_BINARY:
    case DL__N_COMPOUND:
        if (n->child_count != 2)
            break;
        if (dl__is_assignment(n)) {
            root = dl__root_of(u, n->children[0]);
            if (root && !is_statement(n))
                refuse_pointer(u, n, root->name);
            if (root && root->width)
                dl__edit_row_change(u, n);
            else if (root)
                dl__edit_index(u, n, true);
            else
                walk_assignment(u, n);
            return;
        }
        if (!n->op[0] && dl__find_place(u, n->children[0], &place))
            dl__refuse(u, n->begin,
                       "this expression inside a compiler macro is not understood");
        if ((n->op[0] == '<' || n->op[0] == '>' || dl__op_is(n, "==") ||
             dl__op_is(n, "!=") || dl__op_is(n, "-")) &&
            (dl__root_of(u, n->children[0]) || dl__root_of(u, n->children[1]))) {
            if (dl__op_is(n, "-") && dl__type_of(u, n)->kind != DL__T_SCALAR)
                break;
            walk_comparison(u, n);
            return;
        }
        break;
    case DL__N_VALUE_BLOCK:
        /* Its value is that of its last statement, which looks thrown away. */
        if (dl__type_of(u, n)->kind == DL__T_POINTER)
            dl__refuse(u, n->begin, "a statement expression that gives a pointer");
        break;
    default:
        break;
    }
    walk_children(u, n);
}
