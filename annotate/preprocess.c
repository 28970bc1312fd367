/* The macro-expanded text of a translation unit, with the way back to the user's text. */
#include "preprocess.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "condition.h"
#include "macro.h"

enum { INCLUDE_DEPTH_MAX = 64, CONDITION_DEPTH_MAX = 256, FILE_BYTES_MAX = 256 << 20 };

struct group {
    bool active; /* this branch is compiled */
    bool taken;  /* a branch was */
    bool outer;  /* the group around it is compiled */
};

struct tokens {
    struct dl__token *items;
    size_t count, room;
};

struct pp {
    struct dl__arena *arena;
    const struct dl__preprocess_input *input;
    struct dl__macros macros;
    struct dl__buf text;
    struct dl__expanded *out;
    struct {
        struct dl__file **items;
        size_t count, room;
    } once;
    unsigned depth;
};

/* One file on its way. */
struct reader {
    struct pp *pp;
    const struct dl__file *file;
    struct dl__lexer lexer;
    size_t copied; /* the file's text is in pp->text up to here */
    struct group groups[CONDITION_DEPTH_MAX];
    unsigned group_count;
};

struct dl__place dl__file_place(const struct dl__file *file, size_t offset)
{
    struct dl__place place = {.file = file, .offset = offset, .line = 1, .column = 1};

    for (size_t i = 0; i < offset && i < file->bytes; i++) {
        place.column++;
        if (file->text[i] == '\n') {
            place.line++;
            place.column = 1;
        }
    }
    return place;
}

static void __attribute__((noreturn, format(printf, 4, 5)))
give_up(struct pp *pp, const struct dl__file *file, size_t offset, const char *format,
        ...)
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

static bool is_active(const struct reader *r)
{
    return !r->group_count || r->groups[r->group_count - 1].active;
}

static void add_segment(struct reader *r, enum dl__segment_kind kind, size_t at,
                        size_t origin, size_t origin_end)
{
    struct dl__segment segment = {kind,   r->file,   at, r->pp->text.count,
                                  origin, origin_end};

    if (segment.at != segment.end || kind == DL__DEFINE || kind == DL__EXPANSION)
        DL__PUSH(r->pp->arena, &r->pp->out->segments, segment);
    r->copied = origin_end;
}

static void copy_until(struct reader *r, size_t origin)
{
    size_t at = r->pp->text.count;

    if (origin <= r->copied)
        return;
    dl__buf_add(&r->pp->text, r->file->text + r->copied, origin - r->copied);
    add_segment(r, DL__VERBATIM, at, r->copied, origin);
}

static void add_newlines(struct reader *r, size_t origin, size_t origin_end)
{
    for (size_t i = origin; i < origin_end; i++)
        if (r->file->text[i] == '\n')
            dl__buf_puts(&r->pp->text, "\n");
}

static void blank(struct reader *r, enum dl__segment_kind kind, size_t origin, size_t end)
{
    size_t at;

    copy_until(r, origin);
    at = r->pp->text.count;
    add_newlines(r, origin, end);
    add_segment(r, kind, at, origin, end);
}

/* ---- annotations ----------------------------------------------------------------- */

static char *expand_brackets(struct pp *pp, const char *body, size_t bytes)
{
    struct dl__lexer lexer = {.text = dl__arena_text(pp->arena, body, bytes),
                              .bytes = bytes};
    struct dl__item *first = NULL, **tail = &first, *inside = NULL,
                    **inside_tail = &inside;
    struct dl__buf out = {.arena = pp->arena};
    unsigned depth = 0;

    for (;;) {
        struct dl__token t = dl__lex_next(&lexer);

        if (t.kind == DL__END)
            break;
        if (dl__token_is(&t, "]") && depth && !--depth) {
            *tail = dl__macro_expand(&pp->macros, inside, true);
            while (*tail)
                tail = &(*tail)->next;
            inside = NULL;
            inside_tail = &inside;
        }
        if (depth) {
            *inside_tail = dl__item_make(pp->arena, &t);
            inside_tail = &(*inside_tail)->next;
        } else {
            *tail = dl__item_make(pp->arena, &t);
            tail = &(*tail)->next;
        }
        depth += dl__token_is(&t, "[");
    }
    *tail = inside;
    dl__buf_puts(&out, "");
    dl__items_print(first, &out);
    return out.items;
}

