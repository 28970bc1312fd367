/* SPDX-License-Identifier: MIT */
/* Structs by their index. */
#include "annotate/forms/index.h"

#include <stdlib.h>
#include <string.h>

#include "annotate/forms/split.h"
#include "annotate/text/lex.h"
#include "annotate/track/leaf_pointer.h"
#include "annotate/tree/resolve.h"

static size_t index_edit_struct(struct dl__unit *u, const struct dl__access *p, size_t at,
                                const char *before, const char **close);

static void index_edit(struct dl__unit *u, struct dl__node *n, bool converted);

/* One line, without comments. */
static const char *flatten_text(struct dl__unit *u, const char *text, size_t bytes)
{
    struct dl__lexer lexer = {.text = text, .bytes = bytes};
    struct dl__buf out = {.arena = u->tracker->arena};
    bool spaced = false;
    struct dl__token t;

    dl__buf_puts(&out, "");
    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        spaced |= t.spaced || t.kind == DL__NEWLINE;
        if (t.kind == DL__NEWLINE)
            continue;
        if (spaced && out.count)
            dl__buf_puts(&out, " ");
        dl__buf_add(&out, t.text, t.bytes);
        spaced = false;
    }
    return out.items;
}

const char *dl__rewritten(struct dl__unit *u, struct dl__node *n, size_t begin,
                          size_t end)
{
    struct dl__edits outer = u->edits;
    struct dl__buf out = {.arena = u->tracker->arena};
    size_t at = begin;
    bool good;

    memset(&u->edits, 0, sizeof u->edits);
    u->nested++;
    dl__walk(u, n);
    u->nested--;
    dl__buf_puts(&out, "");
    good = dl__edits_finish(&u->edits) &&
           dl__edits_print_moved(&u->edits, u->tracker->expanded, begin, end, &out, &at);
    u->edits = outer;
    if (!good)
        dl__refuse(u, n->begin, "this index is not understood");
    return dl__needs_parentheses(n)
               ? dl__format(u, "(%s)", flatten_text(u, out.items, out.count))
               : flatten_text(u, out.items, out.count);
}

/* ---- Numbers of bytes that are added to a pointer (dl__bytes_counted). ---- */

/* True when a term of a sum is a multiple of `structs`, as soon as the product of the
 * arguments in it is one of *modulus; NULL: whatever they are. */
static bool find_whole(struct dl__unit *u, const struct dl__polynomial_term *term,
                       int64_t structs, struct dl__whole *out)
{
    struct dl__tracker *t = u->tracker;
    const char *product = NULL, *ignored;

    *out = (struct dl__whole){
        NULL, (uint32_t)(structs / dl__common_divisor(structs, term->coefficient))};
    if (out->modulus == 1)
        return true;
    for (size_t i = 0; i < term->count && !u->new_name; i++) {
        size_t number = term->atoms[i]->origin->parameter;
        const char *name =
            number == SIZE_MAX ? NULL : u->function->parameters[number].name;

        if (name)
            product = product ? dl__format(u, "%s * %s", product, name) : name;
    }
    if (product)
        out->dimension =
            dl__resolve_dimension(t->arena, t->ast, u->function, product, &ignored);
    return out->dimension != NULL;
}

static void add_whole(struct dl__unit *u, struct dl__root *root, struct dl__whole whole)
{
    for (size_t i = 0; i < root->wholes.count; i++)
        if (root->wholes.items[i].modulus == whole.modulus &&
            !strcmp(root->wholes.items[i].dimension, whole.dimension))
            return;
    DL__PUSH(u->tracker->arena, &root->wholes, whole);
}

/* Refuses a number of `bytes` each of which no launch can say that it is whole structs;
 * returns how many of them are one. */
