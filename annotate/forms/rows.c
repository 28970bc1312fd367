/* SPDX-License-Identifier: MIT */
/* How buffers are declared and indexed: rows, discrete arrays, structs. */
#include "annotate/forms/rows.h"

#include <stdlib.h>
#include <string.h>

#include "annotate/annotations/dimension.h"
#include "annotate/forms/index.h"
#include "annotate/forms/sum.h"
#include "annotate/text/lex.h"
#include "annotate/track/leaf_pointer.h"
#include "annotate/tree/resolve.h"

static const struct dl__form form_flat;
static const struct dl__form form_arrays;

static bool bind(struct dl__binding *b, struct dl__root *root)
{
    if (!b->width)
        return false;
    if (dl__width_is_sound(b))
        root->shape = dl__width_make(b, &dl__rows_kinds);
    if (b->reason)
        return true;
    dl__width_give_rows(b, (uint32_t)dl__width_constant(root), root);
    return true;
}

/* ---- pointers ---- */

static const char *rest_name(struct dl__unit *u, const struct dl__variable *v)
{
    return v->kind == DL__INDEX ? v->name : dl__format(u, "dl_at_%s", v->name);
}

static void add_index_term(struct dl__unit *u, struct dl__terms *terms, const char *text)
{
    struct dl__term term = {.text = text, .is_index = true};

    dl__terms_add(u, terms, term);
}

static void add_pointer(struct dl__unit *u, struct dl__node *n, struct dl__parts *out);

static void add_conditional(struct dl__unit *u, struct dl__node *n, struct dl__parts *out)
{
    const struct dl__root *root = dl__root_of(u, n);
    struct dl__node *c = n->children[0];
    struct dl__parts left = {0}, right = {0};
    const char *condition = dl__rewritten(u, c, c->begin, c->end);

    add_pointer(u, n->children[1], &left);
    add_pointer(u, n->children[2], &right);
    if ((left.rows.count || right.rows.count) && dl__is_pure(c) &&
        u->nested <= DL__TWICE_DEPTH_MAX) {
        add_index_term(u, &out->rows,
                       dl__format(u, "((%s) ? (dl_index)(%s) : (dl_index)(%s))",
                                  condition, dl__terms_text(u, &left.rows),
                                  dl__terms_text(u, &right.rows)));
        add_index_term(u, &out->rest,
                       dl__format(u, "((%s) ? (dl_index)(%s) : (dl_index)(%s))",
                                  condition, dl__terms_text(u, &left.rest),
                                  dl__terms_text(u, &right.rest)));
        return;
    }
    add_index_term(u, &out->rest,
                   dl__format(u, "((%s) ? %s : %s)", condition,
                              dl__parts_text(u, root, &left),
                              dl__parts_text(u, root, &right)));
}

static void add_change(struct dl__unit *u, struct dl__node *n, struct dl__parts *out)
{
    struct dl__variable *v = dl__variable_of(u, dl__strip(n->children[0]));
    const char *name = v ? rest_name(u, v) : "";
    struct dl__parts value = {0};

    if (!v || dl__strip(n->children[0])->kind != DL__N_NAME)
        dl__refuse(u, n->begin, "this use of a pointer into '%s' is not understood",
                   dl__root_of(u, n)->name);
    if (dl__is_step(n)) {
        add_index_term(u, &out->rows, dl__format(u, "dl_row_%s", v->name));
        add_index_term(u, &out->rest,
                       dl__format(u, n->postfix ? "%s%s" : "%2$s%1$s", name, n->op));
        return;
    }
    if (n->kind == DL__N_COMPOUND) {
        struct dl__node *by = n->children[1];

        dl__parts_add_integer(u, v->root, by, by->begin, by->end, false, &value);
        add_index_term(u, &out->rows, dl__format(u, "dl_row_%s", v->name));
        add_index_term(
            u, &out->rest,
            dl__format(u, "(%s %s %s)", name, n->op, dl__parts_text(u, v->root, &value)));
        return;
    }
    if (dl__root_of(u, n->children[1]) != v->root)
        dl__refuse(u, n->begin, "a pointer into '%s' is set from something else",
                   v->root->name);
    add_pointer(u, n->children[1], &value);
    add_index_term(u, &out->rest,
                   dl__format(u, "(%s = %s, dl_row_%s = 0, %s)", name,
                              dl__parts_text(u, v->root, &value), v->name, name));
}

