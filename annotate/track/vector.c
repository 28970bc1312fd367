/* vload and vstore on buffers: elements that lie side by side in the program's layout, gathered
 * and scattered one by one.
 *
 * In a struct these are the elements of an array member, from a constant place on, or components
 * of a vector; what would reach beyond is refused. In a flat buffer every element has a place of
 * its own, so that any run of them will do. */
#include "annotate/track/unit.h"

#include <stdlib.h>
#include <string.h>

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

/* A literal or enumerator. */
static bool is_literal(const struct dl__unit *u, struct dl__node *n, uint64_t *out)
{
    char *end;

    while ((n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT) && n->child_count == 1)
        n = n->children[0];
    if (n->kind == DL__N_NAME && n->is_constant) {
        *out = (uint64_t)n->constant;
        return true;
    }
    if (n->kind != DL__N_OTHER || n->child_count || n->end <= n->begin ||
        dl__text_at(u, n->begin) < '0' || dl__text_at(u, n->begin) > '9')
        return false;
    *out = strtoull(u->tracker->ast->text + n->begin, &end, 0);
    return *out < UINT32_MAX &&
           end + strspn(end, "uUlL") == u->tracker->ast->text + n->end;
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
    return out->element->kind == DL__T_SCALAR && !p->root->element->flat_element;
}

/* Elements that lie side by side from the start of the array that the run is in; arrays of
 * arrays go on, and `*start` counts what lies before it. False when an index is not known. */
static bool measure_run(const struct dl__unit *u, const struct run *run, uint64_t *start,
                        uint64_t *count)
{
    const struct dl__access *p = &run->place;
    uint64_t index = 0, row = 1;
    bool known = !run->index || is_literal(u, run->index, &index);
    size_t i = p->step_count;

    *start = index;
    /* The array's type stands behind the last step kept, or is that of the whole place. */
    *count = p->steps[i - 1].type->count;
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
                        const struct dl__access *p, enum dl__accessor_kind kind,
                        const struct dl__type *type, const struct dl__vector_form *form)
{
    struct dl__accessor *a =
        dl__accessor_get_vector(&u->tracker->accessors, kind, p->root->space,
                                p->root->element, p->steps, p->step_count, type, form);

    dl__add_use(u, n, p, a);
    dl__replace(u, n->children[0]->begin, n->children[0]->end, a->name);
}

/* The pointer of a call on a flat buffer: the base, then the element's index. */
static void edit_flat_pointer(struct dl__unit *u, struct dl__node *pointer,
                              struct dl__node *inner, const struct dl__root *root)
{
    if (root->width) {
        dl__replace(u, pointer->begin, inner->begin, dl__format(u, "%s, ", root->name));
        dl__edit_row_pair(u, inner);
        dl__replace(u, inner->end, pointer->end,
                    dl__format(u, ", dl_w_%s DL_ARGS(%s)", root->name, root->name));
        return;
    }
    dl__replace(u, pointer->begin, inner->begin, dl__format(u, "%s, (", root->name));
    dl__edit_index(u, inner, true);
    dl__replace(u, inner->end, pointer->end, dl__format(u, ") DL_ARGS(%s)", root->name));
}

static void edit_run_pointer(struct dl__unit *u, struct dl__node *pointer,
                             const struct run *run)
{
    const char *separator;
    size_t at =
        dl__edit_arguments(u, pointer, &run->place,
                           dl__format(u, "%s, ", run->place.root->name), &separator);

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

bool dl__walk_vector_call(struct dl__unit *u, struct dl__node *n)
{
    struct dl__vector_form form;
    struct dl__node *pointer, *offset, *inner;
    const struct dl__type *view, *element;
    uint64_t first = 0, start = 0, count = 0;
    struct dl__root *root;
    bool stores, whole;
    struct run run;

    if (!parse_builtin(u, n->name, &form, &stores) ||
        n->child_count != (stores ? 4u : 3u))
        return false;
    pointer = n->children[n->child_count - 1];
    offset = n->children[n->child_count - 2];
    for (inner = pointer; (inner->kind == DL__N_PAREN || inner->kind == DL__N_IMPLICIT ||
                           inner->kind == DL__N_CAST) &&
                          inner->child_count == 1;)
        inner = inner->children[0];
    view = dl__type_of(u, pointer);
    if (view->kind != DL__T_POINTER || view->element->kind != DL__T_SCALAR)
        return false;
    view = view->element;
    root = dl__root_of(u, inner);
    root = root && root->element->flat_element ? root : NULL;
    if (!root && !find_run(u, inner, &run)) {
        if (!is_literal(u, offset, &first) || first > 16 ||
            !is_within_leaf(u, inner, (first + 1) * form.lanes, view))
            return false;
        if (stores)
            dl__walk(u, n->children[1]);
        edit_one_leaf_pointer(u, pointer, inner, stores);
        return true;
    }
    element = root ? root->element->flat_element : run.element;
    if (element->kind != DL__T_SCALAR || element->bytes != view->bytes)
        dl__refuse(u, pointer->begin, "a member is viewed as elements of another size");
    if (!root) {
        whole = is_literal(u, offset, &first);
        if (!whole)
            dl__refuse(u, offset->begin, "the offset of '%s' is not constant", n->name);
        whole = measure_run(u, &run, &start, &count);
        if ((whole ? start : 0) + (first + 1) * form.lanes > count)
            dl__refuse(u, n->begin, "'%s' reaches beyond the array", n->name);
    }
    if (form.lane_builtin && dl__ast_declares(u->tracker->ast, form.lane_builtin))
        dl__refuse(u, n->begin, "the program has a function '%s' of its own",
                   form.lane_builtin);
    form.view = view->name;
    form.value = dl__type_of(u, stores ? n->children[1] : n)->name;
    if (!form.view || !form.value ||
        (form.lane_builtin &&
         dl__struct_is_packed(u->tracker->arena,
                              root ? root->element : run.place.root->element)))
        dl__refuse(u, n->begin, "this use of '%s' is not understood", n->name);
    if (root) {
        struct dl__access place = {.root = root};

        form.any = dl__flat_any(u, n, &place);
        rename_call(u, n, &place, stores ? DL__SCATTER : DL__GATHER, element, &form);
    } else {
        struct dl__access whole_place = run.place;

        whole_place.steps[whole_place.step_count].field = NULL;
        whole_place.steps[whole_place.step_count++].type = element;
        rename_call(u, n, &whole_place, stores ? DL__SCATTER : DL__GATHER, element,
                    &form);
        root = run.place.root;
    }
    root->written |= stores;
    if (stores)
        dl__walk(u, n->children[1]);
    dl__walk(u, offset);
    if (root->element->flat_element)
        edit_flat_pointer(u, pointer, inner, root);
    else
        edit_run_pointer(u, pointer, &run);
    return true;
}