static uint32_t check_bytes(struct dl__unit *u, struct dl__root *root, struct dl__node *n,
                            uint32_t bytes)
{
    const struct dl__integer *value = dl__integer_of(dl__scope_make(u), n);
    bool whole = !value->sum.choices.count && root->element->bytes % bytes == 0 &&
                 (value->is_exact || dl__type_of(u, n)->bytes == 8);
    uint32_t structs = root->element->bytes / bytes;
    struct dl__whole condition;

    for (size_t i = 0; i < value->sum.terms.count && whole; i++) {
        whole = find_whole(u, &value->sum.terms.items[i], structs, &condition);
        if (condition.dimension)
            add_whole(u, root, condition);
    }
    if (!whole)
        dl__refuse(u, n->begin,
                   "a pointer into '%s' is moved by bytes that no launch can tell to be "
                   "whole structs of %u",
                   root->name, root->element->bytes);
    return structs;
}

/* Rewrites what is added to `pointer` to a number of structs. Bytes are a multiple of a
 * struct's, so that a shift and a product divide them: of what has passed 2^64, too, but
 * for the highest bits. */
static void edit_number(struct dl__unit *u, struct dl__node *pointer, struct dl__node *n)
{
    uint32_t bytes = dl__bytes_counted(u, pointer), structs;
    uint64_t inverse = 1;
    int shift;

    if (!bytes) {
        dl__walk(u, n);
        return;
    }
    structs = check_bytes(u, dl__root_of(u, pointer), n, bytes);
    shift = __builtin_ctz(structs);
    for (int i = 0; i < 6; i++)
        inverse *= 2 - (structs >> shift) * inverse;
    dl__replace(u, n->begin, n->begin, shift ? "(dl_index)((long)(" : "(dl_index)(");
    dl__walk(u, n);
    dl__replace(u, n->end, n->end,
                dl__format(u, "%s%s", shift ? dl__format(u, ") >> %d)", shift) : ")",
                           inverse == 1 ? ""
                                        : dl__format(u, " * (dl_index)%#llxul",
                                                     (unsigned long long)inverse)));
}

/* A pointer into a buffer of its own. */
static void edit_near(struct dl__unit *u, struct dl__node *n)
{
    const char *name = dl__root_of(u, n)->name;

    dl__replace(u, n->begin, n->begin, dl__format(u, "dl_far_at(%s, ", name));
    dl__root_of(u, n)->form->edit_index(u, n, true);
    dl__replace(u, n->end, n->end, dl__format(u, " DL_ARGS(%s))", name));
}

typedef void edit_fn(struct dl__unit *u, struct dl__node *n);

/* Rewrites `pointer + number` and `number + pointer` to calls of functions that begin
 * with `name`; a number counts `scale`. */
static void edit_sum(struct dl__unit *u, struct dl__node *n, edit_fn *edit,
                     const char *name, const char *scale)
{
    struct dl__node *left = n->children[0], *right = n->children[1];

    if (dl__bytes_counted(u, n))
        dl__refuse(u, n->begin, "a pointer into '%s' is moved by bytes",
                   dl__root_of(u, n)->name);
    dl__operator_at(u, n);
    if (dl__root_of(u, left)) {
        dl__replace(u, n->begin, left->begin, dl__format(u, "%s_moved(", name));
        edit(u, left);
        dl__replace(u, left->end, right->begin,
                    dl__op_is(n, "+") ? ", (dl_index)(" : ", (dl_index)0 - (dl_index)(");
        dl__walk(u, right);
        dl__replace(u, right->end, n->end, dl__format(u, ")%s)", scale));
    } else {
        dl__replace(u, n->begin, left->begin,
                    dl__format(u, "%s_beyond((dl_index)(", name));
        dl__walk(u, left);
        dl__replace(u, left->end, right->begin, dl__format(u, ")%s, ", scale));
        edit(u, right);
        dl__replace(u, right->end, n->end, ")");
    }
}

static void check_assignment(struct dl__unit *u, struct dl__node *n)
{
    struct dl__root *to = dl__root_of(u, n->children[0]);

    if (!dl__variable_of(u, dl__strip(n->children[0])) ||
        !dl__can_be_set_to(u, to, n->children[1]))
        dl__refuse(u, n->begin, "a pointer into '%s' is set from something else",
                   to->name);
}