static void add_name(struct dl__unit *u, struct dl__node *n, struct dl__parts *out)
{
    const struct dl__variable *v = dl__variable_of(u, n);

    if (dl__is_moved(u, n)) {
        add_index_term(u, &out->rest, dl__moved_text(u, n));
    } else if (!dl__is_base(u, n)) {
        add_index_term(u, &out->rows, dl__format(u, "dl_row_%s", v->name));
        add_index_term(u, &out->rest, rest_name(u, v));
    }
}

/* Adds the two indices of a pointer into a buffer. */
static void add_pointer(struct dl__unit *u, struct dl__node *n, struct dl__parts *out)
{
    struct dl__node *left, *right;
    struct dl__access place;
    size_t begin, end;

    switch (n->kind) {
    case DL__N_PAREN:
    case DL__N_IMPLICIT:
    case DL__N_CAST:
        add_pointer(u, n->children[0], out);
        return;
    case DL__N_NAME:
    case DL__N_MEMBER:
        add_name(u, n, out);
        return;
    case DL__N_UNARY:
        if (dl__op_is(n, "&")) {
            dl__find_place(u, n->children[0], &place);
            add_pointer(u, place.pointer, out);
            if (place.index) {
                dl__bracket_range(u, place.index_host, &begin, &end);
                dl__parts_add_integer(u, place.root, place.index, begin, end, false, out);
            }
            return;
        }
        add_change(u, n, out);
        return;
    case DL__N_COMPOUND:
        add_change(u, n, out);
        return;
    case DL__N_CONDITIONAL:
        add_conditional(u, n, out);
        return;
    default:
        if (dl__op_is(n, "=")) {
            add_change(u, n, out);
            return;
        }
        left = n->children[0];
        right = n->children[1];
        if (dl__root_of(u, left)) {
            add_pointer(u, left, out);
            dl__parts_add_integer(u, dl__root_of(u, left), right, right->begin,
                                  right->end, dl__op_is(n, "-"), out);
        } else {
            dl__parts_add_integer(u, dl__root_of(u, right), left, left->begin, left->end,
                                  false, out);
            add_pointer(u, right, out);
        }
    }
}

/* ---- places ---- */

static void edit_element(struct dl__unit *u, struct dl__node *n,
                         const struct dl__access *p, const char *before,
                         const char *after)
{
    const struct dl__width *width = p->root->shape;
    const struct dl__accessor_kind *kind = width->kinds->wide;
    const char *width_text = dl__format(u, ", dl_w_%s", p->root->name);
    enum dl__certainty certainty = DL__UNCERTAIN;
    struct dl__parts parts = {0};

    add_pointer(u, p->pointer, &parts);
    if (p->index) {
        bool wraps = dl__wraps_at_32_bits(dl__type_of(u, p->index));
        size_t begin, end;

        dl__index_range(u, p->index_host, p->index, &begin, &end);
        if (wraps && dl__is_base(u, p->pointer) && u->nested <= DL__TWICE_DEPTH_MAX &&
            dl__parts_add_sum(u, p->root, p->index, dl__skip(u, end), false, &parts)) {
            kind = width->kinds->wraps;
        } else {
            if (wraps && dl__is_base(u, p->pointer))
                memset(&parts, 0, sizeof parts);
            dl__parts_add_integer(u, p->root, p->index, begin, end, false, &parts);
        }
        if (dl__is_base(u, p->pointer) && !dl__is_of_arrays(p->root))
            certainty = dl__parts_settle(u, p->root, p->index, &parts);
    }
    if (certainty == DL__EXACT)
        kind = width->kinds->plain;
    if (certainty == DL__INSIDE) {
        kind = &dl__row_inside;
        width_text = "";
    }
    dl__replace(u, n->begin, n->end,
                dl__format(u, "%s%s(%s, %s, %s%s DL_ARGS(%s)%s", before,
                           dl__use_element(u, n, p->root, kind)->name, p->root->name,
                           dl__terms_text(u, &parts.rows), dl__terms_text(u, &parts.rest),
                           width_text, p->root->name, after));
}

static void rows_edit_value(struct dl__unit *u, struct dl__node *n,
                            const struct dl__access *p)
{
    edit_element(u, n, p, "(*", "))");
}

static void rows_edit_within(struct dl__unit *u, struct dl__node *n,
                             const struct dl__access *p, const char *before,
                             const char *after)
{
    edit_element(u, n, p, before, dl__format(u, ")%s", after));
}

static void rows_edit_address(struct dl__unit *u, struct dl__node *n,
                              const struct dl__access *p)
{
    edit_element(u, n, p, "", ")");
}

