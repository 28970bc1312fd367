/* SPDX-License-Identifier: MIT */
/* Flat buffers of rows of constant width, `f[rows][3]`: an index split into row and column where it
 * stands.
 *
 * Terms that are multiples of the width are peeled, constants become the column, a rest
 * is folded in with a division by a constant, and only an index without rows pays for a
 * full one. */
#include <stdlib.h>
#include <string.h>

#include "annotate/annotations/dimension.h"
#include "annotate/forms/forms.h"
#include "annotate/forms/index.h"
#include "annotate/forms/index_call.h"
#include "annotate/forms/sum.h"
#include "annotate/forms/width.h"
#include "annotate/track/node.h"
#include "annotate/track/use.h"

/* Names in an index that hold rows, and calls that may. */
static bool names_rows(struct dl__unit *u, const struct dl__root *root,
                       struct dl__node *n)
{
    struct dl__index_call call;
    int64_t elements;

    if (dl__is_rows(u, root, n, &elements) || dl__is_index_call(u, n, &call))
        return true;
    for (size_t i = 0; i < n->child_count; i++)
        if (names_rows(u, root, n->children[i]))
            return true;
    return false;
}

/* True when the kernel has pointers into the buffer, or names for rows: one index for each is not enough
 * then, since what is added to it may be whole rows or not. */
static bool is_carried(const struct dl__binding *b, struct dl__unit *u,
                       const struct dl__root *root, const struct dl__node *n)
{
    const struct dl__node *p = n->parent;

    if (n->kind == DL__N_NAME && !strcmp(n->name, b->buffer)) {
        while (p && (p->kind == DL__N_IMPLICIT || p->kind == DL__N_PAREN)) {
            n = p;
            p = n->parent;
        }
        return !p || p->kind != DL__N_SUBSCRIPT || p->children[0] != n ||
               names_rows(u, root, p->children[1]);
    }
    for (size_t i = 0; i < n->child_count; i++)
        if (is_carried(b, u, root, n->children[i]))
            return true;
    return false;
}

/* True when the other form of rows is the one to take. */
static bool wants_two_indices(const struct dl__binding *b, int64_t width)
{
    struct dl__width *shape = DL__NEW(b->arena, struct dl__width);
    struct dl__root root = {.shape = shape};
    struct dl__unit *u = DL__NEW(b->arena, struct dl__unit);

    shape->constant = width;
    u->tracker = DL__NEW(b->arena, struct dl__tracker);
    u->tracker->arena = b->arena;
    u->tracker->ast = b->ast;
    u->function = (struct dl__function *)b->function;
    return is_carried(b, u, &root, dl__ast_body(b->ast, u->function));
}

static bool bind(struct dl__binding *b, struct dl__root *root)
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
    if (width > 1 && wants_two_indices(b, width)) {
        /* As text that is a number by now. */
        b->width = dl__arena_format(b->arena, "%lld", (long long)width);
        return false;
    }
    b->width = dl__arena_format(b->arena, "%lld", (long long)width);
    root->shape = dl__width_make(b, &dl__rows_kinds);
    dl__width_give_rows(b, (uint32_t)width, root);
    return true;
}

static int64_t width_of(const struct dl__root *root)
{
    return (int64_t)root->element->fields->type->count;
}

static const char *element_name(struct dl__unit *u, struct dl__node *n,
                                const struct dl__access *p,
                                const struct dl__accessor_kind *kind)
{
    return dl__use_element(u, n, p->root, kind)->name;
}

/* ---- an index taken apart ---- */

/* An index that is width * rows + constant, whatever `rows` is. */
struct split {
    bool has_rows;
    int64_t constant;
};

static bool is_wide_integer(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__type *type = dl__type_of(u, n);

    return type->kind == DL__T_SCALAR && type->scalar != 'f' && type->bytes >= 4;
}

static bool find_split(struct dl__unit *u, struct dl__node *n, int64_t width,
                       struct split *out)
{
    struct split a, b;
    int64_t factor;

