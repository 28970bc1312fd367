/* SPDX-License-Identifier: MIT */
/* Macros: their table and their expansion. */
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

/* Macro expansion: D. Prosser's algorithm, the one the C standard was written from. */

enum { STEPS_MAX = 1000 * 1000 };

struct dl__hidden {
    const struct dl__macro *macro;
    struct dl__hidden *next;
};

static struct dl__item *copy_item(struct dl__arena *arena, const struct dl__item *item)
{
    struct dl__item *copy = DL__NEW(arena, struct dl__item);

    *copy = *item;
    copy->next = NULL;
    return copy;
}

static bool is_hidden(const struct dl__hidden *set, const struct dl__macro *m)
{
    while (set && set->macro != m)
        set = set->next;
    return set != NULL;
}

static struct dl__hidden *hide(struct dl__arena *arena, struct dl__hidden *set,
                               const struct dl__macro *m)
{
    struct dl__hidden *more = DL__NEW(arena, struct dl__hidden);

    more->macro = m;
    more->next = set;
    return more;
}

static struct dl__hidden *both_hide(struct dl__arena *arena, const struct dl__hidden *a,
                                    const struct dl__hidden *b)
{
    struct dl__hidden *out = NULL;

    for (; a; a = a->next)
        if (is_hidden(b, a->macro))
            out = hide(arena, out, a->macro);
    return out;
}

struct arguments {
    struct dl__item *raw[128];
    struct dl__item *expanded[128];
    bool is_expanded[128];
    size_t count;
    struct dl__item *close; /* the `)` */
    bool rest_absent;       /* nothing, not even a comma, for the last parameter */
};

/* Splits what stands between the parentheses after `name`. */
static bool collect_arguments(struct dl__macros *macros, const struct dl__macro *m,
                              struct dl__item *open, struct arguments *out)
{
    struct dl__item **tail = &out->raw[0];
    unsigned depth = 0;

    memset(out, 0, sizeof *out);
    out->count = 1;
    for (struct dl__item *t = open->next; t; t = t->next) {
        if (!depth && dl__item_is(t, ")")) {
            out->close = t;
            break;
        }
        if (!depth && dl__item_is(t, ",") &&
            !(m->variadic && out->count == m->parameter_count)) {
            if (out->count == 128)
                return false;
            tail = &out->raw[out->count++];
            continue;
        }
        depth += dl__item_is(t, "(");
        depth -= dl__item_is(t, ")");
        *tail = copy_item(macros->arena, t);
        tail = &(*tail)->next;
    }
    if (!out->close)
        return false;
    if (m->parameter_count == 0)
        return out->count == 1 && !out->raw[0];
    out->rest_absent = m->variadic && out->count + 1 == m->parameter_count;
    out->count += out->rest_absent;
    return out->count == m->parameter_count;
}

static size_t parameter_of(const struct dl__macro *m, const struct dl__item *t)
{
    if (t->kind == DL__NAME)
        for (size_t i = 0; i < m->parameter_count; i++)
            if (strlen(m->parameters[i]) == t->bytes &&
                !memcmp(m->parameters[i], t->text, t->bytes))
                return i;
    return SIZE_MAX;
}

static struct dl__item *stringise(struct dl__arena *arena, const struct dl__item *list)
{
    struct dl__buf buf = {.arena = arena};
    struct dl__item *out = DL__NEW(arena, struct dl__item);

    dl__buf_puts(&buf, "\"");
    for (const struct dl__item *t = list; t; t = t->next) {
        bool quoted = t->kind == DL__STRING || t->kind == DL__CHARACTER;

        if (t->spaced && t != list)
            dl__buf_puts(&buf, " ");
        for (size_t i = 0; i < t->bytes; i++) {
            if (quoted && (t->text[i] == '"' || t->text[i] == '\\'))
                dl__buf_puts(&buf, "\\");
            dl__buf_add(&buf, t->text + i, 1);
        }
    }
    dl__buf_puts(&buf, "\"");
    out->kind = DL__STRING;
    out->text = buf.items;
    out->bytes = buf.count;
    return out;
}