static void edit_assignment(struct dl__unit *u, struct dl__node *n, edit_fn *edit)
{
    check_assignment(u, n);
    edit(u, n->children[0]);
    edit(u, n->children[1]);
}

/* Rewrites a pointer that is another in parentheses, cast, or one of two. */
static bool edit_inner(struct dl__unit *u, struct dl__node *n, edit_fn *edit)
{
    if (n->kind == DL__N_CONDITIONAL) {
        dl__walk(u, n->children[0]);
        edit(u, n->children[1]);
        edit(u, n->children[2]);
        return true;
    }
    if (n->kind == DL__N_CAST)
        dl__replace(u, n->begin, n->children[0]->begin, "");
    else if (n->kind != DL__N_PAREN && n->kind != DL__N_IMPLICIT)
        return false;
    edit(u, n->children[0]);
    return true;
}

/* `&pointer[index]`, `&*pointer` */
static void edit_address_of(struct dl__unit *u, struct dl__node *n)
{
    struct dl__access place;
    size_t begin, end;

    dl__find_place(u, n->children[0], &place);
    dl__replace(u, n->begin, place.pointer->begin, place.index ? "dl_far_moved(" : "(");
    dl__far_edit(u, place.pointer);
    if (!place.index) {
        dl__replace(u, place.pointer->end, n->end, ")");
        return;
    }
    dl__bracket_range(u, place.index_host, &begin, &end);
    dl__replace(u, place.pointer->end, begin, ", (dl_index)(");
    dl__walk(u, place.index);
    dl__replace(u, end, n->end, "))");
}

/* What a helper returns is a pointer into one of its buffers, or an index into the buffer
 * that it was given. */
static void edit_call(struct dl__unit *u, struct dl__node *n)
{
    struct dl__node *from = dl__far_returned_argument(u, n);

    if (from)
        dl__replace(u, n->begin, n->begin,
                    dl__format(u, "dl_far_set(%s, ", dl__far_name(u, from)));
    u->call = n;
    dl__walk(u, n);
    if (from)
        dl__replace(u, n->end, n->end, ")");
}

void dl__far_edit(struct dl__unit *u, struct dl__node *n)
{
    struct dl__root *root = dl__root_of(u, n);

    if (!root) {
        dl__edit_null(u, n, "dl_far_none()");
        return;
    }
    if (!root->is_far) {
        edit_near(u, n);
        return;
    }
    if (edit_inner(u, n, dl__far_edit))
        return;
    switch (n->kind) {
    case DL__N_NAME:
        dl__replace(u, n->begin, n->end, dl__far_name(u, n));
        return;
    case DL__N_CALL:
        edit_call(u, n);
        return;
    case DL__N_BINARY:
        if (dl__op_is(n, "="))
            edit_assignment(u, n, dl__far_edit);
        else
            edit_sum(u, n, dl__far_edit, "dl_far", "");
        return;
    default:
        if (n->kind == DL__N_UNARY && dl__op_is(n, "&")) {
            edit_address_of(u, n);
            return;
        }
        dl__refuse(u, n->begin,
                   "a pointer into '%s' is changed where it is used; change it in a "
                   "statement of its own",
                   root->name);
    }
}

/* Rewrites a statement that changes one. */
static void far_edit_change(struct dl__unit *u, struct dl__node *n)
{
    if (dl__op_is(n, "="))
        edit_assignment(u, n, dl__far_edit);
    else
        index_edit(u, n, true);
}

const char *dl__far_base(struct dl__unit *u, const struct dl__root *root,
                         const char *name)
{
    return dl__format(u, "(%s %s *)%s.dl_f", dl__space_name(root->space),
                      dl__type_text(root->element->name), name);
}

/* Rewrites one to the arguments for a helper, as index_edit_argument. */
static void far_edit_argument(struct dl__unit *u, struct dl__node *n, size_t begin,
                              size_t end)
{
    const char *name = dl__far_name(u, n);

    dl__replace(u, begin, n->begin,
                dl__format(u, "%s, ", dl__far_base(u, dl__root_of(u, n), name)));
    index_edit(u, n, true);
    dl__replace(u, n->end, end, dl__format(u, " DL_FAR_ARGS(%s)", name));
}