static void on_note(void *user, size_t offset, const char *body, size_t bytes)
{
    struct reader *r = user;
    struct dl__expanded *out = r->pp->out;
    struct dl__note note = {.origin = offset};

    /* Looking ahead for a macro's parenthesis passes the same comment twice. */
    if (!is_active(r) ||
        (out->notes.count && out->notes.items[out->notes.count - 1].origin >= offset))
        return;
    note.origin_end = (size_t)(body - r->file->text) + bytes;
    note.body = expand_brackets(r->pp, body, bytes);
    DL__PUSH(r->pp->arena, &out->notes, note);
}

/* ---- macro invocations ----------------------------------------------------------- */

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
            give_up(r->pp, r->file, start, "a macro invocation is not closed");
        if (line_start && dl__token_is(&t, "#"))
            give_up(r->pp, r->file, t.offset,
                    "a directive inside a macro invocation is not understood");
        *tail = dl__item_make(r->pp->arena, &t);
        (*tail)->spaced |= spaced;
        tail = &(*tail)->next;
        line_start = spaced = false;
        depth += dl__token_is(&t, "(");
        depth -= dl__token_is(&t, ")");
    }
}

/* If the next token, maybe some lines on, is `(`, appends the tokens up to its `)`. */
static bool gather_arguments(struct reader *r, struct dl__item **tail)
{
    struct dl__lexer saved = r->lexer;
    struct dl__token t = dl__lex_next(&r->lexer);

    while (t.kind == DL__NEWLINE)
        t = dl__lex_next(&r->lexer);
    if (!dl__token_is(&t, "(")) {
        r->lexer = saved;
        return false;
    }
    *tail = dl__item_make(r->pp->arena, &t);
    gather_until_closed(r, &(*tail)->next, 1);
    return true;
}

static bool item_is(const struct dl__item *item, char c)
{
    return item && item->kind == DL__PUNCT && item->bytes == 1 && item->text[0] == c;
}

/* How many parentheses are open at the end of an expansion that ends inside the arguments
 * of an invocation; 0 when it does not. */
static unsigned open_arguments(struct pp *pp, const struct dl__item *list)
{
    for (const struct dl__item *t = list; t; t = t->next) {
        const struct dl__macro *m = dl__macro_of_item(&pp->macros, t);
        unsigned depth = 0;

        if (!m || !m->function || m->compiler || !item_is(t->next, '('))
            continue;
        for (const struct dl__item *a = t->next; a; a = a->next) {
            depth += item_is(a, '(');
            depth -= item_is(a, ')');
            if (!depth)
                break;
        }
        if (depth)
            return depth;
    }
    return 0;
}

static void invoke(struct reader *r, const struct dl__token *name, struct dl__macro *m)
{
    struct pp *pp = r->pp;
    struct dl__item *list = dl__item_make(pp->arena, name), *last;
    char first[2] = {0};
    size_t at;

    if (m->function && !gather_arguments(r, &list->next))
        return;
    list = dl__macro_expand(&pp->macros, list, false);
    for (;;) {
        struct dl__macro *again;

        unsigned depth = open_arguments(pp, list);

        last = last_item(list);
        again = last ? dl__macro_of_item(&pp->macros, last) : NULL;
        if (depth)
            gather_until_closed(r, &last->next, depth);
        else if (!again || !again->function || again->compiler ||
                 !gather_arguments(r, &last->next))
            break;
        list = dl__macro_expand(&pp->macros, list, false);
    }
    copy_until(r, name->offset);
    at = pp->text.count;
    if (list) {
        first[0] = list->text[0];
        if (dl__tokens_stick(pp->text.items ? pp->text.items : "", pp->text.count, first))
            dl__buf_puts(&pp->text, " ");
        dl__items_print(list, &pp->text);
        if (r->lexer.offset < r->file->bytes) {
            first[0] = r->file->text[r->lexer.offset];
            if (dl__tokens_stick(pp->text.items, pp->text.count, first))
                dl__buf_puts(&pp->text, " ");
        }
    }
    add_newlines(r, name->offset, r->lexer.offset);
    add_segment(r, DL__EXPANSION, at, name->offset, r->lexer.offset);
}

/* ---- directives ------------------------------------------------------------------ */