/* `left ## right`: the first token of `right` is glued to `left`. */
static void paste(struct dl__arena *arena, struct dl__item *left,
                  const struct dl__item *right)
{
    char *text = dl__arena_alloc(arena, left->bytes + right->bytes + 1);
    struct dl__lexer lexer = {0};
    struct dl__token token;

    memcpy(text, left->text, left->bytes);
    memcpy(text + left->bytes, right->text, right->bytes);
    lexer.text = text;
    lexer.bytes = left->bytes + right->bytes;
    token = dl__lex_next(&lexer);
    left->text = text;
    left->bytes = lexer.bytes;
    left->kind = token.kind;
}

static struct dl__item *expanded_argument(struct dl__macros *macros,
                                          struct arguments *args, size_t i, bool compiler)
{
    if (!args->is_expanded[i]) {
        struct dl__item *copy = NULL, **tail = &copy;

        for (const struct dl__item *t = args->raw[i]; t; t = t->next) {
            *tail = copy_item(macros->arena, t);
            tail = &(*tail)->next;
        }
        args->expanded[i] = dl__macro_expand(macros, copy, compiler);
        args->is_expanded[i] = true;
    }
    return args->expanded[i];
}

struct result {
    struct dl__item *first, **tail, *last;
};

static void append(struct dl__macros *macros, struct result *to,
                   const struct dl__item *list, bool spaced)
{
    for (const struct dl__item *t = list; t; t = t->next) {
        struct dl__item *copy = copy_item(macros->arena, t);

        if (t == list)
            copy->spaced = spaced;
        *to->tail = copy;
        to->tail = &copy->next;
        to->last = copy;
    }
}

/* GNU `, ## __VA_ARGS__`, where the comma is the last token so far: it goes when there
 * are no arguments. */
static void append_rest(struct dl__macros *macros, struct result *out,
                        struct arguments *args, size_t i, bool compiler, bool spaced)
{
    struct dl__item **tail = &out->first;

    if (!args->rest_absent) {
        append(macros, out, expanded_argument(macros, args, i, compiler), spaced);
        return;
    }
    while (*tail != out->last)
        tail = &(*tail)->next;
    *tail = NULL;
    out->tail = tail;
    out->last = NULL;
    for (struct dl__item *t = out->first; t; t = t->next)
        out->last = t;
}

/* None of the list is expanded by these again. */
static void hide_all(struct dl__arena *arena, struct dl__item *list,
                     const struct dl__hidden *hidden)
{
    for (struct dl__item *t = list; t; t = t->next) {
        struct dl__hidden *set = t->hidden;

        for (const struct dl__hidden *h = hidden; h; h = h->next)
            if (!is_hidden(set, h->macro))
                set = hide(arena, set, h->macro);
        t->hidden = set;
    }
}

static struct dl__item *substitute(struct dl__macros *macros, const struct dl__macro *m,
                                   struct arguments *args, struct dl__hidden *hidden,
                                   bool compiler)
{
    struct result out = {.tail = &out.first};
    bool glue = false; /* a ## stands before this token */
    bool gone = false; /* what stands left of it was empty */

    for (const struct dl__item *t = m->body; t; t = t->next) {
        bool before_glue = dl__item_is(t->next, "##");
        size_t i = parameter_of(m, t);

        if (dl__item_is(t, "##") && t != m->body) {
            glue = true;
            continue;
        }
        if (m->function && dl__item_is(t, "#") && t->next &&
            (i = parameter_of(m, t->next)) != SIZE_MAX) {
            append(macros, &out, stringise(macros->arena, args->raw[i]), t->spaced);
            t = t->next;
            glue = gone = false;
            continue;
        }
        if (i == SIZE_MAX) {
            if (glue && !gone && out.last)
                paste(macros->arena, out.last, t);
            else {
                struct dl__item one = *t;

                one.next = NULL;
                append(macros, &out, &one, t->spaced);
            }
            glue = gone = false;
            continue;
        }
        if (glue && m->variadic && i + 1 == m->parameter_count &&
            dl__item_is(out.last, ",")) {
            append_rest(macros, &out, args, i, compiler, t->spaced);
            glue = gone = false;
            continue;
        }
        if (glue || before_glue) {
            const struct dl__item *raw = args->raw[i];

            if (glue && !gone && out.last && raw) {
                paste(macros->arena, out.last, raw);
                append(macros, &out, raw->next, raw->next ? raw->next->spaced : false);
            } else if (raw) {
                append(macros, &out, raw, t->spaced);
            }
            gone = !raw && (!glue || gone);
            glue = false;
            continue;
        }
        append(macros, &out, expanded_argument(macros, args, i, compiler), t->spaced);
        gone = false;
    }
    hide_all(macros->arena, out.first, hidden);
    return out.first;
}

