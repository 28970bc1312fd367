/* Frames: a function's variables, settled by going over its changes until nothing is new. */
#include "annotate/facts/frame.h"

#include <string.h>

#include "annotate/track/node.h"

enum {
    ROUNDS_MAX = 64,
    CONTEXTS_MAX = 16, /* of a function; further calls share one more */
    FRAMES_MAX = 1024,
    DEPTH_MAX = 64
};

/* ---- one round ---- */

/* True when neighbours may differ in whether, or how often, the change is made before what it
 * changes is seen; *again: it may be made several times. */
static bool is_divergent(const struct dl__frame *f, const struct dl__change *c,
                         bool *again)
{
    const struct dl__outline *o = f->outline;
    bool divergent = o->has_goto;

    *again = o->has_goto;
    for (int b = c->branch; b != DL__NO_BRANCH; b = o->branches.items[b].parent) {
        const struct dl__branch *branch = &o->branches.items[b];

        if (dl__branch_holds(branch, c->variable->declared_at))
            break;
        if (branch->kind != DL__B_LOOP) {
            divergent |= f->agreements[b] == DL__DIVERGENT;
            continue;
        }
        *again = true;
        for (size_t j = 0; j < o->jumps.count; j++) {
            const struct dl__jump *jump = &o->jumps.items[j];

            for (int i = jump->branch;
                 !jump->breaks && jump->loop == b && i != b && jump->at < c->at->begin;
                 i = o->branches.items[i].parent)
                divergent |= f->agreements[i] == DL__DIVERGENT;
        }
    }
    return divergent;
}

/* What the change makes of its variable. */
static struct dl__value changed_value(struct dl__frame *f, const struct dl__change *c)
{
    switch (c->kind) {
    case DL__C_SET:
        return dl__evaluate(f, c->source);
    case DL__C_UPDATE:
        return dl__evaluate(f, c->at);
    case DL__C_STEP:
        return dl__value_add(f->values[c->variable->number],
                             dl__value_constant(c->at->op[0] == '+' ? 1 : -1));
    default:
        return dl__value_of(DL__V_UNKNOWN);
    }
}

static struct dl__pair changed_pair(struct dl__frame *f, const struct dl__change *c)
{
    const struct dl__root *root = c->variable->tracked->root;
    struct dl__pair p = f->variable_pairs[c->variable->number], by;
    bool is_struct = root->element_type->kind == DL__T_STRUCT;

    if (c->kind == DL__C_SET)
        return dl__root_of(f->outline->unit, c->source)
                   ? dl__evaluate_pointer(f, c->source)
                   : dl__pair_constant(0);
    if (c->kind == DL__C_UPDATE) {
        by = dl__evaluate_offset(f, root, c->source);
    } else {
        by = dl__pair_constant(0);
        *(is_struct ? &by.rows : &by.rest) = dl__value_constant(1);
    }
    if (c->at->op[0] == '-') {
        by.rows = dl__value_negate(by.rows);
        by.rest = dl__value_negate(by.rest);
    }
    return dl__pair_add(p, by);
}

/* Neighbours that change it a different number of times are no longer in step. */
static struct dl__value scattered(struct dl__value v)
{
    return v.kind == DL__V_NOTHING ? v : dl__value_mix(v, dl__value_of(DL__V_UNKNOWN));
}

/* True when something is new. */
static bool apply(struct dl__frame *f, const struct dl__change *c)
{
    size_t number = c->variable->number;
    bool again, divergent = is_divergent(f, c, &again);

    if (c->variable->tracked) {
        struct dl__pair *old = &f->variable_pairs[number], p = changed_pair(f, c);

        if (divergent && again && c->of_itself)
            p = (struct dl__pair){scattered(p.rows), scattered(p.rest)};
        p = dl__pair_join(*old, p, divergent);
        if (dl__pair_equals(*old, p))
            return false;
        *old = p;
    } else {
        struct dl__value *old = &f->values[number], v = changed_value(f, c);

        if (divergent && again && c->of_itself)
            v = scattered(v);
        v = dl__value_join(*old, v, divergent);
        if (dl__value_equals(*old, v))
            return false;
        *old = v;
    }
    return true;
}

static bool find_agreements(struct dl__frame *f)
{
    const struct dl__outline *o = f->outline;
    bool changed = false;

    for (size_t b = 0; b < o->branches.count; b++) {
        enum dl__agreement is = f->agreements[b];

        if (o->branches.items[b].condition && is != DL__DIVERGENT)
            is = o->branches.items[b].kind == DL__B_SWITCH
                     ? (dl__evaluate(f, o->branches.items[b].condition).kind >
                                DL__V_UNIFORM
                            ? DL__DIVERGENT
                            : DL__SAME)
                     : dl__agreement_of(f, o->branches.items[b].condition);
        changed |= f->agreements[b] != is;
        f->agreements[b] = is;
    }
    /* A loop that some of them leave in the middle. */
    for (size_t j = 0; j < o->jumps.count; j++) {
        const struct dl__jump *jump = &o->jumps.items[j];

        for (int i = jump->branch; jump->breaks && jump->loop != DL__NO_BRANCH &&
                                   i != jump->loop && i != DL__NO_BRANCH;
             i = o->branches.items[i].parent)
            if (f->agreements[i] == DL__DIVERGENT)
                f->agreements[jump->loop] = DL__DIVERGENT;
    }
    return changed;
}

