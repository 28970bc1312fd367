/* SPDX-License-Identifier: MIT */
/* Pointers into buffers that helpers return: which parameters they come from. */
#include "annotate/track/returned.h"

#include "annotate/track/far.h"
#include "annotate/track/form.h"
#include "annotate/track/node.h"
#include "annotate/track/part.h"

enum { DEPTH_MAX = 8 };

/* Where a function's pointers are traced back to. */
struct trace {
    struct dl__unit *unit;
    struct dl__function *function;
    unsigned depth;            /* of functions */
    uint64_t parameters;       /* found so far, by bits */
    size_t visited[DEPTH_MAX]; /* variables on the way */
    unsigned visited_count;
};

static bool trace(struct trace *t, struct dl__node *n);
static uint64_t returned_parameters(struct dl__unit *u, struct dl__function *f,
                                    unsigned depth);

/* All that a variable is set to. */
static bool trace_variable(struct trace *t, struct dl__node *n, size_t declared_at)
{
    struct dl__node *source = NULL;

    if (n->kind == DL__N_VARIABLE && n->declared_at == declared_at && n->child_count)
        source = n->children[n->child_count - 1];
    else if (n->kind == DL__N_BINARY && dl__op_is(n, "=") && n->child_count == 2 &&
             dl__strip(n->children[0])->kind == DL__N_NAME &&
             dl__strip(n->children[0])->declared_at == declared_at)
        source = n->children[1];
    if (source && !trace(t, source))
        return false;
    for (size_t i = 0; i < n->child_count; i++)
        if (!trace_variable(t, n->children[i], declared_at))
            return false;
    return true;
}

static bool trace_name(struct trace *t, struct dl__node *n)
{
    bool traced;

    for (size_t i = 0; i < t->function->parameter_count; i++) {
        if (t->function->parameters[i].name_at != n->declared_at)
            continue;
        t->parameters |= i < 64 ? (uint64_t)1 << i : 0;
        return i < 64;
    }
    for (unsigned i = 0; i < t->visited_count; i++)
        if (t->visited[i] == n->declared_at)
            return true;
    if (n->declared_at == SIZE_MAX || t->visited_count == DEPTH_MAX)
        return false;
    t->visited[t->visited_count++] = n->declared_at;
    traced = trace_variable(t, dl__ast_body(t->unit->tracker->ast, t->function),
                            n->declared_at);
    t->visited_count--;
    return traced;
}

/* The pointer that a place is reached through. */
static bool trace_place(struct trace *t, struct dl__node *n)
{
    struct dl__node *child;

    n = dl__strip(n);
    if (!n->child_count || (n->kind != DL__N_MEMBER && n->kind != DL__N_SUBSCRIPT &&
                            !(n->kind == DL__N_UNARY && dl__op_is(n, "*"))))
        return false;
    child = dl__strip(n->children[0]);
    if ((child->kind == DL__N_MEMBER || child->kind == DL__N_SUBSCRIPT ||
         child->kind == DL__N_UNARY) &&
        dl__type_of(t->unit, child)->kind != DL__T_POINTER)
        return trace_place(t, child);
    return trace(t, child);
}

static bool trace_call(struct trace *t, struct dl__node *n)
{
    struct dl__function *f = dl__ast_callee(t->unit->tracker->ast, n);
    uint64_t from =
        f && t->depth < DEPTH_MAX ? returned_parameters(t->unit, f, t->depth + 1) : 0;

    for (size_t i = 0; i + 1 < n->child_count && i < 64; i++)
        if (from >> i & 1 && !trace(t, n->children[i + 1]))
            return false;
    return from != 0;
}

static bool trace(struct trace *t, struct dl__node *n)
{
    if (dl__is_null(t->unit, n))
        return true;
    n = dl__strip_casts(n);
    switch (n->kind) {
    case DL__N_NAME:
        return trace_name(t, n);
    case DL__N_MEMBER:
    case DL__N_SUBSCRIPT:
        return dl__type_of(t->unit, n)->kind == DL__T_ARRAY && trace_place(t, n);
    case DL__N_UNARY:
        return n->child_count &&
               (dl__op_is(n, "&") ? trace_place(t, n->children[0])
                                  : dl__is_step(n) && trace(t, n->children[0]));
    case DL__N_CONDITIONAL:
        return n->child_count == 3 && trace(t, n->children[1]) &&
               trace(t, n->children[2]);
    case DL__N_CALL:
        return trace_call(t, n);
    case DL__N_BINARY:
        if (n->child_count != 2)
            return false;
        if (dl__op_is(n, "="))
            return trace(t, n->children[1]);
        if (!dl__op_is(n, "+") && !dl__op_is(n, "-"))
            return false;
        return trace(
            t, n->children[dl__type_of(t->unit, n->children[0])->kind == DL__T_SCALAR]);
    default:
        return false;
    }
}

