/* SPDX-License-Identifier: MIT */
/* The facts of one kernel. A function in one context is a frame. Its text is run in order
 * with values that say how neighbouring work-items see them, until they settle; once more
 * then, to note each access that is come by. */
#include "annotate/facts/facts.h"

#include <stdlib.h>
#include <string.h>

#include "annotate/forms/forms.h"
#include "annotate/text/lex.h"
#include "annotate/track/place.h"
#include "annotate/tree/resolve.h"

enum { LOOPS_MAX = 32, PARAMETERS_MAX = 32 };

/* Sets of what a value varies with: loops of a function by their bits, and its
 * parameters. */
typedef uint64_t variation;

static const variation all_parameters = ~(variation)0 << LOOPS_MAX;

struct own_variable {
    size_t declared_at;
    struct dl__node *declaration; /* NULL: a parameter */
    size_t parameter;
    size_t number;                      /* in the outline */
    const struct dl__variable *tracked; /* into a buffer; NULL: none */
    bool has_parts;  /* of an array, struct or vector, that are set one by one */
    bool escapes;    /* it may be changed in a way that is not followed */
    unsigned depth;  /* of the arms around its declaration */
    variation loops; /* around its declaration */
};

struct outline {
    struct dl__unit *unit;
    struct dl__node *body;
    struct {
        struct own_variable *items;
        size_t count, room;
    } variables; /* by place of declaration */
    struct {
        struct dl__node **items;
        size_t count, room;
    } loops; /* by first need; so many have bits in masks */
    bool has_goto;
    struct dl__scope *scope; /* see values/integer.h; made at first need */
    struct frame *frames;
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
    variation varies;
};

/* How neighbours agree on a condition. */
enum agreement {
    BY_VALUE,   /* as its value says */
    SAME,       /* one thing */
    MOSTLY_YES, /* one thing, but at a bound; most take it */
    MOSTLY_NO,
    DIVERGENT
};

/* An expression's value. Of a pointer into a buffer: rows (or structs), and elements
 * beyond the row's first; of others the rows are the value. */
struct pair {
    struct value rows, rest;
    const struct dl__root *root; /* NULL: it is no pointer into a buffer */
    enum agreement agrees;
};

/* A variable where the function is, of which nothing is known before it is set. */
struct slot {
    struct pair is;
    unsigned long change; /* the last; another one each time */
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
    struct pair result, rare_result;
    bool returns_diverge; /* neighbours may return in different places */
    bool is_new;          /* more is known than when the round began */
    bool is_busy;         /* being solved: a call to it is recursion */
    struct noted *noted;  /* how it was gone through */
    struct frame *next;   /* of the outline */
};

/* One kernel's analysis. */
struct analysis {
    struct dl__arena *arena;
    struct dl__unit *kernel;
    struct outline *outlines;
    size_t frame_count, noted_count;
    unsigned depth;        /* of frames being solved */
    unsigned long steps;   /* of evaluation */
    unsigned long changes; /* of variables */
    bool failed;           /* more than is followed */
};

/* A part that is run only sometimes, or over and over. */
struct arm {
    struct arm *outer;
    unsigned depth;
    enum agreement taken; /* how neighbours agree on coming here */
    struct loop *loop;    /* NULL: it is none */
    bool is_skipped; /* of a loop: some neighbours are at the end of its body already */
    struct state *breaks, *nexts; /* that left it, or this round of it */
    const struct state *entry;    /* of a switch; NULL: it is none */
};

/* Whether an access reads and writes. */
enum { READS = 1, WRITES = 2, ATOMIC = 4 };

enum { LEVELS_MAX = 32 };

struct run {
    struct frame *f;
    struct state *now; /* NULL: nobody comes here, or names are what they were seen as */
    struct arm *arm;   /* the innermost; NULL: none */
    variation around;  /* loops */
    unsigned how;      /* the next node is reached when it is a place */
    /* Of a run that notes accesses. Sets of levels: loops around, outermost first,
     * through calls. */
    bool notes;
    uint32_t *rows_levels, *rest_levels; /* by parameter: what the argument varies with */
    uint32_t loop_level[LOOPS_MAX];      /* by loop of the outline: its bit, 0 outside */
    unsigned level;
    struct {
        uint64_t rounds;       /* 0: the text does not say */
        size_t at;             /* in the expanded text */
    } loops[LEVELS_MAX];       /* by level */
    unsigned deep;             /* loops that have no level */
    enum agreement conditions; /* around the call */
    bool left; /* some work-items are gone since a return, break or continue */
};

static struct pair eval(struct run *r, struct dl__node *n);
static struct frame *frame_of_call(struct frame *caller, struct dl__node *call,
                                   struct dl__function *callee, const struct pair *args);

static struct dl__unit *unit_of(const struct frame *f)
{
    return f->outline->unit;
}

/* The elements of a row, where the text says how many; 1: a struct; 0: only a launch
 * knows. */
static int64_t row_elements(const struct dl__root *root)
{
    if (dl__is_of_structs(root))
        return 1;
    return root->shape ? dl__width_constant(root)
                       : (int64_t)root->element->fields->type->count;
}

/* True of pointers that step in rows. */
static bool has_rest(const struct dl__root *root)
{
    return root->is_part || root->element_type->kind != DL__T_STRUCT;
}

/* The variation with a parameter. */
static variation variation_bit(size_t parameter)
{
    return parameter < PARAMETERS_MAX ? (variation)1 << (LOOPS_MAX + parameter) : 0;
}

/* ---- Variables of a body, before it is run. ---- */

/* The variable that is declared there; NULL: it is not the function's. */
static struct own_variable *outline_find(const struct outline *o, size_t declared_at)
{
    size_t low = 0, high = o->variables.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (o->variables.items[middle].declared_at == declared_at)
            return &o->variables.items[middle];
        if (o->variables.items[middle].declared_at < declared_at)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* The variable that an lvalue is, or is a part of; NULL: memory behind a pointer, or not
 * the function's. What a parameter that is written as an array points to is memory. */
static struct own_variable *own_part(const struct outline *o, struct dl__node *n)
{
    struct own_variable *v;
    struct dl__node *part = dl__strip(n);

    for (; n != part; n = n->children[0])
        if (dl__is_pointed_component(o->unit, n))
            return NULL;
    for (n = part; n->kind != DL__N_NAME;) {
        if ((n->kind != DL__N_MEMBER && n->kind != DL__N_SUBSCRIPT) || !n->child_count)
            return NULL;
        /* The pointer that an array decays to is stripped: this is a pointer. */
        n = dl__strip(n->children[0]);
        if (dl__type_of(o->unit, n)->kind == DL__T_POINTER)
            return NULL;
    }
    v = outline_find(o, n->declared_at);
    return v && (v->declaration || part == n ||
                 o->unit->function->parameters[v->parameter].type->kind != DL__T_POINTER)
               ? v
               : NULL;
}

static bool is_local(const struct outline *o, const struct own_variable *v)
{
    return v->declaration &&
           dl__type_of(o->unit, v->declaration)->address_space == DL__LOCAL;
}

static void add_variable(struct dl__arena *arena, struct outline *o,
                         struct own_variable v)
{
    const struct dl__variable *tracked = dl__variable_at(o->unit, v.declared_at);

    if (tracked && tracked->kind != DL__LEAF && !tracked->is_array)
        v.tracked = tracked;
    v.number = o->variables.count;
    DL__PUSH(arena, &o->variables, v);
}

static void find_variables(struct dl__arena *arena, struct outline *o, struct dl__node *n)
{
    if (n->kind == DL__N_VARIABLE)
        add_variable(
            arena, o,
            (struct own_variable){.declared_at = n->declared_at, .declaration = n});
    for (size_t i = 0; i < n->child_count; i++)
        find_variables(arena, o, n->children[i]);
}

/* The outline of a function, made at first need; the last ones asked for come first. */
static struct outline *outline_of(struct analysis *a, struct dl__unit *unit)
{
    struct outline **at = &a->outlines, *o;

    while (*at && (*at)->unit != unit)
        at = &(*at)->next;
    o = *at;
    if (o) {
        *at = o->next;
        o->next = a->outlines;
        a->outlines = o;
        return o;
    }
    o = DL__NEW(a->arena, struct outline);
    o->unit = unit;
    o->body = dl__ast_body(unit->tracker->ast, unit->function);
    o->next = a->outlines;
    a->outlines = o;
    /* All units leave to the one place. */
    if (unit != a->kernel)
        memcpy(&unit->refuse, &a->kernel->refuse, sizeof unit->refuse);
    for (size_t i = 0; i < unit->function->parameter_count; i++)
        add_variable(
            a->arena, o,
            (struct own_variable){.declared_at = unit->function->parameters[i].name_at,
                                  .parameter = i});
    find_variables(a->arena, o, o->body);
    return o;
}

static bool mentions(const struct dl__node *n, size_t declared_at)
{
    if (n->kind == DL__N_NAME)
        return n->declared_at == declared_at;
    for (size_t i = 0; i < n->child_count; i++)
        if (mentions(n->children[i], declared_at))
            return true;
    return false;
}

/* libclang shows a component of a vector as a conversion that reaches further than what
 * it converts. */
static bool is_component(const struct dl__node *n)
{
    return n->kind == DL__N_IMPLICIT && n->child_count == 1 &&
           n->end != n->children[0]->end;
}

/* An array's element, a struct's member, or a vector's component. */
static bool is_part_of(const struct dl__node *n)
{
    while ((n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT) && n->child_count == 1) {
        if (is_component(n))
            return true;
        n = n->children[0];
    }
    return n->kind != DL__N_NAME;
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
           a.rest == b.rest && a.most == b.most && a.holds == b.holds &&
           a.varies == b.varies;
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
                      .holds = a.holds | b.holds,
                      .varies = a.varies | b.varies};

    if (any_is_nothing(a, b))
        return a.kind == V_NOTHING ? b : a;
    if (v.kind == V_LINEAR && (a.kind != b.kind || a.step != b.step))
        v.kind = V_UNKNOWN;
    if (divergent && v.kind < V_UNKNOWN &&
        !(value_is_constant(a) && value_is_constant(b) && a.rest == b.rest))
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
    return (struct value){.kind = kind == V_LINEAR ? V_UNKNOWN : kind,
                          .modulus = 1,
                          .varies = a.varies | b.varies};
}

