/* SPDX-License-Identifier: MIT */
/* The facts of one kernel: the variables of its functions; frames, which are a function
 * in one context; and the run of a frame, which finds what its variables are and then
 * notes its accesses. */
#include "annotate/facts/facts.h"

#include <stdlib.h>
#include <string.h>

#include "annotate/forms/rows.h"
#include "annotate/text/lex.h"
#include "annotate/track/place.h"
#include "annotate/tree/resolve.h"

enum { LOOPS_MAX = 32 };

/* Sets of what an expression varies with: loops of a function by their bits, and its
 * parameters. */
typedef uint64_t variation;

struct own_variable {
    size_t declared_at;
    struct dl__node *declaration; /* NULL: a parameter */
    size_t parameter;
    size_t number;                      /* in the outline */
    const struct dl__variable *tracked; /* into a buffer; NULL: none */
    bool in_local_memory;
    bool has_parts;          /* of an array, struct or vector, that are set one by one */
    unsigned depth;          /* of the arms around its declaration */
    variation loops, varies; /* around its declaration; with which its value does */
};

struct outline {
    struct dl__unit *unit;
    struct dl__node *body;
    struct own_variable *variables; /* by place of declaration */
    size_t variable_count;
    struct {
        struct dl__node **items;
        size_t count, room;
    } loops; /* by first need; so many have bits in masks */
    bool has_goto;
    struct dl__scope *scope; /* see values/integer.h; made at first need */
    struct outline *next;
};

/* The value of an integer, seen from work-items that run side by side.
 *
 * "Side by side" is a matter of most neighbours, not of all: `(x + 1) % n` steps by 1,
 * and what changes once in NEAR work-items or more is the same for them. */

enum { NEAR = 32 };

/* By what is known, the most first: joining values goes up. */
enum value_kind {
    V_NOTHING, /* not reached yet */
    V_UNIFORM,
    V_LINEAR,  /* `step` more from one work-item to the next; never 0 */
    V_UNKNOWN, /* made of the work-item's place in some other way */
    V_GATHER   /* made of what was read from memory */
};

struct value {
    enum value_kind kind;
    int64_t step;
    /* Whatever the work-item, it is a multiple of `modulus` and `rest`. 0: it is `rest`;
     * 1: any. */
    int64_t modulus, rest;
    int64_t most;   /* of a uniform one: none is larger, with either sign; 0: not known */
    uint64_t holds; /* bits of arguments of the kernel that may have been added to it */
};

/* A pointer into a buffer: rows (or structs), and elements beyond the row's first. Of
 * other variables the rows are their value. */
struct pair {
    struct value rows, rest;
    variation rows_vary, rest_vary;
};

/* How neighbours agree on a condition. */
enum agreement {
    SAME,       /* one thing */
    MOSTLY_YES, /* one thing, but at a bound; most take it */
    MOSTLY_NO,
    DIVERGENT
};

/* A variable where the function is, of which nothing is known before it is set. */
struct slot {
    struct pair is;
    unsigned long change; /* the last; another one each time */
    bool escaped;         /* it may be changed in a way that is not followed */
};

/* All of a function's variables, by their numbers. */
struct state {
    struct state *next; /* that is not in use */
    struct slot slots[];
};

struct frame {
    struct analysis *analysis;
    struct outline *outline;
    /* By parameter: what it is, and the kernel's root. */
    struct pair *arguments;
    struct dl__root **roots;
    struct pair *seen; /* what each name of the body stands for, by its number */
    struct {
        struct loop {
            struct slot *back; /* what its rounds change, by variable */
            bool is_left;      /* in different rounds by neighbours */
            unsigned rounds;   /* gone through */
        } * *items;
        size_t count, room;
    } loops;
    struct state *unused, *end; /* with labels: what is set behind one may be so before */
    struct value result, rare_result;
    struct pair result_pair; /* of a copy that returns a pointer into a buffer */
    bool returns_diverge;    /* neighbours may return in different places */
    bool is_new;             /* more is known than when the round began */
    bool is_busy;            /* being solved: a call to it is recursion */
    struct frame *next;
};

/* One kernel's analysis. */
struct analysis {
    struct dl__arena *arena;
    struct dl__unit *kernel;
    struct outline *outlines;
    struct frame *frames;
    size_t frame_count;
    unsigned depth;        /* of frames being solved */
    unsigned long steps;   /* of evaluation */
    unsigned long changes; /* of variables */
    bool failed;           /* more than is followed */
};

static struct own_variable *outline_find(const struct outline *outline,
                                         size_t declared_at);
static struct frame *frame_of_call(struct frame *caller, struct dl__node *call,
                                   struct dl__function *callee);
static struct value evaluate(struct frame *frame, struct dl__node *n);
static struct pair pair_of_pointer(struct frame *frame, struct dl__node *n);

enum { PARAMETERS_MAX = 32 };
static const variation all_parameters = ~(variation)0 << LOOPS_MAX;

/* The elements of a row, where the text says how many; 1: a struct; 0: only a launch
 * knows. */
static int64_t row_elements(const struct dl__root *root)
{
    if (dl__is_of_structs(root))
        return 1;
    return root->shape ? dl__width_constant(root)
                       : (int64_t)root->element->fields->type->count;
}

/* The variation with a parameter. */
static variation variation_bit(size_t parameter)
{
    return parameter < PARAMETERS_MAX ? (variation)1 << (LOOPS_MAX + parameter) : 0;
}

/* The loops and parameters that an expression varies with, by its names. */
static variation variation_of(const struct outline *o, struct dl__node *n)
{
    struct own_variable *v = n->kind == DL__N_NAME && n->declared_at != SIZE_MAX
                                 ? outline_find(o, n->declared_at)
                                 : NULL;
    variation all = v ? v->varies : 0;

    for (size_t i = 0; i < n->child_count; i++)
        all |= variation_of(o, n->children[i]);
    return all;
}

/* ---- Variables of a body, before it is run. ---- */

/* "if", "for", ...: the word that a statement begins with. */
static bool begins_with(const struct dl__unit *u, const struct dl__node *n,
                        const char *word)
{
    struct dl__lexer lexer = {.text = u->tracker->ast->text, .bytes = n->end};
    struct dl__token t;

    lexer.offset = n->begin;
    t = dl__lex_next(&lexer);
    return dl__token_is(&t, word);
}

/* The number of a loop, by which it has a bit in masks if that is below LOOPS_MAX. */
static size_t loop_number(struct dl__arena *arena, struct outline *o, struct dl__node *n)
{
    size_t number = 0;

    while (number < o->loops.count && o->loops.items[number] != n)
        number++;
    if (number == o->loops.count)
        DL__PUSH(arena, &o->loops, n);
    return number;
}

/* The variable of a name; NULL: it is not the function's. */
static struct own_variable *outline_find(const struct outline *o, size_t declared_at)
{
    size_t low = 0, high = o->variable_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (o->variables[middle].declared_at == declared_at)
            return &o->variables[middle];
        if (o->variables[middle].declared_at < declared_at)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* The name that an lvalue is a part of, without going through a pointer; NULL: none. */
static struct dl__node *base_name(struct dl__unit *u, struct dl__node *n)
{
    for (;;) {
        n = dl__strip(n);
        if (n->kind == DL__N_NAME)
            return n;
        if ((n->kind != DL__N_MEMBER && n->kind != DL__N_SUBSCRIPT) || !n->child_count)
            return NULL;
        /* The pointer that an array decays to is stripped: this is a pointer. */
        n = dl__strip(n->children[0]);
        if (dl__type_of(u, n)->kind == DL__T_POINTER)
            return NULL;
    }
}

/* ---- variables ---- */

struct variables {
    struct own_variable *items;
    size_t count, room;
};

static void find_variables(struct dl__arena *arena, struct dl__unit *u,
                           struct dl__node *n, struct variables *out)
{
    if (n->kind == DL__N_VARIABLE) {
        struct own_variable v = {.declared_at = n->declared_at, .declaration = n};
        struct dl__lexer lexer = {.text = u->tracker->ast->text, .bytes = n->name_at};
        struct dl__token t;

        lexer.offset = n->parent ? n->parent->begin : n->begin;
        while (lexer.offset < n->name_at && (t = dl__lex_next(&lexer)).kind != DL__END)
            v.in_local_memory |= dl__token_is(&t, "__local") || dl__token_is(&t, "local");
        DL__PUSH(arena, out, v);
    }
    for (size_t i = 0; i < n->child_count; i++)
        find_variables(arena, u, n->children[i], out);
}

static int by_declaration(const void *left, const void *right)
{
    const struct own_variable *a = left, *b = right;

    return a->declared_at < b->declared_at ? -1 : a->declared_at > b->declared_at;
}

static void make_variables(struct dl__arena *arena, struct outline *o)
{
    const struct dl__function *f = o->unit->function;
    struct variables all = {0};

    for (size_t i = 0; i < f->parameter_count; i++) {
        struct own_variable v = {.declared_at = f->parameters[i].name_at,
                                 .parameter = i,
                                 .varies = variation_bit(i)};

        DL__PUSH(arena, &all, v);
    }
    find_variables(arena, o->unit, o->body, &all);
    if (all.count)
        qsort(all.items, all.count, sizeof *all.items, by_declaration);
    o->variables = all.items;
    o->variable_count = all.count;
    for (size_t i = 0; i < all.count; i++)
        all.items[i].number = i;
    for (struct dl__variable *v = o->unit->variables; v; v = v->next) {
        struct own_variable *own = outline_find(o, v->declared_at);

        if (own && v->kind != DL__LEAF && !v->is_array)
            own->tracked = v;
    }
}

/* ---- outlines ---- */

static bool mentions(const struct dl__node *n, size_t declared_at)
{
    if (n->kind == DL__N_NAME)
        return n->declared_at == declared_at;
    for (size_t i = 0; i < n->child_count; i++)
        if (mentions(n->children[i], declared_at))
            return true;
    return false;
}

/* An array's element, a struct's member, or a vector's component, which libclang shows as
 * a conversion that reaches further than what it converts. */
static bool is_part_of(const struct dl__node *n)
{
    while ((n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT) && n->child_count == 1) {
        if (n->kind == DL__N_IMPLICIT && n->end != n->children[0]->end)
            return true;
        n = n->children[0];
    }
    return n->kind != DL__N_NAME;
}

/* The function's variable that an assignment or a step changes; NULL: none. What a
 * parameter that is written as an array points to is memory. */
static struct own_variable *changed_by(const struct outline *o, struct dl__node *n)
{
    struct dl__node *name = base_name(o->unit, n->children[0]);
    struct own_variable *v = name ? outline_find(o, name->declared_at) : NULL;

    return v && (v->declaration || dl__strip(n->children[0]) == name ||
                 o->unit->function->parameters[v->parameter].type->kind != DL__T_POINTER)
               ? v
               : NULL;
}

static bool may_change(const struct dl__node *n)
{
    return n->child_count &&
           (dl__is_assignment(n) || dl__is_step(n) ||
            (n->kind == DL__N_UNARY && dl__op_is(n, "&")) ||
            (!n->op[0] && (n->kind == DL__N_UNARY || n->kind == DL__N_BINARY)));
}

/* The outline of a function, made at first need. */
static struct outline *outline_of(struct analysis *a, struct dl__unit *unit)
{
    struct outline *o = a->outlines;

    while (o && o->unit != unit)
        o = o->next;
    if (o)
        return o;
    o = DL__NEW(a->arena, struct outline);
    o->unit = unit;
    o->body = dl__ast_body(unit->tracker->ast, unit->function);
    o->next = a->outlines;
    a->outlines = o;
    /* All units leave to the one place. */
    if (unit != a->kernel)
        memcpy(&unit->refuse, &a->kernel->refuse, sizeof unit->refuse);
    make_variables(a->arena, o);
    return o;
}

/* Larger values are not followed. */
enum { SIZE_BITS = 40 };
static const int64_t size_max = (int64_t)1 << SIZE_BITS;

static struct value value_nothing(void)
{
    return (struct value){.kind = V_NOTHING};
}

/* UNIFORM, UNKNOWN or GATHER. */
static struct value value_of(enum value_kind kind)
{
    return (struct value){.kind = kind, .modulus = 1};
}

static struct value value_constant(int64_t value)
{
    if (value > size_max || value < -size_max)
        return value_of(V_UNIFORM);
    return (struct value){.kind = V_UNIFORM, .rest = value, .most = llabs(value)};
}

static struct value value_linear(int64_t step)
{
    return (struct value){.kind = V_LINEAR, .step = step, .modulus = 1};
}

static bool value_is_constant(struct value v)
{
    return v.kind == V_UNIFORM && !v.modulus;
}

static bool value_equals(struct value a, struct value b)
{
    return a.kind == b.kind && a.step == b.step && a.modulus == b.modulus &&
           a.rest == b.rest && a.most == b.most && a.holds == b.holds;
}

static bool is_bounded(struct value v)
{
    return v.kind == V_UNIFORM && (v.most || value_is_constant(v));
}

/* With the rest in [0, modulus), and nothing too large. */
static struct value settled(struct value v)
{
    if (v.kind == V_NOTHING)
        return value_nothing();
    if (llabs(v.step) > size_max)
        v.kind = v.kind == V_GATHER ? v.kind : V_UNKNOWN;
    if (v.kind == V_LINEAR && !v.step)
        v.kind = V_UNIFORM;
    if (v.kind != V_LINEAR)
        v.step = 0;
    if (v.modulus > size_max || llabs(v.rest) > size_max ||
        (!v.modulus && v.kind != V_UNIFORM))
        v.modulus = 1;
    if (v.modulus) {
        v.rest %= v.modulus;
        v.rest += v.rest < 0 ? v.modulus : 0;
    } else {
        v.most = llabs(v.rest);
    }
    if (v.kind != V_UNIFORM || v.most > size_max)
        v.most = 0;
    if (v.kind > V_LINEAR)
        v.holds = 0;
    return v;
}

static enum value_kind larger(struct value a, struct value b)
{
    return a.kind > b.kind ? a.kind : b.kind;
}

static bool any_is_nothing(struct value a, struct value b)
{
    return a.kind == V_NOTHING || b.kind == V_NOTHING;
}

/* Either of two; `divergent`: neighbours may differ in which. */
static struct value value_join(struct value a, struct value b, bool divergent)
{
    struct value v = {.kind = larger(a, b),
                      .step = a.step ? a.step : b.step,
                      .modulus = dl__common_divisor(
                          dl__common_divisor(a.modulus, b.modulus), a.rest - b.rest),
                      .rest = a.rest,
                      .holds = a.holds | b.holds};