struct dl__macro *dl__macro_of_item(const struct dl__macros *macros,
                                    const struct dl__item *item)
{
    struct dl__macro *m =
        item->kind == DL__NAME ? dl__macro_find(macros, item->text, item->bytes) : NULL;

    return m && !is_hidden(item->hidden, m) ? m : NULL;
}

/* The last token of `defined NAME` or `defined (NAME`. */
static struct dl__item *end_of_defined(struct dl__item *t)
{
    if (dl__item_is(t->next, "("))
        t = t->next;
    return t->next && t->next->kind == DL__NAME ? t->next : t;
}

/* Puts a macro's body in front of the rest: all that is to be expanded again. */
static struct dl__item *put_before(struct dl__item *body, struct dl__item *rest,
                                   bool spaced)
{
    struct dl__item *last = body;

    if (!body) {
        if (rest && spaced)
            rest->spaced = true;
        return rest;
    }
    body->spaced = spaced;
    while (last->next)
        last = last->next;
    last->next = rest;
    return body;
}

struct dl__item *dl__macro_expand(struct dl__macros *macros, struct dl__item *list,
                                  bool compiler)
{
    struct dl__item *first = NULL, **tail = &first;

    while (list) {
        struct dl__item *t = list;
        struct dl__macro *m = dl__macro_of_item(macros, t);
        struct arguments *args = NULL;
        struct dl__item *body, *rest;

        if (macros->keeps_defined && t->bytes == 7 && !memcmp(t->text, "defined", 7)) {
            struct dl__item *last = end_of_defined(t);

            list = last->next;
            *tail = t;
            tail = &last->next;
            *tail = NULL;
            continue;
        }
        if (++macros->steps > STEPS_MAX)
            dl__arena_give_up(macros->arena, "its macros expand without end");
        if (m && m->compiler && !compiler)
            m = NULL;
        if (m && m->function) {
            args = dl__item_is(t->next, "(") ? DL__NEW(macros->arena, struct arguments)
                                             : NULL;
            if (!args || !collect_arguments(macros, m, t->next, args))
                m = NULL;
        }
        if (!m) {
            list = t->next;
            *tail = t;
            tail = &t->next;
            *tail = NULL;
            continue;
        }
        if (m->function) {
            rest = args->close->next;
            body = substitute(
                macros, m, args,
                hide(macros->arena,
                     both_hide(macros->arena, t->hidden, args->close->hidden), m),
                compiler);
        } else {
            rest = t->next;
            body =
                substitute(macros, m, NULL, hide(macros->arena, t->hidden, m), compiler);
        }
        list = put_before(body, rest, t->spaced);
    }
    return first;
}

void dl__items_print(const struct dl__item *list, struct dl__buf *out)
{
    const struct dl__item *before = NULL;

    for (const struct dl__item *t = list; t; before = t, t = t->next) {
        char first[2] = {t->bytes ? t->text[0] : 0, 0};

        if (before && (t->spaced || dl__tokens_stick(before->text, before->bytes, first)))
            dl__buf_puts(out, " ");
        dl__buf_add(out, t->text, t->bytes);
    }
}
