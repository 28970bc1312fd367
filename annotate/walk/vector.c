/* SPDX-License-Identifier: MIT */
/* Calls that reach elements through vload, vstore, casts to other types, and block
 * copies. */

#include <stdlib.h>
#include <string.h>

#include "annotate/forms/index.h"
#include "annotate/track/leaf_pointer.h"

static void edit_view_pointer(struct dl__unit *u, struct dl__node *pointer,
                              const struct dl__access *place);

/* ---- the builtins ---- */

static bool parse_builtin(struct dl__unit *u, const char *name,
                          struct dl__vector_form *out, bool *stores)
{
    static const char *const roundings[] = {"_rte", "_rtz", "_rtp", "_rtn"};
    const char *at = name, *half = "";
    bool known;

    memset(out, 0, sizeof *out);
    out->builtin = name;
    out->lanes = 1;
    *stores = !strncmp(name, "vstore", 6);
    if (!*stores && strncmp(name, "vload", 5))
        return false;
    at += *stores ? 6 : 5;
    if (!strncmp(at, "_half", 5)) {
        half = *stores ? "vstore_half" : "vload_half";
        at += 5;
    }
    if (*at >= '0' && *at <= '9') {
        char *end;

        out->lanes = (unsigned)strtoul(at, &end, 10);
        at = end;
    }
    known = !*at && (*half || out->lanes > 1);
    for (size_t i = 0; i < sizeof roundings / sizeof *roundings; i++)
        known |= *half && *stores && !strcmp(at, roundings[i]);
    if (*half)
        out->lane_builtin = dl__format(u, "%s%s", half, at);
    return known && out->lanes <= 16;
}

/* A literal or enumerator that is not negative. */
static bool is_literal(const struct dl__unit *u, struct dl__node *n, uint64_t *out)
{
    int64_t value;

    if (!dl__literal_of(u, dl__strip(n), &value) || value < 0)
        return false;
    *out = (uint64_t)value;
    return true;
}

/* ---- where the pointer points ---- */

/* A run of elements: an array member, from an element on. */
struct run {
    struct dl__access place; /* without the array's last index */
    struct dl__node *index;  /* NULL: 0 */
    size_t index_begin, index_end;
    const struct dl__type *element;
};

static bool is_array_place(struct dl__unit *u, struct dl__node *n, struct dl__access *out)
{
    n = dl__strip(n);
    return dl__find_place(u, n, out) && out->type->kind == DL__T_ARRAY;
}

/* `array`, `array + index`, `&array[index]`. */
static bool find_run(struct dl__unit *u, struct dl__node *n, struct run *out)
{
    struct dl__access *p = &out->place;

    memset(out, 0, sizeof *out);
    n = dl__strip(n);
    if (is_array_place(u, n, p)) {
        out->element = p->type->element;
    } else if (n->kind == DL__N_BINARY && dl__op_is(n, "+") && n->child_count == 2 &&
               is_array_place(u, n->children[0], p)) {
        out->element = p->type->element;
        out->index = n->children[1];
        out->index_begin = dl__skip(u, n->children[0]->end);
        if (dl__text_at(u, out->index_begin) != '+')
            dl__refuse(u, n->begin, "this expression's extent is not understood");
        out->index_begin = dl__skip(u, out->index_begin + 1);
        out->index_end = n->end;
    } else if (n->kind == DL__N_UNARY && dl__op_is(n, "&") &&
               dl__find_place(u, n->children[0], p) && p->step_count &&
               !p->steps[p->step_count - 1].field) {
        out->element = p->type;
        p->step_count--;
        out->index = p->step_index[p->step_count];
        if (out->index)
            dl__bracket_range(u, p->step_host[p->step_count], &out->index_begin,
                              &out->index_end);
    } else {
        return false;
    }
    return out->element->kind == DL__T_SCALAR && p->root->form->edit_arguments;
}

/* Elements that lie side by side from the start of the array that the run is in; arrays
 * of arrays go on, and `*start` counts what lies before it. False when an index is not
 * known. */
