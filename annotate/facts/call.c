/* SPDX-License-Identifier: MIT */
/* Calls: what builtins and helpers return. */
#include <string.h>

#include "annotate/facts/frame.h"
#include "annotate/text/lex.h"
#include "annotate/track/node.h"

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (!strcmp(name, *names))
            return true;
    return false;
}

static struct dl__value argument(struct dl__frame *f, struct dl__node *n, size_t number)
{
    return number + 1 < n->child_count ? dl__evaluate(f, n->children[number + 1])
                                       : dl__value_of(DL__V_UNKNOWN);
}

static struct dl__value mixed_arguments(struct dl__frame *f, struct dl__node *n)
{
    struct dl__value v = dl__value_of(DL__V_UNIFORM);

    for (size_t i = 1; i < n->child_count; i++)
        v = dl__value_mix(v, dl__evaluate(f, n->children[i]));
    return v;
}

/* ---- builtins ---- */

/* What the launch says: ids of the first dimension step. False for other builtins. */
static bool take_launch(struct dl__frame *f, struct dl__node *n, struct dl__value *out)
{
    static const char *const ids[] = {"get_global_id", "get_local_id", NULL};
    static const char *const linear_ids[] = {
        "get_global_linear_id", "get_local_linear_id", "get_sub_group_local_id", NULL};
    static const char *const sizes[] = {
        "get_group_id",       "get_global_size",         "get_local_size",
        "get_num_groups",     "get_global_offset",       "get_work_dim",
        "get_sub_group_size", "get_enqueued_local_size", "get_sub_group_id",
        "get_num_sub_groups", "get_max_sub_group_size",  NULL};
    struct dl__value dimension;

    if (is_one_of(n->name, linear_ids)) {
        *out = dl__value_linear(1);
    } else if (is_one_of(n->name, sizes)) {
        *out = dl__value_of(DL__V_UNIFORM);
    } else if (is_one_of(n->name, ids)) {
        dimension = argument(f, n, 0);
        *out = !dl__value_is_constant(dimension) ? dl__value_of(DL__V_UNKNOWN)
               : dimension.rest                  ? dl__value_of(DL__V_UNIFORM)
                                                 : dl__value_linear(1);
    } else {
        return false;
    }
    return true;
}

/* Arithmetic on integers by name. */
static bool take_arithmetic(struct dl__frame *f, struct dl__node *n,
                            struct dl__value *out)
{
    static const char *const sums[] = {"add_sat", "sub_sat", NULL};
    static const char *const products[] = {"mul24", "mad24", "mad_sat", NULL};
    struct dl__value a, b;

    if (n->child_count < 3)
        return false;
    a = argument(f, n, 0);
    b = argument(f, n, 1);
    if (is_one_of(n->name, sums)) {
        *out = dl__value_add(a, n->name[0] == 's' ? dl__value_negate(b) : b);
    } else if (is_one_of(n->name, products)) {
        *out = dl__value_multiply(a, b);
        if (n->child_count == 4)
            *out = dl__value_add(*out, argument(f, n, 2));
    } else if (!strcmp(n->name, "min") || !strcmp(n->name, "max")) {
        *out = dl__value_limit(a, b, n->name[1] == 'i');
    } else if (!strcmp(n->name, "clamp") && n->child_count == 4) {
        *out = dl__value_limit(dl__value_limit(a, b, false), argument(f, n, 2), true);
    } else if (!strcmp(n->name, "select") && n->child_count == 4) {
        *out = dl__value_join(a, b, dl__agreement_of(f, n->children[3]) == DL__DIVERGENT);
    } else {
        return false;
    }
    return true;
}

static bool is_integer(struct dl__frame *f, struct dl__node *n)
{
    const struct dl__type *type = dl__type_of(f->outline->unit, n);

    while (type->kind == DL__T_VECTOR)
        type = type->element;
    return type->kind == DL__T_SCALAR && type->scalar != 'f';
}

static struct dl__value evaluate_builtin(struct dl__frame *f, struct dl__node *n)
{
    struct dl__value v;

    if (take_launch(f, n, &v))
        return v;
    if (dl__atomic_of(n->name, strlen(n->name)))
        return dl__value_of(DL__V_GATHER);
    if (!strncmp(n->name, "vload", 5))
        return dl__value_loaded(mixed_arguments(f, n));
    if (is_integer(f, n)) {
        if (take_arithmetic(f, n, &v))
            return v;
        if ((!strncmp(n->name, "convert_", 8) || !strncmp(n->name, "as_", 3)) &&
            n->child_count == 2 && is_integer(f, n->children[1]))
            return argument(f, n, 0);
    }
    return mixed_arguments(f, n);
}

/* ---- helpers ---- */

struct dl__value dl__evaluate_call(struct dl__frame *f, struct dl__node *n)
{
    struct dl__function *callee = dl__ast_callee(f->outline->unit->tracker->ast, n);
    struct dl__value v, unknown = dl__value_of(DL__V_UNKNOWN);
    struct dl__frame *frame;

    if (!callee)
        return n->name ? evaluate_builtin(f, n) : unknown;
    if (!is_integer(f, n)) {
        /* Nothing steps by what it returns: it need not be followed. */
        v = mixed_arguments(f, n);
        return dl__value_mix(v, unknown);
    }
    frame = dl__frame_of_call(f, n, callee);
    return frame ? frame->result : dl__value_mix(mixed_arguments(f, n), unknown);
}
