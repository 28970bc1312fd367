/* SPDX-License-Identifier: MIT */
/* Expressions that are written a second time, from the tree: what macros made them of
 * does not count. */
#include "annotate/forms/repeat.h"

#include <string.h>

#include "annotate/accessors/accessor.h"
#include "annotate/track/node.h"

enum { BYTES_MAX = 400 };

static bool is_scalar(const struct dl__type *type)
{
    return type->kind == DL__T_SCALAR && type->name && !type->is_volatile &&
           (type->scalar == 'i' || type->scalar == 'u' || type->scalar == 'b');
}

/* Other work-items may change it meanwhile. */
static bool is_shared(const struct dl__type *type)
{
    return type->address_space == DL__GLOBAL || type->address_space == DL__LOCAL;
}

static const char *repeat_name(struct dl__unit *u, struct dl__node *n,
                               const struct dl__block *block)
{
    const struct dl__type *type = dl__type_of(u, n);

    if (type->is_volatile || !n->name || !n->name[0] || dl__variable_of(u, n))
        return NULL;
    if (block && (is_shared(type) || dl__count_changes(u, n->declared_at, *block) ||
                  !dl__is_declared_once(u, n->name, n->declared_at)))
        return NULL;
    return n->name;
}

static const char *repeat_call(struct dl__unit *u, struct dl__node *n,
                               const struct dl__block *block)
{
    static const char *const known[] = {
        "get_global_id",  "get_local_id",   "get_group_id",     "get_global_size",
        "get_local_size", "get_num_groups", "get_global_offset"};
    const char *argument;
    bool is_known = false;

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        is_known |= !strcmp(n->name, known[i]);
    if (!is_known || n->child_count != 2 || dl__ast_callee(u->tracker->ast, n))
        return NULL;
    argument = dl__repeat(u, n->children[1], block);
    return argument ? dl__format(u, "%s(%s)", n->name, argument) : NULL;
}

static const char *repeat_binary(struct dl__unit *u, struct dl__node *n,
                                 const struct dl__block *block)
{
    static const char *const known[] = {
        "+",  "-", "*",  "/", "%",  "&",  "|",  "^",  "<<",
        ">>", "<", "<=", ">", ">=", "==", "!=", "&&", "||"};
    const char *left = dl__repeat(u, n->children[0], block),
               *right = dl__repeat(u, n->children[1], block);
    bool is_known = false;

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        is_known |= dl__op_is(n, known[i]);
    return is_known && left && right ? dl__format(u, "(%s %s %s)", left, n->op, right)
                                     : NULL;
}

static const char *repeat_member(struct dl__unit *u, struct dl__node *n,
                                 const struct dl__block *block)
{
    const struct dl__type *of = dl__type_of(u, n->children[0]);
    const char *base;

    if ((of->kind != DL__T_STRUCT && of->kind != DL__T_VECTOR) ||
        n->children[0]->kind != DL__N_NAME || dl__type_of(u, n)->is_volatile)
        return NULL;
    base = repeat_name(u, n->children[0], block);
    return base ? dl__format(u, "%s.%s", base, n->name) : NULL;
}

static const char *repeat_parts(struct dl__unit *u, struct dl__node *n,
                                const struct dl__block *block)
{
    const char *a, *b, *c;

    switch (n->kind) {
    case DL__N_NAME:
        return repeat_name(u, n, block);
    case DL__N_MEMBER:
        return n->child_count == 1 ? repeat_member(u, n, block) : NULL;
    case DL__N_PAREN:
        return n->child_count == 1 ? dl__repeat(u, n->children[0], block) : NULL;
    case DL__N_IMPLICIT:
    case DL__N_CAST:
        a = n->child_count == 1 ? dl__repeat(u, n->children[0], block) : NULL;
        return a ? dl__format(u, "((%s)%s)", dl__type_text(dl__type_of(u, n)->name), a)
                 : NULL;
    case DL__N_UNARY:
        if (n->postfix || !(dl__op_is(n, "-") || dl__op_is(n, "+") || dl__op_is(n, "~") ||
                            dl__op_is(n, "!")))
            return NULL;
        a = dl__repeat(u, n->children[0], block);
        return a ? dl__format(u, "(%s%s)", n->op, a) : NULL;
    case DL__N_BINARY:
        return n->child_count == 2 ? repeat_binary(u, n, block) : NULL;
    case DL__N_CALL:
        return repeat_call(u, n, block);
    case DL__N_CONDITIONAL:
        a = dl__repeat(u, n->children[0], block);
        b = dl__repeat(u, n->children[1], block);
        c = dl__repeat(u, n->children[2], block);
        return a && b && c ? dl__format(u, "(%s ? %s : %s)", a, b, c) : NULL;
    default:
        return NULL;
    }
}

const char *dl__repeat(struct dl__unit *u, struct dl__node *n,
                       const struct dl__block *block)
{
    const struct dl__type *type = dl__type_of(u, n);
    const char *text;
    int64_t constant;

    if (!is_scalar(type))
        return NULL;
    if (dl__literal_of(u, n, &constant))
        return dl__format(u, "((%s)%lld)", dl__type_text(type->name),
                          (long long)constant);
    text = repeat_parts(u, n, block);
    return text && strlen(text) <= BYTES_MAX ? text : NULL;
}
