/* SPDX-License-Identifier: MIT */
/* What is set: variables, memory, and the halves of what pointers have become. */
#include "annotate/prove/prove.h"

#include <string.h>

/* `p.dl_o`: a half of a variable; NULL: it is none. */
static struct dl__variable_known *half_of(struct dl__side_text *t, struct dl__node *to,
                                          bool *is_inner)
{
    struct dl__variable_known *v;
    struct dl__node *of;

    if (!t->is_new || to->kind != DL__N_MEMBER || to->child_count != 1)
        return NULL;
    for (of = to->children[0]; of->kind == DL__N_PAREN;)
        of = of->children[0];
    v = of->kind == DL__N_NAME ? dl__find_known(t, of->declared_at) : NULL;
    *is_inner = !strcmp(to->name, "dl_o");
    if (!v || v->relation == DL__R_COMMON ||
        !(v->value.kind == DL__K_PART ||
          (v->value.kind == DL__K_FAR && v->value.buffer)) ||
        (!*is_inner && strcmp(to->name, "dl_i")))
        return NULL;
    return v;
}

static struct dl__known assign_half(struct dl__prover *p, struct dl__side_text *t,
                                    struct dl__node *n, struct dl__node *to,
                                    const char *op, struct dl__known by, bool old_value,
                                    struct dl__variable_known *v, bool is_inner)
{
    const struct dl__type *type = dl__known_type(t, to);
    struct dl__known before =
        dl__know_integer(is_inner ? v->value.inner : v->value.integer);
    struct dl__known half = *op ? dl__combine(p, t, n, op, before, by, type) : by;
    struct dl__known value = v->value;

    half = dl__convert_known(p, half, type);
    if (half.kind != DL__K_INTEGER)
        dl__lose(p, n,
                 "what a pointer became is changed in a way that is not understood");
    *(is_inner ? &value.inner : &value.integer) = half.integer;
    dl__set_variable(p, t, v, value, n);
    return old_value ? before : half;
}

struct dl__known dl__prove_assignment(struct dl__prover *p, struct dl__side_text *t,
                                      struct dl__node *n, struct dl__node *to,
                                      const char *op, struct dl__known by, bool old_value)
{
    const struct dl__type *type = dl__known_type(t, to);
    dl__number lanes = 0;
    struct dl__known place, before, value;
    struct dl__variable_known *half;
    struct dl__node *host = to;
    bool is_inner;

    while (host->kind == DL__N_PAREN)
        host = host->children[0];
    half = half_of(t, host, &is_inner);
    if (half)
        return assign_half(p, t, n, host, op, by, old_value, half, is_inner);
    if (host->kind == DL__N_IMPLICIT && host->child_count == 1 &&
        !dl__is_wrapper(p, t, host)) {
        lanes = dl__own_tokens(p, t, host);
        host = host->children[0];
    }
    place = dl__prove_place(p, t, host);
    value = by;
    if (*op) {
        before = place.variable && place.variable->type->kind != DL__T_STRUCT && !lanes
                     ? dl__read_variable(p, place.variable)
                     : dl__load_known(p, t, host, place, dl__known_type(t, host), lanes);
        value = dl__combine(p, t, n, op, before, by,
                            type->kind == DL__T_SCALAR && type->scalar != 'f' &&
                                    type->bytes < 4
                                ? dl__known_type(t, n)
                                : type);
        if (value.kind == DL__K_INTEGER)
            value = dl__convert_known(p, value, type);
    } else {
        if (value.kind == DL__K_INTEGER)
            value = dl__convert_known(p, value, type);
        before = value;
    }
    if (place.variable && !lanes &&
        ((place.variable->type->kind != DL__T_STRUCT &&
          place.variable->type->kind != DL__T_ARRAY) ||
         (place.variable->relation != DL__R_COMMON &&
          (value.kind == DL__K_PART || value.kind == DL__K_FAR))))
        dl__set_variable(p, t, place.variable, value, n);
    else
        dl__store_known(p, t, host, place, dl__known_type(t, host), lanes, value);
    return old_value ? before : value;
}