static void rows_edit_index(struct dl__unit *u, struct dl__node *n, bool converted)
{
    struct dl__parts parts = {0};

    (void)converted;
    add_pointer(u, n, &parts);
    dl__replace(u, n->begin, n->end,
                dl__format(u, "(%s)", dl__parts_text(u, dl__root_of(u, n), &parts)));
}

static void rows_edit_argument(struct dl__unit *u, struct dl__node *n, size_t begin,
                               size_t end)
{
    const char *name = dl__root_of(u, n)->name;
    struct dl__parts parts = {0};

    add_pointer(u, n, &parts);
    dl__replace(u, begin, end,
                dl__format(u, "%s, %s, %s, dl_w_%s DL_ARGS(%s)", name,
                           dl__terms_text(u, &parts.rows), dl__terms_text(u, &parts.rest),
                           name, name));
}

static void rows_edit_base(struct dl__unit *u, struct dl__node *n, size_t begin,
                           size_t end)
{
    const char *name = dl__root_of(u, n)->name;

    dl__replace(u, begin, end,
                dl__format(u, "%s, dl_w_%s DL_ARGS(%s)", name, name, name));
}

static void rows_edit_change(struct dl__unit *u, struct dl__node *n)
{
    struct dl__variable *v = dl__variable_of(u, dl__strip(n->children[0]));
    const char *name = v ? rest_name(u, v) : "", *row = v ? v->name : "", *rest, *text;
    bool sets = dl__op_is(n, "=");
    struct dl__parts value = {0};

    if (!v)
        dl__refuse(u, n->begin, "this use of a pointer into '%s' is not understood",
                   dl__root_of(u, n)->name);
    row = dl__format(u, "dl_row_%s", row);
    if (dl__is_step(n)) {
        dl__replace(u, n->begin, n->end, dl__format(u, "%s%s", name, n->op));
        return;
    }
    if (sets) {
        if (dl__root_of(u, n->children[1]) != v->root)
            dl__refuse(u, n->begin, "a pointer into '%s' is set from something else",
                       v->root->name);
        add_pointer(u, n->children[1], &value);
    } else {
        dl__parts_add_integer(u, v->root, n->children[1], n->children[1]->begin,
                              n->children[1]->end, false, &value);
    }
    rest = dl__terms_text(u, &value.rest);
    /* The rows are set first: the rest must not ask for them. */
    if (dl__text_has_word(rest, strlen(rest), row))
        text =
            dl__format(u, "%s %s %s%s", name, n->op, dl__parts_text(u, v->root, &value),
                       sets ? dl__format(u, ", %s = 0", row) : "");
    else if (!value.rows.count && !sets)
        text = dl__format(u, "%s %s %s", name, n->op, rest);
    else
        text = dl__format(u, "%s %s %s, %s %s %s", row, n->op,
                          dl__terms_text(u, &value.rows), name, n->op, rest);
    dl__replace(u, n->begin, n->end, text);
}

static void rows_edit_variable(struct dl__unit *u, struct dl__node *n)
{
    struct dl__parts parts = {0};

    if (!n->child_count) {
        dl__replace(u, n->name_at, n->name_at, dl__format(u, "dl_row_%s, ", n->name));
        return;
    }
    add_pointer(u, n->children[n->child_count - 1], &parts);
    dl__replace(u, n->name_at, n->children[n->child_count - 1]->end,
                dl__format(u, "dl_row_%s = %s, %s = %s", n->name,
                           dl__terms_text(u, &parts.rows), n->name,
                           dl__terms_text(u, &parts.rest)));
}

/* ---- functions ---- */

static const char *rows_parameters(struct dl__unit *u, const struct dl__root *root)
{
    return dl__format(u, "%s, dl_index dl_w_%s DL_PARAMS(%s)",
                      root->has_index
                          ? dl__format(u, ", dl_index dl_row_%s, dl_index dl_at_%s",
                                       root->name, root->name)
                          : "",
                      root->name, root->name);
}

static const char *rows_base(struct dl__unit *u, const struct dl__root *root,
                             const struct dl__variable *v)
{
    return root->has_index
               ? dl__format(u, ", dl_row_%s, %s, dl_w_%s DL_ARGS(%s)", v->name,
                            rest_name(u, v), root->name, root->name)
               : dl__format(u, ", 0, 0, dl_w_%s DL_ARGS(%s)", root->name, root->name);
}

