/* SPDX-License-Identifier: MIT */
/* What all passes over a function share: refusing and editing. */
#include "annotate/track/unit.h"

#include "annotate/track/node.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "annotate/text/lex.h"
#include "annotate/track/context.h"

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

size_t dl__skip(const struct dl__unit *u, size_t at)
{
    return dl__text_skip(u->tracker->ast->text, u->tracker->ast->bytes, at);
}

char dl__text_at(const struct dl__unit *u, size_t at)
{
    return at < u->tracker->ast->bytes ? u->tracker->ast->text[at] : '\0';
}

static struct dl__variable *named(struct dl__unit *u, const struct dl__node *n)
{
    struct dl__variable *v = u->variables;

    if (n->kind != DL__N_NAME || n->declared_at == SIZE_MAX)
        return NULL;
    while (v && v->declared_at != n->declared_at)
        v = v->next;
    return v;
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
        return dl__context_variable(u, n);
    if (n->kind == DL__N_SUBSCRIPT && n->child_count == 2)
        return dl__pointer_array_of(u, dl__strip(n->children[0]));
    v = named(u, n);
    return v && !v->is_array ? v : NULL;
}

void dl__walk(struct dl__unit *u, struct dl__node *n)
{
    u->tracker->walk(u, n);
}