static struct value value_add(struct value a, struct value b)
{
    struct value v = {.kind = larger(a, b),
                      .step = a.step + b.step,
                      .modulus = dl__common_divisor(a.modulus, b.modulus),
                      .rest = a.rest + b.rest,
                      .most = is_bounded(a) && is_bounded(b) ? a.most + b.most : 0,
                      .holds = a.holds | b.holds,
                      .varies = a.varies | b.varies};

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
    return (struct value){.kind = place.kind == V_UNIFORM ? V_UNIFORM : V_GATHER,
                          .modulus = 1,
                          .varies = place.varies};
}

/* As C's operators make one of two. */
static struct value apply(const char *op, struct value a, struct value b)
{
    struct value v;

    switch (op[0]) {
    case '+':
        return value_add(a, b);
    case '-':
        return value_add(a, value_negate(b));
    case '*':
        return value_multiply(a, b);
    case '/':
        v = value_divide(a, b);
        break;
    case '%':
        v = value_modulo(a, b);
        break;
    case '&':
        v = op[1] == '&' ? value_mix(a, b) : value_and(a, b);
        break;
    case '|':
        v = op[1] == '|' ? value_mix(a, b) : value_or(a, b);
        break;
    case '<':
    case '>':
        v = op[1] == op[0] ? value_shift(a, b, op[0] == '<') : value_mix(a, b);
        break;
    default:
        return value_mix(a, b);
    }
    v.varies = a.varies | b.varies;
    return v;
}

/* ---- How neighbours agree. ---- */

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

static enum agreement agreement_either(enum agreement a, enum agreement b)
{
    return agreement_opposite(
        agreement_both(agreement_opposite(a), agreement_opposite(b)));
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
    return n->kind == DL__N_BINARY &&
           (((n->op[0] == '<' || n->op[0] == '>') && n->op[1] != n->op[0]) ||
            dl__op_is(n, "==") || dl__op_is(n, "!="));
}

static enum agreement agreement_of_comparison(const char *op, struct value a,
                                              struct value b)
{
    if (a.kind <= V_UNIFORM && b.kind <= V_UNIFORM)
        return SAME;
    if (a.kind == V_LINEAR && b.kind <= V_UNIFORM)
        return compare(op, a, b);
    if (b.kind == V_LINEAR && a.kind <= V_UNIFORM)
        return compare(op[0] == '<' ? ">" : op[0] == '>' ? "<" : op, b, a);
    return DIVERGENT;
}

/* ---- Pairs. ---- */

static const struct pair nothing;

static struct pair pair_of_value(struct value v)
{
    return (struct pair){.rows = v};
}

static struct pair pair_of(const struct dl__root *root, struct value rows,
                           struct value rest)
{
    return (struct pair){.rows = rows, .rest = rest, .root = root};
}

static struct pair pair_zero(const struct dl__root *root)
{
    return pair_of(root, value_constant(0), value_constant(0));
}

static struct pair pair_unknown(const struct dl__root *root, variation varies)
{
    struct pair p = pair_of(root, value_of(V_UNKNOWN), value_of(V_UNKNOWN));

    p.rows.varies = varies;
    return p;
}

static struct pair pair_add(struct pair a, struct pair b)
{
    return pair_of(a.root, value_add(a.rows, b.rows), value_add(a.rest, b.rest));
}

static struct pair pair_negate(struct pair p)
{
    return pair_of(p.root, value_negate(p.rows), value_negate(p.rest));
}

static struct pair pair_chosen(enum agreement first, struct pair a, struct pair b)
{
    return pair_of(a.root ? a.root : b.root, value_chosen(first, a.rows, b.rows),
                   value_chosen(first, a.rest, b.rest));
}

static bool pair_equals(struct pair a, struct pair b)
{
    return value_equals(a.rows, b.rows) && value_equals(a.rest, b.rest);
}

/* As one number. */
static struct value number(struct pair p)
{
    int64_t width = p.root ? row_elements(p.root) : 0;

    if (!p.root)
        return p.rows;
    if (width)
        return value_add(value_multiply(p.rows, value_constant(width)),
                         width == 1 ? value_constant(0) : p.rest);
    return value_is_constant(p.rows) ? p.rest : value_mix(p.rows, p.rest);
}

static enum agreement agreement_of(struct pair p)
{
    struct value v = number(p);

    if (p.agrees)
        return p.agrees;
    if (v.kind <= V_UNIFORM)
        return SAME;
    return v.kind == V_LINEAR ? MOSTLY_YES : DIVERGENT; /* not 0 */
}

/* With a constant rest inside the row; the struct's index then is what the rows are, and
 * `*inside` says where in the row, V_NOTHING where it is not one element. */
static struct value pair_struct(struct pair p, struct value *inside)
{
    int64_t width = row_elements(p.root), carry;
    struct value rows = p.rows, by;

    *inside = value_nothing();
    if (dl__is_of_arrays(p.root)) {
        *inside = value_is_constant(p.rows) ? p.rows : *inside;
        return p.rest;
    }
    if (dl__is_of_structs(p.root))
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

/* Once more, by what its names were seen as. */
static struct pair again(struct frame *f, struct dl__node *n)
{
    struct run r = {.f = f};

    return eval(&r, n);
}

static struct value number_again(struct frame *f, struct dl__node *n)
{
    return number(again(f, n));
}

/* ---- What is added to a pointer: sums of terms, each of which may be rows. ---- */

/* Returns the pair that is v elements beyond a pointer. */
static struct pair pair_of_number(const struct dl__root *root, struct value v)
{
    int64_t width = row_elements(root), rest;
    struct pair p = pair_of(root, value_constant(0), v);

