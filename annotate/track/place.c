/* SPDX-License-Identifier: MIT */
/* Where an expression points: into which buffer, struct and member. */
#include "annotate/track/place.h"

#include <stdlib.h>
#include <string.h>

#include "annotate/text/lex.h"
#include "annotate/track/form.h"

static struct dl__root *root_of_call(struct dl__unit *u, struct dl__node *n);

/* Pointers that are two indices are no dl_far: of rows of a constant width they are one,
 * of elements. */
static const struct dl__form *far_form(const struct dl__root *root)
{
    return root->form->far && root->element->fields->type->count > 1 ? root->form->far
                                                                     : root->form;
}

bool dl__far_are_alike(const struct dl__root *a, const struct dl__root *b)
{
    return far_form(a) == far_form(b) && !far_form(a)->edit_base &&
           a->element == b->element && a->space == b->space &&
           (a->space & ~(unsigned)DL__VOLATILE) == DL__GLOBAL && !a->is_part &&
           !b->is_part;
}

struct dl__root *dl__far_of(struct dl__unit *u, struct dl__root *a, struct dl__root *b)
{
    struct dl__root *far = u->far;

    if (!dl__far_are_alike(a, b))
        return NULL;
    while (far && !dl__far_are_alike(far, a))
        far = far->next_part;
    if (far)
        return far;
    far = DL__NEW(u->tracker->arena, struct dl__root);
    *far = *a;
    far->form = far_form(a);
    far->name = dl__format(u, "%s' or '%s", a->name, b->name);
    far->is_far = true;
    far->has_index = true;
    far->written = false;
    far->first = far->owner = far->parts = NULL;
    far->next_part = u->far;
    u->far = far;
    for (size_t i = 0; i < u->root_count; i++)
        u->roots[i].is_joined |= dl__far_are_alike(&u->roots[i], far);
    return far;
}

const char *dl__far_name(struct dl__unit *u, struct dl__node *n)
{
    struct dl__node *at = dl__strip_casts(n);
    struct dl__variable *v = dl__variable_of(u, at);
    struct dl__access place;

    if (v)
        return v->kind == DL__ROOT ? dl__format(u, "dl_far_%s", v->name) : v->name;
    if (at->kind == DL__N_UNARY && dl__op_is(at, "&") &&
        dl__find_place(u, at->children[0], &place) && !place.step_count)
        return dl__far_name(u, place.pointer);
    if (at->kind == DL__N_COMPOUND || dl__is_step(at))
        return dl__far_name(u, at->children[0]);
    if (at->kind == DL__N_BINARY && (dl__op_is(at, "+") || dl__op_is(at, "-")))
        return dl__far_name(u, at->children[!dl__root_of(u, at->children[0])]);
    dl__refuse(u, n->begin,
               "this pointer into '%s' is used before it is in a variable; set a pointer "
               "to it first",
               dl__root_of(u, n)->name);
}

/* ---- Pointers to arrays of a grid's elements. ---- */

/* Of a name. libclang shows the type of an array parameter as that array. */
static const struct dl__type *pointer_type(struct dl__unit *u, struct dl__node *n,
                                           const struct dl__variable *v)
{
    return v->kind == DL__ROOT ? u->function->parameters[v->root->parameter].type
                               : dl__type_of(u, n);
}

bool dl__is_array_pointer(struct dl__unit *u, struct dl__node *n,
                          const struct dl__variable *v)
{
    const struct dl__type *type = pointer_type(u, n, v);

    return type->kind == DL__T_POINTER && type->element->kind == DL__T_ARRAY;
}

static bool points_to_arrays(const struct dl__root *root, const struct dl__type *type)
{
    return root->extent_count && type->kind == DL__T_POINTER &&
           type->element->kind == DL__T_ARRAY &&
           dl__is_element(root, dl__array_innermost(type->element)) &&
           dl__array_innermost(type->element)->is_volatile ==
               ((root->space & DL__VOLATILE) != 0);
}

/* The buffer's argument behind casts, which is never changed; NULL: it is something else.
 */
static struct dl__root *argument_behind(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__variable *v;

    /* A cast's last child: the lengths in its type are children, too. */
    while (n->child_count &&
           (n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT || n->kind == DL__N_CAST))
        n = n->children[n->child_count - 1];
    v = n->kind == DL__N_NAME ? dl__variable_of(u, n) : NULL;
    return v && (v->kind == DL__ROOT || v->kind == DL__ARRAYS) && !v->root->has_index &&
                   !u->new_name
               ? v->root
               : NULL;
}

void dl__find_array_pointers(struct dl__unit *u, struct dl__node *n)
{
    if (n->kind == DL__N_VARIABLE && n->child_count) {
        struct dl__root *root = argument_behind(u, n->children[n->child_count - 1]);
        struct dl__node *declaration;

        if (root && points_to_arrays(root, dl__type_of(u, n)) &&
            !dl__is_changed(u, n->declared_at, &declaration)) {
            struct dl__variable *v = DL__NEW(u->tracker->arena, struct dl__variable);

            *v = (struct dl__variable){.kind = DL__ARRAYS,
                                       .declared_at = n->declared_at,
                                       .name = n->name,
                                       .root = root,
                                       .next = u->variables};
            u->variables = v;
        }
    }
    for (size_t i = 0; i < n->child_count; i++)
        dl__find_array_pointers(u, n->children[i]);
}

/* The place that all indices of such a pointer name; false: it is none. */
static bool find_array_place(struct dl__unit *u, struct dl__node *n,
                             struct dl__access *out)
{
    struct dl__node *hosts[DL_GRID_DIMS_MAX], *at = n;
    const struct dl__type *type = NULL;
    const struct dl__variable *v;
    size_t count = 0;

