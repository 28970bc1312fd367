/* SPDX-License-Identifier: MIT */
/* Pointers to parts of structs: a struct's index and an offset in it, a dl_part. */
#include "annotate/forms/part.h"

#include "annotate/forms/index.h"
#include "annotate/track/node.h"
#include "annotate/track/part.h"

/* The offset of a place from what its pointer points to, as it is put together from left
 * to right. */
struct offset {
    const char *before; /* what stands before the next term */
    const char *close;  /* what stands first where the text goes on */
    size_t at;          /* where that is */
};

static void add_term(struct dl__unit *u, struct offset *o, struct dl__node *host,
                     struct dl__node *index, uint32_t bytes)
{
    size_t begin, end;

    dl__bracket_range(u, host, &begin, &end);
    dl__replace(u, o->at, begin, dl__format(u, "%s%s(dl_index)(", o->close, o->before));
    dl__walk(u, index);
    o->close = dl__format(u, ") * %u", bytes);
    o->before = " + ";
    o->at = end;
}

/* ---- places ---- */

size_t dl__part_edit_pointer(struct dl__unit *u, const struct dl__access *p, size_t at,
                             const char *before, const char **close)
{
    struct dl__node *pointer = p->pointer;
    uint32_t bytes = p->root->element_type->bytes;
    size_t begin, end = pointer->end;

    *close = "";
    if (!p->index || dl__is_null(u, p->index)) {
        dl__replace(u, at, pointer->begin, before);
        dl__part_edit(u, pointer);
        if (p->index) {
            dl__bracket_range(u, p->index_host, &begin, &end);
            dl__replace(u, pointer->end, end, "");
        }
        return end;
    }
    dl__check_moved(u, pointer, p->root);
    dl__bracket_range(u, p->index_host, &begin, &end);
    dl__replace(u, at, pointer->begin, dl__format(u, "%sdl_moved(", before));
    dl__part_edit(u, pointer);
    dl__replace(u, pointer->end, begin, ", (dl_index)(");
    dl__walk(u, p->index);
    *close = dl__format(u, ") * %u)", bytes);
    return end;
}

void dl__part_edit_place(struct dl__unit *u, struct dl__node *n,
                         const struct dl__access *p)
{
    struct offset o = {.before = ", "};
    bool starts = !p->root->is_part;
    uint32_t constant = 0;

    if (p->root->is_part && !p->step_count) {
        o.at = dl__part_edit_pointer(u, p, n->begin, "", &o.close);
        dl__replace(u, o.at, n->end, o.close);
        return;
    }
    o.at = dl__index_edit_struct(u, p, n->begin, starts ? "dl_part_at(" : "dl_moved(",
                                 &o.close);
    for (size_t i = 0; i < p->step_count; i++) {
        if (p->steps[i].field)
            constant += p->steps[i].field->offset_bytes;
        else if (p->step_index[i])
            add_term(u, &o, p->step_host[i], p->step_index[i], p->steps[i].type->bytes);
    }
    dl__replace(u, o.at, n->end, dl__format(u, "%s%s%u)", o.close, o.before, constant));
}

/* ---- pointers ---- */

/* The variable that is changed, as it is called in the output. */
static const char *changed_name(struct dl__unit *u, struct dl__node *n)
{
    struct dl__variable *v = dl__variable_of(u, dl__strip(n));

    if (!v)
        dl__refuse(u, n->begin, "this change of a pointer is not understood");
    return v->kind == DL__ROOT ? dl__format(u, "dl_at_%s", v->name) : v->name;
}

/* ++ and --, += and -=; the value is used unless it is a statement. */
static void edit_step(struct dl__unit *u, struct dl__node *n, bool is_statement)
{
    const struct dl__root *root = dl__root_of(u, n);
    const char *name = changed_name(u, n->children[0]);
    uint32_t bytes = root->element_type->bytes;
    char sign = n->op[0];

    dl__check_moved(u, n, root);
    if (n->kind == DL__N_COMPOUND) {
        if (!dl__op_is(n, "+=") && !dl__op_is(n, "-="))
            dl__refuse(u, n->begin, "this change of a pointer is not understood");
        dl__replace(u, n->begin, n->children[1]->begin,
                    dl__format(u, "%s%s.dl_o %c= (dl_index)(", is_statement ? "" : "(",
                               name, sign));
        dl__walk(u, n->children[1]);
        dl__replace(u, n->children[1]->end, n->end,
                    is_statement ? dl__format(u, ") * %u", bytes)
                                 : dl__format(u, ") * %u, %s)", bytes, name));
        return;
    }
    dl__replace(u, n->begin, n->end,
                is_statement ? dl__format(u, "%s.dl_o %c= %u", name, sign, bytes)
                : n->postfix
                    ? dl__format(u, "(%s.dl_o %c= %u, dl_moved(%s, (dl_index)0 %c %u))",
                                 name, sign, bytes, name, sign == '+' ? '-' : '+', bytes)
                    : dl__format(u, "(%s.dl_o %c= %u, %s)", name, sign, bytes, name));
}