static bool measure_run(const struct dl__unit *u, const struct run *run, uint64_t *start,
                        uint64_t *count)
{
    const struct dl__access *p = &run->place;
    uint64_t index = 0, row = 1;
    bool known = !run->index || is_literal(u, run->index, &index);
    size_t i = p->step_count;

    *start = index;
    /* The array's type stands after the last step kept, or is that of the whole place. */
    *count = p->steps[i - 1].type->count;
    /* Of a union, rows may be leaves. */
    if (dl__place_crosses_union(p))
        return known;
    while (i > 1 && !p->steps[i - 1].field) {
        row = p->steps[i - 1].type->count;
        for (const struct dl__type *t = p->steps[i - 1].type->element;
             t->kind == DL__T_ARRAY; t = t->element)
            row *= t->count;
        index = 0;
        known &= !p->step_index[i - 1] || is_literal(u, p->step_index[i - 1], &index);
        *start += index * row;
        *count = row * p->steps[i - 2].type->count;
        i--;
    }
    return known;
}

/* ---- rewriting ---- */

static void rename_call(struct dl__unit *u, struct dl__node *n,
                        const struct dl__access *p, bool stores,
                        const struct dl__type *type, const struct dl__vector_form *form)
{
    const struct dl__accessor *a =
        dl__use_vector(u, n, p, stores ? &dl__scatter : &dl__gather, type, form);

    dl__replace(u, n->children[0]->begin, n->children[0]->end, a->name);
}

static void edit_run_pointer(struct dl__unit *u, struct dl__node *pointer,
                             const struct run *run)
{
    const char *separator;
    size_t at = run->place.root->form->edit_arguments(
        u, pointer, &run->place, dl__format(u, "%s, ", dl__root_base(u, run->place.root)),
        &separator);

    if (run->index) {
        dl__replace(u, at, run->index_begin, dl__format(u, "%s, (", separator));
        dl__walk(u, run->index);
        separator = ")";
        at = run->index_end;
    } else {
        separator = dl__format(u, "%s, 0", separator);
    }
    dl__replace(u, at, pointer->end,
                dl__format(u, "%s DL_ARGS(%s)", separator, run->place.root->name));
}

/* `(float *)&place` of one leaf, which stays in one piece: the builtin stays, too. */
static bool is_within_leaf(struct dl__unit *u, struct dl__node *inner, uint64_t lanes_end,
                           const struct dl__type *view)
{
    struct dl__access place;

    return inner->kind == DL__N_UNARY && dl__op_is(inner, "&") &&
           dl__find_place(u, inner->children[0], &place) && place.step_count &&
           (place.type->kind == DL__T_VECTOR || place.type->kind == DL__T_SCALAR) &&
           lanes_end * view->bytes <= place.type->bytes;
}

static void edit_one_leaf_pointer(struct dl__unit *u, struct dl__node *pointer,
                                  struct dl__node *inner, bool stores)
{
    struct dl__access place;
    bool written;

    dl__find_place(u, inner->children[0], &place);
    written = place.root->written;
    dl__edit_leaf_pointer(u, pointer);
    place.root->written = written || stores;
}

/* ---- calls ---- */

struct call {
    struct dl__node *n, *offset, *pointer;
    struct dl__node *inner; /* the pointer without casts */
    const struct dl__type *view;
    struct dl__vector_form form;
    bool stores;
};

/* False when the call is not a vload or vstore. */
static bool read_call(struct dl__unit *u, struct dl__node *n, struct call *out)
{
    const struct dl__type *type;

    out->n = n;
    if (!parse_builtin(u, n->name, &out->form, &out->stores) ||
        n->child_count != (out->stores ? 4u : 3u))
        return false;
    out->pointer = n->children[n->child_count - 1];
    out->offset = n->children[n->child_count - 2];
    out->inner = dl__strip_casts(out->pointer);
    type = dl__type_of(u, out->pointer);
    if (type->kind != DL__T_POINTER || type->element->kind != DL__T_SCALAR)
        return false;
    out->view = type->element;
    return true;
}

/* Checks what the elements of a buffer are seen as, and completes the form. */
static void check_view(struct dl__unit *u, struct call *c, const struct dl__root *root)
{
    struct dl__vector_form *form = &c->form;

    if (form->lane_builtin && dl__ast_declares(u->tracker->ast, form->lane_builtin))
        dl__refuse(u, c->n->begin, "the program has a function '%s' of its own",
                   form->lane_builtin);
    form->view = c->view->name;
    form->value = dl__type_of(u, c->stores ? c->n->children[1] : c->n)->name;
    if (!form->view || !form->value ||
        (form->lane_builtin && dl__struct_is_packed(u->tracker->arena, root->element)))
        dl__refuse(u, c->n->begin, "this use of '%s' is not understood", c->n->name);
}

