/* SPDX-License-Identifier: MIT */
/* Calls: builtins that reach a place through a pointer, and helpers. */
#include "annotate/facts/collect.h"

#include <stdlib.h>
#include <string.h>

#include "annotate/text/lex.h"
#include "annotate/track/node.h"
#include "annotate/track/view.h"

static bool begins(const char *name, const char *with)
{
    return !strncmp(name, with, strlen(with));
}

/* How a builtin reaches what its pointers point to. */
static unsigned how_of(const char *name)
{
    unsigned atomic = dl__atomic_of(name, strlen(name));

    if (begins(name, "vload"))
        return DL__READS;
    if (begins(name, "vstore"))
        return DL__WRITES;
    if (!atomic)
        return DL__WRITES; /* fract and its like */
    return DL__ATOMIC | (atomic & DL__ATOMIC_READS ? DL__READS : 0u) |
           (atomic & DL__ATOMIC_WRITES ? DL__WRITES : 0u);
}

/* vload4: 4; vload_half, atomic_add: 1. */
static unsigned lanes_of(const char *name)
{
    size_t digits = strcspn(name, "0123456789");

    return begins(name, "vload") || begins(name, "vstore")
               ? (unsigned)(name[digits] ? strtoul(name + digits, NULL, 10) : 1)
               : 1;
}

/* The pointer of a vload or vstore points so many vectors before what is reached. */
static struct dl__node *offset_of(struct dl__node *n)
{
    if (begins(n->name, "vload") && n->child_count == 3)
        return n->children[1];
    return begins(n->name, "vstore") && n->child_count == 4 ? n->children[2] : NULL;
}

/* A pointer to elements of a flat buffer. */
static void collect_elements(struct dl__collector *c, struct dl__node *call,
                             struct dl__node *arg, const struct dl__root *root)
{
    struct dl__outline *o = c->frame->outline;
    struct dl__pair pair = dl__evaluate_pointer(c->frame, arg);
    struct dl__node *offset = offset_of(call);
    dl__variation rest = 0, rows = dl__variation_of_pointer(o, arg, &rest);
    unsigned lanes = lanes_of(call->name);

    if (offset && lanes == 1) {
        pair = dl__pair_add(pair, dl__evaluate_offset(c->frame, root, offset));
        rows |= dl__variation_of_offset(o, root, offset, &rest);
    } else if (offset) {
        struct dl__value by =
            dl__value_multiply(dl__evaluate(c->frame, offset), dl__value_constant(lanes));

        pair = dl__pair_add(pair, dl__pair_of_number(root, by));
        rest |= dl__variation_of(o, offset);
    }
    dl__note_elements(c, call, root, pair, dl__levels_of(c, rows, false),
                      dl__levels_of(c, rest, true), how_of(call->name), lanes);
}

/* `&place`, `array`, `array + k` in a struct; false for others. */
static bool collect_member(struct dl__collector *c, struct dl__node *call,
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
        if (offset_of(call) && bytes == p.root->element->bytes)
            p.index = offset_of(call);
        else if (offset_of(call))
            bytes = p.root->element->bytes;
        dl__note_place(c, call, &p, how, bytes);
        dl__collect_node(c, p.pointer, DL__READS);
        return true;
    }
    if (inner->kind == DL__N_BINARY && inner->child_count == 2 && dl__op_is(inner, "+"))
        inner = dl__strip(inner->children[0]);
    if (inner->kind == DL__N_UNARY && dl__op_is(inner, "&") && inner->child_count) {
        if (!dl__find_place(u, inner->children[0], &p) || !p.step_count)
            return false;
        bytes = lanes_of(call->name) * p.type->bytes;
        if (offset_of(call))
            bytes *= 1 + (unsigned)(dl__evaluate(c->frame, offset_of(call)).rest & 15);
        if (p.type->kind == DL__T_VECTOR)
            bytes = 0;
    } else if (!dl__find_place(u, inner, &p) || p.type->kind != DL__T_ARRAY) {
        return false;
    }
    dl__note_place(c, call, &p, how, bytes);
    dl__collect_node(c, p.pointer, DL__READS);
    if (p.index)
        dl__collect_node(c, p.index, DL__READS);
    for (size_t i = 0; i < p.step_count; i++)
        if (p.step_index[i])
            dl__collect_node(c, p.step_index[i], DL__READS);
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

void dl__collect_call(struct dl__collector *c, struct dl__node *n)
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
            dl__collect_node(c, arg, DL__READS);
    }
    if (callee && has_buffer) {
        struct dl__frame *frame = dl__frame_of_call(c->frame, n, callee);

        if (frame)
            dl__collect_frame(c, frame, n);
        else
            c->frame->analysis->failed = true;
    }
}