    while (at->kind == DL__N_SUBSCRIPT && at->child_count == 2 &&
           count < DL_GRID_DIMS_MAX) {
        hosts[count++] = at;
        at = dl__strip(at->children[0]);
    }
    v = count && at->kind == DL__N_NAME ? dl__variable_of(u, at) : NULL;
    if (!v || (v->kind != DL__ARRAYS && v->kind != DL__ROOT) || v->root->has_index ||
        !points_to_arrays(v->root, pointer_type(u, at, v)) ||
        dl__type_of(u, n)->kind == DL__T_ARRAY)
        return false;
    memset(out, 0, sizeof *out);
    out->root = v->root;
    out->pointer = at;
    out->type = v->root->element_type;
    for (type = pointer_type(u, at, v)->element; count; type = type->element) {
        struct dl__node *host = hosts[--count];

        out->array_index[out->array_count] = host->children[1];
        out->array_host[out->array_count] = host;
        out->array_step[out->array_count++] = type->bytes / out->type->bytes;
        if (type->kind != DL__T_ARRAY)
            return count == 0;
    }
    return false;
}

/* ---- Pointers that count bytes. ---- */

enum { LED_MAX = 8 };

/* Where such pointers are cast to. */
struct led {
    struct dl__unit *unit;
    const struct dl__type *to; /* NULL: nothing yet */
    size_t visited[LED_MAX];   /* variables */
    unsigned visited_count;
    bool only_returned; /* nothing else that is done with them is looked for */
};

static bool is_of_bytes(const struct dl__type *type)
{
    return type->kind == DL__T_POINTER && !type->element->is_volatile &&
           (type->element->kind == DL__T_OTHER || type->element->kind == DL__T_SCALAR ||
            type->element->kind == DL__T_VECTOR);
}

/* Goes no further: the bytes are copied as they lie, or looked for. */
static bool is_block_call(struct dl__unit *u, const struct dl__node *n)
{
    return n->name && !dl__ast_callee(u->tracker->ast, n) &&
           dl__is_in("async_work_group_copy async_work_group_strided_copy prefetch",
                     n->name, strlen(n->name));
}

static bool lead_from_variable(struct led *l, size_t declared_at);

static bool lead_to(struct led *l, const struct dl__type *type)
{
    if (type->kind != DL__T_STRUCT || type->is_volatile ||
        (l->to && l->to->identity != type->identity))
        return false;
    l->to = type;
    return true;
}

/* Goes from a pointer up to where it is one to structs again; false: something else is
 * done with it. */
static bool lead_from(struct led *l, struct dl__node *n)
{
    for (struct dl__node *p = n->parent; p; n = p, p = n->parent) {
        const struct dl__type *type = dl__type_of(l->unit, p);
        switch (p->kind) {
        case DL__N_PAREN:
        case DL__N_IMPLICIT:
        case DL__N_CAST:
            if (type->kind != DL__T_POINTER || !is_of_bytes(type))
                return type->kind == DL__T_POINTER && lead_to(l, type->element);
            continue;
        case DL__N_CONDITIONAL:
            if (n == p->children[0])
                return false;
            continue;
        case DL__N_BINARY:
            if (dl__op_is(p, "="))
                return n == p->children[0] ||
                       (dl__strip(p->children[0])->kind == DL__N_NAME &&
                        lead_from_variable(l, dl__strip(p->children[0])->declared_at));
            if ((!dl__op_is(p, "+") && !dl__op_is(p, "-")) || type->kind != DL__T_POINTER)
                return false;
            continue;
        case DL__N_COMPOUND:
            return n == p->children[0] && (dl__op_is(p, "+=") || dl__op_is(p, "-="));
        case DL__N_CALL:
            return is_block_call(l->unit, p);
        case DL__N_VARIABLE:
            return is_of_bytes(type) && lead_from_variable(l, p->declared_at);
        default:
            return false;
        }
    }
    return false;
}

static bool lead_from_mentions(struct led *l, struct dl__node *n, size_t declared_at)
{
    if (n->kind == DL__N_NAME && n->declared_at == declared_at && !lead_from(l, n))
        return false;
    for (size_t i = 0; i < n->child_count; i++)
        if (!lead_from_mentions(l, n->children[i], declared_at))
            return false;
    return true;
}

static bool lead_from_variable(struct led *l, size_t declared_at)
{
    for (unsigned i = 0; i < l->visited_count; i++)
        if (l->visited[i] == declared_at)
            return true;
    if (declared_at == SIZE_MAX || l->visited_count == LED_MAX)
        return false;
    l->visited[l->visited_count++] = declared_at;
    return lead_from_mentions(l, dl__ast_body(l->unit->tracker->ast, l->unit->function),
                              declared_at);
}

const struct dl__type *dl__bytes_lead_to(struct dl__unit *u, size_t declared_at)
{
    struct led l = {.unit = u};

    return lead_from_variable(&l, declared_at) ? l.to : NULL;
}

static bool may_count_bytes(const struct dl__root *root)
{
    return root->form->null && root->element_type->kind == DL__T_STRUCT &&
           !root->is_part && !root->extent_count;
}

/* True of a cast of a pointer into the buffer to one of bytes, which leads back. */
static bool leads_back(struct dl__unit *u, struct dl__node *n,
                       const struct dl__root *root)
{
    struct led l = {.unit = u, .to = root->element_type};

    return may_count_bytes(root) && is_of_bytes(dl__type_of(u, n)) && lead_from(&l, n);
}