    if (v.kind == V_NOTHING)
        p.rows = v;
    if (width && v.modulus % width == 0 && v.kind != V_NOTHING) {
        rest = v.rest % width;
        p.rest = value_constant(rest);
        p.rows = value_is_constant(v) ? value_constant((v.rest - rest) / width)
                                      : value_divide(value_add(v, value_constant(-rest)),
                                                     value_constant(width));
        if (v.kind >= V_UNKNOWN)
            p.rows = value_of(v.kind);
        p.rows.varies = v.varies;
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

/* Returns the value of a term of a sum. */
static struct value value_of_term(struct frame *f, const struct dl__polynomial_term *term)
{
    struct value v = value_constant(term->coefficient);

    for (size_t a = 0; a < term->count; a++) {
        const struct dl__origin *o = term->atoms[a]->origin;
        struct value by = value_of(V_UNIFORM);

        if (o->node) {
            by = number_again(f, o->node);
        } else if (o->parameter != SIZE_MAX) {
            by = f->arguments[o->parameter].rows;
        } else if (o->of[0]) {
            by = value_constant(0);
            for (size_t t = 0; t < o->of[0]->sum.terms.count; t++)
                by = value_add(by, value_of_term(f, &o->of[0]->sum.terms.items[t]));
        }
        v = value_multiply(v, by);
    }
    return v;
}

/* Of a width that the text knows, arithmetic says which terms are rows. */
static struct pair pair_of_sum(struct frame *f, const struct dl__root *root,
                               struct dl__node *n)
{
    struct dl__scope *scope = scope_of(f);
    struct dl__polynomial rows = {{0}, {0}}, rest = {{0}, {0}};
    const struct dl__integer *value;
    struct pair pair = pair_zero(root);

    scope->evaluation->steps = 0; /* which are bounded for one expression */
    value = dl__integer_of(scope, n);
    if (!dl__polynomial_unconverted(f->analysis->arena, &value->sum, &rest))
        rest = value->sum;
    if (root->shape && !row_elements(root))
        dl__rows_split(scope, root, &rows, &rest);
    for (size_t t = 0; t < rows.terms.count; t++)
        pair.rows = value_add(pair.rows, value_of_term(f, &rows.terms.items[t]));
    for (size_t t = 0; t < rest.terms.count; t++)
        pair =
            pair_add(pair, pair_of_number(root, value_of_term(f, &rest.terms.items[t])));
    return pair;
}

/* The pair of an integer that is added to a pointer; `v`: the integer. */
static struct pair pair_of_offset(struct frame *f, const struct dl__root *root,
                                  struct dl__node *n, struct value v)
{
    if (root->is_part) /* it stays in its struct; the rest is bytes */
        return pair_of(root, value_constant(0),
                       value_multiply(v, value_constant(root->element_type->bytes)));
    return has_rest(root) ? pair_of_sum(f, root, n) : pair_of(root, v, value_constant(0));
}

/* A pointer and an integer, or the other way round. */
static struct pair pointer_sum(struct run *r, struct dl__node *n, struct pair left,
                               struct pair right)
{
    bool is_left = left.root != NULL;
    struct pair p = is_left ? left : right;
    struct pair by = pair_of_offset(r->f, p.root, n->children[is_left],
                                    number(is_left ? right : left));
    /* It may count bytes. */
    uint32_t bytes = dl__bytes_counted(unit_of(r->f), n->children[!is_left]);

    if (bytes)
        by.rows = apply("/", by.rows, value_constant(p.root->element->bytes / bytes));
    return pair_add(p, n->op[0] == '-' ? pair_negate(by) : by);
}

/* ---- What its variables are where the function is. ---- */

enum { ROUNDS_MAX = 64, FREE_ROUNDS = 4 };

static bool is_breakable(const struct arm *arm)
{
    return arm->loop || arm->entry;
}

static struct state *copy_state(struct frame *f, const struct state *of)
{
    size_t bytes = f->outline->variables.count * sizeof *of->slots;
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
    return any_is_nothing(a, b) || (a.kind == b.kind && a.step == b.step)
               ? value_join(a, b, false)
               : value_mix(a, b);
}

static struct pair join_slot(const struct own_variable *v, struct pair a, struct pair b,
                             enum agreement first)
{
    return v->has_parts ? pair_of_value(join_part(a.rows, b.rows))
                        : pair_chosen(first, a, b);
}

static void set_slot(const struct frame *f, struct slot *slot, struct pair is)
{
    slot->is = is;
    slot->is.agrees = BY_VALUE;
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
    for (size_t i = 0; i < f->outline->variables.count; i++) {
        struct slot *a = &(*to)->slots[i], *b = &other->slots[i];

        if (a->change == b->change)
            continue;
        set_slot(f, a, join_slot(&f->outline->variables.items[i], a->is, b->is, first));
    }
    drop_state(f, other);
}

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

/* Sets a variable to `is`; `source`: an expression that is not made of what it was
 * before, if it does not mention it; NULL: it is. */
static void change(struct run *r, struct own_variable *v, struct dl__node *n,
                   struct dl__node *source, struct pair is)
{
    struct frame *f = r->f;
    struct slot *slot = &r->now->slots[v->number];
    bool again, divergent = is_divergent(r, v, &again),
                of_itself = !source || mentions(source, v->declared_at);
    variation around = all_parameters | r->around;

    if (v->tracked && !is.root)
        is = source && dl__is_null(unit_of(f), source) ? nothing
                                                       : pair_zero(v->tracked->root);
    else if (v->tracked)
        is.root = v->tracked->root;
    else
        is = pair_of_value(number(is));
    is.rows.varies &= around;
    is.rest.varies &= around;
    if (of_itself)
        *(is.root && has_rest(is.root) ? &is.rest.varies : &is.rows.varies) |=
            r->around & ~v->loops;
    if (divergent && again && of_itself)
        is = pair_of(is.root, scattered(is.rows), scattered(is.rest));
    if (v->escapes)
        is.rows = value_join(is.rows, value_of(V_UNKNOWN), false);
    if (n->kind != DL__N_VARIABLE && is_part_of(n->children[0])) {
        f->is_new |= !v->has_parts;
        v->has_parts = true;
        is = join_slot(v, slot->is, is, SAME);
    } else if (f->outline->has_goto && !pair_equals(slot->is, is)) {
        is = pair_chosen(DIVERGENT, slot->is, is);
    }
    set_slot(f, slot, is);
}

static void escape(struct run *r, struct own_variable *v)
{
    struct slot *slot;

    if (!v || !r->now)
        return;
    slot = &r->now->slots[v->number];
    r->f->is_new |= !v->escapes;
    v->escapes = true;
    set_slot(r->f, slot, pair_chosen(SAME, slot->is, pair_of_value(value_of(V_UNKNOWN))));
}

static void eval_children(struct run *r, struct dl__node *n)
{
    for (size_t i = 0; i < n->child_count; i++)
        eval(r, n->children[i]);
}

/* ---- Branches and loops. ---- */

static struct pair eval_arm(struct run *r, struct dl__node *n, struct arm *arm)
{
    struct pair p;

    arm->outer = r->arm;
    arm->depth = r->arm ? r->arm->depth + 1 : 1;
    r->arm = arm;
    p = eval(r, n);
    r->arm = arm->outer;
    return p;
}

/* An if, or `a ? b : c`, `a && b`, `a || b`, whose first operand decides. */
static struct pair eval_choice(struct run *r, struct dl__node *n,
                               struct dl__node *condition)
{
    struct frame *f = r->f;
    struct pair first = eval(r, condition), arms[2] = {nothing, nothing}, out;
    enum agreement is = agreement_of(first),
                   taken = dl__op_is(n, "||") ? agreement_opposite(is) : is;
    struct state *before = r->now, *after = NULL;
    size_t count = 0;

    if (!before && r->notes) /* nobody comes here */
        return nothing;
    for (size_t i = 0; i < n->child_count; i++) {
        struct arm arm = {.taken = count ? agreement_opposite(taken) : taken};

        if (n->children[i] == condition)
            continue;
        r->now = before ? copy_state(f, before) : NULL;
        arms[count > 0] = eval_arm(r, n->children[i], &arm);
        if (count++)
            meet(f, &after, r->now, taken);
        else
            after = r->now;
    }
    if (count < 2)
        meet(f, &after, before, taken);
    else
        drop_state(f, before);
    r->now = after;
    if (n->kind == DL__N_CONDITIONAL) {
        if (count != 2)
            return pair_of_value(value_of(V_UNKNOWN));
        if (!arms[0].root != !arms[1].root) /* null */
            arms[arms[0].root != NULL] = nothing;
        out = pair_chosen(is, arms[0], arms[1]);
        out.rows.varies |= number(first).varies;
        return out;
    }
    out = pair_of_value(value_mix(number(first), number(arms[0])));
    out.agrees = dl__op_is(n, "||") ? agreement_either(is, agreement_of(arms[0]))
                                    : agreement_both(is, agreement_of(arms[0]));
    return out;
}

static void eval_switch(struct run *r, struct dl__node *n)
{
    struct value on = number(eval(r, n->condition));
    struct arm arm = {.taken = on.kind > V_UNIFORM ? DIVERGENT : SAME, .entry = r->now};
    struct state *before = r->now;

    if (!before)
        return;
    r->now = NULL;
    for (size_t i = 0; i < n->child_count; i++)
        if (n->children[i] != n->condition)
            eval_arm(r, n->children[i], &arm);
    meet(r->f, &r->now, arm.breaks, arm.taken);
    meet(r->f, &r->now, before, arm.taken);
}

static void eval_statement(struct run *r, struct dl__node *n)
{
    const struct arm *arm = r->arm;

    while (arm && !is_breakable(arm))
        arm = arm->outer;
    if (arm && arm->entry &&
        (dl__begins_with(unit_of(r->f), n, "case") ||
         dl__begins_with(unit_of(r->f), n, "default")))
        meet(r->f, &r->now, copy_state(r->f, arm->entry), arm->taken);
    eval_children(r, n);
}

/* Joins a variable at the beginning of each round with what it is after one. A value that
 * does not settle at once grows from then on, so that it does. True when it is another.
 */
static bool join_round(struct frame *f, struct loop *loop, const struct own_variable *v,
                       struct slot *to, const struct slot *by, variation bit,
                       bool is_first)
{
    struct pair p = join_slot(v, to->is, by->is, SAME);
    bool is_new = is_first;

    /* Also where it is set to what another has been set to. */
    *(p.root && has_rest(p.root) ? &p.rest.varies : &p.rows.varies) |= bit & ~v->loops;
    if (loop->rounds > FREE_ROUNDS) {
        p.rows.most = p.rows.most == to->is.rows.most ? p.rows.most : 0;
        p.rest.most = p.rest.most == to->is.rest.most ? p.rest.most : 0;
    }
    is_new |= !pair_equals(p, to->is);
    if (is_new)
        set_slot(f, to, p);
    loop->back[v->number] = *to;
    return is_new;
}

/* A value that is uniform in a loop is not behind it, where neighbours leave it in
 * different rounds. */
static struct value behind_loop(struct value v)
{
    return v.kind == V_UNIFORM && !value_is_constant(v) ? scattered(v) : v;
}

enum part { BEFORE, CONDITION, BODY, STEP };

static enum part part_of(const struct run *r, const struct dl__node *n, size_t i)
{
    const struct dl__node *child = n->children[i], *condition = n->condition;

    if (child == condition)
        return CONDITION;
    if (i + 1 == n->child_count || !dl__begins_with(unit_of(r->f), n, "for"))
        return BODY;
    if (condition
            ? child->begin < condition->begin
            : child->kind == DL__N_DECL_STATEMENT || (i == 0 && n->child_count == 3))
        return BEFORE;
    return STEP;
}

static void eval_parts(struct run *r, struct dl__node *n, enum part part)
{
    for (size_t i = 0; i < n->child_count; i++)
        if (part_of(r, n, i) == part)
            eval(r, n->children[i]);
}

/* The state of who leaves by the condition; NULL: nobody. */
static struct state *eval_condition(struct run *r, struct dl__node *n, struct loop *loop)
{
    struct pair condition;

    if (!n->condition || !r->now)
        return NULL;
    condition = eval(r, n->condition);
    loop->is_left |= r->now && agreement_of(condition) == DIVERGENT;
    return r->now ? copy_state(r->f, r->now) : NULL;
}

/* One round, from `head` on; the state behind the loop. */
static struct state *eval_round(struct run *r, struct dl__node *n, struct loop *loop,
                                const struct state *head)
{
    bool is_do = dl__begins_with(unit_of(r->f), n, "do");
    struct arm arm = {
        .outer = r->arm, .depth = r->arm ? r->arm->depth + 1 : 1, .loop = loop};
    struct state *out = NULL;

    r->now = copy_state(r->f, head);
    r->arm = &arm;
    if (!is_do)
        out = eval_condition(r, n, loop);
    eval_parts(r, n, BODY);
    meet(r->f, &r->now, arm.nexts, arm.is_skipped ? DIVERGENT : SAME);
    arm.is_skipped = false; /* here are all neighbours again */
    eval_parts(r, n, STEP);
    if (is_do)
        out = eval_condition(r, n, loop);
    r->arm = arm.outer;
    meet(r->f, &out, arm.breaks, SAME);
    loop->rounds++;
    r->f->analysis->failed |= loop->rounds > ROUNDS_MAX * FREE_ROUNDS;
    return out;
}

static void eval_rounds(struct run *r, struct dl__node *n, size_t number)
{
    struct frame *f = r->f;
    struct dl__arena *arena = f->analysis->arena;
    struct own_variable *variables = f->outline->variables.items;
    size_t count = f->outline->variables.count;
    struct state *entry, *head, *out = NULL;
    struct loop *loop;
    const variation bit = number < LOOPS_MAX ? (variation)1 << number : 0;
    bool is_new = true;

    while (f->loops.count <= number) {
        loop = DL__NEW(arena, struct loop);
        loop->back = dl__arena_alloc(arena, (count + 1) * sizeof *loop->back);
        DL__PUSH(arena, &f->loops, loop);
    }
    loop = f->loops.items[number];
    eval_parts(r, n, BEFORE);
    if (!r->now)
        return;
    entry = r->now;
    head = copy_state(f, entry);
    r->around |= bit;
    for (size_t i = 0; i < count; i++)
        if (loop->back[i].change)
            join_round(f, loop, &variables[i], &head->slots[i], &loop->back[i], bit,
                       true);
    while (is_new && !f->analysis->failed) {
        drop_state(f, out);
        out = eval_round(r, n, loop, head);
        is_new = false;
        for (size_t i = 0; r->now && i < count; i++)
            if (r->now->slots[i].change != head->slots[i].change)
                is_new |=
                    join_round(f, loop, &variables[i], &head->slots[i], &r->now->slots[i],
                               bit, head->slots[i].change == entry->slots[i].change);
        drop_state(f, r->now);
    }
    for (size_t i = 0; out && loop->is_left && i < count; i++) {
        struct pair p = out->slots[i].is;

        if (out->slots[i].change != entry->slots[i].change)
            set_slot(f, &out->slots[i],
                     pair_of(p.root, behind_loop(p.rows), behind_loop(p.rest)));
    }
    if (!out && f->outline->has_goto)
        out = copy_state(f, head);
    drop_state(f, entry);
    drop_state(f, head);
    r->now = out;
}

/* The value of a number that a for begins or ends with. */
static bool number_of(struct frame *f, struct dl__node *n, int64_t *out)
{
    struct value v = number_again(f, n);

    *out = v.rest;
    return value_is_constant(v);
}

/* for (k = 0; k < 1; ...), do ... while (0) */
static bool is_one_round(const struct run *r, const struct dl__node *n)
{
    struct dl__node *condition = n->condition ? dl__strip(n->condition) : NULL, *first;
    int64_t from, to;

    if (!condition)
        return false;
    if (!dl__begins_with(unit_of(r->f), n, "for"))
        return number_of(r->f, condition, &to) && !to;
    first = n->children[0];
    while (first->kind == DL__N_DECL_STATEMENT && first->child_count == 1)
        first = first->children[0];
    if (first == condition || !first->child_count || condition->child_count != 2 ||
        condition->op[0] != '<' || condition->op[1] == '<')
        return false;
    return number_of(r->f, first->children[first->child_count - 1], &from) &&
           number_of(r->f, condition->children[1], &to) &&
           to - from + (condition->op[1] == '=') <= 1;
}

/* Whether something leaves the loop `n` from within, or may. */
static bool is_left_within(struct dl__unit *u, const struct dl__node *n, bool breaks)
{
    const bool takes_breaks =
        dl__begins_with(u, n, "for") || dl__begins_with(u, n, "while") ||
        dl__begins_with(u, n, "do") || dl__begins_with(u, n, "switch");

    if (n->kind == DL__N_RETURN || dl__begins_with(u, n, "goto") ||
        (breaks && dl__begins_with(u, n, "break")))
        return true;
    for (size_t i = 0; i < n->child_count; i++)
        if (is_left_within(u, n->children[i], breaks && !takes_breaks))
            return true;
    return false;
}

/* The variable that the first part of a for sets, by where it is declared; SIZE_MAX:
 * none.
 *   from  out: what to */
static size_t counter_of(struct dl__node *first, struct dl__node **from)
{
    while (first->kind == DL__N_DECL_STATEMENT && first->child_count == 1)
        first = first->children[0];
    if (!first->child_count)
        return SIZE_MAX;
    *from = first->children[first->child_count - 1];
    if (first->kind == DL__N_VARIABLE)
        return first->name_at;
    first = dl__op_is(first, "=") ? dl__strip(first->children[0]) : first;
    return first->kind == DL__N_NAME ? first->declared_at : SIZE_MAX;
}

/* Returns what a step adds to the counter; 0: it is not a constant. */
static int64_t counter_step(struct frame *f, struct dl__node *step, size_t counter)
{
    struct dl__node *name = step->child_count ? dl__strip(step->children[0]) : step;
    int64_t by = 1;

    if (name->kind != DL__N_NAME || name->declared_at != counter)
        return 0;
    if (dl__is_step(step))
        return dl__op_is(step, "++") ? 1 : -1;
    if (step->kind != DL__N_COMPOUND || !number_of(f, step->children[1], &by) ||
        by > INT32_MAX || by < INT32_MIN)
        return 0;
    return dl__op_is(step, "+=") ? by : dl__op_is(step, "-=") ? -by : 0;
}

/* The rounds of a for that counts from one constant to another by a third, and that
 * nothing leaves before; 0: the text does not say. */
static uint64_t rounds_of(struct run *r, struct dl__node *n)
{
    struct dl__unit *u = unit_of(r->f);
    struct dl__node *condition = n->condition ? dl__strip(n->condition) : NULL, *name,
                    *from_node = NULL, *step = NULL, *body;
    size_t counter;
    int64_t from, to, by;

    if (!condition || !dl__begins_with(u, n, "for") || condition->child_count != 2 ||
        n->child_count != 4)
        return 0;
    step = n->children[2];
    body = n->children[3];
    name = dl__strip(condition->children[0]);
    counter = counter_of(n->children[0], &from_node);
    if (counter == SIZE_MAX || name->kind != DL__N_NAME || name->declared_at != counter ||
        part_of(r, n, 0) != BEFORE || part_of(r, n, 2) != STEP ||
        dl__count_changes(u, counter, (struct dl__block){condition->begin, n->end}) !=
            1 ||
        !number_of(r->f, from_node, &from) ||
        !number_of(r->f, condition->children[1], &to) ||
        !(by = counter_step(r->f, step, counter)) || is_left_within(u, body, true))
        return 0;
    if (by < 0) { /* the same upwards */
        from = -from;
        to = -to;
        by = -by;
        if (condition->op[0] == '<')
            return 0;
    } else if (condition->op[0] == '>') {
        return 0;
    }
    if (condition->op[0] == '=' || condition->op[1] == condition->op[0] ||
        (condition->op[0] == '!' && (to - from) % by) || to < from)
        return 0;
    to += condition->op[0] != '!' && condition->op[1] == '=';
    return ((uint64_t)(to - from) + (uint64_t)by - 1) / (uint64_t)by;
}

static void eval_loop(struct run *r, struct dl__node *n)
{
    struct outline *o = r->f->outline;
    const struct run before = *r;
    bool counts = r->notes && !is_one_round(r, n);
    size_t number = 0;

    while (number < o->loops.count && o->loops.items[number] != n)
        number++;
    if (number == o->loops.count)
        DL__PUSH(r->f->analysis->arena, &o->loops, n);
    if (counts && number < LOOPS_MAX && r->level < LEVELS_MAX) {
        r->loop_level[number] = (uint32_t)1 << r->level;
        r->loops[r->level].rounds = rounds_of(r, n);
        r->loops[r->level++].at = n->begin;
    } else {
        r->deep += counts;
    }
    eval_rounds(r, n, number);
    if (number < LOOPS_MAX)
        r->loop_level[number] = 0;
    r->around = before.around;
    r->deep = before.deep;
    r->level = before.level;
    r->left = before.left;
}

static enum agreement agreement_around(const struct run *r)
{
    enum agreement around = r->conditions;

    for (const struct arm *a = r->arm; a; a = a->outer)
        around = agreement_both(around, a->taken);
    return around;
}

/* True where only some of the work-items come. */
static bool is_conditional(const struct run *r)
{
    enum agreement around = agreement_around(r);

    return around == DIVERGENT || around == MOSTLY_NO || r->left;
}

/* Behind a jump the others go on alone, which does not count where few leave. */
static void leave(struct run *r)
{
    r->left |= agreement_around(r) == DIVERGENT || agreement_around(r) == MOSTLY_YES;
}

static void eval_jump(struct run *r, struct dl__node *n)
{
    struct outline *o = r->f->outline;
    bool breaks = dl__begins_with(unit_of(r->f), n, "break"), divergent = false;
    struct arm *to = r->arm;

    if (dl__begins_with(unit_of(r->f), n, "goto")) {
        r->f->is_new |= !o->has_goto;
        o->has_goto = true;
        leave(r);
    }
    if (!breaks && !dl__begins_with(unit_of(r->f), n, "continue"))
        return;
    leave(r);
    for (; to && !(breaks ? is_breakable(to) : to->loop != NULL); to = to->outer)
        divergent |= to->taken == DIVERGENT;
    if (!to || !r->now)
        return;
    if (breaks && to->loop)
        to->loop->is_left |= divergent;
    to->is_skipped |= !breaks && divergent;
    if (o->has_goto)
        return;
    meet(r->f, breaks ? &to->breaks : &to->nexts, r->now,
         divergent && !breaks ? DIVERGENT : SAME);
    r->now = NULL;
}

/* A pointer that a pointer is set to; else a number. */
static struct pair eval_source(struct run *r, struct dl__node *n)
{
    struct pair p = eval(r, n);

    return !p.root && unit_of(r->f)->returned
               ? dl__is_null(unit_of(r->f), n) ? nothing : pair_unknown(NULL, 0)
               : p;
}

static void eval_return(struct run *r, struct dl__node *n)
{
    struct frame *f = r->f;
    bool is_rare = false, divergent = f->outline->has_goto;
    struct pair is = n->child_count ? eval_source(r, n->children[0]) : nothing, *to;

    leave(r);
    if (!r->now)
        return;
    for (const struct arm *a = r->arm; a && n->child_count; a = a->outer) {
        is_rare |= a->taken == MOSTLY_NO;
        divergent |= a->loop ? a->loop->is_left : a->taken == DIVERGENT;
    }
    f->is_new |= divergent && !f->returns_diverge;
    f->returns_diverge |= divergent;
    to = is_rare ? &f->rare_result : &f->result;
    if (n->child_count && !r->notes)
        *to = pair_chosen(f->returns_diverge ? DIVERGENT : SAME, *to, is);
    if (!f->outline->has_goto) {
        drop_state(f, r->now);
        r->now = NULL;
    }
}

/* ---- Places. ---- */

/* A place's pointer; of a part, what it points to in the struct is the rest. */
static struct pair eval_place(struct run *r, const struct dl__access *p)
{
    struct pair pair = pair_zero(p->root), pointer;

    for (size_t i = 0; i < p->array_count; i++)
        pair.rows = value_add(pair.rows,
                              value_multiply(number(eval(r, p->array_index[i])),
                                             value_constant((int64_t)p->array_step[i])));
    if (!p->array_count) {
        pointer = eval(r, p->pointer);
        pair = pointer.root ? pointer : pair_unknown(p->root, pointer.rows.varies);
        pair.root = p->root;
    }
    if (p->index)
        pair = pair_add(
            pair, pair_of_offset(r->f, p->root, p->index, number(eval(r, p->index))));
    return pair;
}

static struct pair eval_part(struct run *r, const struct dl__access *p)
{
    struct pair pair = eval_place(r, p);

    for (size_t i = 0; i < p->step_count; i++) {
        struct value by = value_constant(0);

        if (p->steps[i].field)
            by = value_constant(p->steps[i].field->offset_bytes);
        else if (p->step_index[i])
            by = value_multiply(number(eval(r, p->step_index[i])),
                                value_constant(p->steps[i].type->bytes));
        pair.rest = value_add(pair.rest, by);
    }
    return pair;
}

static void note_place(struct run *r, const struct dl__node *at,
                       const struct dl__access *p, unsigned how, uint32_t bytes_wanted);

/* Returns the value that an access reads. */
static struct pair eval_loaded(struct run *r, const struct dl__access *p)
{
    struct pair pair = eval_part(r, p);
    bool is_one = value_is_constant(pair.rest) || !dl__is_of_structs(p->root);
    struct value place = number(pair);

    if (!is_one)
        place = value_mix(place, pair.rest);
    return pair_of_value(value_loaded(place));
}

/* libclang shows the type of what was declared as an array parameter as that array. */
static const struct dl__type *type_of_base(struct frame *f, struct dl__node *n)
{
    const struct own_variable *v =
        n->kind == DL__N_NAME ? outline_find(f->outline, n->declared_at) : NULL;

    return v && !v->declaration ? unit_of(f)->function->parameters[v->parameter].type
                                : dl__type_of(unit_of(f), n);
}

/* An lvalue that is in no buffer which is followed. */
static struct pair eval_memory(struct run *r, struct dl__node *n, unsigned how)
{
    struct frame *f = r->f;
    const struct own_variable *v =
        n->kind == DL__N_UNARY ? NULL : own_part(f->outline, n);
    struct dl__node *base = dl__strip(n->children[0]);
    const struct dl__type *type = type_of_base(f, base);
    struct value inner, index = value_of(V_UNIFORM);

    r->how = n->kind == DL__N_UNARY ? (unsigned)READS : how;
    inner = number(eval(r, n->children[0]));
    if (n->kind == DL__N_SUBSCRIPT && n->child_count == 2)
        index = number(eval(r, n->children[1]));
    /* Neighbours that look at other elements of their own array see other things. */
    if (v && !is_local(f->outline, v)) {
        if (index.kind != V_UNIFORM)
            inner = value_mix(inner, index);
        inner.varies |= index.varies;
        return pair_of_value(inner);
    }
    /* Values behind a pointer to private memory are not followed. */
    if (type->kind == DL__T_POINTER && type->address_space != DL__GLOBAL &&
        type->address_space != DL__CONSTANT && type->address_space != DL__LOCAL)
        return pair_of_value(value_mix(value_of(V_UNKNOWN), inner));
    if (n->kind == DL__N_MEMBER && type->kind != DL__T_POINTER &&
        base->kind == DL__N_CALL)
        return pair_of_value(inner);
    return pair_of_value(value_loaded(value_mix(inner, index)));
}

/* An element, a member, or the target of a pointer. An array is a pointer to where it is.
 */
static struct pair eval_lvalue(struct run *r, struct dl__node *n, unsigned how)
{
    struct dl__unit *u = unit_of(r->f);
    struct dl__access p;
    struct dl__view view;
    struct pair pair;

    if (!n->child_count)
        return pair_of_value(value_of(V_UNKNOWN));
    if (u->root_count && dl__find_place(u, n, &p)) {
        if (p.type->kind != DL__T_ARRAY) {
            note_place(r, n, &p, how, 0);
            return eval_loaded(r, &p);
        }
        pair = eval_part(r, &p);
        pair.root = dl__root_of(u, n);
        return pair;
    }
    if (u->root_count && dl__find_view(u, n, &view)) {
        note_place(r, n, &view.place, how, view.value->bytes);
        return eval_loaded(r, &view.place);
    }
    return eval_memory(r, n, how);
}

/* &place: whoever has it reads, and writes what is not const. Of a pointer that is
 * followed, who follows it is seen. */
static struct pair eval_address(struct run *r, struct dl__node *n)
{
    struct dl__unit *u = unit_of(r->f);
    const struct dl__type *type = dl__type_of(u, n);
    bool reads_only = type->kind == DL__T_POINTER && type->element->is_const;
    struct own_variable *v;
    const struct dl__root *root;
    struct dl__access p;
    struct pair pair;

    if (u->root_count && dl__find_place(u, n->children[0], &p)) {
        root = dl__root_of(u, n);
        if (!root)
            note_place(r, n, &p, reads_only ? READS : READS | WRITES, 0);
        pair = eval_part(r, &p);
        if (!dl__is_of_structs(p.root) && p.step_count)
            pair.rest = value_constant(0);
        pair.root = root;
        return pair;
    }
    v = own_part(r->f->outline, n->children[0]);
    pair = eval(r, n->children[0]);
    escape(r, v);
    return pair_of_value(v && !is_local(r->f->outline, v) ? value_of(V_UNIFORM)
                                                          : number(pair));
}

/* ---- Names. ---- */

/* True of an array that becomes a pointer: who knows what is done with it. */
static bool is_given(const struct run *r, struct dl__node *n,
                     const struct own_variable *v)
{
    const struct dl__node *p = n->parent, *child = n;

    if (!v->declaration ||
        dl__type_of(unit_of(r->f), v->declaration)->kind != DL__T_ARRAY)
        return false;
    for (; p && (p->kind == DL__N_PAREN || p->kind == DL__N_IMPLICIT); p = p->parent)
        child = p;
    return !p || !((p->kind == DL__N_SUBSCRIPT && p->children[0] == child) ||
                   (p->kind == DL__N_UNARY && dl__op_is(p, "*")));
}

static struct pair eval_name(struct run *r, struct dl__node *n)
{
    struct frame *f = r->f;
    struct own_variable *v;
    struct pair p;

    if (n->is_constant)
        return pair_of_value(value_constant(n->constant));
    v = n->declared_at == SIZE_MAX ? NULL : outline_find(f->outline, n->declared_at);
    if (!v) /* of program scope */
        return pair_of_value(value_of(V_UNIFORM));
    if (r->now) {
        f->seen[n->number] = r->now->slots[v->number].is;
        if (is_given(r, n, v))
            escape(r, v);
    }
    p = f->seen[n->number];
    p.root = v->tracked ? v->tracked->root : NULL;
    if (is_local(f->outline, v) &&
        dl__type_of(unit_of(f), v->declaration)->kind == DL__T_ARRAY)
        return pair_of_value(value_of(V_UNIFORM));
    return p;
}

/* Returns the component of a vector that is set once: (int2)(a, b).x. NULL: it is not
 * known. */
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

/* ---- Operators. ---- */

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
    const struct dl__type *type = lane_type(unit_of(f), n);

    return type->kind == DL__T_SCALAR && type->scalar != 'f';
}

static bool is_floating(struct frame *f, struct dl__node *n)
{
    enum dl__type_kind kind = lane_type(unit_of(f), n)->kind;

    return !is_integer(f, n) && kind != DL__T_POINTER && kind != DL__T_ARRAY;
}

static struct pair eval_conversion(struct run *r, struct dl__node *n, unsigned how)
{
    struct frame *f = r->f;
    struct dl__node *component;
    const struct dl__root *root;
    struct pair p;
    struct value all = value_of(V_UNIFORM);

