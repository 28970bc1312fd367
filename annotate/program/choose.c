/* SPDX-License-Identifier: MIT */
/* As many of a kernel's buffers as can be tracked together: one that can't does not cost
 * the others. */
#include "annotate/program/choose.h"

#include <string.h>

#include "annotate/facts/facts.h"
#include "annotate/program/hygiene.h"
#include "annotate/walk/walk.h"

/* Which of a kernel's buffers are tracked together, and what came of it. */
struct attempt {
    const struct dl__root *fresh; /* by buffer, as bound */
    bool *chosen;                 /* by buffer */
    struct dl__unit *unit;        /* NULL: they can't be */
    struct dl__root *roots;       /* of those chosen */
    size_t fault_at;
    const char *fault;
};

static void try_chosen(struct dl__rewriter *w, const struct dl__kernel *k,
                       struct attempt *a)
{
    size_t count = 0;

    a->roots = dl__arena_alloc(&w->arena, k->buffers.count * sizeof *a->roots);
    for (size_t i = 0; i < k->buffers.count; i++)
        if (a->chosen[i])
            a->roots[count++] = a->fresh[i];
    a->unit = NULL;
    if (!count)
        return;
    a->unit = dl__track_kernel(&w->tracker, k->function, a->roots, count);
    a->fault = a->unit->reason;
    a->fault_at = a->unit->refused_at;
    if (!a->unit->refused)
        a->fault = dl__unit_fault(w, a->unit, &a->fault_at);
    if (a->unit->refused || a->fault)
        a->unit = NULL;
    else
        dl__find_facts(a->unit);
}

static void say_left(struct dl__rewriter *w, const struct dl__kernel *k, size_t buffer,
                     size_t at, const char *reason)
{
    dl__say_at(w, at,
               dl__arena_format(&w->arena, "kernel '%s', buffer '%s' is left as it is: ",
                                k->function->name, k->buffers.items[buffer].name),
               reason);
}

static void choose_all(const struct dl__kernel *k, struct attempt *a)
{
    for (size_t i = 0; i < k->buffers.count; i++)
        a->chosen[i] = !k->buffers.items[i].soa;
}

static size_t count_chosen(const struct dl__kernel *k, const struct attempt *a)
{
    size_t count = 0;

    for (size_t i = 0; i < k->buffers.count; i++)
        count += a->chosen[i];
    return count;
}

/* All but one: then what was in the way of all of them is that one's. */
static bool try_without_one(struct dl__rewriter *w, const struct dl__kernel *k,
                            struct attempt *a)
{
    const struct attempt all = *a;

    for (size_t i = 0; i < k->buffers.count; i++) {
        if (!a->chosen[i])
            continue;
        a->chosen[i] = false;
        try_chosen(w, k, a);
        if (a->unit) {
            say_left(w, k, i, all.fault_at, all.fault);
            return true;
        }
        a->chosen[i] = true;
    }
    *a = all;
    return false;
}

/* Alone, a buffer may fail by what the others are not any more: what was in the way of
 * all says more. */
static bool is_about(struct dl__rewriter *w, const char *fault, const char *buffer)
{
    return strstr(fault, dl__arena_format(&w->arena, "'%s'", buffer)) != NULL;
}

/* One after the other, each that goes with those before it. */
static void try_each(struct dl__rewriter *w, const struct dl__kernel *k,
                     struct attempt *a)
{
    const struct attempt all = *a;
    struct left {
        size_t at;
        const char *reason; /* NULL: it is not left */
    } *left = dl__arena_alloc(&w->arena, k->buffers.count * sizeof *left);
    struct attempt best = {0};

