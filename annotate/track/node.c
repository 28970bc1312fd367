/* SPDX-License-Identifier: MIT */
/* Small questions about nodes. */
#include "annotate/track/node.h"

#include <string.h>

#include "annotate/text/lex.h"
#include "annotate/text/number.h"

bool dl__op_is(const struct dl__node *n, const char *op)
{
    return !strcmp(n->op, op);
}

struct dl__node *dl__strip(struct dl__node *n)
{
    while ((n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT) && n->child_count == 1)
        n = n->children[0];
    return n;
}

struct dl__node *dl__strip_casts(struct dl__node *n)
{
    while (
        (n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT || n->kind == DL__N_CAST) &&
        n->child_count == 1)
        n = n->children[0];
    return n;
}

const struct dl__type *dl__type_of(struct dl__unit *u, struct dl__node *n)
{
    if (!n->known_type)
        n->known_type = dl__ast_type(u->tracker->ast, n->type);
    return n->known_type;
}

bool dl__is_assignment(const struct dl__node *n)
{
    return n->kind == DL__N_COMPOUND || (n->kind == DL__N_BINARY && dl__op_is(n, "="));
}

bool dl__is_step(const struct dl__node *n)
{
    return n->kind == DL__N_UNARY && (dl__op_is(n, "++") || dl__op_is(n, "--"));
}

bool dl__is_pure(const struct dl__node *n)
{
    if (dl__is_assignment(n) || dl__is_step(n) || n->kind == DL__N_CALL ||
        n->kind == DL__N_VALUE_BLOCK ||
        ((n->kind == DL__N_UNARY || n->kind == DL__N_BINARY) && !n->op[0]))
        return false;
    for (size_t i = 0; i < n->child_count; i++)
        if (!dl__is_pure(n->children[i]))
            return false;
    return true;
}

bool dl__has_call(const struct dl__node *n)
{
    bool has = n->kind == DL__N_CALL;

    for (size_t i = 0; i < n->child_count && !has; i++)
        has = dl__has_call(n->children[i]);
    return has;
}

bool dl__wraps_at_32_bits(const struct dl__type *type)
{
    return type->kind == DL__T_SCALAR && type->scalar == 'u' && type->bytes == 4;
}

bool dl__needs_parentheses(const struct dl__node *n)
{
    while (n->kind == DL__N_IMPLICIT && n->child_count == 1)
        n = n->children[0];
    return n->kind == DL__N_BINARY && (dl__op_is(n, ",") || !n->op[0]);
}

/* Where the text inside a subscript's brackets begins and ends: with its first and last
 * token, for what is put after it must not become part of a `//` comment. Not the index's
 * own extent: that is wrong when the index ends in a nested compiler macro. */
void dl__bracket_range(struct dl__unit *u, struct dl__node *host, size_t *begin,
                       size_t *end)
{
    size_t open = dl__skip(u, host->children[0]->end);
    struct dl__lexer lexer = {.text = u->tracker->ast->text, .bytes = host->end - 1};
    struct dl__token t;

    if (dl__text_at(u, open) != '[' || dl__text_at(u, host->end - 1) != ']')
        dl__refuse(u, host->begin, "this subscript is not understood");
    *begin = *end = dl__skip(u, open + 1);
    lexer.offset = *begin;
    while ((t = dl__lex_next(&lexer)).kind != DL__END)
        if (t.kind != DL__NEWLINE)
            *end = t.offset + t.bytes;
}

void dl__index_range(struct dl__unit *u, struct dl__node *host,
                     const struct dl__node *index, size_t *begin, size_t *end)
{
    if (host->kind != DL__N_CALL) {
        dl__bracket_range(u, host, begin, end);
        return;
    }
    *begin = index->begin;
    *end = index->end;
    if (dl__text_at(u, dl__skip(u, *end)) != ',')
        dl__refuse(u, host->begin, "an argument's extent is not understood");
}

size_t dl__operator_at(struct dl__unit *u, const struct dl__node *n, const char *reason)
{
    size_t at = dl__skip(u, n->children[0]->end);

    if (dl__text_at(u, at) != n->op[0])
        dl__refuse(u, n->begin, "%s", reason);
    return at;
}

bool dl__literal_of(const struct dl__unit *u, const struct dl__node *n, int64_t *out)
{
    uint64_t value;
    bool is_unsigned;

    if (n->kind == DL__N_NAME) {
        *out = n->constant;
        return n->is_constant;
    }
    if (n->kind != DL__N_OTHER || n->child_count || n->end <= n->begin ||
        !dl__integer_read(u->tracker->ast->text + n->begin, n->end - n->begin, &value,
                          &is_unsigned) ||
        value > INT32_MAX)
        return false;
    *out = (int64_t)value;
    return true;
}

bool dl__constant_of(const struct dl__unit *u, struct dl__node *n, int64_t *out)
{
    int64_t a, b;

    switch (n->kind) {
    case DL__N_PAREN:
    case DL__N_IMPLICIT:
        return n->child_count == 1 && dl__constant_of(u, n->children[0], out);
    case DL__N_NAME:
    case DL__N_OTHER:
        return dl__literal_of(u, n, out);
    case DL__N_UNARY:
        if (!(dl__op_is(n, "-") || dl__op_is(n, "+")) ||
            !dl__constant_of(u, n->children[0], out))
            return false;
        *out = dl__op_is(n, "-") ? -*out : *out;
        return true;
    case DL__N_BINARY:
        if (n->child_count != 2 || !dl__constant_of(u, n->children[0], &a) ||
            !dl__constant_of(u, n->children[1], &b))
            return false;
        if (dl__op_is(n, "+"))
            return !__builtin_add_overflow(a, b, out);
        if (dl__op_is(n, "-"))
            return !__builtin_sub_overflow(a, b, out);
        return dl__op_is(n, "*") && !__builtin_mul_overflow(a, b, out) &&
               *out <= INT32_MAX && *out >= INT32_MIN;
    default:
        return false;
    }
}