    if (n->child_count != 1) {
        for (size_t i = 0; i < n->child_count; i++)
            all = value_mix(all, number(eval(r, n->children[i])));
        return pair_of_value(all);
    }
    r->how = n->kind == DL__N_CAST ? (unsigned)READS : how;
    p = eval(r, n->children[0]);
    component = is_component(n) ? component_of(f, n) : NULL;
    if (component)
        return again(f, component);
    if (n->kind == DL__N_PAREN)
        return p;
    if (n->kind == DL__N_CAST)
        p.agrees = BY_VALUE;
    else
        p.agrees = agreement_of(p);
    if (p.root && n->kind == DL__N_IMPLICIT)
        return p;
    root = p.root ? dl__root_of(unit_of(f), n) : NULL;
    if (root) {
        p.root = root;
        return p;
    }
    p = (struct pair){.rows = number(p), .agrees = p.agrees};
    if (p.rows.kind == V_LINEAR && (is_floating(f, n) || is_floating(f, n->children[0])))
        p.rows = value_mix(p.rows, p.rows);
    return p;
}

/* Of two operands that were evaluated, by an operator that changes none. */
static struct pair combine(struct run *r, struct dl__node *n, struct pair a,
                           struct pair b)
{
    struct value left = number(a), right = number(b), v;
    struct pair p;

