/* SPDX-License-Identifier: MIT */
/* Values of expressions as neighbouring work-items see them. */
#include "annotate/facts/frame.h"

#include <stdlib.h>
#include <string.h>

#include "annotate/forms/rows.h"
#include "annotate/text/lex.h"
#include "annotate/tree/resolve.h"

/* What is larger is not followed. */
enum { SIZE_BITS = 40 };
static const int64_t size_max = (int64_t)1 << SIZE_BITS;

static struct dl__value value_nothing(void)
{
    return (struct dl__value){.kind = DL__V_NOTHING};
}

/* UNIFORM, UNKNOWN or GATHER. */
static struct dl__value value_of(enum dl__value_kind kind)
{
    return (struct dl__value){.kind = kind, .modulus = 1};
}

struct dl__value dl__value_constant(int64_t value)
{
    if (value > size_max || value < -size_max)
        return value_of(DL__V_UNIFORM);
    return (struct dl__value){.kind = DL__V_UNIFORM, .rest = value, .most = llabs(value)};
}

static struct dl__value value_linear(int64_t step)
{
    return (struct dl__value){.kind = DL__V_LINEAR, .step = step, .modulus = 1};
}

bool dl__value_is_constant(struct dl__value v)
{
    return v.kind == DL__V_UNIFORM && !v.modulus;
}

static bool value_equals(struct dl__value a, struct dl__value b)
{
    return a.kind == b.kind && a.step == b.step && a.modulus == b.modulus &&
           a.rest == b.rest && a.most == b.most && a.holds == b.holds;
}

static bool is_bounded(struct dl__value v)
{
    return v.kind == DL__V_UNIFORM && (v.most || dl__value_is_constant(v));
}

/* With the rest in [0, modulus), and nothing too large. */
static struct dl__value settled(struct dl__value v)
{
    if (v.kind == DL__V_NOTHING)
        return value_nothing();
    if (llabs(v.step) > size_max)
        v.kind = v.kind == DL__V_GATHER ? v.kind : DL__V_UNKNOWN;
    if (v.kind == DL__V_LINEAR && !v.step)
        v.kind = DL__V_UNIFORM;
    if (v.kind != DL__V_LINEAR)
        v.step = 0;
    if (v.modulus > size_max || llabs(v.rest) > size_max ||
        (!v.modulus && v.kind != DL__V_UNIFORM))
        v.modulus = 1;
    if (v.modulus) {
        v.rest %= v.modulus;
        v.rest += v.rest < 0 ? v.modulus : 0;
    } else {
        v.most = llabs(v.rest);
    }
    if (v.kind != DL__V_UNIFORM || v.most > size_max)
        v.most = 0;
    if (v.kind > DL__V_LINEAR)
        v.holds = 0;
    return v;
}

static enum dl__value_kind larger(struct dl__value a, struct dl__value b)
{
    return a.kind > b.kind ? a.kind : b.kind;
}

static bool any_is_nothing(struct dl__value a, struct dl__value b)
{
    return a.kind == DL__V_NOTHING || b.kind == DL__V_NOTHING;
}

/* Either of two; `divergent`: neighbours may differ in which. */
static struct dl__value value_join(struct dl__value a, struct dl__value b, bool divergent)
{
    struct dl__value v = {.kind = larger(a, b),
                          .step = a.step ? a.step : b.step,
                          .modulus = dl__common_divisor(
                              dl__common_divisor(a.modulus, b.modulus), a.rest - b.rest),
                          .rest = a.rest,
                          .holds = a.holds | b.holds};

    if (any_is_nothing(a, b))
        return a.kind == DL__V_NOTHING ? b : a;
    if (v.kind == DL__V_LINEAR && (a.kind != b.kind || a.step != b.step))
        v.kind = DL__V_UNKNOWN;
    if (divergent && v.kind < DL__V_UNKNOWN &&
        !(dl__value_is_constant(a) && value_equals(a, b)))
        v.kind = DL__V_UNKNOWN;
    /* By doubling, so that loops don't go on with it for long. */
    if (is_bounded(a) && is_bounded(b))
        for (v.most = a.most; v.most < b.most;)
            v.most += v.most + 1;
    return settled(v);
}

/* `v` for nearly all, `rare` for the others. */
static struct dl__value value_join_rare(struct dl__value v, struct dl__value rare)
{
    struct dl__value both = value_join(v, rare, false);

    if (any_is_nothing(v, rare))
        return both;
    if (v.kind == DL__V_LINEAR && rare.kind == DL__V_LINEAR && v.step != rare.step)
        return both;
    both.kind = v.kind;
    both.step = v.step;
    both.holds = v.holds | rare.holds;
    return settled(both);
}

/* Made of both in a way that says nothing of steps. */
static struct dl__value value_mix(struct dl__value a, struct dl__value b)
{
    enum dl__value_kind kind = larger(a, b);

    if (any_is_nothing(a, b))
        return value_nothing();
    return value_of(kind == DL__V_LINEAR ? DL__V_UNKNOWN : kind);
}

static struct dl__value value_add(struct dl__value a, struct dl__value b)
{
    struct dl__value v = {.kind = larger(a, b),
                          .step = a.step + b.step,
                          .modulus = dl__common_divisor(a.modulus, b.modulus),
                          .rest = a.rest + b.rest,
                          .most = is_bounded(a) && is_bounded(b) ? a.most + b.most : 0,
                          .holds = a.holds | b.holds};

    return any_is_nothing(a, b) ? value_nothing() : settled(v);
}

static struct dl__value value_negate(struct dl__value v)
{
    v.step = -v.step;
    v.rest = -v.rest;
    v.holds = 0;
    return settled(v);
}

struct dl__value dl__value_multiply(struct dl__value a, struct dl__value b)
{
    struct dl__value v = value_mix(a, b);
    int64_t both, left, right;

    if (v.kind == DL__V_NOTHING)
        return v;
    if (__builtin_mul_overflow(a.modulus, b.modulus, &both) ||
        __builtin_mul_overflow(a.modulus, b.rest, &left) ||
        __builtin_mul_overflow(b.modulus, a.rest, &right) ||
        __builtin_mul_overflow(a.rest, b.rest, &v.rest))
        return v;
    v.modulus = dl__common_divisor(dl__common_divisor(both, left), right);
    if (dl__value_is_constant(a) && b.kind == DL__V_LINEAR &&
        !__builtin_mul_overflow(a.rest, b.step, &v.step))
        v.kind = DL__V_LINEAR;
    if (dl__value_is_constant(b) && a.kind == DL__V_LINEAR &&
        !__builtin_mul_overflow(b.rest, a.step, &v.step))
        v.kind = DL__V_LINEAR;
    if (!is_bounded(a) || !is_bounded(b) ||
        __builtin_mul_overflow(a.most, b.most, &v.most))
        v.most = 0;
    return settled(v);
}

/* True of a bound that nearly all places are beyond. */
static bool is_small(struct dl__value bound, struct dl__value place)
{
    return is_bounded(bound) && bound.most < DL__NEAR * llabs(place.step);
}

/* True of a bound that is in the place itself: `i + n` against n. */
static bool is_within(struct dl__value bound, struct dl__value place)
{
    return bound.holds && !(bound.holds & ~place.holds) && place.step > 0;
}

/* True when so many neighbours or more are within `by` of each other. */
static bool is_wide(struct dl__value v, struct dl__value by)
{
    if (dl__value_is_constant(by))
        return llabs(v.step) <= llabs(by.rest) / DL__NEAR;
    return by.kind == DL__V_UNIFORM && llabs(v.step) == 1 && !is_small(by, v);
}

static struct dl__value value_divide(struct dl__value a, struct dl__value b)
{
    struct dl__value v = value_mix(a, b);
    int64_t by = b.rest;

    if (a.kind == DL__V_LINEAR && b.kind == DL__V_UNIFORM && is_wide(a, b))
        return value_of(DL__V_UNIFORM);
    if (!dl__value_is_constant(b) || !by) {
        v.most = a.most;
        return settled(v);
    }
    if (dl__value_is_constant(a))
        return dl__value_constant(a.rest / by);
    /* The quotient of a multiple of `by` and a rest below it. */
    if (by > 0 && a.modulus % by == 0 && a.rest >= 0 && a.kind < DL__V_UNKNOWN) {
        v = (struct dl__value){.kind = a.kind,
                               .step = a.step / by,
                               .modulus = a.modulus / by,
                               .rest = a.rest / by};
    }
    v.most = a.most / llabs(by);
    return settled(v);
}

static struct dl__value value_modulo(struct dl__value a, struct dl__value b)
{
    struct dl__value v = value_mix(a, b);
    int64_t by = dl__value_is_constant(b) ? llabs(b.rest) : 0;

