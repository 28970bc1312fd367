/* SPDX-License-Identifier: MIT */
/* Where a pointer comes from, by the looks of it: the parameter behind it. Nothing rests
 * on that; whatever is set or returned has to be a pointer into that parameter's buffer.
 */
#include "annotate/prove/prove.h"

#include <string.h>

enum { DEPTH_MAX = 8 };

static size_t origin(struct dl__prover *p, struct dl__function *f, struct dl__node *n,
                     unsigned depth);

static size_t parameter_at(const struct dl__function *f, size_t declared_at)
{
    for (size_t i = 0; i < f->parameter_count; i++)
        if (f->parameters[i].name_at == declared_at)
            return i;
    return SIZE_MAX;
}

static bool is_name_of(const struct dl__node *n, size_t declared_at)
{
    while (n->child_count == 1 && (n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT))
        n = n->children[0];
    return n->kind == DL__N_NAME && n->declared_at == declared_at;
}

/* Of what a variable is set to, somewhere in `n`. */
static size_t origin_of_variable(struct dl__prover *p, struct dl__function *f,
                                 struct dl__node *n, size_t declared_at, unsigned depth)
{
    size_t out = SIZE_MAX;

    if (n->kind == DL__N_VARIABLE && n->declared_at == declared_at && n->child_count)
        out = origin(p, f, n->children[n->child_count - 1], depth);
    if (n->kind == DL__N_BINARY && !strcmp(n->op, "=") &&
        is_name_of(n->children[0], declared_at))
        out = origin(p, f, n->children[1], depth);
    for (size_t i = 0; i < n->child_count && out == SIZE_MAX; i++)
        out = origin_of_variable(p, f, n->children[i], declared_at, depth);
    return out;
}

static size_t origin_of_return(struct dl__prover *p, struct dl__function *f,
                               struct dl__node *n, unsigned depth)
{
    size_t out = SIZE_MAX;

    if (n->kind == DL__N_RETURN && n->child_count)
        out = origin(p, f, n->children[0], depth);
    for (size_t i = 0; i < n->child_count && out == SIZE_MAX; i++)
        out = origin_of_return(p, f, n->children[i], depth);
    return out;
}

static size_t origin_of_call(struct dl__prover *p, struct dl__function *f,
                             struct dl__node *n, unsigned depth)
{
    struct dl__function *g = dl__ast_callee(&p->old_text.w->ast, n);
    size_t at = SIZE_MAX;

    if (g && g->is_defined)
        at = origin_of_return(p, g, dl__ast_body(&p->old_text.w->ast, g), depth);
    return at < SIZE_MAX && at + 1 < n->child_count
               ? origin(p, f, n->children[at + 1], depth)
               : SIZE_MAX;
}

static size_t origin(struct dl__prover *p, struct dl__function *f, struct dl__node *n,
                     unsigned depth)
{
    size_t out = SIZE_MAX;

    if (depth >= DEPTH_MAX)
        return SIZE_MAX;
    if (n->kind == DL__N_NAME) {
        out = parameter_at(f, n->declared_at);
        return out < SIZE_MAX || n->declared_at == SIZE_MAX
                   ? out
                   : origin_of_variable(p, f, dl__ast_body(&p->old_text.w->ast, f),
                                        n->declared_at, depth + 1);
    }
    if (n->kind == DL__N_CALL)
        return origin_of_call(p, f, n, depth + 1);
    for (size_t i = n->kind == DL__N_CONDITIONAL; i < n->child_count; i++) {
        const struct dl__type *type = dl__known_type(&p->old_text, n->children[i]);

        if (type->kind != DL__T_SCALAR && out == SIZE_MAX)
            out = origin(p, f, n->children[i], depth);
    }
    return out;
}

size_t dl__returned_parameter(struct dl__prover *p, struct dl__function *f)
{
    if (!f->is_defined || f->result->kind != DL__T_POINTER)
        return SIZE_MAX;
    return origin_of_return(p, f, dl__ast_body(&p->old_text.w->ast, f), 0);
}

const struct dl__proved_buffer *dl__origin_of(struct dl__prover *p,
                                              const struct dl__variable_known *v)
{
    const struct dl__pair *pair = p->pairs.items[p->at_pair];
    struct dl__function *f = pair->old_function;
    size_t at = origin_of_variable(p, f, dl__ast_body(&p->old_text.w->ast, f), v->at, 0);

    return at < SIZE_MAX ? pair->buffers[at] : NULL;
}