    if ((a.root || b.root) && (n->op[0] == '+' || n->op[0] == '-') &&
        dl__type_of(unit_of(r->f), n)->kind != DL__T_SCALAR)
        return pointer_sum(r, n, a, b);
    v = apply(n->op, left, right);
    p = pair_of_value(v.kind == V_LINEAR && is_floating(r->f, n) ? value_mix(v, v) : v);
    if (is_comparison(n))
        p.agrees = agreement_of_comparison(n->op, left, right);
    return p;
}

/* An assignment or a step. The value of a changed number is the new one, but for steps.
 */
static struct pair eval_change(struct run *r, struct dl__node *n)
{
    struct own_variable *v = own_part(r->f->outline, n->children[0]);
    bool sets = n->kind == DL__N_BINARY, steps = n->kind == DL__N_UNARY;
    struct dl__node *source = steps ? NULL : n->children[1];
    struct pair a, b, is;

    r->how = sets ? WRITES : READS | WRITES;
    a = eval(r, n->children[0]);
    if (!steps)
        is = b = eval(r, source);
    if (steps && a.root && has_rest(a.root))
        is = pair_of(
            a.root, a.rows,
            apply(n->op, a.rest,
                  value_constant(a.root->is_part ? a.root->element_type->bytes : 1)));
    else if (steps)
        is = pair_of(a.root, apply(n->op, a.rows, value_constant(1)), a.rest);
    else if (!sets)
        is = combine(r, n, a, b);
    if (v && r->now)
        change(r, v, n, sets ? source : NULL, is);
    return steps || (!sets && a.root) ? a : is;
}

static struct pair eval_unary(struct run *r, struct dl__node *n, unsigned how)
{
    struct pair p;
    struct value v;

    if (n->child_count && dl__op_is(n, "*"))
        return eval_lvalue(r, n, how);
    if (n->child_count && dl__op_is(n, "&"))
        return eval_address(r, n);
    if (n->child_count && dl__is_step(n))
        return eval_change(r, n);
    if (!n->child_count || !n->op[0]) {
        eval_children(r, n);
        if (n->child_count)
            escape(r, own_part(r->f->outline, n->children[0]));
        return pair_of_value(value_of(V_UNKNOWN));
    }
    p = eval(r, n->children[0]);
    v = number(p);
    if (dl__op_is(n, "-"))
        v = value_negate(v);
    else if (dl__op_is(n, "~"))
        v = value_add(value_negate(v), value_constant(-1));
    else if (dl__op_is(n, "!"))
        return (struct pair){.rows = value_mix(v, v),
                             .agrees = agreement_opposite(agreement_of(p))};
    return pair_of_value(v);
}

static struct pair eval_binary(struct run *r, struct dl__node *n)
{
    struct pair a, b;