static bool trace_returns(struct trace *t, struct dl__node *n)
{
    if (n->kind == DL__N_RETURN)
        return n->child_count && trace(t, n->children[0]);
    for (size_t i = 0; i < n->child_count; i++)
        if (!trace_returns(t, n->children[i]))
            return false;
    return true;
}

static uint64_t returned_parameters(struct dl__unit *u, struct dl__function *f,
                                    unsigned depth)
{
    struct trace t = {u, f, depth, 0, {0}, 0};

    if (f->is_traced)
        return f->returned_parameters;
    if (!f->is_defined || f->result->kind != DL__T_POINTER)
        return 0;
    f->is_traced = true; /* what calls itself is not followed */
    if (trace_returns(&t, dl__ast_body(u->tracker->ast, f)))
        f->returned_parameters = t.parameters;
    return f->returned_parameters;
}

/* The root of what `f` returns when its arguments have this root. */
static struct dl__root *root_returned(struct dl__unit *u, const struct dl__function *f,
                                      struct dl__root *root)
{
    const struct dl__type *type = f->result->element;

    if (!root->form->null || type->is_volatile)
        return NULL;
    return dl__is_element(root, type) ? root : dl__part_of(u, root, type);
}

/* The arguments of a call that what it returns comes from. */
struct returned {
    struct dl__root *root; /* of all of them: one, or one of pointers into either */
    struct dl__node *argument;
    unsigned count;
    bool mixed; /* which can't be */
};

static void add_returned(struct dl__unit *u, struct returned *r, struct dl__root *root,
                         struct dl__node *argument)
{
    struct dl__root *far;

    if (!root)
        return;
    r->argument = argument;
    r->count++;
    if (!r->root || r->root == root) {
        r->root = root;
        return;
    }
    far = dl__far_of(u, r->root, root);
    r->mixed |= !far;
    r->root = far;
}

static struct returned returned_by_call(struct dl__unit *u, struct dl__node *n,
                                        const struct dl__function *f, uint64_t from)
{
    struct returned r = {0};

    for (size_t i = 0; f && i + 1 < n->child_count && i < 64 && !r.mixed; i++)
        if (from >> i & 1)
            add_returned(u, &r, dl__root_of(u, n->children[i + 1]), n->children[i + 1]);
    return r;
}

struct dl__root *dl__root_of_call(struct dl__unit *u, struct dl__node *n)
{
    struct dl__function *f = dl__ast_callee(u->tracker->ast, n);
    struct returned r = returned_by_call(u, n, f, f ? returned_parameters(u, f, 0) : 0);
    struct dl__root *out;

    if (!r.root || r.mixed)
        return NULL;
    out = root_returned(u, f, r.root);
    if (r.root->is_far)
        return out == r.root ? out : NULL;
    /* As far as is known here. */
    if (out && out != r.root && out->element_type->kind == DL__T_STRUCT)
        out->is_single = true;
    return out;
}

struct dl__node *dl__far_returned_argument(struct dl__unit *u, struct dl__node *n)
{
    struct dl__function *f = dl__ast_callee(u->tracker->ast, n);
    struct returned r = returned_by_call(u, n, f, f ? returned_parameters(u, f, 0) : 0);

    return r.count == 1 && r.root && r.root->is_far ? r.argument : NULL;
}

struct dl__root *dl__returned_root(struct dl__unit *u)
{
    struct dl__function *f = u->function;
    uint64_t from = returned_parameters(u, f, 0);
    struct returned r = {0};

    for (size_t i = 0; i < u->root_count && !r.mixed; i++)
        if (u->roots[i].parameter < 64 && from >> u->roots[i].parameter & 1)
            add_returned(u, &r, u->roots[i].first ? u->roots[i].first : &u->roots[i],
                         NULL);
    return r.root && !r.mixed ? root_returned(u, f, r.root) : NULL;
}