static void check_bytes(struct dl__unit *u, const struct call *c,
                        const struct dl__type *element)
{
    if (element->kind != DL__T_SCALAR || element->bytes != c->view->bytes)
        dl__refuse(u, c->pointer->begin,
                   "a member is viewed as elements of another size");
}

static void walk_values(struct dl__unit *u, const struct call *c)
{
    if (c->stores)
        dl__walk(u, c->n->children[1]);
    dl__walk(u, c->offset);
}

/* vload_half and its like of one element: where that lies, the builtin does the rest. */
static void walk_element(struct dl__unit *u, const struct call *c, struct dl__root *root)
{
    struct dl__access place = {.root = root,
                               .pointer = c->inner,
                               .index = c->offset,
                               .index_host = c->n,
                               .type = root->element_type};
    const char *value = "";

    if (c->stores) {
        struct dl__node *data = c->n->children[1];

        value = dl__format(u, "%s, ", dl__rewritten(u, data, data->begin, data->end));
    }
    root->form->edit_element(u, c->n, &place,
                             dl__format(u, "%s(%s0, ", c->n->name, value), ")");
    root->written |= c->stores;
}

/* Of a flat buffer, where every element has an accessor. */
static void walk_elements(struct dl__unit *u, struct call *c, struct dl__root *root)
{
    struct dl__access place = {.root = root};

    check_bytes(u, c, root->element_type);
    check_view(u, c, root);
    if (c->form.lanes == 1 && dl__is_base(u, c->inner) &&
        !strcmp(c->view->name, root->element_type->name)) {
        walk_element(u, c, root);
        return;
    }
    c->form.any = dl__use_element(u, c->n, root, root->form->any);
    rename_call(u, c->n, &place, c->stores, root->element_type, &c->form);
    root->written |= c->stores;
    walk_values(u, c);
    root->form->edit_argument(u, c->inner, c->pointer->begin, c->pointer->end);
}

/* Of an array member. */
static void walk_run(struct dl__unit *u, struct call *c, const struct run *run)
{
    struct dl__access whole = run->place;
    uint64_t first = 0, start = 0, count = 0;
    bool is_known;

    check_bytes(u, c, run->element);
    if (!is_literal(u, c->offset, &first))
        dl__refuse(u, c->offset->begin, "the offset of '%s' is not constant", c->n->name);
    is_known = measure_run(u, run, &start, &count);
    if ((is_known ? start : 0) + (first + 1) * c->form.lanes > count)
        dl__refuse(u, c->n->begin, "'%s' reaches beyond the array", c->n->name);
    check_view(u, c, run->place.root);
    whole.steps[whole.step_count].field = NULL;
    whole.steps[whole.step_count++].type = run->element;
    rename_call(u, c->n, &whole, c->stores, run->element, &c->form);
    run->place.root->written |= c->stores;
    walk_values(u, c);
    edit_run_pointer(u, c->pointer, run);
}

/* From a pointer into an array member on, which stays in the array. */
static void walk_part_run(struct dl__unit *u, struct call *c, struct dl__root *root)
{
    struct dl__access place = {.root = root};

    check_bytes(u, c, root->element_type);
    c->form.is_run = true;
    check_view(u, c, root);
    if (dl__struct_is_packed(u->tracker->arena, root->element) ||
        (dl__struct_has_union(root->element) &&
         !dl__leaves_are_members(u->tracker->arena, root->element)))
        dl__refuse(u, c->n->begin, "'%s' takes a pointer to a part of '%s'", c->n->name,
                   root->name);
    rename_call(u, c->n, &place, c->stores, root->element_type, &c->form);
    root->written |= c->stores;
    walk_values(u, c);
    dl__replace(u, c->pointer->begin, c->inner->begin,
                dl__format(u, "%s, ", dl__root_base(u, root)));
    dl__part_edit(u, c->inner);
    dl__replace(u, c->inner->end, c->pointer->end,
                dl__format(u, " DL_ARGS(%s)", root->name));
}

