/* SPDX-License-Identifier: MIT */
#include "annotate/track/reach.h"

#include <stdlib.h>
#include <string.h>

static const char *const leaf_functions[] = {"atomic_", "atom_", "fract",  "modf",
                                             "sincos",  "frexp", "remquo", "lgamma_r"};

bool dl__touches_one_leaf(const char *name)
{
    for (size_t i = 0; i < sizeof leaf_functions / sizeof *leaf_functions; i++)
        if (!strncmp(name, leaf_functions[i], strlen(leaf_functions[i])))
            return true;
    return false;
}

bool dl__reaches_neighbours(const char *name)
{
    static const char *const builtins[] = {"vload", "vstore", "async_work_group_",
                                           "prefetch"};

    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (!strncmp(name, builtins[i], strlen(builtins[i])))
            return true;
    return false;
}

enum { DEPTH_MAX = 8 };

/* A pointer in a function, and its distance in bytes from the beginning of what it may
 * reach. */
struct reach {
    struct dl__unit *inside; /* for questions about the function's nodes */
    struct dl__function *f;
    size_t declared_at;
    int64_t at;
    uint32_t bytes;
    unsigned depth; /* of helpers and variables */
    bool is_cast;   /* it may be cast to elements of other sizes */
};

static bool stays_inside(const struct reach *r, struct dl__node *n);

static bool is_inside(const struct reach *r, int64_t at, const struct dl__type *type)
{
    return type->bytes && at >= 0 && at + type->bytes <= r->bytes;
}

static bool parameter_stays_inside(const struct reach *from, struct dl__function *f,
                                   size_t parameter, int64_t at)
{
    struct reach r = {.f = f,
                      .at = at,
                      .bytes = from->bytes,
                      .depth = from->depth + 1,
                      .is_cast = from->is_cast};

    if (!f->is_defined || parameter >= f->parameter_count || r.depth > DEPTH_MAX)
        return false;
    r.declared_at = f->parameters[parameter].name_at;
    r.inside = DL__NEW(from->inside->tracker->arena, struct dl__unit);
    r.inside->tracker = from->inside->tracker;
    r.inside->function = f;
    return stays_inside(&r, dl__ast_body(r.inside->tracker->ast, f));
}

/* True of a vload or vstore, whose pointer is the last argument, with a constant offset.
 */
static bool vector_stays_inside(const struct reach *r, struct dl__node *call,
                                size_t number, int64_t at, const struct dl__type *element)
{
    bool loads = !strncmp(call->name, "vload", 5),
         stores = !strncmp(call->name, "vstore", 6);
    const char *width = call->name + (loads ? 5 : 6);
    char *end = NULL;
    int64_t count, offset;

    if ((!loads && !stores) || number != (loads ? 2u : 3u) ||
        number + 1 != call->child_count)
        return false;
    count = strtol(width, &end, 10);
    return end != width && !*end && count > 0 &&
           dl__constant_of(r->inside, call->children[number - 1], &offset) &&
           offset >= 0 && offset <= r->bytes && at >= 0 &&
           at + (offset + 1) * count * element->bytes <= r->bytes;
}

static bool call_stays_inside(const struct reach *r, struct dl__node *call,
                              const struct dl__node *argument, int64_t at,
                              const struct dl__type *element)
{
    struct dl__function *f = dl__ast_callee(r->inside->tracker->ast, call);
    size_t number = 1;

    while (number < call->child_count && call->children[number] != argument)
        number++;
    if (number == call->child_count)
        return false;
    if (f)
        return parameter_stays_inside(r, f, number - 1, at);
    return call->name &&
           (vector_stays_inside(r, call, number, at, element) ||
            (dl__touches_one_leaf(call->name) && is_inside(r, at, element)));
}

