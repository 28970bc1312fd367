/* SPDX-License-Identifier: MIT */
/* Structs of pointers that are handed on. */
#include "annotate/track/context.h"

#include <string.h>

#include "annotate/text/lex.h"
#include "annotate/track/place.h"

enum { DEPTH_MAX = 16 };

/* ---- types ---- */

/* The struct that a type is, points to or is an array of; NULL: none. */
static const struct dl__struct *struct_in(const struct dl__type *type)
{
    while (type->kind == DL__T_POINTER || type->kind == DL__T_ARRAY)
        type = type->element;
    return type->kind == DL__T_STRUCT ? type->identity : NULL;
}

/* True when a struct is the other, holds one, or points to one. */
static bool holds(const struct dl__struct *type, const struct dl__struct *s,
                  unsigned depth)
{
    bool is = type == s;

    for (size_t i = 0; type && depth < DEPTH_MAX && i < type->field_count && !is; i++)
        is = holds(struct_in(type->fields[i].type), s, depth + 1);
    return is;
}

/* ---- braces ---- */

/* `.name = `, from its point on. */
static bool find_designated(const struct dl__unit *u, const struct dl__struct *of,
                            const struct dl__node *n, size_t *number)
{
    struct dl__lexer lexer = {
        .text = u->tracker->ast->text, .bytes = n->end, .offset = n->begin + 1};
    struct dl__token name = dl__lex_over_lines(&lexer), t = dl__lex_over_lines(&lexer);

    for (*number = 0; *number < of->field_count; ++*number)
        if (name.kind == DL__NAME && dl__token_is(&name, of->fields[*number].name))
            return dl__token_is(&t, "=");
    return false;
}

bool dl__braces_item(struct dl__unit *u, struct dl__node *n, size_t i,
                     struct dl__braces_item *out)
{
    const struct dl__struct *of = dl__type_of(u, n)->identity;
    size_t next = 0;

    for (size_t k = 0; k <= i; k++) {
        struct dl__node *child = n->children[k];
        const struct dl__type *type;
        char first = dl__text_at(u, child->begin);

        if (first == '.' && child->child_count > 1) {
            if (!find_designated(u, of, child, &next))
                return false;
            child = child->children[child->child_count - 1];
        } else if (first == '[' ||
                   (child->kind == DL__N_IMPLICIT && child->child_count > 1)) {
            return false;
        }
        if (next >= of->field_count)
            return false;
        type = of->fields[next].type;
        if ((type->kind == DL__T_STRUCT || type->kind == DL__T_ARRAY) &&
            !dl__is_braces(u, dl__strip(child)) &&
            (type->kind == DL__T_ARRAY ||
             dl__type_of(u, child)->identity != type->identity))
            return false;
        *out = (struct dl__braces_item){next++, child};
    }
    return true;
}

/* ---- Buffers in a struct that is handed on: what is asked of its members. ---- */

bool dl__takes_contexts(const struct dl__unit *u, const struct dl__function *f)
{
    for (size_t i = 0; i < u->contexts.count; i++) {
        const struct dl__struct *type = u->contexts.items[i].type;

        if (f->result && holds(struct_in(f->result), type, 0))
            return true;
        for (size_t k = 0; k < f->parameter_count; k++)
            if (holds(struct_in(f->parameters[k].type), type, 0))
                return true;
    }
    return false;
}

/* Which members of structs stand for a buffer: all that the kernel, and what it
 * calls, put into them. */

enum { FUNCTIONS_MAX = 256 };

enum what {
    ARGUMENT, /* the buffer's argument, as it is */
    POINTER,  /* a pointer into a buffer, perhaps null; the walk sees to it that it is the
                 one */
    OTHER     /* something that can't be followed */
};

struct set {
    const struct dl__struct *type;
    const char *member;
    enum what what;
    struct dl__root *root; /* NULL: not known here */
};

struct search {
    struct dl__unit *unit;
    bool in_kernel;
    struct dl__node *call; /* by which the kernel comes to `callee`; NULL: not by one */
    struct dl__function *callee;
    struct dl__function *seen[FUNCTIONS_MAX];
    size_t seen_count;
    struct {
        struct set *items;
        size_t count, room;
    } sets;
    struct {
        const struct dl__struct **items;
        size_t count, room;
    } seen_as_other; /* structs that may be set through another type */
};

static struct dl__root *root_of_argument(const struct search *s, struct dl__node *n)
{
    struct dl__variable *v;

    n = dl__strip(n);
    v = s->in_kernel && n->kind == DL__N_NAME ? dl__variable_of(s->unit, n) : NULL;
    return v && v->kind == DL__ROOT && !v->root->has_index ? v->root : NULL;
}

static void add_set(struct search *s, const struct dl__struct *type, const char *member,
                    enum what what, struct dl__root *root)
{
    struct set set = {type, member, what, root};

    DL__PUSH(s->unit->tracker->arena, &s->sets, set);
}

/* The root of a pointer; in a helper that the kernel calls, of the argument that it comes
 * from. */
