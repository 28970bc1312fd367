/* SPDX-License-Identifier: MIT */
/* How far a loop counts: `for (i = 1; i < 19; i += 2)` has i from 1 to 17 inside it,
 * where nothing else changes it. */
#include <string.h>

#include "annotate/text/lex.h"
#include "annotate/track/locals.h"
#include "annotate/track/node.h"
#include "annotate/values/integer.h"

enum { STEP_BITS = 40, CLIMB_BITS = 50 };

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

struct dl__range dl__counter_range(struct dl__scope *scope, struct dl__node *name)
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