bool dl__is_led_back(struct dl__unit *u, const struct dl__variable *v,
                     const struct dl__root *root)
{
    const struct dl__type pointer = {.kind = DL__T_POINTER, .element = v->pointee};
    struct led l = {.unit = u, .to = root->element_type};

    return may_count_bytes(root) && is_of_bytes(&pointer) &&
           lead_from_variable(&l, v->declared_at);
}

uint32_t dl__bytes_counted(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__root *root = dl__root_of(u, n);
    const struct dl__type *type = dl__type_of(u, n);

    if (!root || !may_count_bytes(root) || !is_of_bytes(type))
        return 0;
    return type->element->kind == DL__T_OTHER ? 1 : type->element->bytes;
}

/* ---- How far a function, or a builtin, reaches from a pointer that it is given. ---- */

enum { REACH_DEPTH_MAX = 8 };

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

    if (!f->is_defined || parameter >= f->parameter_count || r.depth > REACH_DEPTH_MAX)
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
    return inner.depth <= REACH_DEPTH_MAX &&
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
        if (dl__is_pointed_component(r->inside, up))
            return is_inside(r, at, element);
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

bool dl__parameter_touches_one_leaf(struct dl__unit *u, struct dl__function *f,
                                    size_t parameter)
{
    return takes_pointer(f, parameter) &&
           stays(u, f, parameter, f->parameters[parameter].type->element->bytes, true);
}

/* ---- Pointers to parts of structs. ---- */

static bool can_be_pointed_to(const struct dl__type *type)
{
    return type->name && (type->kind == DL__T_STRUCT || type->kind == DL__T_SCALAR ||
                          type->kind == DL__T_VECTOR);
}

/* The root of pointers to `type` in the structs of a root, to bytes of anything if
 * `is_bytes`; NULL: none can be followed. */
static struct dl__root *find_part(struct dl__unit *u, struct dl__root *root,
                                  const struct dl__type *type, bool is_bytes)
{
    struct dl__root *owner = root->owner ? root->owner : root, *part;

    if (!root->form->null || root->is_far || !can_be_pointed_to(type))
        return NULL;
    if (owner->is_part && dl__is_element(owner, type) && owner->is_bytes == is_bytes)
        return owner;
    for (part = owner->parts; part; part = part->next_part)
        if (dl__is_element(part, type) && part->is_bytes == is_bytes)
            return part;
    part = DL__NEW(u->tracker->arena, struct dl__root);
    *part = *owner;
    part->owner = owner;
    part->parts = NULL;
    part->next_part = owner->parts;
    owner->parts = part;
    part->element_type = type;
    part->is_part = true;
    part->is_bytes = is_bytes;
    part->is_single = false;
    part->written = false;
    return part;
}

static struct dl__root *part_of(struct dl__unit *u, struct dl__root *root,
                                const struct dl__type *type)
{
    return find_part(u, root, type, false);
}

struct dl__root *dl__root_as(struct dl__unit *u, struct dl__root *root,
                             const struct dl__type *type)
{
    static const struct dl__type octet = {
        .kind = DL__T_SCALAR, .bytes = 1, .name = "char", .scalar = 'i'};
    const struct dl__type *element = type->is_void ? &octet : type;

    if (dl__is_element(root, type))
        return root;
    if (!root->is_part || element->kind != DL__T_SCALAR || element->bytes != 1 ||
        element->scalar == 'b' || (type->is_volatile && !(root->space & DL__VOLATILE)))
        return NULL;
    return find_part(u, root, element, true);
}

/* Returns the bytes from a place on that lie in leaves as wide as it, one behind the
 * other, in the innermost struct or array that it is a part of. */
static uint32_t alike_bytes(struct dl__unit *u, const struct dl__access *place)
{
    size_t last = place->step_count - 1, count, first = 0, end;
    const struct dl__type *around =
        last ? place->steps[last - 1].type : place->root->element_type;
    const struct dl__field *field = place->steps[last].field;
    uint32_t width = place->type->bytes;
    const char *reason;
    const struct dl_leaf *leaves;
    int64_t index = 0;

    if (!field)
        return around->kind == DL__T_ARRAY &&
                       (!place->step_index[last] ||
                        dl__constant_of(u, place->step_index[last], &index)) &&
                       index >= 0 && (uint64_t)index < around->count
                   ? (uint32_t)(around->count - (uint64_t)index) * width
                   : width;
    leaves = around->kind == DL__T_STRUCT
                 ? dl__struct_leaves(u->tracker->arena, around->identity, &count, &reason)
                 : NULL;
    if (!leaves)
        return width;
    while (first < count && leaves[first].offset_bytes < field->offset_bytes)
        first++;
    for (end = first; end < count && leaves[end].width_bytes == width &&
                      leaves[end].offset_bytes ==
                          field->offset_bytes + (uint32_t)(end - first) * width;)
        end++;
    return end > first ? (uint32_t)(end - first) * width : width;
}

/* True of a pointer to what can be followed byte by byte. */
static bool is_to_bytes(const struct dl__type *type)
{
    return type->kind == DL__T_POINTER &&
           (type->element->is_void ||
            (type->element->kind == DL__T_SCALAR && type->element->bytes == 1));
}

static bool is_used_as_array(struct led *l, struct dl__node *n, size_t declared_at);

/* True when a call reaches further than an element from a pointer that it is given. A
 * builtin's own pointer is found where that is called. */
static bool call_reaches_on(struct led *l, struct dl__node *call,
                            struct dl__node *argument)
{
    struct dl__function *f = dl__ast_callee(l->unit->tracker->ast, call);
    size_t number = 1;