    if (n->child_count == 2 && (dl__op_is(n, "&&") || dl__op_is(n, "||")))
        return eval_choice(r, n, n->children[0]);
    if (n->child_count == 2 && dl__is_assignment(n) && n->op[0])
        return eval_change(r, n);
    if (n->child_count != 2 || !n->op[0]) {
        eval_children(r, n);
        if (n->child_count)
            escape(r, own_part(r->f->outline, n->children[0]));
        return pair_of_value(value_of(V_UNKNOWN));
    }
    a = eval(r, n->children[0]);
    b = eval(r, n->children[1]);
    return dl__op_is(n, ",") ? b : combine(r, n, a, b);
}

/* ---- Calls: what builtins and helpers return. ---- */

static bool is_one_of(const char *name, const char *names)
{
    return dl__is_in(names, name, strlen(name));
}

/* Takes what the launch says: ids of the first dimension step. False for other builtins.
 */
static bool take_launch(const char *name, struct value dimension, struct value *out)
{
    static const char sizes[] =
        "get_group_id get_global_size get_local_size get_num_groups get_global_offset "
        "get_work_dim get_sub_group_size get_enqueued_local_size get_sub_group_id "
        "get_num_sub_groups get_max_sub_group_size";

    if (is_one_of(name, "get_global_linear_id get_local_linear_id "
                        "get_sub_group_local_id"))
        *out = value_linear(1);
    else if (is_one_of(name, sizes))
        *out = value_of(V_UNIFORM);
    else if (is_one_of(name, "get_global_id get_local_id"))
        *out = !value_is_constant(dimension) ? value_of(V_UNKNOWN)
               : dimension.rest              ? value_of(V_UNIFORM)
                                             : value_linear(1);
    else
        return false;
    return true;
}

/* Arithmetic on integers by name. */
static bool take_arithmetic(const char *name, const struct pair *args, size_t count,
                            struct value *out)
{
    struct value a, b;

    if (count < 2)
        return false;
    a = number(args[0]);
    b = number(args[1]);
    if (is_one_of(name, "add_sat sub_sat")) {
        *out = value_add(a, name[0] == 's' ? value_negate(b) : b);
    } else if (is_one_of(name, "mul24 mad24 mad_sat")) {
        *out = value_multiply(a, b);
        if (count == 3)
            *out = value_add(*out, number(args[2]));
    } else if (!strcmp(name, "min") || !strcmp(name, "max")) {
        *out = value_limit(a, b, name[1] == 'i');
    } else if (!strcmp(name, "clamp") && count == 3) {
        *out = value_limit(value_limit(a, b, false), number(args[2]), true);
    } else if (!strcmp(name, "select") && count == 3) {
        *out = value_join(a, b, agreement_of(args[2]) == DIVERGENT);
    } else {
        return false;
    }
    return true;
}

/* `all`: made of all arguments. */
static struct value value_of_builtin(struct run *r, struct dl__node *n,
                                     const struct pair *args, struct value all)
{
    size_t count = n->child_count - 1;
    struct value v;

    if (take_launch(n->name, count ? number(args[0]) : value_of(V_UNKNOWN), &v))
        return v;
    if (dl__atomic_of(n->name, strlen(n->name)))
        return value_of(V_GATHER);
    if (!strncmp(n->name, "vload", 5))
        return value_loaded(all);
    if (is_integer(r->f, n)) {
        if (take_arithmetic(n->name, args, count, &v))
            return v;
        if ((!strncmp(n->name, "convert_", 8) || !strncmp(n->name, "as_", 3)) &&
            count == 1 && is_integer(r->f, n->children[1]))
            return number(args[0]);
    }
    return all;
}

static bool note_argument(struct run *r, struct dl__node *call, struct dl__node *arg);
static void note_callee(struct run *r, struct dl__node *call, struct frame *frame,
                        const struct pair *args);

static struct pair eval_call(struct run *r, struct dl__node *n)
{
    struct frame *f = r->f, *frame = NULL;
    struct dl__unit *u = unit_of(f);
    struct dl__function *callee = dl__ast_callee(u->tracker->ast, n);
    struct pair *args =
        dl__arena_alloc(f->analysis->arena, (n->child_count + 1) * sizeof *args);
    const struct dl__root *root = NULL;
    struct value all = value_of(V_UNIFORM);
    bool has_buffer = false;
    struct pair out;

    if (!callee && r->notes && n->name && !strncmp(n->name, "prefetch", 8))
        return nothing;
    for (size_t i = 1; i < n->child_count; i++) {
        struct dl__node *arg = n->children[i];
        bool noted = r->notes && !callee && n->name && note_argument(r, n, arg);

        args[i - 1] = noted ? again(f, arg) : eval(r, arg);
        all = value_mix(all, number(args[i - 1]));
        has_buffer |= args[i - 1].root != NULL;
    }
    if (!callee && n->name)
        out = pair_of_value(value_of_builtin(r, n, args, all));
    if (!callee) {
        out = n->name ? out : pair_of_value(value_of(V_UNKNOWN));
        out.rows.varies = all.varies;
        return out;
    }
    if (dl__type_of(u, n)->kind == DL__T_POINTER)
        root = dl__root_of(u, n);
    /* Nothing steps by a number that is not an integer: it need not be followed. */
    if (root || is_integer(f, n) || (r->notes && has_buffer))
        frame = frame_of_call(f, n, callee, args);
    if (r->notes && has_buffer && frame)
        note_callee(r, n, frame, args);
    f->analysis->failed |= r->notes && has_buffer && !frame;
    if (!root) {
        out = pair_of_value(frame && is_integer(f, n)
                                ? frame->result.rows
                                : value_mix(all, value_of(V_UNKNOWN)));
        out.rows.varies = all.varies;
        return out;
    }
    out = frame ? frame->result : pair_unknown(root, 0);
    out.root = root;
    out.rows.varies = out.rest.varies = 0;
    for (size_t i = 0; i + 1 < n->child_count; i++) {
        out.rows.varies |= args[i].rows.varies;
        out.rest.varies |= args[i].rest.varies;
    }
    return out;
}

/* ---- Expressions and statements. ---- */

enum { STEPS_MAX = 8000 * 1000 };

static void eval_declaration(struct run *r, struct dl__node *n)
{
    struct dl__unit *u = unit_of(r->f);
    struct own_variable *v = outline_find(r->f->outline, n->declared_at);
    struct dl__node *last = n->child_count ? n->children[n->child_count - 1] : NULL;
    struct pair is = nothing;

    v->depth = r->arm ? r->arm->depth : 0;
    v->loops = r->around;
    for (size_t i = 0; i < n->child_count; i++)
        is = eval(r, n->children[i]);
    if (!r->now)
        return;
    /* Each time that it is declared, it is another. */
    if (!r->f->outline->has_goto)
        set_slot(r->f, &r->now->slots[v->number], nothing);
    /* An array's size is a child, too. */
    if (last && last->begin > n->name_at && dl__text_at(u, dl__skip(u, last->end)) != ']')
        change(r, v, n, last, is);
}

/* A literal or a jump; a list, where one value stands for all. */
static struct pair eval_other(struct run *r, struct dl__node *n)
{
    struct value v = value_nothing(), other;
    int64_t literal;

    if (!n->child_count) {
        eval_jump(r, n);
        return pair_of_value(dl__literal_of(unit_of(r->f), n, &literal)
                                 ? value_constant(literal)
                                 : value_of(V_UNIFORM));
    }
    for (size_t i = 0; i < n->child_count; i++) {
        other = number(eval(r, n->children[i]));
        v = !i                                             ? other
            : v.kind == other.kind && v.step == other.step ? value_join(v, other, false)
                                                           : value_mix(v, other);
    }
    return pair_of_value(v);
}

static void eval_branch(struct run *r, struct dl__node *n)
{
    if (n->condition && dl__begins_with(unit_of(r->f), n, "if"))
        eval_choice(r, n, n->condition);
    else if (n->condition && dl__begins_with(unit_of(r->f), n, "switch"))
        eval_switch(r, n);
    else
        eval_loop(r, n);
}

/* The value of an expression; what it and statements change is changed. */
static struct pair eval(struct run *r, struct dl__node *n)
{
    struct pair unknown = pair_of_value(value_of(V_UNKNOWN));
    unsigned how = r->how ? r->how : READS;

    r->how = READS;
    r->f->analysis->failed |= ++r->f->analysis->steps > STEPS_MAX;
    if (r->f->analysis->failed)
        return unknown;
    switch (n->kind) {
    case DL__N_PAREN:
    case DL__N_IMPLICIT:
    case DL__N_CAST:
        return dl__is_pointed_component(unit_of(r->f), n) ? eval_lvalue(r, n, how)
                                                          : eval_conversion(r, n, how);
    case DL__N_NAME:
        return eval_name(r, n);
    case DL__N_SUBSCRIPT:
    case DL__N_MEMBER:
        return eval_lvalue(r, n, how);
    case DL__N_UNARY:
        return eval_unary(r, n, how);
    case DL__N_BINARY:
    case DL__N_COMPOUND:
        return eval_binary(r, n);
    case DL__N_CONDITIONAL:
        return eval_choice(r, n, n->children[0]);
    case DL__N_CALL:
        return eval_call(r, n);
    case DL__N_SIZEOF:
        return pair_of_value(n->is_constant ? value_constant(n->constant)
                                            : value_of(V_UNIFORM));
    case DL__N_OTHER:
        return eval_other(r, n);
    case DL__N_VARIABLE:
        eval_declaration(r, n);
        break;
    case DL__N_BRANCH:
        eval_branch(r, n);
        break;
    case DL__N_RETURN:
        eval_return(r, n);
        break;
    case DL__N_STATEMENT:
        eval_statement(r, n);
        break;
    default:
        eval_children(r, n);
    }
    return unknown;
}

/* ---- Frames: one for each context of a function, shared by calls that are alike. ----
 */

enum {
    CONTEXTS_MAX = 16, /* of a function; further ones are told apart by less */
    FRAMES_MAX = 1024,
    DEPTH_MAX = 64
};

/* Runs a frame's function; the result is what its variables are at the end. */
static struct state *run_frame(struct run *r)
{
    struct frame *f = r->f;
    const struct outline *o = f->outline;