static struct dl__root *root_of_value(const struct search *s, struct dl__node *n)
{
    uint64_t from;

    if (s->in_kernel)
        return dl__root_of(s->unit, n);
    from = s->call ? dl__parameters_behind(s->unit, s->callee, n) : 0;
    for (size_t i = 0; from && i + 1 < s->call->child_count; i++)
        if (from == (uint64_t)1 << i)
            return dl__root_of(s->unit, s->call->children[i + 1]);
    return NULL;
}

/* A member is set to `value`; NULL: to null. */
static void add_value(struct search *s, const struct dl__struct *type,
                      const struct dl__field *field, struct dl__node *value)
{
    struct dl__root *root = value ? root_of_argument(s, value) : NULL;

    if (field->type->kind != DL__T_POINTER)
        return;
    if (root) {
        add_set(s, type, field->name,
                dl__is_element(root, field->type->element) ? ARGUMENT : OTHER, root);
        return;
    }
    root = value ? root_of_value(s, value) : NULL;
    add_set(s, type, field->name,
            !root || dl__is_element(root, field->type->element) ? POINTER : OTHER, root);
}

static const struct dl__field *field_of(const struct dl__struct *type, const char *name)
{
    for (size_t i = 0; type && i < type->field_count; i++)
        if (!strcmp(type->fields[i].name, name))
            return &type->fields[i];
    return NULL;
}

static void note_other(struct search *s, const struct dl__struct *type)
{
    if (type)
        DL__PUSH(s->unit->tracker->arena, &s->seen_as_other, type);
}

/* Values in braces. What is left out is null. */
static void find_in_braces(struct search *s, struct dl__node *n)
{
    struct dl__unit *u = s->unit;
    const struct dl__type *type = dl__type_of(u, n);
    const struct dl__struct *of = type->identity;
    struct dl__braces_item item;
    uint64_t given = 0;

    if (type->kind != DL__T_STRUCT) {
        /* An array's, which may leave out the braces of its structs. */
        for (size_t i = 0; i < n->child_count; i++)
            if (!dl__is_braces(u, n->children[i]))
                note_other(s, struct_in(type));
        return;
    }
    for (size_t i = 0; i < n->child_count; i++) {
        if (!dl__braces_item(u, n, i, &item)) {
            note_other(s, of);
            return;
        }
        given |= item.number < 64 ? (uint64_t)1 << item.number : 0;
        add_value(s, of, &of->fields[item.number], item.value);
    }
    for (size_t i = 0; i < of->field_count; i++)
        if (i >= 64 || !(given >> i & 1))
            add_value(s, of, &of->fields[i], NULL);
}

/* An assignment to a member, a step of it, or its address. */
static void find_change(struct search *s, struct dl__node *n, struct dl__node *to)
{
    const struct dl__struct *type = dl__struct_of_member(s->unit, to);
    const struct dl__field *field = field_of(type, to->name);

    if (!type)
        return;
    if (n->kind == DL__N_BINARY && dl__op_is(n, "=") && field)
        add_value(s, type, field, n->children[1]);
    else
        add_set(s, type, to->name,
                dl__is_step(n) || dl__op_is(n, "+=") || dl__op_is(n, "-=") ? POINTER
                                                                           : OTHER,
                NULL);
}

/* A struct that is reached as another type may be set there. */
static void find_conversion(struct search *s, struct dl__node *n)
{
    struct dl__unit *u = s->unit;
    const struct dl__type *to = dl__type_of(u, n),
                          *from = dl__type_of(u, n->children[n->child_count - 1]);

    if (to->kind != DL__T_POINTER ||
        (from->kind != DL__T_POINTER && from->kind != DL__T_ARRAY) ||
        struct_in(to) == struct_in(from))
        return;
    note_other(s, struct_in(to));
    note_other(s, struct_in(from));
}

static void find_sets(struct search *s, struct dl__node *n)
{
    struct dl__unit *u = s->unit;
    struct dl__node *to = n->child_count ? dl__strip(n->children[0]) : NULL;

    if (to && to->kind == DL__N_MEMBER && to->child_count &&
        (dl__is_assignment(n) || dl__is_step(n) ||
         (n->kind == DL__N_UNARY && (dl__op_is(n, "&") || !n->op[0])) ||
         (n->kind == DL__N_BINARY && !n->op[0]))) {
        find_change(s, n, to);
    } else if (dl__is_braces(u, n)) {
        find_in_braces(s, n);
    } else if ((n->kind == DL__N_CAST || n->kind == DL__N_IMPLICIT) && n->child_count) {
        find_conversion(s, n);
    } else if (n->kind == DL__N_MEMBER && to) {
        const struct dl__struct *type = dl__struct_of_member(u, n);

        /* It may be of an anonymous union in it. */
        if (type && (type->is_union || !field_of(type, n->name)))
            note_other(s, type);
    }
    for (size_t i = 0; i < n->child_count; i++)
        find_sets(s, n->children[i]);
}