    if (v.kind == DL__V_NOTHING)
        return v;
    if (by) {
        v.modulus = dl__common_divisor(a.modulus, by);
        v.rest = a.rest;
        if (a.modulus % by == 0) /* of a constant, too */
            return dl__value_constant(a.rest % by);
    }
    v.most = is_bounded(a) && (!by || a.most < by) ? a.most : by ? by - 1 : 0;
    if (a.kind == DL__V_LINEAR && b.kind == DL__V_UNIFORM &&
        (is_wide(a, b) || !is_bounded(b))) {
        v.kind = DL__V_LINEAR;
        v.step = a.step;
    }
    return settled(v);
}

/* 2^k for a mask of the low k bits; 0 for others. */
static int64_t low_mask(int64_t mask)
{
    return mask > 0 && !(mask & (mask + 1)) ? mask + 1 : 0;
}

static struct dl__value value_and(struct dl__value a, struct dl__value b)
{
    struct dl__value v = value_mix(a, b);

    if (dl__value_is_constant(a) && dl__value_is_constant(b))
        return dl__value_constant(a.rest & b.rest);
    if (!dl__value_is_constant(b) &&
        (dl__value_is_constant(a) || a.kind < b.kind)) { /* the mask second */
        struct dl__value t = a;

        a = b;
        b = t;
    }
    if (dl__value_is_constant(b) && b.rest > 0) {
        v.most = b.rest;
        v = settled(v);
    }
    if (a.kind != DL__V_LINEAR || b.kind != DL__V_UNIFORM)
        return v;
    if (!dl__value_is_constant(b)) /* a mask that wraps around */
        return value_linear(a.step);
    if (low_mask(b.rest))
        return value_modulo(a, dl__value_constant(low_mask(b.rest)));
    if (b.rest < 0 && low_mask(~b.rest) &&
        llabs(a.step) <= low_mask(~b.rest) / DL__NEAR) /* the low bits go */
        return (struct dl__value){.kind = DL__V_UNIFORM, .modulus = low_mask(~b.rest)};
    return v;
}

static struct dl__value value_or(struct dl__value a, struct dl__value b)
{
    struct dl__value v = value_mix(a, b);

    if (dl__value_is_constant(a) && dl__value_is_constant(b))
        return dl__value_constant(a.rest | b.rest);
    /* Bits beside bits: a sum. */
    if (v.kind == DL__V_UNKNOWN && ((a.kind == DL__V_UNIFORM && a.modulus >= DL__NEAR &&
                                     !(a.modulus & (a.modulus - 1)) && !a.rest) ||
                                    (b.kind == DL__V_UNIFORM && b.modulus >= DL__NEAR &&
                                     !(b.modulus & (b.modulus - 1)) && !b.rest)))
        return value_add(a, b);
    return v;
}

static struct dl__value value_shift(struct dl__value v, struct dl__value by, bool left)
{
    struct dl__value power;

    if (!dl__value_is_constant(by) || by.rest < 0 || by.rest >= 32)
        return value_mix(v, by);
    power = dl__value_constant((int64_t)1 << by.rest);
    return left ? dl__value_multiply(v, power) : value_divide(v, power);
}

/* The smaller, or larger, of two. */
static struct dl__value value_limit(struct dl__value a, struct dl__value b, bool smaller)
{
    struct dl__value limit = a, other = b;

    if (any_is_nothing(a, b))
        return value_nothing();
    if (b.kind == DL__V_UNIFORM) {
        limit = b;
        other = a;
    }
    if (other.kind != DL__V_LINEAR || limit.kind != DL__V_UNIFORM)
        return value_join(a, b, false);
    /* Most places are above a small bound, and below any other; those that fall may be
     * anywhere. */
    if ((smaller ? is_small(limit, other) || is_within(limit, other)
                 : is_bounded(limit) && !is_small(limit, other)) ||
        (!smaller && other.step < 0))
        return value_of(DL__V_UNKNOWN);
    return value_join_rare(other, limit);
}

static struct dl__value value_loaded(struct dl__value place)
{
    if (place.kind == DL__V_NOTHING)
        return place;
    return value_of(place.kind == DL__V_UNIFORM ? DL__V_UNIFORM : DL__V_GATHER);
}

/* ---- Values of expressions as neighbouring work-items see them. ---- */

static struct dl__pair pair_at(const struct dl__frame *f,
                               const struct dl__outline_variable *v,
                               const struct dl__node *at);

enum dl__agreement dl__agreement_opposite(enum dl__agreement a)
{
    return a == DL__MOSTLY_YES ? DL__MOSTLY_NO : a == DL__MOSTLY_NO ? DL__MOSTLY_YES : a;
}

enum dl__agreement dl__agreement_both(enum dl__agreement a, enum dl__agreement b)
{
    if (a == DL__DIVERGENT || b == DL__DIVERGENT)
        return DL__DIVERGENT;
    if (a == DL__MOSTLY_NO || b == DL__MOSTLY_NO)
        return DL__MOSTLY_NO;
    return a == DL__MOSTLY_YES || b == DL__MOSTLY_YES ? DL__MOSTLY_YES : DL__SAME;
}

/* One of two, by a condition. */
static struct dl__value value_chosen(enum dl__agreement first, struct dl__value a,
                                     struct dl__value b)
{
    if (first == DL__MOSTLY_YES)
        return value_join_rare(a, b);
    if (first == DL__MOSTLY_NO)
        return value_join_rare(b, a);
    return value_join(a, b, first == DL__DIVERGENT);
}

/* A place that steps, against a bound: one side of it has nearly all of them. */
static enum dl__agreement compare(const char *op, struct dl__value place,
                                  struct dl__value bound)
{
    bool small = is_small(bound, place);

    if (op[0] == '=')
        return DL__MOSTLY_NO;
    if (op[0] == '!')
        return DL__MOSTLY_YES;
    if (is_within(bound, place))
        return DL__DIVERGENT;
    /* Nearly all places are above a small bound, and below any other. */
    return (op[0] == '<') != small ? DL__MOSTLY_YES : DL__MOSTLY_NO;
}

static bool is_comparison(const struct dl__node *n)
{
    return n->kind == DL__N_BINARY && n->child_count == 2 &&
           (((n->op[0] == '<' || n->op[0] == '>') && n->op[1] != n->op[0]) ||
            dl__op_is(n, "==") || dl__op_is(n, "!="));
}

static enum dl__agreement agreement_of_comparison(struct dl__frame *f, struct dl__node *n)
{
    struct dl__value a = dl__evaluate(f, n->children[0]),
                     b = dl__evaluate(f, n->children[1]);

    if (a.kind <= DL__V_UNIFORM && b.kind <= DL__V_UNIFORM)
        return DL__SAME;
    if (a.kind == DL__V_LINEAR && b.kind <= DL__V_UNIFORM)
        return compare(n->op, a, b);
    if (b.kind == DL__V_LINEAR && a.kind <= DL__V_UNIFORM)
        return compare(n->op[0] == '<' ? ">" : n->op[0] == '>' ? "<" : n->op, b, a);
    return DL__DIVERGENT;
}

enum dl__agreement dl__agreement_of(struct dl__frame *f, struct dl__node *n)
{
    struct dl__value v;

    n = dl__strip(n);
    if (n->kind == DL__N_UNARY && dl__op_is(n, "!") && n->child_count)
        return dl__agreement_opposite(dl__agreement_of(f, n->children[0]));
    if (n->kind == DL__N_BINARY && n->child_count == 2 && dl__op_is(n, "&&"))
        return dl__agreement_both(dl__agreement_of(f, n->children[0]),
                                  dl__agreement_of(f, n->children[1]));
    if (n->kind == DL__N_BINARY && n->child_count == 2 && dl__op_is(n, "||"))
        return dl__agreement_opposite(dl__agreement_both(
            dl__agreement_opposite(dl__agreement_of(f, n->children[0])),
            dl__agreement_opposite(dl__agreement_of(f, n->children[1]))));
    if (is_comparison(n))
        return agreement_of_comparison(f, n);
    v = dl__evaluate(f, n);
    if (v.kind <= DL__V_UNIFORM)
        return DL__SAME;
    return v.kind == DL__V_LINEAR ? DL__MOSTLY_YES : DL__DIVERGENT; /* not 0 */
}

/* ---- Calls: what builtins and helpers return. ---- */

static bool is_one_of(const char *name, const char *names)
{
    return dl__is_in(names, name, strlen(name));
}

static struct dl__value argument(struct dl__frame *f, struct dl__node *n, size_t number)
{
    return number + 1 < n->child_count ? dl__evaluate(f, n->children[number + 1])
                                       : value_of(DL__V_UNKNOWN);
}

/* Made of the children from `first` on. */
static struct dl__value mixed(struct dl__frame *f, struct dl__node *n, size_t first)
{
    struct dl__value v = value_of(DL__V_UNIFORM);

