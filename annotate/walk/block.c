/* SPDX-License-Identifier: MIT */
/* async_work_group_copy between a buffer and local memory, which becomes a copy by the
 * work-group's items, unit by unit; and prefetch, which is dropped: where the program's
 * bytes lie in tiles, no line of them is what it wants. */
#include "annotate/walk/block.h"

#include <string.h>

#include "annotate/forms/far.h"
#include "annotate/forms/part.h"
#include "annotate/text/lex.h"
#include "annotate/track/far.h"
#include "annotate/track/form.h"
#include "annotate/track/leaf_pointer.h"
#include "annotate/track/node.h"
#include "annotate/track/part.h"
#include "annotate/track/use.h"

/* ---- where the pointer points ---- */

struct block {
    struct dl__node *n, *arg;
    struct dl__node *inner; /* the pointer without casts */
    struct dl__root *root;
    struct dl__access place;
    bool is_place; /* `&place` of a member */
    struct dl__node
        *offset; /* what is added to it behind a cast: whole structs; NULL: nothing */
    int64_t per_struct; /* so much of that is one */
    struct dl__vector_form form;
};

/* `sizeof(type)`; 0: not known. */
static int64_t size_of(struct dl__unit *u, const struct dl__node *n)
{
    struct dl__ast *ast = u->tracker->ast;
    struct dl__lexer lexer = {.text = ast->text, .bytes = n->end, .offset = n->begin};
    struct dl__token t = dl__lex_next(&lexer), end;
    bool is_tag;

    if (n->child_count)
        return dl__type_of(u, n->children[0])->bytes;
    t = dl__lex_next(&lexer);
    if (!dl__token_is(&t, "("))
        return 0;
    t = dl__lex_next(&lexer);
    is_tag = dl__token_is(&t, "struct") || dl__token_is(&t, "union");
    if (is_tag)
        t = dl__lex_next(&lexer);
    end = dl__lex_next(&lexer);
    return t.kind == DL__NAME && dl__token_is(&end, ")")
               ? (int64_t)dl__ast_bytes_of(ast, t.text, t.bytes, is_tag)
               : 0;
}

/* What divides the value of an expression, for sure. */
static int64_t divisor_of(struct dl__unit *u, struct dl__node *n)
{
    int64_t a, b;

    n = dl__strip_casts(n);
    if (n->kind == DL__N_SIZEOF) {
        a = size_of(u, n);
        return a ? a : 1;
    }
    if (dl__constant_of(u, n, &a))
        return a < 0 ? -a : a;
    if (n->kind != DL__N_BINARY || n->child_count != 2)
        return 1;
    a = divisor_of(u, n->children[0]);
    b = divisor_of(u, n->children[1]);
    if (dl__op_is(n, "*"))
        return a && b > INT32_MAX / a ? 1 : a * b;
    if (!dl__op_is(n, "+") && !dl__op_is(n, "-"))
        return 1;
    while (b) {
        int64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* `(char *)f + n * sizeof(struct)`: f is the pointer, by so many structs. */
static void find_offset(struct dl__unit *u, struct block *out)
{
    struct dl__node *sum = out->inner, *pointer;
    const struct dl__type *type;
    const struct dl__root *root;
    uint32_t bytes;

    if (sum->kind != DL__N_BINARY || sum->child_count != 2 || !dl__op_is(sum, "+"))
        return;
    pointer = dl__strip_casts(sum->children[0]);
    root = dl__root_of(u, pointer);
    type = dl__type_of(u, sum->children[0]);
    if (dl__root_of(u, sum) || !root || !dl__is_of_structs(root) || root->is_part ||
        type->kind != DL__T_POINTER || !type->element->bytes)
        return;
    bytes = type->element->bytes;
    if (root->element->bytes % bytes ||
        divisor_of(u, sum->children[1]) % (root->element->bytes / bytes))
        return;
    out->inner = pointer;
    out->offset = sum->children[1];
    out->per_struct = root->element->bytes / bytes;
}

/* False: it does not point into a buffer. */
static bool find_pointer(struct dl__unit *u, struct dl__node *arg, struct block *out)
{
    struct dl__access *p = &out->place;

    memset(p, 0, sizeof *p);
    out->arg = arg;
    out->inner = dl__strip_casts(arg);
    out->is_place = out->inner->kind == DL__N_UNARY && dl__op_is(out->inner, "&") &&
                    dl__find_place(u, out->inner->children[0], p) && p->step_count;
    out->offset = NULL;
    find_offset(u, out);
    out->root = out->is_place ? p->root : dl__root_of(u, out->inner);
    return out->root != NULL;
}

/* ---- prefetch ---- */

static bool has_effects(const struct dl__node *n)
{
    if (dl__is_assignment(n) || dl__is_step(n) || n->kind == DL__N_VALUE_BLOCK ||
        (n->kind == DL__N_CALL && strncmp(n->name, "get_", 4)))
        return true;
    for (size_t i = 0; i < n->child_count; i++)
        if (has_effects(n->children[i]))
            return true;
    return false;
}

static void edit_unused_pointer(struct dl__unit *u, struct block *b)
{
    if (b->offset)
        dl__refuse(u, b->arg->begin, "a pointer into '%s' is cast to another type",
                   b->root->name);
    if (b->is_place)
        dl__part_edit_place(u, b->inner, &b->place);
    else
        b->root->form->edit_index(u, b->inner, true);
}

static void walk_prefetch(struct dl__unit *u, struct dl__node *n, struct block *b)
{
    struct dl__node *count = n->children[2];

    if (!has_effects(b->arg) && !has_effects(count)) {
        dl__replace(u, n->begin, n->end, "(void)0");
        return;
    }
    if (has_effects(b->arg)) {
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
    static const char *const units[] = {[1] = "unsigned char",
                                        [2] = "unsigned short",
                                        [4] = "unsigned int",
                                        [8] = "uint2",
                                        [16] = "uint4"};
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
        form->view = units[form->start_bytes];
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
                dl__format(u, "%s, %s", base,
                           is_part     ? ""
                           : b->offset ? "dl_part_at(("
                                       : "dl_part_at("));
    if (b->is_place)
        dl__part_edit_place(u, b->inner, &b->place);
    else if (is_part)
        dl__part_edit(u, b->inner);
    else
        b->root->form->edit_index(u, b->inner, true);
    if (b->offset) {
        dl__replace(u, b->inner->end, b->offset->begin, ") + (dl_index)((long)(");
        dl__walk(u, b->offset);
        dl__replace(u, b->offset->end, b->arg->end,
                    dl__format(u, ") / %lld)%s", (long long)b->per_struct, last));
    } else {
        dl__replace(u, b->inner->end, b->arg->end, last);
    }
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