static bool is_device_name(struct pp *pp, const struct dl__token *t)
{
    const struct dl__macro *m;

    if (t->kind != DL__NAME || t->bytes < 3 ||
        (memcmp(t->text, "__", 2) && memcmp(t->text, "cl_", 3) &&
         memcmp(t->text, "CL_", 3)))
        return false;
    m = dl__macro_find(&pp->macros, t->text, t->bytes);
    return !m || m->compiler;
}

/* Notes a condition, `prefix` and the tokens from `at` on, if it asks for a device name. */
static void note_guess(struct pp *pp, const char *prefix, const struct tokens *t,
                       size_t at, bool holds)
{
    struct dl__item *list = NULL, **tail = &list, *defined = NULL;
    struct dl__buf text = {.arena = pp->arena};
    struct dl__guess guess = {.holds = holds};
    bool asks = false;

    for (size_t i = at; i < t->count; i++) {
        bool is_name = t->items[i].kind == DL__NAME &&
                       (dl__token_is(&t->items[i - 1], "defined") ||
                        (i > 1 && dl__token_is(&t->items[i - 1], "(") &&
                         dl__token_is(&t->items[i - 2], "defined")));

        asks |= is_device_name(pp, &t->items[i]);
        *tail = dl__item_make(pp->arena, &t->items[i]);
        if (dl__token_is(&t->items[i], "defined"))
            defined = *tail;
        /* `defined USER` is decided here: as `!!1`, or `!!0`. */
        if (is_name && !is_device_name(pp, &t->items[i]) && defined) {
            (*tail)->kind = DL__NUMBER;
            (*tail)->text =
                dl__macro_find(&pp->macros, (*tail)->text, (*tail)->bytes) ? "1" : "0";
            (*tail)->bytes = 1;
            defined->kind = DL__PUNCT;
            defined->text = "!!";
            defined->bytes = 2;
        }
        tail = &(*tail)->next;
    }
    if (!asks)
        return;
    dl__buf_puts(&text, prefix);
    dl__items_print(dl__macro_expand(&pp->macros, list, false), &text);
    guess.condition = text.items;
    for (size_t i = 0; i < pp->out->guesses.count; i++)
        if (!strcmp(pp->out->guesses.items[i].condition, guess.condition))
            return;
    DL__PUSH(pp->arena, &pp->out->guesses, guess);
}

static bool evaluate(struct reader *r, const struct tokens *t, size_t at)
{
    size_t start = at;
    struct dl__item *list = NULL, **tail = &list;
    bool out;

    for (; at < t->count; at++) {
        struct dl__item *item = dl__item_make(r->pp->arena, &t->items[at]);

        if (dl__token_is(&t->items[at], "defined")) {
            size_t name = at + 1;
            bool paren = name < t->count && dl__token_is(&t->items[name], "(");

            name += paren;
            if (name >= t->count || t->items[name].kind != DL__NAME)
                give_up(r->pp, r->file, t->items[at].offset, "malformed `defined`");
            item->kind = DL__NUMBER;
            item->bytes = 1;
            item->text =
                dl__macro_find(&r->pp->macros, t->items[name].text, t->items[name].bytes)
                    ? "1"
                    : "0";
            at = name + paren;
        }
        *tail = item;
        tail = &item->next;
    }
    list = dl__macro_expand(&r->pp->macros, list, true);
    if (!dl__condition_eval(list, &out))
        give_up(r->pp, r->file, t->items[0].offset, "the condition is malformed");
    note_guess(r->pp, "", t, start, out);
    return out;
}

static void open_group(struct reader *r, size_t offset, bool active, bool outer)
{
    struct group group = {outer && active, outer && active, outer};

    if (r->group_count == CONDITION_DEPTH_MAX)
        give_up(r->pp, r->file, offset, "conditionals are nested too deeply");
    r->groups[r->group_count++] = group;
}