void dl__far_edit_null_comparison(struct dl__unit *u, struct dl__node *n,
                                  struct dl__node *pointer)
{
    dl__replace(u, n->begin, pointer->begin, dl__op_is(n, "==") ? "(!(" : "(0 != (");
    dl__far_edit(u, pointer);
    dl__replace(u, pointer->end, n->end, ").dl_f)");
}

const char *dl__far_entry(struct dl__unit *u, const struct dl__root *root)
{
    const struct dl__variable *v = dl__far_parameter(u, root);

    const char *index = "0";

    if (!v)
        return "";
    if (u->new_name && root->form->edit_base)
        index =
            dl__format(u, "dl_row_%s * dl_w_%s + dl_at_%s", v->name, v->name, v->name);
    else if (u->new_name)
        index = dl__format(u, "dl_at_%s", v->name);
    return dl__format(u, " dl_far dl_far_%s = dl_far_at(%s, %s DL_ARGS(%s));", v->name,
                      v->name, index, v->name);
}

/* Pointers to parts of structs: a struct's index and an offset in it, a dl_part. */

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

/* As index_edit_struct, of a place that such a pointer leads to. */
static size_t part_edit_pointer(struct dl__unit *u, const struct dl__access *p, size_t at,
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
        o.at = part_edit_pointer(u, p, n->begin, "", &o.close);
        dl__replace(u, o.at, n->end, o.close);
        return;
    }
    o.at =
        index_edit_struct(u, p, n->begin, starts ? "dl_part_at(" : "dl_moved(", &o.close);
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

static void part_edit_sum(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__root *root = dl__root_of(u, n);

    dl__check_moved(u, n, root);
    edit_sum(u, n, dl__part_edit, "dl",
             dl__format(u, " * %u", root->element_type->bytes));
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
    if (edit_inner(u, n, dl__part_edit))
        return;
    switch (n->kind) {
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
    case DL__N_CALL:
        u->call = n;
        dl__walk(u, n);
        return;
    default:
        if (dl__op_is(n, "="))
            edit_assignment(u, n, dl__part_edit);
        else
            part_edit_sum(u, n);
    }
}

/* Rewrites a statement that changes one. */
static void part_edit_change(struct dl__unit *u, struct dl__node *n)
{
    if (dl__op_is(n, "="))
        edit_assignment(u, n, dl__part_edit);
    else
        edit_step(u, n, true);
}

/* ---- what is done with them ---- */

/* The buffer as a helper takes it, with a comma. */
static const char *part_as_argument(struct dl__unit *u, const struct dl__root *root)
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
    dl__operator_at(u, n);
    dl__replace(u, n->begin, left->begin, before);
    dl__part_edit(u, left);
    dl__replace(u, left->end, right->begin, ", ");
    dl__part_edit(u, right);
    dl__replace(u, right->end, n->end, after);
}

/* Members of a struct that is handed on, where they may be another pointer than the
 * buffer's argument (track/context.h): the index is how far the program's own pointer is
 * from the argument. */

bool dl__is_moved(struct dl__unit *u, struct dl__node *n)
{
    if (!u->contexts.count)
        return false;
    n = dl__strip(n);
    return dl__is_moved_member(
        u,
        (dl__is_assignment(n) || dl__is_step(n)) && n->child_count ? n->children[0] : n);
}

/* Rewrites any pointer into the buffer, or null, to the program's pointer, which a member
 * is set to. */
static void edit_pointer(struct dl__unit *u, const struct dl__root *root,
                         struct dl__node *n)
{
    struct dl__root *of = dl__root_of(u, n);