/* The same in all that is called. */
static bool find_in_callees(struct search *s, struct dl__node *n, bool in_kernel)
{
    struct dl__ast *ast = s->unit->tracker->ast;
    struct dl__function *f = n->kind == DL__N_CALL ? dl__ast_callee(ast, n) : NULL;

    for (size_t i = 0; f && i < s->seen_count; i++)
        if (s->seen[i] == f)
            f = NULL;
    if (f && f->is_defined) {
        struct dl__node *body = dl__ast_body(ast, f);

        if (s->seen_count == FUNCTIONS_MAX)
            return false;
        s->seen[s->seen_count++] = f;
        s->call = in_kernel ? n : NULL;
        s->callee = f;
        find_sets(s, body);
        if (!find_in_callees(s, body, false))
            return false;
    }
    for (size_t i = 0; i < n->child_count; i++)
        if (!find_in_callees(s, n->children[i], in_kernel))
            return false;
    return true;
}

static bool is_of(const struct set *set, const struct dl__context *c)
{
    return set->type == c->type && !strcmp(set->member, c->member);
}

/* True when the member is nothing but one buffer's, and whether it is its argument as it
 * is. */
static bool is_only(const struct search *s, struct dl__context *c)
{
    for (size_t i = 0; i < s->sets.count; i++) {
        const struct set *set = &s->sets.items[i];

        if (!is_of(set, c))
            continue;
        if (set->what == OTHER || (set->root && set->root != c->root))
            return false;
        c->is_moved |= set->what != ARGUMENT;
    }
    for (size_t i = 0; i < s->seen_as_other.count; i++)
        if (holds(s->seen_as_other.items[i], c->type, 0))
            return false;
    /* Such a pointer is the program's own, which has an element's index where the form
     * counts by it. */
    if (c->is_moved && (c->root->space & ~(unsigned)DL__VOLATILE) != DL__GLOBAL)
        return false;
    return !c->type->is_union && !c->root->is_cast && !c->root->is_part &&
           !c->root->is_far;
}

bool dl__find_contexts(struct dl__unit *u, struct dl__node *body)
{
    struct search s = {.unit = u, .in_kernel = true};
    size_t before = u->contexts.count;

    find_sets(&s, body);
    if (!s.sets.count)
        return false;
    s.in_kernel = false;
    if (!find_in_callees(&s, body, true))
        return false;
    for (size_t i = 0; i < s.sets.count; i++) {
        const struct set *set = &s.sets.items[i];
        struct dl__context c = {
            .type = set->type, .member = set->member, .root = set->root};

        if (!c.root || dl__context_of(u, c.type, c.member) || !is_only(&s, &c))
            continue;
        c.parameter =
            dl__name_make(&u->tracker->accessors.names, u->tracker->arena, c.member);
        c.declared_at = u->function->parameters[c.root->parameter].name_at;
        DL__PUSH(u->tracker->arena, &u->contexts, c);
    }
    return u->contexts.count > before;
}

/* ---- Members that nothing reads. ---- */

static bool is_same(struct dl__unit *u, struct dl__node *n, struct dl__node *member)
{
    return n->kind == DL__N_MEMBER && n->child_count && !strcmp(n->name, member->name) &&
           dl__struct_of_member(u, n) == dl__struct_of_member(u, member);
}

static bool reads(struct dl__unit *u, struct dl__node *n, struct dl__node *member)
{
    bool sets = n->kind == DL__N_BINARY && dl__op_is(n, "=") && dl__is_statement(n) &&
                is_same(u, dl__strip(n->children[0]), member);

    if (sets)
        return reads(u, dl__strip(n->children[0])->children[0], member) ||
               reads(u, n->children[1], member);
    for (size_t i = 0; i < n->child_count; i++)
        if (reads(u, n->children[i], member))
            return true;
    return is_same(u, n, member);
}

bool dl__is_unread(struct dl__unit *u, struct dl__node *member)
{
    struct dl__ast *ast = u->tracker->ast;
    const struct dl__struct *type =
        is_same(u, member, member) ? dl__struct_of_member(u, member) : NULL;
    struct search s = {.unit = u};
    bool is = type != NULL;

    /* Of all kernels, since they share copies of helpers. */
    for (size_t k = 0; k < ast->functions.count && is; k++) {
        struct dl__function *kernel = &ast->functions.items[k];
        struct dl__reachable all;

        if (!kernel->is_kernel || !kernel->is_defined)
            continue;
        for (size_t i = 0; i < kernel->parameter_count; i++)
            is &= !holds(struct_in(kernel->parameters[i].type), type, 0);
        all = dl__ast_reachable(ast, kernel);
        is &= !all.lacks_one;
        for (size_t i = 0; i < all.count && is; i++) {
            struct dl__node *body = dl__ast_body(ast, all.items[i]);

            find_sets(&s, body);
            is = !reads(u, body, member);
        }
    }
    for (size_t i = 0; i < s.seen_as_other.count; i++)
        is &= !holds(s.seen_as_other.items[i], type, 0);
    return is;
}