/* #if and its like; false when `t` is none of them. */
static bool conditional(struct reader *r, const struct tokens *t)
{
    const struct dl__token *name = &t->items[0];
    bool outer = is_active(r);

    if (dl__token_is(name, "if")) {
        open_group(r, name->offset, outer && evaluate(r, t, 1), outer);
    } else if (dl__token_is(name, "ifdef") || dl__token_is(name, "ifndef")) {
        bool defined;

        if (t->count < 2 || t->items[1].kind != DL__NAME)
            give_up(r->pp, r->file, name->offset, "a macro's name is missing");
        defined = dl__macro_find(&r->pp->macros, t->items[1].text, t->items[1].bytes);
        if (outer)
            note_guess(r->pp, "defined ", t, 1, defined);
        open_group(r, name->offset, defined == (name->bytes == 5), outer);
    } else if (dl__token_is(name, "elif") || dl__token_is(name, "else")) {
        struct group *g = r->group_count ? &r->groups[r->group_count - 1] : NULL;

        if (!g)
            give_up(r->pp, r->file, name->offset, "#%.*s without #if", (int)name->bytes,
                    name->text);
        g->active = g->outer && !g->taken &&
                    (name->bytes == 4 && name->text[2] == 's' ? true : evaluate(r, t, 1));
        g->taken |= g->active;
    } else if (dl__token_is(name, "endif")) {
        if (!r->group_count)
            give_up(r->pp, r->file, name->offset, "#endif without #if");
        r->group_count--;
    } else {
        return false;
    }
    return true;
}

static char *directory_of(struct dl__arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? dl__arena_text(arena, path, (size_t)(slash - path))
                 : dl__arena_text(arena, ".", 1);
}

static struct dl__file *read_file(struct dl__arena *arena, const char *path)
{
    FILE *in = fopen(path, "rb");
    struct dl__file *file = NULL;
    long bytes;

    if (!in)
        return NULL;
    if (!fseek(in, 0, SEEK_END) && (bytes = ftell(in)) >= 0 && bytes < FILE_BYTES_MAX &&
        !fseek(in, 0, SEEK_SET)) {
        /* No allocation from the arena while the file is open: it may not return. */
        char *text = malloc((size_t)bytes + 1);

        if (text && fread(text, 1, (size_t)bytes, in) == (size_t)bytes) {
            fclose(in);
            in = NULL;
            file = DL__NEW(arena, struct dl__file);
            file->text = dl__arena_text(arena, text, (size_t)bytes);
            file->bytes = (size_t)bytes;
            file->name = path;
        }
        free(text);
    }
    if (in)
        fclose(in);
    return file;
}

/* The embedded header or file that an #include names; NULL when there is none. */
static struct dl__file *find_include(struct pp *pp, const struct dl__file *from,
                                     const char *name, bool quoted)
{
    const struct dl__build_options *options = pp->input->options;
    struct dl__file *file;

    for (size_t i = 0; i < pp->input->header_count; i++) {
        const struct dl_header *header = &pp->input->headers[i];

        if (!strcmp(header->name, name)) {
            file = DL__NEW(pp->arena, struct dl__file);
            file->name = header->name;
            file->text = header->text;
            file->bytes = strlen(header->text);
            return file;
        }
    }
    if (name[0] == '/')
        return read_file(pp->arena, name);
    if (quoted) {
        const char *dir =
            from->is_main ? pp->input->directory : directory_of(pp->arena, from->name);

        file = read_file(pp->arena, dl__arena_format(pp->arena, "%s/%s", dir, name));
        if (file)
            return file;
    }
    for (size_t i = 0; i < options->include_dirs.count; i++) {
        file =
            read_file(pp->arena, dl__arena_format(pp->arena, "%s/%s",
                                                  options->include_dirs.items[i], name));
        if (file)
            return file;
    }
    return NULL;
}

/* The name that `#include` names, "" or <> taken off; NULL when malformed. */
static char *include_name(struct pp *pp, const struct tokens *t, bool expand,
                          bool *quoted)
{
    struct dl__item *list = NULL, **tail = &list;
    struct dl__buf buf = {.arena = pp->arena};
    size_t start = 0;

    for (size_t i = 1; i < t->count; i++) {
        *tail = dl__item_make(pp->arena, &t->items[i]);
        tail = &(*tail)->next;
    }
    if (list && list->kind == DL__NAME && expand)
        list = dl__macro_expand(&pp->macros, list, true);
    if (!list)
        return NULL;
    dl__buf_puts(&buf, "");
    if (list->kind == DL__STRING) {
        dl__buf_add(&buf, list->text, list->bytes);
        *quoted = true;
    } else {
        for (const struct dl__item *i = list; i; i = i->next)
            dl__buf_add(&buf, i->text, i->bytes);
        *quoted = false;
    }
    if (buf.count < 3 || buf.items[0] != (*quoted ? '"' : '<') ||
        buf.items[buf.count - 1] != (*quoted ? '"' : '>'))
        return NULL;
    buf.items[buf.count - 1] = '\0';
    start = 1;
    return buf.items + start;
}

static void read_text(struct pp *pp, const struct dl__file *file);