    while (number < call->child_count && call->children[number] != argument)
        number++;
    if (!f)
        return call->name && dl__reaches_neighbours(call->name) &&
               dl__strip_casts(argument)->kind == DL__N_NAME;
    return number < call->child_count && takes_pointer(f, number - 1) &&
           !dl__reaches_neighbours(f->name) &&
           !dl__parameter_touches_one_leaf(l->unit, f, number - 1);
}

static bool variable_reaches_on(struct led *l, size_t declared_at)
{
    for (unsigned i = 0; i < l->visited_count; i++)
        if (l->visited[i] == declared_at)
            return false;
    if (declared_at == SIZE_MAX || l->visited_count == LED_MAX)
        return false;
    l->visited[l->visited_count++] = declared_at;
    return is_used_as_array(l, dl__ast_body(l->unit->tracker->ast, l->unit->function),
                            declared_at);
}

/* True when what a pointer to an array's element is made into reaches other elements of
 * it, or is returned by a copy: it is a pointer into the array. */
static bool reaches_on(struct led *l, struct dl__node *n)
{
    for (struct dl__node *p = n->parent; p; n = p, p = p->parent) {
        int64_t index;

        switch (p->kind) {
        case DL__N_PAREN:
        case DL__N_IMPLICIT:
        case DL__N_CAST:
            if (dl__type_of(l->unit, p)->kind != DL__T_POINTER)
                return false;
            continue;
        case DL__N_CONDITIONAL:
            if (n == p->children[0])
                return false;
            continue;
        case DL__N_SUBSCRIPT:
            return !l->only_returned && n == p->children[0] &&
                   !(dl__literal_of(l->unit, dl__strip(p->children[1]), &index) &&
                     index == 0);
        case DL__N_BINARY:
            if (dl__op_is(p, "="))
                return n == p->children[1] &&
                       dl__strip(p->children[0])->kind == DL__N_NAME &&
                       variable_reaches_on(l, dl__strip(p->children[0])->declared_at);
            return !l->only_returned && p->op[0] &&
                   dl__is_in("+ - < > <= >= == !=", p->op, strlen(p->op));
        case DL__N_COMPOUND:
            return !l->only_returned && n == p->children[0];
        case DL__N_UNARY:
            return !l->only_returned && dl__is_step(p);
        case DL__N_RETURN:
            return l->unit->new_name != NULL;
        case DL__N_VARIABLE:
            return variable_reaches_on(l, p->declared_at);
        case DL__N_CALL:
            return !l->only_returned && call_reaches_on(l, p, n);
        default:
            return false;
        }
    }
    return false;
}

static bool is_used_as_array(struct led *l, struct dl__node *n, size_t declared_at)
{
    if (n->kind == DL__N_NAME && n->declared_at == declared_at && reaches_on(l, n))
        return true;
    for (size_t i = 0; i < n->child_count; i++)
        if (is_used_as_array(l, n->children[i], declared_at))
            return true;
    return false;
}

/* True of `&place` of a scalar or vector that a copy returns, also in a variable. */
static bool is_returned(struct dl__unit *u, struct dl__node *n,
                        const struct dl__access *place)
{
    struct led l = {.unit = u, .only_returned = true};

    return (place->type->kind == DL__T_SCALAR || place->type->kind == DL__T_VECTOR) &&
           reaches_on(&l, n);
}

/* True of `&member[k]` where it is as `member + k`: what is made of it reaches others. */
static bool is_into_array(struct dl__unit *u, struct dl__node *n,
                          const struct dl__access *place)
{
    struct led l = {.unit = u};

    return (place->type->kind == DL__T_SCALAR || place->type->kind == DL__T_VECTOR) &&
           !place->steps[place->step_count - 1].field && reaches_on(&l, n);
}

/* True of `&place` of a scalar or vector that is given to a helper which reaches its
 * neighbours, as far as they are leaves as wide, or bytes of whatever lies there. */
static bool is_given_for_neighbours(struct dl__unit *u, struct dl__node *n,
                                    const struct dl__access *place)
{
    struct dl__node *argument = n, *call = n->parent;
    struct dl__function *f;
    size_t number = 1;
    bool is_cast = false;

    if (place->type->kind != DL__T_SCALAR && place->type->kind != DL__T_VECTOR)
        return false;
    for (; call && (call->kind == DL__N_PAREN || call->kind == DL__N_IMPLICIT ||
                    (call->kind == DL__N_CAST && is_to_bytes(dl__type_of(u, call))));
         call = call->parent) {
        is_cast |= call->kind == DL__N_CAST;
        argument = call;
    }
    f = call && call->kind == DL__N_CALL ? dl__ast_callee(u->tracker->ast, call) : NULL;
    while (f && number < call->child_count && call->children[number] != argument)
        number++;
    if (!f || number == call->child_count || dl__reaches_neighbours(f->name) ||
        !takes_pointer(f, number - 1))
        return false;
    if (is_to_bytes(f->parameters[number - 1].type) &&
        (place->type->bytes > 1 || f->parameters[number - 1].type->element->is_void))
        return true;
    return !is_cast && !dl__parameter_touches_one_leaf(u, f, number - 1) &&
           stays(u, f, number - 1, alike_bytes(u, place), false);
}

/* `&place` of a struct in a struct, or of a scalar for its neighbours, or an array member
 * where it is used as a pointer: its root. */
static struct dl__root *root_of_part(struct dl__unit *u, struct dl__node *n)
{
    struct dl__access place;