    for (size_t i = first; i < n->child_count; i++)
        v = value_mix(v, dl__evaluate(f, n->children[i]));
    return v;
}

/* ---- builtins ---- */

/* Takes what the launch says: ids of the first dimension step. False for other builtins.
 */
static bool take_launch(struct dl__frame *f, struct dl__node *n, struct dl__value *out)
{
    static const char sizes[] =
        "get_group_id get_global_size get_local_size get_num_groups get_global_offset "
        "get_work_dim get_sub_group_size get_enqueued_local_size get_sub_group_id "
        "get_num_sub_groups get_max_sub_group_size";
    struct dl__value dimension;

    if (is_one_of(n->name, "get_global_linear_id get_local_linear_id "
                           "get_sub_group_local_id")) {
        *out = value_linear(1);
    } else if (is_one_of(n->name, sizes)) {
        *out = value_of(DL__V_UNIFORM);
    } else if (is_one_of(n->name, "get_global_id get_local_id")) {
        dimension = argument(f, n, 0);
        *out = !dl__value_is_constant(dimension) ? value_of(DL__V_UNKNOWN)
               : dimension.rest                  ? value_of(DL__V_UNIFORM)
                                                 : value_linear(1);
    } else {
        return false;
    }
    return true;
}

/* Arithmetic on integers by name. */
static bool take_arithmetic(struct dl__frame *f, struct dl__node *n,
                            struct dl__value *out)
{
    struct dl__value a, b;

    if (n->child_count < 3)
        return false;
    a = argument(f, n, 0);
    b = argument(f, n, 1);
    if (is_one_of(n->name, "add_sat sub_sat")) {
        *out = value_add(a, n->name[0] == 's' ? value_negate(b) : b);
    } else if (is_one_of(n->name, "mul24 mad24 mad_sat")) {
        *out = dl__value_multiply(a, b);
        if (n->child_count == 4)
            *out = value_add(*out, argument(f, n, 2));
    } else if (!strcmp(n->name, "min") || !strcmp(n->name, "max")) {
        *out = value_limit(a, b, n->name[1] == 'i');
    } else if (!strcmp(n->name, "clamp") && n->child_count == 4) {
        *out = value_limit(value_limit(a, b, false), argument(f, n, 2), true);
    } else if (!strcmp(n->name, "select") && n->child_count == 4) {
        *out = value_join(a, b, dl__agreement_of(f, n->children[3]) == DL__DIVERGENT);
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
        return value_of(DL__V_GATHER);
    if (!strncmp(n->name, "vload", 5))
        return value_loaded(mixed(f, n, 1));
    if (is_integer(f, n)) {
        if (take_arithmetic(f, n, &v))
            return v;
        if ((!strncmp(n->name, "convert_", 8) || !strncmp(n->name, "as_", 3)) &&
            n->child_count == 2 && is_integer(f, n->children[1]))
            return argument(f, n, 0);
    }
    return mixed(f, n, 1);
}

/* ---- helpers ---- */

static struct dl__value evaluate_call(struct dl__frame *f, struct dl__node *n)
{
    struct dl__function *callee = dl__ast_callee(f->outline->unit->tracker->ast, n);
    struct dl__value unknown = value_of(DL__V_UNKNOWN);
    struct dl__frame *frame;

    if (!callee)
        return n->name ? evaluate_builtin(f, n) : unknown;
    /* Nothing steps by a number that is not an integer: it need not be followed. */
    frame = is_integer(f, n) ? dl__frame_of_call(f, n, callee) : NULL;
    return frame ? frame->result : value_mix(mixed(f, n, 1), unknown);
}

/* ---- Pointers into buffers: which struct, or which row and which element of it. ---- */

/* ---- pairs ---- */

static const struct dl__pair nothing;

static struct dl__pair pair_zero(void)
{
    return (struct dl__pair){dl__value_constant(0), dl__value_constant(0)};
}

static struct dl__pair pair_unknown(const struct dl__frame *f, struct dl__node *n)
{
    return (struct dl__pair){.rows = value_of(DL__V_UNKNOWN),
                             .rest = value_of(DL__V_UNKNOWN),
                             .rows_vary = dl__variation_of(f->outline, n)};
}

/* Made of two: of these parts. */
static struct dl__pair pair_of(struct dl__pair a, struct dl__pair b,
                               struct dl__value rows, struct dl__value rest)
{
    return (struct dl__pair){rows, rest, a.rows_vary | b.rows_vary,
                             a.rest_vary | b.rest_vary};
}

struct dl__pair dl__pair_add(struct dl__pair a, struct dl__pair b)
{
    return pair_of(a, b, value_add(a.rows, b.rows), value_add(a.rest, b.rest));
}

static struct dl__pair pair_join(struct dl__pair a, struct dl__pair b, bool divergent)
{
    return pair_of(a, b, value_join(a.rows, b.rows, divergent),
                   value_join(a.rest, b.rest, divergent));
}

static bool pair_equals(struct dl__pair a, struct dl__pair b)
{
    return value_equals(a.rows, b.rows) && value_equals(a.rest, b.rest) &&
           a.rows_vary == b.rows_vary && a.rest_vary == b.rest_vary;
}

static struct dl__pair negated(struct dl__pair p)
{
    return pair_of(p, p, value_negate(p.rows), value_negate(p.rest));
}

struct dl__value dl__pair_struct(const struct dl__root *root, struct dl__pair p,
                                 struct dl__value *inside)
{
    int64_t width = dl__row_elements(root), carry;
    struct dl__value rows = p.rows, by;

    *inside = value_nothing();
    if (dl__is_of_arrays(root)) {
        *inside = dl__value_is_constant(p.rows) ? p.rows : *inside;
        return p.rest;
    }
    if (width == 1 && dl__is_of_structs(root))
        return rows;
    if (dl__value_is_constant(p.rest)) {
        carry = width ? p.rest.rest / width - (p.rest.rest % width < 0) : 0;
        *inside = dl__value_constant(p.rest.rest - carry * width);
        return value_add(rows, dl__value_constant(carry));
    }
    if (p.rest.kind == DL__V_NOTHING || p.rest.kind == DL__V_UNIFORM)
        return value_mix(rows, p.rest).kind == DL__V_NOTHING ? value_nothing() : rows;
    by = width ? dl__value_constant(width) : value_of(DL__V_UNIFORM);
    /* Without rows, all of it decides; else it is taken to stay in its row. */
    if (dl__value_is_constant(rows))
        return value_divide(p.rest, by);
    if (rows.kind != DL__V_LINEAR || p.rest.kind == DL__V_GATHER)
        return rows;
    return value_add(rows, value_divide(p.rest, by));
}

/* ---- offsets ---- */

struct dl__pair dl__pair_of_number(const struct dl__root *root, struct dl__value v,
                                   dl__variation varies)
{
    int64_t width = dl__row_elements(root);
    struct dl__pair p = {dl__value_constant(0), v, 0, varies};

    if (v.kind == DL__V_NOTHING)
        p.rows = v;
    if (width && v.modulus % width == 0 && v.kind != DL__V_NOTHING) {
        int64_t rest = v.rest % width;

        p.rows_vary = varies;
        p.rest_vary = 0;
        p.rest = dl__value_constant(rest);
        p.rows = dl__value_is_constant(v)
                     ? dl__value_constant((v.rest - rest) / width)
                     : value_divide(value_add(v, dl__value_constant(-rest)),
                                    dl__value_constant(width));
        if (v.kind >= DL__V_UNKNOWN)
            p.rows = value_of(v.kind);
    }
    return p;
}

/* True of a sum of what the function itself has. */
static bool is_own(const struct dl__function *f, const struct dl__polynomial *sum)
{
    bool is = true;

    for (size_t t = 0; t < sum->terms.count; t++)
        for (size_t a = 0; a < sum->terms.items[t].count; a++) {
            const struct dl__origin *o = sum->terms.items[t].atoms[a]->origin;

            is &= o->node ? o->node->begin >= f->body_at && o->node->end <= f->body_end
                          : !o->of[0] || is_own(f, &o->of[0]->sum);
        }
    return is;
}

static bool sees_through(struct dl__scope *scope, struct dl__node *n,
                         const struct dl__integer *value)
{
    return n->kind != DL__N_CALL || scope->depth ||
           is_own(scope->unit->function, &value->sum);
}

static struct dl__scope *scope_of(const struct dl__frame *f)
{
    struct dl__outline *o = f->outline;

