/* SPDX-License-Identifier: MIT */
/* The value of an expression of a kernel. */
#include "annotate/values/integer.h"

#include <string.h>

#include "annotate/text/lex.h"
#include "annotate/track/unit.h"

enum { STEP_BITS = 40, CLIMB_BITS = 50 };

static const struct dl__integer *name(struct dl__scope *scope, struct dl__node *n);

/* The innermost `for` around a name that steps the variable, in its head. */
static struct dl__node *loop_of(struct dl__unit *u, const struct dl__node *name,
                                struct dl__node **step)
{
    for (struct dl__node *n = name->parent; n; n = n->parent) {
        struct dl__lexer lexer = {
            .text = u->tracker->ast->text, .bytes = n->end, .offset = n->begin};
        struct dl__token first = dl__lex_next(&lexer);
        struct dl__node *body = n->child_count ? n->children[n->child_count - 1] : NULL;

        if (n->kind != DL__N_BRANCH || !dl__token_is(&first, "for") || !n->condition ||
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

/* What the step adds; 0: not known. */
static int64_t step_of(struct dl__scope *scope, struct dl__node *step)
{
    int64_t by;

    if (dl__is_step(step))
        return dl__op_is(step, "++") ? 1 : -1;
    if (!dl__is_integer_type(dl__type_of(scope->unit, step->children[1])) ||
        !dl__polynomial_is_constant(&dl__integer_of(scope, step->children[1])->sum, &by))
        return 0;
    return dl__op_is(step, "+=") ? by : dl__op_is(step, "-=") ? -by : 0;
}

/* What the variable is set to before the loop, by its declaration or in the loop's head,
 * where nothing else but the step changes it. NULL: not so. */
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
    static const char *const comparisons[] = {"<", "<=", ">", ">=", "!="};
    struct dl__node *n = dl__strip(condition);
    bool compares = false;

    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
        compares |= dl__op_is(n, comparisons[i]);
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

static struct dl__range upwards(struct dl__range start, struct dl__range bound,
                                const char *op, int64_t step, const struct dl__type *type)
{
    struct dl__range none = dl__range_of_type(type);
    int64_t last = bound.hi - (strcmp(op, "<=") != 0);

    if (start.lo == INT64_MIN || bound.hi == INT64_MAX || op[0] == '>' || op[0] == '=' ||
        (op[0] == '!' && (step != 1 || start.hi > bound.lo)))
        return none;
    if (last < start.lo)
        return start; /* nothing comes here */
    if (start.lo == start.hi)
        last = start.lo + (last - start.lo) / step * step;
    /* Its last step must not wrap. */
    return type->scalar == 'i' || dl__range_fits(dl__range_of(last + step), type)
               ? (struct dl__range){start.lo, last}
               : none;
}

static struct dl__range downwards(struct dl__range start, struct dl__range bound,
                                  const char *op, int64_t step,
                                  const struct dl__type *type)
{
    struct dl__range none = dl__range_of_type(type);
    int64_t last = bound.lo + !op[1];

    if (bound.lo == INT64_MIN || start.hi == INT64_MAX || op[0] != '>')
        return none;
    if (last > start.hi)
        return start;
    return type->scalar == 'i' || last + step >= 0 ? (struct dl__range){last, start.hi}
                                                   : none;
}

/* By the launch's sizes at most. */
static bool is_small_step(struct dl__scope *scope, struct dl__node *n)
{
    struct dl__range by;

    if (dl__is_step(n))
        return dl__op_is(n, "++");
    if (!dl__op_is(n, "+=") ||
        !dl__is_integer_type(dl__type_of(scope->unit, n->children[1])))
        return false;
    by = dl__integer_of(scope, n->children[1])->range;
    return by.lo >= 0 && by.hi <= INT64_C(1) << STEP_BITS;
}

/* True when all that changes the variable in the node are such steps. */
static bool only_steps(struct dl__scope *scope, struct dl__node *n, size_t declared_at)
{
    bool is_its = n->child_count && dl__strip(n->children[0])->kind == DL__N_NAME &&
                  dl__strip(n->children[0])->declared_at == declared_at;

    if (is_its && (n->kind == DL__N_COMPOUND || dl__is_step(n))) {
        if (!is_small_step(scope, n))
            return false;
    } else if (is_its &&
               (dl__is_assignment(n) || (n->kind == DL__N_UNARY && dl__op_is(n, "&")) ||
                ((n->kind == DL__N_UNARY || n->kind == DL__N_BINARY) && !n->op[0]))) {
        return false;
    }
    for (size_t i = 0; i < n->child_count; i++)
        if (!only_steps(scope, n->children[i], declared_at))
            return false;
    return true;
}

/* No work-item lives long enough to count further than this by such steps. */
static struct dl__range climbed(struct dl__scope *scope, struct dl__node *name)
{
    struct dl__unit *u = scope->unit;
    struct dl__range none = dl__range_of_type(dl__type_of(u, name)), start;
    struct dl__node *declaration, *value;

    dl__is_changed(u, name->declared_at, &declaration);
    if (!declaration || !declaration->child_count)
        return none;
    value = declaration->children[declaration->child_count - 1];
    if (!dl__is_integer_type(dl__type_of(u, value)) ||
        !only_steps(scope, dl__ast_body(u->tracker->ast, u->function), name->declared_at))
        return none;
    start = dl__integer_of(scope, value)->range;
    if (!dl__range_is_within(start, none) || start.hi > INT64_C(1) << STEP_BITS)
        return none;
    return (struct dl__range){start.lo, INT64_C(1) << CLIMB_BITS};
}

/* What a variable that changes can be where its name stands: a loop's counter inside the
 * loop. */
static struct dl__range counter_range(struct dl__scope *scope, struct dl__node *name)
{
    struct dl__unit *u = scope->unit;
    const struct dl__type *type = dl__type_of(u, name);
    struct dl__range none = dl__range_of_type(type), start, bound, range;
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

enum { NESTED_MAX = 128, STEPS_MAX = 1000000, DEPTH_MAX = 8, OF_LAUNCH_BITS = 40 };

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
               dl__integer_is_counted(dl__integer_of(scope, n));
    if (n->kind == DL__N_NAME && !n->is_constant)
        return n->declared_at != SIZE_MAX && declaration && !dl__has_call(declaration);
    for (size_t i = 0; i < n->child_count; i++)
        if (!is_counted(scope, n->children[i]))
            return false;
    return true;
}

static const struct dl__integer *atom_within(struct dl__scope *scope, struct dl__node *n,
                                             struct dl__range range)
{
    const struct dl__type *type = dl__type_of(scope->unit, n);
    const struct dl__integer *known = find_known(scope, (uintptr_t)n);
    struct dl__origin origin = {.node = n,
                                .declared_at = SIZE_MAX,
                                .parameter = SIZE_MAX,
                                .type = type,
                                .range = dl__range_meet(range, dl__range_of_type(type))};

    if (known)
        return known;
    origin.is_counted = is_counted(scope, n);
    return keep(scope, (uintptr_t)n, dl__integer_atom(scope, &origin));
}

static const struct dl__integer *atom(struct dl__scope *scope, struct dl__node *n)
{
    return atom_within(scope, n, dl__range_of_type(dl__type_of(scope->unit, n)));
}

/* One that is the same wherever it is named. */
static const struct dl__integer *atom_of_variable(struct dl__scope *scope,
                                                  struct dl__node *n, size_t parameter)
{
    const struct dl__type *type = dl__type_of(scope->unit, n);
    struct dl__origin origin = {.node = n,
                                .declared_at = n->declared_at,
                                .parameter = parameter,
                                .type = type,
                                .range = dl__range_of_type(type)};

    return dl__integer_atom(scope, &origin);
}

const struct dl__integer *dl__integer_parameter(struct dl__scope *scope, size_t number)
{
    const struct dl__parameter *p = &scope->unit->function->parameters[number];
    const struct dl__integer *known = find_known(scope, p->name_at);
    struct dl__origin origin = {.declared_at = p->name_at,
                                .parameter = number,
                                .type = p->type,
                                .range = dl__range_of_type(p->type)};

    return known ? known : keep(scope, p->name_at, dl__integer_atom(scope, &origin));
}

static bool sees_through(struct dl__scope *scope, struct dl__node *n,
                         const struct dl__integer *value)
{
    const struct dl__evaluation *e = scope->evaluation;

    return value && (!e->sees_through || e->sees_through(scope, n, value));
}

/* ---- operators ---- */

/* What is too large to be followed: without a sign, its parts may have wrapped. */
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
        value->range = dl__range_meet(value->range, dl__range_of_type(type));
    } else if (!dl__range_fits(value->range, type)) {
        value->range = dl__range_of_type(type);
        value->is_exact = false;
    }
    return value;
}

static bool is_number(const struct dl__integer *value, int64_t *out)
{
    return value->is_exact && dl__polynomial_is_constant(&value->sum, out);
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
                   : atom_within(scope, n, dl__range_remainder(left->range, by));
    if (dl__op_is(n, "&") && by >= 0)
        return atom_within(scope, n, (struct dl__range){0, by});
    if (dl__op_is(n, "<<") && by >= 0 && by < 31) {
        const struct dl__integer *factor =
            dl__integer_number(arena_of(scope), INT64_C(1) << by);
        struct dl__integer *shifted = dl__integer_product(arena_of(scope), left, factor);

        /* Bits that are shifted out of a number with a sign are lost, unlike a product's.
         */
        return shifted && dl__range_fits(shifted->range, dl__type_of(scope->unit, n))
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
    struct dl__origin origin = {.node = n,
                                .declared_at = SIZE_MAX,
                                .parameter = SIZE_MAX,
                                .type = dl__type_of(scope->unit, n),
                                .is_counted = true};
    bool is_zero = dl__polynomial_is_zero(&a->sum);

    if (!scope->evaluation->keeps_zeros || is_zero == dl__polynomial_is_zero(&b->sum))
        return fitted(scope, n, dl__integer_product(arena_of(scope), a, b));
    origin.of[0] = is_zero ? b : a;
    return dl__integer_atom(scope, &origin);
}

static const struct dl__integer *binary(struct dl__scope *scope, struct dl__node *n)
{
    const struct dl__integer *a, *b;
    int64_t constant;

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
    if (is_number(b, &constant))
        return by_constant(scope, n, a, constant);
    if (dl__op_is(n, "&") && is_number(a, &constant) && constant >= 0)
        return atom_within(scope, n, (struct dl__range){0, constant});
    return atom(scope, n);
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
    const struct dl__integer *yes, *no, *known = find_known(scope, (uintptr_t)n);
    const struct dl__type *type = dl__type_of(scope->unit, n);
    struct dl__origin origin = {
        .node = n, .declared_at = SIZE_MAX, .parameter = SIZE_MAX, .type = type};

    if (known)
        return known;
    if (n->child_count != 3 ||
        !dl__is_integer_type(dl__type_of(scope->unit, n->children[1])) ||
        !dl__is_integer_type(dl__type_of(scope->unit, n->children[2])))
        return atom(scope, n);
    yes = dl__integer_of(scope, n->children[1]);
    no = dl__integer_of(scope, n->children[2]);
    if (yes->is_exact && no->is_exact && dl__polynomial_equal(&yes->sum, &no->sum))
        return yes;
    origin.range =
        dl__range_meet(dl__range_join(yes->range, no->range), dl__range_of_type(type));
    origin.is_counted = dl__integer_is_counted(yes) && dl__integer_is_counted(no);
    origin.of[0] = yes;
    origin.of[1] = no;
    return keep(scope, (uintptr_t)n, dl__integer_atom(scope, &origin));
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
                   : scope->arguments ? atom_of_variable(scope, n, SIZE_MAX)
                                      : dl__integer_parameter(scope, i);
    if (!declaration &&
        dl__ast_constant_named(u->tracker->ast, n->name, strlen(n->name), &constant)) {
        const struct dl__integer *number = dl__integer_number(arena_of(scope), constant);

        return number ? number : atom_of_variable(scope, n, SIZE_MAX);
    }
    if (!declaration || !declaration->child_count)
        return atom_of_variable(scope, n, SIZE_MAX);
    value = declaration->children[declaration->child_count - 1];
    if (!dl__is_integer_type(dl__type_of(u, value)))
        return atom_of_variable(scope, n, SIZE_MAX);
    out = dl__integer_converted(scope, dl__integer_of(scope, value),
                                dl__type_of(u, value), dl__type_of(u, n));
    return sees_through(scope, declaration, out) ? out
                                                 : atom_of_variable(scope, n, SIZE_MAX);
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

/* What a launch gives lies below 2^40: others run as written. */
static bool is_of_launch(const char *name)
{
    static const char *const names[] = {
        "get_global_id", "get_global_size",    "get_global_offset",
        "get_local_id",  "get_local_size",     "get_enqueued_local_size",
        "get_group_id",  "get_num_groups",     "get_global_linear_id",
        "get_work_dim",  "get_local_linear_id"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

/* min and max of integers of one type. */
static const struct dl__integer *bounded(struct dl__scope *scope, struct dl__node *n,
                                         bool is_max)
{
    struct dl__range a = dl__integer_of(scope, n->children[1])->range,
                     b = dl__integer_of(scope, n->children[2])->range;
    struct dl__range range = {
        is_max ? (a.lo > b.lo ? a.lo : b.lo) : (a.lo < b.lo ? a.lo : b.lo),
        is_max ? (a.hi > b.hi ? a.hi : b.hi) : (a.hi < b.hi ? a.hi : b.hi)};

    return atom_within(scope, n, range);
}

static const struct dl__integer *call(struct dl__scope *scope, struct dl__node *n)
{
    struct dl__function *f = dl__ast_callee(scope->unit->tracker->ast, n);
    const struct dl__integer *known = find_known(scope, (uintptr_t)n);
    struct dl__scope *inner;

    if (known || !n->name)
        return known ? known : atom(scope, n);
    if (!f && is_of_launch(n->name))
        return atom_within(scope, n, (struct dl__range){0, INT64_C(1) << OF_LAUNCH_BITS});
    if (!f && n->child_count == 3 &&
        (!strcmp(n->name, "min") || !strcmp(n->name, "max")) &&
        dl__is_integer_type(dl__type_of(scope->unit, n->children[1])) &&
        dl__is_integer_type(dl__type_of(scope->unit, n->children[2])))
        return bounded(scope, n, n->name[1] == 'a');
    inner = f && f->is_defined ? dl__scope_of_call(scope, n, f) : NULL;
    known = inner ? dl__integer_returned(inner) : NULL;
    return sees_through(scope, n, known) ? keep(scope, (uintptr_t)n, known)
                                         : atom(scope, n);
}

/* ---- expressions ---- */

static const struct dl__integer *converted(struct dl__scope *scope, struct dl__node *n)
{
    const struct dl__integer *known = find_known(scope, (uintptr_t)n);
    const struct dl__type *from;

    if (known || n->child_count != 1)
        return known ? known : atom(scope, n);
    from = dl__type_of(scope->unit, n->children[0]);
    /* Who prints the sum leaves out what it is converted to, which loses nothing modulo
     * 2^32. */
    if (scope->evaluation->sees_through && dl__type_of(scope->unit, n)->bytes < 4)
        return atom(scope, n);
    return dl__is_integer_type(from)
               ? keep(scope, (uintptr_t)n,
                      dl__integer_converted(scope, dl__integer_of(scope, n->children[0]),
                                            from, dl__type_of(scope->unit, n)))
               : atom(scope, n);
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
        return unary(scope, n);
    case DL__N_BINARY:
        return binary(scope, n);
    case DL__N_CONDITIONAL:
        return choice(scope, n);
    case DL__N_CALL:
        return call(scope, n);
    default:
        return atom(scope, n);
    }
}

const struct dl__integer *dl__integer_of(struct dl__scope *scope, struct dl__node *n)
{
    struct dl__evaluation *e = scope->evaluation;
    const struct dl__integer *value;

    if (e->nested >= NESTED_MAX || ++e->steps > STEPS_MAX) {
        const struct dl__type *type = dl__type_of(scope->unit, n);
        struct dl__origin origin = {.node = n,
                                    .declared_at = SIZE_MAX,
                                    .parameter = SIZE_MAX,
                                    .type = type,
                                    .range = dl__range_of_type(type)};
        struct dl__integer *out = DL__NEW(arena_of(scope), struct dl__integer);

        *out = *dl__integer_atom(scope, &origin);
        out->is_exact = type->scalar == 'i';
        return out;
    }
    e->nested++;
    value = evaluate(scope, n);
    e->nested--;
    return value;
}

/* ---- functions ---- */

struct dl__scope *dl__scope_make(struct dl__unit *unit)
{
    struct dl__scope *scope = DL__NEW(unit->tracker->arena, struct dl__scope);

    scope->unit = unit;
    scope->evaluation = DL__NEW(unit->tracker->arena, struct dl__evaluation);
    return scope;
}

struct dl__scope *dl__scope_of(struct dl__unit *unit)
{
    if (!unit->scope)
        unit->scope = dl__scope_make(unit);
    return unit->scope;
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
            scope->arguments[i] = dl__integer_converted(
                caller, dl__integer_of(caller, argument), from, f->parameters[i].type);
    }
    return scope;
}

const struct dl__integer *dl__integer_returned(struct dl__scope *scope)
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
