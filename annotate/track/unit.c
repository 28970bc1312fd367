/* SPDX-License-Identifier: MIT */
/* One function as a unit of tracking, and its syntax. */
#include "annotate/track/unit.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "annotate/text/lex.h"

bool dl__is_pure(struct dl__unit *u, const struct dl__node *n)
{
    static const char pure[] =
        "get_global_id get_local_id get_group_id get_global_size get_local_size "
        "get_num_groups min max abs clamp mad24 mul24";

    if (dl__is_assignment(n) || dl__is_step(n) || n->kind == DL__N_VALUE_BLOCK ||
        ((n->kind == DL__N_UNARY || n->kind == DL__N_BINARY) && !n->op[0]) ||
        (n->kind == DL__N_CALL &&
         (!n->name || !dl__is_in(pure, n->name, strlen(n->name)) ||
          dl__ast_callee(u->tracker->ast, n))))
        return false;
    for (size_t i = 0; i < n->child_count; i++)
        if (!dl__is_pure(u, n->children[i]))
            return false;
    return true;
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
    while ((t = dl__lex_over_lines(&lexer)).kind != DL__END)
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

size_t dl__operator_at(struct dl__unit *u, const struct dl__node *n)
{
    size_t at = dl__skip(u, n->children[0]->end);

    if (dl__text_at(u, at) != n->op[0])
        dl__refuse(u, n->begin, "this expression's extent is not understood");
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

bool dl__constant_of(struct dl__unit *u, struct dl__node *n, int64_t *out)
{
    int64_t a, b;

    switch (n->kind) {
    case DL__N_PAREN:
    case DL__N_IMPLICIT:
        return n->child_count == 1 && dl__constant_of(u, n->children[0], out);
    case DL__N_SIZEOF:
        *out = n->constant;
        return n->is_constant && n->constant <= INT32_MAX;
    case DL__N_NAME:
    case DL__N_OTHER:
        return dl__literal_of(u, n, out);
    case DL__N_UNARY:
        if (!(dl__op_is(n, "-") || dl__op_is(n, "+")) ||
            !dl__constant_of(u, n->children[0], out))
            return false;
        *out = dl__op_is(n, "-") ? -*out : *out;
        break;
    case DL__N_BINARY:
        if (n->child_count != 2 || !dl__constant_of(u, n->children[0], &a) ||
            !dl__constant_of(u, n->children[1], &b))
            return false;
        if (dl__op_is(n, "+") ? __builtin_add_overflow(a, b, out)
            : dl__op_is(n, "-")
                ? __builtin_sub_overflow(a, b, out)
                : !dl__op_is(n, "*") || __builtin_mul_overflow(a, b, out) ||
                      *out > INT32_MAX || *out < INT32_MIN)
            return false;
        break;
    default:
        return false;
    }
    /* Without a sign it is another number. */
    return *out >= 0 || dl__type_of(u, n)->scalar != 'u';
}

/* ---- Variables and their changes. ---- */

/* The target of a pointer is not a part of it. */
static bool is_through_pointer(struct dl__unit *u, struct dl__node *n)
{
    return (n->kind == DL__N_MEMBER || n->kind == DL__N_SUBSCRIPT ||
            (n->kind == DL__N_UNARY && dl__op_is(n, "*")) ||
            dl__is_pointed_component(u, n)) &&
           dl__type_of(u, dl__strip(n->children[0]))->kind == DL__T_POINTER;
}

static void add_change(struct dl__unit *u, struct dl__node *n, bool by_address)
{
    struct dl__local change = {.at = n->begin, .anywhere = by_address};

    while (n->child_count && n->kind != DL__N_NAME) {
        if (is_through_pointer(u, n))
            return;
        n = n->children[0];
    }
    change.declared_at = n->declared_at;
    if (n->kind == DL__N_NAME)
        DL__PUSH(u->tracker->arena, &u->locals, change);
}

static void find_locals(struct dl__unit *u, struct dl__node *n)
{
    if (n->kind == DL__N_VARIABLE || (n->kind == DL__N_OTHER && n->name)) {
        struct dl__local local = {n->declared_at, n, n->begin, false};

        DL__PUSH(u->tracker->arena, &u->locals, local);
    } else if (n->child_count &&
               (dl__is_assignment(n) || dl__is_step(n) ||
                (n->kind == DL__N_UNARY && (dl__op_is(n, "&") || !n->op[0])) ||
                ((n->kind == DL__N_BINARY || n->kind == DL__N_COMPOUND) && !n->op[0]))) {
        add_change(u, n->children[0], n->kind == DL__N_UNARY && !dl__is_step(n));
    }
    for (size_t i = 0; i < n->child_count; i++)
        find_locals(u, n->children[i]);
}

static void need_locals(struct dl__unit *u)
{
    if (!u->has_locals)
        find_locals(u, dl__ast_body(u->tracker->ast, u->function));
    u->has_locals = true;
}

bool dl__is_changed(struct dl__unit *u, size_t declared_at, struct dl__node **declaration)
{
    bool changed = false;

    need_locals(u);
    *declaration = NULL;
    for (size_t i = 0; i < u->locals.count; i++) {
        const struct dl__local *local = &u->locals.items[i];

        if (local->declared_at != declared_at)
            continue;
        changed |= !local->declaration;
        *declaration = local->declaration ? local->declaration : *declaration;
    }
    return changed;
}

size_t dl__count_changes(struct dl__unit *u, size_t declared_at, struct dl__block block)
{
    size_t count = 0;

    need_locals(u);
    for (size_t i = 0; i < u->locals.count; i++) {
        const struct dl__local *local = &u->locals.items[i];

        count += local->declared_at == declared_at && !local->declaration &&
                 (local->anywhere || (local->at >= block.begin && local->at < block.end));
    }
    return count;
}

bool dl__is_declared_once(struct dl__unit *u, const char *name, size_t declared_at)
{
    need_locals(u);
    for (size_t i = 0; i < u->function->parameter_count; i++)
        if (!strcmp(u->function->parameters[i].name, name) &&
            u->function->parameters[i].name_at != declared_at)
            return false;
    for (size_t i = 0; i < u->locals.count; i++)
        if (u->locals.items[i].declaration &&
            !strcmp(u->locals.items[i].declaration->name, name) &&
            u->locals.items[i].declared_at != declared_at)
            return false;
    return true;
}

/* ---- What all passes over a function share: refusing and editing. ---- */

/* The program's name for one that was made for a copy. */
static const char *own_name(const struct dl__unit *u, const char *name, size_t bytes)
{
    for (size_t i = 0; i < u->contexts.count; i++) {
        const char *made = u->contexts.items[i].parameter;

        if (strlen(made) == bytes && !memcmp(made, name, bytes))
            return u->contexts.items[i].member;
    }
    return NULL;
}

/* A reason has the program's names alone. */
static const char *with_own_names(struct dl__unit *u, const char *text)
{
    struct dl__buf out = {.arena = u->tracker->arena};
    const char *quote;

    dl__buf_puts(&out, "");
    while ((quote = strchr(text, '\'')) != NULL) {
        size_t bytes = strcspn(quote + 1, "'");
        const char *own = own_name(u, quote + 1, bytes);

        dl__buf_puts(&out, dl__format(u, "%.*s", (int)(quote + 1 - text), text));
        text = quote + 1;
        if (own && quote[1 + bytes]) {
            dl__buf_puts(&out, own);
            text += bytes;
        }
    }
    dl__buf_puts(&out, text);
    return dl__format(u, "%.*s", (int)out.count, out.items);
}

void dl__refuse(struct dl__unit *u, size_t at, const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    u->refused = true;
    u->refused_at = at;
    u->reason = with_own_names(u, text);
    longjmp(u->refuse, 1);
}

void dl__replace(struct dl__unit *u, size_t begin, size_t end, const char *text)
{
    if (begin > end || end > u->tracker->expanded->bytes)
        dl__refuse(u, begin, "this expression's extent is not understood");
    dl__edit_replace(&u->edits, u->tracker->expanded, begin, end, text);
}

char *dl__format(struct dl__unit *u, const char *format, ...)
{
    va_list args;
    char *text;

    va_start(args, format);
    text = dl__arena_format_list(u->tracker->arena, format, args);
    va_end(args);
    return text;
}

bool dl__begins_with(const struct dl__unit *u, const struct dl__node *n, const char *word)
{
    struct dl__lexer lexer = {.text = u->tracker->ast->text,
                              .bytes = u->tracker->ast->bytes,
                              .offset = n->begin};
    struct dl__token t = dl__lex_next(&lexer);

    return dl__token_is(&t, word);
}

static struct dl__variable *named(struct dl__unit *u, const struct dl__node *n)
{
    return n->kind == DL__N_NAME ? dl__variable_at(u, n->declared_at) : NULL;
}

static const struct dl__context *context_at(struct dl__unit *u, struct dl__node *n)
{
    return n->child_count ? dl__context_of(u, dl__struct_of_member(u, n), n->name) : NULL;
}

/* The buffer's variable that a member stands for; NULL: it is none. */
static struct dl__variable *context_variable(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__context *c = context_at(u, n);
    struct dl__variable *v = c ? dl__variable_at(u, c->declared_at) : NULL;

    if (v && c->is_moved && v->root->is_far)
        dl__refuse(u, n->begin, "'%s' is moved, and can point into '%s'", n->name,
                   v->root->name);
    if (v && !c->is_moved && !dl__is_pure(u, n->children[0]))
        dl__refuse(u, n->begin,
                   "'%s' stands for a buffer, but what is before it changes something",
                   n->name);
    return v;
}

bool dl__is_moved_member(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__context *c;

    if (!u->contexts.count)
        return false;
    n = dl__strip(n);
    c = n->kind == DL__N_MEMBER ? context_at(u, n) : NULL;
    return c && c->is_moved;
}

struct dl__variable *dl__pointer_array_of(struct dl__unit *u, const struct dl__node *n)
{
    struct dl__variable *v = named(u, n);

    return v && v->is_array ? v : NULL;
}

struct dl__variable *dl__variable_of(struct dl__unit *u, struct dl__node *n)
{
    struct dl__variable *v;

    if (n->kind == DL__N_MEMBER && u->contexts.count)
        return context_variable(u, n);
    if (n->kind == DL__N_SUBSCRIPT && n->child_count == 2)
        return dl__pointer_array_of(u, dl__strip(n->children[0]));
    v = named(u, n);
    return v && !v->is_array ? v : NULL;
}