    if (n->kind == DL__N_UNARY)
        return dl__find_place(u, n->children[0], &place) && place.step_count &&
                       (place.type->kind == DL__T_STRUCT ||
                        is_given_for_neighbours(u, n, &place) ||
                        is_into_array(u, n, &place) || is_returned(u, n, &place))
                   ? part_of(u, place.root, place.type)
                   : NULL;
    return dl__type_of(u, n)->kind == DL__T_ARRAY && dl__find_place(u, n, &place) &&
                   place.type->kind == DL__T_ARRAY
               ? part_of(u, place.root, place.type->element)
               : NULL;
}

void dl__find_single_parts(struct dl__unit *u, struct dl__node *n)
{
    struct dl__access place;

    if (n->kind == DL__N_UNARY && dl__op_is(n, "&") && n->child_count &&
        dl__find_place(u, n->children[0], &place) && place.step_count &&
        place.steps[place.step_count - 1].field &&
        (place.type->kind == DL__T_STRUCT || is_returned(u, n, &place))) {
        struct dl__root *part = root_of_part(u, n);

        if (part)
            part->is_single = true;
    } else if (n->kind == DL__N_CALL) {
        root_of_call(u, n);
    }
    for (size_t i = 0; i < n->child_count; i++)
        dl__find_single_parts(u, n->children[i]);
}

const char *dl__root_base(struct dl__unit *u, const struct dl__root *root)
{
    const struct dl__root *owner = root->owner ? root->owner : root;

    if (!owner->is_part && !owner->is_cast)
        return owner->name;
    return dl__format(u, "(%s const %s *)%s", dl__space_name(owner->space),
                      dl__type_text(owner->element->name), owner->name);
}

/* ---- null pointers ---- */

bool dl__is_null(struct dl__unit *u, struct dl__node *n)
{
    int64_t value;

    n = dl__strip_casts(n);
    return n->kind == DL__N_OTHER && !n->child_count &&
           ((dl__literal_of(u, n, &value) && !value) || dl__begins_with(u, n, "NULL"));
}

void dl__edit_null(struct dl__unit *u, struct dl__node *n, const char *text)
{
    /* The compiler's own macro, which stands in the text as it is. */
    bool is_macro = dl__begins_with(u, n, "NULL");

    dl__replace(u, n->begin, is_macro ? n->begin + strlen("NULL") : n->end, text);
}

bool dl__can_be_set_to(struct dl__unit *u, const struct dl__root *root,
                       struct dl__node *n)
{
    struct dl__root *of = dl__root_of(u, n);

    return of ? of == root || (root->is_far && dl__far_of(u, of, of) == root) ||
                    (root->is_bytes && dl__root_as(u, of, root->element_type) == root)
              : root->form->null && dl__is_null(u, n);
}

/* Members that are seen as a vector: what a pointer of another type points to. */

bool dl__find_pointed(struct dl__unit *u, struct dl__node *inner, struct dl__access *out)
{
    const struct dl__root *root;

    if (inner->kind == DL__N_UNARY && dl__op_is(inner, "&") &&
        dl__find_place(u, inner->children[0], out) && out->step_count)
        return out->type->kind != DL__T_ARRAY && !out->root->is_part &&
               out->root->form->edit_arguments;
    root = dl__root_of(u, inner);
    return root && !root->is_part && root->form->edit_arguments &&
           dl__start_place(u, inner, NULL, NULL, out);
}

bool dl__find_view(struct dl__unit *u, struct dl__node *n, struct dl__view *out)
{
    const struct dl__access *p = &out->place;
    const struct dl__type *type;
    struct dl__node *cast;

    if (n->kind != DL__N_UNARY || !dl__op_is(n, "*") || n->child_count != 1)
        return false;
    cast = dl__strip(n->children[0]);
    type = dl__type_of(u, cast);
    if (cast->kind != DL__N_CAST || type->kind != DL__T_POINTER ||
        type->element->is_volatile ||
        !dl__find_pointed(u, dl__strip_casts(cast), &out->place))
        return false;
    out->value = out->lane = type->element;
    out->lanes = 1;
    if (out->value->kind == DL__T_VECTOR) {
        out->lane = out->value->element;
        out->lanes = (unsigned)out->value->count;
    }
    return out->lane->kind == DL__T_SCALAR && out->lane->name && out->value->name &&
           !(p->step_count && p->type->bytes == out->value->bytes &&
             p->type->kind != DL__T_STRUCT);
}

/* Pointers into buffers that helpers return: which parameters they come from. */

enum { DEPTH_MAX = 8, TRACED_MAX = 32 };

/* Where a function's pointers are traced back to. */
struct trace {
    struct dl__unit *unit;
    struct dl__function *function;
    unsigned depth;             /* of functions */
    bool as_they_are;           /* nothing is added to them, also where they are set */
    uint64_t parameters;        /* found so far, by bits */
    size_t visited[TRACED_MAX]; /* variables */
    unsigned visited_count;
};

static bool trace(struct trace *t, struct dl__node *n);
static uint64_t returned_parameters(struct dl__unit *u, struct dl__function *f,
                                    unsigned depth);

/* All that a variable is set to. */
static bool trace_variable(struct trace *t, struct dl__node *n, size_t declared_at)
{
    struct dl__node *to = n->child_count ? dl__strip(n->children[0]) : n;
    bool is_its = to != n && to->kind == DL__N_NAME && to->declared_at == declared_at;

    if (n->kind == DL__N_VARIABLE && n->declared_at == declared_at && n->child_count &&
        !trace(t, n->children[n->child_count - 1]))
        return false;
    if (is_its && n->kind == DL__N_BINARY && dl__op_is(n, "=") &&
        !trace(t, n->children[1]))
        return false;
    if (is_its && t->as_they_are &&
        (n->kind == DL__N_COMPOUND || dl__is_step(n) || dl__op_is(n, "&")))
        return false;
    for (size_t i = 0; i < n->child_count; i++)
        if (!trace_variable(t, n->children[i], declared_at))
            return false;
    return true;
}