static void edit_sum(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__root *root = dl__root_of(u, n);
    struct dl__node *left = n->children[0], *right = n->children[1];
    uint32_t bytes = root->element_type->bytes;
    bool adds = dl__op_is(n, "+");

    dl__check_moved(u, n, root);
    dl__operator_at(u, n, "this expression's extent is not understood");
    if (dl__root_of(u, left)) {
        dl__replace(u, n->begin, left->begin, "dl_moved(");
        dl__part_edit(u, left);
        dl__replace(u, left->end, right->begin,
                    adds ? ", (dl_index)(" : ", (dl_index)0 - (dl_index)(");
        dl__walk(u, right);
        dl__replace(u, right->end, n->end, dl__format(u, ") * %u)", bytes));
    } else {
        dl__replace(u, n->begin, left->begin, "dl_beyond((dl_index)(");
        dl__walk(u, left);
        dl__replace(u, left->end, right->begin, dl__format(u, ") * %u, ", bytes));
        dl__part_edit(u, right);
        dl__replace(u, right->end, n->end, ")");
    }
}

static void edit_assignment(struct dl__unit *u, struct dl__node *n)
{
    struct dl__root *to = dl__root_of(u, n->children[0]);
    struct dl__variable *v = dl__variable_of(u, dl__strip(n->children[0]));

    if (!v || !dl__can_be_set_to(u, to, n->children[1]))
        dl__refuse(u, n->begin, "a pointer into '%s' is set from something else",
                   to->name);
    dl__part_edit(u, n->children[0]);
    dl__part_edit(u, n->children[1]);
}

static void edit_unary(struct dl__unit *u, struct dl__node *n)
{
    struct dl__access place;

    if (!dl__op_is(n, "&")) {
        edit_step(u, n, false);
    } else {
        dl__find_place(u, n->children[0], &place);
        dl__part_edit_place(u, n, &place);
    }
}

void dl__part_edit(struct dl__unit *u, struct dl__node *n)
{
    struct dl__variable *v;
    struct dl__access place;

    if (!dl__root_of(u, n)) {
        dl__edit_null(u, n, "dl_part_at(DL_NULL, 0)");
        return;
    }
    switch (n->kind) {
    case DL__N_PAREN:
    case DL__N_IMPLICIT:
        dl__part_edit(u, n->children[0]);
        return;
    case DL__N_CAST:
        dl__replace(u, n->begin, n->children[0]->begin, "");
        dl__part_edit(u, n->children[0]);
        return;
    case DL__N_NAME:
        v = dl__variable_of(u, n);
        if (v->kind == DL__ROOT)
            dl__replace(u, n->begin, n->end, dl__format(u, "dl_at_%s", v->name));
        return;
    case DL__N_MEMBER:
    case DL__N_SUBSCRIPT:
        dl__find_place(u, n, &place);
        dl__part_edit_place(u, n, &place);
        return;
    case DL__N_UNARY:
        edit_unary(u, n);
        return;
    case DL__N_COMPOUND:
        edit_step(u, n, false);
        return;
    case DL__N_CONDITIONAL:
        dl__walk(u, n->children[0]);
        dl__part_edit(u, n->children[1]);
        dl__part_edit(u, n->children[2]);
        return;
    case DL__N_CALL:
        u->call = n;
        dl__walk(u, n);
        return;
    default:
        if (dl__op_is(n, "="))
            edit_assignment(u, n);
        else
            edit_sum(u, n);
    }
}

void dl__part_edit_change(struct dl__unit *u, struct dl__node *n)
{
    if (dl__op_is(n, "="))
        edit_assignment(u, n);
    else
        edit_step(u, n, true);
}

/* ---- what is done with them ---- */

const char *dl__part_as_argument(struct dl__unit *u, const struct dl__root *root)
{
    return dl__format(u, "(%s %s *)%s, ", dl__space_name(root->space),
                      dl__type_text(root->element_type->name), root->name);
}

void dl__part_edit_comparison(struct dl__unit *u, struct dl__node *n)
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
    dl__operator_at(u, n, "this expression's extent is not understood");
    dl__replace(u, n->begin, left->begin, before);
    dl__part_edit(u, left);
    dl__replace(u, left->end, right->begin, ", ");
    dl__part_edit(u, right);
    dl__replace(u, right->end, n->end, after);
}
