/* SPDX-License-Identifier: MIT */
/* Pointers to leaves, and the accessors that places use. */
#include "annotate/track/leaf_pointer.h"

#include <string.h>

#include "annotate/track/form.h"

static const struct dl__accessor *use(struct dl__unit *u, struct dl__node *n,
                                      const struct dl__root *root,
                                      struct dl__accessor wanted,
                                      const struct dl__vector_form *form)
{
    struct dl__use noted = {NULL, root, n->begin};

    wanted.space = root->space;
    wanted.element = root->element;
    noted.accessor = dl__accessor_get(&u->tracker->accessors, wanted, form);
    if (!noted.accessor)
        dl__refuse(
            u, n->begin,
            root->is_part && wanted.type->name
                ? "a struct in '%s', whose union's members overlap, is copied through "
                  "a pointer to it"
                : "this member of '%s' has a type without a name",
            root->name);
    DL__PUSH(u->tracker->arena, &u->uses, noted);
    return noted.accessor;
}

const struct dl__accessor *dl__use_place(struct dl__unit *u, struct dl__node *n,
                                         const struct dl__access *p,
                                         const struct dl__accessor_kind *kind)
{
    return use(
        u, n, p->root,
        (struct dl__accessor){.kind = kind,
                              .from = p->root->is_part ? p->root->element_type : NULL,
                              .steps = p->steps,
                              .step_count = p->step_count,
                              .type = p->type},
        NULL);
}

const struct dl__accessor *dl__use_element(struct dl__unit *u, struct dl__node *n,
                                           const struct dl__root *root,
                                           const struct dl__accessor_kind *kind)
{
    const struct dl__field *row = root->element->fields;
    struct dl__step steps[2] = {{row, row->type}, {NULL, root->element_type}};

    return use(
        u, n, root,
        (struct dl__accessor){
            .kind = kind, .steps = steps, .step_count = 2, .type = root->element_type},
        NULL);
}

const struct dl__accessor *dl__use_vector(struct dl__unit *u, struct dl__node *n,
                                          const struct dl__access *p,
                                          const struct dl__accessor_kind *kind,
                                          const struct dl__type *type,
                                          const struct dl__vector_form *form)
{
    bool is_run = p->root->is_part && form->is_run;

    if ((p->root->is_part || p->root->is_far) && !form->is_block && !is_run)
        dl__refuse(u, n->begin,
                   p->root->is_part ? "'%s' takes a pointer to a part of '%s'"
                                    : "'%s' takes a pointer into either '%s'",
                   form->builtin, p->root->name);
    return use(u, n, p->root,
               (struct dl__accessor){.kind = kind,
                                     .from = is_run ? p->root->element_type : NULL,
                                     .steps = p->steps,
                                     .step_count = p->step_count,
                                     .type = type},
               form);
}

/* ---- Pointers to one leaf: they stay pointers. ---- */

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

bool dl__is_leaf_pointer(struct dl__unit *u, struct dl__node *n)
{
    struct dl__variable *v;
    struct dl__access place;
    struct dl__node *inner = dl__strip_casts(n);
    uint32_t bytes;

    v = dl__variable_of(u, inner);
    if (v && v->kind == DL__LEAF) {
        bytes = v->leaf_bytes;
    } else if (inner->kind == DL__N_UNARY && dl__op_is(inner, "&") &&
               dl__find_place(u, inner->children[0], &place) &&
               (place.type->kind == DL__T_SCALAR || place.type->kind == DL__T_VECTOR)) {
        bytes = place.type->bytes;
    } else {
        return false;
    }
    for (struct dl__node *at = n; at != inner; at = at->children[0]) {
        const struct dl__type *type = dl__type_of(u, at);

        if (type->kind != DL__T_POINTER)
            return false;
        if (type->element->bytes != bytes)
            dl__refuse(u, at->begin, "a member is viewed as elements of another size");
    }
    return true;
}

void dl__edit_leaf_pointer(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__type *type = dl__type_of(u, n);
    bool reads_only = type->kind == DL__T_POINTER && type->element->is_const;
    struct dl__access place;

    n = dl__strip_casts(n);
    if (n->kind == DL__N_NAME)
        return;
    dl__find_place(u, n->children[0], &place);
    place.root->written |= !reads_only;
    place.root->form->edit_address(u, n, &place);
}

/* ---- what a function does with a pointer ---- */

enum { DEPTH_MAX = 8 };

/* A pointer in a function: so many bytes behind the begin of a leaf. */
struct reach {
    struct dl__unit *inside; /* for questions about the function's nodes */
    struct dl__function *f;
    size_t declared_at;
    int64_t at;
    uint32_t leaf_bytes;
    unsigned depth; /* of helpers and variables */
};

static bool stays_inside(const struct reach *r, struct dl__node *n);

static bool is_inside(const struct reach *r, int64_t at, const struct dl__type *type)
{
    return type->bytes && at >= 0 && at + type->bytes <= r->leaf_bytes;
}

static bool parameter_stays_inside(const struct reach *from, struct dl__function *f,
                                   size_t parameter, int64_t at)
{
    struct reach r = {
        .f = f, .at = at, .leaf_bytes = from->leaf_bytes, .depth = from->depth + 1};

    if (!f->is_defined || parameter >= f->parameter_count || r.depth > DEPTH_MAX)
        return false;
    r.declared_at = f->parameters[parameter].name_at;
    r.inside = DL__NEW(from->inside->tracker->arena, struct dl__unit);
    r.inside->tracker = from->inside->tracker;
    r.inside->function = f;
    return stays_inside(&r, dl__ast_body(r.inside->tracker->ast, f));
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
    return f ? parameter_stays_inside(r, f, number - 1, at)
             : call->name && dl__touches_one_leaf(call->name) &&
                   is_inside(r, at, element);
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
            if (type->kind != DL__T_POINTER)
                return false;
        } else if (up->kind == DL__N_UNARY && dl__op_is(up, "*")) {
            return is_inside(r, at, element);
        } else if (up->kind == DL__N_SUBSCRIPT && up->children[0] == n) {
            if (!dl__constant_of(r->inside, up->children[1], &step) ||
                step > r->leaf_bytes || step < -(int64_t)r->leaf_bytes)
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
            if (!dl__constant_of(r->inside, up->children[1], &step) ||
                step > r->leaf_bytes || step < -(int64_t)r->leaf_bytes)
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

bool dl__parameter_touches_one_leaf(struct dl__unit *u, struct dl__function *f,
                                    size_t parameter)
{
    struct reach r = {.inside = u};

    if (parameter >= f->parameter_count ||
        f->parameters[parameter].type->kind != DL__T_POINTER)
        return false;
    r.leaf_bytes = f->parameters[parameter].type->element->bytes;
    return parameter_stays_inside(&r, f, parameter, 0);
}