static bool trace_name(struct trace *t, struct dl__node *n)
{
    for (size_t i = 0; i < t->function->parameter_count; i++) {
        if (t->function->parameters[i].name_at != n->declared_at)
            continue;
        t->parameters |= i < 64 ? (uint64_t)1 << i : 0;
        if (!t->as_they_are)
            return i < 64;
    }
    for (unsigned i = 0; i < t->visited_count; i++)
        if (t->visited[i] == n->declared_at)
            return true;
    if (n->declared_at == SIZE_MAX || t->visited_count == TRACED_MAX)
        return false;
    t->visited[t->visited_count++] = n->declared_at;
    return trace_variable(t, dl__ast_body(t->unit->tracker->ast, t->function),
                          n->declared_at);
}

/* The pointer that a place is reached through. */
static bool trace_place(struct trace *t, struct dl__node *n)
{
    struct dl__node *child;

    n = dl__strip(n);
    if (!n->child_count || (n->kind != DL__N_MEMBER && n->kind != DL__N_SUBSCRIPT &&
                            !(n->kind == DL__N_UNARY && dl__op_is(n, "*"))))
        return false;
    child = dl__strip(n->children[0]);
    if ((child->kind == DL__N_MEMBER || child->kind == DL__N_SUBSCRIPT ||
         child->kind == DL__N_UNARY) &&
        dl__type_of(t->unit, child)->kind != DL__T_POINTER)
        return trace_place(t, child);
    return trace(t, child);
}

static bool trace_call(struct trace *t, struct dl__node *n)
{
    struct dl__function *f = dl__ast_callee(t->unit->tracker->ast, n);
    uint64_t from =
        f && t->depth < DEPTH_MAX ? returned_parameters(t->unit, f, t->depth + 1) : 0;

    for (size_t i = 0; i + 1 < n->child_count && i < 64; i++)
        if (from >> i & 1 && !trace(t, n->children[i + 1]))
            return false;
    return from != 0;
}

static bool trace(struct trace *t, struct dl__node *n)
{
    if (dl__is_null(t->unit, n))
        return true;
    n = dl__strip_casts(n);
    if (t->as_they_are && n->kind != DL__N_NAME && n->kind != DL__N_CONDITIONAL)
        return false;
    switch (n->kind) {
    case DL__N_NAME:
        return trace_name(t, n);
    case DL__N_MEMBER:
    case DL__N_SUBSCRIPT:
        return dl__type_of(t->unit, n)->kind == DL__T_ARRAY && trace_place(t, n);
    case DL__N_UNARY:
        return n->child_count &&
               (dl__op_is(n, "&") ? trace_place(t, n->children[0])
                                  : dl__is_step(n) && trace(t, n->children[0]));
    case DL__N_CONDITIONAL:
        return n->child_count == 3 && trace(t, n->children[1]) &&
               trace(t, n->children[2]);
    case DL__N_CALL:
        return trace_call(t, n);
    case DL__N_BINARY:
        if (n->child_count != 2)
            return false;
        if (dl__op_is(n, "="))
            return trace(t, n->children[1]);
        if (!dl__op_is(n, "+") && !dl__op_is(n, "-"))
            return false;
        return trace(
            t, n->children[dl__type_of(t->unit, n->children[0])->kind == DL__T_SCALAR]);
    default:
        return false;
    }
}

static bool trace_returns(struct trace *t, struct dl__node *n)
{
    if (n->kind == DL__N_RETURN)
        return n->child_count && trace(t, n->children[0]);
    for (size_t i = 0; i < n->child_count; i++)
        if (!trace_returns(t, n->children[i]))
            return false;
    return true;
}

static uint64_t returned_parameters(struct dl__unit *u, struct dl__function *f,
                                    unsigned depth)
{
    struct trace t = {.unit = u, .function = f, .depth = depth};

    if (f->is_traced)
        return f->returned_parameters;
    if (!f->is_defined || f->result->kind != DL__T_POINTER)
        return 0;
    f->is_traced = true; /* what calls itself is not followed */
    if (trace_returns(&t, dl__ast_body(u->tracker->ast, f)))
        f->returned_parameters = t.parameters;
    return f->returned_parameters;
}

uint64_t dl__parameters_behind(struct dl__unit *u, struct dl__function *f,
                               struct dl__node *pointer)
{
    struct trace t = {.unit = u, .function = f};

    return trace(&t, pointer) ? t.parameters : 0;
}

bool dl__begins_each(struct dl__unit *u, struct dl__node *pointer)
{
    struct trace t = {.unit = u, .function = u->function, .as_they_are = true};

    return trace(&t, pointer);
}

/* The root of what `f` returns when its arguments have this root. */
static struct dl__root *root_returned(struct dl__unit *u, const struct dl__function *f,
                                      struct dl__root *root)
{
    const struct dl__type *type = f->result->element;

    if (!root->form->null || type->is_volatile)
        return NULL;
    if (dl__is_element(root, type))
        return root;
    return root->is_bytes ? NULL : part_of(u, root, type);
}

/* The arguments of a call that what it returns comes from. */
struct returned {
    struct dl__root *root; /* of all of them: one, or one of pointers into either */
    struct dl__node *argument;
    unsigned count;
    bool mixed; /* which can't be */
};

static void add_returned(struct dl__unit *u, struct returned *r, struct dl__root *root,
                         struct dl__node *argument)
{
    struct dl__root *far;