static void include(struct reader *r, const struct tokens *t)
{
    struct pp *pp = r->pp;
    bool quoted;
    char *name = include_name(pp, t, true, &quoted);
    struct dl__file *file;

    if (!name)
        give_up(pp, r->file, t->items[0].offset, "a malformed #include");
    file = find_include(pp, r->file, name, quoted);
    if (!file)
        give_up(pp, r->file, t->items[0].offset, "the included file '%s' is not found",
                name);
    if (pp->depth >= INCLUDE_DEPTH_MAX)
        give_up(pp, r->file, t->items[0].offset, "includes are nested too deeply");
    for (size_t i = 0; i < pp->once.count; i++)
        if (!strcmp(pp->once.items[i]->name, file->name))
            return;
    pp->depth++;
    read_text(pp, file);
    pp->depth--;
}

static void line_mark(struct reader *r, const struct tokens *t)
{
    struct dl__line_mark mark = {.origin = r->lexer.offset};

    if (t->count < 2 || t->items[1].kind != DL__NUMBER || !r->file->is_main)
        return;
    mark.line = (unsigned)strtoul(t->items[1].text, NULL, 10);
    if (t->count > 2 && t->items[2].kind == DL__STRING)
        mark.file = dl__arena_text(r->pp->arena, t->items[2].text, t->items[2].bytes);
    DL__PUSH(r->pp->arena, &r->pp->out->line_marks, mark);
}

/* A pragma stays; the macros in it (`#pragma unroll N`) must be expanded for the parse.
 */
static void pragma(struct reader *r, const struct tokens *t, size_t start, size_t end)
{
    struct pp *pp = r->pp;
    struct dl__item *list = NULL, **tail = &list;
    bool has_macro = false;
    size_t at;

    if (t->count > 1 && dl__token_is(&t->items[1], "once")) {
        struct dl__file *copy = DL__NEW(pp->arena, struct dl__file);

        *copy = *r->file;
        DL__PUSH(pp->arena, &pp->once, copy);
        blank(r, DL__BLANK, start, end);
        return;
    }
    for (size_t i = 1; i < t->count; i++) {
        const struct dl__token *token = &t->items[i];
        const struct dl__macro *m =
            token->kind == DL__NAME && i > 1
                ? dl__macro_find(&pp->macros, token->text, token->bytes)
                : NULL;

        if (dl__token_is(token, "push_macro") || dl__token_is(token, "pop_macro"))
            give_up(pp, r->file, token->offset, "#pragma %.*s is not understood",
                    (int)token->bytes, token->text);
        has_macro |= m && !m->compiler;
        *tail = dl__item_make(pp->arena, token);
        tail = &(*tail)->next;
    }
    if (!has_macro || dl__token_is(&t->items[1], "OPENCL"))
        return;
    copy_until(r, start);
    at = pp->text.count;
    dl__buf_puts(&pp->text, "#pragma ");
    dl__items_print(dl__macro_expand(&pp->macros, list, false), &pp->text);
    add_newlines(r, start, end);
    add_segment(r, DL__EXPANSION, at, start, end);
}

static void directive(struct reader *r, size_t line_start)
{
    struct pp *pp = r->pp;
    struct tokens t = {0};
    struct dl__token token;
    const struct dl__token *name;
    size_t end;

    for (;;) {
        size_t before = r->lexer.offset;

        token = dl__lex_next(&r->lexer);
        if (token.kind == DL__NEWLINE || token.kind == DL__END) {
            r->lexer.offset = token.kind == DL__END ? before : token.offset;
            if (token.kind == DL__END)
                r->lexer.offset = r->file->bytes;
            break;
        }
        DL__PUSH(pp->arena, &t, token);
    }
    end = r->lexer.offset;
    name = t.items;
    if (!t.count || conditional(r, &t) || !is_active(r)) {
        blank(r, DL__BLANK, line_start, end);
        return;
    }
    if (dl__token_is(name, "pragma")) {
        pragma(r, &t, line_start, end);
    } else if (dl__token_is(name, "define")) {
        if (!dl__macro_parse(&pp->macros, t.items + 1, t.count - 1))
            give_up(pp, r->file, name->offset, "a malformed #define");
        dl__macro_find(&pp->macros, t.items[1].text, t.items[1].bytes)->user = true;
        blank(r, DL__DEFINE, line_start, end);
    } else if (dl__token_is(name, "undef")) {
        if (t.count > 1)
            dl__macro_undefine(&pp->macros, t.items[1].text, t.items[1].bytes);
        blank(r, DL__DEFINE, line_start, end);
    } else if (dl__token_is(name, "include")) {
        blank(r, DL__BLANK, line_start, end);
        include(r, &t);
    } else if (dl__token_is(name, "line")) {
        line_mark(r, &t);
        blank(r, DL__BLANK, line_start, end);
    } else if (dl__token_is(name, "error")) {
        give_up(pp, r->file, name->offset, "#error is reached");
    } else {
        blank(r, DL__BLANK, line_start, end);
    }
}