    if (!of && dl__is_null(u, n))
        return;
    if (of != root)
        dl__refuse(u, n->begin,
                   of ? "a member can point into '%s' and into '%s'"
                      : "a pointer into '%s' is set from something else",
                   root->name, of ? of->name : "");
    if (dl__is_moved(u, n) || dl__is_base(u, n)) {
        dl__moved_keep(u, n);
        return;
    }
    dl__replace(u, n->begin, n->begin,
                dl__format(u, "(%s %s *)dl_pointer(%s, ", dl__space_name(root->space),
                           dl__type_text(root->element_type->name), root->name));
    root->form->edit_index(u, n, true);
    dl__replace(u, n->end, n->end, dl__format(u, ", %u)", root->element_type->bytes));
}

void dl__moved_keep(struct dl__unit *u, struct dl__node *n)
{
    n = dl__strip(n);
    if (n->kind == DL__N_MEMBER) {
        dl__walk(u, n->children[0]);
    } else if (n->kind == DL__N_COMPOUND) {
        dl__moved_keep(u, n->children[0]);
        dl__walk(u, n->children[1]);
    } else if (dl__is_assignment(n)) {
        dl__moved_keep(u, n->children[0]);
        edit_pointer(u, dl__root_of(u, n->children[0]), n->children[1]);
    } else if (dl__is_step(n)) {
        dl__moved_keep(u, n->children[0]);
    }
}

const char *dl__moved_text(struct dl__unit *u, struct dl__node *n)
{
    return dl__format(u, "(dl_index)(%s - %s)",
                      dl__rewritten(u, n->children[0], n->begin, n->end),
                      dl__root_of(u, n)->name);
}

/* Rewrites one to an index. One that `may_be_null` is looked at twice. */
static void moved_edit_index(struct dl__unit *u, struct dl__node *n, bool may_be_null)
{
    const struct dl__root *root = dl__root_of(u, n);
    const char *text;

    if (may_be_null && root->form->null && n->kind == DL__N_MEMBER) {
        if (!dl__is_pure(u, n) || u->nested > DL__TWICE_DEPTH_MAX)
            dl__refuse(u, n->begin,
                       "'%s' may be null, and what is before it changes something",
                       n->name);
        text = dl__rewritten(u, n->children[0], n->begin, n->end);
        dl__replace(u, n->begin, n->end,
                    dl__format(u, "(%s ? (dl_index)(%s - %s) : %s)", text, text,
                               root->name, root->form->null));
        return;
    }
    dl__replace(u, n->begin, n->begin, "(dl_index)((");
    dl__moved_keep(u, n);
    dl__replace(u, n->end, n->end, dl__format(u, ") - %s)", root->name));
}

void dl__moved_walk_braces(struct dl__unit *u, struct dl__node *n)
{
    for (size_t i = 0; i < n->child_count; i++) {
        const struct dl__context *c = dl__braces_set(u, n, i);
        struct dl__braces_item item;

        if (!c) {
            dl__walk(u, n->children[i]);
            continue;
        }
        dl__braces_item(u, n, i, &item);
        edit_pointer(u, dl__context_root(u, c), item.value);
    }
}