/* Of members side by side. */
static void walk_members(struct dl__unit *u, struct call *c,
                         const struct dl__access *place)
{
    struct dl__vector_form *form = &c->form;
    uint32_t bytes = form->lanes * c->view->bytes;
    uint64_t first = 0;
    bool fits;

    form->across = true;
    form->by_struct = !is_literal(u, c->offset, &first);
    form->start_bytes = first <= UINT16_MAX ? (uint32_t)first * bytes : UINT32_MAX / 2;
    fits = dl__view_fits(u, place, form->start_bytes, form->lanes, c->view->bytes);
    if (form->by_struct && (place->step_count || bytes != place->root->element->bytes))
        dl__refuse(u, c->offset->begin, "the offset of '%s' is not constant", c->n->name);
    if (!fits)
        dl__refuse(u, c->n->begin,
                   "'%s' reaches members of '%s' that are not its elements one by one",
                   c->n->name, place->root->name);
    check_view(u, c, place->root);
    rename_call(u, c->n, place, c->stores, c->view, form);
    place->root->written |= c->stores;
    walk_values(u, c);
    edit_view_pointer(u, c->pointer, place);
}

bool dl__walk_vector_call(struct dl__unit *u, struct dl__node *n)
{
    struct dl__root *root;
    struct call call;
    uint64_t first;
    struct dl__access place;
    struct run run;

    if (!read_call(u, n, &call))
        return false;
    root = dl__root_of(u, call.inner);
    if (root && root->form->any) {
        walk_elements(u, &call, root);
    } else if (find_run(u, call.inner, &run)) {
        walk_run(u, &call, &run);
    } else if (is_literal(u, call.offset, &first) && first <= 16 &&
               is_within_leaf(u, call.inner, (first + 1) * call.form.lanes, call.view)) {
        if (call.stores)
            dl__walk(u, n->children[1]);
        edit_one_leaf_pointer(u, call.pointer, call.inner, call.stores);
    } else if (root && root->is_part && !root->is_single &&
               root->element_type->kind == DL__T_SCALAR) {
        walk_part_run(u, &call, root);
    } else if (dl__find_pointed(u, call.inner, &place)) {
        walk_members(u, &call, &place);
    } else {
        return false;
    }
    return true;
}

/* `*(float4 *)&f[i].x`: members side by side in the program's layout, read and
 * written as one vector, are gathered and scattered one by one. */

/* Rewrites the pointer of a vload or vstore, or of a view, to the arguments of its
 * accessor. */
static void edit_view_pointer(struct dl__unit *u, struct dl__node *pointer,
                              const struct dl__access *place)
{
    const char *separator, *name = place->root->name;
    size_t at;

    if (!place->step_count) {
        place->root->form->edit_argument(u, place->pointer, pointer->begin, pointer->end);
        return;
    }
    at = place->root->form->edit_arguments(
        u, pointer, place, dl__format(u, "%s, ", dl__root_base(u, place->root)),
        &separator);
    dl__replace(u, at, pointer->end, dl__format(u, "%s DL_ARGS(%s)", separator, name));
}

static const char *accessor_of(struct dl__unit *u, struct dl__node *n,
                               const struct dl__view *view, bool stores)
{
    struct dl__vector_form form = {.builtin = stores ? "view_store" : "view",
                                   .lanes = view->lanes,
                                   .view = view->lane->name,
                                   .value = view->value->name,
                                   .across = true,
                                   .value_last = stores};

    if (!dl__view_fits(u, &view->place, 0, view->lanes, view->lane->bytes))
        dl__refuse(u, n->begin, "members of '%s' are viewed as elements of another size",
                   view->place.root->name);
    return dl__use_vector(u, n, &view->place, stores ? &dl__scatter : &dl__gather,
                          view->lane, &form)
        ->name;
}

/* True where more than the value is wanted. */
static bool is_changed(const struct dl__node *n)
{
    const struct dl__node *p = n->parent;

    while (p && (p->kind == DL__N_PAREN || p->kind == DL__N_MEMBER ||
                 p->kind == DL__N_SUBSCRIPT ||
                 (p->kind == DL__N_IMPLICIT && p->child_count == 1))) {
        n = p;
        p = n->parent;
    }
    return p && (((dl__is_assignment(p) || p->kind == DL__N_SUBSCRIPT) &&
                  p->children[0] == n) ||
                 dl__is_step(p) || (p->kind == DL__N_UNARY && dl__op_is(p, "&")));
}

