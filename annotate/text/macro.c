/* SPDX-License-Identifier: MIT */
/* Macros: their definitions, and where a text names one. */
#include "annotate/text/macro.h"

#include <string.h>

static size_t bucket_of(const char *name, size_t bytes)
{
    uint32_t hash = 2166136261u;

    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    return hash % DL__MACRO_BUCKETS;
}

static struct dl__macro *find_any(const struct dl__macros *macros, const char *name,
                                  size_t bytes)
{
    struct dl__macro *m = macros->buckets[bucket_of(name, bytes)];

    while (m && !(m->name_bytes == bytes && !memcmp(m->name, name, bytes)))
        m = m->next;
    return m;
}

struct dl__macro *dl__macro_find(const struct dl__macros *macros, const char *name,
                                 size_t bytes)
{
    struct dl__macro *m = find_any(macros, name, bytes);

    return m && m->defined ? m : NULL;
}

struct dl__macro *dl__macro_define(struct dl__macros *macros, const char *name,
                                   size_t bytes)
{
    struct dl__macro *m = find_any(macros, name, bytes);
    struct dl__macro fresh = {.defined = true};

    if (!m) {
        size_t bucket = bucket_of(name, bytes);

        m = DL__NEW(macros->arena, struct dl__macro);
        m->name = dl__arena_text(macros->arena, name, bytes);
        m->name_bytes = bytes;
        m->next = macros->buckets[bucket];
        macros->buckets[bucket] = m;
    }
    fresh.name = m->name;
    fresh.name_bytes = m->name_bytes;
    fresh.next = m->next;
    fresh.user = m->user;
    *m = fresh;
    return m;
}

bool dl__macro_in_text(const struct dl__macros *macros, const char *text, size_t bytes,
                       struct dl__token *name)
{
    struct dl__lexer lexer = {.text = text, .bytes = bytes};

    while ((*name = dl__lex_next(&lexer)).kind != DL__END) {
        const struct dl__macro *m =
            name->kind == DL__NAME ? find_any(macros, name->text, name->bytes) : NULL;
        struct dl__lexer ahead = lexer;
        struct dl__token next = {0};

        if (!m || !(m->user || (m->defined && !m->compiler)))
            continue;
        do
            next = dl__lex_next(&ahead);
        while (next.kind == DL__NEWLINE);
        if (!m->function || dl__token_is(&next, "("))
            return true;
    }
    return false;
}

void dl__macro_undefine(struct dl__macros *macros, const char *name, size_t bytes)
{
    struct dl__macro *m = find_any(macros, name, bytes);

    if (!m)
        m = dl__macro_define(macros, name, bytes);
    m->defined = false;
    m->undefined_by_user = true;
}

bool dl__macro_is_compilers(const struct dl__macros *macros, const char *name,
                            size_t bytes)
{
    const struct dl__macro *m = find_any(macros, name, bytes);

    return !m || (m->defined ? m->compiler : !m->undefined_by_user);
}

/* A token that goes over a line's end: what it is without the splice, for it may be put
 * elsewhere. */
static void join_lines(struct dl__arena *arena, struct dl__item *item)
{
    char *text = dl__arena_text(arena, item->text, item->bytes);
    size_t bytes = 0;

    for (size_t i = 0; i < item->bytes; i++) {
        size_t end = i + 1 + (i + 1 < item->bytes && text[i + 1] == '\r');

        if (text[i] == '\\' && end < item->bytes && text[end] == '\n')
            i = end;
        else if (text[i] != '\n')
            text[bytes++] = text[i];
    }
    item->text = text;
    item->bytes = bytes;
}

struct dl__item *dl__item_make(struct dl__arena *arena, const struct dl__token *token)
{
    struct dl__item *item = DL__NEW(arena, struct dl__item);

    item->kind = token->kind;
    item->text = token->text;
    item->bytes = token->bytes;
    item->spaced = token->spaced;
    if (memchr(item->text, '\n', item->bytes))
        join_lines(arena, item);
    return item;
}

/* Reads `(a, b...)` after a macro's name; returns the token after it, 0 when
 * malformed. */
static size_t parse_parameters(struct dl__macros *macros, struct dl__macro *m,
                               const struct dl__token *tokens, size_t count)
{
    size_t at = 2;

    m->function = true;
    m->parameters = dl__arena_alloc(macros->arena, count * sizeof *m->parameters);
    if (at < count && dl__token_is(&tokens[at], ")"))
        return at + 1;
    while (at < count) {
        const struct dl__token *t = &tokens[at++];

        if (dl__token_is(t, "...")) {
            m->parameters[m->parameter_count++] = "__VA_ARGS__";
            m->variadic = true;
        } else if (t->kind == DL__NAME) {
            m->parameters[m->parameter_count++] =
                dl__arena_text(macros->arena, t->text, t->bytes);
            if (at < count && dl__token_is(&tokens[at], "...")) {
                m->variadic = true;
                at++;
            }
        } else {
            return 0;
        }
        if (at < count && dl__token_is(&tokens[at], ")"))
            return at + 1;
        if (m->variadic || at >= count || !dl__token_is(&tokens[at], ","))
            return 0;
        at++;
    }
    return 0;
}

bool dl__macro_parse(struct dl__macros *macros, const struct dl__token *tokens,
                     size_t count)
{
    struct dl__item **tail;
    struct dl__macro *m;
    size_t at = 1;

    if (!count || tokens[0].kind != DL__NAME)
        return false;
    m = dl__macro_define(macros, tokens[0].text, tokens[0].bytes);
    if (count > 1 && dl__token_is(&tokens[1], "(") && !tokens[1].spaced) {
        at = parse_parameters(macros, m, tokens, count);
        if (!at)
            return false;
    }
    tail = &m->body;
    for (; at < count; at++) {
        *tail = dl__item_make(macros->arena, &tokens[at]);
        tail = &(*tail)->next;
    }
    return true;
}

bool dl__item_is(const struct dl__item *item, const char *text)
{
    return item && item->bytes == strlen(text) && !memcmp(item->text, text, item->bytes);
}