static struct dl__value find_result(struct dl__frame *f)
{
    const struct dl__outline *o = f->outline;
    struct dl__value v = dl__value_nothing();
    bool divergent = o->has_goto;

    for (size_t i = 0; i < o->returns.count; i++)
        for (int b = o->returns.items[i].branch; b != DL__NO_BRANCH;
             b = o->branches.items[b].parent)
            divergent |= f->agreements[b] == DL__DIVERGENT;
    for (size_t i = 0; i < o->returns.count; i++)
        v = dl__value_join(v, dl__evaluate(f, o->returns.items[i].value), divergent);
    return v;
}

/* ---- frames ---- */

void dl__frame_solve(struct dl__frame *f)
{
    const struct dl__outline *o = f->outline;
    bool changed = true;

    f->is_busy = true;
    f->analysis->depth++;
    for (size_t i = 0; i < o->variable_count; i++) {
        const struct dl__outline_variable *v = &o->variables[i];

        if (v->declaration)
            continue;
        f->values[i] = f->arguments[v->parameter];
        f->variable_pairs[i] = f->pairs[v->parameter];
    }
    for (unsigned round = 0; changed; round++) {
        unsigned version = f->analysis->version;

        if (round == ROUNDS_MAX || f->analysis->failed) {
            f->analysis->failed = true;
            break;
        }
        changed = find_agreements(f);
        for (size_t i = 0; i < o->changes.count; i++)
            changed |= apply(f, &o->changes.items[i]);
        changed |= version != f->analysis->version;
    }
    f->result = find_result(f);
    f->analysis->depth--;
    f->is_busy = false;
    f->is_solved = true;
}

static struct dl__frame *make_frame(struct dl__analysis *a, struct dl__outline *o)
{
    struct dl__frame *f = DL__NEW(a->arena, struct dl__frame);
    size_t parameters = o->unit->function->parameter_count + 1,
           variables = o->variable_count + 1;

    f->analysis = a;
    f->outline = o;
    f->arguments = dl__arena_alloc(a->arena, parameters * sizeof *f->arguments);
    f->pairs = dl__arena_alloc(a->arena, parameters * sizeof *f->pairs);
    f->roots = dl__arena_alloc(a->arena, parameters * sizeof(struct dl__root *));
    f->values = dl__arena_alloc(a->arena, variables * sizeof *f->values);
    f->variable_pairs = dl__arena_alloc(a->arena, variables * sizeof *f->variable_pairs);
    f->agreements =
        dl__arena_alloc(a->arena, (o->branches.count + 1) * sizeof *f->agreements);
    return f;
}

static void add_frame(struct dl__analysis *a, struct dl__frame *f)
{
    f->next = a->frames;
    a->frames = f;
    a->failed |= ++a->frame_count > FRAMES_MAX;
}

struct dl__frame *dl__frame_of_kernel(struct dl__analysis *a, struct dl__unit *unit)
{
    struct dl__frame *f = make_frame(a, dl__outline_of(a, unit));

    for (size_t i = 0; i < unit->function->parameter_count; i++) {
        f->arguments[i] = dl__value_of(DL__V_UNIFORM);
        f->pairs[i] = dl__pair_constant(0);
    }
    for (size_t i = 0; i < unit->root_count; i++)
        f->roots[unit->roots[i].parameter] = &unit->roots[i];
    add_frame(a, f);
    dl__frame_solve(f);
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

/* The arguments, into a frame that is not among the others yet; false: one is not known yet. */
static bool bind(struct dl__frame *caller, struct dl__node *call, struct dl__frame *f)
{
    struct dl__unit *u = f->outline->unit, *from = caller->outline->unit;
    bool known = true;

    for (size_t i = 0; i < u->function->parameter_count; i++) {
        f->arguments[i] = dl__value_of(DL__V_UNKNOWN);
        if (i + 1 < call->child_count)
            f->arguments[i] = dl__evaluate(caller, call->children[i + 1]);
        known &= f->arguments[i].kind != DL__V_NOTHING;
        if (f->arguments[i].kind == DL__V_NOTHING)
            f->arguments[i] = dl__value_of(DL__V_UNKNOWN);
    }
    for (size_t i = 0; i < u->root_count; i++) {
        size_t at = u->roots[i].parameter;
        struct dl__node *arg = call->children[at + 1];
        struct dl__root *root = dl__root_of(from, arg);

        f->pairs[at] = dl__evaluate_pointer(caller, arg);
        f->roots[at] = root ? caller->roots[root->parameter] : NULL;
        f->analysis->failed |= !f->roots[at];
        known &= f->pairs[at].rows.kind != DL__V_NOTHING;
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
            (!roots_only && (!dl__value_equals(a->arguments[i], b->arguments[i]) ||
                             !dl__pair_equals(a->pairs[i], b->pairs[i]))))
            return false;
    return true;
}

/* Makes `f` good for one more context; true when it was not before. */
static bool widen(struct dl__frame *f, const struct dl__frame *by)
{
    size_t count = f->outline->unit->function->parameter_count;
    bool changed = false;

    for (size_t i = 0; i < count; i++) {
        struct dl__value v = dl__value_join(f->arguments[i], by->arguments[i], false);
        struct dl__pair p = dl__pair_join(f->pairs[i], by->pairs[i], false);

        changed |=
            !dl__value_equals(v, f->arguments[i]) || !dl__pair_equals(p, f->pairs[i]);
        f->arguments[i] = v;
        f->pairs[i] = p;
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
        dl__frame_solve(found);
    return found->is_solved ? found : NULL;
}