static const char *rows_entry(struct dl__unit *u, const struct dl__root *root)
{
    const struct dl__width *width = root->shape;
    const char *indices = root->has_index
                              ? dl__format(u, " dl_index dl_row_%s = 0, dl_at_%s = 0;",
                                           root->name, root->name)
                              : "";

    return dl__format(u, " dl_index dl_w_%s = %s;%s", root->name, width->value, indices);
}

/* The parameters of a helper that hold the width in this call. */
static uint64_t rows_shape_parameters(struct dl__unit *u, const struct dl__root *root,
                                      struct dl__node *call, const struct dl__function *f)
{
    uint64_t bits = 0;

    for (size_t i = 0; i < f->parameter_count && i < 64 && i + 1 < call->child_count;
         i++) {
        const struct dl__type *type = f->parameters[i].type;

        if (type->kind == DL__T_SCALAR && (type->scalar == 'i' || type->scalar == 'u') &&
            type->bytes >= 4 && dl__is_width(u, root, call->children[i + 1]))
            bits |= (uint64_t)1 << i;
    }
    return bits;
}

/* ---- what is said of it ---- */

static const char *describe(struct dl__arena *arena, const struct dl__root *root)
{
    const struct dl__width *width = root->shape;

    if (dl__width_constant(root))
        return dl__index_describe(arena, root);
    return dl__arena_format(arena, "rows of %s elements of %u bytes", width->written,
                            root->element->bytes);
}

static const char *table_line(struct dl__arena *arena, const struct dl__root *root)
{
    const struct dl__width *width = root->shape;

    return dl__width_constant(root)
               ? ""
               : dl__arena_format(arena, "//DL-width: %s\n", width->dimension);
}

static const struct dl__form form_rows = {.bind = bind,
                                          DL__ROWS_EDITS,
                                          .any = &dl__row_wide,
                                          .far = &form_flat,
                                          .describe = describe,
                                          .table_line = table_line};

/* Discrete arrays of the program's own, `f[length][arrays]` to ASTA: f[k * length +
 * i] is element i of array k. An index is split as that of rows is, whose width is the
 * length: the row is the array, and the rest is the struct. */

/* How many arrays there are; 0: as many as fit. */
static uint32_t array_count(struct dl__binding *b)
{
    const char *text = b->width;
    struct dl_dimension *parsed = NULL;
    struct dl_launch nothing = {0};
    const char *ignored;
    int64_t count = 0;

    if (!*text)
        return 0;
    if (dl__dimension_parse(text, strlen(text), &parsed, &ignored) != DL_OK ||
        dl_dimension_args(parsed) ||
        dl_dimension_eval(parsed, &nothing, &count, &ignored) != DL_OK || count < 2 ||
        count > DL_FLAT_WIDTH_MAX)
        b->reason = dl__arena_format(
            b->arena,
            "the arrays of '%s' are not counted by a constant from 2 to %d; "
            "`%s[%s][]` takes as many as fill the buffer",
            b->buffer, DL_FLAT_WIDTH_MAX, b->buffer, b->length);
    free(parsed);
    return b->reason ? 0 : (uint32_t)count;
}

bool dl__is_of_arrays(const struct dl__root *root)
{
    return root->form == &form_arrays;
}

static bool arrays_bind(struct dl__binding *b, struct dl__root *root)
{
    struct dl__binding of_length = *b;
    uint32_t count;

    if (!b->length)
        return false;
    of_length.width = b->length;
    if (dl__width_is_sound(&of_length))
        root->shape = dl__width_make(&of_length, &dl__arrays_kinds);
    b->reason = of_length.reason;
    if (b->reason && !dl__resolve_value(b->arena, b->length))
        b->reason = dl__arena_format(
            b->arena,
            "the length of '%s' uses more of the launch than global sizes and arguments",
            b->buffer);
    count = b->reason ? 0 : array_count(b);
    if (b->reason)
        return true;
    dl__width_give_rows(b, count, root);
    return true;
}

static const char *arrays_describe(struct dl__arena *arena, const struct dl__root *root)
{
    const struct dl__width *width = root->shape;
    unsigned count = (unsigned)root->element->fields->type->count;

    return dl__arena_format(arena, "%s of elements of %u bytes, each %s long",
                            count > 1 ? dl__arena_format(arena, "%u arrays", count)
                                      : "arrays, as many as fit,",
                            root->element->fields->type->element->bytes, width->written);
}

static const char *arrays_table_line(struct dl__arena *arena, const struct dl__root *root)
{
    (void)arena;
    (void)root;
    return "";
}

