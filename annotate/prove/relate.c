/* SPDX-License-Identifier: MIT */
/* What a pointer has become, and where it comes from. */
#include <string.h>

#include "annotate/prove/prove.h"

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

static const struct dl__proved_buffer *origin_of(struct dl__prover *p,
                                                 const struct dl__variable_known *v)
{
    const struct dl__pair *pair = p->pairs.items[p->at_pair];
    struct dl__function *f = pair->old_function;
    size_t at = origin_of_variable(p, f, dl__ast_body(&p->old_text.w->ast, f), v->at, 0);

    return at < SIZE_MAX ? pair->buffers[at] : NULL;
}

/* What a pointer of the program's has become: an index, a row and an index, or a
 * part. */

static bool is_within(const struct dl__offsets *some, const struct dl__offsets *all)
{
    for (size_t i = 0; i < some->count; i++) {
        bool found = false;

        for (size_t j = 0; j < all->count && !found; j++)
            found = all->items[j] == some->items[i];
        if (!found)
            return false;
    }
    return some->count > 0;
}

static const char *null_fault(struct dl__prover *p, const struct dl__known *index,
                              const struct dl__known *row)
{
    struct dl__known of_part = dl__know_integer(index->integer);
    int64_t inner;

    if (index->kind == DL__K_FAR ? !index->buffer
        : index->kind == DL__K_PART
            ? dl__is_index_null(p, &of_part) &&
                  dl__integer_is_constant(index->inner, &inner) && !inner
            : !row && dl__is_index_null(p, index))
        return NULL;
    return "a null pointer has become something else";
}

const char *dl__relation_fault(struct dl__prover *p, const struct dl__known *old_place,
                               const struct dl__known *index, const struct dl__known *row,
                               const struct dl__offsets *allowed)
{
    dl__number at = old_place->steps.ring;

    if (dl__known_is_null(old_place))
        return null_fault(p, index, row);
    if (old_place->kind != DL__K_PLACE || !old_place->buffer)
        return "a pointer is set to what is not in the buffer";
    if (index->kind == DL__K_FAR)
        return index->buffer == old_place->buffer && index->integer.ring == at &&
                       old_place->inner.exact == 0
                   ? NULL
                   : "a pointer into one of several buffers has become another place";
    if (index->kind == DL__K_PART) {
        if (index->integer.ring != at || index->inner.ring != old_place->inner.ring)
            return "a pointer to a member has become another place";
        return is_within(&old_place->offsets, allowed)
                   ? NULL
                   : "a pointer to a member may be to another member";
    }
    if (index->kind != DL__K_INTEGER || (row && row->kind != DL__K_INTEGER))
        return "a pointer has become something that is not understood";
    if (old_place->inner.exact != 0)
        return "a pointer to a member has become an index";
    if (!row)
        return index->integer.ring == at ? NULL : "a pointer has become another index";
    return dl__number_add(
               dl__number_multiply(row->integer.ring, old_place->buffer->width.ring),
               index->integer.ring) == at
               ? NULL
               : "a pointer has become another row and index";
}

static struct dl__integer any_index(struct dl__prover *p,
                                    const struct dl__variable_known *v)
{
    return dl__integer_opaque(dl__draw("now", v->number, v->at, 0), p->index_bits, false);
}

static void forget_row(struct dl__prover *p, struct dl__variable_known *v)
{
    struct dl__integer *steps = &v->value.steps, index = v->index->value.integer;
    struct dl__integer row = any_index(p, v->row);

    steps->ring =
        dl__number_add(dl__number_multiply(row.ring, v->buffer->width.ring), index.ring);
    steps->word = steps->ring;
    steps->exact =
        v->split.is_exact ? steps->ring : dl__draw("element", steps->ring, 0, 0);
    dl__integer_limits(64, true, &steps->low, &steps->high);
    steps->is_vast = v->split.is_vast;
    if (v->split.is_exact) {
        index = dl__split_integer(p, index.exact, v->split.low, v->split.high);
        row = dl__split_integer(p, row.exact, INT64_MIN, INT64_MAX);
    }
    v->index->value = dl__know_integer(index);
    v->row->value = dl__know_integer(row);
    v->row->is_set = false;
}

void dl__relation_forget(struct dl__prover *p, struct dl__variable_known *v)
{
    struct dl__integer index = any_index(p, v->index);

    v->value = (struct dl__known){.kind = DL__K_PLACE,
                                  .buffer = v->buffer,
                                  .steps = index,
                                  .inner = dl__zero(),
                                  .offsets = v->allowed};
    v->is_set = v->index->is_set = false;
    if (v->relation == DL__R_FAR) {
        v->value.buffer = dl__either_buffer(
            p, dl__draw("now in", v->index->number, v->index->at, 0), v->buffer);
        v->index->value = (struct dl__known){
            .kind = DL__K_FAR, .buffer = v->value.buffer, .integer = index};
    } else if (v->relation == DL__R_PART) {
        struct dl__integer inner = dl__integer_opaque(
            dl__draw("inner", v->index->number, v->index->at, 0), p->index_bits, false);

        v->index->value =
            (struct dl__known){.kind = DL__K_PART, .integer = index, .inner = inner};
        v->value.inner = inner;
    } else {
        v->index->value = dl__know_integer(index);
    }
    if (v->row)
        forget_row(p, v);
    v->value.steps.bits = v->value.inner.bits = 64;
    v->value.steps.is_signed = v->value.inner.is_signed = true;
}

void dl__relations_check(struct dl__prover *p)
{
    for (size_t i = 0; i < p->old_text.variables.count; i++) {
        struct dl__variable_known *v = p->old_text.variables.items[i];
        const char *fault;

        v->version = 0;
        if (!v->index || !(v->is_set || v->index->is_set || (v->row && v->row->is_set)))
            continue;
        v->buffer = v->buffer                      ? v->buffer
                    : dl__known_is_null(&v->value) ? origin_of(p, v)
                                                   : v->value.buffer;
        if (v->relation == DL__R_PART && !v->allowed.count && v->buffer) {
            if (v->type->kind == DL__T_POINTER)
                dl__offsets_of_type(p, v->buffer->element, 0, v->type->element,
                                    &v->allowed);
        }
        if (v->relation != DL__R_PART && !v->allowed.count)
            DL__PUSH(p->arena, &v->allowed, 0);
        fault = dl__relation_fault(p, &v->value, &v->index->value,
                                   v->row ? &v->row->value : NULL, &v->allowed);
        if (!fault && v->row)
            v->split =
                dl__split_join(p, v->at,
                               dl__split_known(p, &v->value, &v->index->value.integer,
                                               &v->row->value.integer));
        if (!fault && !v->buffer)
            fault = "which buffer a null pointer is of is not known";
        if (v->buffer)
            dl__relation_forget(p, v);
        if (fault)
            dl__lose(p, NULL, "%s", fault);
    }
    for (size_t i = 0; i < p->new_text.variables.count; i++) {
        struct dl__variable_known *v = p->new_text.variables.items[i];

        v->version = 0;
        if (v->is_set && !v->is_kept)
            dl__lose(p, NULL, "'%s' is set, but stands for nothing of the program's",
                     v->name);
    }
}