    if (!root)
        return;
    r->argument = argument;
    r->count++;
    if (!r->root || r->root == root) {
        r->root = root;
        return;
    }
    far = dl__far_of(u, r->root, root);
    r->mixed |= !far;
    r->root = far;
}

static struct returned returned_by_call(struct dl__unit *u, struct dl__node *n,
                                        const struct dl__function *f, uint64_t from)
{
    struct returned r = {0};

    for (size_t i = 0; f && i + 1 < n->child_count && i < 64 && !r.mixed; i++)
        if (from >> i & 1) {
            struct dl__root *root = dl__root_of(u, n->children[i + 1]);

            /* The copy has another root than the argument. */
            r.mixed |= root && root->is_part && i < f->parameter_count &&
                       f->parameters[i].type->kind == DL__T_POINTER &&
                       !dl__is_element(root, f->parameters[i].type->element);
            add_returned(u, &r, root, n->children[i + 1]);
        }
    return r;
}

/* True when a pointer that a function returns may be to a member that is not an array:
 * it, or one that it calls, has the address of one. */
static bool may_return_member(struct dl__unit *u, struct dl__node *n, unsigned depth)
{
    struct dl__function *f =
        n->kind == DL__N_CALL ? dl__ast_callee(u->tracker->ast, n) : NULL;

    if (n->kind == DL__N_UNARY && dl__op_is(n, "&") && n->child_count &&
        dl__strip(n->children[0])->kind == DL__N_MEMBER)
        return true;
    if (f && f->is_defined && f->result->kind == DL__T_POINTER &&
        (depth == DEPTH_MAX ||
         may_return_member(u, dl__ast_body(u->tracker->ast, f), depth + 1)))
        return true;
    for (size_t i = 0; i < n->child_count; i++)
        if (may_return_member(u, n->children[i], depth))
            return true;
    return false;
}

/* The root of a call whose function returns a pointer that comes from its arguments; NULL
 * for others. The copy of the function is held to that when it is tracked. */
static struct dl__root *root_of_call(struct dl__unit *u, struct dl__node *n)
{
    struct dl__function *f = dl__ast_callee(u->tracker->ast, n);
    struct returned r = returned_by_call(u, n, f, f ? returned_parameters(u, f, 0) : 0);
    struct dl__root *out;

    if (!r.root || r.mixed)
        return NULL;
    out = root_returned(u, f, r.root);
    if (r.root->is_far)
        return out == r.root ? out : NULL;
    /* As far as is known here. */
    if (out && out != r.root && !out->is_single)
        out->is_single = out->element_type->kind == DL__T_STRUCT ||
                         may_return_member(u, dl__ast_body(u->tracker->ast, f), 0);
    return out;
}

struct dl__node *dl__far_returned_argument(struct dl__unit *u, struct dl__node *n)
{
    struct dl__function *f = dl__ast_callee(u->tracker->ast, n);
    struct returned r = returned_by_call(u, n, f, f ? returned_parameters(u, f, 0) : 0);

    return r.count == 1 && r.root && r.root->is_far ? r.argument : NULL;
}

struct dl__root *dl__returned_root(struct dl__unit *u)
{
    struct dl__function *f = u->function;
    uint64_t from = returned_parameters(u, f, 0);
    struct returned r = {0};

    for (size_t i = 0; i < u->root_count && !r.mixed; i++)
        if (u->roots[i].parameter < 64 && from >> u->roots[i].parameter & 1)
            add_returned(u, &r, u->roots[i].first ? u->roots[i].first : &u->roots[i],
                         NULL);
    return r.root && !r.mixed ? root_returned(u, f, r.root) : NULL;
}

/* Places: an expression denotes a pointer to a struct of a buffer, a struct, or a part of
 * one. */

/* ---- element pointers ---- */

static bool points_into(struct dl__unit *u, struct dl__node *n,
                        const struct dl__root *root)
{
    const struct dl__type *type = dl__type_of(u, n);

    return type->kind == DL__T_POINTER && dl__is_element(root, type->element);
}

/* Of `c ? a : b`. */
static struct dl__root *root_of_either(struct dl__unit *u, struct dl__node *n)
{
    struct dl__root *left = dl__root_of(u, n->children[1]),
                    *right = dl__root_of(u, n->children[2]);

    if (left && right && left != right) {
        struct dl__root *far = dl__far_of(u, left, right);

        if (!far)
            dl__refuse(u, n->begin, "one pointer can point into '%s' and into '%s'",
                       left->name, right->name);
        return far;
    }
    if (left && !right && dl__can_be_set_to(u, left, n->children[2]))
        return left;
    if (right && !left && dl__can_be_set_to(u, right, n->children[1]))
        return right;
    return left && right ? left : NULL;
}

struct dl__root *dl__root_of(struct dl__unit *u, struct dl__node *n)
{
    struct dl__variable *v;
    struct dl__root *left;
    struct dl__access place;