static const struct dl__form form_arrays = {.bind = arrays_bind,
                                            DL__ROWS_EDITS,
                                            .any = &dl__array,
                                            .describe = arrays_describe,
                                            .table_line = arrays_table_line};

/* Flat buffers whose rows are one element each: an element's index is its row's.
 * Wider rows, of constant width too, are rows.c's. */

static bool flat_bind(struct dl__binding *b, struct dl__root *root)
{
    struct dl_launch nothing = {.work_dim = 1};
    struct dl_dimension *parsed = NULL;
    const char *ignored;
    int64_t width = 0;
    enum dl_status st;

    if (!b->width || !dl__width_is_sound(b))
        return b->width != NULL;
    if (strstr(b->width, "global_size"))
        return false; /* so it does of sizes */
    st = dl__dimension_parse(b->width, strlen(b->width), &parsed, &ignored);
    if (st == DL_ENOMEM)
        dl__arena_fail(b->arena, st);
    if (st != DL_OK)
        return false; /* arguments: a launch knows it */
    st = dl_dimension_eval(parsed, &nothing, &width, &ignored);
    free(parsed);
    if (st != DL_OK || width < 1 || width > DL_FLAT_WIDTH_MAX) {
        b->reason = dl__arena_format(b->arena, "the width of '%s' is not from 1 to %d",
                                     b->buffer, DL_FLAT_WIDTH_MAX);
        return true;
    }
    /* As text that is a number by now. */
    b->width = dl__arena_format(b->arena, "%lld", (long long)width);
    if (width > 1)
        return false; /* two indices: what is added to a pointer may be whole rows or not
                       */
    root->shape = dl__width_make(b, &dl__rows_kinds);
    dl__width_give_rows(b, (uint32_t)width, root);
    return true;
}

static void flat_edit_element(struct dl__unit *u, struct dl__node *n,
                              const struct dl__access *p, const char *before,
                              const char *after)
{
    const char *name = dl__use_element(u, n, p->root, &dl__any)->name, *close;
    size_t at;

    if (p->index_host && p->index_host->kind == DL__N_CALL) {
        size_t begin, end;

        dl__index_range(u, p->index_host, p->index, &begin, &end);
        dl__replace(u, n->begin, n->end,
                    dl__format(u, "%s%s(%s, %s DL_ARGS(%s)%s", before, name,
                               p->root->name, dl__rewritten(u, p->index, begin, end),
                               p->root->name, after));
        return;
    }
    at = dl__index_edit_call(u, n, p, before, name, &close);
    dl__replace(u, at, n->end, dl__format(u, "%s%s", close, after));
}

static void edit_within(struct dl__unit *u, struct dl__node *n,
                        const struct dl__access *p, const char *before, const char *after)
{
    flat_edit_element(u, n, p, before, dl__format(u, ")%s", after));
}

static void edit_value(struct dl__unit *u, struct dl__node *n, const struct dl__access *p)
{
    flat_edit_element(u, n, p, "(*", "))");
}

static void edit_address(struct dl__unit *u, struct dl__node *n,
                         const struct dl__access *p)
{
    flat_edit_element(u, n, p, "", ")");
}

static const struct dl__form form_flat = {.bind = flat_bind,
                                          .edit_value = edit_value,
                                          .edit_address = edit_address,
                                          .edit_within = edit_within,
                                          .any = &dl__any,
                                          DL__INDEX_OPERATIONS};

/* Buffers of structs, `f[structs]`: pointers are struct indices, and accesses are
 * calls of accessors for each member. */

static bool structs_bind(struct dl__binding *b, struct dl__root *root)
{
    const struct dl__type *type = b->type;

    if (b->width)
        return false;
    if (type->kind == DL__T_POINTER &&
        (type->element->kind == DL__T_SCALAR || type->element->kind == DL__T_VECTOR))
        b->reason = dl__arena_format(
            b->arena,
            "'%s' is not a pointer to structs; a flat buffer is %s[rows][width]",
            b->buffer, b->buffer);
    else if (type->kind == DL__T_POINTER && type->element->kind == DL__T_OTHER)
        b->reason = dl__arena_format(b->arena,
                                     "'%s' is not a pointer to structs, nor cast to one "
                                     "type of them wherever it is named",
                                     b->buffer);
    else if (type->kind != DL__T_POINTER || type->element->kind != DL__T_STRUCT)
        b->reason =
            dl__arena_format(b->arena, "'%s' is not a pointer to structs", b->buffer);
    if (b->reason)
        return true;
    root->element = type->element->identity;
    root->element_type = type->element;
    return true;
}