    for (size_t i = 0; i < k->buffers.count; i++) {
        a->chosen[i] = false;
        left[i].reason = NULL;
    }
    for (size_t i = 0; i < k->buffers.count; i++) {
        if (k->buffers.items[i].soa)
            continue;
        a->chosen[i] = true;
        try_chosen(w, k, a);
        if (a->unit) {
            best = *a;
        } else {
            a->chosen[i] = false;
            left[i] = (struct left){a->fault_at, a->fault};
        }
    }
    a->unit = best.unit;
    a->roots = best.roots;
    for (size_t i = 0; i < k->buffers.count; i++) {
        if (!left[i].reason || !(a->unit || k->detected))
            continue;
        if (is_about(w, all.fault, k->buffers.items[i].name))
            left[i] = (struct left){all.fault_at, all.fault};
        say_left(w, k, i, left[i].at, left[i].reason);
    }
}

/* Why a buffer gains nothing by another layout, whatever its size; NULL: it may. */
static const char *pointless(const struct dl__root *root)
{
    bool uniform = true;

    if (!root->facts)
        return NULL;
    for (size_t i = 0; i < root->facts->count; i++)
        uniform &= root->facts->items[i].fact.form == DL_ACCESS_UNIFORM;
    if (!root->facts->count)
        return "the kernel does not use it";
    return uniform ? "neighbouring work-items use the same struct of it" : NULL;
}

/* Leaves out what gains nothing. */
static void drop_pointless(struct dl__rewriter *w, const struct dl__kernel *k,
                           struct attempt *a)
{
    const struct attempt before = *a;
    size_t root = 0, left = 0;

    for (size_t i = 0; i < k->buffers.count; i++) {
        const char *reason;

        if (!a->chosen[i])
            continue;
        reason = pointless(&before.roots[root++]);
        left += reason != NULL;
        a->chosen[i] = !reason;
        if (reason)
            say_left(w, k, i, k->function->parameters[a->fresh[i].parameter].begin,
                     reason);
    }
    if (left)
        try_chosen(w, k, a);
}

/* The buffers that are tracked, with their roots, and discrete arrays. */
static void keep_chosen(struct dl__kernel *k, const struct attempt *a)
{
    size_t kept = 0, root = 0;

    for (size_t i = 0; i < k->buffers.count; i++) {
        struct dl__buffer *b = &k->buffers.items[kept];

        if (!k->buffers.items[i].soa && !(a->unit && a->chosen[i]))
            continue;
        *b = k->buffers.items[i];
        if (!b->soa)
            b->root = &a->roots[root++];
        kept++;
    }
    k->buffers.count = kept;
}

/* The accesses to grids that cost a division by each extent. */
static void say_divided(struct dl__rewriter *w, const struct dl__unit *unit)
{
    for (size_t i = 0; i < unit->divided.count; i++) {
        const struct dl__divided *divided = &unit->divided.items[i];
        struct dl__place place = dl__expanded_place(&w->expanded, divided->at);

        dl__say(w, DL_REMARK, place.file->name, place.line, place.column,
                "an index of '%s' is divided by the extents when the kernel runs: %s",
                divided->root->name, divided->reason);
    }
    for (size_t i = 0; i < unit->clones.count; i++)
        say_divided(w, unit->clones.items[i]);
}

struct dl__unit *dl__track_chosen(struct dl__rewriter *w, struct dl__kernel *k)
{
    struct dl__root *fresh = dl__arena_alloc(&w->arena, k->buffers.count * sizeof *fresh);
    struct attempt a = {
        .fresh = fresh,
        .chosen = dl__arena_alloc(&w->arena, k->buffers.count * sizeof *a.chosen)};
    struct attempt all;

    for (size_t i = 0; i < k->buffers.count; i++)
        fresh[i] = *k->buffers.items[i].root;
    choose_all(k, &a);
    try_chosen(w, k, &a);
    all = a;
    if (!a.unit && count_chosen(k, &a) > 1 && !try_without_one(w, k, &a))
        try_each(w, k, &a);
    else if (!a.unit && k->detected)
        try_each(w, k, &a);
    if (!a.unit && !k->detected)
        dl__say_at(w, all.fault_at,
                   dl__arena_format(
                       &w->arena, "kernel '%s' is not transformed: ", k->function->name),
                   all.fault);
    if (a.unit)
        say_divided(w, a.unit);
    if (a.unit && k->detected)
        drop_pointless(w, k, &a);
    keep_chosen(k, &a);
    return a.unit;
}
