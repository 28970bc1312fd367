/* SPDX-License-Identifier: MIT */
/* One evaluation of a kernel's integers: sums of products, with their type and range. */
#include "annotate/values/integer.h"

#include <string.h>

#include "annotate/annotations/dimension.h"
#include "annotate/tree/resolve.h"

static struct dl__range range_of(int64_t value)
{
    return (struct dl__range){value, value};
}

/* All that an integer type can hold. */
static struct dl__range range_of_type(const struct dl__type *type)
{
    bool is_signed = type->scalar == 'i';
    unsigned bits = 8 * type->bytes;

    if (type->scalar == 'b')
        return (struct dl__range){0, 1};
    if (bits >= 64)
        return (struct dl__range){is_signed ? INT64_MIN : 0, INT64_MAX};
    return is_signed ? (struct dl__range){-(INT64_C(1) << (bits - 1)),
                                          (INT64_C(1) << (bits - 1)) - 1}
                     : (struct dl__range){0, (INT64_C(1) << bits) - 1};
}

/* True when every value of the range is one of the type's. */
static bool range_fits(struct dl__range r, const struct dl__type *type)
{
    return r.lo != INT64_MIN && r.hi != INT64_MAX &&
           dl__range_is_within(r, range_of_type(type));
}

static struct dl__range range_join(struct dl__range a, struct dl__range b)
{
    return (struct dl__range){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

static struct dl__range range_add(struct dl__range a, struct dl__range b)
{
    struct dl__range out;

    if (a.lo == INT64_MIN || b.lo == INT64_MIN ||
        __builtin_add_overflow(a.lo, b.lo, &out.lo))
        out.lo = INT64_MIN;
    if (a.hi == INT64_MAX || b.hi == INT64_MAX ||
        __builtin_add_overflow(a.hi, b.hi, &out.hi))
        out.hi = INT64_MAX;
    return out;
}

static bool is_bounded(struct dl__range r)
{
    return r.lo != INT64_MIN && r.hi != INT64_MAX;
}

static struct dl__range range_multiply(struct dl__range a, struct dl__range b)
{
    struct dl__range out = {INT64_MAX, INT64_MIN};
    const int64_t of_a[] = {a.lo, a.hi}, of_b[] = {b.lo, b.hi};

    if (!is_bounded(a) || !is_bounded(b))
        return (struct dl__range){a.lo >= 0 && b.lo >= 0 ? 0 : INT64_MIN, INT64_MAX};
    for (size_t i = 0; i < 4; i++) {
        int64_t product;

        if (__builtin_mul_overflow(of_a[i / 2], of_b[i % 2], &product))
            return (struct dl__range){a.lo >= 0 && b.lo >= 0 ? 0 : INT64_MIN, INT64_MAX};
        out = range_join(out, range_of(product));
    }
    return out;
}

static struct dl__range range_remainder(struct dl__range r, int64_t by)
{
    if (r.lo >= 0 && r.hi < by)
        return r;
    return (struct dl__range){r.lo >= 0 ? 0 : 1 - by, r.hi <= 0 ? 0 : by - 1};
}

/* ---- Sums of products with whole coefficients, and their division. ---- */

static bool same_atoms(const struct dl__polynomial_term *a,
                       const struct dl__polynomial_term *b)
{
    return a->count == b->count &&
           !memcmp(a->atoms, b->atoms, a->count * sizeof *a->atoms);
}

static bool is_small(int64_t coefficient)
{
    return coefficient <= INT32_MAX && coefficient >= -INT32_MAX;
}

bool dl__polynomial_add_term(struct dl__arena *arena, struct dl__polynomial *to,
                             struct dl__polynomial_term term)
{
    for (size_t t = 0; t < to->terms.count; t++) {
        struct dl__polynomial_term *there = &to->terms.items[t];

        if (!same_atoms(there, &term))
            continue;
        term.coefficient += there->coefficient;
        *there = term.coefficient ? term : to->terms.items[--to->terms.count];
        return is_small(term.coefficient);
    }
    if (!is_small(term.coefficient) || to->terms.count == DL__POLYNOMIAL_TERMS_MAX)
        return false;
    if (term.coefficient)
        DL__PUSH(arena, &to->terms, term);
    return true;
}

static const struct dl__polynomial *scaled(struct dl__arena *arena,
                                           const struct dl__polynomial *p, int64_t factor)
{
    struct dl__polynomial *out = DL__NEW(arena, struct dl__polynomial);

    return dl__polynomial_add(arena, out, p, factor) ? out : NULL;
}

bool dl__polynomial_add(struct dl__arena *arena, struct dl__polynomial *to,
                        const struct dl__polynomial *other, int64_t factor)
{
    for (size_t t = 0; t < other->terms.count; t++) {
        struct dl__polynomial_term term = other->terms.items[t];

        if (__builtin_mul_overflow(term.coefficient, factor, &term.coefficient) ||
            !dl__polynomial_add_term(arena, to, term))
            return false;
    }
    for (size_t c = 0; c < other->choices.count; c++) {
        struct dl__choice choice = other->choices.items[c];

        choice.yes = scaled(arena, choice.yes, factor);
        choice.no = scaled(arena, choice.no, factor);
        if (!choice.yes || !choice.no)
            return false;
        DL__PUSH(arena, &to->choices, choice);
    }
    return true;
}

static bool multiply_terms(const struct dl__polynomial_term *a,
                           const struct dl__polynomial_term *b,
                           struct dl__polynomial_term *out)
{
    *out = *a;
    if (a->count + b->count > DL__DEGREE_MAX ||
        __builtin_mul_overflow(a->coefficient, b->coefficient, &out->coefficient))
        return false;
    for (size_t i = 0; i < b->count; i++) {
        size_t at = out->count++;

        for (; at && out->atoms[at - 1]->number > b->atoms[i]->number; at--)
            out->atoms[at] = out->atoms[at - 1];
        out->atoms[at] = b->atoms[i];
    }
    return true;
}

/* Of which no more than one has choices. */
static bool multiply(struct dl__arena *arena, const struct dl__polynomial *a,
                     const struct dl__polynomial *b, struct dl__polynomial *out)
{
    const struct dl__polynomial *with = b->choices.count ? b : a,
                                *without = b->choices.count ? a : b;
    struct dl__polynomial_term product;

    if (without->choices.count)
        return false;
    for (size_t i = 0; i < a->terms.count; i++)
        for (size_t k = 0; k < b->terms.count; k++)
            if (!multiply_terms(&a->terms.items[i], &b->terms.items[k], &product) ||
                !dl__polynomial_add_term(arena, out, product))
                return false;
    for (size_t c = 0; c < with->choices.count; c++) {
        struct dl__choice choice = with->choices.items[c];
        struct dl__polynomial *yes = DL__NEW(arena, struct dl__polynomial),
                              *no = DL__NEW(arena, struct dl__polynomial);

        if (!multiply(arena, choice.yes, without, yes) ||
            !multiply(arena, choice.no, without, no))
            return false;
        choice.yes = yes;
        choice.no = no;
        DL__PUSH(arena, &out->choices, choice);
    }
    return true;
}

bool dl__polynomial_equal(const struct dl__polynomial *a, const struct dl__polynomial *b)
{
    size_t found = 0;

    for (size_t i = 0; i < a->terms.count; i++)
        for (size_t k = 0; k < b->terms.count; k++)
            found += same_atoms(&a->terms.items[i], &b->terms.items[k]) &&
                     a->terms.items[i].coefficient == b->terms.items[k].coefficient;
    return !a->choices.count && !b->choices.count && a->terms.count == b->terms.count &&
           found == a->terms.count;
}

/* True of a number, whose value is *out. */
static bool polynomial_is_number(const struct dl__polynomial *p, int64_t *out)
{
    *out = p->terms.count ? p->terms.items[0].coefficient : 0;
    return !p->choices.count &&
           (!p->terms.count || (p->terms.count == 1 && !p->terms.items[0].count));
}

/* ---- division ---- */

static int64_t floor_of(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* By a number. A constant is rounded to the nearest multiple where there is more below
 * it: 63 of 64 is one more of the next dimension and one less of this. */
static bool divide_by_number(struct dl__arena *arena, const struct dl__polynomial *p,
                             int64_t by, struct dl__polynomial *quotient,
                             struct dl__polynomial *rest, bool has_rest)
{
    int64_t constant = 0;

    for (size_t t = 0; t < p->terms.count; t++) {
        struct dl__polynomial_term term = p->terms.items[t];
        bool divides = term.coefficient % by == 0;

        if (!term.count) {
            constant = term.coefficient;
            continue;
        }
        term.coefficient /= divides ? by : 1;
        has_rest |= !divides;
        if (!dl__polynomial_add_term(arena, divides ? quotient : rest, term))
            return false;
    }
    if (constant) {
        int64_t whole = floor_of(constant + (has_rest ? by / 2 : 0), by);

        return dl__polynomial_add_term(arena, quotient,
                                       (struct dl__polynomial_term){whole, {NULL}, 0}) &&
               dl__polynomial_add_term(
                   arena, rest,
                   (struct dl__polynomial_term){constant - whole * by, {NULL}, 0});
    }
    return true;
}

/* True when the term is a multiple of the other: of what. */
static bool divide_term(const struct dl__polynomial_term *term,
                        const struct dl__polynomial_term *by,
                        struct dl__polynomial_term *out)
{
    size_t found = 0;

    *out = (struct dl__polynomial_term){term->coefficient / by->coefficient, {NULL}, 0};
    if (term->coefficient % by->coefficient)
        return false;
    for (size_t i = 0; i < term->count; i++)
        if (found < by->count && term->atoms[i] == by->atoms[found])
            found++;
        else
            out->atoms[out->count++] = term->atoms[i];
    return found == by->count;
}

/* n - 1 is no next row's -1. */
static bool fold(struct dl__arena *arena, const struct dl__polynomial *by,
                 struct dl__polynomial *quotient, struct dl__polynomial *rest)
{
    static const struct dl__polynomial_term less = {-1, {NULL}, 0};
    int64_t below;

    if (!polynomial_is_number(rest, &below) || below >= 0)
        return true;
    for (size_t t = 0; t < quotient->terms.count; t++)
        if (!quotient->terms.items[t].count && quotient->terms.items[t].coefficient > 0)
            return dl__polynomial_add(arena, rest, by, 1) &&
                   dl__polynomial_add_term(arena, quotient, less);
    return true;
}

static bool divide_by_sum(struct dl__arena *arena, const struct dl__polynomial *p,
                          const struct dl__polynomial *by,
                          struct dl__polynomial *quotient, struct dl__polynomial *rest,
                          bool is_index)
{
    const struct dl__polynomial_term *first = by->terms.items;
    struct dl__polynomial_term factor;

    for (size_t t = 1; t < by->terms.count; t++)
        first = by->terms.items[t].count > first->count ? &by->terms.items[t] : first;
    if (!dl__polynomial_add(arena, rest, p, 1))
        return false;
    for (unsigned steps = 0; steps < 2 * DL__POLYNOMIAL_TERMS_MAX; steps++) {
        struct dl__polynomial product = {{0}, {0}}, one = {{0}, {0}};
        size_t t = 0;

        while (t < rest->terms.count &&
               !divide_term(&rest->terms.items[t], first, &factor))
            t++;
        if (t == rest->terms.count)
            return !is_index || fold(arena, by, quotient, rest);
        if (!dl__polynomial_add_term(arena, quotient, factor) ||
            !dl__polynomial_add_term(arena, &one, factor) ||
            !multiply(arena, &one, by, &product) ||
            !dl__polynomial_add(arena, rest, &product, -1))
            return false;
    }
    return false;
}

static bool divide_terms(struct dl__arena *arena, const struct dl__polynomial *p,
                         const struct dl__polynomial *by, bool has_rest, bool is_index,
                         struct dl__polynomial *quotient, struct dl__polynomial *rest)
{
    struct dl__polynomial terms = {.terms = p->terms};
    int64_t number;

    return polynomial_is_number(by, &number)
               ? divide_by_number(arena, &terms, number, quotient, rest, has_rest)
               : divide_by_sum(arena, &terms, by, quotient, rest, is_index);
}

static void choose(struct dl__arena *arena, const struct dl__choice *choice,
                   const struct dl__polynomial *yes, const struct dl__polynomial *no,
                   struct dl__polynomial *out)
{
    struct dl__choice made = {choice->condition, yes, no};

    if (dl__polynomial_equal(yes, no))
        dl__polynomial_add(arena, out, yes, 1);
    else
        DL__PUSH(arena, &out->choices, made);
}

bool dl__polynomial_divide(struct dl__arena *arena, const struct dl__polynomial *p,
                           const struct dl__polynomial *by, bool is_index,
                           struct dl__polynomial *quotient, struct dl__polynomial *rest)
{
    bool has_rest;

    if (!divide_terms(arena, p, by, p->choices.count > 0, is_index, quotient, rest))
        return false;
    has_rest = !dl__polynomial_is_zero(rest);
    for (size_t c = 0; c < p->choices.count; c++) {
        const struct dl__choice *choice = &p->choices.items[c];
        struct dl__polynomial *made = dl__arena_alloc(arena, 4 * sizeof *made);

        if (!divide_terms(arena, choice->yes, by, has_rest, is_index, &made[0],
                          &made[1]) ||
            !divide_terms(arena, choice->no, by, has_rest, is_index, &made[2], &made[3]))
            return false;
        choose(arena, choice, &made[0], &made[2], quotient);
        choose(arena, choice, &made[1], &made[3], rest);
    }
    return true;
}

/* ---- Integers as sums of products: atoms, arithmetic and conversions. ---- */

bool dl__polynomial_replace(struct dl__arena *arena, const struct dl__polynomial *sum,
                            dl__atom_fn *replace, const void *user,
                            struct dl__polynomial *out)
{
    for (size_t t = 0; t < sum->terms.count; t++) {
        const struct dl__polynomial_term *term = &sum->terms.items[t];
        struct dl__polynomial product = {{0}, {0}};

        if (!dl__polynomial_add_term(
                arena, &product,
                (struct dl__polynomial_term){term->coefficient, {NULL}, 0}))
            return false;
        for (size_t a = 0; a < term->count; a++) {
            struct dl__polynomial factor = {{0}, {0}}, times = {{0}, {0}};

            if (!replace(user, term->atoms[a], product.choices.count > 0, &factor) ||
                !multiply(arena, &product, &factor, &times))
                return false;
            product = times;
        }
        if (!dl__polynomial_add(arena, out, &product, 1))
            return false;
    }
    return true;
}

static bool add_unconverted(const void *user, const struct dl__atom *atom, bool whole,
                            struct dl__polynomial *to)
{
    struct dl__arena *arena = (struct dl__arena *)user;
    const struct dl__origin *origin = atom->origin;

    (void)whole;
    return dl__is_conversion_of(origin) && origin->type->bytes >= 4
               ? dl__polynomial_unconverted(arena, &origin->of[0]->sum, to)
               : dl__polynomial_add_term(arena, to,
                                         (struct dl__polynomial_term){1, {atom}, 1});
}

bool dl__polynomial_unconverted(struct dl__arena *arena, const struct dl__polynomial *sum,
                                struct dl__polynomial *out)
{
    return dl__polynomial_replace(arena, sum, add_unconverted, arena, out);
}

const struct dl__integer *dl__integer_number(struct dl__arena *arena, int64_t value)
{
    struct dl__integer *out = DL__NEW(arena, struct dl__integer);
    struct dl__polynomial_term term = {.coefficient = value};

    if (!dl__polynomial_add_term(arena, &out->sum, term))
        return NULL;
    out->range = range_of(value);
    out->is_exact = true;
    return out;
}

/* `origin` is copied. */
static const struct dl__integer *new_atom(struct dl__scope *scope,
                                          const struct dl__origin *origin)
{
    struct dl__arena *arena = scope->unit->tracker->arena;
    struct dl__integer *out = DL__NEW(arena, struct dl__integer);
    struct dl__origin *kept = DL__NEW(arena, struct dl__origin);
    struct dl__atom *atom = DL__NEW(arena, struct dl__atom);
    struct dl__polynomial_term term = {1, {atom}, 1};

    *kept = *origin;
    atom->number = scope->evaluation->atom_count++;
    atom->origin = kept;
    dl__polynomial_add_term(arena, &out->sum, term);
    out->range = origin->range;
    out->is_exact = true;
    return out;
}

struct dl__integer *dl__integer_sum(struct dl__arena *arena, const struct dl__integer *a,
                                    const struct dl__integer *b, int64_t factor)
{
    struct dl__integer *out = DL__NEW(arena, struct dl__integer);

    out->range = range_add(a->range, range_multiply(b->range, range_of(factor)));
    out->is_exact = a->is_exact && b->is_exact;
    return dl__polynomial_add(arena, &out->sum, &a->sum, 1) &&
                   dl__polynomial_add(arena, &out->sum, &b->sum, factor)
               ? out
               : NULL;
}

struct dl__integer *dl__integer_product(struct dl__arena *arena,
                                        const struct dl__integer *a,
                                        const struct dl__integer *b)
{
    struct dl__integer *out = DL__NEW(arena, struct dl__integer);

    out->range = range_multiply(a->range, b->range);
    out->is_exact = a->is_exact && b->is_exact;
    return multiply(arena, &a->sum, &b->sum, &out->sum) ? out : NULL;
}

/* True when the value is made of nothing but constants and what loops count. */
static bool integer_is_counted(const struct dl__integer *value)
{
    for (size_t t = 0; t < value->sum.terms.count; t++)
        for (size_t a = 0; a < value->sum.terms.items[t].count; a++)
            if (!value->sum.terms.items[t].atoms[a]->origin->is_counted)
                return false;
    return true;
}

/* A number that is not the sum that it was made of any more: an atom. */
static const struct dl__integer *changed(struct dl__scope *scope,
                                         const struct dl__integer *value,
                                         const struct dl__type *to)
{
    struct dl__origin origin = {.declared_at = SIZE_MAX,
                                .parameter = SIZE_MAX,
                                .type = to,
                                .range = value->range,
                                .is_counted = integer_is_counted(value),
                                .of = {value}};

    if (!range_fits(value->range, to))
        origin.range = range_of_type(to);
    return new_atom(scope, &origin);
}

const struct dl__integer *dl__integer_converted(struct dl__scope *scope,
                                                const struct dl__integer *value,
                                                const struct dl__type *from,
                                                const struct dl__type *to)
{
    bool keeps = range_fits(value->range, to) ||
                 (from->scalar == to->scalar && from->bytes <= to->bytes);
    struct dl__integer *out;

    if (keeps && (value->is_exact || from->bytes == to->bytes))
        return value;
    /* Without a sign it stays the same sum modulo 2^bits, unless that has lost some
     * already. */
    if (from->bytes > to->bytes || (from->bytes < to->bytes && !value->is_exact) ||
        to->scalar == 'i')
        return changed(scope, value, to);
    out = DL__NEW(scope->unit->tracker->arena, struct dl__integer);
    *out = *value;
    out->range = range_of_type(to);
    out->is_exact = false;
    return out;
}

/* ---- The value of an expression of a kernel. ---- */

enum { STEP_BITS = 40, CLIMB_BITS = 50 };

static const struct dl__integer *name(struct dl__scope *scope, struct dl__node *n);

/* The innermost `for` around a name that steps the variable, in its head. */
static struct dl__node *loop_of(struct dl__unit *u, const struct dl__node *name,
                                struct dl__node **step)
{
    for (struct dl__node *n = name->parent; n; n = n->parent) {
        struct dl__node *body = n->child_count ? n->children[n->child_count - 1] : NULL;

        if (n->kind != DL__N_BRANCH || !dl__begins_with(u, n, "for") || !n->condition ||
            name->begin < body->begin || name->end > body->end)
            continue;
        for (size_t i = 0; i + 1 < n->child_count; i++) {
            struct dl__node *c = n->children[i];

            if (c->begin > n->condition->begin && c->child_count &&
                (dl__is_step(c) || c->kind == DL__N_COMPOUND) &&
                c->children[0]->kind == DL__N_NAME &&
                c->children[0]->declared_at == name->declared_at) {
                *step = c;
                return n;
            }
        }
    }
    return NULL;
}

/* Returns what the step adds; 0: not known. */
static int64_t step_of(struct dl__scope *scope, struct dl__node *step)
{
    int64_t by;

    if (dl__is_step(step))
        return dl__op_is(step, "++") ? 1 : -1;
    if (!dl__is_integer_type(dl__type_of(scope->unit, step->children[1])) ||
        !polynomial_is_number(&dl__integer_of(scope, step->children[1])->sum, &by))
        return 0;
    return dl__op_is(step, "+=") ? by : dl__op_is(step, "-=") ? -by : 0;
}

/* Returns what the variable is set to before the loop, by its declaration or in the
 * loop's head, where nothing else but the step changes it. NULL: not so. */
static struct dl__node *start_of(struct dl__unit *u, const struct dl__node *loop,
                                 const struct dl__node *step, size_t declared_at)
{
    struct dl__node *first = loop->children[0], *declaration;
    struct dl__block all = {0, SIZE_MAX}, in_loop = {loop->begin, loop->end};
    bool is_set = first->kind == DL__N_BINARY && dl__op_is(first, "=") &&
                  first->children[0]->kind == DL__N_NAME &&
                  first->children[0]->declared_at == declared_at;

    dl__is_changed(u, declared_at, &declaration);
    if (!declaration || first == step)
        return NULL;
    if (is_set)
        return dl__count_changes(u, declared_at, in_loop) == 2 ? first->children[1]
                                                               : NULL;
    return dl__count_changes(u, declared_at, all) == 1 && declaration->child_count
               ? declaration->children[declaration->child_count - 1]
               : NULL;
}

/* The bound that a condition puts on the variable: the range of its other side, and the
 * operator as if the variable stood on the left. */
static bool bound_of(struct dl__scope *scope, struct dl__node *condition,
                     size_t declared_at, bool is_down, struct dl__range *range,
                     char op[4])
{
    struct dl__node *n = dl__strip(condition);
    bool compares = dl__is_in("< <= > >= !=", n->op, strlen(n->op));

    if (n->kind != DL__N_BINARY || n->child_count != 2)
        return false;
    if (dl__op_is(n, "&&"))
        return bound_of(scope, n->children[0], declared_at, is_down, range, op) ||
               bound_of(scope, n->children[1], declared_at, is_down, range, op);
    for (size_t side = 0; compares && side < 2; side++) {
        struct dl__node *name = dl__strip(n->children[side]),
                        *other = n->children[1 - side];

        if (name->kind != DL__N_NAME || name->declared_at != declared_at ||
            !dl__is_integer_type(dl__type_of(scope->unit, other)))
            continue;
        /* Below zero a number with a sign is compared as a large one. */
        if (dl__type_of(scope->unit, name)->scalar == 'i' &&
            dl__type_of(scope->unit, other)->scalar == 'u' && is_down)
            return false;
        *range = dl__integer_of(scope, other)->range;
        memcpy(op, n->op, 4);
        if (side && (op[0] == '<' || op[0] == '>'))
            op[0] = op[0] == '<' ? '>' : '<';
        return true;
    }
    return false;
}

/* The values that a loop's counter, counting up, has in the body. */
static struct dl__range upwards(struct dl__range start, struct dl__range bound,
                                const char *op, int64_t step, const struct dl__type *type)
{
    struct dl__range none = range_of_type(type);
    int64_t last = bound.hi - (strcmp(op, "<=") != 0);

    if (start.lo == INT64_MIN || bound.hi == INT64_MAX || op[0] == '>' || op[0] == '=' ||
        (op[0] == '!' && (step != 1 || start.hi > bound.lo)))
        return none;
    if (last < start.lo)
        return start; /* nothing comes here */
    if (start.lo == start.hi)
        last = start.lo + (last - start.lo) / step * step;
    /* Its last step must not wrap. */
    return type->scalar == 'i' || range_fits(range_of(last + step), type)
               ? (struct dl__range){start.lo, last}
               : none;
}

static struct dl__range downwards(struct dl__range start, struct dl__range bound,
                                  const char *op, int64_t step,
                                  const struct dl__type *type)
{
    int64_t last = bound.lo + !op[1];

    if (bound.lo == INT64_MIN || start.hi == INT64_MAX || op[0] != '>' ||
        (type->scalar != 'i' && last + step < 0))
        return range_of_type(type);
    return (struct dl__range){last < start.hi ? last : start.hi, start.hi};
}

/* True when all that changes the variable in the node are steps upwards, by the launch's
 * sizes at most. */
static bool only_climbs(struct dl__scope *scope, struct dl__node *n, size_t declared_at)
{
    struct dl__node *of = n->child_count ? dl__strip(n->children[0]) : n;
    bool is_its = of != n && of->kind == DL__N_NAME && of->declared_at == declared_at;
    struct dl__range by = range_of(0);

    if (is_its && n->kind == DL__N_COMPOUND && dl__op_is(n, "+=") &&
        dl__is_integer_type(dl__type_of(scope->unit, n->children[1])))
        by = dl__integer_of(scope, n->children[1])->range;
    else if (is_its &&
             (dl__is_assignment(n) || (dl__is_step(n) && !dl__op_is(n, "++")) ||
              (n->kind == DL__N_UNARY && dl__op_is(n, "&")) ||
              ((n->kind == DL__N_UNARY || n->kind == DL__N_BINARY) && !n->op[0])))
        return false;
    if (by.lo < 0 || by.hi > INT64_C(1) << STEP_BITS)
        return false;
    for (size_t i = 0; i < n->child_count; i++)
        if (!only_climbs(scope, n->children[i], declared_at))
            return false;
    return true;
}

/* No work-item lives long enough to count further than this by such steps. */
static struct dl__range climbed(struct dl__scope *scope, struct dl__node *name)
{
    struct dl__unit *u = scope->unit;
    struct dl__range none = range_of_type(dl__type_of(u, name)), start;
    struct dl__node *declaration, *value;

    dl__is_changed(u, name->declared_at, &declaration);
    if (!declaration || !declaration->child_count)
        return none;
    value = declaration->children[declaration->child_count - 1];
    if (!dl__is_integer_type(dl__type_of(u, value)) ||
        !only_climbs(scope, dl__ast_body(u->tracker->ast, u->function),
                     name->declared_at))
        return none;
    start = dl__integer_of(scope, value)->range;
    if (!dl__range_is_within(start, none) || start.hi > INT64_C(1) << STEP_BITS)
        return none;
    return (struct dl__range){start.lo, INT64_C(1) << CLIMB_BITS};
}

/* Returns the range of a variable that changes, where its name stands: a loop's counter
 * inside the loop. */
static struct dl__range counter_range(struct dl__scope *scope, struct dl__node *name)
{
    struct dl__unit *u = scope->unit;
    const struct dl__type *type = dl__type_of(u, name);
    struct dl__range none = range_of_type(type), start, bound, range;
    struct dl__node *step, *loop = loop_of(u, name, &step), *from;
    char op[4];
    int64_t by;

    if (!loop || !(by = step_of(scope, step)) || by > INT32_MAX || by < -INT32_MAX ||
        !(from = start_of(u, loop, step, name->declared_at)) ||
        !dl__is_integer_type(dl__type_of(u, from)) ||
        !bound_of(scope, loop->condition, name->declared_at, by < 0, &bound, op))
        return type->bytes == 8 ? climbed(scope, name) : none;
    start = dl__integer_of(scope, from)->range;
    if (!dl__range_is_within(start, none))
        return none;
    range = by > 0 ? upwards(start, bound, op, by, type)
                   : downwards(start, bound, op, by, type);
    range = dl__range_meet(range, none);
    return type->bytes == 8 && range.hi == INT64_MAX
               ? dl__range_meet(range, climbed(scope, name))
               : range;
}

/* Expressions evaluated. A sum of a type without a sign that may have wrapped is
 * right modulo 2^bits, and not exact. One with a sign does not overflow. */

enum {
    NESTED_MAX = 128,
    STEPS_MAX = 1000000,
    DEPTH_MAX = 8,
    OF_LAUNCH_BITS = 40,
    STACK_MAX = 64 /* of a dimension */
};

static struct dl__arena *arena_of(const struct dl__scope *scope)
{
    return scope->unit->tracker->arena;
}

/* ---- what is known already ---- */

static const struct dl__integer *find_known(const struct dl__scope *scope, uintptr_t key)
{
    const struct dl__known *k = scope->known[key / 8 % DL__KNOWN_BUCKETS];

    while (k && k->key != key)
        k = k->next;
    return k ? k->value : NULL;
}

static const struct dl__integer *keep(struct dl__scope *scope, uintptr_t key,
                                      const struct dl__integer *value)
{
    struct dl__known *k = DL__NEW(arena_of(scope), struct dl__known);

    *k = (struct dl__known){key, value, scope->known[key / 8 % DL__KNOWN_BUCKETS]};
    scope->known[key / 8 % DL__KNOWN_BUCKETS] = k;
    return value;
}

/* ---- atoms ---- */

/* Others may change it meanwhile. */
static bool is_shared(const struct dl__type *type)
{
    return type->is_volatile || type->address_space == DL__GLOBAL ||
           type->address_space == DL__LOCAL;
}

/* True when a function is called in it. */
static bool has_call(const struct dl__node *n)
{
    bool has = n->kind == DL__N_CALL;

    for (size_t i = 0; i < n->child_count && !has; i++)
        has = has_call(n->children[i]);
    return has;
}

/* True when everything that the expression names is counted by a loop, and it reads
 * nothing else. */
static bool is_counted(struct dl__scope *scope, struct dl__node *n)
{
    struct dl__node *declaration;

    if (n->kind == DL__N_CALL || n->kind == DL__N_SUBSCRIPT || n->kind == DL__N_MEMBER ||
        (n->kind == DL__N_UNARY && dl__op_is(n, "*")) ||
        (n->kind == DL__N_NAME && is_shared(dl__type_of(scope->unit, n))))
        return false;
    if (n->kind == DL__N_NAME && !n->is_constant && n->declared_at != SIZE_MAX &&
        !dl__is_changed(scope->unit, n->declared_at, &declaration))
        return dl__is_integer_type(dl__type_of(scope->unit, n)) &&
               integer_is_counted(dl__integer_of(scope, n));
    if (n->kind == DL__N_NAME && !n->is_constant)
        return n->declared_at != SIZE_MAX && declaration && !has_call(declaration);
    for (size_t i = 0; i < n->child_count; i++)
        if (!is_counted(scope, n->children[i]))
            return false;
    return true;
}

/* An expression, of any value that its type can hold. */
static struct dl__origin origin_of(struct dl__scope *scope, struct dl__node *n)
{
    const struct dl__type *type = dl__type_of(scope->unit, n);

    return (struct dl__origin){.node = n,
                               .declared_at = SIZE_MAX,
                               .parameter = SIZE_MAX,
                               .type = type,
                               .range = range_of_type(type)};
}

static const struct dl__integer *atom_within(struct dl__scope *scope, struct dl__node *n,
                                             struct dl__range range)
{
    const struct dl__integer *known = find_known(scope, (uintptr_t)n);
    struct dl__origin origin = origin_of(scope, n);

    if (known)
        return known;
    origin.range = dl__range_meet(range, origin.range);
    origin.is_counted = is_counted(scope, n);
    return keep(scope, (uintptr_t)n, new_atom(scope, &origin));
}

static const struct dl__integer *atom(struct dl__scope *scope, struct dl__node *n)
{
    return atom_within(scope, n, range_of_type(dl__type_of(scope->unit, n)));
}

/* One that is the same wherever it is named. */
static const struct dl__integer *atom_of_variable(struct dl__scope *scope,
                                                  struct dl__node *n)
{
    struct dl__origin origin = origin_of(scope, n);

    origin.declared_at = n->declared_at;
    return new_atom(scope, &origin);
}

const struct dl__integer *dl__integer_parameter(struct dl__scope *scope, size_t number)
{
    const struct dl__parameter *p = &scope->unit->function->parameters[number];
    const struct dl__integer *known = find_known(scope, p->name_at);
    struct dl__origin origin = {.declared_at = p->name_at,
                                .parameter = number,
                                .type = p->type,
                                .range = range_of_type(p->type)};

    return known ? known : keep(scope, p->name_at, new_atom(scope, &origin));
}

static bool sees_through(struct dl__scope *scope, struct dl__node *n,
                         const struct dl__integer *value)
{
    const struct dl__evaluation *e = scope->evaluation;

    return value && (!e->sees_through || e->sees_through(scope, n, value));
}

/* ---- what dimensions are made of ---- */

/* An atom, by how it is made of numbers: `/`, `max`, a size of the launch, or `.`, a part
 * of an argument. */
struct dl__derived {
    const char *name;
    const struct dl__integer *a, *b, *value;
    struct dl__derived *next;
};

static const struct dl__integer *find_derived(const struct dl__scope *scope,
                                              const char *name,
                                              const struct dl__integer *a,
                                              const struct dl__integer *b)
{
    for (const struct dl__derived *d = scope->evaluation->derived; d; d = d->next)
        if (!strcmp(d->name, name) && dl__polynomial_equal(&d->a->sum, &a->sum) &&
            dl__polynomial_equal(&d->b->sum, &b->sum))
            return d->value;
    return NULL;
}

static const struct dl__integer *derived(struct dl__scope *scope, const char *name,
                                         const struct dl__integer *a,
                                         const struct dl__integer *b)
{
    struct dl__origin origin = {
        .declared_at = SIZE_MAX, .parameter = SIZE_MAX, .range = {INT64_MIN, INT64_MAX}};
    const struct dl__integer *known = find_derived(scope, name, a, b);
    struct dl__derived *d;

    if (known)
        return known;
    d = DL__NEW(arena_of(scope), struct dl__derived);
    *d = (struct dl__derived){name, a, b, new_atom(scope, &origin),
                              scope->evaluation->derived};
    scope->evaluation->derived = d;
    return d->value;
}

/* The value of a node as a dimension is made likewise. */
static const struct dl__integer *as_derived(struct dl__scope *scope, struct dl__node *n,
                                            const char *name, const struct dl__integer *a,
                                            const struct dl__integer *b,
                                            const struct dl__integer *value)
{
    const struct dl__integer *known =
        a->is_exact && b->is_exact ? find_derived(scope, name, a, b) : NULL;
    struct dl__integer *out;

    if (!known || known->sum.terms.items == value->sum.terms.items)
        return value;
    out = DL__NEW(arena_of(scope), struct dl__integer);
    *out = *known;
    out->range = value->range;
    return keep(scope, (uintptr_t)n, out);
}

/* True when a name is a parameter that the function never changes: *number. */
static bool is_fixed_parameter(struct dl__unit *u, const struct dl__node *n,
                               size_t *number)
{
    struct dl__node *declaration;

    for (size_t i = 0; i < u->function->parameter_count; i++) {
        *number = i;
        if (u->function->parameters[i].name_at == n->declared_at)
            return !dl__is_changed(u, n->declared_at, &declaration);
    }
    return false;
}

/* True of a part of an argument that never changes. */
static bool is_part(struct dl__unit *u, struct dl__node *n, size_t *number,
                    uint32_t *offset)
{
    struct dl__node *of = n->child_count ? n->children[0] : NULL;
    const struct dl__type *type;
    int64_t index;
    size_t dot;

    *offset = 0;
    if (n->kind == DL__N_NAME)
        return is_fixed_parameter(u, n, number);
    if (!of || !is_part(u, of, number, offset))
        return false;
    type = dl__type_of(u, of);
    if (n->kind == DL__N_MEMBER && type->kind == DL__T_STRUCT)
        return dl__find_field(type->identity, n->name, strlen(n->name), offset) != NULL;
    if (n->kind == DL__N_SUBSCRIPT && type->kind == DL__T_ARRAY && n->child_count == 2 &&
        dl__constant_of(u, n->children[1], &index) && index >= 0) {
        *offset += (uint32_t)index * type->element->bytes;
        return true;
    }
    if (n->kind == DL__N_IMPLICIT && type->kind == DL__T_VECTOR && n->end != of->end) {
        /* libclang shows a component as a conversion. */
        dot = dl__skip(u, of->end);
        index = dl__component_of(u->tracker->ast->text + dot + 1, n->end - dot - 1);
        *offset += (uint32_t)index * type->element->bytes;
        return index >= 0;
    }
    return (n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT) &&
           !dl__is_pointed_component(u, n);
}

static const struct dl__integer *part(struct dl__scope *scope, struct dl__node *n)
{
    struct dl__arena *arena = arena_of(scope);
    const struct dl__integer *value = atom(scope, n);
    uint32_t offset;
    size_t number;

    return scope->evaluation->derived && !scope->depth &&
                   is_part(scope->unit, n, &number, &offset)
               ? as_derived(scope, n, ".", dl__integer_number(arena, (int64_t)number),
                            dl__integer_number(arena, offset), value)
               : value;
}

/* ---- operators ---- */

/* A value too large to be followed: without a sign, its parts may have wrapped. */
static const struct dl__integer *too_large(struct dl__scope *scope, struct dl__node *n)
{
    struct dl__integer *out = DL__NEW(arena_of(scope), struct dl__integer);

    *out = *atom(scope, n);
    out->is_exact = dl__type_of(scope->unit, n)->scalar == 'i';
    return out;
}

/* A number of any size as its type has it. */
static const struct dl__integer *fitted(struct dl__scope *scope, struct dl__node *n,
                                        struct dl__integer *value)
{
    const struct dl__type *type = dl__type_of(scope->unit, n);

    if (!value)
        return too_large(scope, n);
    if (type->scalar == 'i') {
        value->range = dl__range_meet(value->range, range_of_type(type));
    } else if (!range_fits(value->range, type)) {
        value->range = range_of_type(type);
        value->is_exact = false;
    }
    return value;
}

static bool is_number(const struct dl__integer *value, int64_t *out)
{
    return value->is_exact && polynomial_is_number(&value->sum, out);
}

static const struct dl__integer *by_constant(struct dl__scope *scope, struct dl__node *n,
                                             const struct dl__integer *left, int64_t by)
{
    if (dl__op_is(n, "/") && by > 0)
        return atom_within(scope, n, dl__range_divide(left->range, by));
    if (dl__op_is(n, ">>") && by >= 0 && by < 32 && left->range.lo >= 0)
        return atom_within(scope, n, dl__range_divide(left->range, INT64_C(1) << by));
    if (dl__op_is(n, "%") && by > 0)
        return left->is_exact && left->range.lo >= 0 && left->range.hi < by
                   ? left
                   : atom_within(scope, n, range_remainder(left->range, by));
    if (dl__op_is(n, "&") && by >= 0)
        return atom_within(scope, n, (struct dl__range){0, by});
    if (dl__op_is(n, "<<") && by >= 0 && by < 31) {
        const struct dl__integer *factor =
            dl__integer_number(arena_of(scope), INT64_C(1) << by);
        struct dl__integer *shifted = dl__integer_product(arena_of(scope), left, factor);

        /* Bits that are shifted out of a number with a sign are lost, unlike a product's.
         */
        return shifted && range_fits(shifted->range, dl__type_of(scope->unit, n))
                   ? shifted
               : dl__type_of(scope->unit, n)->scalar == 'u' ? fitted(scope, n, shifted)
                                                            : atom(scope, n);
    }
    return atom(scope, n);
}

static const struct dl__integer *product(struct dl__scope *scope, struct dl__node *n,
                                         const struct dl__integer *a,
                                         const struct dl__integer *b)
{
    struct dl__origin origin = origin_of(scope, n);
    bool is_zero = dl__polynomial_is_zero(&a->sum);

    if (!scope->evaluation->keeps_zeros || is_zero == dl__polynomial_is_zero(&b->sum))
        return fitted(scope, n, dl__integer_product(arena_of(scope), a, b));
    origin.range = (struct dl__range){0, 0};
    origin.is_counted = true;
    origin.of[0] = is_zero ? b : a;
    return new_atom(scope, &origin);
}

static const struct dl__integer *bits(struct dl__scope *scope, struct dl__node *n,
                                      const struct dl__integer *a,
                                      const struct dl__integer *b)
{
    int64_t constant;

    if (is_number(b, &constant))
        return by_constant(scope, n, a, constant);
    if (dl__op_is(n, "&") && is_number(a, &constant) && constant >= 0)
        return atom_within(scope, n, (struct dl__range){0, constant});
    return atom(scope, n);
}

static const struct dl__integer *binary(struct dl__scope *scope, struct dl__node *n)
{
    const struct dl__integer *a, *b;

    if (n->child_count != 2 ||
        !dl__is_integer_type(dl__type_of(scope->unit, n->children[0])) ||
        !dl__is_integer_type(dl__type_of(scope->unit, n->children[1])) ||
        dl__is_assignment(n) || !n->op[0])
        return atom(scope, n);
    if (n->op[0] == '<' || n->op[0] == '>' || n->op[0] == '=' || n->op[0] == '!')
        if (n->op[1] != n->op[0] || n->op[0] == '=')
            return atom_within(scope, n, (struct dl__range){0, 1});
    a = dl__integer_of(scope, n->children[0]);
    b = dl__integer_of(scope, n->children[1]);
    if (dl__op_is(n, "+") || dl__op_is(n, "-"))
        return fitted(scope, n,
                      dl__integer_sum(arena_of(scope), a, b, dl__op_is(n, "-") ? -1 : 1));
    if (dl__op_is(n, "*"))
        return product(scope, n, a, b);
    return as_derived(scope, n, n->op, a, b, bits(scope, n, a, b));
}

static const struct dl__integer *unary(struct dl__scope *scope, struct dl__node *n)
{
    const struct dl__integer *zero;

    if (n->child_count != 1 ||
        !dl__is_integer_type(dl__type_of(scope->unit, n->children[0])))
        return atom(scope, n);
    if (dl__op_is(n, "+"))
        return dl__integer_of(scope, n->children[0]);
    if (!dl__op_is(n, "-"))
        return dl__op_is(n, "!") ? atom_within(scope, n, (struct dl__range){0, 1})
                                 : atom(scope, n);
    zero = dl__integer_number(arena_of(scope), 0);
    return fitted(scope, n,
                  dl__integer_sum(arena_of(scope), zero,
                                  dl__integer_of(scope, n->children[0]), -1));
}

/* One of two: a number where both are one. */
static const struct dl__integer *choice(struct dl__scope *scope, struct dl__node *n)
{
    const struct dl__integer *yes, *no;
    struct dl__origin origin = origin_of(scope, n);

    if (n->child_count != 3 ||
        !dl__is_integer_type(dl__type_of(scope->unit, n->children[1])) ||
        !dl__is_integer_type(dl__type_of(scope->unit, n->children[2])))
        return atom(scope, n);
    yes = dl__integer_of(scope, n->children[1]);
    no = dl__integer_of(scope, n->children[2]);
    if (yes->is_exact && no->is_exact && dl__polynomial_equal(&yes->sum, &no->sum))
        return yes;
    origin.range = dl__range_meet(range_join(yes->range, no->range), origin.range);
    origin.is_counted = integer_is_counted(yes) && integer_is_counted(no);
    origin.of[0] = yes;
    origin.of[1] = no;
    return new_atom(scope, &origin);
}

/* ---- names ---- */

static const struct dl__integer *value_of_variable(struct dl__scope *scope,
                                                   struct dl__node *n,
                                                   struct dl__node *declaration)
{
    struct dl__unit *u = scope->unit;
    const struct dl__integer *out;
    struct dl__node *value;
    int64_t constant;

    for (size_t i = 0; i < u->function->parameter_count; i++)
        if (u->function->parameters[i].name_at == n->declared_at)
            return scope->arguments && scope->arguments[i] ? scope->arguments[i]
                   : scope->arguments                      ? atom_of_variable(scope, n)
                                      : dl__integer_parameter(scope, i);
    if (!declaration &&
        dl__ast_constant_named(u->tracker->ast, n->name, strlen(n->name), &constant)) {
        const struct dl__integer *number = dl__integer_number(arena_of(scope), constant);

        return number ? number : atom_of_variable(scope, n);
    }
    if (!declaration || !declaration->child_count)
        return atom_of_variable(scope, n);
    value = declaration->children[declaration->child_count - 1];
    if (!dl__is_integer_type(dl__type_of(u, value)))
        return atom_of_variable(scope, n);
    out = dl__integer_converted(scope, dl__integer_of(scope, value),
                                dl__type_of(u, value), dl__type_of(u, n));
    return sees_through(scope, declaration, out) ? out : atom_of_variable(scope, n);
}

static const struct dl__integer *name(struct dl__scope *scope, struct dl__node *n)
{
    struct dl__node *declaration;
    const struct dl__integer *known;

    if (n->declared_at == SIZE_MAX || is_shared(dl__type_of(scope->unit, n)))
        return atom(scope, n);
    if (dl__is_changed(scope->unit, n->declared_at, &declaration))
        return atom_within(scope, n, counter_range(scope, n));
    known = find_known(scope, n->declared_at);
    return known ? known
                 : keep(scope, n->declared_at, value_of_variable(scope, n, declaration));
}

/* ---- calls ---- */

/* Sizes and ids of a launch are below 2^40: other launches run as written. */
static bool is_of_launch(const char *name)
{
    static const char names[] =
        "get_global_id get_global_size get_global_offset get_local_id get_local_size "
        "get_enqueued_local_size get_group_id get_num_groups get_global_linear_id "
        "get_work_dim get_local_linear_id";

    return dl__is_in(names, name, strlen(name));
}

static const struct dl__integer *of_launch(struct dl__scope *scope, struct dl__node *n)
{
    const struct dl__integer *value = atom_within(
                                 scope, n,
                                 (struct dl__range){0, INT64_C(1) << OF_LAUNCH_BITS}),
                             *zero = dl__integer_number(arena_of(scope), 0);

    return n->child_count == 2 && scope->evaluation->derived
               ? as_derived(scope, n, n->name + strlen("get_"),
                            dl__integer_of(scope, n->children[1]), zero, value)
               : value;
}

/* min and max of integers of one type. */
static const struct dl__integer *bounded(struct dl__scope *scope, struct dl__node *n,
                                         bool is_max)
{
    const struct dl__integer *left = dl__integer_of(scope, n->children[1]),
                             *right = dl__integer_of(scope, n->children[2]);
    struct dl__range a = left->range, b = right->range;
    struct dl__range range = {
        is_max ? (a.lo > b.lo ? a.lo : b.lo) : (a.lo < b.lo ? a.lo : b.lo),
        is_max ? (a.hi > b.hi ? a.hi : b.hi) : (a.hi < b.hi ? a.hi : b.hi)};

    return as_derived(scope, n, n->name, left, right, atom_within(scope, n, range));
}

/* The value of what a function returns, where it does nothing else but declare
 * variables; NULL: it does. */
static const struct dl__integer *returned(struct dl__scope *scope);

static const struct dl__integer *call(struct dl__scope *scope, struct dl__node *n)
{
    struct dl__function *f = dl__ast_callee(scope->unit->tracker->ast, n);
    const struct dl__integer *value;
    struct dl__scope *inner;

    if (!n->name)
        return atom(scope, n);
    if (!f && is_of_launch(n->name))
        return of_launch(scope, n);
    if (!f && n->child_count == 3 &&
        (!strcmp(n->name, "min") || !strcmp(n->name, "max")) &&
        dl__is_integer_type(dl__type_of(scope->unit, n->children[1])) &&
        dl__is_integer_type(dl__type_of(scope->unit, n->children[2])))
        return bounded(scope, n, n->name[1] == 'a');
    inner = f && f->is_defined ? dl__scope_of_call(scope, n, f) : NULL;
    value = inner ? returned(inner) : NULL;
    return sees_through(scope, n, value) ? value : atom(scope, n);
}

/* ---- expressions ---- */

/* True of what a quotient in a dimension is made of. */
static bool is_operand(const struct dl__scope *scope, const struct dl__integer *value)
{
    for (const struct dl__derived *d = scope->evaluation->derived; d; d = d->next)
        if (dl__polynomial_equal(&d->a->sum, &value->sum) ||
            dl__polynomial_equal(&d->b->sum, &value->sum))
            return true;
    return false;
}

/* A value that is printed again is not taken apart if that changes it, nor are sums and
 * shifts. */
static const struct dl__integer *unless_kept(struct dl__scope *scope, struct dl__node *n,
                                             const struct dl__integer *value)
{
    const struct dl__polynomial_term *term = value->sum.terms.items;
    bool is_conversion = n->child_count == 1 && value->sum.terms.count == 1 &&
                         term->count && dl__is_conversion_of(term->atoms[0]->origin);

    return !scope->evaluation->keeps_sums ||
                   !(is_conversion || dl__op_is(n, "+") || dl__op_is(n, "-") ||
                     dl__op_is(n, "<<")) ||
                   is_operand(scope, value) || sees_through(scope, n, value)
               ? value
               : atom(scope, n);
}

static const struct dl__integer *converted(struct dl__scope *scope, struct dl__node *n)
{
    const struct dl__integer *value;
    const struct dl__type *from;

    if (n->child_count != 1)
        return atom(scope, n);
    from = dl__type_of(scope->unit, n->children[0]);
    /* Who prints the sum leaves out what it is converted to, which loses nothing modulo
     * 2^32. */
    if (scope->evaluation->sees_through &&
        !(scope->evaluation->keeps_sums && scope->depth) &&
        dl__type_of(scope->unit, n)->bytes < 4)
        return atom(scope, n);
    if (!dl__is_integer_type(from))
        return part(scope, n);
    value = dl__integer_converted(scope, dl__integer_of(scope, n->children[0]), from,
                                  dl__type_of(scope->unit, n));
    return unless_kept(scope, n, value);
}

static const struct dl__integer *evaluate(struct dl__scope *scope, struct dl__node *n)
{
    const struct dl__integer *number;
    int64_t constant;

    if (dl__constant_of(scope->unit, n, &constant)) {
        number = dl__integer_number(arena_of(scope), constant);
        return number ? number : atom(scope, n);
    }
    switch (n->kind) {
    case DL__N_PAREN:
    case DL__N_IMPLICIT:
    case DL__N_CAST:
        return converted(scope, n);
    case DL__N_NAME:
        return name(scope, n);
    case DL__N_UNARY:
        return unless_kept(scope, n, unary(scope, n));
    case DL__N_BINARY:
        return unless_kept(scope, n, binary(scope, n));
    case DL__N_CONDITIONAL:
        return choice(scope, n);
    case DL__N_CALL:
        return call(scope, n);
    case DL__N_MEMBER:
    case DL__N_SUBSCRIPT:
        return part(scope, n);
    default:
        return atom(scope, n);
    }
}

const struct dl__integer *dl__integer_of(struct dl__scope *scope, struct dl__node *n)
{
    struct dl__evaluation *e = scope->evaluation;
    const struct dl__integer *value = find_known(scope, (uintptr_t)n);

    if (value)
        return value;
    if (e->nested >= NESTED_MAX || ++e->steps > STEPS_MAX) {
        struct dl__origin origin = origin_of(scope, n);
        struct dl__integer *out = DL__NEW(arena_of(scope), struct dl__integer);

        *out = *new_atom(scope, &origin);
        out->is_exact = origin.type->scalar == 'i';
        return out;
    }
    e->nested++;
    value = evaluate(scope, n);
    e->nested--;
    return find_known(scope, (uintptr_t)n) ? value : keep(scope, (uintptr_t)n, value);
}

/* ---- functions ---- */

struct dl__scope *dl__scope_make(struct dl__unit *unit)
{
    struct dl__scope *scope = DL__NEW(unit->tracker->arena, struct dl__scope);

    scope->unit = unit;
    scope->evaluation = DL__NEW(unit->tracker->arena, struct dl__evaluation);
    return scope;
}

/* An argument as its parameter has it. */
static const struct dl__integer *given(struct dl__scope *scope, struct dl__node *argument,
                                       const struct dl__type *from,
                                       const struct dl__type *to)
{
    const struct dl__integer *value = dl__integer_of(scope, argument),
                             *out = dl__integer_converted(scope, value, from, to);
    struct dl__origin origin = origin_of(scope, argument);

    if (!scope->evaluation->keeps_sums || (out == value && out->is_exact) ||
        sees_through(scope, argument, out))
        return out;
    origin.type = to;
    origin.range = out->range;
    return new_atom(scope, &origin);
}

struct dl__scope *dl__scope_of_call(struct dl__scope *caller, struct dl__node *call,
                                    struct dl__function *f)
{
    struct dl__arena *arena = arena_of(caller);
    struct dl__scope *scope;

    if (caller->depth == DEPTH_MAX || f->parameter_count + 1 != call->child_count)
        return NULL;
    scope = DL__NEW(arena, struct dl__scope);
    scope->unit = DL__NEW(arena, struct dl__unit);
    scope->unit->tracker = caller->unit->tracker;
    scope->unit->function = f;
    scope->evaluation = caller->evaluation;
    scope->depth = caller->depth + 1;
    scope->arguments =
        dl__arena_alloc(arena, (f->parameter_count + 1) * sizeof *scope->arguments);
    for (size_t i = 0; i < f->parameter_count; i++) {
        struct dl__node *argument = call->children[i + 1];
        const struct dl__type *from = dl__type_of(caller->unit, argument);

        if (dl__is_integer_type(from) && dl__is_integer_type(f->parameters[i].type))
            scope->arguments[i] = given(caller, argument, from, f->parameters[i].type);
    }
    return scope;
}

static const struct dl__integer *returned(struct dl__scope *scope)
{
    struct dl__unit *u = scope->unit;
    struct dl__node *body = dl__ast_body(u->tracker->ast, u->function), *last;
    const struct dl__type *result = u->function->result;

    if (!body->child_count || !dl__is_integer_type(result))
        return NULL;
    for (size_t i = 0; i + 1 < body->child_count; i++)
        if (body->children[i]->kind != DL__N_DECL_STATEMENT)
            return NULL;
    last = body->children[body->child_count - 1];
    if (last->kind != DL__N_RETURN || last->child_count != 1 ||
        !dl__is_integer_type(dl__type_of(u, last->children[0])))
        return NULL;
    return dl__integer_converted(scope, dl__integer_of(scope, last->children[0]),
                                 dl__type_of(u, last->children[0]), result);
}

/* ---- dimensions ---- */

/* Returns the value of a step without operands; NULL: it is not known. */
static const struct dl__integer *brought(struct dl__scope *scope,
                                         const struct dl__function *kernel,
                                         const struct dl__dimension_step *step)
{
    struct dl__unit *u = scope->unit;
    struct dl__arena *arena = arena_of(scope);
    const struct dl__integer *zero = dl__integer_number(arena, 0);
    struct dl__node *declaration;
    const char *name;
    size_t i = 0;

    if (!*step->name)
        return dl__integer_number(arena, step->value);
    if (strcmp(step->name, "arg") != 0)
        return derived(scope, step->name, dl__integer_number(arena, (int64_t)step->index),
                       zero);
    name =
        step->index < kernel->parameter_count ? kernel->parameters[step->index].name : "";
    while (i < u->function->parameter_count &&
           strcmp(u->function->parameters[i].name, name) != 0)
        i++;
    if (i == u->function->parameter_count || !*name ||
        dl__is_changed(u, u->function->parameters[i].name_at, &declaration))
        return NULL;
    return dl__is_integer_type(u->function->parameters[i].type)
               ? dl__integer_parameter(scope, i)
               : derived(scope, ".", dl__integer_number(arena, (int64_t)i),
                         dl__integer_number(arena, step->offset_bytes));
}

static const struct dl__integer *stepped(struct dl__scope *scope,
                                         const struct dl__dimension_step *step,
                                         const struct dl__integer *const *of)
{
    struct dl__arena *arena = arena_of(scope);
    int64_t by;

    if (!strcmp(step->name, "-"))
        return step->operands == 1
                   ? dl__integer_sum(arena, dl__integer_number(arena, 0), of[0], -1)
                   : dl__integer_sum(arena, of[0], of[1], -1);
    if (step->operands != 2)
        return NULL;
    if (!strcmp(step->name, "+"))
        return dl__integer_sum(arena, of[0], of[1], 1);
    if (!strcmp(step->name, "*"))
        return dl__integer_product(arena, of[0], of[1]);
    if (!strcmp(step->name, "<<") && is_number(of[1], &by) && by >= 0 && by < 31)
        return dl__integer_product(arena, of[0],
                                   dl__integer_number(arena, INT64_C(1) << by));
    return derived(scope, step->name, of[0], of[1]);
}

const struct dl__integer *dl__integer_of_dimension(struct dl__scope *scope,
                                                   const struct dl__function *kernel,
                                                   const char *text)
{
    const struct dl__integer *stack[STACK_MAX] = {find_known(scope, (uintptr_t)text)};
    struct dl__dimension_step step;
    struct dl_dimension *parsed;
    size_t depth = 0;

    if (stack[0])
        return stack[0];
    parsed = dl__dimension_parse(arena_of(scope), text, strlen(text), NULL);
    for (size_t i = 0; parsed && dl__dimension_step(parsed, i, &step); i++) {
        depth -= step.operands;
        stack[depth] = step.operands ? stepped(scope, &step, &stack[depth])
                                     : brought(scope, kernel, &step);
        if (!stack[depth++] || depth == STACK_MAX) {
            stack[0] = NULL;
            break;
        }
    }
    return stack[0] ? keep(scope, (uintptr_t)text, stack[0]) : NULL;
}