    memset(out, 0, sizeof *out);
    if (dl__constant_of(u, n, &out->constant))
        return true;
    switch (n->kind) {
    case DL__N_PAREN:
    case DL__N_IMPLICIT:
    case DL__N_CAST:
        /* A constant that is none without the conversion has no rows to be edited. */
        return dl__keeps_sums(u, n) && find_split(u, n->children[0], width, out) &&
               out->has_rows;
    case DL__N_UNARY:
        if (!dl__op_is(n, "-") || !find_split(u, n->children[0], width, out))
            return false;
        out->constant = -out->constant;
        return true;
    case DL__N_BINARY:
        if (n->child_count != 2)
            return false;
        if (dl__op_is(n, "*")) {
            bool left = dl__constant_of(u, n->children[0], &factor);

            if (!left && !dl__constant_of(u, n->children[1], &factor))
                return false;
            if (factor && factor % width == 0) {
                out->has_rows = true;
                return true;
            }
            if (!find_split(u, n->children[left], width, out))
                return false;
            return !__builtin_mul_overflow(out->constant, factor, &out->constant);
        }
        if ((!dl__op_is(n, "+") && !dl__op_is(n, "-")) ||
            !find_split(u, n->children[0], width, &a) ||
            !find_split(u, n->children[1], width, &b))
            return false;
        out->has_rows = a.has_rows || b.has_rows;
        return dl__op_is(n, "+")
                   ? !__builtin_add_overflow(a.constant, b.constant, &out->constant)
                   : !__builtin_sub_overflow(a.constant, b.constant, &out->constant);
    default:
        return false;
    }
}

static size_t operator_at(struct dl__unit *u, const struct dl__node *n)
{
    return dl__operator_at(u, n, "this index is not understood");
}

/* Turns such an index, where it stands, into its rows: factors of the width and constants
 * go. */