    r->now = copy_state(f, f->end);
    for (size_t i = 0; i < o->variables.count; i++)
        if (!o->variables.items[i].declaration && !f->end)
            set_slot(f, &r->now->slots[i], f->arguments[o->variables.items[i].parameter]);
    eval(r, o->body);
    return r->now;
}

static void frame_solve(struct frame *f)
{
    struct analysis *a = f->analysis;
    const struct outline *o = f->outline;
    bool changed = true;

    f->is_busy = true;
    a->depth++;
    for (unsigned round = 0; changed && !a->failed; round++) {
        struct run r = {.f = f};
        struct state *end;

        a->failed |= round == ROUNDS_MAX;
        f->is_new = false;
        f->result = f->rare_result = nothing;
        end = run_frame(&r);
        changed = f->is_new;
        for (size_t i = 0; o->has_goto && i < o->variables.count; i++)
            changed |= !f->end || !pair_equals(f->end->slots[i].is, end->slots[i].is);
        drop_state(f, o->has_goto ? f->end : end);
        f->end = o->has_goto ? end : NULL;
    }
    f->result = pair_chosen(MOSTLY_YES, f->result, f->rare_result);
    a->depth--;
    f->is_busy = false;
}

/* With room for its arguments. */
static struct frame *make_frame(struct analysis *a, struct outline *o)
{
    struct frame *f = DL__NEW(a->arena, struct frame);
    size_t parameters = o->unit->function->parameter_count + 1;

    f->analysis = a;
    f->outline = o;
    f->arguments = dl__arena_alloc(a->arena, parameters * sizeof *f->arguments);
    f->roots = dl__arena_alloc(a->arena, parameters * sizeof *f->roots);
    return f;
}

static void add_frame(struct analysis *a, struct frame *f)
{
    f->seen = dl__arena_alloc(a->arena,
                              (unit_of(f)->function->name_count + 1) * sizeof *f->seen);
    f->next = f->outline->frames;
    f->outline->frames = f;
    a->failed |= ++a->frame_count > FRAMES_MAX;
    if (!a->failed)
        frame_solve(f);
}

/* A pointer as the function that it is given to has it. */
static void bind_pointer(struct frame *f, const struct dl__root *root, struct pair p,
                         struct dl__root *of)
{
    p.root = root;
    p.rows.varies = variation_bit(root->parameter);
    p.rest.varies = has_rest(root) ? p.rows.varies : 0;
    f->arguments[root->parameter] = p;
    f->roots[root->parameter] = of;
    f->analysis->failed |= !of;
}

/* The kernel's own frame. */
static struct frame *frame_of_kernel(struct analysis *a, struct dl__unit *unit)
{
    struct frame *f = make_frame(a, outline_of(a, unit));

    for (size_t i = 0; i < unit->function->parameter_count; i++)
        f->arguments[i].rows = (struct value){.kind = V_UNIFORM,
                                              .modulus = 1,
                                              .holds = i < 64 ? UINT64_C(1) << i : 0,
                                              .varies = variation_bit(i)};
    for (size_t i = 0; i < unit->root_count; i++)
        bind_pointer(f, &unit->roots[i], pair_zero(&unit->roots[i]), &unit->roots[i]);
    add_frame(a, f);
    return f;
}

/* The unit of a callee: the copy for this call, or one without buffers. */
static struct dl__unit *unit_of_call(struct frame *caller, struct dl__node *call,
                                     struct dl__function *callee)
{
    struct dl__unit *u = unit_of(caller);
    struct outline *o = caller->analysis->outlines;

    for (size_t i = 0; i < u->calls.count; i++)
        if (u->calls.items[i].node == call)
            return u->calls.items[i].clone;
    while (o && !(o->unit->function == callee && !o->unit->root_count))
        o = o->next;
    if (o)
        return o->unit;
    u = DL__NEW(caller->analysis->arena, struct dl__unit);
    u->tracker = unit_of(caller)->tracker;
    u->function = callee;
    return u;
}

/* The caller's root of what the copy's i-th root is given: of an argument that is null,
 * that of the same buffer's others. */
static struct dl__root *root_given(struct frame *caller, const struct dl__node *call,
                                   const struct dl__unit *copy, size_t i)
{
    const struct dl__root *of = &copy->roots[i], *first = of->first ? of->first : of;
    struct dl__root *root =
        dl__root_of(unit_of(caller), call->children[of->parameter + 1]);

    for (size_t k = 0; k < copy->root_count && !root; k++)
        if (&copy->roots[k] == first || copy->roots[k].first == first)
            root = dl__root_of(unit_of(caller),
                               call->children[copy->roots[k].parameter + 1]);
    return root;
}

/* The arguments, into a frame that is not among the others yet. */
static void bind(struct frame *caller, struct dl__node *call, struct frame *f,
                 const struct pair *args)
{
    struct dl__unit *u = unit_of(f);

    for (size_t i = 0; i < u->function->parameter_count; i++) {
        struct value v =
            i + 1 < call->child_count ? number(args[i]) : value_of(V_UNKNOWN);

        f->arguments[i].rows = v.kind == V_NOTHING ? value_of(V_UNKNOWN) : v;
        f->arguments[i].rows.varies = variation_bit(i);
    }
    for (size_t i = 0; i < u->root_count; i++) {
        size_t at = u->roots[i].parameter;
        struct dl__root *root = root_given(caller, call, u, i);

        bind_pointer(f, &u->roots[i],
                     dl__root_of(unit_of(caller), call->children[at + 1]) ? args[at]
                                                                          : nothing,
                     root ? caller->roots[root->parameter] : NULL);
    }
}

/* The frame of the same context, or one that is alike; *contexts of the function are
 * counted. NULL: there is none. */
static struct frame *find_frame(const struct frame *wanted, unsigned *contexts)
{
    size_t count = unit_of(wanted)->function->parameter_count, i;

    *contexts = 0;
    for (struct frame *f = wanted->outline->frames; f; f = f->next) {
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
    return (struct value){.kind = v.kind,
                          .step = v.step,
                          .modulus = v.kind != V_NOTHING,
                          .varies = v.varies};
}

/* The frame of a call of a function with a body, solved. NULL: it is not followed. */
static struct frame *frame_of_call(struct frame *caller, struct dl__node *call,
                                   struct dl__function *callee, const struct pair *args)
{
    struct analysis *a = caller->analysis;
    struct frame *wanted, *found;
    unsigned contexts;