/* A variable that is set to the pointer where it is declared, and never changed. */
static bool variable_stays_inside(const struct reach *r, const struct dl__node *variable,
                                  int64_t at)
{
    struct reach inner = *r;
    struct dl__node *declaration;

    inner.declared_at = variable->declared_at;
    inner.at = at;
    inner.depth++;
    return inner.depth <= DEPTH_MAX &&
           !dl__is_changed(r->inside, variable->declared_at, &declaration) &&
           stays_inside(&inner, dl__ast_body(r->inside->tracker->ast, r->f));
}

/* Where a mention of the pointer goes: by casts and constant steps to what lies in the
 * leaf. */
static bool mention_stays_inside(const struct reach *r, struct dl__node *n)
{
    const struct dl__type *type = dl__type_of(r->inside, n);
    int64_t at = r->at, step;

    for (struct dl__node *up = n->parent; up; n = up, up = up->parent) {
        const struct dl__type *element = type->element;

        if (type->kind != DL__T_POINTER)
            return false;
        if (up->kind == DL__N_PAREN || up->kind == DL__N_IMPLICIT ||
            up->kind == DL__N_CAST) {
            type = dl__type_of(r->inside, up);
            /* It is read, by a conversion of libclang's. */
            if (type->kind != DL__T_POINTER ||
                (!r->is_cast && type->element->bytes != element->bytes))
                return false;
        } else if (up->kind == DL__N_UNARY && dl__op_is(up, "*")) {
            return is_inside(r, at, element);
        } else if (up->kind == DL__N_SUBSCRIPT && up->children[0] == n) {
            if (!dl__constant_of(r->inside, up->children[1], &step) || step > r->bytes ||
                step < -(int64_t)r->bytes)
                return false;
            at += step * element->bytes;
            if (!is_inside(r, at, element))
                return false;
            while (up->parent && up->parent->kind == DL__N_PAREN)
                up = up->parent;
            if (!up->parent || up->parent->kind != DL__N_UNARY ||
                !dl__op_is(up->parent, "&"))
                return true;
            up = up->parent;
        } else if (up->kind == DL__N_BINARY && up->children[0] == n &&
                   (dl__op_is(up, "+") || dl__op_is(up, "-"))) {
            if (!dl__constant_of(r->inside, up->children[1], &step) || step > r->bytes ||
                step < -(int64_t)r->bytes)
                return false;
            at += (dl__op_is(up, "-") ? -step : step) * element->bytes;
        } else if (up->kind == DL__N_CALL) {
            return call_stays_inside(r, up, n, at, element);
        } else if (up->kind == DL__N_VARIABLE) {
            return variable_stays_inside(r, up, at);
        } else {
            return false;
        }
    }
    return false;
}

static bool stays_inside(const struct reach *r, struct dl__node *n)
{
    if (n->kind == DL__N_NAME && n->declared_at == r->declared_at)
        return mention_stays_inside(r, n);
    for (size_t i = 0; i < n->child_count; i++)
        if (!stays_inside(r, n->children[i]))
            return false;
    return true;
}

static bool stays(struct dl__unit *u, struct dl__function *f, size_t parameter,
                  uint32_t bytes, bool is_cast)
{
    const struct reach r = {.inside = u, .bytes = bytes, .is_cast = is_cast};

    return parameter_stays_inside(&r, f, parameter, 0);
}

static bool takes_pointer(const struct dl__function *f, size_t parameter)
{
    return parameter < f->parameter_count &&
           f->parameters[parameter].type->kind == DL__T_POINTER;
}

bool dl__parameter_stays_inside(struct dl__unit *u, struct dl__function *f,
                                size_t parameter, uint32_t bytes)
{
    return takes_pointer(f, parameter) && stays(u, f, parameter, bytes, false);
}

bool dl__parameter_touches_one_leaf(struct dl__unit *u, struct dl__function *f,
                                    size_t parameter)
{
    return takes_pointer(f, parameter) &&
           stays(u, f, parameter, f->parameters[parameter].type->element->bytes, true);
}
