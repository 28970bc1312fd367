/* SPDX-License-Identifier: MIT */
/* The walk over a function: its variables, its body, and the copies that calls of it get.
 */
#include "annotate/walk/walk.h"

#include <stdlib.h>
#include <string.h>

#include "annotate/forms/forms.h"
#include "annotate/text/lex.h"

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

/* Rewrites the pointer of a vload or vstore, or of a view, to the arguments of its
 * accessor; returns where what follows them stands. */
static size_t edit_to_place(struct dl__unit *u, struct dl__node *pointer,
                            const struct dl__access *place, const char **separator)
{
    return place->root->form->edit_arguments(
        u, pointer, place, dl__format(u, "%s, ", dl__root_base(u, place->root)),
        separator);
}

static void edit_run_pointer(struct dl__unit *u, struct dl__node *pointer,
                             const struct run *run)
{
    const char *separator;
    size_t at = edit_to_place(u, pointer, &run->place, &separator);

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

static void edit_view_pointer(struct dl__unit *u, struct dl__node *pointer,
                              const struct dl__access *place)
{
    const char *separator;
    size_t at;

    if (!place->step_count) {
        place->root->form->edit_argument(u, place->pointer, pointer->begin, pointer->end);
        return;
    }
    at = edit_to_place(u, pointer, place, &separator);
    dl__replace(u, at, pointer->end,
                dl__format(u, "%s DL_ARGS(%s)", separator, place->root->name));
}

/* `(float *)&place` of one leaf, which stays in one piece: the builtin stays, too. */
static bool is_within_leaf(struct dl__unit *u, struct dl__node *inner, uint64_t lanes_end,
                           const struct dl__type *view, struct dl__access *place)
{
    return inner->kind == DL__N_UNARY && dl__op_is(inner, "&") &&
           dl__find_place(u, inner->children[0], place) && place->step_count &&
           (place->type->kind == DL__T_VECTOR || place->type->kind == DL__T_SCALAR) &&
           lanes_end * view->bytes <= place->type->bytes;
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

    if (form->lane_builtin && dl__ast_named(u->tracker->ast, form->lane_builtin, NULL))
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

/* Calls the accessor in place of the builtin; of its arguments the pointer is left. */
static void edit_call(struct dl__unit *u, const struct call *c,
                      const struct dl__access *place, const struct dl__type *type)
{
    const struct dl__accessor *a =
        dl__use_vector(u, c->n, place, c->stores ? &dl__kinds.scatter : &dl__kinds.gather,
                       type, &c->form);

    dl__replace(u, c->n->children[0]->begin, c->n->children[0]->end, a->name);
    place->root->written |= c->stores;
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
    edit_call(u, c, &place, root->element_type);
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
    edit_call(u, c, &whole, run->element);
    edit_run_pointer(u, c->pointer, run);
}

/* From a pointer into an array member on, which stays in the array. */
static void walk_part_run(struct dl__unit *u, struct call *c, struct dl__root *root)
{
    struct dl__access place = {.root = root};

    check_bytes(u, c, root->element_type);
    if (root->is_bytes)
        dl__refuse(u, c->n->begin, "'%s' takes a pointer to a part of '%s'", c->n->name,
                   root->name);
    c->form.is_run = true;
    check_view(u, c, root);
    if (dl__struct_is_packed(u->tracker->arena, root->element) ||
        (dl__struct_has_union(root->element) &&
         !dl__leaves_are_members(u->tracker->arena, root->element)))
        dl__refuse(u, c->n->begin, "'%s' takes a pointer to a part of '%s'", c->n->name,
                   root->name);
    edit_call(u, c, &place, root->element_type);
    dl__replace(u, c->pointer->begin, c->inner->begin,
                dl__format(u, "%s, ", dl__root_base(u, root)));
    dl__part_edit(u, c->inner);
    dl__replace(u, c->inner->end, c->pointer->end,
                dl__format(u, " DL_ARGS(%s)", root->name));
}

/* True when the elements from an offset in bytes after the place on are leaves or lie
 * inside leaves, whatever the place's indices are. */
static bool view_fits(struct dl__unit *u, const struct dl__access *place,
                      uint32_t start_bytes, unsigned lanes, uint32_t lane_bytes)
{
    const struct dl__struct *element = place->root->element;
    uint32_t at = 0, end = element->bytes;
    const struct dl_leaf *leaves;
    const char *reason;
    size_t count;

    if (dl__struct_is_packed(u->tracker->arena, element))
        return false;
    for (size_t i = 0; i < place->step_count; i++) {
        if (place->steps[i].field)
            at += place->steps[i].field->offset_bytes;
        else
            end = at + place->steps[i].type->bytes;
    }
    leaves = dl__struct_leaves(u->tracker->arena, element, &count, &reason);
    at += start_bytes;
    for (unsigned lane = 0; lane < lanes; lane++, at += lane_bytes) {
        struct dl_leaf leaf;

        if (at + lane_bytes > end)
            return false;
        leaf = dl__leaf_at(leaves, count, at);
        if (at < leaf.offset_bytes ||
            at + lane_bytes > leaf.offset_bytes + leaf.width_bytes)
            return false;
    }
    return true;
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
    fits = view_fits(u, place, form->start_bytes, form->lanes, c->view->bytes);
    if (form->by_struct && (place->step_count || bytes != place->root->element->bytes))
        dl__refuse(u, c->offset->begin, "the offset of '%s' is not constant", c->n->name);
    if (!fits)
        dl__refuse(u, c->n->begin,
                   "'%s' reaches members of '%s' that are not its elements one by one",
                   c->n->name, place->root->name);
    check_view(u, c, place->root);
    edit_call(u, c, place, c->view);
    edit_view_pointer(u, c->pointer, place);
}

/* Rewrites a place, which is all of `n`, to its address. */
static void edit_to_address(struct dl__unit *u, struct dl__node *n,
                            const struct dl__access *p)
{
    if (p->root->form->edit_element)
        p->root->form->edit_element(u, n, p, "", "");
    else
        p->root->form->edit_address(u, n, p);
}

static void edit_leaf_place(struct dl__unit *u, struct dl__node *n, bool reads_only)
{
    struct dl__access place;

    n = dl__strip_casts(n);
    if (n->kind == DL__N_CONDITIONAL) {
        dl__walk(u, n->children[0]);
        for (size_t i = 1; i <= 2; i++)
            if (!dl__is_null(u, n->children[i]))
                edit_leaf_place(u, n->children[i], reads_only);
        return;
    }
    if (n->kind == DL__N_NAME) {
        const struct dl__type *type = dl__type_of(u, n);

        /* Where the variable was set, nothing was written; which buffer it points into is
         * not kept. */
        for (size_t i = 0; i < u->root_count && type->kind == DL__T_POINTER; i++)
            u->roots[i].written |= type->element->is_const && !reads_only;
        return;
    }
    dl__find_place(u, n->children[0], &place);
    place.root->written |= !reads_only;
    edit_to_address(u, n, &place);
}

static void edit_leaf_pointer(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__type *type = dl__type_of(u, n);

    edit_leaf_place(u, n, type->kind == DL__T_POINTER && type->element->is_const);
}

/* Rewrites a vload or vstore on a buffer; false when the call is not such. */
static bool walk_vector_call(struct dl__unit *u, struct dl__node *n)
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
               is_within_leaf(u, call.inner, (first + 1) * call.form.lanes, call.view,
                              &place)) {
        bool written = place.root->written || call.stores;

        if (call.stores)
            dl__walk(u, n->children[1]);
        written |= place.root->written;
        edit_leaf_pointer(u, call.pointer);
        place.root->written = written;
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

/* Rewrites the view up to the end of its pointer. */
static void edit_view(struct dl__unit *u, struct dl__node *n, struct dl__node *pointer,
                      const struct dl__view *view, bool stores)
{
    struct dl__vector_form form = {.builtin = stores ? "view_store" : "view",
                                   .lanes = view->lanes,
                                   .view = view->lane->name,
                                   .value = view->value->name,
                                   .across = true,
                                   .value_last = stores};
    const struct dl__accessor *a;

    if (!view_fits(u, &view->place, 0, view->lanes, view->lane->bytes))
        dl__refuse(u, n->begin, "members of '%s' are viewed as elements of another size",
                   view->place.root->name);
    a = dl__use_vector(u, n, &view->place,
                       stores ? &dl__kinds.scatter : &dl__kinds.gather, view->lane,
                       &form);
    dl__replace(u, n->begin, pointer->begin, dl__format(u, "%s(0, ", a->name));
    edit_view_pointer(u, pointer, &view->place);
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

/* Rewrites `*(float4 *)pointer` where it is read; `... = value` where it is a statement.
 * False: the node is not such. */
static bool walk_view(struct dl__unit *u, struct dl__node *n)
{
    struct dl__view view;

    if (!dl__find_view(u, n, &view))
        return false;
    if (is_changed(n))
        dl__refuse(u, n->begin,
                   "members of '%s' are changed through a pointer of another type; "
                   "read and write them in two statements",
                   view.place.root->name);
    edit_view(u, n, n->children[0], &view, false);
    dl__replace(u, n->end, n->end, ")");
    return true;
}

static bool walk_view_store(struct dl__unit *u, struct dl__node *n)
{
    struct dl__node *left = dl__strip(n->children[0]), *pointer;
    size_t equals = dl__skip(u, n->children[0]->end);
    struct dl__view view;

    if (n->kind != DL__N_BINARY || !dl__op_is(n, "=") || !dl__find_view(u, left, &view) ||
        !dl__is_statement(n) || dl__text_at(u, equals) != '=')
        return false;
    pointer = left->children[0];
    view.place.root->written = true;
    edit_view(u, n, pointer, &view, true);
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
    if (out->root && out->root->is_bytes)
        dl__refuse(u, arg->begin, "a pointer into '%s' is passed to a copy by bytes",
                   out->root->name);
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
                dl__use_vector(u, n, &whole,
                               stores ? &dl__kinds.block_out : &dl__kinds.block_in,
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

/* Rewrites such a call on a buffer; false when the call is not one. */
static bool walk_block_call(struct dl__unit *u, struct dl__node *n)
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

/* ---- variables ---- */

/* Without parentheses and conversions; the whole where it is a component `v->x`. */
static struct dl__node *strip_pointer(struct dl__unit *u, struct dl__node *n)
{
    struct dl__node *at = n;

    for (;
         (at->kind == DL__N_PAREN || at->kind == DL__N_IMPLICIT) && at->child_count == 1;
         at = at->children[0])
        if (dl__is_pointed_component(u, at))
            return n;
    return at;
}

static struct dl__variable *add_variable(struct dl__unit *u, enum dl__variable_kind kind,
                                         size_t at, const char *name,
                                         struct dl__root *root)
{
    struct dl__variable *v = DL__NEW(u->tracker->arena, struct dl__variable);

    *v = (struct dl__variable){.kind = kind,
                               .declared_at = at,
                               .name = name,
                               .root = root,
                               .next = u->variables};
    u->variables = v;
    return v;
}

/* A private array of pointers that are set one by one. */
static bool is_pointer_array(struct dl__unit *u, const struct dl__node *n,
                             const struct dl__type *type)
{
    struct dl__lexer lexer =
        dl__lexer_at(u->tracker->ast->text, n->parent->begin, n->end);
    bool is_private = type->kind == DL__T_ARRAY && type->element->kind == DL__T_POINTER;
    struct dl__token t;

    while (is_private && (t = dl__lex_next(&lexer)).kind != DL__END)
        is_private = !dl__token_is(&t, "__local") && !dl__token_is(&t, "local") &&
                     !(dl__token_is(&t, "=") && t.offset > n->name_at);
    return is_private;
}

/* Adds the local pointers that may come to point into a buffer, without a root yet. */
static void find_candidates(struct dl__unit *u, struct dl__node *n)
{
    if (n->kind == DL__N_VARIABLE) {
        const struct dl__type *type = dl__type_of(u, n);
        bool is_array = is_pointer_array(u, n, type);

        for (size_t i = 0; i < u->root_count; i++)
            if (!strcmp(n->name, u->roots[i].name))
                dl__refuse(u, n->name_at, "the name '%s' is declared again", n->name);
        type = is_array ? type->element : type;
        for (size_t i = 0;
             i < u->root_count && type->kind == DL__T_POINTER && !type->is_shared; i++) {
            if (dl__is_element(&u->roots[i], type->element) || u->roots[i].form->null) {
                struct dl__variable *v =
                    add_variable(u, DL__INDEX, n->declared_at, n->name, NULL);

                v->pointee = type->element;
                v->is_array = is_array;
                break;
            }
        }
    }
    for (size_t i = 0; i < n->child_count; i++)
        find_candidates(u, n->children[i]);
}

static bool give_root(struct dl__unit *u, struct dl__variable *v, struct dl__node *source)
{
    struct dl__root *root = dl__root_of(u, source), *far;
    struct dl__node *chosen = dl__strip(source);

    /* best = c ? best : p: that the other is no other is seen when it is rewritten. */
    if (!root && chosen->kind == DL__N_CONDITIONAL && chosen->child_count == 3) {
        bool changed = give_root(u, v, chosen->children[1]);

        return give_root(u, v, chosen->children[2]) || changed;
    }
    /* C lets a pointer become one of another type. */
    if (root && !dl__is_element(root, v->pointee) && !dl__is_led_back(u, v, root))
        root = dl__root_as(u, root, v->pointee);
    if (!root || v->root == root || (root->is_part && v->pointee->is_volatile) ||
        (v->is_array && (root->form->edit_base || root->is_part || root->is_far)))
        return false;
    far = !v->root ? root : v->is_array ? NULL : dl__far_of(u, v->root, root);
    if (!far)
        dl__refuse(u, source->begin, "'%s' can point into '%s' and into '%s'", v->name,
                   v->root->name, root->name);
    root = v->root;
    v->root = far;
    return root != far;
}

/* The same of a parameter, which points into its own buffer to begin with. */
static bool give_parameter_root(struct dl__unit *u, struct dl__variable *v,
                                struct dl__node *source)
{
    struct dl__root *root = dl__root_of(u, source), *before = v->root;
    struct dl__root *far = root && root != before ? dl__far_of(u, before, root) : NULL;

    if (far)
        v->root = far;
    return v->root != before;
}

/* Gives candidates the root of what they are set from; true when one changed. */
static bool spread_roots(struct dl__unit *u, struct dl__node *n)
{
    bool changed = false;
    struct dl__variable *v = NULL;

    if (n->kind == DL__N_VARIABLE && n->child_count) {
        v = dl__variable_at(u, n->declared_at);
        if (v && v->kind == DL__INDEX)
            changed |= give_root(u, v, n->children[n->child_count - 1]);
    } else if (n->kind == DL__N_BINARY && dl__op_is(n, "=") && n->child_count == 2) {
        v = dl__variable_of(u, strip_pointer(u, n->children[0]));
        if (v && v->kind == DL__INDEX)
            changed |= give_root(u, v, n->children[1]);
        else if (v && v->kind == DL__ROOT)
            changed |= give_parameter_root(u, v, n->children[1]);
    }
    for (size_t i = 0; i < n->child_count; i++)
        changed |= spread_roots(u, n->children[i]);
    return changed;
}

static void find_changed_roots(struct dl__unit *u, struct dl__node *n)
{
    if ((dl__is_assignment(n) || dl__is_step(n)) && n->child_count) {
        struct dl__variable *v = dl__variable_of(u, strip_pointer(u, n->children[0]));

        if (v && v->kind == DL__ROOT)
            v->root->has_index = true;
    }
    for (size_t i = 0; i < n->child_count; i++)
        find_changed_roots(u, n->children[i]);
}

static bool is_leaf_pointer(struct dl__unit *u, struct dl__node *n);

/* The bytes of what it points to, if that is a scalar or vector in a buffer and no
 * pointer into the buffer is tracked; 0: it is none. */
static uint32_t leaf_bytes(struct dl__unit *u, struct dl__node *n)
{
    return !dl__root_of(u, n) && is_leaf_pointer(u, n) ? dl__type_of(u, n)->element->bytes
                                                       : 0;
}

/* The same of one of two, of which one may be null. */
static uint32_t chosen_leaf_bytes(struct dl__unit *u, struct dl__node *n)
{
    uint32_t bytes = 0;

    for (size_t i = 1; i <= 2; i++) {
        uint32_t arm = dl__is_null(u, n->children[i]) ? 0 : leaf_bytes(u, n->children[i]);

        if (!arm ? !dl__is_null(u, n->children[i]) : bytes && arm != bytes)
            return 0;
        bytes = arm ? arm : bytes;
    }
    return bytes;
}

/* `&place` of a scalar or vector, a variable that holds one, or one of two such, through
 * casts to elements of the same size. */
static bool is_leaf_pointer(struct dl__unit *u, struct dl__node *n)
{
    struct dl__variable *v;
    struct dl__access place;
    struct dl__node *inner = dl__strip_casts(n);
    uint32_t bytes = 0;

    v = dl__variable_of(u, inner);
    if (v && v->kind == DL__LEAF)
        bytes = v->leaf_bytes;
    else if (inner->kind == DL__N_UNARY && dl__op_is(inner, "&") &&
             dl__find_place(u, inner->children[0], &place) &&
             (place.type->kind == DL__T_SCALAR || place.type->kind == DL__T_VECTOR))
        bytes = place.type->bytes;
    else if (inner->kind == DL__N_CONDITIONAL && inner->child_count == 3)
        bytes = chosen_leaf_bytes(u, inner);
    if (!bytes)
        return false;
    for (struct dl__node *at = n; at != inner; at = at->children[0]) {
        const struct dl__type *type = dl__type_of(u, at);

        if (type->kind != DL__T_POINTER)
            return false;
        if (type->element->bytes != bytes)
            dl__refuse(u, at->begin, "a member is viewed as elements of another size");
    }
    return true;
}

/* Looks at what a pointer is set to behind its declaration: false when that is anything
 * but pointers to `bytes` in a buffer and null. *any: there is one of them. */
static bool is_set_to_leaves(struct dl__unit *u, struct dl__node *n, size_t declared_at,
                             uint32_t bytes, bool *any)
{
    struct dl__node *to = (dl__is_assignment(n) || dl__is_step(n)) && n->child_count
                              ? strip_pointer(u, n->children[0])
                              : NULL;

    if (to && to->kind == DL__N_NAME && to->declared_at == declared_at) {
        bool is_null = n->child_count == 2 && dl__is_null(u, n->children[1]);

        if (n->kind != DL__N_BINARY || n->child_count != 2 ||
            (!is_null && leaf_bytes(u, n->children[1]) != bytes))
            return false;
        *any |= !is_null;
    }
    for (size_t i = 0; i < n->child_count; i++)
        if (!is_set_to_leaves(u, n->children[i], declared_at, bytes, any))
            return false;
    return true;
}

/* True when there are more of them than before. */
static bool find_leaf_variables(struct dl__unit *u, struct dl__node *body,
                                struct dl__node *n)
{
    const struct dl__type *type = n->kind == DL__N_VARIABLE ? dl__type_of(u, n) : NULL;
    bool found = false;

    if (type && type->kind == DL__T_POINTER && type->element->bytes &&
        !dl__variable_at(u, n->declared_at)) {
        struct dl__node *first = n->child_count ? n->children[n->child_count - 1] : NULL;

        found = first && leaf_bytes(u, first);
        if ((!first || dl__is_null(u, first)) &&
            !is_set_to_leaves(u, body, n->declared_at, type->element->bytes, &found))
            found = false;
        if (found)
            add_variable(u, DL__LEAF, n->declared_at, n->name, NULL)->leaf_bytes =
                type->element->bytes;
    }
    for (size_t i = 0; i < n->child_count; i++)
        found |= find_leaf_variables(u, body, n->children[i]);
    return found;
}

static void find_variables(struct dl__unit *u, struct dl__node *body)
{
    struct dl__variable **link;

    for (size_t i = 0; i < u->root_count; i++) {
        const struct dl__parameter *p = &u->function->parameters[u->roots[i].parameter];

        add_variable(u, DL__ROOT, p->name_at, p->name,
                     u->roots[i].first ? u->roots[i].first : &u->roots[i]);
    }
    find_candidates(u, body);
    find_changed_roots(u, body);
    do
        while (spread_roots(u, body))
            ;
    while (!u->new_name && dl__find_contexts(u, body));
    /* A variable that never pointed into a buffer is none of ours. */
    for (link = &u->variables; *link;) {
        if ((*link)->root)
            link = &(*link)->next;
        else
            *link = (*link)->next;
    }
    while (find_leaf_variables(u, body, body))
        ;
    dl__find_array_pointers(u, body);
    dl__find_single_parts(u, body);
}

/* ---- units ---- */

/* A copy's parameter points to where the buffer is. OpenCL C 2.0 lets a helper leave that
 * open. */
static void edit_space(struct dl__unit *u, const struct dl__root *root,
                       const struct dl__parameter *p)
{
    struct dl__lexer lexer = dl__lexer_at(u->tracker->ast->text, p->begin, p->name_at);
    bool is_pointer = dl__text_at(u, dl__skip(u, p->name_at + strlen(p->name))) == '[';
    struct dl__token t, said = {0};

    if (p->type->address_space == DL__GLOBAL || p->type->address_space == DL__CONSTANT)
        return;
    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        is_pointer |= dl__token_is(&t, "*");
        if (dl__token_in(&t, "__generic generic"))
            said = t;
    }
    if (!is_pointer)
        dl__refuse(u, p->begin, "the generic pointer '%s' is declared through a typedef",
                   p->name);
    dl__replace(u, said.bytes ? said.offset : p->begin,
                said.bytes ? said.offset + said.bytes : p->begin,
                dl__format(u, "%s%s",
                           dl__space_name(root->space & ~(unsigned)DL__VOLATILE),
                           said.bytes ? "" : " "));
}

/* Drops an attribute of launches from the copy for a kernel that calls this one. */
static void edit_attribute(struct dl__unit *u, size_t at, struct dl__lexer *lexer)
{
    struct dl__token t;
    unsigned depth = 0;

    do {
        t = dl__lex_over_lines(lexer);
        if (depth == 2 && t.kind == DL__NAME &&
            !dl__token_in(&t, "reqd_work_group_size work_group_size_hint vec_type_hint "
                              "intel_reqd_sub_group_size"))
            dl__refuse(u, at, "the kernel '%s', which is called, has attributes",
                       u->function->name);
        depth += dl__token_is(&t, "(");
        depth -= dl__token_is(&t, ")");
    } while (depth && t.kind != DL__END);
    dl__replace(u, at, lexer->offset, "");
}

/* In the head of a copy: it is inlined where that matters (DL_INLINE), whatever is said
 * of the helper, and of a kernel that another kernel calls it is a function like others.
 */
static void edit_words(struct dl__unit *u)
{
    const struct dl__function *f = u->function;
    struct dl__lexer lexer = dl__lexer_at(u->tracker->ast->text, f->item_at, f->body_at);
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        bool in_front = f->is_kernel && t.offset < f->name_at;

        if (in_front && dl__token_in(&t, "__attribute__ __attribute"))
            edit_attribute(u, t.offset, &lexer);
        if (in_front && dl__is_kernel_word(&t))
            dl__replace(u, t.offset, t.offset + t.bytes, "");
        if (!u->returned && dl__token_in(&t, "noinline __noinline__"))
            dl__replace(u, t.offset, t.offset + t.bytes, "unused");
    }
}

/* The parameter of a copy that the helper has not: a buffer that is handed on in a
 * struct. */
static const char *context_parameter(struct dl__unit *u, const struct dl__root *root)
{
    return root->parameter < u->copied->parameter_count
               ? ""
               : dl__format(u, ", %s %s *%s", dl__space_name(root->space),
                            dl__type_text(root->element_type->name), root->name);
}

static void edit_head(struct dl__unit *u)
{
    struct dl__function *f = u->function;
    const char *word = u->tracker->lacks_static ? "DL_INLINE " : "static DL_INLINE ";

    for (size_t i = 0; i < u->root_count && u->new_name; i++)
        edit_space(u, &u->roots[i], &f->parameters[u->roots[i].parameter]);
    for (size_t i = 0; i < u->root_count; i++) {
        const struct dl__parameter *p = &f->parameters[u->roots[i].parameter];

        if (u->new_name)
            dl__replace(u, p->end, p->end,
                        dl__format(u, "%s%s", context_parameter(u, &u->roots[i]),
                                   u->roots[i].form->parameters(u, &u->roots[i])));
        else
            dl__replace(u, f->close_at, f->close_at,
                        dl__format(u, " DL_PARAMS(%s)", p->name));
    }
    for (size_t i = 0; i < 2 * u->root_count; i++) {
        const struct dl__root *root = &u->roots[i % u->root_count];
        const char *entry = i >= u->root_count ? dl__far_entry(u, root)
                            : u->new_name      ? ""
                                               : root->form->entry(u, root);

        if (*entry)
            dl__replace(u, f->body_at + 1, f->body_at + 1, entry);
    }
    if (!u->new_name)
        return;
    if (u->returned)
        dl__replace(u, f->item_at, f->name_at,
                    dl__format(u, "%s%s ", word,
                               u->returned->is_part  ? "dl_part"
                               : u->returned->is_far ? "dl_far"
                                                     : "dl_index"));
    else
        dl__replace(u, f->item_at, f->item_at, f->is_static ? "DL_INLINE " : word);
    edit_words(u);
    dl__replace(u, f->name_at, f->name_at + strlen(f->name), u->new_name);
}

/* A buffer is written, too, where a part of it is through a pointer. */
static void settle_written(struct dl__unit *u)
{
    bool far = false;

    for (const struct dl__root *p = u->far; p; p = p->next_part)
        far |= p->written;
    for (size_t i = 0; i < u->root_count; i++)
        u->roots[i].written |= far && u->roots[i].is_joined;
    for (size_t i = 0; i < u->root_count; i++)
        for (const struct dl__root *p = u->roots[i].parts; p; p = p->next_part)
            u->roots[i].written |= p->written;
}

static bool is_copied_call(const struct dl__unit *u, const struct dl__node *n)
{
    for (size_t i = 0; i < u->calls.count; i++)
        if (u->calls.items[i].node == n)
            return true;
    return false;
}

/* A copy that stands before the kernel can use nothing that is declared only between that
 * and the helper. Types see to themselves: the rewritten text would not parse. */
static void check_scope(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__function *f = u->function;
    bool is_callee = n->parent && n->parent->kind == DL__N_CALL &&
                     n->parent->children[0] == n && is_copied_call(u, n->parent);

    if ((n->kind == DL__N_CALL || n->kind == DL__N_NAME) && !is_callee &&
        !is_copied_call(u, n) && n->declared_at != SIZE_MAX &&
        n->declared_at > u->tracker->kernel_at &&
        (n->declared_at < f->item_at || n->declared_at >= f->body_end))
        dl__refuse(
            u, n->begin,
            "'%s' uses '%s', which is declared after the kernel; declare it before",
            f->name, n->name);
    for (size_t i = 0; i < n->child_count; i++)
        check_scope(u, n->children[i]);
}

/* Tracks the parameters that the unit's roots are for, and makes the edits. Look at
 * refused afterwards. */
static void track_function(struct dl__unit *u)
{
    struct dl__function *f = u->function;
    struct dl__node *body;

    u->busy = true;
    if (!setjmp(u->refuse)) {
        for (size_t i = 0; i < u->root_count; i++) {
            const struct dl__parameter *p = &f->parameters[u->roots[i].parameter];

            if ((u->roots[i].space & ~(unsigned)DL__VOLATILE) != DL__GLOBAL &&
                u->roots[i].space != DL__CONSTANT)
                dl__refuse(u, p->begin,
                           "'%s' does not point to __global or __constant memory",
                           p->name);
        }
        body = dl__ast_body(u->tracker->ast, f);
        find_variables(u, body);
        u->returned = u->new_name ? dl__returned_root(u) : NULL;
        edit_head(u);
        dl__walk(u, body);
        settle_written(u);
        if (u->is_ahead)
            check_scope(u, body);
        if (!dl__edits_finish(&u->edits))
            dl__refuse(u, f->name_at, "the rewritten forms in '%s' overlap", f->name);
    }
    u->busy = false;
}

enum { CLONE_DEPTH_MAX = 64 }; /* of helpers that call each other */

/* ---- Copies of helpers, one for each set of parameters that point into buffers. ---- */

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
        const struct dl__type *type = f->parameters[i].type;
        struct dl__root *of = by_parameter[i], *root;

        if (!of)
            continue;
        of = type->kind == DL__T_POINTER && f->parameters[i].name[0]
                 ? dl__root_as(u, of, type->element)
                 : NULL;
        if (!of)
            dl__refuse(u, n->begin, "'%s' takes '%s' as a pointer of another type",
                       f->name, by_parameter[i]->name);
        by_parameter[i] = of;
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
               c->roots[i].is_bytes == roots[i].is_bytes &&
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

/* A function that has the unit's members as parameters behind its own, for a copy. */
static struct dl__function *with_contexts(struct dl__unit *u, struct dl__function *f)
{
    struct dl__arena *arena = u->tracker->arena;
    struct dl__function *g = DL__NEW(arena, struct dl__function);
    size_t count = f->parameter_count + u->contexts.count;
    struct dl__parameter *parameters = dl__arena_alloc(arena, count * sizeof *parameters);

    dl__ast_body(u->tracker->ast, f); /* both have the same nodes */
    *g = *f;
    if (f->parameter_count)
        memcpy(parameters, f->parameters, f->parameter_count * sizeof *parameters);
    g->parameters = parameters;
    g->parameter_count = count;
    for (size_t i = 0; i < u->contexts.count; i++) {
        struct dl__parameter *p = &parameters[f->parameter_count + i];
        const struct dl__context *c = &u->contexts.items[i];
        struct dl__type *type = DL__NEW(arena, struct dl__type);

        type->kind = DL__T_POINTER;
        type->element = c->root->element_type;
        type->address_space = c->root->space & ~(unsigned)DL__VOLATILE;
        p->name = c->parameter;
        p->name_at = SIZE_MAX - 1 - i; /* nowhere */
        p->begin = p->end = f->close_at;
        p->type = type;
    }
    return g;
}

/* The copy of a helper for calls in which these parameters point into buffers; it may be
 * refused. */
static struct dl__unit *copy_for(struct dl__unit *u, struct dl__node *n,
                                 struct dl__function *f, struct dl__root **by_parameter)
{
    struct dl__tracker *t = u->tracker;
    struct dl__unit **link = &t->clones, *c;
    struct dl__function *g;
    struct dl__root *roots;
    size_t count = 0;
    bool takes;

    if (!f->is_defined)
        dl__refuse(u, n->begin, "'%s' takes a pointer into a buffer but has no body here",
                   f->name);
    /* The buffers that the caller's structs have, behind the helper's own parameters. */
    takes = dl__takes_contexts(u, f);
    if (takes && f->parameter_count + u->contexts.count > 64)
        dl__refuse(u, n->begin, "'%s' has too many parameters", f->name);
    for (size_t i = 0; i < u->contexts.count && takes; i++)
        by_parameter[f->parameter_count + i] = u->contexts.items[i].root;
    g = takes ? with_contexts(u, f) : f;
    roots = roots_for(u, n, g, by_parameter, &count);
    /* A copy that can't stand before one kernel can stand before another. */
    while ((c = *link) != NULL && !(c->copied == f && same_roots(c, roots, count) &&
                                    same_contexts(u, c) && !(c->is_ahead && c->refused)))
        link = &c->next;
    if (!c) {
        if (t->depth >= CLONE_DEPTH_MAX)
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
        track_function(c);
        t->depth--;
    }
    if (c->busy)
        dl__refuse(u, n->begin, "'%s' calls itself", f->name);
    return c;
}

/* A null pointer may be one into any buffer. It becomes one into the only buffer of its
 * type that the call has; false where none does. */
static bool add_null_arguments(struct dl__unit *u, struct dl__node *n,
                               const struct dl__function *f,
                               struct dl__root **by_parameter)
{
    struct dl__root *added[64] = {NULL};
    bool any = false;

    for (size_t i = 0; i < f->parameter_count && i + 1 < n->child_count && i < 64; i++) {
        const struct dl__type *type = f->parameters[i].type;

        if (by_parameter[i] || type->kind != DL__T_POINTER ||
            !dl__is_null(u, n->children[i + 1]))
            continue;
        for (size_t k = 0; k < f->parameter_count && k < 64; k++) {
            struct dl__root *root = by_parameter[k];

            if (!root || root == added[i] || !dl__is_element(root, type->element))
                continue;
            if (added[i] || !root->form->null || root->is_far || root->is_part ||
                root->is_cast ||
                type->address_space != (root->space & ~(unsigned)DL__VOLATILE))
                return false;
            added[i] = root;
        }
        any |= added[i] != NULL;
    }
    for (size_t i = 0; i < 64; i++)
        by_parameter[i] = added[i] ? added[i] : by_parameter[i];
    return any;
}

/* The same, never refused. A helper that combines one of these pointers with a parameter
 * that is null is copied once more, for both. */
static struct dl__unit *clone_for(struct dl__unit *u, struct dl__node *n,
                                  struct dl__function *f, struct dl__root **by_parameter)
{
    struct dl__tracker *t = u->tracker;
    struct dl__unit *c = copy_for(u, n, f, by_parameter);

    if (c->refused && add_null_arguments(u, n, f, by_parameter))
        c = copy_for(u, n, f, by_parameter);
    if (c->refused)
        dl__refuse(u, c->refused_at, "%s", c->reason);
    for (size_t i = 0; i < c->root_count; i++) {
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

/* ---- The walk over a body: a function for each kind of node. ---- */

static void walk_children(struct dl__unit *u, struct dl__node *n);

static void walk_node(struct dl__unit *u, struct dl__node *n);
static bool walk_comparison(struct dl__unit *u, struct dl__node *n);
static void walk_call(struct dl__unit *u, struct dl__node *n);

/* ---- statements and expressions ---- */

static void walk_declarations(struct dl__unit *u, struct dl__node *n)
{
    size_t tracked = 0, parts = 0, far = 0;

    for (size_t i = 0; i < n->child_count; i++) {
        struct dl__variable *v = dl__variable_at(u, n->children[i]->declared_at);

        if (!v || v->kind != DL__INDEX || n->children[i]->kind != DL__N_VARIABLE)
            continue;
        tracked++;
        parts += v->root->is_part;
        far += v->root->is_far;
    }
    if (!tracked) {
        walk_children(u, n);
        return;
    }
    if (tracked != n->child_count || (parts && parts != tracked) ||
        (far && far != tracked))
        dl__refuse(u, n->begin,
                   "a pointer into a buffer is declared together with others; "
                   "declare it by itself");
    for (size_t i = 0; i < n->child_count; i++) {
        struct dl__node *d = n->children[i];
        struct dl__variable *v = dl__variable_at(u, d->declared_at);
        size_t begin = n->begin;

        if (i) {
            begin = dl__skip(u, n->children[i - 1]->end);
            if (dl__text_at(u, begin) != ',')
                dl__refuse(u, d->begin, "this declaration is not understood");
            begin++;
        }
        dl__replace(u, begin, d->name_at,
                    i       ? " "
                    : parts ? "dl_part "
                    : far   ? "dl_far "
                            : "dl_index ");
        if (v->is_array)
            continue;
        for (size_t k = 0; k < d->child_count; k++)
            if (!dl__can_be_set_to(u, v->root, d->children[k]))
                dl__refuse(u, d->children[k]->begin,
                           "a pointer into '%s' is set from something else",
                           v->root->name);
        v->root->form->edit_variable(u, d);
    }
}

/* Marks the buffer that an assignment writes to, then rewrites as any expression. */
static void walk_target(struct dl__unit *u, struct dl__node *n)
{
    struct dl__access place;
    struct dl__node *at = n;

    for (;;) {
        if (dl__find_place(u, at, &place)) {
            place.root->written = true;
            break;
        }
        if ((at->kind != DL__N_PAREN && at->kind != DL__N_IMPLICIT &&
             at->kind != DL__N_MEMBER && at->kind != DL__N_SUBSCRIPT) ||
            !at->child_count)
            break;
        at = at->children[0];
    }
    dl__walk(u, n);
}

static void walk_assignment(struct dl__unit *u, struct dl__node *n)
{
    struct dl__node *left = n->children[0], *right = n->children[1];
    struct dl__access place;

    if (dl__op_is(n, "=") && n->kind == DL__N_BINARY && dl__find_place(u, left, &place) &&
        place.type->kind == DL__T_STRUCT) {
        const char *before, *behind;
        size_t equals = dl__skip(u, left->end), at;

        if (dl__text_at(u, equals) != '=')
            dl__refuse(u, n->begin, "this assignment is not understood");
        place.root->written = true;
        at = place.root->form->edit_store(u, left, &place, &before, &behind);
        dl__replace(u, at, dl__skip(u, equals + 1), before);
        dl__walk(u, right);
        dl__replace(u, n->end, n->end, behind);
        return;
    }
    walk_target(u, left);
    dl__walk(u, right);
}

static bool holds_index(struct dl__unit *u, struct dl__node *n)
{
    struct dl__variable *v = dl__variable_of(u, n);

    if ((v && v->kind == DL__INDEX) || dl__pointer_array_of(u, n))
        return true;
    for (size_t i = 0; i < n->child_count; i++)
        if (holds_index(u, n->children[i]))
            return true;
    return false;
}

static void __attribute__((noreturn))
refuse_pointer(struct dl__unit *u, struct dl__node *n, const char *name)
{
    const struct dl__node *p = n->parent;

    while (p && (p->kind == DL__N_PAREN || p->kind == DL__N_IMPLICIT ||
                 (p->kind == DL__N_BINARY && (dl__op_is(p, "+") || dl__op_is(p, "-")))))
        p = p->parent;
    if (p && p->kind == DL__N_CAST)
        dl__refuse(u, p->begin, "a pointer into '%s' is cast to another type", name);
    if (p && p->kind == DL__N_RETURN)
        dl__refuse(u, n->begin, "a pointer into '%s' is returned", name);
    if (p && p->kind == DL__N_UNARY && dl__op_is(p, "&"))
        dl__refuse(u, n->begin, "the address of the pointer '%s' is taken", name);
    if (p && (dl__is_assignment(p) || p->kind == DL__N_VARIABLE ||
              (p->kind == DL__N_OTHER && dl__text_at(u, p->begin) == '{')))
        dl__refuse(u, n->begin,
                   "a pointer into '%s' is stored where it can't be followed", name);
    if (p && p->kind == DL__N_CALL)
        dl__refuse(u, n->begin, "a pointer into '%s' is passed to '%s'", name, p->name);
    dl__refuse(u, n->begin, "this use of a pointer into '%s' is not understood", name);
}

/* A pointer used as a truth value. */
static bool is_condition(struct dl__unit *u, struct dl__node *n)
{
    struct dl__node *p = n->parent;

    while (p && (p->kind == DL__N_PAREN || p->kind == DL__N_IMPLICIT) &&
           !dl__is_boolean(u, p)) {
        n = p;
        p = n->parent;
    }
    if (!p)
        return false;
    return dl__is_boolean(u, p) || (p->kind == DL__N_UNARY && dl__op_is(p, "!")) ||
           (p->kind == DL__N_BINARY && (dl__op_is(p, "&&") || dl__op_is(p, "||"))) ||
           (p->kind == DL__N_BRANCH && p->condition == n) ||
           (p->kind == DL__N_CONDITIONAL && p->children[0] == n);
}

/* sizeof of what a pointer temporary points to, or of a part of it: the type stands for
 * it. */
static void walk_sizeof(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__type *type = dl__type_of(u, n->children[0]);

    if (type->kind == DL__T_POINTER || !type->bytes ||
        strncmp(u->tracker->ast->text + n->begin, "sizeof", 6))
        dl__refuse(u, n->begin,
                   "this use of sizeof on a pointer temporary is not understood");
    /* A name could mean another thing here. */
    dl__replace(u, n->begin, n->end, dl__format(u, "sizeof(char[%u])", type->bytes));
}

static void walk_children(struct dl__unit *u, struct dl__node *n)
{
    for (size_t i = 0; i < n->child_count; i++)
        walk_node(u, n->children[i]);
}

/* ---- one kind of node each ---- */

static __attribute__((noreturn)) void
refuse_array_pointer(struct dl__unit *u, const struct dl__node *n, const char *name)
{
    dl__refuse(u, n->begin,
               "'%s' points to arrays of the grid's elements, and is used other than by "
               "all indices of one",
               name);
}

static void walk_name(struct dl__unit *u, struct dl__node *n)
{
    struct dl__variable *v = dl__variable_of(u, n), *array = dl__pointer_array_of(u, n);

    if (array)
        refuse_pointer(u, n, array->root->name);
    if (!v || (v->kind == DL__ROOT && !v->root->has_index && is_condition(u, n)))
        return;
    if (v->kind == DL__ARRAYS || dl__is_array_pointer(u, n, v))
        refuse_array_pointer(u, n, v->name);
    if (v->kind == DL__LEAF && is_condition(u, n))
        return;
    if (v->kind == DL__LEAF || !v->root->form->null || !is_condition(u, n))
        refuse_pointer(u, n, v->kind == DL__LEAF ? v->name : v->root->name);
    if (v->root->is_far) {
        dl__replace(u, n->begin, n->end,
                    dl__format(u, "(0 != %s.dl_f)", dl__far_name(u, n)));
        return;
    }
    dl__replace(u, n->begin, n->end,
                dl__format(u, "(%s && %s%s%s != %s)", v->root->name,
                           v->kind == DL__ROOT ? "dl_at_" : "", v->name,
                           v->root->is_part ? ".dl_i" : "", v->root->form->null));
}

/* Rewrites a return of a pointer to what a copy returns in its place. */
static void walk_return(struct dl__unit *u, struct dl__node *n)
{
    if (!u->returned || !n->child_count) {
        walk_children(u, n);
        return;
    }
    if (!dl__can_be_set_to(u, u->returned, n->children[0]))
        dl__refuse(u, n->begin,
                   "either a pointer into '%s' or something else is returned",
                   u->returned->name);
    if (u->returned->is_part)
        dl__part_edit(u, n->children[0]);
    else if (u->returned->is_far)
        dl__far_edit(u, n->children[0]);
    else
        u->returned->form->edit_index(u, n->children[0], true);
}

/* Sizes keep their values; the operand is not evaluated. */
static void walk_size(struct dl__unit *u, struct dl__node *n)
{
    if (holds_index(u, n))
        walk_sizeof(u, n);
}

static void walk_variable(struct dl__unit *u, struct dl__node *n)
{
    struct dl__variable *v = u->variables;

    while (v && !((v->kind == DL__LEAF || v->kind == DL__ARRAYS) &&
                  v->declared_at == n->declared_at))
        v = v->next;
    if (v && v->kind == DL__ARRAYS)
        return; /* it keeps the argument's value */
    for (size_t i = 0; i < n->child_count; i++) {
        if (v && is_leaf_pointer(u, n->children[i]))
            edit_leaf_pointer(u, n->children[i]);
        else
            walk_node(u, n->children[i]);
    }
}

/* A place; false for others. */
static bool walk_place(struct dl__unit *u, struct dl__node *n)
{
    struct dl__access place;

    if (!dl__find_place(u, n, &place))
        return false;
    if (place.root->form->edit_element)
        place.root->form->edit_element(u, n, &place, "(*", ")");
    else
        place.root->form->edit_value(u, n, &place);
    return true;
}

static void walk_member(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__variable *v = dl__variable_of(u, n);

    /* A member that stands for a buffer still has the program's pointer. */
    if (v && !is_condition(u, n))
        refuse_pointer(u, n, v->root->name);
    if (v || !walk_place(u, n))
        walk_children(u, n);
}

static void walk_subscript(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__variable *v = dl__variable_of(u, n);
    struct dl__node *k;
    size_t begin, end;

    if (v)
        refuse_pointer(u, n, v->root->name);
    if (walk_place(u, n))
        return;
    if (n->child_count != 2 || !is_leaf_pointer(u, n->children[0])) {
        walk_children(u, n);
        return;
    }
    k = dl__strip(n->children[1]);
    dl__bracket_range(u, n, &begin, &end);
    if (k->child_count || end - begin != 1 || dl__text_at(u, begin) != '0')
        dl__refuse(u, n->begin, "a pointer to a member is used as an array");
    edit_leaf_pointer(u, n->children[0]);
}

/* A component `v->x`: it is one of the vector, as the accessor gives that, or stays one
 * of a pointer to a member. */
static void walk_implicit(struct dl__unit *u, struct dl__node *n)
{
    struct dl__node *pointer = n->child_count ? n->children[0] : NULL;
    struct dl__access place;
    size_t arrow;

    if (!pointer || !dl__is_pointed_component(u, n)) {
        walk_children(u, n);
    } else if (dl__find_place(u, n, &place)) {
        if (place.root->form->edit_element)
            place.root->form->edit_element(u, pointer, &place, "(*", ")");
        else
            place.root->form->edit_value(u, pointer, &place);
        arrow = dl__skip(u, pointer->end);
        dl__replace(u, arrow, arrow + 2, ".");
    } else if (is_leaf_pointer(u, pointer)) {
        edit_leaf_pointer(u, pointer);
    } else {
        walk_children(u, n);
    }
}

/* A statement that changes a pointer into a buffer; false for others. */
static bool walk_change(struct dl__unit *u, struct dl__node *n)
{
    struct dl__root *root = dl__root_of(u, n->children[0]);
    struct dl__node *to = dl__strip(n->children[0]);

    if (!root)
        return false;
    if (!dl__is_statement(n) && !(dl__is_moved(u, n) && is_condition(u, n)))
        refuse_pointer(u, n, root->name);
    if (dl__is_moved(u, n)) {
        dl__moved_keep(u, n);
        return true;
    }
    if (to->kind == DL__N_MEMBER && dl__variable_of(u, to)) {
        /* To the buffer's argument, as it always is. */
        walk_node(u, to->children[0]);
        return true;
    }
    root->form->edit_change(u, n);
    return true;
}

/* A statement that sets a pointer to a member; false for others. */
static bool walk_leaf_change(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__variable *v = dl__variable_of(u, strip_pointer(u, n->children[0]));

    if (!v || v->kind != DL__LEAF || !dl__op_is(n, "=") || !dl__is_statement(n))
        return false;
    if (dl__is_null(u, n->children[1]))
        return true;
    if (dl__root_of(u, n->children[1]) || !is_leaf_pointer(u, n->children[1]))
        return false;
    edit_leaf_pointer(u, n->children[1]);
    return true;
}

/* A statement that sets a member that nothing reads to a pointer into a buffer: to null.
 * False for others. */
static bool walk_unread(struct dl__unit *u, struct dl__node *n)
{
    struct dl__node *to = dl__strip(n->children[0]), *value = dl__strip(n->children[1]);
    struct dl__access place;

    if (!dl__op_is(n, "=") || !dl__is_statement(n) || !dl__is_pure(u, value) ||
        !(dl__root_of(u, value) || (dl__op_is(value, "&") && value->child_count == 1 &&
                                    dl__find_place(u, value->children[0], &place))) ||
        !dl__is_unread(u, to))
        return false;
    walk_node(u, to);
    dl__replace(u, n->children[1]->begin, n->children[1]->end, "0");
    return true;
}

static void walk_unary(struct dl__unit *u, struct dl__node *n)
{
    struct dl__access place;

    if (!n->child_count)
        return;
    if (dl__op_is(n, "*")) {
        if (walk_place(u, n) || walk_view(u, n))
            return;
        if (is_leaf_pointer(u, n->children[0])) {
            edit_leaf_pointer(u, n->children[0]);
            return;
        }
    }
    if (dl__op_is(n, "&") && dl__find_place(u, n->children[0], &place))
        dl__refuse(u, n->begin, "the address of a part of '%s' escapes",
                   place.root->name);
    if (!dl__is_step(n))
        walk_children(u, n);
    else if (!walk_change(u, n))
        walk_target(u, n->children[0]);
}

static void walk_binary(struct dl__unit *u, struct dl__node *n)
{
    struct dl__access place;

    if (n->child_count != 2) {
        walk_children(u, n);
        return;
    }
    if (dl__is_assignment(n)) {
        if (!walk_change(u, n) && !walk_leaf_change(u, n) && !walk_view_store(u, n) &&
            !walk_unread(u, n))
            walk_assignment(u, n);
        return;
    }
    if (!n->op[0] && dl__find_place(u, n->children[0], &place))
        dl__refuse(u, n->begin,
                   "this expression inside a compiler macro is not understood");
    if (!walk_comparison(u, n))
        walk_children(u, n);
}

/* Its value is that of its last statement, which looks thrown away. */
static void walk_value_block(struct dl__unit *u, struct dl__node *n)
{
    if (dl__type_of(u, n)->kind == DL__T_POINTER)
        dl__refuse(u, n->begin,
                   "a statement expression whose value is a pointer is not understood");
    walk_children(u, n);
}

static void walk_other(struct dl__unit *u, struct dl__node *n)
{
    if (u->contexts.count && dl__is_braces(u, n))
        dl__moved_walk_braces(u, n);
    else
        walk_children(u, n);
}

/* Every mention of a tracked pointer in the node is rewritten, or refuses the unit. */
static void walk_node(struct dl__unit *u, struct dl__node *n)
{
    static void (*const by_kind[])(struct dl__unit *, struct dl__node *) = {
        [DL__N_OTHER] = walk_other,
        [DL__N_NAME] = walk_name,
        [DL__N_SUBSCRIPT] = walk_subscript,
        [DL__N_MEMBER] = walk_member,
        [DL__N_UNARY] = walk_unary,
        [DL__N_BINARY] = walk_binary,
        [DL__N_COMPOUND] = walk_binary,
        [DL__N_CONDITIONAL] = walk_children,
        [DL__N_PAREN] = walk_children,
        [DL__N_CAST] = walk_children,
        [DL__N_IMPLICIT] = walk_implicit,
        [DL__N_CALL] = walk_call,
        [DL__N_SIZEOF] = walk_size,
        [DL__N_DECL_STATEMENT] = walk_declarations,
        [DL__N_VARIABLE] = walk_variable,
        [DL__N_RETURN] = walk_return,
        [DL__N_VALUE_BLOCK] = walk_value_block,
        [DL__N_STATEMENT] = walk_children,
        [DL__N_BRANCH] = walk_children};

    by_kind[n->kind](u, n);
}

/* ---- Comparisons and differences of pointers. ---- */

/* An index that is compared: with a sign where its order counts, and never wider than an
 * index, as a sum with a long is. */
static void edit_operand(struct dl__unit *u, struct dl__node *n, bool ordered)
{
    const char *cast =
        ordered ? "(dl_signed)("
        : dl__strip(n)->kind == DL__N_BINARY || dl__strip(n)->kind == DL__N_CONDITIONAL
            ? "(dl_index)("
            : "";

    dl__replace(u, n->begin, n->begin, cast);
    dl__root_of(u, n)->form->edit_index(u, n, false);
    dl__replace(u, n->end, n->end, *cast ? ")" : "");
}

/* Rewrites its comparison with a null pointer. */
static void far_edit_null_comparison(struct dl__unit *u, struct dl__node *n,
                                     struct dl__node *pointer)
{
    dl__replace(u, n->begin, pointer->begin, dl__op_is(n, "==") ? "(!(" : "(0 != (");
    dl__far_edit(u, pointer);
    dl__replace(u, pointer->end, n->end, ").dl_f)");
}

/* Rewrites the comparison or difference of two, or of one and a null pointer. */
static void part_edit_comparison(struct dl__unit *u, struct dl__node *n)
{
    struct dl__node *left = n->children[0], *right = n->children[1];
    const struct dl__root *root = dl__root_of(u, left);
    const char *before, *after;
    uint32_t bytes;

    root = root ? root : dl__root_of(u, right);
    bytes = root->element->bytes;
    if (dl__op_is(n, "==") || dl__op_is(n, "!=")) {
        before = dl__op_is(n, "==") ? "dl_same(" : "!dl_same(";
        after = dl__format(u, ", %u)", bytes);
    } else if (dl__op_is(n, "-")) {
        before = "((dl_difference)dl_apart(";
        after = dl__format(u, ", %u) / %u)", bytes, root->element_type->bytes);
    } else {
        before = "(dl_apart(";
        after = dl__format(u, ", %u) %s 0)", bytes, n->op);
    }
    dl__operator_at(u, n);
    dl__replace(u, n->begin, left->begin, before);
    dl__part_edit(u, left);
    dl__replace(u, left->end, right->begin, ", ");
    dl__part_edit(u, right);
    dl__replace(u, right->end, n->end, after);
}

/* A pointer and a null pointer. Of a buffer that is none itself, every pointer is null.
 */
static void edit_null_comparison(struct dl__unit *u, struct dl__node *n,
                                 struct dl__node *pointer, struct dl__node *null)
{
    const struct dl__root *root = dl__root_of(u, pointer);
    bool equals = dl__op_is(n, "==");

    if (root->is_far) {
        far_edit_null_comparison(u, n, pointer);
        return;
    }
    dl__replace(u, n->begin, n->begin,
                dl__format(u, equals ? "(!%s || " : "(%s && ", root->name));
    if (root->is_part) {
        part_edit_comparison(u, n);
    } else {
        edit_operand(u, pointer, false);
        dl__edit_null(u, null, root->form->null);
    }
    dl__replace(u, n->end, n->end, ")");
}

/* Pointers that need not be into one buffer: by where the program has them. */
static void edit_places(struct dl__unit *u, struct dl__node *n, unsigned bytes)
{
    bool differ = dl__op_is(n, "-");

    dl__operator_at(u, n);
    dl__replace(u, n->begin, n->begin,
                differ ? "((dl_difference)((long)(dl_far_place(" : "dl_far_place(");
    dl__far_edit(u, n->children[0]);
    dl__replace(u, n->children[0]->end, n->children[0]->end,
                dl__format(u, ", %u)", bytes));
    dl__replace(u, n->children[1]->begin, n->children[1]->begin, "dl_far_place(");
    dl__far_edit(u, n->children[1]);
    dl__replace(u, n->end, n->end,
                differ ? dl__format(u, ", %u)) / %u))", bytes, bytes)
                       : dl__format(u, ", %u)", bytes));
}

static void edit_comparison(struct dl__unit *u, struct dl__node *n)
{
    struct dl__node *left = n->children[0], *right = n->children[1];
    struct dl__root *a = dl__root_of(u, left), *b = dl__root_of(u, right);
    bool ordered = n->op[0] == '<' || n->op[0] == '>';

    if (!a || !b) {
        struct dl__node *pointer = a ? left : right, *other = a ? right : left;

        if ((dl__op_is(n, "==") || dl__op_is(n, "!=")) && dl__is_null(u, other)) {
            if (dl__is_base(u, pointer) || dl__is_moved(u, pointer)) {
                dl__moved_keep(u, pointer);
                return;
            }
            if ((a ? a : b)->form->null) {
                edit_null_comparison(u, n, pointer, other);
                return;
            }
        }
        dl__refuse(u, n->begin, "a pointer into '%s' is compared with something else",
                   (a ? a : b)->name);
    }
    if ((a->is_far || b->is_far || a != b) && dl__far_are_alike(a, b)) {
        edit_places(u, n, a->element_type->bytes);
        return;
    }
    if (a != b)
        dl__refuse(u, n->begin, "pointers into '%s' and '%s' are combined", a->name,
                   b->name);
    if (a->is_part) {
        part_edit_comparison(u, n);
        return;
    }
    if (dl__op_is(n, "-")) {
        dl__replace(u, n->begin, n->begin, "(dl_difference)(dl_signed)(");
        a->form->edit_index(u, left, false);
        a->form->edit_index(u, right, false);
        dl__replace(u, n->end, n->end, ")");
        return;
    }
    edit_operand(u, left, ordered);
    edit_operand(u, right, ordered);
}

static bool is_comparison(struct dl__unit *u, const struct dl__node *n)
{
    return n->op[0] == '<' || n->op[0] == '>' || dl__op_is(n, "==") ||
           dl__op_is(n, "!=") ||
           (dl__op_is(n, "-") &&
            dl__type_of(u, (struct dl__node *)n)->kind == DL__T_SCALAR);
}

/* Rewrites a comparison or difference that has a pointer into a buffer; false for others.
 */
static bool walk_comparison(struct dl__unit *u, struct dl__node *n)
{
    if ((!dl__root_of(u, n->children[0]) && !dl__root_of(u, n->children[1])) ||
        !is_comparison(u, n))
        return false;
    edit_comparison(u, n);
    return true;
}

/* ---- Calls: of helpers, which are copied, and of builtins. ---- */

/* A builtin that touches one element, with pointers into flat buffers. */
static void walk_flat_call(struct dl__unit *u, struct dl__node *n)
{
    for (size_t i = 1; i < n->child_count; i++) {
        struct dl__node *arg = n->children[i];
        struct dl__root *root = dl__root_of(u, arg);
        struct dl__access place;

        if (!root) {
            dl__walk(u, arg);
            continue;
        }
        root->written = true;
        dl__start_place(u, arg, NULL, NULL, &place);
        if (dl__strip(arg)->kind == DL__N_UNARY && dl__op_is(dl__strip(arg), "&"))
            dl__find_place(u, dl__strip(arg)->children[0], &place);
        edit_to_address(u, arg, &place);
    }
}

/* True when a call at `from` could mean another function further down: one of the same
 * name that is declared only there. */
static bool declared_again(const struct dl__ast *ast, const char *name,
                           size_t declared_at, size_t from)
{
    const struct dl__function *f = NULL;

    while ((f = dl__ast_named(ast, name, f)) != NULL)
        if (f->declared_at != declared_at && f->declared_at > from)
            return true;
    return false;
}

/* True when a call in a helper's copy, which stands where more is declared than around
 * the helper, could mean another function there. Of what is called, one that stands ahead
 * sees less. */
static bool is_overtaken(struct dl__unit *u, const struct dl__node *n)
{
    return u->new_name && !u->is_ahead &&
           declared_again(u->tracker->ast, n->name, n->declared_at, n->begin);
}

/* True when the text declares another function of the name that is called. */
static bool is_overloaded(const struct dl__unit *u, const struct dl__node *call)
{
    const struct dl__function *f = NULL;

    while ((f = dl__ast_named(u->tracker->ast, call->name, f)) != NULL)
        if (f->declared_at != call->declared_at)
            return true;
    return false;
}

struct called {
    struct dl__function *items[64];
    size_t count;
};

/* True when the text, or a function that it calls, makes a pointer to const one that is
 * not, or when it calls too many functions. */
static bool casts_const_away(struct dl__unit *u, struct dl__node *n, struct called *seen)
{
    struct dl__function *f =
        n->kind == DL__N_CALL ? dl__ast_callee(u->tracker->ast, n) : NULL;

    if (n->kind == DL__N_CAST && n->child_count) {
        const struct dl__type *to = dl__type_of(u, n),
                              *from = dl__type_of(u, n->children[n->child_count - 1]);

        if (to->kind == DL__T_POINTER && !to->element->is_const &&
            from->kind == DL__T_POINTER && from->element->is_const)
            return true;
    }
    for (size_t i = 0; i < seen->count; i++)
        if (seen->items[i] == f)
            f = NULL;
    if (f && f->is_defined) {
        if (seen->count == sizeof seen->items / sizeof *seen->items)
            return true;
        seen->items[seen->count++] = f;
        if (casts_const_away(u, dl__ast_body(u->tracker->ast, f), seen))
            return true;
    }
    for (size_t i = 0; i < n->child_count; i++)
        if (casts_const_away(u, n->children[i], seen))
            return true;
    return false;
}

/* A pointer to a member, as the argument of a call. */
static void walk_leaf_argument(struct dl__unit *u, struct dl__node *n,
                               struct dl__node *arg)
{
    const struct dl__type *type = dl__type_of(u, dl__strip(arg));
    struct dl__function *f = dl__ast_callee(u->tracker->ast, n);
    struct called seen = {.count = 0};

    /* Accessors give pointers to what can be written: another function may take such. */
    if (type->kind == DL__T_POINTER && type->element->is_const && type->element->name &&
        is_overloaded(u, n)) {
        bool is_chosen = dl__strip_casts(arg)->kind == DL__N_CONDITIONAL;

        dl__replace(u, arg->begin, arg->begin,
                    dl__format(u, "(%s const %s *)%s",
                               dl__space_name(type->address_space),
                               dl__type_text(type->element->name), is_chosen ? "(" : ""));
        dl__replace(u, arg->end, arg->end, is_chosen ? ")" : "");
    }
    if (f && casts_const_away(u, dl__ast_body(u->tracker->ast, f), &seen))
        edit_leaf_place(u, arg, false);
    else
        edit_leaf_pointer(u, arg);
}

static bool is_at_base(const struct dl__unit *clone, size_t parameter)
{
    for (size_t i = 0; i < clone->root_count; i++)
        if (clone->roots[i].parameter == parameter)
            return clone->roots[i].is_at_base;
    return false;
}

/* A pointer to a part of a struct, for a parameter that takes its bytes. */
static void edit_bytes_argument(struct dl__unit *u, struct dl__node *n,
                                const struct dl__root *root)
{
    dl__replace(
        u, n->begin, n->begin,
        dl__format(u, "(%s void *)%s, ", dl__space_name(root->space), root->name));
    dl__part_edit(u, n);
    dl__replace(u, n->end, n->end, dl__format(u, " DL_ARGS(%s)", root->name));
}

/* The arguments of a call: pointers into buffers by parameter, members, and others. */
static void walk_arguments(struct dl__unit *u, struct dl__node *n, struct dl__function *f,
                           const struct dl__unit *clone,
                           struct dl__root *const *by_parameter)
{
    for (size_t i = 1; i < n->child_count; i++) {
        struct dl__node *arg = n->children[i];

        if (i <= 64 && by_parameter[i - 1] && clone && is_at_base(clone, i - 1)) {
            by_parameter[i - 1]->form->edit_base(u, arg, arg->begin, arg->end);
        } else if (i <= 64 && by_parameter[i - 1] && !dl__root_of(u, arg)) {
            const struct dl__root *root = by_parameter[i - 1];

            /* A buffer that is null itself begins with a null pointer. */
            dl__edit_null(u, arg,
                          dl__format(u, "%s, (%s ? %s : 0) DL_ARGS(%s)", root->name,
                                     root->name, root->form->null, root->name));
        } else if (i <= 64 && by_parameter[i - 1] &&
                   by_parameter[i - 1] != dl__root_of(u, arg)) {
            edit_bytes_argument(u, arg, by_parameter[i - 1]);
        } else if (i <= 64 && by_parameter[i - 1]) {
            by_parameter[i - 1]->form->edit_argument(u, arg, arg->begin, arg->end);
        } else if (is_leaf_pointer(u, arg)) {
            /* libclang prefers the program's, the device perhaps the builtin. */
            if (f && dl__reaches_neighbours(f->name))
                dl__refuse(u, arg->begin, "'%s' is also the name of a builtin", n->name);
            if (f ? !dl__parameter_touches_one_leaf(u, f, i - 1)
                  : !dl__touches_one_leaf(n->name))
                dl__refuse(u, arg->begin, "a pointer to a member is passed to '%s'",
                           n->name);
            walk_leaf_argument(u, n, arg);
        } else {
            dl__walk(u, arg);
        }
    }
}

/* The buffers that a struct among the arguments has. */
static void add_context_arguments(struct dl__unit *u, struct dl__node *n)
{
    for (size_t i = 0; i < u->contexts.count; i++) {
        const struct dl__variable *v =
            dl__variable_at(u, u->contexts.items[i].declared_at);
        const struct dl__root *root = v->root;

        dl__replace(u, n->end - 1, n->end - 1,
                    dl__format(u, ", (%s %s *)%s%s", dl__space_name(root->space),
                               dl__type_text(root->element_type->name), root->name,
                               root->form->base(u, root, v)));
    }
}

static void walk_call(struct dl__unit *u, struct dl__node *n)
{
    struct dl__root *by_parameter[64] = {NULL};
    struct dl__function *f = dl__ast_callee(u->tracker->ast, n);
    struct dl__root *first = NULL;
    bool overtaken = is_overtaken(u, n), takes;
    struct dl__unit *clone = NULL;

    for (size_t i = 1; i < n->child_count && i <= 64; i++) {
        by_parameter[i - 1] = dl__root_of(u, n->children[i]);
        first = first ? first : by_parameter[i - 1];
    }
    if (!f && (walk_vector_call(u, n) || walk_block_call(u, n)))
        return;
    if (first && !f && first->element_type->kind != DL__T_STRUCT &&
        dl__touches_one_leaf(n->name)) {
        walk_flat_call(u, n);
        return;
    }
    if (overtaken && (!f || !f->is_defined))
        dl__refuse(u, n->begin, "'%s' would mean another function in the copy of '%s'",
                   n->name, u->function->name);
    takes = f && u->contexts.count && dl__takes_contexts(u, f);
    if (first || overtaken || takes) {
        if (first && (!f || n->child_count > 65))
            dl__refuse(u, n->begin, "a pointer into '%s' is passed to '%s'", first->name,
                       n->name);
        clone = clone_for(u, n, f, by_parameter);
        if (clone->returned && u->call != n && n->parent->kind != DL__N_STATEMENT)
            dl__refuse(u, n->begin,
                       "this use of the pointer into '%s' that '%s' returns is "
                       "not understood",
                       first->name, n->name);
        dl__replace(u, n->children[0]->begin, n->children[0]->end, clone->new_name);
    }
    walk_arguments(u, n, f, clone, by_parameter);
    if (takes)
        add_context_arguments(u, n);
}

/* ---- A kernel, tracked. ---- */

struct dl__unit *dl__track_kernel(struct dl__tracker *tracker,
                                  struct dl__function *kernel, struct dl__root *roots,
                                  size_t root_count)
{
    struct dl__unit *u = DL__NEW(tracker->arena, struct dl__unit);

    tracker->kernel_at = kernel->item_at;
    tracker->walk = walk_node;
    u->tracker = tracker;
    u->function = kernel;
    u->roots = roots;
    u->root_count = root_count;
    track_function(u);
    return u;
}
