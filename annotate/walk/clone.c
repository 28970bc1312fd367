/* SPDX-License-Identifier: MIT */
/* Copies of helpers, one for each set of parameters that point into buffers. */
#include "annotate/walk/clone.h"

#include <string.h>

#include "annotate/text/limits.h"
#include "annotate/track/context.h"
#include "annotate/track/form.h"
#include "annotate/track/locals.h"
#include "annotate/track/place.h"
#include "annotate/walk/function.h"

/* True when a call gives the buffer itself for a parameter that stays what it was. */
static bool stays_at_base(struct dl__unit *u, struct dl__node *n, struct dl__function *f,
                          size_t parameter)
{
    struct dl__unit *inside = DL__NEW(u->tracker->arena, struct dl__unit);
    struct dl__node *declaration;

    inside->tracker = u->tracker;
    inside->function = f;
    return f->result->kind != DL__T_POINTER && parameter + 1 < n->child_count &&
           dl__is_base(u, n->children[parameter + 1]) &&
           !dl__is_changed(inside, f->parameters[parameter].name_at, &declaration);
}

/* The helper's parameters as roots of their own. */
static struct dl__root *roots_for(struct dl__unit *u, struct dl__node *n,
                                  struct dl__function *f, struct dl__root **by_parameter,
                                  size_t *count)
{
    struct dl__root *roots =
        dl__arena_alloc(u->tracker->arena, f->parameter_count * sizeof *roots);

    for (size_t i = 0; i < f->parameter_count && i < 64; i++) {
        const struct dl__root *of = by_parameter[i];
        struct dl__root *root;

        if (!of)
            continue;
        if (f->parameters[i].type->kind != DL__T_POINTER ||
            !dl__is_element(of, f->parameters[i].type->element) ||
            !f->parameters[i].name[0])
            dl__refuse(u, n->begin, "'%s' takes '%s' as a pointer of another type",
                       f->name, of->name);
        root = &roots[(*count)++];
        *root = *of;
        root->parameter = i;
        root->name = f->parameters[i].name;
        root->written = false;
        root->is_at_base = of->form->edit_base && stays_at_base(u, n, f, i);
        root->has_index = !root->is_at_base;
        root->space |= f->parameters[i].type->element->is_volatile ? DL__VOLATILE : 0u;
        root->first = NULL;
        /* Whichever buffer it is, there it is one; another argument may be another. */
        root->is_far = root->is_joined = root->is_cast = false;
        for (size_t k = *count - 1; k-- && of->form->null && !of->is_far;)
            if (by_parameter[roots[k].parameter] == of)
                root->first = &roots[k];
        root->owner = root->parts = root->next_part = NULL;
        if (of->form->shape_parameters)
            root->shape_parameters = of->form->shape_parameters(u, of, n, f);
    }
    return roots;
}

/* The buffers that the caller's structs have, behind the helper's own parameters. */
static struct dl__function *add_contexts(struct dl__unit *u, struct dl__node *n,
                                         struct dl__function *f,
                                         struct dl__root **by_parameter)
{
    if (!dl__takes_contexts(u, f))
        return f;
    if (f->parameter_count + u->contexts.count > 64)
        dl__refuse(u, n->begin, "'%s' has too many parameters", f->name);
    for (size_t i = 0; i < u->contexts.count; i++)
        by_parameter[f->parameter_count + i] = u->contexts.items[i].root;
    return dl__with_contexts(u, f);
}

/* What these are in the copy. */
static void give_contexts(const struct dl__unit *u, struct dl__unit *c)
{
    for (size_t i = 0; i < c->root_count; i++) {
        size_t at = c->roots[i].parameter;
        struct dl__context context;

        if (at < c->copied->parameter_count)
            continue;
        context = u->contexts.items[at - c->copied->parameter_count];
        context.root = &c->roots[i];
        context.declared_at = c->function->parameters[at].name_at;
        DL__PUSH(u->tracker->arena, &c->contexts, context);
    }
}

static bool same_contexts(const struct dl__unit *u, const struct dl__unit *c)
{
    for (size_t i = 0; i < c->contexts.count; i++)
        if (u->contexts.count != c->contexts.count ||
            u->contexts.items[i].type != c->contexts.items[i].type ||
            u->contexts.items[i].is_moved != c->contexts.items[i].is_moved ||
            strcmp(u->contexts.items[i].member, c->contexts.items[i].member) != 0)
            return false;
    return true;
}

static bool same_roots(const struct dl__unit *c, const struct dl__root *roots,
                       size_t count)
{
    bool same = c->root_count == count;

    for (size_t i = 0; same && i < count; i++)
        same = c->roots[i].parameter == roots[i].parameter &&
               c->roots[i].form == roots[i].form &&
               c->roots[i].element == roots[i].element &&
               c->roots[i].is_part == roots[i].is_part &&
               c->roots[i].is_at_base == roots[i].is_at_base &&
               !c->roots[i].first == !roots[i].first &&
               (!roots[i].first ||
                c->roots[i].first->parameter == roots[i].first->parameter) &&
               c->roots[i].is_single == roots[i].is_single &&
               dl__is_element(&c->roots[i], roots[i].element_type) &&
               c->roots[i].space == roots[i].space &&
               c->roots[i].shape_parameters == roots[i].shape_parameters;
    return same;
}

struct dl__unit *dl__clone_for(struct dl__unit *u, struct dl__node *n,
                               struct dl__function *f, struct dl__root **by_parameter)
{
    struct dl__tracker *t = u->tracker;
    struct dl__unit **link = &t->clones, *c;
    struct dl__function *g;
    struct dl__root *roots;
    size_t count = 0;

    if (!f->is_defined)
        dl__refuse(u, n->begin, "'%s' takes a pointer into a buffer but has no body here",
                   f->name);
    g = add_contexts(u, n, f, by_parameter);
    roots = roots_for(u, n, g, by_parameter, &count);
    /* What can't stand before one kernel can stand before another. */
    while ((c = *link) != NULL && !(c->copied == f && same_roots(c, roots, count) &&
                                    same_contexts(u, c) && !(c->is_ahead && c->refused)))
        link = &c->next;
    if (!c) {
        if (t->depth >= DL__CLONE_DEPTH_MAX)
            dl__refuse(u, n->begin, "helpers call each other too deeply");
        c = DL__NEW(t->arena, struct dl__unit);
        c->tracker = t;
        c->function = g;
        c->copied = f;
        c->roots = roots;
        c->root_count = count;
        give_contexts(u, c);
        c->is_ahead = f->item_at > t->kernel_at;
        c->new_name = dl__name_make(&t->accessors.names, t->arena, f->name);
        *link = c;
        t->depth++;
        dl__track_function(c);
        t->depth--;
    }
    if (c->busy)
        dl__refuse(u, n->begin, "'%s' calls itself", f->name);
    if (c->refused)
        dl__refuse(u, c->refused_at, "%s", c->reason);
    for (size_t i = 0; i < count; i++) {
        by_parameter[c->roots[i].parameter]->written |= c->roots[i].written;
        by_parameter[c->roots[i].parameter]->is_joined |= c->roots[i].is_joined;
    }
    DL__PUSH(t->arena, &u->calls, ((struct dl__clone_call){n, c}));
    for (size_t i = 0; i < u->clones.count; i++)
        if (u->clones.items[i] == c)
            return c;
    DL__PUSH(t->arena, &u->clones, c);
    return c;
}