bool dl__walk_view(struct dl__unit *u, struct dl__node *n)
{
    struct dl__view view;
    struct dl__node *pointer;
    const char *name;

    if (!dl__find_view(u, n, &view))
        return false;
    if (is_changed(n))
        dl__refuse(u, n->begin,
                   "members of '%s' are changed through a pointer of another type; "
                   "read and write them in two statements",
                   view.place.root->name);
    name = accessor_of(u, n, &view, false);
    pointer = n->children[0];
    dl__replace(u, n->begin, pointer->begin, dl__format(u, "%s(0, ", name));
    edit_view_pointer(u, pointer, &view.place);
    dl__replace(u, n->end, n->end, ")");
    return true;
}

bool dl__walk_view_store(struct dl__unit *u, struct dl__node *n)
{
    struct dl__node *left = dl__strip(n->children[0]), *pointer;
    size_t equals = dl__skip(u, n->children[0]->end);
    struct dl__view view;
    const char *name;

    if (n->kind != DL__N_BINARY || !dl__op_is(n, "=") || !dl__find_view(u, left, &view) ||
        !dl__is_statement(n) || dl__text_at(u, equals) != '=')
        return false;
    name = accessor_of(u, n, &view, true);
    view.place.root->written = true;
    pointer = left->children[0];
    dl__replace(u, n->begin, pointer->begin, dl__format(u, "%s(0, ", name));
    edit_view_pointer(u, pointer, &view.place);
    dl__replace(u, pointer->end, dl__skip(u, equals + 1), ", ");
    dl__walk(u, n->children[1]);
    dl__replace(u, n->end, n->end, ")");
    return true;
}

/* async_work_group_copy between a buffer and local memory, which becomes a copy by
 * the work-group's items, unit by unit; and prefetch, which is dropped: where the
 * program's bytes lie in tiles, no line of them is what it wants. */

/* ---- where the pointer points ---- */

struct block {
    struct dl__node *n, *arg;
    struct dl__node *inner; /* the pointer without casts */
    struct dl__root *root;
    struct dl__access place;
    bool is_place; /* `&place` of a member */
    struct dl__vector_form form;
};

/* False: it does not point into a buffer. */
static bool find_pointer(struct dl__unit *u, struct dl__node *arg, struct block *out)
{
    struct dl__access *p = &out->place;

    memset(p, 0, sizeof *p);
    out->arg = arg;
    out->inner = dl__strip_casts(arg);
    out->is_place = out->inner->kind == DL__N_UNARY && dl__op_is(out->inner, "&") &&
                    dl__find_place(u, out->inner->children[0], p) && p->step_count;
    out->root = out->is_place ? p->root : dl__root_of(u, out->inner);
    return out->root != NULL;
}

/* ---- prefetch ---- */

static void edit_unused_pointer(struct dl__unit *u, struct block *b)
{
    if (b->is_place)
        dl__part_edit_place(u, b->inner, &b->place);
    else
        b->root->form->edit_index(u, b->inner, true);
}

static void walk_prefetch(struct dl__unit *u, struct dl__node *n, struct block *b)
{
    struct dl__node *count = n->children[2];

    if (dl__is_pure(u, b->arg) && dl__is_pure(u, count)) {
        dl__replace(u, n->begin, n->end, "(void)0");
        return;
    }
    if (!dl__is_pure(u, b->arg)) {
        if (!dl__is_of_structs(b->root))
            dl__refuse(u, n->begin,
                       "'prefetch' changes what its pointer into '%s' is made of; change "
                       "it in a statement of its own",
                       b->root->name);
        dl__replace(u, n->begin, b->inner->begin, "((void)(");
        edit_unused_pointer(u, b);
        dl__replace(u, b->inner->end, count->begin, "), (void)(");
    } else {
        dl__replace(u, n->begin, count->begin, "((void)(");
    }
    dl__walk(u, count);
    dl__replace(u, count->end, n->end, "))");
}

/* ---- copies ---- */

/* Of structs: the largest unit that divides what the program counts and all leaves. */
static unsigned unit_of(struct dl__unit *u, const struct block *b,
                        const struct dl__type *value)
{
    const struct dl__struct *element = b->root->element;
    unsigned unit = value->bytes > 16 ? 16 : value->bytes;
    const struct dl_leaf *leaves;
    const char *reason;
    size_t count;

    leaves = dl__struct_leaves(u->tracker->arena, element, &count, &reason);
    for (size_t i = 0; i < count; i++)
        while (leaves[i].offset_bytes % unit || leaves[i].width_bytes % unit)
            unit /= 2;
    return unit;
}

