/* SPDX-License-Identifier: MIT */
/* Pointers that are one index, a dl_index: of forms whose structs or elements are counted
 * by one number. */
#include "annotate/forms/index.h"

#include "annotate/forms/far.h"
#include "annotate/forms/moved.h"
#include "annotate/forms/part.h"
#include "annotate/forms/pattern.h"
#include "annotate/forms/split.h"
#include "annotate/track/far.h"
#include "annotate/track/node.h"
#include "annotate/track/part.h"

/* ---- places ---- */

static bool is_simple(const struct dl__node *n)
{
    while (n->kind == DL__N_IMPLICIT && n->child_count == 1)
        n = n->children[0];
    return n->kind == DL__N_NAME || n->kind == DL__N_PAREN || n->kind == DL__N_CALL ||
           n->kind == DL__N_SUBSCRIPT || n->kind == DL__N_MEMBER ||
           (n->kind == DL__N_OTHER && !n->child_count);
}

/* A pointer that is none to null: something is reached through it, or is counted from it.
 */
static void edit_pointer(struct dl__unit *u, struct dl__node *n, bool converted)
{
    if (dl__is_moved(u, n))
        dl__moved_edit_index(u, dl__strip(n), false);
    else
        dl__index_edit(u, n, converted);
}

/* `f[z][y][x]` becomes (dl_index)(z) * (ny * nx) + (dl_index)(y) * nx + (dl_index)(x):
 * modulo its size, as pointers add up. */
static size_t edit_arrays(struct dl__unit *u, const struct dl__access *p, size_t at,
                          const char *before)
{
    size_t begin, end = at;

    for (size_t i = 0; i < p->array_count; i++) {
        dl__bracket_range(u, p->array_host[i], &begin, &end);
        dl__replace(u, at, begin,
                    i ? dl__format(u, ") * %llu + (dl_index)(",
                                   (unsigned long long)p->array_step[i - 1])
                      : dl__format(u, "%s(dl_index)(", before));
        dl__walk(u, p->array_index[i]);
        at = end;
    }
    dl__replace(u, at, end, ")");
    return end;
}

size_t dl__index_edit_struct(struct dl__unit *u, const struct dl__access *p, size_t at,
                             const char *before, const char **close)
{
    size_t begin, end;

    if (p->root->is_part)
        return dl__part_edit_pointer(u, p, at, before, close);
    *close = "";
    if (p->array_count)
        return edit_arrays(u, p, at, before);
    if (!p->index) {
        if (dl__is_base(u, p->pointer)) {
            dl__replace(u, at, p->pointer->end, dl__format(u, "%s0", before));
        } else {
            dl__replace(u, at, p->pointer->begin, before);
            edit_pointer(u, p->pointer, true);
        }
        return p->pointer->end;
    }
    dl__bracket_range(u, p->index_host, &begin, &end);
    if (dl__is_base(u, p->pointer)) {
        bool paren = dl__needs_parentheses(p->index);

        dl__replace(u, at, begin, paren ? dl__format(u, "%s(", before) : before);
        dl__walk(u, p->index);
        *close = paren ? ")" : "";
    } else {
        bool paren = !is_simple(p->index);
        bool pointer_paren = !is_simple(p->pointer);

        dl__replace(u, at, p->pointer->begin,
                    pointer_paren ? dl__format(u, "%s(", before) : before);
        edit_pointer(u, p->pointer, false);
        dl__replace(u, p->pointer->end, begin,
                    dl__format(u, "%s + %s", pointer_paren ? ")" : "", paren ? "(" : ""));
        dl__walk(u, p->index);
        *close = paren ? ")" : "";
    }
    return end;
}

/* `behind` comes behind the struct's index. */
static size_t edit_arguments(struct dl__unit *u, struct dl__node *n,
                             const struct dl__access *p, const char *before,
                             const char *behind, const char **separator_out)
{
    const char *separator;
    size_t at = dl__index_edit_struct(u, p, n->begin, before, &separator);

    separator = dl__format(u, "%s%s", separator, behind);
    for (size_t i = 0; i < p->step_count; i++) {
        size_t begin, end;

        if (p->steps[i].field)
            continue;
        if (!p->step_index[i]) {
            separator = dl__format(u, "%s, 0", separator);
            continue;
        }
        dl__bracket_range(u, p->step_host[i], &begin, &end);
        dl__replace(u, at, begin, dl__format(u, "%s, (", separator));
        dl__walk(u, p->step_index[i]);
        separator = ")";
        at = end;
    }
    *separator_out = separator;
    return at;
}

