/* SPDX-License-Identifier: MIT */
/* The preprocessor: macros, includes, lines, directives and pragmas. */
#include "annotate/text/preprocess.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/base/file.h"

enum { INCLUDE_DEPTH_MAX = 64 };

struct dl__pp_tokens {
    struct dl__token *items;
    size_t count, room;
};

struct dl__pp {
    struct dl__arena *arena;
    const struct dl__preprocess_input *input;
    struct dl__macros macros;
    struct dl__buf text;
    struct dl__expanded *out;
    struct {
        const struct dl__file **items;
        size_t count, room;
    } once;
    unsigned depth;
    size_t notes_above; /* annotations before this stand above kernels that have begun */
};

static void __attribute__((noreturn)) give_up(struct dl__arena *arena, const char *reason)
{
    arena->reason = reason;
    dl__arena_fail(arena, DL_EPARSE);
}

/* ---- macros: their table and their expansion ---- */

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
    size_t bucket = bucket_of(name, bytes);

    if (!m) {
        m = DL__NEW(macros->arena, struct dl__macro);
        m->name = dl__arena_text(macros->arena, name, bytes);
        m->name_bytes = bytes;
        m->next = macros->buckets[bucket];
        macros->buckets[bucket] = m;
    }
    *m = (struct dl__macro){.name = m->name,
                            .name_bytes = m->name_bytes,
                            .next = m->next,
                            .user = m->user,
                            .spans = m->spans,
                            .defined = true};
    return m;
}

/* True when a macro whose name was just read is expanded there: one like a function only
 * before a parenthesis. */
static bool is_called(const struct dl__lexer *lexer, bool function)
{
    struct dl__lexer ahead = *lexer;
    struct dl__token next;

    if (!function)
        return true;
    next = dl__lex_over_lines(&ahead);
    return dl__token_is(&next, "(");
}

/* True of one that stands for its own name. */
static bool is_itself(const struct dl__macro *m)
{
    return !m->function && m->body && !m->body->next && m->body->bytes == m->name_bytes &&
           !memcmp(m->body->text, m->name, m->name_bytes);
}

/* True when a macro whose name was just read is defined in `reach` and expanded there. */
static bool is_in_reach(const struct dl__lexer *lexer, const struct dl__macro *m,
                        const struct dl__reach *reach)
{
    for (size_t i = 0; i < m->spans.count; i++) {
        const struct dl__macro_span *span = &m->spans.items[i];

        if (span->begin < reach->end && span->end > reach->begin &&
            is_called(lexer, span->function))
            return true;
    }
    return false;
}

bool dl__macro_in_reach(const struct dl__macros *macros, const char *text, size_t bytes,
                        struct dl__reach *reach, struct dl__token *name)
{
    struct dl__lexer lexer = {.text = text, .bytes = bytes};
    bool asked = false, is_asked; /* by `defined` */

    while ((*name = dl__lex_next(&lexer)).kind != DL__END) {
        const struct dl__macro *m =
            name->kind == DL__NAME ? find_any(macros, name->text, name->bytes) : NULL;

        is_asked = asked;
        asked = dl__token_is(name, "defined") || (asked && dl__token_is(name, "("));
        if (!m || !(m->user || (m->defined && !m->compiler)) ||
            (!m->spans.count && is_itself(m)))
            continue;
        if (reach ? is_in_reach(&lexer, m, reach)
                  : is_asked || is_called(&lexer, m->function))
            return true;
        if (reach)
            reach->passed = true;
    }
    return false;
}

bool dl__macro_in_text(const struct dl__macros *macros, const char *text, size_t bytes,
                       struct dl__token *name)
{
    return dl__macro_in_reach(macros, text, bytes, NULL, name);
}

/* From `at` on the user's macro is as it was just read, or not defined. */
static void span_begin(struct dl__macros *macros, struct dl__macro *m, size_t at,
                       bool defined)
{
    struct dl__macro_span span = {at, SIZE_MAX, m->function};

    if (m->spans.count && m->spans.items[m->spans.count - 1].end == SIZE_MAX)
        m->spans.items[m->spans.count - 1].end = at;
    if (defined && !is_itself(m))
        DL__PUSH(macros->arena, &m->spans, span);
}

static void macro_undefine(struct dl__macros *macros, const char *name, size_t bytes,
                           size_t at)
{
    struct dl__macro *m = find_any(macros, name, bytes);

    if (!m)
        m = dl__macro_define(macros, name, bytes);
    span_begin(macros, m, at, false);
    m->defined = false;
    m->undefined_by_user = true;
}