/* Pointers that are one index, a dl_index: of forms whose structs or elements are
 * counted by one number. */

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
static void index_edit_pointer(struct dl__unit *u, struct dl__node *n, bool converted)
{
    if (dl__is_moved(u, n))
        moved_edit_index(u, dl__strip(n), false);
    else
        index_edit(u, n, converted);
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

/* Edits from `at` on: puts `before` there, the struct index, and returns where the text
 * goes on. *close is what must stand first there. */
static size_t index_edit_struct(struct dl__unit *u, const struct dl__access *p, size_t at,
                                const char *before, const char **close)
{
    size_t begin, end;

    if (p->root->is_part)
        return part_edit_pointer(u, p, at, before, close);
    *close = "";
    if (p->array_count)
        return edit_arrays(u, p, at, before);
    if (!p->index) {
        if (dl__is_base(u, p->pointer)) {
            dl__replace(u, at, p->pointer->end, dl__format(u, "%s0", before));
        } else {
            dl__replace(u, at, p->pointer->begin, before);
            index_edit_pointer(u, p->pointer, true);
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
        index_edit_pointer(u, p->pointer, false);
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
    size_t at = index_edit_struct(u, p, n->begin, before, &separator);

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

static size_t index_edit_arguments(struct dl__unit *u, struct dl__node *n,
                                   const struct dl__access *p, const char *before,
                                   const char **separator_out)
{
    return edit_arguments(u, n, p, before, "", separator_out);
}

/* Returns the text behind the index of a grid's element that is split into dimensions;
 * NULL: it is none, or is divided when the kernel runs. */
static const char *ranked_of(struct dl__unit *u, struct dl__node *n,
                             const struct dl__access *p)
{
    struct dl__split split;
    const char *reason;

    if (!p->root->extent_count)
        return NULL;
    dl__pattern_add(u, p);
    if (!dl__split_place(u, p, false, &split, &reason)) {
        DL__PUSH(u->tracker->arena, &u->divided,
                 ((struct dl__divided){n->begin, p->root, reason}));
        return NULL;
    }
    return dl__format(u, ", %d%s)", split.is_guess, dl__split_text(u, &split));
}

/* Turns a place into `name(base, index, k... DL_ARGS(base)` and returns where the text
 * goes on; the caller puts *close and what closes the call there. */
static size_t index_edit_call(struct dl__unit *u, struct dl__node *n,
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

static void index_edit_sum(struct dl__unit *u, struct dl__node *n, bool converted)
{
    struct dl__node *left = n->children[0], *right = n->children[1];
    const char *cast = converted ? "" : "(dl_index)";
    size_t operand;

    if (!dl__root_of(u, left)) {
        edit_number(u, n, left);
        index_edit_pointer(u, right, false);
        return;
    }
    operand = dl__operator_at(u, n);
    operand = dl__skip(u, operand + 1);
    if (!dl__is_base(u, left)) {
        index_edit_pointer(u, left, false);
        edit_number(u, n, right);
    } else if (dl__op_is(n, "+")) {
        dl__replace(u, n->begin, operand, dl__format(u, "%s(", cast));
        edit_number(u, n, right);
        dl__replace(u, n->end, n->end, ")");
    } else {
        dl__replace(u, n->begin, operand, "((dl_index)0 - (");
        edit_number(u, n, right);
        dl__replace(u, n->end, n->end, "))");
    }
}

/* `&pointer[index]` */
static void index_edit_address_of(struct dl__unit *u, struct dl__node *n, bool converted)
{
    struct dl__access place;
    const char *close;
    size_t at;

    dl__find_place(u, n->children[0], &place);
    at = index_edit_struct(u, &place, n->begin, converted ? "(" : "(dl_index)(", &close);
    dl__replace(u, at, n->end, dl__format(u, "%s)", close));
}

static void index_edit_assignment(struct dl__unit *u, struct dl__node *n)
{
    check_assignment(u, n);
    index_edit(u, n->children[0], false);
    index_edit(u, n->children[1], true);
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

static void index_edit(struct dl__unit *u, struct dl__node *n, bool converted)
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
        moved_edit_index(u, n, true);
        return;
    }
    switch (n->kind) {
    case DL__N_PAREN:
    case DL__N_IMPLICIT:
        index_edit(u, n->children[0], converted);
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
        index_edit(u, n->children[0], converted);
        return;
    case DL__N_UNARY:
        if (dl__op_is(n, "&"))
            index_edit_address_of(u, n, converted);
        else
            index_edit(u, n->children[0], false);
        return;
    case DL__N_COMPOUND:
        index_edit(u, n->children[0], false);
        edit_number(u, n, n->children[1]);
        return;
    case DL__N_CONDITIONAL:
        dl__walk(u, n->children[0]);
        index_edit(u, n->children[1], false);
        index_edit(u, n->children[2], false);
        return;
    default:
        if (dl__op_is(n, "="))
            index_edit_assignment(u, n);
        else
            index_edit_sum(u, n, converted);
    }
}

static void index_edit_argument(struct dl__unit *u, struct dl__node *n, size_t begin,
                                size_t end)
{
    const struct dl__root *root = dl__root_of(u, n);
    const char *name = root->name;

    if (root->is_far) {
        far_edit_argument(u, n, begin, end);
        return;
    }
    dl__replace(u, begin, n->begin,
                root->is_part || root->is_cast ? part_as_argument(u, root)
                                               : dl__format(u, "%s, ", name));
    index_edit(u, n, true);
    dl__replace(u, n->end, end, dl__format(u, " DL_ARGS(%s)", name));
}

static void index_edit_change(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__root *root = dl__root_of(u, n);

    if (root->is_part)
        part_edit_change(u, n);
    else if (root->is_far)
        far_edit_change(u, n);
    else
        index_edit(u, n, true);
}

static void index_edit_variable(struct dl__unit *u, struct dl__node *n)
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
            index_edit(u, n->children[i], true);
    }
}

/* ---- functions ---- */

static const char *index_parameters(struct dl__unit *u, const struct dl__root *root)
{
    return dl__format(u, ", %s dl_at_%s DL_PARAMS(%s)",
                      root->is_part ? "dl_part" : "dl_index", root->name, root->name);
}

static const char *index_base(struct dl__unit *u, const struct dl__root *root,
                              const struct dl__variable *v)
{
    return dl__format(u, ", %s DL_ARGS(%s)",
                      root->has_index ? dl__format(u, "dl_at_%s", v->name) : "0",
                      root->name);
}

static const char *index_entry(struct dl__unit *u, const struct dl__root *root)
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

/* The members of a form whose pointers are such. */
#define DL__INDEX_OPERATIONS                                                             \
    .edit_index = index_edit, .edit_argument = index_edit_argument,                      \
    .edit_change = index_edit_change, .edit_variable = index_edit_variable,              \
    .parameters = index_parameters, .base = index_base, .entry = index_entry,            \
    .describe = dl__index_describe

/* ---- Flat buffers whose rows are one element each. ---- */

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
                    dl__format(u, "%s%s(%s, %s DL_ARGS(%s))%s", before, name,
                               p->root->name, dl__rewritten(u, p->index, begin, end),
                               p->root->name, after));
        return;
    }
    at = index_edit_call(u, n, p, before, name, &close);
    dl__replace(u, at, n->end, dl__format(u, "%s)%s", close, after));
}