/* Rewrites a scalar or vector place to a value, or to its address. */
/* True when a member of a packed struct is aligned in tiles wherever it is in all
 * structs, so that its address will do where the program's does: a tile's arrays begin at
 * multiples of its members' offsets. */
static bool is_aligned_in_tiles(const struct dl__access *p)
{
    uint32_t offset_bytes = 0;

    for (size_t i = 0; i < p->step_count; i++)
        if (p->steps[i].field)
            offset_bytes += p->steps[i].field->offset_bytes;
    return !p->root->is_part && p->type->bytes && offset_bytes % p->type->bytes == 0;
}

static void edit_leaf(struct dl__unit *u, struct dl__node *n, const struct dl__access *p,
                      bool address)
{
    const struct dl__accessor *a;
    const char *close;
    size_t at;
    bool packed =
        p->type->bytes > 1 && dl__struct_is_packed(u->tracker->arena, p->root->element);

    if (packed && address && !is_aligned_in_tiles(p))
        dl__refuse(u, n->begin, "the address of a member of a packed struct is taken");
    if (packed || (!address && dl__place_crosses_union(p))) {
        a = dl__use_place(u, n, p, packed ? &dl__packed : &dl__aliased);
        at = dl__index_edit_call(u, n, p, address ? "(&" : "(", a->name, &close);
        dl__replace(u, at, n->end, dl__format(u, "%s)->dl_v)", close));
        return;
    }
    a = dl__use_place(u, n, p, &dl__address);
    at = dl__index_edit_call(u, n, p, address ? "" : "(*", a->name, &close);
    dl__replace(u, at, n->end, dl__format(u, "%s%s", close, address ? ")" : "))"));
}

/* Structs with padding are handed to their accessors by pointers. */
static void edit_load(struct dl__unit *u, struct dl__node *n, const struct dl__access *p)
{
    bool open = dl__struct_has_open_bytes(p->type->identity);
    const struct dl__accessor *a = dl__use_place(u, n, p, &dl__load);
    const char *close, *before = open ? dl__format(u, "({ %s dl_s; ", a->type->name) : "";
    size_t at = dl__index_edit_call(u, n, p, before, a->name, &close);

    dl__replace(u, at, n->end,
                dl__format(u, open ? "%s, &dl_s); dl_s; })" : "%s)", close));
}

static void structs_edit_value(struct dl__unit *u, struct dl__node *n,
                               const struct dl__access *p)
{
    if (p->type->kind == DL__T_STRUCT)
        edit_load(u, n, p);
    else if (p->type->kind == DL__T_ARRAY)
        dl__refuse(u, n->begin, "an array member of '%s' is used as a pointer",
                   p->root->name);
    else
        edit_leaf(u, n, p, false);
}

static void structs_edit_address(struct dl__unit *u, struct dl__node *n,
                                 const struct dl__access *p)
{
    edit_leaf(u, n, p, true);
}

static size_t edit_store(struct dl__unit *u, struct dl__node *n,
                         const struct dl__access *p, const char **before,
                         const char **behind)
{
    bool open = dl__struct_has_open_bytes(p->type->identity);
    bool used = n->parent->parent && n->parent->parent->kind != DL__N_STATEMENT;
    const struct dl__accessor *a = dl__use_place(u, n, p, &dl__store);
    const char *close, *front = open ? dl__format(u, "({ %s dl_s; ", a->type->name) : "";
    size_t at = dl__index_edit_call(u, n, p, front, a->name, &close);

    *before = dl__format(u, open ? "%s, (dl_s = " : "%s, ", close);
    *behind = !open ? ")" : used ? ", &dl_s)); dl_s; })" : ", &dl_s)); })";
    return at;
}

static const struct dl__form form_structs = {.bind = structs_bind,
                                             .null = "DL_NULL",
                                             .edit_value = structs_edit_value,
                                             .edit_address = structs_edit_address,
                                             .edit_store = edit_store,
                                             .edit_arguments = dl__index_edit_arguments,
                                             DL__INDEX_OPERATIONS};

/* ---- The forms of buffers. ---- */

/* The first that an annotation asks for has the buffer. */
static const struct dl__form *const forms[] = {&form_arrays, &form_structs, &form_flat,
                                               &form_rows};

void dl__form_bind(struct dl__binding *binding, struct dl__root *root)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        root->form = forms[i];
        if (forms[i]->bind(binding, root))
            return;
    }
    binding->reason = "the annotation is not understood";
}