    if (any_is_nothing(a, b))
        return a.kind == V_NOTHING ? b : a;
    if (v.kind == V_LINEAR && (a.kind != b.kind || a.step != b.step))
        v.kind = V_UNKNOWN;
    if (divergent && v.kind < V_UNKNOWN && !(value_is_constant(a) && value_equals(a, b)))
        v.kind = V_UNKNOWN;
    /* By doubling, so that loops don't go on with it for long. */
    if (is_bounded(a) && is_bounded(b))
        for (v.most = a.most; v.most < b.most;)
            v.most += v.most + 1;
    return settled(v);
}

/* `v` for nearly all, `rare` for the others. */
static struct value value_join_rare(struct value v, struct value rare)
{
    struct value both = value_join(v, rare, false);

    if (any_is_nothing(v, rare))
        return both;
    if (v.kind == V_LINEAR && rare.kind == V_LINEAR && v.step != rare.step)
        return both;
    both.kind = v.kind;
    both.step = v.step;
    both.holds = v.holds | rare.holds;
    return settled(both);
}

/* Made of both in a way that says nothing of steps. */
static struct value value_mix(struct value a, struct value b)
{
    enum value_kind kind = larger(a, b);

    if (any_is_nothing(a, b))
        return value_nothing();
    return value_of(kind == V_LINEAR ? V_UNKNOWN : kind);
}

static struct value value_add(struct value a, struct value b)
{
    struct value v = {.kind = larger(a, b),
                      .step = a.step + b.step,
                      .modulus = dl__common_divisor(a.modulus, b.modulus),
                      .rest = a.rest + b.rest,
                      .most = is_bounded(a) && is_bounded(b) ? a.most + b.most : 0,
                      .holds = a.holds | b.holds};

    return any_is_nothing(a, b) ? value_nothing() : settled(v);
}

static struct value value_negate(struct value v)
{
    v.step = -v.step;
    v.rest = -v.rest;
    v.holds = 0;
    return settled(v);
}

static struct value value_multiply(struct value a, struct value b)
{
    struct value v = value_mix(a, b);
    int64_t both, left, right;

    if (v.kind == V_NOTHING)
        return v;
    if (__builtin_mul_overflow(a.modulus, b.modulus, &both) ||
        __builtin_mul_overflow(a.modulus, b.rest, &left) ||
        __builtin_mul_overflow(b.modulus, a.rest, &right) ||
        __builtin_mul_overflow(a.rest, b.rest, &v.rest))
        return v;
    v.modulus = dl__common_divisor(dl__common_divisor(both, left), right);
    if (value_is_constant(a) && b.kind == V_LINEAR &&
        !__builtin_mul_overflow(a.rest, b.step, &v.step))
        v.kind = V_LINEAR;
    if (value_is_constant(b) && a.kind == V_LINEAR &&
        !__builtin_mul_overflow(b.rest, a.step, &v.step))
        v.kind = V_LINEAR;
    if (!is_bounded(a) || !is_bounded(b) ||
        __builtin_mul_overflow(a.most, b.most, &v.most))
        v.most = 0;
    return settled(v);
}

/* True of a bound that nearly all places are beyond. */
static bool is_small(struct value bound, struct value place)
{
    return is_bounded(bound) && bound.most < NEAR * llabs(place.step);
}

/* True of a bound that is in the place itself: `i + n` against n. */
static bool is_within(struct value bound, struct value place)
{
    return bound.holds && !(bound.holds & ~place.holds) && place.step > 0;
}

/* True when enough neighbours are within `by` of each other. */
static bool is_wide(struct value v, struct value by)
{
    if (value_is_constant(by))
        return llabs(v.step) <= llabs(by.rest) / NEAR;
    return by.kind == V_UNIFORM && llabs(v.step) == 1 && !is_small(by, v);
}

static struct value value_divide(struct value a, struct value b)
{
    struct value v = value_mix(a, b);
    int64_t by = b.rest;

    if (a.kind == V_LINEAR && b.kind == V_UNIFORM && is_wide(a, b))
        return value_of(V_UNIFORM);
    if (!value_is_constant(b) || !by) {
        v.most = a.most;
        return settled(v);
    }
    if (value_is_constant(a))
        return value_constant(a.rest / by);
    /* The quotient of a multiple of `by` and a rest below it. */
    if (by > 0 && a.modulus % by == 0 && a.rest >= 0 && a.kind < V_UNKNOWN) {
        v = (struct value){.kind = a.kind,
                           .step = a.step / by,
                           .modulus = a.modulus / by,
                           .rest = a.rest / by};
    }
    v.most = a.most / llabs(by);
    return settled(v);
}

static struct value value_modulo(struct value a, struct value b)
{
    struct value v = value_mix(a, b);
    int64_t by = value_is_constant(b) ? llabs(b.rest) : 0;

    if (v.kind == V_NOTHING)
        return v;
    if (by) {
        v.modulus = dl__common_divisor(a.modulus, by);
        v.rest = a.rest;
        if (a.modulus % by == 0) /* of a constant, too */
            return value_constant(a.rest % by);
    }
    v.most = is_bounded(a) && (!by || a.most < by) ? a.most : by ? by - 1 : 0;
    if (a.kind == V_LINEAR && b.kind == V_UNIFORM && (is_wide(a, b) || !is_bounded(b))) {
        v.kind = V_LINEAR;
        v.step = a.step;
    }
    return settled(v);
}

/* 2^k for a mask of the low k bits; 0 for others. */
static int64_t low_mask(int64_t mask)
{
    return mask > 0 && !(mask & (mask + 1)) ? mask + 1 : 0;
}

static struct value value_and(struct value a, struct value b)
{
    struct value v = value_mix(a, b);

    if (value_is_constant(a) && value_is_constant(b))
        return value_constant(a.rest & b.rest);
    if (!value_is_constant(b) &&
        (value_is_constant(a) || a.kind < b.kind)) { /* the mask second */
        struct value t = a;

        a = b;
        b = t;
    }
    if (value_is_constant(b) && b.rest > 0) {
        v.most = b.rest;
        v = settled(v);
    }
    if (a.kind != V_LINEAR || b.kind != V_UNIFORM)
        return v;
    if (!value_is_constant(b)) /* a mask that wraps around */
        return value_linear(a.step);
    if (low_mask(b.rest))
        return value_modulo(a, value_constant(low_mask(b.rest)));
    if (b.rest < 0 && low_mask(~b.rest) &&
        llabs(a.step) <= low_mask(~b.rest) / NEAR) /* the low bits go */
        return (struct value){.kind = V_UNIFORM, .modulus = low_mask(~b.rest)};
    return v;
}

static struct value value_or(struct value a, struct value b)
{
    struct value v = value_mix(a, b);

    if (value_is_constant(a) && value_is_constant(b))
        return value_constant(a.rest | b.rest);
    /* Bits beside bits: a sum. */
    if (v.kind == V_UNKNOWN && ((a.kind == V_UNIFORM && a.modulus >= NEAR &&
                                 !(a.modulus & (a.modulus - 1)) && !a.rest) ||
                                (b.kind == V_UNIFORM && b.modulus >= NEAR &&
                                 !(b.modulus & (b.modulus - 1)) && !b.rest)))
        return value_add(a, b);
    return v;
}

static struct value value_shift(struct value v, struct value by, bool left)
{
    struct value power;

    if (!value_is_constant(by) || by.rest < 0 || by.rest >= 32)
        return value_mix(v, by);
    power = value_constant((int64_t)1 << by.rest);
    return left ? value_multiply(v, power) : value_divide(v, power);
}

/* The smaller, or larger, of two. */
static struct value value_limit(struct value a, struct value b, bool smaller)
{
    struct value limit = a, other = b;

    if (any_is_nothing(a, b))
        return value_nothing();
    if (b.kind == V_UNIFORM) {
        limit = b;
        other = a;
    }
    if (other.kind != V_LINEAR || limit.kind != V_UNIFORM)
        return value_join(a, b, false);
    /* Most places are above a small bound, and below any other; those that fall may be
     * anywhere. */
    if ((smaller ? is_small(limit, other) || is_within(limit, other)
                 : is_bounded(limit) && !is_small(limit, other)) ||
        (!smaller && other.step < 0))
        return value_of(V_UNKNOWN);
    return value_join_rare(other, limit);
}

static struct value value_loaded(struct value place)
{
    if (place.kind == V_NOTHING)
        return place;
    return value_of(place.kind == V_UNIFORM ? V_UNIFORM : V_GATHER);
}

/* ---- Values of expressions as neighbouring work-items see them. ---- */

static enum agreement agreement_opposite(enum agreement a)
{
    return a == MOSTLY_YES ? MOSTLY_NO : a == MOSTLY_NO ? MOSTLY_YES : a;
}

/* Where both must hold. */
static enum agreement agreement_both(enum agreement a, enum agreement b)
{
    if (a == DIVERGENT || b == DIVERGENT)
        return DIVERGENT;
    if (a == MOSTLY_NO || b == MOSTLY_NO)
        return MOSTLY_NO;
    return a == MOSTLY_YES || b == MOSTLY_YES ? MOSTLY_YES : SAME;
}

/* One of two, by a condition. */
static struct value value_chosen(enum agreement first, struct value a, struct value b)
{
    if (first == MOSTLY_YES)
        return value_join_rare(a, b);
    if (first == MOSTLY_NO)
        return value_join_rare(b, a);
    return value_join(a, b, first == DIVERGENT);
}

/* A place that steps, against a bound: one side of it has nearly all of them. */
static enum agreement compare(const char *op, struct value place, struct value bound)
{
    bool small = is_small(bound, place);

    if (op[0] == '=')
        return MOSTLY_NO;
    if (op[0] == '!')
        return MOSTLY_YES;
    if (is_within(bound, place))
        return DIVERGENT;
    /* Nearly all places are above a small bound, and below any other. */
    return (op[0] == '<') != small ? MOSTLY_YES : MOSTLY_NO;
}

static bool is_comparison(const struct dl__node *n)
{
    return n->kind == DL__N_BINARY && n->child_count == 2 &&
           (((n->op[0] == '<' || n->op[0] == '>') && n->op[1] != n->op[0]) ||
            dl__op_is(n, "==") || dl__op_is(n, "!="));
}

static enum agreement agreement_of_comparison(struct frame *f, struct dl__node *n)
{
    struct value a = evaluate(f, n->children[0]), b = evaluate(f, n->children[1]);

    if (a.kind <= V_UNIFORM && b.kind <= V_UNIFORM)
        return SAME;
    if (a.kind == V_LINEAR && b.kind <= V_UNIFORM)
        return compare(n->op, a, b);
    if (b.kind == V_LINEAR && a.kind <= V_UNIFORM)
        return compare(n->op[0] == '<' ? ">" : n->op[0] == '>' ? "<" : n->op, b, a);
    return DIVERGENT;
}

static enum agreement agreement_of(struct frame *f, struct dl__node *n)
{
    struct value v;

    n = dl__strip(n);
    if (n->kind == DL__N_UNARY && dl__op_is(n, "!") && n->child_count)
        return agreement_opposite(agreement_of(f, n->children[0]));
    if (n->kind == DL__N_BINARY && n->child_count == 2 && dl__op_is(n, "&&"))
        return agreement_both(agreement_of(f, n->children[0]),
                              agreement_of(f, n->children[1]));
    if (n->kind == DL__N_BINARY && n->child_count == 2 && dl__op_is(n, "||"))
        return agreement_opposite(
            agreement_both(agreement_opposite(agreement_of(f, n->children[0])),
                           agreement_opposite(agreement_of(f, n->children[1]))));
    if (is_comparison(n))
        return agreement_of_comparison(f, n);
    v = evaluate(f, n);
    if (v.kind <= V_UNIFORM)
        return SAME;
    return v.kind == V_LINEAR ? MOSTLY_YES : DIVERGENT; /* not 0 */
}

/* ---- Calls: what builtins and helpers return. ---- */

static bool is_one_of(const char *name, const char *names)
{
    return dl__is_in(names, name, strlen(name));
}

static struct value argument(struct frame *f, struct dl__node *n, size_t number)
{
    return number + 1 < n->child_count ? evaluate(f, n->children[number + 1])
                                       : value_of(V_UNKNOWN);
}

/* Made of the children from `first` on. */
static struct value mixed(struct frame *f, struct dl__node *n, size_t first)
{
    struct value v = value_of(V_UNIFORM);