size_t dl__index_edit_arguments(struct dl__unit *u, struct dl__node *n,
                                const struct dl__access *p, const char *before,
                                const char **separator_out)
{
    return edit_arguments(u, n, p, before, "", separator_out);
}

/* What comes behind the index of a grid's element that is split into dimensions; NULL: it
 * is none, or is divided when the kernel runs. */
static const char *ranked_of(struct dl__unit *u, struct dl__node *n,
                             const struct dl__access *p)
{
    struct dl__split split;
    const char *reason;

    if (!p->root->extent_count)
        return NULL;
    dl__pattern_add(u, n, p);
    if (!dl__split_place(u, p, false, &split, &reason)) {
        DL__PUSH(u->tracker->arena, &u->divided,
                 ((struct dl__divided){n->begin, p->root, reason}));
        return NULL;
    }
    return dl__format(u, ", %d%s)", split.is_guess, dl__split_text(u, &split));
}

size_t dl__index_edit_call(struct dl__unit *u, struct dl__node *n,
                           const struct dl__access *p, const char *before,
                           const char *name, const char **close)
{
    const char *separator, *far = p->root->is_far ? dl__far_name(u, p->pointer) : NULL;
    const char *base = far ? dl__far_base(u, p->root, far) : dl__root_base(u, p->root);
    const char *ranked = ranked_of(u, n, p), *open = "";
    size_t at;

    if (ranked)
        open = dl__format(u, "DL_RANK%zu(%s, ", p->root->extent_count, p->root->name);
    at = edit_arguments(u, n, p, dl__format(u, "%s%s(%s, %s", before, name, base, open),
                        ranked ? ranked : "", &separator);
    *close = far ? dl__format(u, "%s DL_FAR_ARGS(%s)", separator, far)
                 : dl__format(u, "%s DL_%s(%s)", separator, ranked ? "RANKED" : "ARGS",
                              p->root->name);
    return at;
}

/* ---- pointers ---- */

static void edit_sum(struct dl__unit *u, struct dl__node *n, bool converted)
{
    struct dl__node *left = n->children[0], *right = n->children[1];
    const char *cast = converted ? "" : "(dl_index)";
    size_t operand;

    if (!dl__root_of(u, left)) {
        dl__walk(u, left);
        edit_pointer(u, right, false);
        return;
    }
    operand = dl__operator_at(u, n, "this expression's extent is not understood");
    operand = dl__skip(u, operand + 1);
    if (!dl__is_base(u, left)) {
        edit_pointer(u, left, false);
        dl__walk(u, right);
    } else if (dl__op_is(n, "+")) {
        dl__replace(u, n->begin, operand, dl__format(u, "%s(", cast));
        dl__walk(u, right);
        dl__replace(u, n->end, n->end, ")");
    } else {
        dl__replace(u, n->begin, operand, "((dl_index)0 - (");
        dl__walk(u, right);
        dl__replace(u, n->end, n->end, "))");
    }
}

/* `&pointer[index]` */
static void edit_address_of(struct dl__unit *u, struct dl__node *n, bool converted)
{
    struct dl__access place;
    const char *close;
    size_t at;

    dl__find_place(u, n->children[0], &place);
    at = dl__index_edit_struct(u, &place, n->begin, converted ? "(" : "(dl_index)(",
                               &close);
    dl__replace(u, at, n->end, dl__format(u, "%s)", close));
}

static void edit_assignment(struct dl__unit *u, struct dl__node *n)
{
    struct dl__root *to = dl__root_of(u, n->children[0]);

    if (!dl__variable_of(u, dl__strip(n->children[0])) ||
        !dl__can_be_set_to(u, to, n->children[1]))
        dl__refuse(u, n->begin, "a pointer into '%s' is set from something else",
                   to->name);
    dl__index_edit(u, n->children[0], false);
    dl__index_edit(u, n->children[1], true);
}

static void edit_name(struct dl__unit *u, struct dl__node *n, const struct dl__root *root)
{
    const struct dl__variable *v = dl__variable_of(u, n);

    if (root->is_far)
        dl__replace(u, n->begin, n->end, dl__format(u, "%s.dl_i", dl__far_name(u, n)));
    else if (v->kind != DL__INDEX)
        dl__replace(u, n->begin, n->end,
                    v->root->has_index ? dl__format(u, "dl_at_%s", v->name) : "0");
}