static void edit_rows(struct dl__unit *u, struct dl__node *n, int64_t width)
{
    struct dl__node *left = n->children[0],
                    *right = n->child_count > 1 ? n->children[1] : NULL;
    int64_t factor;
    size_t op;

    if (n->kind != DL__N_BINARY) {
        edit_rows(u, left, width);
        return;
    }
    op = operator_at(u, n);
    if (dl__op_is(n, "*")) {
        bool constant_left = dl__constant_of(u, left, &factor);
        struct dl__node *other = constant_left ? right : left;

        if (!constant_left)
            dl__constant_of(u, right, &factor);
        if (factor % width) {
            edit_rows(u, other, width);
        } else if (constant_left) {
            dl__replace(u, n->begin, dl__skip(u, op + 1),
                        factor == width
                            ? ""
                            : dl__format(u, "%lld * ", (long long)(factor / width)));
            dl__walk(u, other);
        } else {
            dl__walk(u, other);
            dl__replace(u, left->end, n->end,
                        factor == width
                            ? ""
                            : dl__format(u, " * %lld", (long long)(factor / width)));
        }
        return;
    }
    if (dl__constant_of(u, left, &factor)) {
        dl__replace(u, n->begin, dl__skip(u, op + 1), dl__op_is(n, "-") ? "- " : "");
        edit_rows(u, right, width);
    } else if (dl__constant_of(u, right, &factor)) {
        edit_rows(u, left, width);
        dl__replace(u, left->end, n->end, "");
    } else {
        edit_rows(u, left, width);
        edit_rows(u, right, width);
    }
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* ---- elements ---- */

/* True when a part of the sum has wrapped before it was converted: the text is taken apart there, too. */
static bool hides_wrap(const struct dl__integer *value)
{
    for (size_t t = 0; t < value->sum.terms.count; t++)
        for (size_t a = 0; a < value->sum.terms.items[t].count; a++) {
            const struct dl__origin *origin = value->sum.terms.items[t].atoms[a]->origin;

            if (dl__is_conversion_of(origin) &&
                (!origin->of[0]->is_exact || hides_wrap(origin->of[0])))
                return true;
        }
    return false;
}

/* True when an index of 64 bits, as a number of any size, may pass 2^62: rows taken out of it need not be rows then.
 * One with a sign does not wrap. */
static bool may_wrap(struct dl__unit *u, struct dl__node *n)
{
    static const struct dl__range sound = {-(INT64_C(1) << 62), INT64_C(1) << 62};
    const struct dl__integer *value = dl__integer_of(dl__scope_of(u), n);

    return hides_wrap(value) || (!(dl__type_of(u, n)->scalar == 'i' && value->is_exact) &&
                                 !dl__range_is_within(dl__integer_span(value), sound));
}

/* The accessor that keeps the value that an index has in its own type: in a 32-bit unsigned sum a
 * part may pass below zero, and in a 64-bit sum beyond 32 bits. */
static const struct dl__accessor_kind *near_kind(struct dl__unit *u, struct dl__node *top,
                                                 bool reversed)
{
    const struct dl__type *type = dl__type_of(u, top);

    if (type->bytes == 8 && may_wrap(u, top))
        return reversed ? &dl__near_ulong_reversed : &dl__near_ulong;
    if (type->bytes == 8)
        return reversed ? &dl__near_long_reversed : &dl__near_long;
    if (type->scalar == 'u')
        return reversed ? &dl__near_uint_reversed : &dl__near_uint;
    return reversed ? &dl__near_int_reversed : &dl__near_int;
}

/* The same where the offset is a constant in its row. */
static const struct dl__accessor_kind *exact_kind(struct dl__unit *u,
                                                  struct dl__node *index)
{
    const struct dl__accessor_kind *kind = near_kind(u, index, false);

    return kind == &dl__near_uint || kind == &dl__near_ulong ? kind : &dl__address;
}

/* `base[width * rows + constant]`; false when the index is not such a sum. */
static bool edit_exact(struct dl__unit *u, struct dl__node *n, const struct dl__access *p,
                       const char *before, const char *after)
{
    int64_t width = width_of(p->root), carry;
    const char *name, *carry_text = "";
    struct split split;
    size_t begin, end;

    if (!find_split(u, p->index, width, &split))
        return false;
    name = element_name(u, n, p, split.has_rows ? exact_kind(u, p->index) : &dl__address);
    carry = floor_div(split.constant, width);
    split.constant -= carry * width;
    dl__index_range(u, p->index_host, p->index, &begin, &end);
    if (!split.has_rows) {
        dl__replace(u, n->begin, n->end,
                    dl__format(u, "%s%s(%s, %lld, %lld DL_ARGS(%s)%s", before, name,
                               p->root->name, (long long)carry, (long long)split.constant,
                               p->root->name, after));
        return true;
    }
    if (carry)
        carry_text = dl__format(u, " %c %lld", carry < 0 ? '-' : '+',
                                (long long)(carry < 0 ? -carry : carry));
    dl__replace(u, n->begin, begin,
                dl__format(u, "%s%s(%s, ", before, name, p->root->name));
    edit_rows(u, p->index, width);
    dl__replace(u, end, n->end,
                dl__format(u, "%s, %lld DL_ARGS(%s)%s", carry_text,
                           (long long)split.constant, p->root->name, after));
    return true;
}

/* What makes the terms of a 64-bit sum 64 bits wide before they are added up. */
static const char *widening(struct dl__unit *u, struct dl__node *top)
{
    return dl__type_of(u, top)->bytes == 8 ? "(long)0 + " : "";
}

/* `base[rows + rest]`: the last sum on the left spine whose left side is rows only. */
static void edit_rows_first(struct dl__unit *u, struct dl__node *n,
                            const struct dl__access *p, struct dl__node **spine,
                            size_t depth, int64_t constant, const char *before)
{
    const struct dl__accessor_kind *kind = near_kind(u, spine[0], false);
    const char *wide = widening(u, spine[0]);
    struct dl__node *at = spine[depth - 1];
    size_t op;

    dl__replace(
        u, n->begin, at->children[0]->begin,
        dl__format(u, "%s%s(%s, ", before, element_name(u, n, p, kind), p->root->name));
    edit_rows(u, at->children[0], width_of(p->root));
    op = operator_at(u, at);
    /* The sign stays as a sign; a plus is dropped where nothing stands before it. */
    if (dl__op_is(at, "-") && *wide)
        dl__replace(u, at->children[0]->end, op, ", (long)0 ");
    else
        dl__replace(u, at->children[0]->end,
                    dl__op_is(at, "-") ? op : dl__skip(u, op + 1),
                    dl__format(u, ", %s", wide));
    while (depth--)
        dl__walk(u, spine[depth]->children[1]);
    if (constant)
        dl__replace(u, spine[0]->end, spine[0]->end,
                    dl__format(u, " + %lld", (long long)constant));
}

/* `base[rest + rows]`. */
static void edit_rows_last(struct dl__unit *u, struct dl__node *n,
                           const struct dl__access *p, struct dl__node *top,
                           const char *before)
{
    size_t op = operator_at(u, top);

    dl__replace(u, n->begin, top->children[0]->begin,
                dl__format(u, "%s%s(%s, %s", before,
                           element_name(u, n, p, near_kind(u, top, true)), p->root->name,
                           widening(u, top)));
    dl__walk(u, top->children[0]);
    dl__replace(u, top->children[0]->end, dl__skip(u, op + 1), ", ");
    edit_rows(u, top->children[1], width_of(p->root));
}

/* `base[rows part + the rest]`, either part first; false when the index is not such a sum. */
static bool edit_near(struct dl__unit *u, struct dl__node *n, const struct dl__access *p,
                      const char *before, const char *after)
{
    int64_t width = width_of(p->root);
    struct dl__node *top = p->index, *at, *spine[32];
    struct split split, other;
    bool rows_left = false;
    size_t depth = 0;

    while ((top->kind == DL__N_PAREN || top->kind == DL__N_IMPLICIT) &&
           top->child_count == 1 && is_wide_integer(u, top))
        top = top->children[0];
    for (at = top; at->kind == DL__N_BINARY && at->child_count == 2 && depth < 32 &&
                   !rows_left && (dl__op_is(at, "+") || dl__op_is(at, "-"));
         at = at->children[0]) {
        spine[depth++] = at;
        rows_left = find_split(u, at->children[0], width, &split) && split.has_rows;
    }
    if (rows_left)
        edit_rows_first(u, n, p, spine, depth, split.constant, before);
    else if (depth && dl__op_is(top, "+") &&
             find_split(u, top->children[1], width, &split) && split.has_rows &&
             !split.constant &&
             !(find_split(u, top->children[0], width, &other) && other.has_rows))
        edit_rows_last(u, n, p, top, before);
    else
        return false;
    dl__replace(u, top->end, n->end,
                dl__format(u, " DL_ARGS(%s)%s", p->root->name, after));
    return true;
}

/* `base[rows * width + rest]` whose rest is in the row, whatever the kernel runs on. */
static bool edit_inside(struct dl__unit *u, struct dl__node *n,
                        const struct dl__access *p, const char *before, const char *after)
{
    struct dl__parts parts = {0};
    size_t begin, end;

    dl__index_range(u, p->index_host, p->index, &begin, &end);
    if (width_of(p->root) < 2 || u->nested > DL__TWICE_DEPTH_MAX ||
        !dl__integer_of(dl__scope_of(u), p->index)->is_exact ||
        !dl__parts_add_sum(u, p->root, p->index, dl__skip(u, end), false, &parts) ||
        dl__parts_settle(u, p->root, p->index, &parts) != DL__INSIDE)
        return false;
    dl__replace(u, n->begin, n->end,
                dl__format(u, "%s%s(%s, %s, %s DL_ARGS(%s)%s", before,
                           element_name(u, n, p, &dl__row_inside), p->root->name,
                           dl__terms_text(u, &parts.rows), dl__terms_text(u, &parts.rest),
                           p->root->name, after));
    return true;
}

static void edit_element(struct dl__unit *u, struct dl__node *n,
                         const struct dl__access *p, const char *before,
                         const char *after)
{
    const char *close;
    size_t at;

    if (p->index && !p->root->extent_count && dl__is_base(u, p->pointer) &&
        (edit_inside(u, n, p, before, after) || edit_exact(u, n, p, before, after) ||
         edit_near(u, n, p, before, after)))
        return;
    if (p->index_host && p->index_host->kind == DL__N_CALL) {
        size_t begin, end;

        dl__index_range(u, p->index_host, p->index, &begin, &end);
        dl__replace(u, n->begin, n->end,
                    dl__format(u, "%s%s(%s, %s DL_ARGS(%s)%s", before,
                               element_name(u, n, p, &dl__any), p->root->name,
                               dl__rewritten(u, p->index, begin, end), p->root->name,
                               after));
        return;
    }
    at = dl__index_edit_call(u, n, p, before, element_name(u, n, p, &dl__any), &close);
    dl__replace(u, at, n->end, dl__format(u, "%s%s", close, after));
}

static void edit_within(struct dl__unit *u, struct dl__node *n,
                        const struct dl__access *p, const char *before, const char *after)
{
    edit_element(u, n, p, before, dl__format(u, ")%s", after));
}

static void edit_value(struct dl__unit *u, struct dl__node *n, const struct dl__access *p)
{
    edit_element(u, n, p, "(*", "))");
}

static void edit_address(struct dl__unit *u, struct dl__node *n,
                         const struct dl__access *p)
{
    edit_element(u, n, p, "", ")");
}

const struct dl__form dl__form_flat = {.bind = bind,
                                       .edit_value = edit_value,
                                       .edit_address = edit_address,
                                       .edit_within = edit_within,
                                       .any = &dl__any,
                                       DL__INDEX_OPERATIONS};