    if (!callee->is_defined || a->depth >= DEPTH_MAX || a->failed)
        return NULL;
    wanted = make_frame(a, outline_of(a, unit_of_call(caller, call, callee)));
    bind(caller, call, wanted, args);
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
        found = wanted;
    }
    return found->is_busy || a->failed ? NULL : found;
}

/* ---- One access: its form, its bytes, and what stands around it, as a fact of the
 * kernel's root. ---- */

enum { NOTED_MAX = 4096 };

/* The levels of a variation in the run's function; of the rest of pointers. */
static uint32_t levels_of(const struct run *r, variation v, bool rest)
{
    size_t parameters = unit_of(r->f)->function->parameter_count;
    uint32_t levels = 0;

    for (unsigned i = 0; i < LOOPS_MAX; i++)
        if (v >> i & 1)
            levels |= r->loop_level[i];
    for (size_t i = 0; i < parameters && variation_bit(i); i++)
        if (v & variation_bit(i))
            levels |= rest ? r->rest_levels[i] : r->rows_levels[i];
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
           a->loops == b->loops && a->counted == b->counted && a->rounds == b->rounds &&
           a->conditional == b->conditional;
}

static void add_to(struct analysis *a, struct dl__facts *facts,
                   const struct dl__seen *seen)
{
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
        DL__PUSH(a->kernel->tracker->arena, facts, *seen);
}

/* The loops that the address depends on, and those that the text says too little of. In
 * others it is the same in each round. An atomic access is made in each round. */
static void add_loops(const struct run *r, uint32_t levels, struct dl_access_fact *fact)
{
    uint64_t rounds = 0;
    unsigned loops = r->deep, counted = 0;

    for (unsigned l = 0; l < r->level; l++) {
        if (!fact->atomic && !(levels >> l & 1))
            continue;
        loops++;
        counted += r->loops[l].rounds > 0;
        if (r->loops[l].rounds)
            rounds = (rounds ? rounds : 1) * r->loops[l].rounds;
        else if (!fact->line)
            fact->line =
                dl__expanded_place(unit_of(r->f)->tracker->expanded, r->loops[l].at).line;
        rounds = rounds < UINT32_MAX ? rounds : UINT32_MAX;
    }
    fact->loops = (uint8_t)(loops < UINT8_MAX ? loops : UINT8_MAX);
    fact->counted = (uint8_t)counted;
    fact->rounds = (uint32_t)rounds;
}

/* Adds a fact of a helper's or kernel's root to the kernel's, or to all those that it may
 * be.
 *   levels  loops that the address depends on */
static void add_fact(struct run *r, const struct dl__node *at,
                     const struct dl__root *root, struct value index, uint32_t offset,
                     uint32_t bytes, unsigned how, bool walks, uint32_t levels)
{
    struct analysis *a = r->f->analysis;
    struct dl__root *whole = r->f->roots[root->parameter];
    struct dl__seen seen = {.fact = {.offset = offset,
                                     .bytes = bytes,
                                     .reads = how & READS,
                                     .writes = how & WRITES,
                                     .atomic = how & ATOMIC,
                                     .walks = walks,
                                     .conditional = is_conditional(r)},
                            .at = at->begin};

    add_loops(r, levels, &seen.fact);
    seen.fact.form = form_of(index, &seen.fact.step);
    if (!whole || !whole->facts) {
        a->failed = true;
        return;
    }
    for (size_t i = 0; i < a->kernel->root_count; i++) {
        struct dl__root *to = &a->kernel->roots[i];

        if (to == whole ||
            (whole->is_joined && to->is_joined && to->element == root->element))
            add_to(a, (struct dl__facts *)to->facts, &seen);
    }
}

/* Notes an access to several elements of a flat buffer. */
static void note_elements(struct run *r, const struct dl__node *at, struct pair pair,
                          unsigned how, unsigned elements)
{
    const struct dl__root *root = pair.root;
    uint32_t rows_levels = levels_of(r, pair.rows.varies, false),
             rest_levels = levels_of(r, pair.rest.varies, true);
    bool arrays = dl__is_of_arrays(root);
    bool known = arrays ? root->element->fields->type->count > 1 : row_elements(root);
    uint32_t element_bytes = root->element_type->bytes;
    uint32_t row_bytes = known ? root->element->bytes : UINT32_MAX;
    uint32_t decides = arrays ? rows_levels & ~rest_levels : rest_levels & ~rows_levels;
    struct value inside, rows = pair_struct(pair, &inside);
    uint64_t offset = 0, bytes = row_bytes;

    if (inside.kind == V_UNIFORM && inside.rest >= 0 &&
        (uint64_t)inside.rest * element_bytes < row_bytes) {
        offset = (uint64_t)inside.rest * element_bytes;
        bytes = (uint64_t)elements * element_bytes;
        if (offset + bytes > row_bytes)
            bytes = row_bytes - offset;
    }
    add_fact(r, at, root, rows, (uint32_t)offset, (uint32_t)bytes, how,
             inside.kind == V_NOTHING && decides, rows_levels | rest_levels);
}

/* The bytes of a place in its struct; `*levels`: what decides which of them. `rest`:
 * where the part is that its pointer points to. False: it is some of these bytes. */
static bool find_bytes(struct run *r, const struct dl__access *p, struct value rest,
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
            index = number_again(r->f, p->step_index[i]);
            *levels |= levels_of(r, index.varies, false);
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
    return known;
}

/* A place of a buffer; `bytes`: from its beginning on, 0: its own. */
static void note_place(struct run *r, const struct dl__node *at,
                       const struct dl__access *p, unsigned how, uint32_t bytes_wanted)
{
    struct run once_more = {.f = r->f};
    uint32_t offset, bytes, levels, rows_levels;
    struct pair pair;
    int32_t step;
    bool some;

    if (!r->notes)
        return;
    pair = eval_place(&once_more, p);
    if (!dl__is_of_structs(p->root)) {
        note_elements(r, at, pair, how, 1);
        return;
    }
    /* Of most of a struct, some bytes: they promise nothing, and may be few. */
    some = !find_bytes(r, p, pair.rest, &offset, &bytes, &levels);
    if (p->root->is_part)
        levels |= levels_of(r, pair.rest.varies, true);
    else if (bytes_wanted && (uint64_t)offset + bytes_wanted <= p->root->element->bytes)
        bytes = bytes_wanted;
    rows_levels = levels_of(r, pair.rows.varies, false);
    add_fact(r, at, p->root, pair.rows, offset, bytes, how,
             levels & ~rows_levels ||
                 (some && form_of(pair.rows, &step) == DL_ACCESS_LINEAR &&
                  2 * bytes > p->root->element->bytes),
             levels | rows_levels);
}

/* ---- Builtins that reach a place through a pointer, and helpers. ---- */

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
    if (!atomic)
        return WRITES; /* vstore; fract and its like */
    return ATOMIC | (atomic & DL__ATOMIC_READS ? READS : 0u) |
           (atomic & DL__ATOMIC_WRITES ? WRITES : 0u);
}

/* vload4: 4; vload_half, atomic_add: 1. */
static unsigned lanes_of(const char *name)
{
    size_t digits = strcspn(name, "0123456789");

    return (begins(name, "vload") || begins(name, "vstore")) && name[digits]
               ? (unsigned)strtoul(name + digits, NULL, 10)
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
static void note_pointer(struct run *r, struct dl__node *call, struct dl__node *arg,
                         const struct dl__root *root)
{
    struct pair pair = again(r->f, arg);
    struct dl__node *offset = vectors_of(call);
    unsigned lanes = lanes_of(call->name);
    struct value by;

    pair.root = root;
    if (offset) {
        by = number_again(r->f, offset);
        pair = pair_add(
            pair, lanes == 1 ? pair_of_offset(r->f, pair.root, offset, by)
                             : pair_of_number(pair.root,
                                              value_multiply(by, value_constant(lanes))));
    }
    note_elements(r, call, pair, how_of(call->name), lanes);
}

/* `&place`, `array`, `array + k` in a struct; false for others. */
static bool note_member(struct run *r, struct dl__node *call, struct dl__node *arg)
{
    struct dl__unit *u = unit_of(r->f);
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
        note_place(r, call, &p, how_of(call->name), bytes);
        eval(r, p.pointer);
        return true;
    }
    if (inner->kind == DL__N_BINARY && inner->child_count == 2 && dl__op_is(inner, "+"))
        inner = dl__strip(inner->children[0]);
    if (inner->kind == DL__N_UNARY && dl__op_is(inner, "&") && inner->child_count) {
        if (!dl__find_place(u, inner->children[0], &p) || !p.step_count)
            return false;
        bytes = lanes_of(call->name) * p.type->bytes;
        if (vectors_of(call))
            bytes *= 1 + (unsigned)(number_again(r->f, vectors_of(call)).rest & 15);
        if (p.type->kind == DL__T_VECTOR)
            bytes = 0;
    } else if (!dl__find_place(u, inner, &p) || p.type->kind != DL__T_ARRAY) {
        return false;
    }
    note_place(r, call, &p, how_of(call->name), bytes);
    eval_part(r, &p);
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

/* An argument of a builtin. True when all in it is noted, too. */
static bool note_argument(struct run *r, struct dl__node *call, struct dl__node *arg)
{
    struct dl__unit *u = unit_of(r->f);
    const struct dl__root *root = dl__root_of(u, arg);

    /* How much of a buffer a work-group's copy reaches is not followed. */
    if (begins(call->name, "async_work_group_"))
        r->f->analysis->failed |= reaches_buffer(u, arg);
    /* A member is what it was before it could be followed as a pointer. */
    if ((!root || root->is_part) && note_member(r, call, arg))
        return true;
    if (root)
        note_pointer(r, call, arg, root);
    return false;
}

/* A helper, as it was gone through already: nothing new comes of it. */
struct noted {
    struct run run;
    bool conditional;
    struct noted *next;
};

static bool was_noted(struct run *r)
{
    struct analysis *a = r->f->analysis;
    size_t bytes = unit_of(r->f)->function->parameter_count * sizeof *r->rows_levels;
    struct noted *s = r->f->noted;

    for (; s; s = s->next)
        if (s->run.deep == r->deep && s->run.level == r->level &&
            s->conditional == is_conditional(r) &&
            !memcmp(s->run.loops, r->loops, r->level * sizeof *r->loops) &&
            !memcmp(s->run.rows_levels, r->rows_levels, bytes) &&
            !memcmp(s->run.rest_levels, r->rest_levels, bytes))
            return true;
    a->failed |= a->noted_count++ >= NOTED_MAX;
    s = DL__NEW(a->arena, struct noted);
    *s = (struct noted){*r, is_conditional(r), r->f->noted};
    r->f->noted = s;
    return false;
}

/* Goes through a helper's copy. */
static void note_callee(struct run *r, struct dl__node *call, struct frame *frame,
                        const struct pair *args)
{
    size_t count = unit_of(frame)->function->parameter_count;
    uint32_t *levels =
        dl__arena_alloc(frame->analysis->arena, 2 * (count + 1) * sizeof *levels);
    struct run inner = {.f = frame,
                        .notes = true,
                        .rows_levels = levels,
                        .rest_levels = levels + count,
                        .level = r->level,
                        .deep = r->deep,
                        .conditions = is_conditional(r) ? DIVERGENT : SAME};

    memcpy(inner.loops, r->loops, r->level * sizeof *r->loops);
    for (size_t i = 0; i < count && i + 1 < call->child_count; i++) {
        inner.rows_levels[i] = levels_of(r, args[i].rows.varies, false);
        inner.rest_levels[i] = levels_of(r, args[i].rest.varies, true);
    }
    if (!was_noted(&inner))
        drop_state(frame, run_frame(&inner));
}

/* ---- Whether sums may be contracted. ---- */

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

/* A pragma that says otherwise for a part of a function, or one made by an operator, is
 * not read. */
static bool is_off(struct dl__tracker *t, const struct dl__function *f)
{
    static const char word[] = "FP_CONTRACT";
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

static void look(struct search *s, struct dl__node *n)
{
    /* Builtins that leave it to the compiler how they round, or that are inlined sums of
     * products. */
    static const char open[] =
        "mad dot length distance normalize cross fast_length fast_distance "
        "fast_normalize mix smoothstep";
    bool sum = n->op[0] == '+' || n->op[0] == '-', product = n->op[0] == '*';

    if (n->kind == DL__N_CALL) {
        struct dl__function *f = dl__ast_callee(s->unit->tracker->ast, n);

        if (f)
            add_function(s, f);
        else
            s->open |= !n->name || is_one_of(n->name, open);
    } else if (n->kind == DL__N_BINARY || n->kind == DL__N_COMPOUND || dl__is_step(n)) {
        const struct dl__type *type = lane_type(s->unit, n);

        if (type->kind == DL__T_OTHER ||
            (type->kind == DL__T_SCALAR && type->scalar == 'f')) {
            s->sum |= sum || !n->op[0];
            s->product |= product || !n->op[0];
        }
    }
    for (size_t i = 0; i < n->child_count && !s->open; i++)
        look(s, n->children[i]);
}

/* True when a compiler may contract sums of products in the function, or in one that it
 * calls. */
static bool may_contract(struct dl__unit *kernel)
{
    struct search s = {.unit = kernel};
    bool sum = false, product = false;

    add_function(&s, kernel->function);
    for (size_t i = 0; i < s.functions.count && !s.open; i++) {
        struct dl__function *f = s.functions.items[i];

        if (!f->is_defined)
            return true;
        s.sum = s.product = false;
        look(&s, dl__ast_body(kernel->tracker->ast, f));
        if ((s.sum || s.product) && !is_off(kernel->tracker, f)) {
            sum |= s.sum;
            product |= s.product;
        }
    }
    return s.open || (sum && product);
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

static void note_kernel(struct analysis *a, struct dl__unit *kernel)
{
    size_t count = kernel->function->parameter_count + 1;
    struct run r = {.f = frame_of_kernel(a, kernel), .notes = true};

    r.rows_levels = r.rest_levels = dl__arena_alloc(a->arena, count * sizeof(uint32_t));
    run_frame(&r);
}

void dl__find_facts(struct dl__unit *kernel)
{
    struct dl__arena *arena = kernel->tracker->arena, *own = dl__arena_within(arena);
    struct analysis *a = DL__NEW(own, struct analysis);

    a->arena = own;
    a->kernel = kernel;
    for (size_t i = 0; i < kernel->root_count; i++)
        kernel->roots[i].facts = DL__NEW(arena, struct dl__facts);
    /* Pointers inside structs are not followed. */
    a->failed = kernel->contexts.count > 0;
    /* The walk has followed all of this before, so nothing is refused now. If it were,
     * nothing would be said. */
    if (!a->failed && !setjmp(kernel->refuse))
        note_kernel(a, kernel);
    else
        a->failed = true;
    if (a->failed)
        forget(kernel, a);
    dl__arena_free(own);
    kernel->contractable = may_contract(kernel);
}
