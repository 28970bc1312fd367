/* What the passes over a function share: refusing, editing, and small questions about
 * nodes. */
#include "annotate/track/unit.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "annotate/text/lex.h"

void dl__refuse(struct dl__unit *u, size_t at, const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    u->refused = true;
    u->refused_at = at;
    u->reason = dl__arena_text(u->tracker->arena, text, strlen(text));
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

struct dl__variable *dl__variable_of(struct dl__unit *u, struct dl__node *n)
{
    struct dl__variable *v = u->variables;

    if (n->kind != DL__N_NAME || n->declared_at == SIZE_MAX)
        return NULL;
    while (v && v->declared_at != n->declared_at)
        v = v->next;
    return v;
}