/* False once the user has defined or undefined the name. */
static bool macro_is_compilers(const struct dl__macros *macros, const char *name,
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

static struct dl__item *item_make(struct dl__arena *arena, const struct dl__token *token)
{
    struct dl__item *item = DL__NEW(arena, struct dl__item);

    *item = (struct dl__item){.kind = token->kind,
                              .text = token->text,
                              .bytes = token->bytes,
                              .spaced = token->spaced};
    if (memchr(item->text, '\n', item->bytes))
        join_lines(arena, item);
    return item;
}

/* Appends to a list; returns where the next item goes. */
static struct dl__item **put(struct dl__item **tail, struct dl__item *item)
{
    *tail = item;
    return &item->next;
}

/* The tokens from `first` on, as a list. */
static struct dl__item *items_make(struct dl__arena *arena,
                                   const struct dl__token *tokens, size_t first,
                                   size_t count)
{
    struct dl__item *list = NULL, **tail = &list;

    for (size_t i = first; i < count; i++)
        tail = put(tail, item_make(arena, &tokens[i]));
    return list;
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

/* Parses what follows `#define`; false when malformed. */
static bool macro_parse(struct dl__macros *macros, const struct dl__token *tokens,
                        size_t count)
{
    struct dl__macro *m;
    size_t at = 1;

    if (!count || tokens[0].kind != DL__NAME)
        return false;
    m = dl__macro_define(macros, tokens[0].text, tokens[0].bytes);
    if (count > 1 && dl__token_is(&tokens[1], "(") && !tokens[1].spaced)
        at = parse_parameters(macros, m, tokens, count);
    if (at)
        m->body = items_make(macros->arena, tokens, at, count);
    return at;
}

/* False for NULL, too. */
static bool item_is(const struct dl__item *item, const char *text)
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
        if (!depth && item_is(t, ")")) {
            out->close = t;
            break;
        }
        if (!depth && item_is(t, ",") &&
            !(m->variadic && out->count == m->parameter_count)) {
            if (out->count == 128)
                return false;
            tail = &out->raw[out->count++];
            continue;
        }
        depth += item_is(t, "(");
        depth -= item_is(t, ")");
        tail = put(tail, copy_item(macros->arena, t));
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

static void note_pasted(struct dl__macros *macros, const struct dl__item *operand)
{
    if (operand->is_expanded)
        DL__PUSH(macros->arena, &macros->pasted, copy_item(macros->arena, operand));
}

static struct dl__item *stringise(struct dl__macros *macros, const struct dl__item *list)
{
    struct dl__arena *arena = macros->arena;
    struct dl__buf buf = {.arena = arena};
    struct dl__item *out = DL__NEW(arena, struct dl__item);

    dl__buf_puts(&buf, "\"");
    for (const struct dl__item *t = list; t; t = t->next) {
        bool quoted = t->kind == DL__STRING || t->kind == DL__CHARACTER;

        note_pasted(macros, t);
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
static void paste(struct dl__macros *macros, struct dl__item *left,
                  const struct dl__item *right)
{
    struct dl__arena *arena = macros->arena;
    char *text = dl__arena_alloc(arena, left->bytes + right->bytes + 1);
    struct dl__lexer lexer = {0};
    struct dl__token token;

    note_pasted(macros, left);
    note_pasted(macros, right);
    memcpy(text, left->text, left->bytes);
    memcpy(text + left->bytes, right->text, right->bytes);
    lexer.text = text;
    lexer.bytes = left->bytes + right->bytes;
    token = dl__lex_next(&lexer);
    left->text = text;
    left->bytes = lexer.bytes;
    left->kind = token.kind;
    left->is_expanded = false;
}

static struct dl__item *macro_expand(struct dl__macros *macros, struct dl__item *list,
                                     bool compiler);

static struct dl__item *expanded_argument(struct dl__macros *macros,
                                          struct arguments *args, size_t i, bool compiler)
{
    struct dl__item *copy = NULL, **tail = &copy;

    if (!args->is_expanded[i]) {
        for (const struct dl__item *t = args->raw[i]; t; t = t->next)
            tail = put(tail, copy_item(macros->arena, t));
        args->expanded[i] = macro_expand(macros, copy, compiler);
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
        to->last = copy_item(macros->arena, t);
        if (t == list)
            to->last->spaced = spaced;
        to->tail = put(to->tail, to->last);
    }
}

/* GNU `, ## __VA_ARGS__`, where the comma is the last token so far: it goes when there
 * are no arguments. */
static void append_rest(struct dl__macros *macros, struct result *out,
                        struct arguments *args, size_t i, bool compiler, bool spaced)
{
    struct dl__item **tail = &out->first, *before = NULL;

    if (!args->rest_absent) {
        append(macros, out, expanded_argument(macros, args, i, compiler), spaced);
        return;
    }
    for (; *tail != out->last; tail = &before->next)
        before = *tail;
    *tail = NULL;
    out->tail = tail;
    out->last = before;
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
        const struct dl__item *raw;
        size_t i = parameter_of(m, t);
        bool left_is_empty = gone;

        if (item_is(t, "##") && t != m->body) {
            glue = true;
            continue;
        }
        gone = false;
        if (m->function && item_is(t, "#") && t->next &&
            (i = parameter_of(m, t->next)) != SIZE_MAX) {
            append(macros, &out, stringise(macros, args->raw[i]), t->spaced);
            t = t->next;
        } else if (i == SIZE_MAX) {
            struct dl__item one = *t;

            one.next = NULL;
            if (glue && !left_is_empty && out.last)
                paste(macros, out.last, t);
            else
                append(macros, &out, &one, t->spaced);
        } else if (glue && m->variadic && i + 1 == m->parameter_count &&
                   item_is(out.last, ",")) {
            append_rest(macros, &out, args, i, compiler, t->spaced);
        } else if (glue || item_is(t->next, "##")) {
            raw = args->raw[i];
            gone = !raw && (!glue || left_is_empty);
            if (raw && glue && !left_is_empty && out.last) {
                paste(macros, out.last, raw);
                raw = raw->next;
                append(macros, &out, raw, raw && raw->spaced);
            } else {
                append(macros, &out, raw, t->spaced);
            }
        } else {
            append(macros, &out, expanded_argument(macros, args, i, compiler), t->spaced);
        }
        glue = false;
    }
    hide_all(macros->arena, out.first, hidden);
    return out.first;
}

/* The macro by which this item would become another, or NULL. */
static struct dl__macro *macro_of_item(const struct dl__macros *macros,
                                       const struct dl__item *item)
{
    struct dl__macro *m =
        item->kind == DL__NAME ? dl__macro_find(macros, item->text, item->bytes) : NULL;

    return m && !is_hidden(item->hidden, m) && !is_itself(m) ? m : NULL;
}

/* The last token of `defined NAME` or `defined (NAME`. */
static struct dl__item *end_of_defined(struct dl__item *t)
{
    if (item_is(t->next, "("))
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

/* Expands a list fully; with `compiler` also by the compiler's macros. */
static struct dl__item *macro_expand(struct dl__macros *macros, struct dl__item *list,
                                     bool compiler)
{
    struct dl__item *first = NULL, **tail = &first;

    while (list) {
        struct dl__item *t = list, *last = t;
        struct dl__macro *m = macro_of_item(macros, t);
        struct arguments *args = NULL;
        struct dl__hidden *hidden = t->hidden;
        bool is_asked = macros->keeps_defined && item_is(t, "defined");

        if (is_asked)
            last = end_of_defined(t);
        else if (++macros->steps > STEPS_MAX)
            give_up(macros->arena, "its macros expand without end");
        if (is_asked || (m && m->compiler && !compiler))
            m = NULL;
        if (m && m->function) {
            args =
                item_is(t->next, "(") ? DL__NEW(macros->arena, struct arguments) : NULL;
            if (!args || !collect_arguments(macros, m, t->next, args))
                m = NULL;
        }
        if (!m) {
            t->is_expanded = t->kind == DL__NAME;
            *tail = t;
            tail = &last->next;
            list = last->next;
            *tail = NULL;
            continue;
        }
        if (m->function) {
            last = args->close;
            hidden = both_hide(macros->arena, hidden, last->hidden);
        }
        list = put_before(
            substitute(macros, m, args, hide(macros->arena, hidden, m), compiler),
            last->next, t->spaced);
    }
    return first;
}

/* Appends the list as text, with the spaces it needs. */
static void items_print(const struct dl__item *list, struct dl__buf *out)
{
    const struct dl__item *before = NULL;

    for (const struct dl__item *t = list; t; before = t, t = t->next) {
        char first[2] = {t->bytes ? t->text[0] : 0, 0};

        if (before && (t->spaced || dl__tokens_stick(before->text, before->bytes, first)))
            dl__buf_puts(out, " ");
        dl__buf_add(out, t->text, t->bytes);
    }
}

/* ---- files that a text includes: their names, and all of them ---- */

enum { FILE_BYTES_MAX = DL__TEXT_BYTES_MAX };

static char *directory_of(struct dl__arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? dl__arena_text(arena, path, (size_t)(slash - path))
                 : dl__arena_text(arena, ".", 1);
}

const char *dl__main_directory(struct dl__arena *arena, const char *file_name)
{
    return file_name ? directory_of(arena, file_name) : ".";
}

/* A file, without the byte order mark that may stand in front of its text. */
static struct dl__file *make_file(struct dl__arena *arena, const char *name,
                                  const char *text, size_t bytes)
{
    struct dl__file *file = DL__NEW(arena, struct dl__file);
    size_t mark = dl__mark_bytes(text, bytes);

    file->name = name;
    file->text = text + mark;
    file->bytes = bytes - mark;
    file->lines = DL__NEW(arena, struct dl__lines);
    file->lines->arena = arena;
    return file;
}

static struct dl__file *read_file(struct dl__pp *pp, const char *path)
{
    size_t bytes = 0;
    const char *reason;
    char *read = dl__file_read(path, FILE_BYTES_MAX - 1, &bytes, &reason);
    const char *text = read ? dl__arena_text(pp->arena, read, bytes) : NULL;

    free(read);
    if (pp->input->on_file)
        pp->input->on_file(pp->input->on_file_user, path, text, bytes);
    return text ? make_file(pp->arena, path, text, bytes) : NULL;
}

/* The embedded header or file that an #include names; NULL when there is none. */
static struct dl__file *pp_find_include(struct dl__pp *pp, const struct dl__file *from,
                                        const char *name, bool quoted)
{
    const struct dl__build_options *options = pp->input->options;
    struct dl__file *file = NULL;

    for (size_t i = 0; i < pp->input->header_count; i++) {
        const struct dl_header *header = &pp->input->headers[i];

        if (!strcmp(header->name, name))
            return make_file(pp->arena, header->name, header->text, strlen(header->text));
    }
    if (name[0] == '/')
        return read_file(pp, name);
    if (quoted)
        file = read_file(pp, dl__arena_format(pp->arena, "%s/%s",
                                              from->is_main
                                                  ? pp->input->directory
                                                  : directory_of(pp->arena, from->name),
                                              name));
    for (size_t i = 0; i < options->include_dirs.count && !file; i++)
        file = read_file(pp, dl__arena_format(pp->arena, "%s/%s",
                                              options->include_dirs.items[i], name));
    return file;
}

/* The name that `#include` names, "" or <> taken off; NULL when malformed. */
static char *pp_include_name(struct dl__pp *pp, const struct dl__pp_tokens *t,
                             bool expand, bool *quoted)
{
    struct dl__item *list = items_make(pp->arena, t->items, 1, t->count);
    struct dl__buf buf = {.arena = pp->arena};

    if (list && list->kind == DL__NAME && expand)
        list = macro_expand(&pp->macros, list, true);
    if (!list)
        return NULL;
    dl__buf_puts(&buf, "");
    *quoted = list->kind == DL__STRING;
    for (const struct dl__item *i = list; i; i = *quoted ? NULL : i->next)
        dl__buf_add(&buf, i->text, i->bytes);
    if (buf.count < 3 || buf.items[0] != (*quoted ? '"' : '<') ||
        buf.items[buf.count - 1] != (*quoted ? '"' : '>'))
        return NULL;
    buf.items[buf.count - 1] = '\0';
    return buf.items + 1;
}

/* ---- What a text may include, whatever its conditions are. ---- */

/* These begin a directive, hide the end of a line, or go on behind it. */
static const char *const marks[] = {"#", "\\", "/*"};
enum { MARKS = sizeof marks / sizeof *marks };

/* From the start of a line to that of the next with a mark: between them is nothing to be
 * read. `seen` has where each mark is next, NULL: not looked for, and is kept from call
 * to call. */
static size_t skip_plain_lines(const struct dl__file *file, size_t offset,
                               const char *seen[MARKS])
{
    const char *from = file->text + offset, *end = file->text + file->bytes;
    const char *next = end, *newline;

    for (size_t m = 0; m < MARKS; m++) {
        if (!seen[m] || seen[m] < from)
            seen[m] = memmem(from, (size_t)(end - from), marks[m], strlen(marks[m]));
        if (!seen[m])
            seen[m] = end;
        next = seen[m] < next ? seen[m] : next;
    }
    newline = memrchr(from, '\n', (size_t)(next - from));
    return newline ? (size_t)(newline + 1 - file->text) : offset;
}

static void pp_define_text(struct dl__pp *pp, const char *name, const char *value,
                           bool compiler)
{
    struct dl__lexer lexer = {.text = dl__arena_format(pp->arena, "%s %s", name, value)};
    struct dl__pp_tokens tokens = {0};
    struct dl__token t;

    lexer.bytes = strlen(lexer.text);
    while ((t = dl__lex_next(&lexer)).kind != DL__END)
        if (t.kind != DL__NEWLINE)
            DL__PUSH(pp->arena, &tokens, t);
    if (tokens.count && macro_parse(&pp->macros, tokens.items, tokens.count)) {
        struct dl__macro *m =
            dl__macro_find(&pp->macros, tokens.items[0].text, tokens.items[0].bytes);

        m->compiler = compiler;
        if (!compiler)
            span_begin(&pp->macros, m, 0, true);
    }
}

/* ---- whether there are any ---- */

/* Of a backslash that ends a line, with that end; 0: it does not. */
static size_t splice_bytes(const char *at)
{
    if (at[0] != '\\')
        return 0;
    return at[1] == '\n' ? 2 : at[1] == '\r' && at[2] == '\n' ? 3 : 0;
}

static bool is_spliced_word(const char *at, const char *word)
{
    for (; *word && *at == *word; word++) {
        size_t bytes;

        at++;
        while ((bytes = splice_bytes(at)))
            at += bytes;
    }
    return !*word;
}

bool dl_annotate_may_include(const char *text)
{
    static const char *const words[] = {"include", "import", "embed"};
    enum { WORDS = sizeof words / sizeof *words };

    if (strstr(text, "?\?/")) /* a backslash, to some compilers */
        return true;
    for (size_t w = 0; w < WORDS; w++)
        if (strstr(text, words[w]))
            return true;
    /* The letters of a word may be apart, where a backslash ends a line: some stand in
     * front of the first. */
    for (const char *at = text; (at = strchr(at, '\\')); at++)
        for (size_t w = 0; splice_bytes(at) && w < WORDS; w++)
            for (size_t back = 1; back < strlen(words[w]); back++)
                if ((size_t)(at - text) >= back && is_spliced_word(at - back, words[w]))
                    return true;
    return false;
}

/* ---- all of them ---- */

struct search {
    struct dl__pp *pp;
    struct dl__macros *seen; /* names of files */
    struct {
        struct macro_include {
            const struct dl__file *from;
            struct dl__pp_tokens tokens;
        } * items;
        size_t count, room;
    } by_macro;
    unsigned depth;
    bool all_known;
    /* Told of each text, and of each name in a directive and each annotation; or NULL.
     * False: no more texts. */
    bool (*on_text)(void *user, const struct dl__file *file);
    void (*on_token)(void *user, const struct dl__token *token);
    void (*on_note)(void *user, size_t offset, const char *body, size_t bytes);
    void *user;
    bool is_stopped;
};

static void search_file(struct search *s, const struct dl__file *file);

/* Of a directive, the tokens behind its #. */
static void search_directive(struct search *s, const struct dl__file *file,
                             const struct dl__pp_tokens *t)
{
    const struct dl__token *name = &t->items[0];
    struct macro_include later = {file, *t};
    bool quoted;
    char *included;

    for (size_t i = 0; s->on_token && i < t->count; i++)
        s->on_token(s->user, &t->items[i]);
    if (dl__token_is(name, "define")) {
        s->all_known &= macro_parse(&s->pp->macros, t->items + 1, t->count - 1);
    } else if (dl__token_is(name, "include")) {
        included = pp_include_name(s->pp, t, false, &quoted);
        if (included)
            search_file(s, pp_find_include(s->pp, file, included, quoted));
        else
            DL__PUSH(s->pp->arena, &s->by_macro, later);
    } else if (dl__token_in(name, "import include_next embed")) {
        s->all_known = false;
    }
}

static void search_directives(struct search *s, const struct dl__file *file)
{
    struct dl__lexer lexer = {
        .text = file->text, .bytes = file->bytes, .on_note = s->on_note, .user = s->user};
    const char *seen[MARKS] = {NULL};
    struct dl__token t;

    while (!s->is_stopped) {
        struct dl__pp_tokens tokens = {0};

        if (!s->on_note)
            lexer.offset = skip_plain_lines(file, lexer.offset, seen);
        t = dl__lex_next(&lexer);
        if (t.kind == DL__END)
            return;
        if (t.kind != DL__NEWLINE && !dl__token_is(&t, "#"))
            dl__lex_pass_line(&lexer);
        if (!dl__token_is(&t, "#"))
            continue;
        while ((t = dl__lex_next(&lexer)).kind != DL__END && t.kind != DL__NEWLINE)
            DL__PUSH(s->pp->arena, &tokens, t);
        if (tokens.count)
            search_directive(s, file, &tokens);
    }
}

/* True of a text that reads files without an #include, or has directives that the lexer
 * does not take for such. Not all by memmem, which takes several times as long for two or
 * three bytes. */
static bool has_other_means(const struct dl__file *file)
{
    const char *text = file->text, *end = text + file->bytes;

    if (memmem(text, file->bytes, "__has_include", 13) ||
        memmem(text, file->bytes, "__has_embed", 11))
        return true;
    for (const char *at = text; (at = memchr(at, ':', (size_t)(end - at))); at++)
        if (at > text && at[-1] == '%')
            return true;
    for (const char *at = text; (at = memchr(at, '?', (size_t)(end - at))); at++)
        if (end - at >= 3 && at[1] == '?' && (at[2] == '=' || at[2] == '/'))
            return true;
    return false;
}

/* `file` may be NULL. */
static void search_file(struct search *s, const struct dl__file *file)
{
    if (!file || dl__macro_find(s->seen, file->name, strlen(file->name)))
        return;
    dl__macro_define(s->seen, file->name, strlen(file->name));
    s->all_known = s->all_known && !has_other_means(file);
    s->is_stopped = s->is_stopped || (s->on_text && !s->on_text(s->user, file));
    if (++s->depth <= INCLUDE_DEPTH_MAX)
        search_directives(s, file);
    else
        s->all_known = false;
    s->depth--;
}

/* Searches a text and what it includes by names that are written out. */
static void search_texts(struct dl__arena *arena,
                         const struct dl__preprocess_input *input, struct search *s)
{
    s->pp = DL__NEW(arena, struct dl__pp);
    s->seen = DL__NEW(arena, struct dl__macros);
    s->pp->arena = s->seen->arena = s->pp->macros.arena = arena;
    s->pp->input = input;
    for (size_t i = 0; i < input->options->defines.count; i++)
        if (!input->options->defines.items[i].undefine)
            pp_define_text(s->pp, input->options->defines.items[i].name,
                           input->options->defines.items[i].value, false);
    search_file(s, input->main);
}

static void search_program(struct dl__arena *arena, const char *text, size_t text_bytes,
                           const struct dl_annotate_options *options, struct search *s)
{
    struct dl__build_options *build = DL__NEW(arena, struct dl__build_options);
    struct dl__file *main = make_file(arena, "", text, text_bytes);
    struct dl__preprocess_input *input = DL__NEW(arena, struct dl__preprocess_input);

    dl__build_options_parse(arena, options->build_options, build);
    main->is_main = true;
    *input = (struct dl__preprocess_input){
        .main = main,
        .directory = dl__main_directory(arena, options->file_name),
        .options = build,
        .headers = options->headers,
        .header_count = options->header_count,
        .on_file = s->on_text ? NULL : options->on_file,
        .on_file_user = options->on_file_user};
    s->all_known = !s->on_text && !build->includes;
    search_texts(arena, input, s);
}

bool dl__each_text(struct dl__arena *arena, const char *text, size_t text_bytes,
                   const struct dl_annotate_options *options,
                   bool (*told)(void *user, const struct dl__file *file), void *user)
{
    struct search s = {.on_text = told, .user = user};

    search_program(arena, text, text_bytes, options, &s);
    return !s.is_stopped;
}

enum dl_status dl_annotate_files(const char *text, size_t text_bytes,
                                 const struct dl_annotate_options *options)
{
    struct dl__arena arena = {0};
    struct search s = {.pp = NULL};
    volatile enum dl_status status = DL_OK;

    if (setjmp(arena.fail)) {
        status = arena.failure == DL_ENOMEM ? DL_ENOMEM : DL_EREFUSED;
    } else {
        search_program(&arena, text, text_bytes, options, &s);
        if (!s.all_known || s.by_macro.count)
            status = DL_EREFUSED;
        /* A name that a macro gives: by what it is at the end. Those files may have more
         * such. */
        for (size_t i = 0; i < s.by_macro.count; i++) {
            struct macro_include *of = &s.by_macro.items[i];
            bool quoted;
            char *name = pp_include_name(s.pp, &of->tokens, true, &quoted);

            search_file(&s, name ? pp_find_include(s.pp, of->from, name, quoted) : NULL);
        }
    }
    dl__arena_free(&arena);
    return status;
}

/* ---- pragmas ---- */

/* The token after, if it is on the same line; else its kind is DL__NEWLINE. */
static struct dl__token next_on_line(struct dl__lexer *lexer)
{
    struct dl__lexer ahead = *lexer;
    struct dl__token t = dl__lex_next(&ahead);

    if (t.kind == DL__END)
        t.kind = DL__NEWLINE;
    if (t.kind != DL__NEWLINE)
        *lexer = ahead;
    return t;
}

/* All of a text's, found once: there is a question for each function. */
struct dl__pragma_list {
    bool known;
    struct {
        struct event {
            size_t end;
            struct dl__pragmas after;
        } * items;
        size_t count, room;
    } events;
    struct {
        size_t *items;
        size_t count, room;
    } mentions; /* of FP_CONTRACT */
};

static void find_events(const struct dl__expanded *expanded, struct dl__pragma_list *list)
{
    struct dl__lexer lexer = {.text = expanded->text, .bytes = expanded->bytes};
    struct dl__pragmas found = {"DEFAULT", 0};
    bool line_start = true;
    unsigned braces = 0;
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        bool hash = line_start && dl__token_is(&t, "#");

        line_start = t.kind == DL__NEWLINE;
        braces += dl__token_is(&t, "{");
        braces -= dl__token_is(&t, "}") && braces;
        if (!hash || braces)
            continue;
        t = next_on_line(&lexer);
        if (!dl__token_is(&t, "pragma"))
            continue;
        t = next_on_line(&lexer);
        if (dl__token_in(&t, "OPENCL STDC"))
            t = next_on_line(&lexer);
        if (dl__token_is(&t, "FP_CONTRACT")) {
            t = next_on_line(&lexer);
            found.fp_contract = dl__arena_text(expanded->arena, t.text, t.bytes);
        } else if (!dl__is_in("EXTENSION unroll once message warning", t.text, t.bytes)) {
            found.others++;
        }
        DL__PUSH(expanded->arena, &list->events, ((struct event){lexer.offset, found}));
    }
}

static const struct dl__pragma_list *list_of(const struct dl__expanded *expanded)
{
    static const char word[] = "FP_CONTRACT";
    struct dl__pragma_list *list = expanded->pragmas;
    const char *at = expanded->text, *end = at + expanded->bytes;

    if (list->known)
        return list;
    list->known = true;
    while ((at = memmem(at, (size_t)(end - at), word, sizeof word - 1)) != NULL) {
        DL__PUSH(expanded->arena, &list->mentions, (size_t)(at - expanded->text));
        at++;
    }
    if (memmem(expanded->text, expanded->bytes, "pragma", 6))
        find_events(expanded, list);
    return list;
}

struct dl__pragmas dl__pragmas_at(const struct dl__expanded *expanded, size_t at)
{
    const struct dl__pragma_list *list = list_of(expanded);
    struct dl__pragmas found = {"DEFAULT", 0};

    for (size_t i = 0; i < list->events.count && list->events.items[i].end <= at; i++)
        found = list->events.items[i].after;
    return found;
}

bool dl__fp_contract_before(const struct dl__expanded *expanded, size_t before,
                            size_t *at)
{
    const struct dl__pragma_list *list = list_of(expanded);
    size_t i = 0;

    while (i < list->mentions.count &&
           list->mentions.items[i] + strlen("FP_CONTRACT") <= before)
        *at = list->mentions.items[i++];
    return i > 0;
}

/* ---- The preprocessor: lines, directives and calls of macros. ---- */

static void find_lines(const struct dl__file *file)
{
    struct dl__lines *lines = file->lines;

    DL__PUSH(lines->arena, lines, 0);
    for (size_t i = 0; i < file->bytes; i++)
        if (file->text[i] == '\n')
            DL__PUSH(lines->arena, lines, i + 1);
}

struct dl__place dl__file_place(const struct dl__file *file, size_t offset)
{
    struct dl__place place = {.file = file, .offset = offset};
    size_t at = offset < file->bytes ? offset : file->bytes;
    size_t low = 0, high;

    if (!file->lines->count)
        find_lines(file);
    high = file->lines->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (file->lines->items[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    place.line = (unsigned)low + 1;
    place.column = (unsigned)(at - file->lines->items[low]) + 1;
    return place;
}

const struct dl__segment *dl__expanded_segment(const struct dl__expanded *expanded,
                                               size_t at)
{
    size_t low = 0, high = expanded->segments.count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (expanded->segments.items[middle].at <= at)
            low = middle;
        else
            high = middle;
    }
    return expanded->segments.count ? &expanded->segments.items[low] : NULL;
}

struct dl__place dl__expanded_place(const struct dl__expanded *expanded, size_t at)
{
    const struct dl__segment *s = dl__expanded_segment(expanded, at);

    if (!s)
        return dl__file_place(expanded->main, 0);
    return dl__file_place(s->file,
                          s->kind == DL__VERBATIM ? s->origin + (at - s->at) : s->origin);
}

/* ---- from a file to the expanded text ---- */

enum { CONDITION_DEPTH_MAX = 256 };

struct group {
    bool active; /* this branch is compiled */
    bool taken;  /* a branch was */
    bool outer;  /* the group around it is compiled */
};

/* One file on its way. */
struct reader {
    struct dl__pp *pp;
    const struct dl__file *file;
    struct dl__lexer lexer;
    size_t copied; /* the file's text is in pp->text up to here */
    size_t noted;  /* annotations before this byte are noted */
    struct group groups[CONDITION_DEPTH_MAX];
    unsigned group_count;
};

/* Makes one remark at the file's byte; leaves through the arena (DL_EPARSE). */
static void pp_give_up(struct dl__pp *pp, const struct dl__file *file, size_t offset,
                       const char *format, ...)
{
    struct dl__place place = dl__file_place(file, offset);
    struct dl_remark remark = {DL_WARNING, file->name, place.line, place.column, NULL};
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    remark.text = text;
    if (pp->input->remark)
        pp->input->remark(pp->input->remark_user, &remark);
    dl__arena_fail(pp->arena, DL_EPARSE);
}

/* False inside a branch that is not compiled. */
static bool pp_is_active(const struct reader *r)
{
    return !r->group_count || r->groups[r->group_count - 1].active;
}

/* Notes that the text since `at` stands for the file's bytes [origin, origin_end). */
static void pp_add_segment(struct reader *r, enum dl__segment_kind kind, size_t at,
                           size_t origin, size_t origin_end)
{
    struct dl__segment segment = {kind,   r->file,   at, r->pp->text.count,
                                  origin, origin_end};

    if (segment.at != segment.end || kind == DL__DEFINE || kind == DL__LINE ||
        kind == DL__EXPANSION)
        DL__PUSH(r->pp->arena, &r->pp->out->segments, segment);
    r->copied = origin_end;
}

/* Copies the file up to a byte. */
static void pp_copy_until(struct reader *r, size_t origin)
{
    size_t at = r->pp->text.count;

    if (origin <= r->copied)
        return;
    dl__buf_add(&r->pp->text, r->file->text + r->copied, origin - r->copied);
    pp_add_segment(r, DL__VERBATIM, at, r->copied, origin);
}

/* The line breaks of the file's bytes. */
static void pp_add_newlines(struct reader *r, size_t origin, size_t origin_end)
{
    for (size_t i = origin; i < origin_end; i++)
        if (r->file->text[i] == '\n')
            dl__buf_puts(&r->pp->text, "\n");
}

/* Copies the file up to `origin`, then leaves out what stands up to `end`. */
static void pp_blank(struct reader *r, enum dl__segment_kind kind, size_t origin,
                     size_t end)
{
    size_t at;

    pp_copy_until(r, origin);
    at = r->pp->text.count;
    pp_add_newlines(r, origin, end);
    pp_add_segment(r, kind, at, origin, end);
}

/* Macro invocations in the program's text, whose arguments may stand lines further
 * down. */

static struct dl__item *last_item(struct dl__item *list)
{
    while (list && list->next)
        list = list->next;
    return list;
}

/* Appends the file's next tokens, over line breaks, until `depth` open parentheses are
 * closed. */
static void gather_until_closed(struct reader *r, struct dl__item **tail, unsigned depth)
{
    size_t start = r->lexer.offset;
    bool line_start = false, spaced = false;

    while (depth) {
        struct dl__token t = dl__lex_next(&r->lexer);

        if (t.kind == DL__NEWLINE) {
            line_start = spaced = true;
            continue;
        }
        if (t.kind == DL__END)
            pp_give_up(r->pp, r->file, start, "a macro invocation is not closed");
        if (line_start && dl__token_is(&t, "#"))
            pp_give_up(r->pp, r->file, t.offset,
                       "a directive inside a macro invocation is not understood");
        t.spaced |= spaced;
        tail = put(tail, item_make(r->pp->arena, &t));
        line_start = spaced = false;
        depth += dl__token_is(&t, "(");
        depth -= dl__token_is(&t, ")");
    }
}

/* If the next token, maybe some lines on, is `(`, appends the tokens up to its `)`. */
static bool gather_arguments(struct reader *r, struct dl__item **tail)
{
    struct dl__lexer saved = r->lexer;
    struct dl__token t = dl__lex_over_lines(&r->lexer);

    if (!dl__token_is(&t, "(")) {
        r->lexer = saved;
        return false;
    }
    *tail = item_make(r->pp->arena, &t);
    gather_until_closed(r, &(*tail)->next, 1);
    return true;
}

/* How many parentheses are open at the end of an expansion that ends inside the arguments
 * of an invocation; 0 when it does not. */
static unsigned open_arguments(struct dl__pp *pp, const struct dl__item *list)
{
    unsigned depth = 0;

    for (const struct dl__item *t = list; t && !depth; t = t->next) {
        const struct dl__macro *m = macro_of_item(&pp->macros, t);

        if (!m || !m->function || m->compiler || !item_is(t->next, "("))
            continue;
        for (const struct dl__item *a = t->next; a && (depth || a == t->next);
             a = a->next) {
            depth += item_is(a, "(");
            depth -= item_is(a, ")");
        }
    }
    return depth;
}

/* Puts a space where what follows would read as one token with what stands before it. */
static void part_from(struct dl__pp *pp, char next)
{
    char first[2] = {next, '\0'};

    if (pp->text.items && dl__tokens_stick(pp->text.items, pp->text.count, first))
        dl__buf_puts(&pp->text, " ");
}

/* ---- what a device's compiler may have as macros ---- */

/* A name that the compiler or the device may define: any that nobody else has. */
static bool is_device_name(struct dl__pp *pp, const struct dl__item *item)
{
    return item->kind == DL__NAME && !item_is(item, "defined") &&
           !item_is(item, "__LINE__") &&
           macro_is_compilers(&pp->macros, item->text, item->bytes) &&
           (dl__is_compilers(item->text, item->bytes) ||
            !dl__macro_find(&pp->macros, item->text, item->bytes));
}

/* Decides a condition that asks for a device name: as the device said, else as it `holds`
 * by what libclang defines. False, and nothing noted, when it asks for none, or when it
 * is `bad` and the device has not said. */
static bool decide_by_device(struct dl__pp *pp, const char *condition, bool bad,
                             bool *holds)
{
    struct dl__guess guess = {.condition = condition};

    if (!condition)
        return false;
    for (size_t i = 0; i < pp->input->answer_count && !guess.is_sure; i++) {
        if (!strcmp(pp->input->answers[i].condition, condition))
            guess = pp->input->answers[i];
    }
    if (bad && !guess.is_sure && !pp->input->can_ask)
        return false;
    if (guess.is_sure)
        *holds = guess.holds;
    guess.holds = *holds;
    for (size_t i = 0; i < pp->out->guesses.count; i++)
        if (!strcmp(pp->out->guesses.items[i].condition, condition))
            return true;
    DL__PUSH(pp->arena, &pp->out->guesses, guess);
    return true;
}

/* An expanded name that is an operand of # or ## must not be a macro that the device's
 * compiler has: there its body is pasted. */
static void refuse_pasted(struct reader *r, size_t offset)
{
    struct dl__pp *pp = r->pp;

    for (size_t i = 0; i < pp->macros.pasted.count; i++) {
        const struct dl__item *name = pp->macros.pasted.items[i];
        const struct dl__token token = {
            .kind = name->kind, .text = name->text, .bytes = name->bytes};
        bool defined = dl__macro_find(&pp->macros, name->text, name->bytes);

        if (is_device_name(pp, name) &&
            !dl__token_in(&token, "char short int long float double unsigned void") &&
            decide_by_device(
                pp,
                dl__arena_format(pp->arena, "defined %.*s", (int)name->bytes, name->text),
                false, &defined) &&
            defined)
            pp_give_up(pp, r->file, offset,
                       "'%.*s', an operand of # or ##, is a macro of the driver",
                       (int)name->bytes, name->text);
    }
    pp->macros.pasted.count = 0;
}

/* Replaces the invocation whose name was just read. */
static void pp_invoke(struct reader *r, const struct dl__token *name, struct dl__macro *m)
{
    struct dl__pp *pp = r->pp;
    struct dl__item *list = item_make(pp->arena, name), *last;
    bool is_open;
    size_t at;

    if (m->function && !gather_arguments(r, &list->next))
        return;
    do {
        unsigned depth;

        list = macro_expand(&pp->macros, list, false);
        depth = open_arguments(pp, list);
        last = last_item(list);
        m = last ? macro_of_item(&pp->macros, last) : NULL;
        is_open = depth > 0;
        if (is_open)
            gather_until_closed(r, &last->next, depth);
        else if (m && m->function && !m->compiler)
            is_open = gather_arguments(r, &last->next);
    } while (is_open);
    refuse_pasted(r, name->offset);
    pp_copy_until(r, name->offset);
    at = pp->text.count;
    if (list) {
        part_from(pp, *list->text);
        items_print(list, &pp->text);
        if (r->lexer.offset < r->file->bytes)
            part_from(pp, r->file->text[r->lexer.offset]);
    }
    pp_add_newlines(r, name->offset, r->lexer.offset);
    pp_add_segment(r, DL__EXPANSION, at, name->offset, r->lexer.offset);
}

/* ---- The value of an #if expression, over 64-bit integers. ---- */

enum { DEPTH_MAX = 500 };

struct parser {
    const struct dl__item *at;
    unsigned depth;
    bool bad;
};

static bool take(void *parser, const char *text)
{
    struct parser *p = parser;
    bool yes = item_is(p->at, text);

    if (yes)
        p->at = p->at->next;
    return yes;
}

static struct dl__climb_value parse_conditional(struct parser *p);

static struct dl__climb_value parse_unary(void *parser)
{
    struct parser *p = parser;
    struct dl__climb_value out = {0};
    unsigned parens = 0;

    if (!p->at || ++p->depth > DEPTH_MAX) {
        p->bad = true;
        return out;
    }
    if (take(p, "!")) {
        out.value = !parse_unary(p).value;
    } else if (take(p, "~")) {
        out = parse_unary(p);
        out.value = ~out.value;
    } else if (take(p, "-")) {
        out = parse_unary(p);
        out.value = (int64_t)(0 - (uint64_t)out.value);
    } else if (take(p, "+")) {
        out = parse_unary(p);
    } else if (take(p, "(")) {
        out = parse_conditional(p);
        p->bad |= !take(p, ")");
    } else {
        uint64_t number = 0;

        if (p->at->kind == DL__NUMBER)
            p->bad |=
                !dl__integer_read(p->at->text, p->at->bytes, &number, &out.is_unsigned);
        else if (p->at->kind == DL__CHARACTER && p->at->bytes == 3)
            number = (uint64_t)p->at->text[1];
        else if (p->at->kind == DL__NAME)
            parens = item_is(p->at->next, "("); /* __has_feature(x) and its like: no */
        else
            p->bad = true;
        out.value = (int64_t)number;
        p->at = p->bad ? NULL : parens ? p->at->next->next : p->at->next;
        for (; p->at && parens; p->at = p->at->next) {
            parens += item_is(p->at, "(");
            parens -= item_is(p->at, ")");
        }
    }
    p->depth--;
    return out;
}

/* Division by 0 gives 0: no branch that is taken has it. */
static int64_t divide(bool rest, int64_t a, int64_t b, bool is_unsigned)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;

    if (b == 0)
        return 0;
    if (is_unsigned)
        return (int64_t)(rest ? x % y : x / y);
    if (b == -1)
        return rest ? 0 : (int64_t)(0 - x);
    return rest ? a % b : a / b;
}

static struct dl__climb_value apply(void *parser, const struct dl__climb_operator *by,
                                    struct dl__climb_value a, struct dl__climb_value b)
{
    struct dl__climb_value out = {.is_unsigned = a.is_unsigned || b.is_unsigned};
    uint64_t x = (uint64_t)a.value, y = (uint64_t)b.value, value = 0;
    bool less = out.is_unsigned ? x < y : a.value < b.value;
    bool doubled = by->text[1] == by->text[0], or_equal = by->text[1] == '=';

    (void)parser;
    switch (by->text[0]) {
    case '*':
        value = x * y;
        break;
    case '+':
        value = x + y;
        break;
    case '-':
        value = x - y;
        break;
    case '^':
        value = x ^ y;
        break;
    case '&':
        value = doubled ? x && y : (x & y);
        break;
    case '|':
        value = doubled ? x || y : (x | y);
        break;
    case '=':
        value = x == y;
        break;
    case '!':
        value = x != y;
        break;
    case '<':
        value = doubled ? x << (y & 63) : less || (or_equal && x == y);
        break;
    case '>':
        value = !doubled          ? !less && (or_equal || x != y)
                : out.is_unsigned ? x >> (y & 63)
                                  : (uint64_t)(a.value >> (y & 63));
        break;
    default:
        value = (uint64_t)divide(by->text[0] == '%', a.value, b.value, out.is_unsigned);
    }
    /* Comparisons, equality and logic: their value is an int, whatever is compared. */
    if (by->level <= 2 || by->level == 6 || by->level == 7)
        out.is_unsigned = false;
    out.value = (int64_t)value;
    return out;
}

static const struct dl__climb_operator operators[] = {
    {"*", 10, 0}, {"/", 10, 0}, {"%", 10, 0}, {"+", 9, 0},  {"-", 9, 0},  {"<<", 8, 0},
    {">>", 8, 0}, {"<", 7, 0},  {">", 7, 0},  {"<=", 7, 0}, {">=", 7, 0}, {"==", 6, 0},
    {"!=", 6, 0}, {"&", 5, 0},  {"^", 4, 0},  {"|", 3, 0},  {"&&", 2, 0}, {"||", 1, 0}};

static const struct dl__climber climber = {.operators = operators,
                                           .operator_count =
                                               sizeof operators / sizeof *operators,
                                           .take = take,
                                           .operand = parse_unary,
                                           .apply = apply};

static struct dl__climb_value parse_conditional(struct parser *p)
{
    struct dl__climb_value c, a, b;

    if (++p->depth > DEPTH_MAX) {
        p->bad = true;
        return (struct dl__climb_value){0};
    }
    c = dl__climb(&climber, p, 1);
    if (take(p, "?")) {
        a = parse_conditional(p);
        if (!take(p, ":"))
            p->bad = true;
        b = parse_conditional(p);
        c = c.value ? a : b;
    }
    p->depth--;
    return c;
}

/* Evaluates fully expanded tokens (names left over are 0); false when malformed. */
static bool condition_eval(const struct dl__item *list, bool *out)
{
    struct parser p = {.at = list};
    struct dl__climb_value v = parse_conditional(&p);

    if (p.bad || p.at)
        return false;
    *out = v.value != 0;
    return true;
}

/* ---- The lines that begin with #: conditions, includes, definitions, pragmas. ---- */

/* ---- conditions ---- */

/* Decides each `defined NAME`, but for device names if those are to `stay`. */
static void decide_defined(struct dl__pp *pp, struct dl__item *list, bool stay)
{
    for (struct dl__item *i = list; i; i = i->next) {
        bool paren = item_is(i->next, "(");
        struct dl__item *name = paren ? i->next->next : i->next;

        if (i->kind != DL__NAME || !item_is(i, "defined") || !name ||
            name->kind != DL__NAME || (paren && !item_is(name->next, ")")) ||
            (stay && is_device_name(pp, name)))
            continue;
        i->kind = DL__NUMBER;
        i->text = dl__macro_find(&pp->macros, name->text, name->bytes) ? "1" : "0";
        i->bytes = 1;
        i->next = paren ? name->next->next : name->next;
    }
}

/* The condition behind `if`, the user's macros expanded. */
static struct dl__item *expand_condition(struct dl__pp *pp, const struct dl__pp_tokens *t)
{
    struct dl__item *list = items_make(pp->arena, t->items, 1, t->count);

    pp->macros.keeps_defined = true;
    list = macro_expand(&pp->macros, list, false);
    pp->macros.keeps_defined = false;
    return list;
}

/* The condition as text for the device's compiler, NULL when it does not ask for a device
 * name. */
static const char *device_condition(struct dl__pp *pp, const struct dl__pp_tokens *t)
{
    struct dl__item *list = expand_condition(pp, t);
    struct dl__buf text = {.arena = pp->arena};
    bool asks = false;

    decide_defined(pp, list, true);
    for (const struct dl__item *i = list; i; i = i->next)
        asks |= is_device_name(pp, i);
    if (!asks)
        return NULL;
    items_print(list, &text);
    return text.items;
}

/* The device's compiler, when it is asked, may see other files than there were. */
static void refuse_questions_for_files(struct reader *r, const struct dl__pp_tokens *t)
{
    for (size_t i = 0; i + 1 < t->count; i++)
        if (dl__token_in(&t->items[i], "__has_include __has_include_next __has_embed") &&
            dl__token_is(&t->items[i + 1], "("))
            pp_give_up(r->pp, r->file, t->items[i].offset, "%.*s is not understood",
                       (int)t->items[i].bytes, t->items[i].text);
}

static bool evaluate(struct reader *r, const struct dl__pp_tokens *t)
{
    refuse_questions_for_files(r, t);

    const char *condition = device_condition(r->pp, t);
    struct dl__item *list = expand_condition(r->pp, t);
    bool out = false, bad;

    decide_defined(r->pp, list, false);
    list = macro_expand(&r->pp->macros, list, true);
    refuse_pasted(r, t->items[0].offset);
    bad = !condition_eval(list, &out);
    if (!decide_by_device(r->pp, condition, bad, &out) && bad)
        pp_give_up(r->pp, r->file, t->items[0].offset, "the condition is malformed");
    return out;
}

static void open_group(struct reader *r, size_t offset, bool active, bool outer)
{
    if (r->group_count == CONDITION_DEPTH_MAX)
        pp_give_up(r->pp, r->file, offset, "conditionals are nested too deeply");
    r->groups[r->group_count++] = (struct group){outer && active, outer && active, outer};
}

/* #if and its like; false when `t` is none of them. */
static bool conditional(struct reader *r, const struct dl__pp_tokens *t)
{
    const struct dl__token *name = &t->items[0];
    bool outer = pp_is_active(r);

    if (dl__token_is(name, "if")) {
        open_group(r, name->offset, outer && evaluate(r, t), outer);
    } else if (dl__token_in(name, "ifdef ifndef")) {
        struct dl__item *asked;
        bool defined;

        if (t->count < 2 || t->items[1].kind != DL__NAME)
            pp_give_up(r->pp, r->file, name->offset, "a macro's name is missing");
        defined = dl__macro_find(&r->pp->macros, t->items[1].text, t->items[1].bytes);
        asked = item_make(r->pp->arena, &t->items[1]);
        if (outer && is_device_name(r->pp, asked))
            decide_by_device(r->pp,
                             dl__arena_format(r->pp->arena, "defined %.*s",
                                              (int)asked->bytes, asked->text),
                             false, &defined);
        open_group(r, name->offset, defined == (name->bytes == 5), outer);
    } else if (dl__token_in(name, "elif else")) {
        struct group *g = r->group_count ? &r->groups[r->group_count - 1] : NULL;

        if (!g)
            pp_give_up(r->pp, r->file, name->offset, "#%.*s without #if",
                       (int)name->bytes, name->text);
        g->active = g->outer && !g->taken &&
                    (name->bytes == 4 && name->text[2] == 's' ? true : evaluate(r, t));
        g->taken |= g->active;
    } else if (dl__token_is(name, "endif")) {
        if (!r->group_count)
            pp_give_up(r->pp, r->file, name->offset, "#endif without #if");
        r->group_count--;
    } else {
        return false;
    }
    return true;
}

/* ---- the others ---- */

/* The file that is to be read; NULL for one that comes but once, and has. */
static const struct dl__file *include(struct reader *r, const struct dl__pp_tokens *t,
                                      size_t start, size_t end)
{
    struct dl__pp *pp = r->pp;
    struct dl__inclusion inclusion = {
        .from = r->file, .origin = start, .origin_end = end};
    bool quoted;
    char *name = pp_include_name(pp, t, true, &quoted);
    struct dl__file *file;

    if (!name)
        pp_give_up(pp, r->file, t->items[0].offset, "a malformed #include");
    file = pp_find_include(pp, r->file, name, quoted);
    if (!file)
        pp_give_up(pp, r->file, t->items[0].offset, "the included file '%s' is not found",
                   name);
    if (pp->depth >= INCLUDE_DEPTH_MAX)
        pp_give_up(pp, r->file, t->items[0].offset, "includes are nested too deeply");
    for (size_t i = 0; i < pp->once.count && file; i++)
        if (!strcmp(pp->once.items[i]->name, file->name))
            file = NULL;
    inclusion.file = file;
    DL__PUSH(pp->arena, &pp->out->inclusions, inclusion);
    return file;
}

/* `#line 7 "file"`, whose number is `t->items[at]`, or `# 7 "file"`. */
static void line_mark(struct reader *r, const struct dl__pp_tokens *t, size_t at,
                      size_t start)
{
    struct dl__line_mark mark = {.in = r->file, .origin = r->lexer.offset};

    if (t->count <= at || t->items[at].kind != DL__NUMBER)
        pp_give_up(r->pp, r->file, t->items[0].offset,
                   "a #line whose number is not written out");
    /* Compilers differ in which line follows. */
    if (memchr(r->file->text + start, '\n', r->lexer.offset - start))
        pp_give_up(r->pp, r->file, t->items[0].offset, "a #line over several lines");
    mark.line = (unsigned)strtoul(t->items[at].text, NULL, 10);
    if (t->count > at + 1) {
        if (t->items[at + 1].kind != DL__STRING)
            pp_give_up(r->pp, r->file, t->items[0].offset,
                       "a #line whose file is not written out");
        mark.file =
            dl__arena_text(r->pp->arena, t->items[at + 1].text, t->items[at + 1].bytes);
    }
    DL__PUSH(r->pp->arena, &r->pp->out->line_marks, mark);
    pp_blank(r, DL__LINE, start, r->lexer.offset);
}

/* A pragma stays; the macros in it (`#pragma unroll N`) must be expanded for the
 * parse. */
static void pragma(struct reader *r, const struct dl__pp_tokens *t, size_t start,
                   size_t end)
{
    struct dl__pp *pp = r->pp;
    struct dl__item *list = items_make(pp->arena, t->items, 1, t->count);
    bool has_macro = false;
    size_t at;

    if (t->count > 1 && dl__token_is(&t->items[1], "once")) {
        struct dl__inclusion once = {.from = r->file, .origin = start, .origin_end = end};

        DL__PUSH(pp->arena, &pp->once, r->file);
        if (!r->file->is_main)
            DL__PUSH(pp->arena, &pp->out->inclusions, once);
        pp_blank(r, DL__BLANK, start, end);
        return;
    }
    for (size_t i = 1; i < t->count; i++) {
        const struct dl__token *token = &t->items[i];
        const struct dl__macro *m =
            token->kind == DL__NAME && i > 1
                ? dl__macro_find(&pp->macros, token->text, token->bytes)
                : NULL;

        if (dl__token_in(token, "push_macro pop_macro"))
            pp_give_up(pp, r->file, token->offset, "#pragma %.*s is not understood",
                       (int)token->bytes, token->text);
        has_macro |= m && !m->compiler;
    }
    if (!has_macro || dl__token_is(&t->items[1], "OPENCL"))
        return;
    pp_copy_until(r, start);
    at = pp->text.count;
    dl__buf_puts(&pp->text, "#pragma ");
    items_print(macro_expand(&pp->macros, list, false), &pp->text);
    pp_add_newlines(r, start, end);
    pp_add_segment(r, DL__EXPANSION, at, start, end);
}

/* Obeys the directive whose # was just read, on the line that starts at `line_start`. The
 * result: an included file, which is to be read next; NULL: none. */
static const struct dl__file *pp_directive(struct reader *r, size_t line_start)
{
    struct dl__pp *pp = r->pp;
    struct dl__pp_tokens t = {0};
    struct dl__token token;
    const struct dl__token *name;
    struct dl__macro *m;
    size_t end;

    while ((token = dl__lex_next(&r->lexer)).kind != DL__NEWLINE && token.kind != DL__END)
        DL__PUSH(pp->arena, &t, token);
    r->lexer.offset = token.kind == DL__END ? r->file->bytes : token.offset;
    end = r->lexer.offset;
    name = t.items;
    if (!t.count || conditional(r, &t) || !pp_is_active(r)) {
        pp_blank(r, DL__BLANK, line_start, end);
        return NULL;
    }
    if (dl__token_is(name, "pragma")) {
        pragma(r, &t, line_start, end);
    } else if (dl__token_is(name, "define")) {
        if (!macro_parse(&pp->macros, t.items + 1, t.count - 1))
            pp_give_up(pp, r->file, name->offset, "a malformed #define");
        m = dl__macro_find(&pp->macros, t.items[1].text, t.items[1].bytes);
        m->user = true;
        pp_blank(r, DL__DEFINE, line_start, end);
        span_begin(&pp->macros, m, pp->text.count, true);
    } else if (dl__token_is(name, "undef")) {
        pp_blank(r, DL__DEFINE, line_start, end);
        if (t.count > 1)
            macro_undefine(&pp->macros, t.items[1].text, t.items[1].bytes,
                           pp->text.count);
    } else if (dl__token_is(name, "include")) {
        pp_blank(r, DL__BLANK, line_start, end);
        return include(r, &t, line_start, end);
    } else if (dl__token_is(name, "line")) {
        line_mark(r, &t, 1, line_start);
    } else if (name->kind == DL__NUMBER) {
        line_mark(r, &t, 0, line_start);
    } else if (dl__token_is(name, "error")) {
        pp_give_up(pp, r->file, name->offset, "#error is reached");
    } else if (dl__token_in(name, "import include_next")) {
        pp_give_up(pp, r->file, name->offset, "#%.*s is not understood", (int)name->bytes,
                   name->text);
    } else {
        pp_blank(r, DL__BLANK, line_start, end);
    }
    return NULL;
}

/* ---- The macros of the compiler itself that a text may ask for. ---- */

struct names {
    struct dl__arena *arena;
    struct dl__macros *seen;
    const char **items;
    size_t count, room;
};

static void add_name(void *user, const struct dl__token *t)
{
    struct names *names = user;

    if (t->kind == DL__NAME && !dl__macro_find(names->seen, t->text, t->bytes))
        DL__PUSH(names->arena, names,
                 dl__macro_define(names->seen, t->text, t->bytes)->name);
}

static void add_names(void *user, size_t offset, const char *body, size_t bytes)
{
    struct dl__lexer lexer = {.text = body, .bytes = bytes};
    struct dl__token t;

    (void)offset;
    while ((t = dl__lex_next(&lexer)).kind != DL__END)
        add_name(user, &t);
}

/* Finds what the text asks for of the compiler's own macros, in directives and
 * annotations, its own and those of what it may include. */
static void pp_find_compiler_macros(struct dl__pp *pp)
{
    const struct dl__preprocess_input *input = pp->input;
    struct names names = {.arena = pp->arena,
                          .seen = DL__NEW(pp->arena, struct dl__macros)};
    struct search s = {.on_token = add_name, .on_note = add_names, .user = &names};
    const char **values;

    names.seen->arena = pp->arena;
    search_texts(pp->arena, input, &s);
    for (size_t i = 0; i < input->body_count; i++)
        add_names(&names, 0, input->bodies[i], strlen(input->bodies[i]));
    for (size_t i = 0; i < input->options->defines.count; i++)
        if (input->options->defines.items[i].value)
            add_names(&names, 0, input->options->defines.items[i].value,
                      strlen(input->options->defines.items[i].value));
    if (!names.count)
        return;
    values = dl__arena_alloc(pp->arena, names.count * sizeof *values);
    input->compiler_macros(input->user, names.items, names.count, values);
    for (size_t i = 0; i < names.count; i++)
        if (values[i])
            DL__PUSH(pp->arena, &pp->out->compiler_macros,
                     ((struct dl__compiler_macro){names.items[i], values[i]}));
}

/* ---- The macro-expanded text of a translation unit: files, read token by token. ---- */

/* ---- annotations ---- */

static char *expand_brackets(struct dl__pp *pp, const char *body, size_t bytes)
{
    struct dl__lexer lexer = {.text = dl__arena_text(pp->arena, body, bytes),
                              .bytes = bytes};
    struct dl__item *first = NULL, **tail = &first, *inside = NULL,
                    **inside_tail = &inside;
    struct dl__buf out = {.arena = pp->arena};
    unsigned depth = 0;
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (dl__token_is(&t, "]") && depth && !--depth) {
            *tail = macro_expand(&pp->macros, inside, true);
            while (*tail)
                tail = &(*tail)->next;
            inside = NULL;
            inside_tail = &inside;
        }
        if (depth)
            inside_tail = put(inside_tail, item_make(pp->arena, &t));
        else
            tail = put(tail, item_make(pp->arena, &t));
        depth += dl__token_is(&t, "[");
    }
    *tail = inside;
    pp->macros.pasted.count = 0; /* no driver reads this */
    dl__buf_puts(&out, "");
    items_print(first, &out);
    return out.items;
}

static void on_note(void *user, size_t offset, const char *body, size_t bytes)
{
    struct reader *r = user;
    struct dl__expanded *out = r->pp->out;
    struct dl__note note = {.file = r->file, .origin = offset};

    /* Looking ahead for a macro's parenthesis passes the same comment twice. */
    if (!pp_is_active(r) || offset < r->noted)
        return;
    r->noted = offset + 1;
    note.origin_end = (size_t)(body - r->file->text) + bytes;
    note.body = expand_brackets(r->pp, body, bytes);
    DL__PUSH(r->pp->arena, &out->notes, note);
}

static bool begins_kernel(const struct dl__token *t, const struct dl__macro *m)
{
    bool begins = dl__is_kernel_word(t);

    for (const struct dl__item *i = m ? m->body : NULL; i && !begins; i = i->next)
        begins = dl__is_kernel_word(
            &(struct dl__token){.kind = i->kind, .text = i->text, .bytes = i->bytes});
    return begins;
}

/* Macros between an annotation and its kernel are the annotation's, too. */
static void expand_notes_again(struct dl__pp *pp)
{
    for (; pp->notes_above < pp->out->notes.count; pp->notes_above++) {
        struct dl__note *note = &pp->out->notes.items[pp->notes_above];

        note->body = expand_brackets(pp, note->body, strlen(note->body));
    }
}

/* ---- files ---- */

/* Other spellings of # [ ] { } and \\, which libclang and the drivers know and this room
 * does not: a directive in one of them would be read by them alone. */
static void refuse_digraph(struct reader *r, const struct dl__token *t)
{
    static const char *const pairs[] = {"%:", "<:", ":>", "<%", "%>"};

    if (t->kind != DL__PUNCT || t->offset + 1 >= r->file->bytes)
        return;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (!memcmp(r->file->text + t->offset, pairs[i], 2))
            pp_give_up(r->pp, r->file, t->offset, "the digraph '%s' is not understood",
                       pairs[i]);
}

/* In a comment only the one that stands for a backslash has a meaning. */
static void refuse_trigraphs(struct dl__pp *pp, const struct dl__file *file)
{
    const char *at = file->text, *end = file->text + file->bytes;
    struct dl__lexer lexer = {.text = file->text, .bytes = file->bytes};
    struct dl__token t = {.kind = DL__NEWLINE};

    for (; (at = memchr(at, '?', (size_t)(end - at))) != NULL; at++) {
        size_t offset = (size_t)(at - file->text);

        if (end - at < 3 || at[1] != '?' || !memchr("=/'()!<>-", at[2], 9))
            continue;
        while (t.kind != DL__END && t.offset + t.bytes <= offset)
            t = dl__lex_next(&lexer);
        if (at[2] == '/' || (t.kind != DL__END && t.offset <= offset))
            pp_give_up(pp, file, offset, "the trigraph '%.3s' is not understood", at);
    }
}

/* Adds a whole file to the text. */
static void read_text(struct dl__pp *pp, const struct dl__file *file)
{
    struct reader *r = DL__NEW(pp->arena, struct reader);
    bool line_start = true;
    size_t start = 0;

    r->pp = pp;
    r->file = file;
    r->lexer.text = file->text;
    r->lexer.bytes = file->bytes;
    r->lexer.on_note = on_note;
    r->lexer.user = r;
    refuse_trigraphs(pp, file);
    for (;;) {
        struct dl__token t;
        struct dl__macro *m;

        if (line_start)
            start = r->lexer.offset;
        t = dl__lex_next(&r->lexer);
        if (t.kind == DL__END)
            break;
        if (line_start && dl__token_is(&t, "#")) {
            const struct dl__file *included = pp_directive(r, start);

            pp->depth++;
            if (included)
                read_text(pp, included);
            pp->depth--;
            line_start = false;
            continue;
        }
        if (t.kind == DL__NEWLINE) {
            line_start = true;
            continue;
        }
        if (line_start && !pp_is_active(r)) {
            r->lexer.offset = start;
            dl__lex_pass_line(&r->lexer);
            pp_blank(r, DL__BLANK, start, r->lexer.offset);
            r->lexer.offset += r->lexer.offset < r->lexer.bytes;
            continue;
        }
        line_start = false;
        if (t.kind != DL__NAME) {
            refuse_digraph(r, &t);
            continue;
        }
        m = dl__macro_find(&pp->macros, t.text, t.bytes);
        if (pp->notes_above < pp->out->notes.count && begins_kernel(&t, m))
            expand_notes_again(pp);
        if (m && !m->compiler)
            pp_invoke(r, &t, m);
    }
    if (r->group_count)
        pp_give_up(pp, file, file->bytes, "an #if is not closed");
    pp_copy_until(r, file->bytes);
    if (!file->is_main) {
        size_t at = pp->text.count;

        dl__buf_puts(&pp->text, "\n");
        pp_add_segment(r, DL__BLANK, at, file->bytes, file->bytes);
    }
}

void dl__preprocess(struct dl__arena *arena, const struct dl__preprocess_input *input,
                    struct dl__expanded *out)
{
    struct dl__pp *pp = DL__NEW(arena, struct dl__pp);
    const struct dl__expanded *known;

    memset(out, 0, sizeof *out);
    if (input->main->bytes > DL__TEXT_BYTES_MAX)
        give_up(arena, "it is too large");
    out->arena = arena;
    out->pragmas = DL__NEW(arena, struct dl__pragma_list);
    out->main = input->main;
    out->macros = &pp->macros;
    pp->arena = arena;
    pp->input = input;
    pp->out = out;
    pp->macros.arena = arena;
    pp->text.arena = arena;
    if (!input->of)
        pp_find_compiler_macros(pp);
    known = input->of ? input->of : out;
    for (size_t i = 0; i < known->compiler_macros.count; i++)
        pp_define_text(pp, known->compiler_macros.items[i].name,
                       known->compiler_macros.items[i].value, true);
    for (size_t i = 0; i < input->options->defines.count; i++) {
        const struct dl__define *define = &input->options->defines.items[i];

        if (define->undefine)
            macro_undefine(&pp->macros, define->name, strlen(define->name), 0);
        else
            pp_define_text(pp, define->name, define->value, false);
    }
    dl__buf_puts(&pp->text, "");
    read_text(pp, input->main);
    out->bodies = dl__arena_alloc(arena, (input->body_count + 1) * sizeof *out->bodies);
    for (size_t i = 0; i < input->body_count; i++)
        out->bodies[i] = expand_brackets(pp, input->bodies[i], strlen(input->bodies[i]));
    out->text = pp->text.items;
    out->bytes = pp->text.count;
    /* Notes and segments are both in the order of reading. */
    for (size_t i = 0, s = 0; i < out->notes.count; i++) {
        struct dl__note *note = &out->notes.items[i];

        while (s + 1 < out->segments.count &&
               !(out->segments.items[s].file == note->file &&
                 out->segments.items[s].origin_end > note->origin))
            s++;
        if (s < out->segments.count)
            note->at = out->segments.items[s].at;
        if (s < out->segments.count && out->segments.items[s].kind == DL__VERBATIM)
            note->at += note->origin - out->segments.items[s].origin;
    }
}