/* ---- files ----------------------------------------------------------------------- */

static void skip_line(struct reader *r, size_t line_start)
{
    struct dl__token t;

    do
        t = dl__lex_next(&r->lexer);
    while (t.kind != DL__NEWLINE && t.kind != DL__END);
    if (t.kind == DL__NEWLINE)
        r->lexer.offset = t.offset;
    blank(r, DL__BLANK, line_start, r->lexer.offset);
    if (t.kind == DL__NEWLINE)
        r->lexer.offset = t.offset + 1;
}

static void read_text(struct pp *pp, const struct dl__file *file)
{
    struct reader *r = DL__NEW(pp->arena, struct reader);
    bool line_start = true;
    size_t start = 0;

    r->pp = pp;
    r->file = file;
    r->lexer.text = file->text;
    r->lexer.bytes = file->bytes;
    if (file->is_main) {
        r->lexer.on_note = on_note;
        r->lexer.user = r;
    }
    for (;;) {
        struct dl__token t;
        struct dl__macro *m;

        if (line_start)
            start = r->lexer.offset;
        t = dl__lex_next(&r->lexer);
        if (t.kind == DL__END)
            break;
        if (line_start && dl__token_is(&t, "#")) {
            directive(r, start);
            line_start = false;
            continue;
        }
        if (t.kind == DL__NEWLINE) {
            line_start = true;
            continue;
        }
        if (line_start && !is_active(r)) {
            r->lexer.offset = start;
            skip_line(r, start);
            continue;
        }
        line_start = false;
        if (t.kind != DL__NAME)
            continue;
        m = dl__macro_find(&pp->macros, t.text, t.bytes);
        if (m && !m->compiler)
            invoke(r, &t, m);
    }
    if (r->group_count)
        give_up(pp, file, file->bytes, "an #if is not closed");
    copy_until(r, file->bytes);
    if (!file->is_main) {
        size_t at = pp->text.count;

        dl__buf_puts(&pp->text, "\n");
        add_segment(r, DL__BLANK, at, file->bytes, file->bytes);
    }
}

/* ---- the compiler's macros ------------------------------------------------------- */

struct names {
    const char **items;
    size_t count, room;
};

static void add_name(struct pp *pp, struct names *names, struct dl__macros *seen,
                     const struct dl__token *t)
{
    if (t->kind != DL__NAME || dl__macro_find(seen, t->text, t->bytes))
        return;
    DL__PUSH(pp->arena, names, dl__macro_define(seen, t->text, t->bytes)->name);
}

struct collector {
    struct pp *pp;
    struct names *names;
    struct dl__macros *seen;
};

static void collect_note(void *user, size_t offset, const char *body, size_t bytes)
{
    struct collector *c = user;
    struct dl__lexer lexer = {.text = body, .bytes = bytes};
    struct dl__token t;

    (void)offset;
    while ((t = dl__lex_next(&lexer)).kind != DL__END)
        add_name(c->pp, c->names, c->seen, &t);
}

/* Collects the names in directives and annotations of a file and of what it may include.
 */
static void collect_names(struct pp *pp, const struct dl__file *file, struct names *names,
                          struct dl__macros *seen, struct dl__macros *files,
                          unsigned depth)
{
    struct collector collector = {pp, names, seen};
    struct dl__lexer lexer = {.text = file->text,
                              .bytes = file->bytes,
                              .on_note = collect_note,
                              .user = &collector};
    bool line_start = true;
    struct dl__token t;

    if (depth > INCLUDE_DEPTH_MAX ||
        dl__macro_find(files, file->name, strlen(file->name)))
        return;
    dl__macro_define(files, file->name, strlen(file->name));
    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        struct tokens tokens = {0};

        if (!line_start || !dl__token_is(&t, "#")) {
            line_start = t.kind == DL__NEWLINE;
            continue;
        }
        while ((t = dl__lex_next(&lexer)).kind != DL__END && t.kind != DL__NEWLINE) {
            DL__PUSH(pp->arena, &tokens, t);
            add_name(pp, names, seen, &t);
        }
        if (tokens.count && dl__token_is(&tokens.items[0], "include")) {
            bool quoted;
            char *name = include_name(pp, &tokens, false, &quoted);
            struct dl__file *next = name ? find_include(pp, file, name, quoted) : NULL;

            if (next)
                collect_names(pp, next, names, seen, files, depth + 1);
        }
    }
}