    for (; (n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT) && n->child_count == 1;
         n = n->children[0])
        if (dl__is_pointed_component(u, n) || dl__is_boolean(u, n))
            return NULL;
    switch (n->kind) {
    case DL__N_NAME:
        v = dl__variable_of(u, n);
        return v && v->kind != DL__LEAF && v->kind != DL__ARRAYS &&
                       !dl__is_array_pointer(u, n, v)
                   ? v->root
                   : NULL;
    case DL__N_CAST:
        if (n->child_count != 1)
            return NULL;
        left = dl__root_of(u, n->children[0]);
        if (!left || dl__type_of(u, n)->kind != DL__T_POINTER)
            return NULL;
        return points_into(u, n, left) || leads_back(u, n, left)
                   ? left
                   : dl__root_as(u, left, dl__type_of(u, n)->element);
    case DL__N_UNARY:
        if (dl__is_step(n))
            return dl__root_of(u, n->children[0]);
        if (!dl__op_is(n, "&"))
            return NULL;
        if (dl__find_place(u, n->children[0], &place) && place.array_count)
            return NULL;
        if (dl__find_place(u, n->children[0], &place) && !place.step_count)
            return place.root;
        return root_of_part(u, n);
    case DL__N_CALL:
        return root_of_call(u, n);
    case DL__N_MEMBER:
    case DL__N_SUBSCRIPT:
        v = dl__variable_of(u, n);
        return v ? v->root : root_of_part(u, n);
    case DL__N_COMPOUND:
        return dl__root_of(u, n->children[0]);
    case DL__N_BINARY:
        if (dl__op_is(n, "="))
            return dl__root_of(u, n->children[0]);
        if (dl__op_is(n, "+") || dl__op_is(n, "-")) {
            /* Not the difference of two pointers. libclang shows the type of what was
             * declared as an array parameter as that array. */
            if (dl__type_of(u, n)->kind == DL__T_SCALAR)
                return NULL;
            left = dl__root_of(u, n->children[0]);
            return left ? left : dl__root_of(u, n->children[1]);
        }
        return NULL;
    case DL__N_CONDITIONAL:
        if (n->child_count != 3)
            return NULL;
        return root_of_either(u, n);
    default:
        return NULL;
    }
}

bool dl__is_base(struct dl__unit *u, struct dl__node *n)
{
    struct dl__variable *v = dl__variable_of(u, dl__strip(n));

    return v && v->kind == DL__ROOT && !v->root->has_index && !dl__is_moved_member(u, n);
}

/* ---- places ---- */

static bool add_step(struct dl__unit *u, struct dl__access *p, struct dl__node *n,
                     const struct dl__field *field, const struct dl__type *type,
                     struct dl__node *index)
{
    struct dl__step step = {field, type};

    if (p->step_count == sizeof p->steps / sizeof *p->steps)
        dl__refuse(u, n->begin, "members are nested too deeply");
    p->step_index[p->step_count] = index;
    p->step_host[p->step_count] = n;
    p->steps[p->step_count++] = step;
    p->type = type;
    return true;
}

/* Steps to a field by name, through anonymous members. */
static bool step_to(struct dl__unit *u, struct dl__access *p, struct dl__node *n,
                    const struct dl__struct *s, const char *name)
{
    for (size_t i = 0; i < s->field_count; i++) {
        const struct dl__field *field = &s->fields[i];

        if (!strcmp(field->name, name))
            return add_step(u, p, n, field, field->type, NULL);
        if (!field->name[0] && field->type->kind == DL__T_STRUCT) {
            struct dl__access saved = *p;

            add_step(u, p, n, field, field->type, NULL);
            if (step_to(u, p, n, field->type->identity, name))
                return true;
            *p = saved;
        }
    }
    return false;
}

/* An array member where it is used as a pointer. */
static bool find_array(struct dl__unit *u, struct dl__node *n, struct dl__access *out)
{
    n = dl__strip(n);
    return (n->kind == DL__N_MEMBER || n->kind == DL__N_SUBSCRIPT) &&
           dl__type_of(u, n)->kind == DL__T_ARRAY && dl__find_place(u, n, out) &&
           out->type->kind == DL__T_ARRAY;
}

bool dl__start_place(struct dl__unit *u, struct dl__node *pointer, struct dl__node *host,
                     struct dl__node *index, struct dl__access *out)
{
    struct dl__root *root = dl__root_of(u, pointer);

    if (!root)
        return false;
    memset(out, 0, sizeof *out);
    out->root = root;
    out->pointer = pointer;
    out->index = index;
    out->index_host = host;
    out->type = root->element_type;
    return true;
}

bool dl__find_place(struct dl__unit *u, struct dl__node *n, struct dl__access *out)
{
    struct dl__node *child;

    while (n->kind == DL__N_PAREN && n->child_count == 1)
        n = n->children[0];
    if (n->child_count == 0)
        return false;
    child = n->children[0];
    switch (n->kind) {
    case DL__N_MEMBER:
        if (dl__type_of(u, child)->kind == DL__T_POINTER || dl__root_of(u, child)) {
            if (find_array(u, child, out)) {
                add_step(u, out, n, NULL, out->type->element, NULL);
            } else if (!dl__start_place(u, child, NULL, NULL, out)) {
                return false;
            }
        } else if (!dl__find_place(u, child, out)) {
            return false;
        }
        return out->type->kind == DL__T_STRUCT &&
               step_to(u, out, n, out->type->identity, n->name);
    case DL__N_SUBSCRIPT:
        if (n->child_count != 2)
            return false;
        if (find_array_place(u, n, out))
            return true;
        if (find_array(u, child, out))
            return add_step(u, out, n, NULL, out->type->element, n->children[1]);
        return dl__start_place(u, child, n, n->children[1], out);
    case DL__N_UNARY:
    case DL__N_IMPLICIT:
        if (n->kind == DL__N_UNARY ? !dl__op_is(n, "*") : !dl__is_pointed_component(u, n))
            return false;
        if (find_array(u, child, out))
            return add_step(u, out, n, NULL, out->type->element, NULL);
        return dl__start_place(u, child, NULL, NULL, out);
    default:
        return false;
    }
}

/* ---- Pointers to leaves, and the accessors that places use. ---- */

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
            dl__type_has_pointer(wanted.type)
                ? "a pointer that is kept in '%s' is read, written or copied"
            : root->is_part && wanted.type->name
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
                              .is_byte = p->root->is_bytes,
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