    if (!o->scope) {
        o->scope = dl__rows_scope(o->unit);
        o->scope->evaluation->sees_through = sees_through;
    }
    return o->scope;
}

/* What a term of a sum is, and *varies with. */
static struct dl__value value_of_term(struct dl__frame *f,
                                      const struct dl__polynomial_term *term,
                                      dl__variation *varies)
{
    struct dl__value v = dl__value_constant(term->coefficient);

    for (size_t a = 0; a < term->count; a++) {
        const struct dl__origin *o = term->atoms[a]->origin;
        struct dl__value by = value_of(DL__V_UNIFORM);

        if (o->node) {
            by = dl__evaluate(f, o->node);
            *varies |= dl__variation_of(f->outline, o->node);
        } else if (o->parameter != SIZE_MAX) {
            by = f->arguments[o->parameter].rows;
            *varies |= dl__variation_bit(o->parameter);
        } else if (o->of[0]) {
            by = dl__value_constant(0);
            for (size_t t = 0; t < o->of[0]->sum.terms.count; t++)
                by = value_add(by,
                               value_of_term(f, &o->of[0]->sum.terms.items[t], varies));
        }
        v = dl__value_multiply(v, by);
    }
    return v;
}

/* Sums of terms, each of which may be rows; of a width that the text knows, arithmetic
 * says so. */
static struct dl__pair offset_of(struct dl__frame *f, const struct dl__root *root,
                                 struct dl__node *n)
{
    struct dl__scope *scope = scope_of(f);
    struct dl__polynomial rows = {{0}, {0}}, rest = {{0}, {0}};
    const struct dl__integer *value = dl__integer_of(scope, n);
    struct dl__pair pair = pair_zero();

    if (!dl__polynomial_unconverted(f->analysis->arena, &value->sum, &rest))
        rest = value->sum;
    if (root->shape && !dl__row_elements(root))
        dl__rows_split(scope, root, &rows, &rest);
    for (size_t t = 0; t < rows.terms.count; t++) {
        struct dl__pair by = {.rest = dl__value_constant(0)};

        by.rows = value_of_term(f, &rows.terms.items[t], &by.rows_vary);
        pair = dl__pair_add(pair, by);
    }
    for (size_t t = 0; t < rest.terms.count; t++) {
        dl__variation varies = 0;
        struct dl__value v = value_of_term(f, &rest.terms.items[t], &varies);

        pair = dl__pair_add(pair, dl__pair_of_number(root, v, varies));
    }
    return pair;
}

struct dl__pair dl__evaluate_offset(struct dl__frame *f, const struct dl__root *root,
                                    struct dl__node *n)
{
    if (root->is_part) /* it stays in its struct; the rest is bytes */
        return (struct dl__pair){
            dl__value_constant(0),
            dl__value_multiply(dl__evaluate(f, n),
                               dl__value_constant(root->element_type->bytes)),
            0, dl__variation_of(f->outline, n)};
    if (root->element_type->kind == DL__T_STRUCT)
        return (struct dl__pair){dl__evaluate(f, n), dl__value_constant(0),
                                 dl__variation_of(f->outline, n), 0};
    return offset_of(f, root, n);
}

/* ---- pointers ---- */

/* What is added to a pointer, which may count bytes. */
static struct dl__pair added(struct dl__frame *f, struct dl__node *pointer,
                             struct dl__node *n)
{
    struct dl__unit *u = f->outline->unit;
    const struct dl__root *root = dl__root_of(u, pointer);
    struct dl__pair by = dl__evaluate_offset(f, root, n);
    uint32_t bytes = dl__bytes_counted(u, pointer);

    if (bytes)
        by.rows = value_divide(by.rows, dl__value_constant(root->element->bytes / bytes));
    return by;
}

struct dl__pair dl__evaluate_place(struct dl__frame *f, const struct dl__access *p)
{
    struct dl__pair pair = pair_zero();

    for (size_t i = 0; i < p->array_count; i++) {
        pair.rows = value_add(
            pair.rows, dl__value_multiply(dl__evaluate(f, p->array_index[i]),
                                          dl__value_constant((int64_t)p->array_step[i])));
        pair.rows_vary |= dl__variation_of(f->outline, p->array_index[i]);
    }
    if (p->array_count)
        return pair;
    pair = dl__evaluate_pointer(f, p->pointer);
    return p->index ? dl__pair_add(pair, dl__evaluate_offset(f, p->root, p->index))
                    : pair;
}

/* A pointer to a part, whose rest is the part's first byte in its struct. */
static struct dl__pair pair_of_part(struct dl__frame *f, const struct dl__access *p)
{
    struct dl__pair pair = dl__evaluate_place(f, p);

    for (size_t i = 0; i < p->step_count; i++) {
        struct dl__value by = dl__value_constant(0);

        if (p->steps[i].field)
            by = dl__value_constant(p->steps[i].field->offset_bytes);
        else if (p->step_index[i])
            by = dl__value_multiply(dl__evaluate(f, p->step_index[i]),
                                    dl__value_constant(p->steps[i].type->bytes));
        if (p->step_index[i])
            pair.rest_vary |= dl__variation_of(f->outline, p->step_index[i]);
        pair.rest = value_add(pair.rest, by);
    }
    return pair;
}

static struct dl__pair chosen(enum dl__agreement first, struct dl__pair a,
                              struct dl__pair b)
{
    return pair_of(a, b, value_chosen(first, a.rows, b.rows),
                   value_chosen(first, a.rest, b.rest));
}

static struct dl__pair pair_of_variable(struct dl__frame *f, struct dl__node *n)
{
    struct dl__outline_variable *v = dl__outline_find(f->outline, n->declared_at);

    return v && v->tracked ? pair_at(f, v, n) : pair_unknown(f, n);
}

/* A pointer that a helper returns. */
static struct dl__pair pair_of_call(struct dl__frame *f, struct dl__node *n)
{
    struct dl__function *callee = dl__ast_callee(f->outline->unit->tracker->ast, n);
    struct dl__frame *frame = callee ? dl__frame_of_call(f, n, callee) : NULL;

    struct dl__pair p = frame ? frame->result_pair : pair_unknown(f, n);

    p.rows_vary = p.rest_vary = 0;
    for (size_t i = 1; i < n->child_count; i++) {
        struct dl__pair argument = {.rows_vary = 0};

        if (dl__root_of(f->outline->unit, n->children[i]))
            argument = dl__evaluate_pointer(f, n->children[i]);
        else
            argument.rows_vary = dl__variation_of(f->outline, n->children[i]);
        p = pair_of(p, argument, p.rows, p.rest);
    }
    return p;
}

struct dl__pair dl__evaluate_pointer(struct dl__frame *f, struct dl__node *n)
{
    struct dl__unit *u = f->outline->unit;
    struct dl__access place;
    struct dl__node *left, *right;
    struct dl__pair either;