    for (size_t i = first; i < n->child_count; i++)
        v = value_mix(v, evaluate(f, n->children[i]));
    return v;
}

/* ---- builtins ---- */

/* Takes what the launch says: ids of the first dimension step. False for other builtins.
 */
static bool take_launch(struct frame *f, struct dl__node *n, struct value *out)
{
    static const char sizes[] =
        "get_group_id get_global_size get_local_size get_num_groups get_global_offset "
        "get_work_dim get_sub_group_size get_enqueued_local_size get_sub_group_id "
        "get_num_sub_groups get_max_sub_group_size";
    struct value dimension;

    if (is_one_of(n->name, "get_global_linear_id get_local_linear_id "
                           "get_sub_group_local_id")) {
        *out = value_linear(1);
    } else if (is_one_of(n->name, sizes)) {
        *out = value_of(V_UNIFORM);
    } else if (is_one_of(n->name, "get_global_id get_local_id")) {
        dimension = argument(f, n, 0);
        *out = !value_is_constant(dimension) ? value_of(V_UNKNOWN)
               : dimension.rest              ? value_of(V_UNIFORM)
                                             : value_linear(1);
    } else {
        return false;
    }
    return true;
}

/* Arithmetic on integers by name. */
static bool take_arithmetic(struct frame *f, struct dl__node *n, struct value *out)
{
    struct value a, b;

    if (n->child_count < 3)
        return false;
    a = argument(f, n, 0);
    b = argument(f, n, 1);
    if (is_one_of(n->name, "add_sat sub_sat")) {
        *out = value_add(a, n->name[0] == 's' ? value_negate(b) : b);
    } else if (is_one_of(n->name, "mul24 mad24 mad_sat")) {
        *out = value_multiply(a, b);
        if (n->child_count == 4)
            *out = value_add(*out, argument(f, n, 2));
    } else if (!strcmp(n->name, "min") || !strcmp(n->name, "max")) {
        *out = value_limit(a, b, n->name[1] == 'i');
    } else if (!strcmp(n->name, "clamp") && n->child_count == 4) {
        *out = value_limit(value_limit(a, b, false), argument(f, n, 2), true);
    } else if (!strcmp(n->name, "select") && n->child_count == 4) {
        *out = value_join(a, b, agreement_of(f, n->children[3]) == DIVERGENT);
    } else {
        return false;
    }
    return true;
}

/* The type of its value, or of a lane of it. */
static const struct dl__type *lane_type(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__type *type = dl__type_of(u, n);

    while (type->kind == DL__T_VECTOR)
        type = type->element;
    return type;
}

static bool is_integer(struct frame *f, struct dl__node *n)
{
    const struct dl__type *type = lane_type(f->outline->unit, n);

    return type->kind == DL__T_SCALAR && type->scalar != 'f';
}

static struct value evaluate_builtin(struct frame *f, struct dl__node *n)
{
    struct value v;

    if (take_launch(f, n, &v))
        return v;
    if (dl__atomic_of(n->name, strlen(n->name)))
        return value_of(V_GATHER);
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

static struct value evaluate_call(struct frame *f, struct dl__node *n)
{
    struct dl__function *callee = dl__ast_callee(f->outline->unit->tracker->ast, n);
    struct value unknown = value_of(V_UNKNOWN);
    struct frame *frame;

    if (!callee)
        return n->name ? evaluate_builtin(f, n) : unknown;
    /* Nothing steps by a number that is not an integer: it need not be followed. */
    frame = is_integer(f, n) ? frame_of_call(f, n, callee) : NULL;
    return frame ? frame->result : value_mix(mixed(f, n, 1), unknown);
}

/* ---- Pointers into buffers: which struct, or which row and which element of it. ---- */

/* ---- pairs ---- */

static const struct pair nothing;

static struct pair pair_zero(void)
{
    return (struct pair){value_constant(0), value_constant(0)};
}

static struct pair pair_unknown(const struct frame *f, struct dl__node *n)
{
    return (struct pair){.rows = value_of(V_UNKNOWN),
                         .rest = value_of(V_UNKNOWN),
                         .rows_vary = variation_of(f->outline, n)};
}

/* Made of two: of these parts. */
static struct pair pair_of(struct pair a, struct pair b, struct value rows,
                           struct value rest)
{
    return (struct pair){rows, rest, a.rows_vary | b.rows_vary,
                         a.rest_vary | b.rest_vary};
}

static struct pair pair_add(struct pair a, struct pair b)
{
    return pair_of(a, b, value_add(a.rows, b.rows), value_add(a.rest, b.rest));
}

static struct pair pair_join(struct pair a, struct pair b, bool divergent)
{
    return pair_of(a, b, value_join(a.rows, b.rows, divergent),
                   value_join(a.rest, b.rest, divergent));
}

static bool pair_equals(struct pair a, struct pair b)
{
    return value_equals(a.rows, b.rows) && value_equals(a.rest, b.rest) &&
           a.rows_vary == b.rows_vary && a.rest_vary == b.rest_vary;
}

static struct pair negated(struct pair p)
{
    return pair_of(p, p, value_negate(p.rows), value_negate(p.rest));
}

/* With a constant rest inside the row; the struct's index then is what the rows are, and
 * `*inside` says where in the row, V_NOTHING where it is not one element. */
static struct value pair_struct(const struct dl__root *root, struct pair p,
                                struct value *inside)
{
    int64_t width = row_elements(root), carry;
    struct value rows = p.rows, by;