const struct dl__form dl__form_flat = {
    .edit_element = flat_edit_element, .any = &dl__any, DL__INDEX_OPERATIONS};

/* ---- Buffers of structs: accesses are calls of accessors for each member. ---- */

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

/* Rewrites a scalar or vector place to a value, or to its address. */
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
        at = index_edit_call(u, n, p, address ? "(&" : "(", a->name, &close);
        dl__replace(u, at, n->end, dl__format(u, "%s)->dl_v)", close));
        return;
    }
    a = dl__use_place(u, n, p, &dl__address);
    at = index_edit_call(u, n, p, address ? "" : "(*", a->name, &close);
    dl__replace(u, at, n->end, dl__format(u, "%s%s", close, address ? ")" : "))"));
}

/* Structs with padding are handed to their accessors by pointers. */
static void edit_load(struct dl__unit *u, struct dl__node *n, const struct dl__access *p)
{
    bool open = dl__struct_has_open_bytes(p->type->identity);
    const struct dl__accessor *a = dl__use_place(u, n, p, &dl__load);
    const char *close, *before = open ? dl__format(u, "({ %s dl_s; ", a->type->name) : "";
    size_t at = index_edit_call(u, n, p, before, a->name, &close);

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
    size_t at = index_edit_call(u, n, p, front, a->name, &close);

    *before = dl__format(u, open ? "%s, (dl_s = " : "%s, ", close);
    *behind = !open ? ")" : used ? ", &dl_s)); dl_s; })" : ", &dl_s)); })";
    return at;
}

const struct dl__form dl__form_structs = {.null = "DL_NULL",
                                          .edit_value = structs_edit_value,
                                          .edit_address = structs_edit_address,
                                          .edit_store = edit_store,
                                          .edit_arguments = index_edit_arguments,
                                          DL__INDEX_OPERATIONS};