    if (dl__is_null(u, n))
        return nothing;
    n = dl__strip_casts(n);
    switch (n->kind) {
    case DL__N_NAME:
        return pair_of_variable(f, n);
    case DL__N_CALL:
        return pair_of_call(f, n);
    case DL__N_MEMBER:
    case DL__N_SUBSCRIPT:
        if (dl__find_place(u, n, &place))
            return pair_of_part(f, &place);
        return pair_unknown(f, n);
    case DL__N_UNARY:
        if (dl__op_is(n, "&") && dl__find_place(u, n->children[0], &place))
            return dl__is_of_structs(place.root) ? pair_of_part(f, &place)
                                                 : dl__evaluate_place(f, &place);
        return dl__evaluate_pointer(f, n->children[0]); /* ++, -- */
    case DL__N_COMPOUND:
        return dl__evaluate_pointer(f, n->children[0]);
    case DL__N_CONDITIONAL:
        either = chosen(dl__agreement_of(f, n->children[0]),
                        dl__evaluate_pointer(f, n->children[1]),
                        dl__evaluate_pointer(f, n->children[2]));
        either.rows_vary |= dl__variation_of(f->outline, n->children[0]);
        return either;
    case DL__N_BINARY:
        left = n->children[0];
        right = n->children[1];
        if (dl__op_is(n, "="))
            return dl__evaluate_pointer(f, right);
        if (dl__root_of(u, left)) {
            struct dl__pair by = added(f, left, right);

            return dl__pair_add(dl__evaluate_pointer(f, left),
                                dl__op_is(n, "-") ? negated(by) : by);
        }
        return dl__pair_add(dl__evaluate_pointer(f, right), added(f, right, left));
    default:
        return pair_unknown(f, n);
    }
}

/* What a variable is at one place: which of its changes may be the last before it,
 * and whether neighbours may come by different ones. */

enum { CHANGES_MAX = 64 }; /* of a variable; of more, all count everywhere */

/* Both places are in one arm of an if, or behind one operator. */
static bool same_arm(const struct dl__branch *b, size_t a, size_t other)
{
    for (size_t i = 0; i < b->node->child_count; i++) {
        const struct dl__node *arm = b->node->children[i];

        if (a >= arm->begin && a < arm->end)
            return other >= arm->begin && other < arm->end;
    }
    return false;
}

/* True when whoever comes to the place has come by the change, and by none before it
 * since. */
static bool dominates(const struct dl__outline *o, const struct dl__change *c,
                      const struct dl__node *at)
{
    if (c->partial || c->kind == DL__C_ESCAPE || c->end > at->begin || o->has_goto)
        return false;
    for (int i = c->branch; i != DL__NO_BRANCH; i = o->branches.items[i].parent) {
        const struct dl__branch *b = &o->branches.items[i];

        if (!dl__branch_holds(b, at->begin) || b->kind == DL__B_SWITCH ||
            (b->kind != DL__B_LOOP && !same_arm(b, c->at->begin, at->begin)))
            return false;
    }
    return true;
}

/* The last change that dominates the place; NULL: none. */
static const struct dl__change *last_sure(const struct dl__outline *o,
                                          const struct dl__outline_variable *v,
                                          const struct dl__node *at)
{
    const struct dl__change *last = NULL;

    for (const struct dl__change *c = v->changes; c; c = c->next)
        if (dominates(o, c, at) && (!last || c->end >= last->end))
            last = c;
    return last;
}

/* The change is in one arm of an if, and the place in the other. */
static bool is_in_other_arm(const struct dl__outline *o, const struct dl__change *c,
                            const struct dl__node *at)
{
    for (int i = c->branch; i != DL__NO_BRANCH; i = o->branches.items[i].parent) {
        const struct dl__branch *b = &o->branches.items[i];

        if (b->kind == DL__B_IF && dl__branch_holds(b, at->begin) &&
            !same_arm(b, c->at->begin, at->begin))
            return true;
    }
    return false;
}

/* True when the place may see the change, given the last that it is sure to have come by.
 */
static bool reaches(const struct dl__outline *o, const struct dl__change *c,
                    const struct dl__change *sure, const struct dl__node *at)
{
    if (c == sure)
        return true;
    if (sure && c->end < sure->end && c->kind != DL__C_ESCAPE)
        return false;
    if (o->has_goto || (c->end <= at->begin && !is_in_other_arm(o, c, at)))
        return true;
    /* In the round before. */
    for (int i = c->branch; i != DL__NO_BRANCH; i = o->branches.items[i].parent)
        if (o->branches.items[i].kind == DL__B_LOOP &&
            dl__branch_holds(&o->branches.items[i], at->begin) &&
            !(sure && dl__branch_is_around(o, i, sure->branch)))
            return true;
    return false;
}

/* How a set of changes is seen at a place. */
struct sight {
    bool divergent; /* neighbours may come by different ones */
    bool left;      /* of a loop that neighbours leave in different rounds */
    bool inside;    /* of such a loop */
};

/* True when neighbours may differ in whether they go past the change in a round of the
 * loop. */
static bool is_skipped(const struct dl__frame *f, const struct dl__change *c, int loop)
{
    const struct dl__outline *o = f->outline;
    bool divergent = false;

    for (size_t j = 0; j < o->jumps.count; j++) {
        const struct dl__jump *jump = &o->jumps.items[j];

        if (jump->breaks || jump->loop != loop || jump->at >= c->at->begin)
            continue;
        for (int i = jump->branch; i != loop; i = o->branches.items[i].parent)
            divergent |= f->agreements[i] == DL__DIVERGENT;
    }
    return divergent;
}

static void look_at(const struct dl__frame *f, const struct dl__change *c, int anchor,
                    const struct dl__node *at, struct sight *out)
{
    const struct dl__outline *o = f->outline;

    for (int b = c->branch; b != DL__NO_BRANCH; b = o->branches.items[b].parent) {
        const struct dl__branch *branch = &o->branches.items[b];

        if (dl__branch_is_around(o, b, anchor))
            return;
        if (branch->kind != DL__B_LOOP) {
            out->divergent |= f->agreements[b] == DL__DIVERGENT;
            continue;
        }
        if (f->agreements[b] == DL__DIVERGENT) {
            out->left = true;
            out->inside |= dl__branch_holds(branch, at->begin);
        }
        out->divergent |= c->end != branch->node->end && is_skipped(f, c, b);
    }
}

static struct dl__value seen(struct dl__value v, const struct sight *sight)
{
    return v.kind == DL__V_UNIFORM && !dl__value_is_constant(v) && sight->left &&
                   !sight->inside
               ? value_of(DL__V_UNKNOWN)
               : v;
}

/* Parts of an array, struct or vector are told apart by nothing but what they are. */
static struct dl__value join_part(struct dl__value a, struct dl__value b)
{
    return a.kind == DL__V_NOTHING || b.kind == DL__V_NOTHING ||
                   (a.kind == b.kind && a.step == b.step)
               ? value_join(a, b, false)
               : value_mix(a, b);
}

static bool is_rare_arm(const struct dl__frame *f, int number, size_t at)
{
    const struct dl__branch *b = &f->outline->branches.items[number];

    if (b->kind != DL__B_IF || b->node->child_count < 2)
        return false;
    return f->agreements[number] == (same_arm(b, b->node->children[1]->begin, at)
                                         ? DL__MOSTLY_NO
                                         : DL__MOSTLY_YES);
}

/* True when nearly all work-items go past a place, given the innermost branch around it.
 */
static bool is_rare_path(const struct dl__frame *f, int branch, size_t at)
{
    for (; branch != DL__NO_BRANCH; branch = f->outline->branches.items[branch].parent)
        if (is_rare_arm(f, branch, at))
            return true;
    return false;
}

/* True for a change that nearly all work-items go past, in a branch that the place is not
 * in. */
static bool is_rare(const struct dl__frame *f, const struct dl__change *c, int anchor,
                    const struct dl__node *at)
{
    const struct dl__outline *o = f->outline;

    for (int i = c->branch; i != DL__NO_BRANCH; i = o->branches.items[i].parent) {
        if (dl__branch_is_around(o, i, anchor))
            return false;
        if (!dl__branch_holds(&o->branches.items[i], at->begin) &&
            is_rare_arm(f, i, c->at->begin))
            return true;
    }
    return false;
}

static struct dl__pair at_first(const struct dl__frame *f,
                                const struct dl__outline_variable *v)
{
    return v->declaration ? nothing : f->arguments[v->parameter];
}

static struct dl__value unless_uniform(struct dl__value v)
{
    return v.kind == DL__V_UNIFORM && !dl__value_is_constant(v) ? value_of(DL__V_UNKNOWN)
                                                                : v;
}

/* Where there are more changes than are told apart. */
static struct dl__pair anywhere(const struct dl__frame *f,
                                const struct dl__outline_variable *v)
{
    struct dl__pair p =
        pair_join(at_first(f, v), f->anywhere[v->number], f->outline->has_goto);

    return pair_of(p, p, unless_uniform(p.rows), unless_uniform(p.rest));
}

static struct dl__pair pair_at(const struct dl__frame *f,
                               const struct dl__outline_variable *v,
                               const struct dl__node *at)
{
    const struct dl__outline *o = f->outline;
    const struct dl__change *sure;
    struct sight sight = {.divergent = o->has_goto};
    struct dl__pair p, rare = nothing;
    bool parts = false;
    int anchor;

    if (v->change_count > CHANGES_MAX)
        return anywhere(f, v);
    sure = last_sure(o, v, at);
    anchor = sure ? sure->branch : v->branch;
    p = sure ? f->changed[sure->number] : at_first(f, v);
    for (const struct dl__change *c = v->changes; c; c = c->next) {
        parts |= c->partial;
        if (c != sure && reaches(o, c, sure, at) && !is_rare(f, c, anchor, at))
            look_at(f, c, anchor, at, &sight);
    }
    for (const struct dl__change *c = v->changes; c; c = c->next) {
        struct dl__pair by = f->changed[c->number];

        if (c == sure || !reaches(o, c, sure, at))
            continue;
        if (parts)
            p.rows = join_part(p.rows, by.rows);
        else if (is_rare(f, c, anchor, at))
            rare = pair_join(rare, by, false);
        else
            p = pair_join(p, by, sight.divergent);
    }
    return pair_of(p, rare, value_join_rare(seen(p.rows, &sight), rare.rows),
                   value_join_rare(seen(p.rest, &sight), rare.rest));
}

static struct dl__value value_at(const struct dl__frame *f,
                                 const struct dl__outline_variable *v,
                                 const struct dl__node *at)
{
    return pair_at(f, v, at).rows;
}

/* A frame's variables, settled by going over its changes until nothing is new. */

enum { ROUNDS_MAX = 64, FREE_ROUNDS = 4 };

/* ---- changes ---- */

/* True when neighbours may differ in whether, or how often, the change is made before
 * what it changes is seen; *again: it may be made several times. */
static bool is_divergent(const struct dl__frame *f, const struct dl__change *c,
                         bool *again)
{
    const struct dl__outline *o = f->outline;
    bool divergent = o->has_goto;

    *again = o->has_goto;
    for (int b = c->branch; b != DL__NO_BRANCH; b = o->branches.items[b].parent) {
        const struct dl__branch *branch = &o->branches.items[b];

        if (dl__branch_is_around(o, b, c->variable->branch))
            break;
        if (branch->kind != DL__B_LOOP) {
            divergent |= f->agreements[b] == DL__DIVERGENT;
            continue;
        }
        *again = true;
        divergent |= is_skipped(f, c, b);
    }
    return divergent;
}

static struct dl__value changed_value(struct dl__frame *f, const struct dl__change *c)
{
    switch (c->kind) {
    case DL__C_SET:
        return dl__evaluate(f, c->source);
    case DL__C_UPDATE:
        return dl__evaluate(f, c->at);
    case DL__C_STEP:
        return value_add(value_at(f, c->variable, c->at),
                         dl__value_constant(c->at->op[0] == '+' ? 1 : -1));
    default:
        return value_of(DL__V_UNKNOWN);
    }
}

/* True of pointers that step in rows. */
static bool has_rest(const struct dl__root *root)
{
    return root->is_part || root->element_type->kind != DL__T_STRUCT;
}

static struct dl__pair changed_pointer(struct dl__frame *f, const struct dl__change *c)
{
    const struct dl__root *root = c->variable->tracked->root;
    struct dl__pair p = pair_at(f, c->variable, c->at), by = pair_zero();
    dl__variation outlived, around = dl__loops_around(f->outline, c, &outlived);