void dl__index_edit(struct dl__unit *u, struct dl__node *n, bool converted)
{
    struct dl__root *root = dl__root_of(u, n);

    if (!root) {
        dl__edit_null(u, n, "DL_NULL");
        return;
    }
    if (root->is_part) {
        dl__part_edit(u, n);
        return;
    }
    if (n->kind != DL__N_PAREN && n->kind != DL__N_IMPLICIT && dl__is_moved(u, n)) {
        dl__moved_edit_index(u, n, true);
        return;
    }
    switch (n->kind) {
    case DL__N_PAREN:
    case DL__N_IMPLICIT:
        dl__index_edit(u, n->children[0], converted);
        return;
    case DL__N_CALL:
        u->call = n;
        dl__walk(u, n);
        return;
    case DL__N_NAME:
    case DL__N_MEMBER:
        edit_name(u, n, root);
        return;
    case DL__N_SUBSCRIPT: /* of an array of indices */
        dl__walk(u, n->children[1]);
        return;
    case DL__N_CAST:
        dl__replace(u, n->begin, n->children[0]->begin, converted ? "" : "(dl_index)");
        dl__index_edit(u, n->children[0], converted);
        return;
    case DL__N_UNARY:
        if (dl__op_is(n, "&"))
            edit_address_of(u, n, converted);
        else
            dl__index_edit(u, n->children[0], false);
        return;
    case DL__N_COMPOUND:
        dl__index_edit(u, n->children[0], false);
        dl__walk(u, n->children[1]);
        return;
    case DL__N_CONDITIONAL:
        dl__walk(u, n->children[0]);
        dl__index_edit(u, n->children[1], false);
        dl__index_edit(u, n->children[2], false);
        return;
    default:
        if (dl__op_is(n, "="))
            edit_assignment(u, n);
        else
            edit_sum(u, n, converted);
    }
}

void dl__index_edit_argument(struct dl__unit *u, struct dl__node *n, size_t begin,
                             size_t end)
{
    const struct dl__root *root = dl__root_of(u, n);
    const char *name = root->name;

    if (root->is_far) {
        dl__far_edit_argument(u, n, begin, end);
        return;
    }
    dl__replace(u, begin, n->begin,
                root->is_part || root->is_cast ? dl__part_as_argument(u, root)
                                               : dl__format(u, "%s, ", name));
    dl__index_edit(u, n, true);
    dl__replace(u, n->end, end, dl__format(u, " DL_ARGS(%s)", name));
}

void dl__index_edit_change(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__root *root = dl__root_of(u, n);

    if (root->is_part)
        dl__part_edit_change(u, n);
    else if (root->is_far)
        dl__far_edit_change(u, n);
    else
        dl__index_edit(u, n, true);
}

void dl__index_edit_variable(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__variable *v = u->variables;

    while (v && v->declared_at != n->declared_at)
        v = v->next;
    for (size_t i = 0; i < n->child_count; i++) {
        if (v && v->root->is_part)
            dl__part_edit(u, n->children[i]);
        else if (v && v->root->is_far)
            dl__far_edit(u, n->children[i]);
        else
            dl__index_edit(u, n->children[i], true);
    }
}

/* ---- functions ---- */

const char *dl__index_parameters(struct dl__unit *u, const struct dl__root *root)
{
    return dl__format(u, ", %s dl_at_%s DL_PARAMS(%s)",
                      root->is_part ? "dl_part" : "dl_index", root->name, root->name);
}

const char *dl__index_base(struct dl__unit *u, const struct dl__root *root,
                           const struct dl__variable *v)
{
    return dl__format(u, ", %s DL_ARGS(%s)",
                      root->has_index ? dl__format(u, "dl_at_%s", v->name) : "0",
                      root->name);
}

const char *dl__index_entry(struct dl__unit *u, const struct dl__root *root)
{
    return root->has_index && !dl__far_parameter(u, root)
               ? dl__format(u, " dl_index dl_at_%s = 0;", root->name)
               : "";
}

/* ---- what is said of it ---- */

const char *dl__index_describe(struct dl__arena *arena, const struct dl__root *root)
{
    size_t leaves = 0;
    const char *reason;

    dl__struct_leaves(arena, root->element, &leaves, &reason);
    return dl__arena_format(arena, "%s of %u bytes in %zu leaves",
                            dl__struct_tag(arena, root->element), root->element->bytes,
                            leaves);
}