static void define_text(struct pp *pp, const char *name, const char *value, bool compiler)
{
    struct dl__lexer lexer = {.text = dl__arena_format(pp->arena, "%s %s", name, value)};
    struct tokens tokens = {0};
    struct dl__token t;

    lexer.bytes = strlen(lexer.text);
    while ((t = dl__lex_next(&lexer)).kind != DL__END)
        if (t.kind != DL__NEWLINE)
            DL__PUSH(pp->arena, &tokens, t);
    if (tokens.count && dl__macro_parse(&pp->macros, tokens.items, tokens.count))
        dl__macro_find(&pp->macros, tokens.items[0].text, tokens.items[0].bytes)
            ->compiler = compiler;
}

static void define_compiler_macros(struct pp *pp)
{
    struct dl__macros *seen = DL__NEW(pp->arena, struct dl__macros);
    struct dl__macros *files = DL__NEW(pp->arena, struct dl__macros);
    struct names names = {0};
    const char **values;

    seen->arena = files->arena = pp->arena;
    collect_names(pp, pp->input->main, &names, seen, files, 0);
    for (size_t i = 0; i < pp->input->body_count; i++)
        collect_note(&(struct collector){pp, &names, seen}, 0, pp->input->bodies[i],
                     strlen(pp->input->bodies[i]));
    for (size_t i = 0; i < pp->input->options->defines.count; i++) {
        const char *value = pp->input->options->defines.items[i].value;
        struct dl__lexer lexer = {.text = value, .bytes = value ? strlen(value) : 0};
        struct dl__token t;

        while (value && (t = dl__lex_next(&lexer)).kind != DL__END)
            add_name(pp, &names, seen, &t);
    }
    if (!names.count)
        return;
    values = dl__arena_alloc(pp->arena, names.count * sizeof *values);
    pp->input->compiler_macros(pp->input->user, names.items, names.count, values);
    for (size_t i = 0; i < names.count; i++)
        if (values[i])
            define_text(pp, names.items[i], values[i], true);
}

void dl__preprocess(struct dl__arena *arena, const struct dl__preprocess_input *input,
                    struct dl__expanded *out)
{
    struct pp *pp = DL__NEW(arena, struct pp);

    memset(out, 0, sizeof *out);
    out->arena = arena;
    out->main = input->main;
    out->macros = &pp->macros;
    pp->arena = arena;
    pp->input = input;
    pp->out = out;
    pp->macros.arena = arena;
    pp->text.arena = arena;
    define_compiler_macros(pp);
    for (size_t i = 0; i < input->options->defines.count; i++) {
        const struct dl__define *define = &input->options->defines.items[i];

        if (define->undefine)
            dl__macro_undefine(&pp->macros, define->name, strlen(define->name));
        else
            define_text(pp, define->name, define->value, false);
    }
    dl__buf_puts(&pp->text, "");
    read_text(pp, input->main);
    out->bodies = dl__arena_alloc(arena, (input->body_count + 1) * sizeof *out->bodies);
    for (size_t i = 0; i < input->body_count; i++)
        out->bodies[i] = expand_brackets(pp, input->bodies[i], strlen(input->bodies[i]));
    out->text = pp->text.items;
    out->bytes = pp->text.count;
    for (size_t i = 0, s = 0; i < out->notes.count; i++) {
        struct dl__note *note = &out->notes.items[i];

        while (s + 1 < out->segments.count &&
               !(out->segments.items[s].file == input->main &&
                 out->segments.items[s].origin_end > note->origin))
            s++;
        if (s < out->segments.count)
            note->at = out->segments.items[s].at;
        if (s < out->segments.count && out->segments.items[s].kind == DL__VERBATIM)
            note->at += note->origin - out->segments.items[s].origin;
    }
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
