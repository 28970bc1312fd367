/* SPDX-License-Identifier: MIT */
/* Frames: one for each context of a function, shared by calls that are alike. */
#include "annotate/facts/frame.h"

#include <string.h>

#include "annotate/track/node.h"

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
    f->pairs = dl__arena_alloc(a->arena, parameters * sizeof *f->pairs);
    f->roots = dl__arena_alloc(a->arena, parameters * sizeof(struct dl__root *));
    return f;
}

static void add_frame(struct dl__analysis *a, struct dl__frame *f)
{
    const struct dl__outline *o = f->outline;
    size_t variables = o->variable_count + 1, changes = o->changes.count + 1;

    f->values = dl__arena_alloc(a->arena, variables * sizeof *f->values);
    f->variable_pairs = dl__arena_alloc(a->arena, variables * sizeof *f->variable_pairs);
    f->changed = dl__arena_alloc(a->arena, changes * sizeof *f->changed);
    f->changed_pairs = dl__arena_alloc(a->arena, changes * sizeof *f->changed_pairs);
    f->agreements =
        dl__arena_alloc(a->arena, (o->branches.count + 1) * sizeof *f->agreements);
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

/* The arguments, into a frame that is not among the others yet; false: one is not known
 * yet. */
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