    if (c->kind == DL__C_SET && dl__is_null(f->outline->unit, c->source))
        return nothing;
    if (c->kind == DL__C_SET)
        p = dl__root_of(f->outline->unit, c->source) ? dl__evaluate_pointer(f, c->source)
                                                     : pair_zero();
    else if (c->kind == DL__C_UPDATE)
        by = added(f, c->at->children[0], c->source);
    else if (root->is_part)
        by.rest = dl__value_constant(root->element_type->bytes);
    else if (root->element_type->kind == DL__T_STRUCT)
        by.rows = dl__value_constant(1);
    else
        by.rest = dl__value_constant(1);
    p = dl__pair_add(p, c->at->op[0] == '-' ? negated(by) : by);
    p.rows_vary &= around;
    p.rest_vary &= around;
    *(has_rest(root) ? &p.rest_vary : &p.rows_vary) |= outlived;
    return p;
}

/* Neighbours that change it a different number of times are no longer in step. */
static struct dl__value scattered(struct dl__value v)
{
    return v.kind == DL__V_NOTHING ? v : value_mix(v, value_of(DL__V_UNKNOWN));
}

/* Takes a new value for an old one; true when it is another. What does not settle at once
 * grows from then on, so that it does. */
static bool take_value(const struct dl__frame *f, struct dl__value *old,
                       struct dl__value v)
{
    if (f->round >= FREE_ROUNDS) {
        v = value_join(*old, v, false);
        v.most = v.most == old->most ? v.most : 0;
    }
    if (value_equals(*old, v))
        return false;
    *old = v;
    return true;
}

/* True when something is new. */
static bool apply(struct dl__frame *f, const struct dl__change *c)
{
    struct dl__pair *all = &f->anywhere[c->variable->number], p = nothing;
    struct dl__pair *to = &f->changed[c->number];
    bool again, divergent = is_divergent(f, c, &again), is_new;

    if (c->variable->tracked)
        p = changed_pointer(f, c);
    else
        p.rows = changed_value(f, c);
    if (divergent && again && c->of_itself)
        p = pair_of(p, p, scattered(p.rows), scattered(p.rest));
    is_new = take_value(f, &to->rows, p.rows);
    is_new |= take_value(f, &to->rest, p.rest);
    is_new |= (p.rows_vary & ~to->rows_vary) || (p.rest_vary & ~to->rest_vary);
    to->rows_vary |= p.rows_vary;
    to->rest_vary |= p.rest_vary;
    *all = pair_join(*all, p, divergent);
    return is_new;
}

/* ---- conditions ---- */

static bool find_agreement(struct dl__frame *f, size_t b)
{
    const struct dl__branch *branch = &f->outline->branches.items[b];
    enum dl__agreement is = DL__SAME;

    if (!branch->condition ||
        (branch->kind == DL__B_LOOP && f->agreements[b] == DL__DIVERGENT))
        return false;
    if (branch->kind != DL__B_SWITCH)
        is = dl__agreement_of(f, branch->condition);
    else if (dl__evaluate(f, branch->condition).kind > DL__V_UNIFORM)
        is = DL__DIVERGENT;
    if (f->agreements[b] == is)
        return false;
    f->agreements[b] = is;
    return true;
}

/* Loops that some of them leave in the middle. */
static bool find_left_loops(struct dl__frame *f)
{
    const struct dl__outline *o = f->outline;
    bool changed = false;

    for (size_t j = 0; j < o->jumps.count; j++) {
        const struct dl__jump *jump = &o->jumps.items[j];
        int i = jump->branch;

        if (!jump->breaks || jump->loop == DL__NO_BRANCH ||
            f->agreements[jump->loop] == DL__DIVERGENT)
            continue;
        while (i != jump->loop && i != DL__NO_BRANCH && f->agreements[i] != DL__DIVERGENT)
            i = o->branches.items[i].parent;
        if (i == jump->loop || i == DL__NO_BRANCH)
            continue;
        f->agreements[jump->loop] = DL__DIVERGENT;
        changed = true;
    }
    return changed;
}

/* ---- rounds ---- */

/* Conditions and changes, in the order of the text. */
static bool run_round(struct dl__frame *f)
{
    const struct dl__outline *o = f->outline;
    bool changed = false;
    size_t b = 0;

    for (size_t i = 0; i <= o->changes.count; i++) {
        size_t until = i < o->changes.count ? o->changes.items[i].at->begin : SIZE_MAX;

        while (b < o->branches.count && (o->branches.items[b].condition
                                             ? o->branches.items[b].condition->begin
                                             : o->branches.items[b].node->begin) <= until)
            changed |= find_agreement(f, b++);
        if (i < o->changes.count)
            changed |= apply(f, &o->changes.items[i]);
    }
    return find_left_loops(f) || changed;
}

static void find_result(struct dl__frame *f)
{
    const struct dl__outline *o = f->outline;
    struct dl__value v = value_nothing(), rare = v;
    bool divergent = o->has_goto;

    f->result_pair = nothing;
    for (size_t i = 0; i < o->returns.count; i++)
        for (int b = o->returns.items[i].branch; b != DL__NO_BRANCH;
             b = o->branches.items[b].parent)
            divergent |= f->agreements[b] == DL__DIVERGENT;
    for (size_t i = 0; i < o->returns.count; i++) {
        struct dl__node *n = o->returns.items[i].value;
        struct dl__value *to =
            is_rare_path(f, o->returns.items[i].branch, n->begin) ? &rare : &v;

        *to = value_join(*to, dl__evaluate(f, n), divergent);
        if (o->unit->returned)
            f->result_pair =
                pair_join(f->result_pair, dl__evaluate_pointer(f, n), divergent);
    }
    f->result = value_join_rare(v, rare);
}

static void frame_solve(struct dl__frame *f)
{
    struct dl__analysis *a = f->analysis;
    bool changed = true;

    f->is_busy = true;
    a->depth++;
    for (f->round = 0; changed && !a->failed; f->round++) {
        unsigned version = a->version;

        a->failed |= f->round == ROUNDS_MAX;
        changed = run_round(f) || version != a->version;
    }
    find_result(f);
    a->depth--;
    f->is_busy = false;
    f->is_solved = true;
}

/* ---- What an expression is, given what the frame's variables are. ---- */

enum { STEPS_MAX = 4000 * 1000 };

static struct dl__unit *unit_of(const struct dl__frame *f)
{
    return f->outline->unit;
}

/* ---- names ---- */

/* A pointer into a buffer as one number. */
static struct dl__value collapse(const struct dl__root *root, struct dl__pair p)
{
    int64_t width = dl__row_elements(root);

    if (width)
        return value_add(dl__value_multiply(p.rows, dl__value_constant(width)),
                         width == 1 ? dl__value_constant(0) : p.rest);
    return dl__value_is_constant(p.rows) ? p.rest : value_mix(p.rows, p.rest);
}

static struct dl__value evaluate_name(struct dl__frame *f, struct dl__node *n)
{
    struct dl__outline_variable *v;

    if (n->is_constant)
        return dl__value_constant(n->constant);
    v = n->declared_at == SIZE_MAX ? NULL : dl__outline_find(f->outline, n->declared_at);
    if (!v)
        return value_of(DL__V_UNIFORM); /* of program scope */
    return v->tracked ? collapse(v->tracked->root, pair_at(f, v, n)) : value_at(f, v, n);
}

/* ---- places ---- */

/* The variable that an lvalue is, or is in; NULL: memory behind a pointer, or not the
 * function's. */
static struct dl__outline_variable *variable_under(struct dl__frame *f,
                                                   struct dl__node *n)
{
    struct dl__node *name = dl__base_name(unit_of(f), n);
    struct dl__outline_variable *v = name && name->declared_at != SIZE_MAX
                                         ? dl__outline_find(f->outline, name->declared_at)
                                         : NULL;