    *inside = value_nothing();
    if (dl__is_of_arrays(root)) {
        *inside = value_is_constant(p.rows) ? p.rows : *inside;
        return p.rest;
    }
    if (width == 1 && dl__is_of_structs(root))
        return rows;
    if (value_is_constant(p.rest)) {
        carry = width ? p.rest.rest / width - (p.rest.rest % width < 0) : 0;
        *inside = value_constant(p.rest.rest - carry * width);
        return value_add(rows, value_constant(carry));
    }
    if (p.rest.kind == V_NOTHING || p.rest.kind == V_UNIFORM)
        return value_mix(rows, p.rest).kind == V_NOTHING ? value_nothing() : rows;
    by = width ? value_constant(width) : value_of(V_UNIFORM);
    /* Without rows, all of it decides; else it is taken to stay in its row. */
    if (value_is_constant(rows))
        return value_divide(p.rest, by);
    if (rows.kind != V_LINEAR || p.rest.kind == V_GATHER)
        return rows;
    return value_add(rows, value_divide(p.rest, by));
}

/* ---- offsets ---- */

/* Returns the pair that is v elements beyond a pointer. */
static struct pair pair_of_number(const struct dl__root *root, struct value v,
                                  variation varies)
{
    int64_t width = row_elements(root);
    struct pair p = {value_constant(0), v, 0, varies};

    if (v.kind == V_NOTHING)
        p.rows = v;
    if (width && v.modulus % width == 0 && v.kind != V_NOTHING) {
        int64_t rest = v.rest % width;

        p.rows_vary = varies;
        p.rest_vary = 0;
        p.rest = value_constant(rest);
        p.rows = value_is_constant(v) ? value_constant((v.rest - rest) / width)
                                      : value_divide(value_add(v, value_constant(-rest)),
                                                     value_constant(width));
        if (v.kind >= V_UNKNOWN)
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

static struct dl__scope *scope_of(const struct frame *f)
{
    struct outline *o = f->outline;

    if (!o->scope) {
        o->scope = dl__rows_scope(o->unit);
        o->scope->evaluation->sees_through = sees_through;
    }
    return o->scope;
}

/* Returns the value of a term of a sum; *varies is what it varies with. */
static struct value value_of_term(struct frame *f, const struct dl__polynomial_term *term,
                                  variation *varies)
{
    struct value v = value_constant(term->coefficient);

    for (size_t a = 0; a < term->count; a++) {
        const struct dl__origin *o = term->atoms[a]->origin;
        struct value by = value_of(V_UNIFORM);

        if (o->node) {
            by = evaluate(f, o->node);
            *varies |= variation_of(f->outline, o->node);
        } else if (o->parameter != SIZE_MAX) {
            by = f->arguments[o->parameter].rows;
            *varies |= variation_bit(o->parameter);
        } else if (o->of[0]) {
            by = value_constant(0);
            for (size_t t = 0; t < o->of[0]->sum.terms.count; t++)
                by = value_add(by,
                               value_of_term(f, &o->of[0]->sum.terms.items[t], varies));
        }
        v = value_multiply(v, by);
    }
    return v;
}

/* Sums of terms, each of which may be rows; of a width that the text knows, arithmetic
 * says so. */
static struct pair offset_of(struct frame *f, const struct dl__root *root,
                             struct dl__node *n)
{
    struct dl__scope *scope = scope_of(f);
    struct dl__polynomial rows = {{0}, {0}}, rest = {{0}, {0}};
    const struct dl__integer *value;
    struct pair pair = pair_zero();

    scope->evaluation->steps = 0; /* which are bounded for one expression */
    value = dl__integer_of(scope, n);
    if (!dl__polynomial_unconverted(f->analysis->arena, &value->sum, &rest))
        rest = value->sum;
    if (root->shape && !row_elements(root))
        dl__rows_split(scope, root, &rows, &rest);
    for (size_t t = 0; t < rows.terms.count; t++) {
        struct pair by = {.rest = value_constant(0)};

        by.rows = value_of_term(f, &rows.terms.items[t], &by.rows_vary);
        pair = pair_add(pair, by);
    }
    for (size_t t = 0; t < rest.terms.count; t++) {
        variation varies = 0;
        struct value v = value_of_term(f, &rest.terms.items[t], &varies);

        pair = pair_add(pair, pair_of_number(root, v, varies));
    }
    return pair;
}

/* The pair of an integer that is added to a pointer. */
static struct pair pair_of_offset(struct frame *f, const struct dl__root *root,
                                  struct dl__node *n)
{
    if (root->is_part) /* it stays in its struct; the rest is bytes */
        return (struct pair){
            value_constant(0),
            value_multiply(evaluate(f, n), value_constant(root->element_type->bytes)), 0,
            variation_of(f->outline, n)};
    if (root->element_type->kind == DL__T_STRUCT)
        return (struct pair){evaluate(f, n), value_constant(0),
                             variation_of(f->outline, n), 0};
    return offset_of(f, root, n);
}

/* ---- pointers ---- */

/* Returns the offset that is added to a pointer, which may count bytes. */
static struct pair added(struct frame *f, struct dl__node *pointer, struct dl__node *n)
{
    struct dl__unit *u = f->outline->unit;
    const struct dl__root *root = dl__root_of(u, pointer);
    struct pair by = pair_of_offset(f, root, n);
    uint32_t bytes = dl__bytes_counted(u, pointer);

    if (bytes)
        by.rows = value_divide(by.rows, value_constant(root->element->bytes / bytes));
    return by;
}

static struct pair pair_of_place(struct frame *f, const struct dl__access *p)
{
    struct pair pair = pair_zero();

    for (size_t i = 0; i < p->array_count; i++) {
        pair.rows = value_add(pair.rows,
                              value_multiply(evaluate(f, p->array_index[i]),
                                             value_constant((int64_t)p->array_step[i])));
        pair.rows_vary |= variation_of(f->outline, p->array_index[i]);
    }
    if (p->array_count)
        return pair;
    pair = pair_of_pointer(f, p->pointer);
    return p->index ? pair_add(pair, pair_of_offset(f, p->root, p->index)) : pair;
}

/* A pointer to a part, whose rest is the part's first byte in its struct. */
static struct pair pair_of_part(struct frame *f, const struct dl__access *p)
{
    struct pair pair = pair_of_place(f, p);

    for (size_t i = 0; i < p->step_count; i++) {
        struct value by = value_constant(0);

        if (p->steps[i].field)
            by = value_constant(p->steps[i].field->offset_bytes);
        else if (p->step_index[i])
            by = value_multiply(evaluate(f, p->step_index[i]),
                                value_constant(p->steps[i].type->bytes));
        if (p->step_index[i])
            pair.rest_vary |= variation_of(f->outline, p->step_index[i]);
        pair.rest = value_add(pair.rest, by);
    }
    return pair;
}

static struct pair chosen(enum agreement first, struct pair a, struct pair b)
{
    return pair_of(a, b, value_chosen(first, a.rows, b.rows),
                   value_chosen(first, a.rest, b.rest));
}

static struct pair pair_of_variable(struct frame *f, struct dl__node *n)
{
    struct own_variable *v = outline_find(f->outline, n->declared_at);

    return v && v->tracked ? f->seen[n->number] : pair_unknown(f, n);
}

/* A pointer that a helper returns. */
static struct pair pair_of_call(struct frame *f, struct dl__node *n)
{
    struct dl__function *callee = dl__ast_callee(f->outline->unit->tracker->ast, n);
    struct frame *frame = callee ? frame_of_call(f, n, callee) : NULL;

    struct pair p = frame ? frame->result_pair : pair_unknown(f, n);

    p.rows_vary = p.rest_vary = 0;
    for (size_t i = 1; i < n->child_count; i++) {
        struct pair argument = {.rows_vary = 0};

        if (dl__root_of(f->outline->unit, n->children[i]))
            argument = pair_of_pointer(f, n->children[i]);
        else
            argument.rows_vary = variation_of(f->outline, n->children[i]);
        p = pair_of(p, argument, p.rows, p.rest);
    }
    return p;
}

/* The pair of an element pointer into a tracked buffer. */
static struct pair pair_of_pointer(struct frame *f, struct dl__node *n)
{
    struct dl__unit *u = f->outline->unit;
    struct dl__access place;
    struct dl__node *left, *right;
    struct pair either;

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
                                                 : pair_of_place(f, &place);
        return pair_of_pointer(f, n->children[0]); /* ++, -- */
    case DL__N_COMPOUND:
        return pair_of_pointer(f, n->children[0]);
    case DL__N_CONDITIONAL:
        either =
            chosen(agreement_of(f, n->children[0]), pair_of_pointer(f, n->children[1]),
                   pair_of_pointer(f, n->children[2]));
        either.rows_vary |= variation_of(f->outline, n->children[0]);
        return either;
    case DL__N_BINARY:
        left = n->children[0];
        right = n->children[1];
        if (dl__op_is(n, "="))
            return pair_of_pointer(f, right);
        if (dl__root_of(u, left)) {
            struct pair by = added(f, left, right);

            return pair_add(pair_of_pointer(f, left),
                            dl__op_is(n, "-") ? negated(by) : by);
        }
        return pair_add(pair_of_pointer(f, right), added(f, right, left));
    default:
        return pair_unknown(f, n);
    }
}

/* A function run in the order of its text, with what its variables are where it is. */

enum { ROUNDS_MAX = 64, FREE_ROUNDS = 4 };

/* A part that is run only sometimes, or over and over. */
struct arm {
    struct arm *outer;
    unsigned depth;
    enum agreement taken; /* how neighbours agree on coming here */
    struct loop *loop;    /* NULL: it is none */
    bool is_skipped;      /* of a loop: some neighbours are in its next round already */
    struct state *breaks, *nexts; /* that left it, or this round of it */
    const struct state *entry;    /* of a switch; NULL: it is none */
};

/* Whether an access reads and writes. */
enum { READS = 1, WRITES = 2, ATOMIC = 4 };

enum { LEVELS_MAX = 32 };

struct run {
    struct frame *f;
    struct state *now;   /* NULL: nobody comes here */
    struct arm *arm;     /* the innermost; NULL: none */
    variation around;    /* loops */
    struct collector *c; /* NULL: no accesses are noted */
    unsigned how;        /* the next node is reached when it is a place */
};

/* Where a run is that notes accesses. Sets of levels: loops around, outermost first,
 * through calls. */
struct collector {
    struct frame *frame;
    struct run *run;                     /* NULL before it begins */
    uint32_t *rows_levels, *rest_levels; /* by parameter: what the argument varies with */
    uint32_t loop_level[LOOPS_MAX];      /* by loop of the outline: its bit, 0 outside */
    unsigned level;
    unsigned loops;        /* that count */
    enum agreement around; /* of all conditions around the call */
    bool left; /* some work-items are gone since a return, break or continue */
    struct collected **seen; /* helpers gone through */
};

static bool collect(struct collector *c, struct dl__node *n, unsigned how);
static void collect_leave(struct collector *c);
static bool is_one_round(struct frame *f, const struct dl__node *n);

static void run(struct run *r, struct dl__node *n);

static bool is_breakable(const struct arm *arm)
{
    return arm->loop || arm->entry;
}

/* ---- states ---- */

static struct state *copy_state(struct frame *f, const struct state *of)
{
    size_t bytes = f->outline->variable_count * sizeof *of->slots;
    struct state *s = f->unused;

    if (s)
        f->unused = s->next;
    else
        s = dl__arena_alloc(f->analysis->arena, sizeof *s + bytes);
    if (of)
        memcpy(s->slots, of->slots, bytes);
    else
        memset(s->slots, 0, bytes);
    return s;
}

static void drop_state(struct frame *f, struct state *s)
{
    if (!s)
        return;
    s->next = f->unused;
    f->unused = s;
}

/* Parts of an array, struct or vector are told apart by nothing but what they are. */
static struct value join_part(struct value a, struct value b)
{
    return a.kind == V_NOTHING || b.kind == V_NOTHING ||
                   (a.kind == b.kind && a.step == b.step)
               ? value_join(a, b, false)
               : value_mix(a, b);
}

static struct pair join_slot(const struct own_variable *v, struct pair a, struct pair b,
                             enum agreement first)
{
    return v->has_parts ? pair_of(a, b, join_part(a.rows, b.rows), nothing.rest)
                        : chosen(first, a, b);
}

static void set_slot(const struct frame *f, struct slot *slot, struct pair is)
{
    slot->is = is;
    slot->change = ++f->analysis->changes;
}

/* Where two ways come together, the second of which is used up; `first`: how neighbours
 * agree on the first. */
static void meet(struct frame *f, struct state **to, struct state *other,
                 enum agreement first)
{
    if (!other)
        return;
    if (!*to) {
        *to = other;
        return;
    }
    for (size_t i = 0; i < f->outline->variable_count; i++) {
        struct slot *a = &(*to)->slots[i], *b = &other->slots[i];

        if (a->change == b->change)
            continue;
        a->escaped |= b->escaped;
        set_slot(f, a, join_slot(&f->outline->variables[i], a->is, b->is, first));
    }
    drop_state(f, other);
}

/* ---- changes ---- */

/* True when neighbours may differ in whether, or how often, a change of the variable is
 * made before it is seen; *again: it may be made several times. */
static bool is_divergent(const struct run *r, const struct own_variable *v, bool *again)
{
    bool divergent = *again = r->f->outline->has_goto;

    for (const struct arm *a = r->arm; a && a->depth > v->depth; a = a->outer) {
        *again |= a->loop != NULL;
        divergent |= a->loop ? a->is_skipped : a->taken == DIVERGENT;
    }
    return divergent;
}

/* Neighbours that change it a different number of times are no longer in step. */
static struct value scattered(struct value v)
{
    return v.kind == V_NOTHING ? v : value_mix(v, value_of(V_UNKNOWN));
}

/* True of pointers that step in rows. */
static bool has_rest(const struct dl__root *root)
{
    return root->is_part || root->element_type->kind != DL__T_STRUCT;
}

static struct pair changed_pointer(struct frame *f, const struct own_variable *v,
                                   struct dl__node *n, struct dl__node *source,
                                   struct pair p)
{
    const struct dl__root *root = v->tracked->root;
    struct pair by = pair_zero();

    if (source && n->kind != DL__N_COMPOUND) {
        if (dl__is_null(f->outline->unit, source))
            return nothing;
        return dl__root_of(f->outline->unit, source) ? pair_of_pointer(f, source)
                                                     : pair_zero();
    }
    if (source)
        by = added(f, n->children[0], source);
    else if (root->is_part)
        by.rest = value_constant(root->element_type->bytes);
    else if (root->element_type->kind == DL__T_STRUCT)
        by.rows = value_constant(1);
    else
        by.rest = value_constant(1);
    return pair_add(p, n->op[0] == '-' ? negated(by) : by);
}

/* Sets a variable; `source`: NULL for a step. */
static void change(struct run *r, struct own_variable *v, struct dl__node *n,
                   struct dl__node *source)
{
    struct frame *f = r->f;
    struct slot *slot = &r->now->slots[v->number];
    bool sets = source && n->kind != DL__N_COMPOUND, again,
         divergent = is_divergent(r, v, &again),
         of_itself = !sets || mentions(source, v->declared_at);
    variation around = all_parameters | r->around,
              outlived = of_itself ? r->around & ~v->loops : 0, varies = v->varies;
    struct pair p = slot->is;

    v->varies |= (source ? variation_of(f->outline, source) & around : 0) | outlived;
    f->is_new |= v->varies != varies;
    if (v->tracked) {
        p = changed_pointer(f, v, n, source, p);
        p.rows_vary &= around;
        p.rest_vary &= around;
        *(has_rest(v->tracked->root) ? &p.rest_vary : &p.rows_vary) |= outlived;
    } else if (source) {
        p.rows = evaluate(f, sets ? source : n);
    } else {
        p.rows = value_add(p.rows, value_constant(n->op[0] == '+' ? 1 : -1));
    }
    if (divergent && again && of_itself)
        p = pair_of(p, p, scattered(p.rows), scattered(p.rest));
    if (slot->escaped)
        p.rows = value_join(p.rows, value_of(V_UNKNOWN), false);
    if (n->kind != DL__N_VARIABLE && is_part_of(n->children[0])) {
        f->is_new |= !v->has_parts;
        v->has_parts = true;
        p = join_slot(v, slot->is, p, SAME);
    } else if (f->outline->has_goto && !pair_equals(slot->is, p)) {
        p = pair_join(slot->is, p, true);
    }
    set_slot(f, slot, p);
}

static void escape(struct run *r, struct own_variable *v)
{
    struct slot *slot = &r->now->slots[v->number];

    slot->escaped = true;
    set_slot(r->f, slot,
             pair_join(slot->is, (struct pair){.rows = value_of(V_UNKNOWN)}, false));
}

/* An array that becomes a pointer: who knows what is done with it. */
static void run_array(struct run *r, struct dl__node *n, struct own_variable *v)
{
    const struct dl__node *p = n->parent;
    struct dl__node *child = n;

    if (!v->declaration ||
        dl__type_of(r->f->outline->unit, v->declaration)->kind != DL__T_ARRAY)
        return;
    while (p && (p->kind == DL__N_PAREN || p->kind == DL__N_IMPLICIT)) {
        child = (struct dl__node *)p;
        p = p->parent;
    }
    if (!p || !((p->kind == DL__N_SUBSCRIPT && p->children[0] == child) ||
                (p->kind == DL__N_UNARY && dl__op_is(p, "*"))))
        escape(r, v);
}

/* `how` the first is reached when it is a place. */
static void run_children(struct run *r, struct dl__node *n, unsigned how)
{
    for (size_t i = 0; i < n->child_count; i++) {
        r->how = i ? (unsigned)READS : how;
        run(r, n->children[i]);
    }
}

static void run_change(struct run *r, struct dl__node *n)
{
    struct own_variable *v = changed_by(r->f->outline, n);

    run_children(r, n,
                 dl__op_is(n, "=")                             ? WRITES
                 : n->kind == DL__N_COMPOUND || dl__is_step(n) ? READS | WRITES
                                                               : READS);
    if (!v || !r->now)
        return;
    if (dl__is_step(n))
        change(r, v, n, NULL);
    else if (n->op[0] && n->child_count == 2)
        change(r, v, n, n->children[1]);
    else
        escape(r, v);
}

/* Each time that it is declared, it is another. */
static void run_declaration(struct run *r, struct dl__node *n)
{
    struct dl__unit *u = r->f->outline->unit;
    struct own_variable *v = outline_find(r->f->outline, n->declared_at);
    struct dl__node *last = n->child_count ? n->children[n->child_count - 1] : NULL;

    v->depth = r->arm ? r->arm->depth : 0;
    v->loops = r->around;
    run_children(r, n, READS);
    if (!r->now)
        return;
    if (!r->f->outline->has_goto) {
        r->now->slots[v->number].escaped = false;
        set_slot(r->f, &r->now->slots[v->number], nothing);
    }
    /* An array's size is a child, too. */
    if (last && last->begin > n->name_at && dl__text_at(u, dl__skip(u, last->end)) != ']')
        change(r, v, n, last);
}

/* ---- branches ---- */

static void run_arm(struct run *r, struct dl__node *n, struct arm *arm)
{
    arm->outer = r->arm;
    arm->depth = r->arm ? r->arm->depth + 1 : 1;
    r->arm = arm;
    run(r, n);
    r->arm = arm->outer;
}

/* An if, or `a ? b : c`, `a && b`, `a || b`, whose first operand decides. */
static void run_choice(struct run *r, struct dl__node *n, struct dl__node *condition)
{
    struct frame *f = r->f;
    struct state *before, *after = NULL;
    enum agreement is;
    size_t arms = 0;

    run(r, condition);
    if (!r->now)
        return;
    is = agreement_of(f, condition);
    is = dl__op_is(n, "||") ? agreement_opposite(is) : is;
    before = r->now;
    for (size_t i = 0; i < n->child_count; i++) {
        struct arm arm = {.taken = arms ? agreement_opposite(is) : is};

        if (n->children[i] == condition)
            continue;
        r->now = copy_state(f, before);
        run_arm(r, n->children[i], &arm);
        if (arms++)
            meet(f, &after, r->now, is);
        else
            after = r->now;
    }
    if (arms < 2)
        meet(f, &after, before, is);
    else
        drop_state(f, before);
    r->now = after;
}

static void run_switch(struct run *r, struct dl__node *n)
{
    struct frame *f = r->f;
    struct arm arm = {.outer = NULL};
    struct state *before;

    run(r, n->condition);
    if (!r->now)
        return;
    arm.taken = evaluate(f, n->condition).kind > V_UNIFORM ? DIVERGENT : SAME;
    arm.entry = before = r->now;
    r->now = NULL;
    for (size_t i = 0; i < n->child_count; i++)
        if (n->children[i] != n->condition)
            run_arm(r, n->children[i], &arm);
    meet(f, &r->now, arm.breaks, arm.taken);
    meet(f, &r->now, before, arm.taken);
}

static void run_statement(struct run *r, struct dl__node *n)
{
    const struct arm *arm = r->arm;

    while (arm && !is_breakable(arm))
        arm = arm->outer;
    if (arm && arm->entry &&
        (begins_with(r->f->outline->unit, n, "case") ||
         begins_with(r->f->outline->unit, n, "default")))
        meet(r->f, &r->now, copy_state(r->f, arm->entry), arm->taken);
    run_children(r, n, READS);
}

/* Joins a variable at the beginning of each round with what it is after one. A value that
 * does not settle at once grows from then on, so that it does. True when it is another.
 */
static bool join_round(struct frame *f, struct loop *loop, const struct own_variable *v,
                       struct slot *to, const struct slot *by, bool is_first)
{
    struct pair p = join_slot(v, to->is, by->is, SAME);
    bool is_new = is_first || (by->escaped && !to->escaped);

    if (loop->rounds > FREE_ROUNDS) {
        p.rows.most = p.rows.most == to->is.rows.most ? p.rows.most : 0;
        p.rest.most = p.rest.most == to->is.rest.most ? p.rest.most : 0;
    }
    is_new |= !pair_equals(p, to->is);
    to->escaped |= by->escaped;
    if (is_new)
        set_slot(f, to, p);
    loop->back[v->number] = *to;
    return is_new;
}

/* A value that is uniform in a loop is not behind it, where neighbours leave it in
 * different rounds. */
static struct value behind_loop(struct value v)
{
    return v.kind == V_UNIFORM && !value_is_constant(v) ? value_of(V_UNKNOWN) : v;
}

enum part { BEFORE, CONDITION, BODY, STEP };

static enum part part_of(const struct dl__unit *u, const struct dl__node *n, size_t i)
{
    const struct dl__node *child = n->children[i], *condition = n->condition;

    if (child == condition)
        return CONDITION;
    if (i + 1 == n->child_count || !begins_with(u, n, "for"))
        return BODY;
    if (condition
            ? child->begin < condition->begin
            : child->kind == DL__N_DECL_STATEMENT || (i == 0 && n->child_count == 3))
        return BEFORE;
    return STEP;
}

static void run_parts(struct run *r, struct dl__node *n, enum part part)
{
    for (size_t i = 0; i < n->child_count; i++)
        if (part_of(r->f->outline->unit, n, i) == part)
            run(r, n->children[i]);
}

/* The state of who leaves by the condition; NULL: nobody. */
static struct state *run_condition(struct run *r, struct dl__node *n, struct loop *loop)
{
    if (!n->condition || !r->now)
        return NULL;
    run(r, n->condition);
    loop->is_left |= r->now && agreement_of(r->f, n->condition) == DIVERGENT;
    return r->now ? copy_state(r->f, r->now) : NULL;
}

/* One round, from `head` on; the state behind the loop. */
static struct state *run_round(struct run *r, struct dl__node *n, struct loop *loop,
                               const struct state *head)
{
    bool is_do = begins_with(r->f->outline->unit, n, "do");
    struct arm arm = {
        .outer = r->arm, .depth = r->arm ? r->arm->depth + 1 : 1, .loop = loop};
    struct state *out = NULL;

    r->now = copy_state(r->f, head);
    r->arm = &arm;
    if (!is_do)
        out = run_condition(r, n, loop);
    run_parts(r, n, BODY);
    meet(r->f, &r->now, arm.nexts, arm.is_skipped ? DIVERGENT : SAME);
    run_parts(r, n, STEP);
    if (is_do)
        out = run_condition(r, n, loop);
    r->arm = arm.outer;
    meet(r->f, &out, arm.breaks, SAME);
    loop->rounds++;
    r->f->analysis->failed |= loop->rounds > ROUNDS_MAX * FREE_ROUNDS;
    return out;
}

static void run_loop(struct run *r, struct dl__node *n, size_t number)
{
    struct frame *f = r->f;
    struct dl__arena *arena = f->analysis->arena;
    struct own_variable *variables = f->outline->variables;
    size_t count = f->outline->variable_count;
    variation around = r->around;
    struct state *entry, *head, *out = NULL;
    struct loop *loop;
    bool is_new = true;

    while (f->loops.count <= number) {
        loop = DL__NEW(arena, struct loop);
        loop->back = dl__arena_alloc(arena, (count + 1) * sizeof *loop->back);
        DL__PUSH(arena, &f->loops, loop);
    }
    loop = f->loops.items[number];
    run_parts(r, n, BEFORE);
    if (!r->now)
        return;
    entry = r->now;
    head = copy_state(f, entry);
    r->around |= number < LOOPS_MAX ? (variation)1 << number : 0;
    for (size_t i = 0; i < count; i++)
        if (loop->back[i].change)
            join_round(f, loop, &variables[i], &head->slots[i], &loop->back[i], true);
    while (is_new && !f->analysis->failed) {
        drop_state(f, out);
        out = run_round(r, n, loop, head);
        is_new = false;
        for (size_t i = 0; r->now && i < count; i++)
            if (r->now->slots[i].change != head->slots[i].change)
                is_new |=
                    join_round(f, loop, &variables[i], &head->slots[i], &r->now->slots[i],
                               head->slots[i].change == entry->slots[i].change);
        drop_state(f, r->now);
    }
    for (size_t i = 0; out && loop->is_left && i < count; i++) {
        struct pair p = out->slots[i].is;

        if (out->slots[i].change != entry->slots[i].change)
            set_slot(f, &out->slots[i],
                     pair_of(p, p, behind_loop(p.rows), behind_loop(p.rest)));
    }
    if (!out && f->outline->has_goto)
        out = copy_state(f, head);
    drop_state(f, entry);
    drop_state(f, head);
    r->around = around;
    r->now = out;
}

/* The same, with its accesses in it. */
static void collect_loop(struct run *r, struct dl__node *n)
{
    size_t number = loop_number(r->f->analysis->arena, r->f->outline, n);
    struct collector *c = r->c;
    bool left = c && c->left, counts = c && !is_one_round(r->f, n);
    unsigned level = c ? c->level : 0;

    if (counts && number < LOOPS_MAX && level < LEVELS_MAX)
        c->loop_level[number] = (uint32_t)1 << c->level++;
    if (c)
        c->loops += counts;
    run_loop(r, n, number);
    if (!c)
        return;
    c->loops -= counts;
    if (number < LOOPS_MAX)
        c->loop_level[number] = 0;
    c->level = level;
    c->left = left;
}

/* A jump; false for others. */
static bool run_jump(struct run *r, struct dl__node *n)
{
    struct outline *o = r->f->outline;
    bool breaks = begins_with(o->unit, n, "break"), divergent = false;
    struct arm *to = r->arm;

    if (begins_with(o->unit, n, "goto")) {
        r->f->is_new |= !o->has_goto;
        o->has_goto = true;
        collect_leave(r->c);
    }
    if (!breaks && !begins_with(o->unit, n, "continue"))
        return false;
    collect_leave(r->c);
    for (; to && !(breaks ? is_breakable(to) : to->loop != NULL); to = to->outer)
        divergent |= to->taken == DIVERGENT;
    if (!to || !r->now)
        return true;
    if (breaks && to->loop)
        to->loop->is_left |= divergent;
    to->is_skipped |= !breaks && divergent;
    if (o->has_goto)
        return true;
    meet(r->f, breaks ? &to->breaks : &to->nexts, r->now,
         divergent && !breaks ? DIVERGENT : SAME);
    r->now = NULL;
    return true;
}

static void run_return(struct run *r, struct dl__node *n)
{
    struct frame *f = r->f;
    bool is_rare = false, divergent = f->outline->has_goto;
    struct value *to;

    run_children(r, n, READS);
    collect_leave(r->c);
    if (!r->now)
        return;
    for (const struct arm *a = r->arm; a && n->child_count; a = a->outer) {
        is_rare |= a->taken == MOSTLY_NO;
        divergent |= a->loop ? a->loop->is_left : a->taken == DIVERGENT;
    }
    f->is_new |= divergent && !f->returns_diverge;
    f->returns_diverge |= divergent;
    to = is_rare ? &f->rare_result : &f->result;
    if (n->child_count && !r->c)
        *to = value_join(*to, evaluate(f, n->children[0]), f->returns_diverge);
    if (n->child_count && !r->c && f->outline->unit->returned)
        f->result_pair = pair_join(f->result_pair, pair_of_pointer(f, n->children[0]),
                                   f->returns_diverge);
    if (!f->outline->has_goto) {
        drop_state(f, r->now);
        r->now = NULL;
    }
}

/* ---- nodes ---- */

static void run_name(struct run *r, struct dl__node *n)
{
    struct frame *f = r->f;
    struct own_variable *v =
        n->declared_at != SIZE_MAX ? outline_find(f->outline, n->declared_at) : NULL;

    if (!v || !r->now)
        return;
    f->seen[n->number] = r->now->slots[v->number].is;
    run_array(r, n, v);
}

static void run(struct run *r, struct dl__node *n)
{
    struct dl__unit *u = r->f->outline->unit;
    unsigned how = r->how;

    r->how = READS;
    if (r->f->analysis->failed || n->kind == DL__N_SIZEOF ||
        (r->c && collect(r->c, n, how)))
        return;
    if (n->kind == DL__N_BRANCH) {
        if (n->condition && begins_with(u, n, "if"))
            run_choice(r, n, n->condition);
        else if (n->condition && begins_with(u, n, "switch"))
            run_switch(r, n);
        else
            collect_loop(r, n);
    } else if (n->child_count && (n->kind == DL__N_CONDITIONAL || dl__op_is(n, "&&") ||
                                  dl__op_is(n, "||"))) {
        run_choice(r, n, n->children[0]);
    } else if (n->kind == DL__N_STATEMENT) {
        run_statement(r, n);
    } else if (n->kind == DL__N_VARIABLE) {
        run_declaration(r, n);
    } else if (n->kind == DL__N_NAME) {
        run_name(r, n);
    } else if (n->kind == DL__N_RETURN) {
        run_return(r, n);
    } else if (may_change(n)) {
        run_change(r, n);
    } else if (n->kind != DL__N_OTHER || n->child_count || !run_jump(r, n)) {
        run_children(r, n,
                     n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT ||
                             n->kind == DL__N_SUBSCRIPT || n->kind == DL__N_MEMBER
                         ? how
                         : READS);
    }
}

/* Runs a frame's function; the result is what its variables are at the end. */
static struct state *run_frame(struct frame *f, struct collector *c)
{
    const struct outline *o = f->outline;
    struct run r = {.f = f, .now = copy_state(f, f->end), .c = c, .how = READS};

    if (c)
        c->run = &r;
    for (size_t i = 0; i < o->variable_count; i++)
        if (!o->variables[i].declaration && !f->end)
            set_slot(f, &r.now->slots[i], f->arguments[o->variables[i].parameter]);
    run(&r, o->body);
    return r.now;
}

static void frame_solve(struct frame *f)
{
    struct analysis *a = f->analysis;
    const struct outline *o = f->outline;
    bool changed = true;

    f->is_busy = true;
    a->depth++;
    for (unsigned round = 0; changed && !a->failed; round++) {
        struct state *end;

        a->failed |= round == ROUNDS_MAX;
        f->is_new = false;
        f->result = f->rare_result = value_nothing();
        f->result_pair = nothing;
        end = run_frame(f, NULL);
        changed = f->is_new;
        for (size_t i = 0; o->has_goto && i < o->variable_count; i++)
            changed |= !f->end || !pair_equals(f->end->slots[i].is, end->slots[i].is);
        drop_state(f, o->has_goto ? f->end : end);
        f->end = o->has_goto ? end : NULL;
    }
    f->result = value_join_rare(f->result, f->rare_result);
    a->depth--;
    f->is_busy = false;
}

/* ---- What an expression is, given what the frame's variables are. ---- */

enum { STEPS_MAX = 4000 * 1000 };

static struct dl__unit *unit_of(const struct frame *f)
{
    return f->outline->unit;
}

/* ---- names ---- */

/* A pointer into a buffer as one number. */
static struct value collapse(const struct dl__root *root, struct pair p)
{
    int64_t width = row_elements(root);

    if (width)
        return value_add(value_multiply(p.rows, value_constant(width)),
                         width == 1 ? value_constant(0) : p.rest);
    return value_is_constant(p.rows) ? p.rest : value_mix(p.rows, p.rest);
}

static struct value evaluate_name(struct frame *f, struct dl__node *n)
{
    struct own_variable *v;

    if (n->is_constant)
        return value_constant(n->constant);
    v = n->declared_at == SIZE_MAX ? NULL : outline_find(f->outline, n->declared_at);
    if (!v)
        return value_of(V_UNIFORM); /* of program scope */
    return v->tracked ? collapse(v->tracked->root, f->seen[n->number])
                      : f->seen[n->number].rows;
}

/* ---- places ---- */

/* The variable that an lvalue is, or is in; NULL: memory behind a pointer, or not the
 * function's. */
static struct own_variable *variable_under(struct frame *f, struct dl__node *n)
{
    struct dl__node *name = base_name(unit_of(f), n);
    struct own_variable *v = name && name->declared_at != SIZE_MAX
                                 ? outline_find(f->outline, name->declared_at)
                                 : NULL;

    if (!v || v->in_local_memory ||
        (!v->declaration && dl__strip(n) != name &&
         unit_of(f)->function->parameters[v->parameter].type->kind == DL__T_POINTER))
        return NULL;
    return v;
}

/* Where an lvalue in memory is: what its pointer and indices are made of. */
static struct value place_of(struct frame *f, struct dl__node *n)
{
    struct dl__node *base;
    struct value v;

    n = dl__strip(n);
    if (n->kind == DL__N_NAME || !n->child_count)
        return value_of(V_UNIFORM);
    base = dl__strip(n->children[0]);
    if (n->kind == DL__N_UNARY)
        return evaluate(f, base);
    if (n->kind != DL__N_MEMBER && n->kind != DL__N_SUBSCRIPT)
        return value_of(V_UNKNOWN);
    v = dl__type_of(unit_of(f), base)->kind == DL__T_POINTER ? evaluate(f, base)
                                                             : place_of(f, base);
    if (n->kind == DL__N_SUBSCRIPT && n->child_count == 2)
        v = value_mix(v, evaluate(f, n->children[1]));
    return v;
}

/* Neighbours that look at other elements of their own array see other things. */
static struct value element_of(struct frame *f, struct dl__node *n, struct value v)
{
    struct value index = value_of(V_UNIFORM);

    for (n = dl__strip(n); n->kind != DL__N_NAME && n->child_count;
         n = dl__strip(n->children[0]))
        if (n->kind == DL__N_SUBSCRIPT && n->child_count == 2)
            index = value_mix(index, evaluate(f, n->children[1]));
    if (index.kind == V_NOTHING)
        return index;
    return index.kind == V_UNIFORM ? v : value_mix(v, index);
}

/* Returns the component of a vector that is set once: (int2)(a, b).x. libclang shows it
 * as a conversion. NULL: it is not known. */
static struct dl__node *component_of(struct frame *f, struct dl__node *n)
{
    struct dl__unit *u = unit_of(f);
    struct dl__node *name = dl__strip(n->children[0]), *made, *declaration;
    size_t dot = dl__skip(u, n->children[0]->end);
    int which;

    if (name->kind != DL__N_NAME || name->declared_at == SIZE_MAX ||
        dl__text_at(u, dot) != '.')
        return NULL;
    dot = dl__skip(u, dot + 1);
    which =
        dot < n->end ? dl__component_of(u->tracker->ast->text + dot, n->end - dot) : -1;
    if (which < 0 || dl__is_changed(u, name->declared_at, &declaration) || !declaration ||
        !declaration->child_count)
        return NULL;
    made = dl__strip_casts(declaration->children[declaration->child_count - 1]);
    while (made->child_count == 1 && made->kind == DL__N_OTHER)
        made = dl__strip_casts(made->children[0]);
    if (made->child_count != dl__type_of(u, declaration)->count ||
        made->kind != DL__N_OTHER || (size_t)which >= made->child_count)
        return NULL;
    return made->children[which];
}

static struct value evaluate_tracked(struct frame *f, const struct dl__access *p)
{
    struct pair pair = pair_of_place(f, p);
    struct value place = collapse(p->root, pair);

    for (size_t i = 0; i < p->step_count; i++)
        if (p->step_index[i])
            place = value_mix(place, evaluate(f, p->step_index[i]));
    return value_loaded(place);
}

/* libclang shows the type of what was declared as an array parameter as that array. */
static const struct dl__type *type_of_base(struct frame *f, struct dl__node *n)
{
    const struct own_variable *v = n->kind == DL__N_NAME && n->declared_at != SIZE_MAX
                                       ? outline_find(f->outline, n->declared_at)
                                       : NULL;

    return v && !v->declaration ? unit_of(f)->function->parameters[v->parameter].type
                                : dl__type_of(unit_of(f), n);
}

static struct value evaluate_lvalue(struct frame *f, struct dl__node *n)
{
    struct own_variable *v;
    struct dl__node *base;
    struct dl__access place;
    const struct dl__type *type;

    if (!n->child_count)
        return value_of(V_UNKNOWN);
    if (unit_of(f)->root_count && dl__find_place(unit_of(f), n, &place))
        return evaluate_tracked(f, &place);
    v = n->kind == DL__N_UNARY ? NULL : variable_under(f, n);
    if (v)
        return element_of(f, n, f->seen[base_name(unit_of(f), n)->number].rows);
    /* Values behind a pointer to private memory are not followed. */
    base = dl__strip(n->children[0]);
    type = type_of_base(f, base);
    if (type->kind == DL__T_POINTER && type->address_space != DL__GLOBAL &&
        type->address_space != DL__CONSTANT && type->address_space != DL__LOCAL)
        return value_mix(value_of(V_UNKNOWN), evaluate(f, base));
    if (n->kind == DL__N_MEMBER && type->kind != DL__T_POINTER &&
        (base->kind == DL__N_CALL || base->kind == DL__N_PAREN))
        return evaluate(f, base);
    return value_loaded(place_of(f, n));
}

/* ---- operators ---- */

static struct value evaluate_apply(const char *op, struct value a, struct value b)
{
    switch (op[0]) {
    case '+':
        return value_add(a, b);
    case '-':
        return value_add(a, value_negate(b));
    case '*':
        return value_multiply(a, b);
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

static bool is_floating(struct frame *f, struct dl__node *n)
{
    return !is_integer(f, n) && lane_type(unit_of(f), n)->kind != DL__T_POINTER;
}

static struct value evaluate_conversion(struct frame *f, struct dl__node *n)
{
    struct value v;

    if (n->child_count != 1)
        return mixed(f, n, 0);
    if (n->kind == DL__N_IMPLICIT && n->end != n->children[0]->end) {
        struct dl__node *component = component_of(f, n);

        if (component)
            return evaluate(f, component);
    }
    v = evaluate(f, n->children[0]);
    if (v.kind != V_LINEAR || n->kind == DL__N_PAREN)
        return v;
    return is_floating(f, n) || is_floating(f, n->children[0]) ? value_mix(v, v) : v;
}

static struct value evaluate_unary(struct frame *f, struct dl__node *n)
{
    struct value v;

    if (!n->child_count || !n->op[0])
        return value_of(V_UNKNOWN);
    if (dl__op_is(n, "*"))
        return evaluate_lvalue(f, n);
    if (dl__op_is(n, "&"))
        return variable_under(f, n->children[0]) ? value_of(V_UNIFORM)
                                                 : place_of(f, n->children[0]);
    v = evaluate(f, n->children[0]);
    if (dl__op_is(n, "-"))
        return value_negate(v);
    if (dl__op_is(n, "~"))
        return value_add(value_negate(v), value_constant(-1));
    if (dl__op_is(n, "!"))
        return value_mix(v, v);
    return v; /* +, ++, -- */
}

static struct value evaluate_binary(struct frame *f, struct dl__node *n)
{
    struct value a, b;

    if (n->child_count != 2 || !n->op[0])
        return value_mix(value_of(V_UNKNOWN), mixed(f, n, 0));
    b = evaluate(f, n->children[1]);
    if (n->kind == DL__N_BINARY && (dl__op_is(n, "=") || dl__op_is(n, ",")))
        return b;
    a = evaluate(f, n->children[0]);
    a = evaluate_apply(n->op, a, b);
    return a.kind == V_LINEAR && is_floating(f, n) ? value_mix(a, a) : a;
}

static struct value evaluate_other(struct frame *f, struct dl__node *n)
{
    struct value v;
    int64_t literal;

    if (!n->child_count)
        return dl__literal_of(unit_of(f), n, &literal) ? value_constant(literal)
                                                       : value_of(V_UNIFORM);
    /* A list: one value stands for all. */
    v = evaluate(f, n->children[0]);
    for (size_t i = 1; i < n->child_count; i++) {
        struct value other = evaluate(f, n->children[i]);

        v = v.kind == other.kind && v.step == other.step ? value_join(v, other, false)
                                                         : value_mix(v, other);
    }
    return v;
}

static struct value evaluate(struct frame *f, struct dl__node *n)
{
    f->analysis->failed |= ++f->analysis->steps > STEPS_MAX;
    if (f->analysis->failed)
        return value_of(V_UNKNOWN);
    switch (n->kind) {
    case DL__N_PAREN:
    case DL__N_IMPLICIT:
    case DL__N_CAST:
        return evaluate_conversion(f, n);
    case DL__N_NAME:
        return evaluate_name(f, n);
    case DL__N_SUBSCRIPT:
    case DL__N_MEMBER:
        return evaluate_lvalue(f, n);
    case DL__N_UNARY:
        return evaluate_unary(f, n);
    case DL__N_BINARY:
    case DL__N_COMPOUND:
        return evaluate_binary(f, n);
    case DL__N_CONDITIONAL:
        if (n->child_count != 3)
            return value_of(V_UNKNOWN);
        return value_chosen(agreement_of(f, n->children[0]), evaluate(f, n->children[1]),
                            evaluate(f, n->children[2]));
    case DL__N_CALL:
        return evaluate_call(f, n);
    case DL__N_SIZEOF:
        return n->is_constant ? value_constant(n->constant) : value_of(V_UNIFORM);
    case DL__N_OTHER:
        return evaluate_other(f, n);
    default:
        return value_of(V_UNKNOWN);
    }
}

/* Frames: one for each context of a function, shared by calls that are alike. */

enum {
    CONTEXTS_MAX = 16, /* of a function; further ones are told apart by less */
    FRAMES_MAX = 1024,
    DEPTH_MAX = 64
};

/* ---- frames ---- */

/* With room for its arguments. */
static struct frame *make_frame(struct analysis *a, struct outline *o)
{
    struct frame *f = DL__NEW(a->arena, struct frame);
    size_t parameters = o->unit->function->parameter_count + 1;

    f->analysis = a;
    f->outline = o;
    f->arguments = dl__arena_alloc(a->arena, parameters * sizeof *f->arguments);
    f->roots = dl__arena_alloc(a->arena, parameters * sizeof(struct dl__root *));
    return f;
}

static void add_frame(struct analysis *a, struct frame *f)
{
    const struct outline *o = f->outline;

    f->seen =
        dl__arena_alloc(a->arena, (o->unit->function->name_count + 1) * sizeof *f->seen);
    f->next = a->frames;
    a->frames = f;
    a->failed |= ++a->frame_count > FRAMES_MAX;
}

/* A pointer as the function that it is given to has it. */
static struct pair argument_pair(const struct dl__root *root, struct pair p)
{
    p.rows_vary = variation_bit(root->parameter);
    p.rest_vary = has_rest(root) ? p.rows_vary : 0;
    return p;
}

/* The kernel's own frame. */
static struct frame *frame_of_kernel(struct analysis *a, struct dl__unit *unit)
{
    struct frame *f = make_frame(a, outline_of(a, unit));

    for (size_t i = 0; i < unit->function->parameter_count; i++)
        f->arguments[i].rows = (struct value){
            .kind = V_UNIFORM, .modulus = 1, .holds = i < 64 ? UINT64_C(1) << i : 0};
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
static struct dl__unit *unit_of_call(struct frame *caller, struct dl__node *call,
                                     struct dl__function *callee)
{
    struct dl__unit *u = caller->outline->unit;
    struct outline *o = caller->analysis->outlines;

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

/* The arguments, into a frame that is not among the others yet. */
static void bind(struct frame *caller, struct dl__node *call, struct frame *f)
{
    struct dl__unit *u = f->outline->unit, *from = caller->outline->unit;

    for (size_t i = 0; i < u->function->parameter_count; i++) {
        struct value v = i + 1 < call->child_count
                             ? evaluate(caller, call->children[i + 1])
                             : value_of(V_UNKNOWN);

        f->arguments[i].rows = v.kind == V_NOTHING ? value_of(V_UNKNOWN) : v;
    }
    for (size_t i = 0; i < u->root_count; i++) {
        size_t at = u->roots[i].parameter;
        struct dl__node *arg = call->children[at + 1];
        struct dl__root *root = dl__root_of(from, arg);

        f->arguments[at] = argument_pair(&u->roots[i], pair_of_pointer(caller, arg));
        f->roots[at] = root ? caller->roots[root->parameter] : NULL;
        f->analysis->failed |= !f->roots[at];
    }
}

/* The frame of the same context, or one that is alike; *contexts of the function are
 * counted. NULL: there is none. */
static struct frame *find_frame(const struct frame *wanted, unsigned *contexts)
{
    size_t count = wanted->outline->unit->function->parameter_count, i;

    *contexts = 0;
    for (struct frame *f = wanted->analysis->frames; f; f = f->next) {
        if (f->outline != wanted->outline)
            continue;
        ++*contexts;
        for (i = 0; i < count && f->roots[i] == wanted->roots[i] &&
                    pair_equals(f->arguments[i], wanted->arguments[i]);)
            i++;
        if (i == count)
            return f;
    }
    return NULL;
}

/* How it steps, and no more. */
static struct value step_of(struct value v)
{
    return (struct value){.kind = v.kind, .step = v.step, .modulus = v.kind != V_NOTHING};
}

/* The frame of a call of a function with a body, solved. NULL: it is not followed. */
static struct frame *frame_of_call(struct frame *caller, struct dl__node *call,
                                   struct dl__function *callee)
{
    struct analysis *a = caller->analysis;
    struct frame *wanted, *found;
    unsigned contexts;

    if (!callee->is_defined || a->depth >= DEPTH_MAX || a->failed)
        return NULL;
    wanted = make_frame(a, outline_of(a, unit_of_call(caller, call, callee)));
    bind(caller, call, wanted);
    found = find_frame(wanted, &contexts);
    if (!found && contexts >= CONTEXTS_MAX) {
        for (size_t i = 0; i < callee->parameter_count; i++) {
            wanted->arguments[i].rows = step_of(wanted->arguments[i].rows);
            wanted->arguments[i].rest = step_of(wanted->arguments[i].rest);
        }
        found = find_frame(wanted, &contexts);
    }
    if (!found) {
        add_frame(a, wanted);
        if (!a->failed)
            frame_solve(wanted);
    }
    found = found ? found : wanted;
    return found->is_busy || a->failed ? NULL : found;
}

static const char word[] = "FP_CONTRACT";

/* All that was found in the functions so far. */
struct search {
    struct dl__unit *unit; /* types are asked of */
    struct {
        struct dl__function **items;
        size_t count, room;
    } functions;
    bool sum, product; /* in the function that is looked at */
    bool open;
};

static bool is_conditional(const struct collector *c);
static void collect_frame(const struct collector *caller, struct frame *frame,
                          struct dl__node *call);

/* Builtins that leave it to the compiler how they round, or that are inlined sums of
 * products. */
static bool is_open(const char *name)
{
    static const char builtins[] =
        "mad dot length distance normalize cross fast_length fast_distance "
        "fast_normalize mix smoothstep";

    return dl__is_in(builtins, name, strlen(name));
}

static bool may_be_floating(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__type *type = lane_type(u, n);

    return type->kind == DL__T_OTHER ||
           (type->kind == DL__T_SCALAR && type->scalar == 'f');
}

/* A pragma that says otherwise for a part of a function, or one made by an operator, is
 * not read. */
static bool is_off(struct dl__unit *u, const struct dl__function *f)
{
    struct dl__tracker *t = u->tracker;
    const struct dl__expanded *text = t->expanded;
    size_t at;

    if (!dl__fp_contract_before(text, f->item_at, &at) ||
        memmem(text->text, text->bytes, "_Pragma", 7) ||
        memmem(text->text + f->body_at, f->body_end - f->body_at, word, sizeof word - 1))
        return false;
    if (t->contraction_at != at)
        t->contraction_is_off =
            !strcmp(dl__pragmas_at(text, f->item_at).fp_contract, "OFF");
    t->contraction_at = at;
    return t->contraction_is_off;
}

static void add_function(struct search *s, struct dl__function *f)
{
    for (size_t i = 0; i < s->functions.count; i++)
        if (s->functions.items[i] == f)
            return;
    DL__PUSH(s->unit->tracker->arena, &s->functions, f);
}

/* The same as look, of a function that rounds as it says: its tokens are enough. */
static void look_for_calls(struct search *s, const struct dl__function *f)
{
    struct dl__ast *ast = s->unit->tracker->ast;
    struct dl__lexer lexer = dl__ast_body_tokens(ast, f);
    struct dl__token t, name = {.kind = DL__END};

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (dl__token_is(&t, "(") && name.kind == DL__NAME) {
            const char *text = dl__arena_text(ast->arena, name.text, name.bytes);

            for (size_t i = 0; i < ast->functions.count; i++)
                if (ast->functions.items[i].is_defined &&
                    !strcmp(ast->functions.items[i].name, text))
                    add_function(s, &ast->functions.items[i]);
            s->open |= is_open(text);
        }
        if (t.kind != DL__NEWLINE)
            name = t;
    }
}

static void look(struct search *s, struct dl__node *n)
{
    if (s->open)
        return;
    if (n->kind == DL__N_CALL) {
        struct dl__function *f = dl__ast_callee(s->unit->tracker->ast, n);

        if (f)
            add_function(s, f);
        else
            s->open |= !n->name || is_open(n->name);
    } else if (n->kind == DL__N_BINARY || n->kind == DL__N_COMPOUND || dl__is_step(n)) {
        bool sum = n->op[0] == '+' || n->op[0] == '-', product = n->op[0] == '*';

        if ((sum && !s->sum) || (product && !s->product) || !n->op[0]) {
            if (may_be_floating(s->unit, n)) {
                s->sum |= sum || !n->op[0];
                s->product |= product || !n->op[0];
            }
        }
    }
    for (size_t i = 0; i < n->child_count; i++)
        look(s, n->children[i]);
}

/* True when a compiler may contract sums of products in the function, or in one that it
 * calls. */
static bool may_contract(struct dl__unit *kernel)
{
    struct search s = {.unit = kernel};
    bool sum = false, product = false;

    add_function(&s, kernel->function);
    for (size_t i = 0; i < s.functions.count; i++) {
        struct dl__function *f = s.functions.items[i];

        if (!f->is_defined)
            return true;
        s.sum = s.product = false;
        if (!f->body && is_off(kernel, f)) {
            look_for_calls(&s, f);
            continue;
        }
        look(&s, dl__ast_body(kernel->tracker->ast, f));
        if ((s.sum || s.product) && !is_off(kernel, f)) {
            sum |= s.sum;
            product |= s.product;
        }
    }
    return s.open || (sum && product);
}

/* One access: its form, its bytes, and what stands around it, as a fact of the
 * kernel's root. */

/* The levels of a variation in the collector's function; of the rest of pointers. */
static uint32_t levels_of(const struct collector *c, variation v, bool rest)
{
    size_t parameters = c->frame->outline->unit->function->parameter_count;
    uint32_t levels = 0;

    for (unsigned i = 0; i < LOOPS_MAX; i++)
        if (v >> i & 1)
            levels |= c->loop_level[i];
    for (size_t i = 0; i < parameters && variation_bit(i); i++)
        if (v & variation_bit(i))
            levels |= rest ? c->rest_levels[i] : c->rows_levels[i];
    return levels;
}

static enum dl_access_form form_of(struct value v, int32_t *step)
{
    *step = 0;
    switch (v.kind) {
    case V_UNIFORM:
        return DL_ACCESS_UNIFORM;
    case V_GATHER:
        return DL_ACCESS_GATHER;
    case V_LINEAR:
        if (v.step > INT32_MAX || v.step < -INT32_MAX)
            return DL_ACCESS_UNKNOWN;
        *step = (int32_t)v.step;
        return DL_ACCESS_LINEAR;
    default:
        return DL_ACCESS_UNKNOWN;
    }
}

static bool same_place(const struct dl_access_fact *a, const struct dl_access_fact *b)
{
    return a->form == b->form && a->step == b->step && a->offset == b->offset &&
           a->bytes == b->bytes && a->atomic == b->atomic && a->walks == b->walks &&
           a->loops == b->loops && a->conditional == b->conditional;
}

static void add_to(struct collector *c, struct dl__facts *facts,
                   const struct dl__seen *seen)
{
    struct analysis *a = c->frame->analysis;

    for (size_t i = 0; i < facts->count; i++) {
        if (!same_place(&facts->items[i].fact, &seen->fact))
            continue;
        facts->items[i].fact.reads |= seen->fact.reads;
        facts->items[i].fact.writes |= seen->fact.writes;
        return;
    }
    if (facts->count == DL__FACTS_MAX)
        a->failed = true;
    else
        DL__PUSH(a->arena, facts, *seen);
}

/* Adds a fact of a helper's or kernel's root to the kernel's, or to all those that it may
 * be. */
static void add_fact(struct collector *c, const struct dl__node *at,
                     const struct dl__root *root, struct value index, uint32_t offset,
                     uint32_t bytes, unsigned how, bool walks)
{
    struct analysis *a = c->frame->analysis;
    struct dl__root *whole = c->frame->roots[root->parameter];
    struct dl__facts *facts = (struct dl__facts *)(whole ? whole->facts : NULL);
    struct dl__seen seen = {.at = at->begin};
    struct dl_access_fact *fact = &seen.fact;

    if (!facts) {
        a->failed = true;
        return;
    }
    fact->form = form_of(index, &fact->step);
    fact->offset = offset;
    fact->bytes = bytes;
    fact->reads = how & READS;
    fact->writes = how & WRITES;
    fact->atomic = how & ATOMIC;
    fact->walks = walks;
    fact->loops = (uint8_t)(c->loops < UINT8_MAX ? c->loops : UINT8_MAX);
    fact->conditional = is_conditional(c);
    if (!whole->is_joined) {
        add_to(c, facts, &seen);
        return;
    }
    for (size_t i = 0; i < a->kernel->root_count; i++)
        if (a->kernel->roots[i].is_joined && a->kernel->roots[i].element == root->element)
            add_to(c, (struct dl__facts *)a->kernel->roots[i].facts, &seen);
}

/* Notes an access to several elements of a flat buffer. */
static void note_elements(struct collector *c, const struct dl__node *at,
                          const struct dl__root *root, struct pair pair, unsigned how,
                          unsigned elements)
{
    uint32_t rows_levels = levels_of(c, pair.rows_vary, false),
             rest_levels = levels_of(c, pair.rest_vary, true);
    bool arrays = dl__is_of_arrays(root);
    bool known = arrays ? root->element->fields->type->count > 1 : row_elements(root);
    uint32_t element_bytes = root->element_type->bytes;
    uint32_t row_bytes = known ? root->element->bytes : UINT32_MAX;
    uint32_t decides = arrays ? rows_levels & ~rest_levels : rest_levels & ~rows_levels;
    struct value inside, rows = pair_struct(root, pair, &inside);
    uint64_t offset = 0, bytes = row_bytes;

    if (inside.kind == V_UNIFORM && inside.rest >= 0 &&
        (uint64_t)inside.rest * element_bytes < row_bytes) {
        offset = (uint64_t)inside.rest * element_bytes;
        bytes = (uint64_t)elements * element_bytes;
        if (offset + bytes > row_bytes)
            bytes = row_bytes - offset;
    }
    add_fact(c, at, root, rows, (uint32_t)offset, (uint32_t)bytes, how,
             inside.kind == V_NOTHING && decides);
}

/* The bytes of a place in its struct; `*levels`: what decides which of them. `rest`:
 * where the part is that its pointer points to. */
static void find_bytes(struct collector *c, const struct dl__access *p, struct value rest,
                       uint32_t *offset, uint32_t *bytes, uint32_t *levels)
{
    const struct dl__type *type = p->root->element_type;
    uint32_t whole = p->root->element->bytes;
    bool known = value_is_constant(rest) && rest.rest >= 0 &&
                 (uint64_t)rest.rest + type->bytes <= whole;

    known |= !p->root->is_part;
    *offset = p->root->is_part && known ? (uint32_t)rest.rest : 0;
    *bytes = known ? type->bytes : whole;
    *levels = 0;
    for (size_t i = 0; i < p->step_count; i++) {
        struct value index = value_constant(0);

        type = p->steps[i].type;
        if (p->step_index[i]) {
            index = evaluate(c->frame, p->step_index[i]);
            *levels |=
                levels_of(c, variation_of(c->frame->outline, p->step_index[i]), false);
        }
        if (!known)
            continue; /* the whole array */
        if (p->steps[i].field) {
            *offset += p->steps[i].field->offset_bytes;
        } else if (value_is_constant(index) && index.rest >= 0 &&
                   (uint64_t)(index.rest + 1) * type->bytes <= *bytes) {
            *offset += (uint32_t)index.rest * type->bytes;
        } else {
            known = false;
            continue;
        }
        *bytes = type->bytes;
    }
}

/* A place of a buffer; `bytes`: from its beginning on, 0: its own. */
static void note_place(struct collector *c, const struct dl__node *at,
                       const struct dl__access *p, unsigned how, uint32_t bytes_wanted)
{
    struct pair pair = pair_of_place(c->frame, p);
    uint32_t offset, bytes, levels;

    if (!dl__is_of_structs(p->root)) {
        note_elements(c, at, p->root, pair, how, 1);
        return;
    }
    find_bytes(c, p, pair.rest, &offset, &bytes, &levels);
    if (p->root->is_part)
        levels |= levels_of(c, pair.rest_vary, true);
    else if (bytes_wanted && (uint64_t)offset + bytes_wanted <= p->root->element->bytes)
        bytes = bytes_wanted;
    add_fact(c, at, p->root, pair.rows, offset, bytes, how,
             levels & ~levels_of(c, pair.rows_vary, false));
}

/* ---- Calls: builtins that reach a place through a pointer, and helpers. ---- */

static bool begins(const char *name, const char *with)
{
    return !strncmp(name, with, strlen(with));
}

/* How a builtin reaches what its pointers point to. */
static unsigned how_of(const char *name)
{
    unsigned atomic = dl__atomic_of(name, strlen(name));

    if (begins(name, "vload"))
        return READS;
    if (begins(name, "vstore"))
        return WRITES;
    if (!atomic)
        return WRITES; /* fract and its like */
    return ATOMIC | (atomic & DL__ATOMIC_READS ? READS : 0u) |
           (atomic & DL__ATOMIC_WRITES ? WRITES : 0u);
}

/* vload4: 4; vload_half, atomic_add: 1. */
static unsigned lanes_of(const char *name)
{
    size_t digits = strcspn(name, "0123456789");

    return begins(name, "vload") || begins(name, "vstore")
               ? (unsigned)(name[digits] ? strtoul(name + digits, NULL, 10) : 1)
               : 1;
}

/* Returns the number of vectors between the pointer of a vload or vstore and its
 * elements. */
static struct dl__node *vectors_of(struct dl__node *n)
{
    if (begins(n->name, "vload") && n->child_count == 3)
        return n->children[1];
    return begins(n->name, "vstore") && n->child_count == 4 ? n->children[2] : NULL;
}

/* A pointer to elements of a flat buffer. */
static void collect_elements(struct collector *c, struct dl__node *call,
                             struct dl__node *arg, const struct dl__root *root)
{
    struct pair pair = pair_of_pointer(c->frame, arg);
    struct dl__node *offset = vectors_of(call);
    unsigned lanes = lanes_of(call->name);

    if (offset && lanes == 1) {
        pair = pair_add(pair, pair_of_offset(c->frame, root, offset));
    } else if (offset) {
        struct value by =
            value_multiply(evaluate(c->frame, offset), value_constant(lanes));

        pair = pair_add(
            pair, pair_of_number(root, by, variation_of(c->frame->outline, offset)));
    }
    note_elements(c, call, root, pair, how_of(call->name), lanes);
}

/* `&place`, `array`, `array + k` in a struct; false for others. */
static bool collect_member(struct collector *c, struct dl__node *call,
                           struct dl__node *arg, unsigned how)
{
    struct dl__unit *u = c->frame->outline->unit;
    struct dl__node *inner = dl__strip_casts(arg);
    const struct dl__type *type = dl__type_of(u, arg);
    struct dl__access p;
    uint32_t bytes = 0;

    /* vload4(i, (float *)f): where an offset counts at all, it counts structs. */
    if (type->kind == DL__T_POINTER && dl__find_pointed(u, inner, &p) && !p.step_count &&
        !p.root->is_part) {
        bytes = lanes_of(call->name) * type->element->bytes;
        if (vectors_of(call) && bytes == p.root->element->bytes)
            p.index = vectors_of(call);
        else if (vectors_of(call))
            bytes = p.root->element->bytes;
        note_place(c, call, &p, how, bytes);
        run(c->run, p.pointer);
        return true;
    }
    if (inner->kind == DL__N_BINARY && inner->child_count == 2 && dl__op_is(inner, "+"))
        inner = dl__strip(inner->children[0]);
    if (inner->kind == DL__N_UNARY && dl__op_is(inner, "&") && inner->child_count) {
        if (!dl__find_place(u, inner->children[0], &p) || !p.step_count)
            return false;
        bytes = lanes_of(call->name) * p.type->bytes;
        if (vectors_of(call))
            bytes *= 1 + (unsigned)(evaluate(c->frame, vectors_of(call)).rest & 15);
        if (p.type->kind == DL__T_VECTOR)
            bytes = 0;
    } else if (!dl__find_place(u, inner, &p) || p.type->kind != DL__T_ARRAY) {
        return false;
    }
    note_place(c, call, &p, how, bytes);
    run(c->run, p.pointer);
    if (p.index)
        run(c->run, p.index);
    for (size_t i = 0; i < p.step_count; i++)
        if (p.step_index[i])
            run(c->run, p.step_index[i]);
    return true;
}

static bool reaches_buffer(struct dl__unit *u, struct dl__node *arg)
{
    struct dl__node *inner = dl__strip_casts(arg);
    struct dl__access p;

    return dl__root_of(u, inner) ||
           (inner->kind == DL__N_UNARY && dl__op_is(inner, "&") &&
            dl__find_place(u, inner->children[0], &p));
}

static void collect_call(struct collector *c, struct dl__node *n)
{
    struct dl__unit *u = c->frame->outline->unit;
    struct dl__function *callee = dl__ast_callee(u->tracker->ast, n);
    bool has_buffer = false;

    if (!callee && n->name && begins(n->name, "prefetch"))
        return;
    for (size_t i = 1; i < n->child_count; i++) {
        struct dl__node *arg = n->children[i];
        struct dl__root *root = dl__root_of(u, arg);

        has_buffer |= root != NULL;
        /* How much of a buffer a work-group's copy reaches is not followed. */
        if (!callee && n->name && begins(n->name, "async_work_group_"))
            c->frame->analysis->failed |= reaches_buffer(u, arg);
        /* A member is what it was before it could be followed as a pointer. */
        if (!callee && root && root->is_part && n->name &&
            collect_member(c, n, arg, how_of(n->name)))
            continue;
        if (!callee && root)
            collect_elements(c, n, arg, root);
        if (callee || root || !n->name || !collect_member(c, n, arg, how_of(n->name)))
            run(c->run, arg);
    }
    if (callee && has_buffer) {
        struct frame *frame = frame_of_call(c->frame, n, callee);

        if (frame)
            collect_frame(c, frame, n);
        else
            c->frame->analysis->failed = true;
    }
}

/* A run once variables are known: what is reached on the way. */

enum { VISITS_MAX = 4096 };

static enum agreement agreement_around(const struct collector *c)
{
    enum agreement around = c->around;

    for (const struct arm *a = c->run ? c->run->arm : NULL; a; a = a->outer)
        around = agreement_both(around, a->taken);
    return around;
}

/* True where only some of the work-items come. */
static bool is_conditional(const struct collector *c)
{
    enum agreement around = agreement_around(c);

    return around == DIVERGENT || around == MOSTLY_NO || c->left;
}

/* Behind a jump the others go on alone, which does not count where few leave. */
static void collect_leave(struct collector *c)
{
    if (c)
        c->left |= agreement_around(c) == DIVERGENT || agreement_around(c) == MOSTLY_YES;
}

/* The value of a number that a for begins or ends with. */
static bool number_of(struct frame *f, struct dl__node *n, int64_t *out)
{
    struct value v = evaluate(f, n);

    *out = v.rest;
    return value_is_constant(v);
}

/* for (k = 0; k < 1; ...), do ... while (0) */
static bool is_one_round(struct frame *f, const struct dl__node *n)
{
    struct dl__node *condition = n->condition ? dl__strip(n->condition) : NULL, *first;
    int64_t from, to;

    if (!condition)
        return false;
    if (!begins_with(f->outline->unit, n, "for"))
        return number_of(f, condition, &to) && !to;
    first = n->children[0];
    while (first->kind == DL__N_DECL_STATEMENT && first->child_count == 1)
        first = first->children[0];
    if (first == condition || !first->child_count || condition->child_count != 2 ||
        condition->op[0] != '<' || condition->op[1] == '<')
        return false;
    return number_of(f, first->children[first->child_count - 1], &from) &&
           number_of(f, condition->children[1], &to) &&
           to - from + (condition->op[1] == '=') <= 1;
}

/* ---- places ---- */

static void collect_index(struct collector *c, struct dl__node *n)
{
    if (n)
        run(c->run, n);
}

/* Collects what a place's indices read. */
static void collect_parts(struct collector *c, const struct dl__access *p)
{
    collect_index(c, p->pointer);
    collect_index(c, p->index);
    for (size_t i = 0; i < p->array_count; i++)
        collect_index(c, p->array_index[i]);
    for (size_t i = 0; i < p->step_count; i++)
        collect_index(c, p->step_index[i]);
}

static bool collect_place(struct collector *c, struct dl__node *n, unsigned how)
{
    struct dl__access p;

    if (!dl__find_place(c->frame->outline->unit, n, &p))
        return false;
    /* An array as a pointer: who follows it is seen. */
    if (p.type->kind != DL__T_ARRAY)
        note_place(c, n, &p, how, 0);
    collect_parts(c, &p);
    return true;
}

/* &place: whoever has it reads, and writes what is not const. Of a pointer that is
 * followed, who follows it is seen. */
static bool collect_address(struct collector *c, struct dl__node *n)
{
    struct dl__unit *u = c->frame->outline->unit;
    const struct dl__type *type = dl__type_of(u, n);
    struct dl__access p;
    bool reads_only = type->kind == DL__T_POINTER && type->element->is_const;

    if (!dl__find_place(u, n->children[0], &p))
        return false;
    if (!dl__root_of(u, n))
        note_place(c, n, &p, reads_only ? READS : READS | WRITES, 0);
    collect_parts(c, &p);
    return true;
}

/* *(float4 *)&f[i] */
static bool collect_view(struct collector *c, struct dl__node *n, unsigned how)
{
    struct dl__view view;

    if (!dl__find_view(c->frame->outline->unit, n, &view))
        return false;
    note_place(c, n, &view.place, how, view.value->bytes);
    collect_parts(c, &view.place);
    return true;
}

/* Notes what the node reaches as a whole, and runs its parts; false: it is to be run. */
static bool collect(struct collector *c, struct dl__node *n, unsigned how)
{
    switch (n->kind) {
    case DL__N_SUBSCRIPT:
    case DL__N_MEMBER:
        return collect_place(c, n, how);
    case DL__N_UNARY:
        if (dl__op_is(n, "*") && n->child_count)
            return collect_place(c, n, how) || collect_view(c, n, how);
        return dl__op_is(n, "&") && n->child_count && collect_address(c, n);
    case DL__N_CALL:
        collect_call(c, n);
        return true;
    default:
        return false;
    }
}

/* ---- functions ---- */

/* A helper, as it was walked over already: nothing new comes of it. */
struct collected {
    const struct frame *frame;
    unsigned loops;
    bool conditional;
    uint32_t *rows_levels, *rest_levels;
    struct collected *next;
};

static void levels_of_arguments(const struct collector *caller, struct dl__node *call,
                                struct collector *c)
{
    struct dl__unit *u = c->frame->outline->unit;
    struct dl__arena *arena = c->frame->analysis->arena;
    const struct outline *from = caller->frame->outline;
    size_t count = u->function->parameter_count;

    c->rows_levels = dl__arena_alloc(arena, (count + 1) * sizeof *c->rows_levels);
    c->rest_levels = dl__arena_alloc(arena, (count + 1) * sizeof *c->rest_levels);
    for (size_t i = 0; i < count && i + 1 < call->child_count; i++) {
        struct dl__node *argument = call->children[i + 1];
        struct pair p = {.rows_vary = 0};

        if (dl__root_of(from->unit, argument))
            p = pair_of_pointer(caller->frame, argument);
        else
            p.rows_vary = variation_of(from, argument);
        c->rows_levels[i] = levels_of(caller, p.rows_vary, false);
        c->rest_levels[i] = levels_of(caller, p.rest_vary, true);
    }
}

static bool was_seen(struct collector *c)
{
    size_t bytes =
        c->frame->outline->unit->function->parameter_count * sizeof *c->rows_levels;
    struct collected *s = *c->seen;
    unsigned visits = 0;

    for (; s; s = s->next, visits++)
        if (s->frame == c->frame && s->loops == c->loops &&
            s->conditional == is_conditional(c) &&
            !memcmp(s->rows_levels, c->rows_levels, bytes) &&
            !memcmp(s->rest_levels, c->rest_levels, bytes))
            return true;
    c->frame->analysis->failed |= visits >= VISITS_MAX;
    s = DL__NEW(c->frame->analysis->arena, struct collected);
    *s = (struct collected){c->frame,       c->loops,       is_conditional(c),
                            c->rows_levels, c->rest_levels, *c->seen};
    *c->seen = s;
    return false;
}

/* Walks over a helper's copy. */
static void collect_frame(const struct collector *caller, struct frame *frame,
                          struct dl__node *call)
{
    struct collector c = {.frame = frame,
                          .level = caller->level,
                          .loops = caller->loops,
                          .around = is_conditional(caller) ? DIVERGENT : SAME,
                          .seen = caller->seen};

    levels_of_arguments(caller, call, &c);
    if (!was_seen(&c))
        drop_state(frame, run_frame(frame, &c));
}

/* The facts of all that a kernel's frame runs. */
static void collect_kernel(struct frame *kernel)
{
    struct collected *seen = NULL;
    struct collector c = {.frame = kernel, .seen = &seen};
    size_t count = kernel->outline->unit->function->parameter_count + 1;

    c.rows_levels =
        dl__arena_alloc(kernel->analysis->arena, count * sizeof *c.rows_levels);
    c.rest_levels = c.rows_levels;
    run_frame(kernel, &c);
}

/* ---- The facts of one kernel. ---- */

static void forget(struct dl__unit *kernel, const struct analysis *a)
{
    for (size_t i = 0; i < kernel->root_count; i++)
        kernel->roots[i].facts = NULL;
    for (const struct outline *o = a->outlines; o; o = o->next)
        o->unit->refused = false;
    kernel->refused = false;
}

void dl__find_facts(struct dl__unit *kernel)
{
    struct dl__arena *arena = kernel->tracker->arena;
    struct analysis *a = DL__NEW(arena, struct analysis);

    a->arena = arena;
    a->kernel = kernel;
    for (size_t i = 0; i < kernel->root_count; i++)
        kernel->roots[i].facts = DL__NEW(arena, struct dl__facts);
    /* Pointers inside structs are not followed. */
    a->failed = kernel->contexts.count > 0;
    /* The walk has followed all of this before, so nothing is refused now. If it were,
     * nothing would be said. */
    if (!a->failed && !setjmp(kernel->refuse)) {
        struct frame *frame = frame_of_kernel(a, kernel);

        collect_kernel(frame);
    } else {
        a->failed = true;
    }
    if (a->failed)
        forget(kernel, a);
    kernel->contractable = may_contract(kernel);
}

static const char *count_text(struct dl__arena *arena, int64_t count, const char *what)
{
    return dl__arena_format(arena, "%lld %s%s", (long long)count, what,
                            count == 1 ? "" : "s");
}

static const char *form_text(struct dl__arena *arena, const struct dl_access_fact *f)
{
    switch (f->form) {
    case DL_ACCESS_UNIFORM:
        return "the same struct for neighbouring work-items";
    case DL_ACCESS_GATHER:
        return "structs whose index is read from memory";
    case DL_ACCESS_LINEAR:
        if (f->step == 1)
            return "the next struct for the next work-item";
        return dl__arena_format(
            arena, "%s %s for the next work-item",
            count_text(arena, f->step < 0 ? -(int64_t)f->step : f->step, "struct"),
            f->step < 0 ? "back" : "on");
    default:
        return "structs by an index that is not understood";
    }
}

const char *dl__fact_text(struct dl__arena *arena, const struct dl_access_fact *f)
{
    struct dl__buf out = {.arena = arena};

    dl__buf_printf(&out, "%s%s%s ", f->atomic ? "atomically " : "",
                   f->reads    ? f->writes ? "read and written" : "read"
                   : f->writes ? "written"
                               : "",
                   ":");
    dl__buf_puts(&out, form_text(arena, f));
    if (f->bytes == UINT32_MAX)
        dl__buf_puts(&out, ", anywhere in it");
    else if (f->bytes == 1)
        dl__buf_printf(&out, ", byte %u", f->offset);
    else
        dl__buf_printf(&out, ", bytes %u to %u", f->offset, f->offset + f->bytes - 1);
    if (f->walks)
        dl__buf_puts(&out, ", one after the other");
    if (f->loops)
        dl__buf_printf(&out, ", in %s", count_text(arena, f->loops, "loop"));
    if (f->conditional)
        dl__buf_puts(&out, ", by some work-items only");
    return out.items;
}