static void set_form(struct dl__unit *u, struct block *b, const struct dl__type *value)
{
    const struct dl__type *lane = value->kind == DL__T_VECTOR ? value->element : value;
    struct dl__vector_form *form = &b->form;

    form->is_block = true;
    form->builtin = b->n->name;
    form->by_struct = strstr(b->n->name, "strided") != NULL;
    form->value = value->name;
    if (b->root->form->any) {
        if (lane->bytes != b->root->element_type->bytes ||
            b->root->element_type->kind != DL__T_SCALAR)
            dl__refuse(u, b->arg->begin,
                       "a member is viewed as elements of another size");
        form->any = dl__use_element(u, b->n, b->root, b->root->form->any);
        form->view = dl__type_text(lane->name);
        form->lanes = value->bytes / lane->bytes;
    } else {
        form->across = true;
        form->start_bytes = unit_of(u, b, value);
        form->view = dl__units[form->start_bytes];
        form->lanes = value->bytes / form->start_bytes;
    }
}

/* Puts the buffer, what lies where in it, and what tiles need. */
static void edit_pointer(struct dl__unit *u, struct block *b)
{
    const char *far, *base, *last;
    bool is_part = b->is_place || b->root->is_part;

    if (b->root->form->any) {
        b->root->form->edit_argument(u, b->inner, b->arg->begin, b->arg->end);
        return;
    }
    far = b->root->is_far ? dl__far_name(u, b->is_place ? b->place.pointer : b->inner)
                          : NULL;
    base = far ? dl__far_base(u, b->root, far) : dl__root_base(u, b->root);
    last = dl__format(u, far ? "%s DL_FAR_ARGS(%s)" : "%s DL_ARGS(%s)",
                      is_part ? "" : ", 0)", far ? far : b->root->name);
    dl__replace(u, b->arg->begin, b->inner->begin,
                dl__format(u, "%s, %s", base, is_part ? "" : "dl_part_at("));
    if (b->is_place)
        dl__part_edit_place(u, b->inner, &b->place);
    else if (is_part)
        dl__part_edit(u, b->inner);
    else
        b->root->form->edit_index(u, b->inner, true);
    dl__replace(u, b->inner->end, b->arg->end, last);
}

static void walk_copy(struct dl__unit *u, struct dl__node *n, struct block *b,
                      bool stores)
{
    const struct dl__type *type = dl__type_of(u, b->arg), *value = type->element;
    struct dl__access whole = {.root = b->root};
    const struct dl__type *reached;

    if (type->kind != DL__T_POINTER || b->root->space == DL__CONSTANT || !value->name ||
        (value->kind != DL__T_SCALAR && value->kind != DL__T_VECTOR))
        dl__refuse(u, b->arg->begin, "a pointer into '%s' is passed to '%s'",
                   b->root->name, n->name);
    b->n = n;
    set_form(u, b, value);
    reached = b->root->form->any ? b->root->element_type : value;
    dl__replace(u, n->children[0]->begin, n->children[0]->end,
                dl__use_vector(u, n, &whole, stores ? &dl__block_out : &dl__block_in,
                               reached, &b->form)
                    ->name);
    b->root->written |= stores;
    for (size_t i = 1; i < n->child_count; i++) {
        if (n->children[i] == b->arg)
            edit_pointer(u, b);
        else
            dl__walk(u, n->children[i]);
    }
}

bool dl__walk_block_call(struct dl__unit *u, struct dl__node *n)
{
    bool strided = !strcmp(n->name, "async_work_group_strided_copy");
    struct block b = {0};

    if (!strcmp(n->name, "prefetch") && n->child_count == 3 &&
        find_pointer(u, n->children[1], &b)) {
        walk_prefetch(u, n, &b);
        return true;
    }
    if ((!strided && strcmp(n->name, "async_work_group_copy")) ||
        n->child_count != (strided ? 6u : 5u))
        return false;
    for (size_t i = 1; i <= 2; i++) {
        if (!find_pointer(u, n->children[i], &b))
            continue;
        walk_copy(u, n, &b, i == 1);
        return true;
    }
    return false;
}