    if (!v || v->in_local_memory ||
        (!v->declaration && dl__strip(n) != name &&
         unit_of(f)->function->parameters[v->parameter].type->kind == DL__T_POINTER))
        return NULL;
    return v;
}

/* Where an lvalue in memory is: what its pointer and indices are made of. */
static struct dl__value place_of(struct dl__frame *f, struct dl__node *n)
{
    struct dl__node *base;
    struct dl__value v;

    n = dl__strip(n);
    if (n->kind == DL__N_NAME || !n->child_count)
        return value_of(DL__V_UNIFORM);
    base = dl__strip(n->children[0]);
    if (n->kind == DL__N_UNARY)
        return dl__evaluate(f, base);
    if (n->kind != DL__N_MEMBER && n->kind != DL__N_SUBSCRIPT)
        return value_of(DL__V_UNKNOWN);
    v = dl__type_of(unit_of(f), base)->kind == DL__T_POINTER ? dl__evaluate(f, base)
                                                             : place_of(f, base);
    if (n->kind == DL__N_SUBSCRIPT && n->child_count == 2)
        v = value_mix(v, dl__evaluate(f, n->children[1]));
    return v;
}

/* Neighbours that look at other elements of their own array see other things. */
static struct dl__value element_of(struct dl__frame *f, struct dl__node *n,
                                   struct dl__value v)
{
    struct dl__value index = value_of(DL__V_UNIFORM);

    for (n = dl__strip(n); n->kind != DL__N_NAME && n->child_count;
         n = dl__strip(n->children[0]))
        if (n->kind == DL__N_SUBSCRIPT && n->child_count == 2)
            index = value_mix(index, dl__evaluate(f, n->children[1]));
    if (index.kind == DL__V_NOTHING)
        return index;
    return index.kind == DL__V_UNIFORM ? v : value_mix(v, index);
}

/* Returns the component of a vector that is set once: (int2)(a, b).x. libclang shows it
 * as a conversion. NULL: it is not known. */
static struct dl__node *component_of(struct dl__frame *f, struct dl__node *n)
{
    struct dl__unit *u = unit_of(f);
    struct dl__node *name = dl__strip(n->children[0]), *made;
    struct dl__outline_variable *v;
    size_t dot = dl__skip(u, n->children[0]->end);
    int which;

    if (name->kind != DL__N_NAME || name->declared_at == SIZE_MAX ||
        dl__text_at(u, dot) != '.')
        return NULL;
    dot = dl__skip(u, dot + 1);
    v = dl__outline_find(f->outline, name->declared_at);
    which =
        dot < n->end ? dl__component_of(u->tracker->ast->text + dot, n->end - dot) : -1;
    if (which < 0 || !v || !v->declaration || !v->changes || v->changes->next ||
        v->changes->kind != DL__C_SET)
        return NULL;
    made = dl__strip_casts(v->changes->source);
    while (made->child_count == 1 && made->kind == DL__N_OTHER)
        made = dl__strip_casts(made->children[0]);
    if (made->child_count != dl__type_of(u, v->declaration)->count ||
        made->kind != DL__N_OTHER || (size_t)which >= made->child_count)
        return NULL;
    return made->children[which];
}

static struct dl__value evaluate_tracked(struct dl__frame *f, const struct dl__access *p)
{
    struct dl__pair pair = dl__evaluate_place(f, p);
    struct dl__value place = collapse(p->root, pair);

    for (size_t i = 0; i < p->step_count; i++)
        if (p->step_index[i])
            place = value_mix(place, dl__evaluate(f, p->step_index[i]));
    return value_loaded(place);
}

/* libclang shows the type of what was declared as an array parameter as that array. */
static const struct dl__type *type_of_base(struct dl__frame *f, struct dl__node *n)
{
    const struct dl__outline_variable *v =
        n->kind == DL__N_NAME && n->declared_at != SIZE_MAX
            ? dl__outline_find(f->outline, n->declared_at)
            : NULL;

    return v && !v->declaration ? unit_of(f)->function->parameters[v->parameter].type
                                : dl__type_of(unit_of(f), n);
}

static struct dl__value evaluate_place(struct dl__frame *f, struct dl__node *n)
{
    struct dl__outline_variable *v;
    struct dl__node *base;
    struct dl__access place;
    const struct dl__type *type;

    if (!n->child_count)
        return value_of(DL__V_UNKNOWN);
    if (unit_of(f)->root_count && dl__find_place(unit_of(f), n, &place))
        return evaluate_tracked(f, &place);
    v = n->kind == DL__N_UNARY ? NULL : variable_under(f, n);
    if (v)
        return element_of(f, n, value_at(f, v, n));
    /* What stands behind a pointer to private memory is not followed. */
    base = dl__strip(n->children[0]);
    type = type_of_base(f, base);
    if (type->kind == DL__T_POINTER && type->address_space != DL__GLOBAL &&
        type->address_space != DL__CONSTANT && type->address_space != DL__LOCAL)
        return value_mix(value_of(DL__V_UNKNOWN), dl__evaluate(f, base));
    if (n->kind == DL__N_MEMBER && type->kind != DL__T_POINTER &&
        (base->kind == DL__N_CALL || base->kind == DL__N_PAREN))
        return dl__evaluate(f, base);
    return value_loaded(place_of(f, n));
}

/* ---- operators ---- */

static struct dl__value evaluate_apply(const char *op, struct dl__value a,
                                       struct dl__value b)
{
    switch (op[0]) {
    case '+':
        return value_add(a, b);
    case '-':
        return value_add(a, value_negate(b));
    case '*':
        return dl__value_multiply(a, b);
    case '/':
        return value_divide(a, b);
    case '%':
        return value_modulo(a, b);
    case '&':
        return op[1] == '&' ? value_mix(a, b) : value_and(a, b);
    case '|':
        return op[1] == '|' ? value_mix(a, b) : value_or(a, b);
    case '<':
    case '>':
        if (op[1] == op[0])
            return value_shift(a, b, op[0] == '<');
        return value_mix(a, b);
    default:
        return value_mix(a, b);
    }
}

static bool is_floating(struct dl__frame *f, struct dl__node *n)
{
    const struct dl__type *type = dl__type_of(unit_of(f), n);

    while (type->kind == DL__T_VECTOR)
        type = type->element;
    return type->kind != DL__T_POINTER &&
           !(type->kind == DL__T_SCALAR && type->scalar != 'f');
}

static struct dl__value evaluate_conversion(struct dl__frame *f, struct dl__node *n)
{
    struct dl__value v;

    if (n->child_count != 1)
        return mixed(f, n, 0);
    if (n->kind == DL__N_IMPLICIT && n->end != n->children[0]->end) {
        struct dl__node *component = component_of(f, n);

        if (component)
            return dl__evaluate(f, component);
    }
    v = dl__evaluate(f, n->children[0]);
    if (v.kind != DL__V_LINEAR || n->kind == DL__N_PAREN)
        return v;
    return is_floating(f, n) || is_floating(f, n->children[0]) ? value_mix(v, v) : v;
}

static struct dl__value evaluate_unary(struct dl__frame *f, struct dl__node *n)
{
    struct dl__value v;

    if (!n->child_count || !n->op[0])
        return value_of(DL__V_UNKNOWN);
    if (dl__op_is(n, "*"))
        return evaluate_place(f, n);
    if (dl__op_is(n, "&"))
        return variable_under(f, n->children[0]) ? value_of(DL__V_UNIFORM)
                                                 : place_of(f, n->children[0]);
    v = dl__evaluate(f, n->children[0]);
    if (dl__op_is(n, "-"))
        return value_negate(v);
    if (dl__op_is(n, "~"))
        return value_add(value_negate(v), dl__value_constant(-1));
    if (dl__op_is(n, "!"))
        return value_mix(v, v);
    return v; /* +, ++, -- */
}

static struct dl__value evaluate_binary(struct dl__frame *f, struct dl__node *n)
{
    struct dl__value a, b;

    if (n->child_count != 2 || !n->op[0])
        return value_mix(value_of(DL__V_UNKNOWN), mixed(f, n, 0));
    b = dl__evaluate(f, n->children[1]);
    if (n->kind == DL__N_BINARY && (dl__op_is(n, "=") || dl__op_is(n, ",")))
        return b;
    a = dl__evaluate(f, n->children[0]);
    a = evaluate_apply(n->op, a, b);
    return a.kind == DL__V_LINEAR && is_floating(f, n) ? value_mix(a, a) : a;
}

static struct dl__value evaluate_other(struct dl__frame *f, struct dl__node *n)
{
    struct dl__value v;
    int64_t literal;

    if (!n->child_count)
        return dl__literal_of(unit_of(f), n, &literal) ? dl__value_constant(literal)
                                                       : value_of(DL__V_UNIFORM);
    /* A list: one value stands for all. */
    v = dl__evaluate(f, n->children[0]);
    for (size_t i = 1; i < n->child_count; i++) {
        struct dl__value other = dl__evaluate(f, n->children[i]);

        v = v.kind == other.kind && v.step == other.step ? value_join(v, other, false)
                                                         : value_mix(v, other);
    }
    return v;
}

struct dl__value dl__evaluate(struct dl__frame *f, struct dl__node *n)
{
    f->analysis->failed |= ++f->analysis->steps > STEPS_MAX;
    if (f->analysis->failed)
        return value_of(DL__V_UNKNOWN);
    switch (n->kind) {
    case DL__N_PAREN:
    case DL__N_IMPLICIT:
    case DL__N_CAST:
        return evaluate_conversion(f, n);
    case DL__N_NAME:
        return evaluate_name(f, n);
    case DL__N_SUBSCRIPT:
    case DL__N_MEMBER:
        return evaluate_place(f, n);
    case DL__N_UNARY:
        return evaluate_unary(f, n);
    case DL__N_BINARY:
    case DL__N_COMPOUND:
        return evaluate_binary(f, n);
    case DL__N_CONDITIONAL:
        if (n->child_count != 3)
            return value_of(DL__V_UNKNOWN);
        return value_chosen(dl__agreement_of(f, n->children[0]),
                            dl__evaluate(f, n->children[1]),
                            dl__evaluate(f, n->children[2]));
    case DL__N_CALL:
        return evaluate_call(f, n);
    case DL__N_SIZEOF:
        return n->is_constant ? dl__value_constant(n->constant) : value_of(DL__V_UNIFORM);
    case DL__N_OTHER:
        return evaluate_other(f, n);
    default:
        return value_of(DL__V_UNKNOWN);
    }
}

/* Frames: one for each context of a function, shared by calls that are alike. */

enum {
    CONTEXTS_MAX = 16, /* of a function; further calls share one more */
    FRAMES_MAX = 1024,
    DEPTH_MAX = 64
};

/* ---- frames ---- */

/* With room for its arguments. */
static struct dl__frame *make_frame(struct dl__analysis *a, struct dl__outline *o)
{
    struct dl__frame *f = DL__NEW(a->arena, struct dl__frame);
    size_t parameters = o->unit->function->parameter_count + 1;

    f->analysis = a;
    f->outline = o;
    f->arguments = dl__arena_alloc(a->arena, parameters * sizeof *f->arguments);
    f->roots = dl__arena_alloc(a->arena, parameters * sizeof(struct dl__root *));
    return f;
}

static void add_frame(struct dl__analysis *a, struct dl__frame *f)
{
    const struct dl__outline *o = f->outline;

    f->anywhere =
        dl__arena_alloc(a->arena, (o->variable_count + 1) * sizeof *f->anywhere);
    f->changed = dl__arena_alloc(a->arena, (o->changes.count + 1) * sizeof *f->changed);
    f->agreements =
        dl__arena_alloc(a->arena, (o->branches.count + 1) * sizeof *f->agreements);
    f->next = a->frames;
    a->frames = f;
    a->failed |= ++a->frame_count > FRAMES_MAX;
}

/* A pointer as the function that it is given to has it. */
static struct dl__pair argument_pair(const struct dl__root *root, struct dl__pair p)
{
    p.rows_vary = dl__variation_bit(root->parameter);
    p.rest_vary = has_rest(root) ? p.rows_vary : 0;
    return p;
}

struct dl__frame *dl__frame_of_kernel(struct dl__analysis *a, struct dl__unit *unit)
{
    struct dl__frame *f = make_frame(a, dl__outline_of(a, unit));

    for (size_t i = 0; i < unit->function->parameter_count; i++)
        f->arguments[i].rows = (struct dl__value){
            .kind = DL__V_UNIFORM, .modulus = 1, .holds = i < 64 ? UINT64_C(1) << i : 0};
    for (size_t i = 0; i < unit->root_count; i++) {
        f->roots[unit->roots[i].parameter] = &unit->roots[i];
        f->arguments[unit->roots[i].parameter] =
            argument_pair(&unit->roots[i], pair_zero());
    }
    add_frame(a, f);
    frame_solve(f);
    return f;
}

/* The unit of a callee: the copy for this call, or one without buffers. */
static struct dl__unit *unit_of_call(struct dl__frame *caller, struct dl__node *call,
                                     struct dl__function *callee)
{
    struct dl__unit *u = caller->outline->unit;
    struct dl__outline *o = caller->analysis->outlines;

    for (size_t i = 0; i < u->calls.count; i++)
        if (u->calls.items[i].node == call)
            return u->calls.items[i].clone;
    while (o && !(o->unit->function == callee && !o->unit->root_count))
        o = o->next;
    if (o)
        return o->unit;
    u = DL__NEW(caller->analysis->arena, struct dl__unit);
    u->tracker = caller->outline->unit->tracker;
    u->function = callee;
    return u;
}

/* The arguments, into a frame that is not among the others yet; false: one is not known
 * yet. */
static bool bind(struct dl__frame *caller, struct dl__node *call, struct dl__frame *f)
{
    struct dl__unit *u = f->outline->unit, *from = caller->outline->unit;
    bool known = true;

    for (size_t i = 0; i < u->function->parameter_count; i++) {
        struct dl__value v = i + 1 < call->child_count
                                 ? dl__evaluate(caller, call->children[i + 1])
                                 : value_of(DL__V_UNKNOWN);

        known &= v.kind != DL__V_NOTHING;
        f->arguments[i].rows = v.kind == DL__V_NOTHING ? value_of(DL__V_UNKNOWN) : v;
    }
    for (size_t i = 0; i < u->root_count; i++) {
        size_t at = u->roots[i].parameter;
        struct dl__node *arg = call->children[at + 1];
        struct dl__root *root = dl__root_of(from, arg);

        f->arguments[at] = argument_pair(&u->roots[i], dl__evaluate_pointer(caller, arg));
        f->roots[at] = root ? caller->roots[root->parameter] : NULL;
        f->analysis->failed |= !f->roots[at];
        known &= f->arguments[at].rows.kind != DL__V_NOTHING;
    }
    return known || f->analysis->is_settled;
}

static bool same_context(const struct dl__frame *a, const struct dl__frame *b,
                         bool roots_only)
{
    size_t count = a->outline->unit->function->parameter_count;

    if (a->outline != b->outline)
        return false;
    for (size_t i = 0; i < count; i++)
        if (a->roots[i] != b->roots[i] ||
            (!roots_only && !pair_equals(a->arguments[i], b->arguments[i])))
            return false;
    return true;
}

/* Makes `f` good for one more context; true when it was not before. */
static bool widen(struct dl__frame *f, const struct dl__frame *by)
{
    size_t count = f->outline->unit->function->parameter_count;
    bool changed = false;

    for (size_t i = 0; i < count; i++) {
        struct dl__pair p = pair_join(f->arguments[i], by->arguments[i], false);

        changed |= !pair_equals(p, f->arguments[i]);
        f->arguments[i] = p;
    }
    return changed;
}

struct dl__frame *dl__frame_of_call(struct dl__frame *caller, struct dl__node *call,
                                    struct dl__function *callee)
{
    struct dl__analysis *a = caller->analysis;
    struct dl__frame *wanted, *found = NULL, *joined = NULL;
    unsigned contexts = 0;

    if (!callee->is_defined || a->depth >= DEPTH_MAX || a->failed)
        return NULL;
    wanted = make_frame(a, dl__outline_of(a, unit_of_call(caller, call, callee)));
    if (!bind(caller, call, wanted))
        return NULL;
    for (struct dl__frame *f = a->frames; f; f = f->next) {
        if (!same_context(f, wanted, true))
            continue;
        contexts++;
        joined = f->joined ? f : joined;
        found = !found && same_context(f, wanted, false) ? f : found;
    }
    if (!found && joined) {
        if (widen(joined, wanted)) {
            /* Others may have seen what it returned before. */
            a->version++;
            for (struct dl__frame *f = a->frames; f; f = f->next)
                f->is_solved = false;
        }
        found = joined;
    }
    if (!found) {
        wanted->joined = contexts >= CONTEXTS_MAX;
        found = wanted;
        add_frame(a, wanted);
    }
    if (found->is_busy)
        return NULL;
    if (!found->is_solved && !a->failed)
        frame_solve(found);
    return found->is_solved ? found : NULL;
}
