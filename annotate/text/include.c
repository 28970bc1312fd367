/* SPDX-License-Identifier: MIT */
/* Files that a text includes: their names, and all of them. */
#include "annotate/text/reader.h"

#include <stdlib.h>
#include <string.h>

#include "annotate/base/file.h"
#include "annotate/text/limits.h"

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

static struct dl__file *make_file(struct dl__arena *arena)
{
    struct dl__file *file = DL__NEW(arena, struct dl__file);

    file->lines = DL__NEW(arena, struct dl__lines);
    file->lines->arena = arena;
    return file;
}

/* A byte order mark in front of a text is none of it. */
static void skip_mark(struct dl__file *file)
{
    size_t bytes = dl__mark_bytes(file->text, file->bytes);

    file->text += bytes;
    file->bytes -= bytes;
}

static struct dl__file *read_text(struct dl__arena *arena, const char *path)
{
    struct dl__file *file = make_file(arena);
    const char *reason;
    char *text = dl__file_read(path, FILE_BYTES_MAX - 1, &file->bytes, &reason);

    if (!text)
        return NULL;
    file->text = dl__arena_text(arena, text, file->bytes);
    free(text);
    file->name = path;
    return file;
}

static struct dl__file *read_file(struct dl__pp *pp, const char *path)
{
    struct dl__file *file = read_text(pp->arena, path);

    if (pp->input->on_file)
        pp->input->on_file(pp->input->on_file_user, path, file ? file->text : NULL,
                           file ? file->bytes : 0);
    if (file)
        skip_mark(file);
    return file;
}

struct dl__file *dl__pp_find_include(struct dl__pp *pp, const struct dl__file *from,
                                     const char *name, bool quoted)
{
    const struct dl__build_options *options = pp->input->options;
    struct dl__file *file;

    for (size_t i = 0; i < pp->input->header_count; i++) {
        const struct dl_header *header = &pp->input->headers[i];

        if (!strcmp(header->name, name)) {
            file = make_file(pp->arena);
            file->name = header->name;
            file->text = header->text;
            file->bytes = strlen(header->text);
            skip_mark(file);
            return file;
        }
    }
    if (name[0] == '/')
        return read_file(pp, name);
    if (quoted) {
        const char *dir =
            from->is_main ? pp->input->directory : directory_of(pp->arena, from->name);

        file = read_file(pp, dl__arena_format(pp->arena, "%s/%s", dir, name));
        if (file)
            return file;
    }
    for (size_t i = 0; i < options->include_dirs.count; i++) {
        file = read_file(pp, dl__arena_format(pp->arena, "%s/%s",
                                              options->include_dirs.items[i], name));
        if (file)
            return file;
    }
    return NULL;
}

char *dl__pp_include_name(struct dl__pp *pp, const struct dl__pp_tokens *t, bool expand,
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

/* ---- What a text may include, whatever its conditions are. ---- */

/* These begin a directive, hide the end of a line, or go on behind it. */
static const char *const marks[] = {"#", "\\", "/*"};
enum { MARKS = sizeof marks / sizeof *marks };

/* From the start of a line to that of the next with a mark: between them is nothing to be
 * read. seen  where each mark stands next, NULL: not looked for; kept from call to call
 */
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

void dl__pp_define_text(struct dl__pp *pp, const char *name, const char *value,
                        bool compiler)
{
    struct dl__lexer lexer = {.text = dl__arena_format(pp->arena, "%s %s", name, value)};
    struct dl__pp_tokens tokens = {0};
    struct dl__token t;

    lexer.bytes = strlen(lexer.text);
    while ((t = dl__lex_next(&lexer)).kind != DL__END)
        if (t.kind != DL__NEWLINE)
            DL__PUSH(pp->arena, &tokens, t);
    if (tokens.count && dl__macro_parse(&pp->macros, tokens.items, tokens.count))
        dl__macro_find(&pp->macros, tokens.items[0].text, tokens.items[0].bytes)
            ->compiler = compiler;
}

bool dl__pp_each_directive(struct dl__pp *pp, const struct dl__file *file,
                           dl__pp_directive_fn *told, void *user)
{
    struct dl__lexer lexer = {.text = file->text, .bytes = file->bytes};
    const char *seen[MARKS] = {NULL};
    bool line_start = true;
    struct dl__token t;

    for (;;) {
        struct dl__pp_tokens tokens = {0};

        if (line_start)
            lexer.offset = skip_plain_lines(file, lexer.offset, seen);
        t = dl__lex_next(&lexer);
        if (t.kind == DL__END)
            return true;
        if (!line_start || !dl__token_is(&t, "#")) {
            line_start = t.kind == DL__NEWLINE;
            continue;
        }
        while ((t = dl__lex_next(&lexer)).kind != DL__END && t.kind != DL__NEWLINE)
            DL__PUSH(pp->arena, &tokens, t);
        if (tokens.count && !told(user, file, &tokens))
            return false;
    }
}

const struct dl__file *dl__pp_included(struct dl__pp *pp, const struct dl__file *from,
                                       const struct dl__pp_tokens *t, bool expand)
{
    bool quoted;
    char *name = dl__token_is(&t->items[0], "include")
                     ? dl__pp_include_name(pp, t, expand, &quoted)
                     : NULL;

    return name ? dl__pp_find_include(pp, from, name, quoted) : NULL;
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

struct macro_include {
    const struct dl__file *from;
    struct dl__pp_tokens tokens;
};

struct search {
    struct dl__pp *pp;
    struct dl__macros *seen; /* names of files */
    struct {
        struct macro_include *items;
        size_t count, room;
    } by_macro;
    unsigned depth;
    bool all_known;
};

static void search_file(struct search *s, const struct dl__file *file);

static bool search_directive(void *user, const struct dl__file *file,
                             const struct dl__pp_tokens *t)
{
    const struct dl__token *name = &t->items[0];
    struct search *s = user;
    bool quoted;

    if (dl__token_is(name, "define")) {
        s->all_known &= dl__macro_parse(&s->pp->macros, t->items + 1, t->count - 1);
    } else if (dl__token_is(name, "include")) {
        struct macro_include later = {file, *t};

        if (dl__pp_include_name(s->pp, t, false, &quoted))
            search_file(s, dl__pp_included(s->pp, file, t, false));
        else
            DL__PUSH(s->pp->arena, &s->by_macro, later);
    } else if (dl__token_is(name, "import") || dl__token_is(name, "include_next") ||
               dl__token_is(name, "embed")) {
        s->all_known = false;
    }
    return true;
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
    s->all_known &= !has_other_means(file);
    if (++s->depth <= DL__INCLUDE_DEPTH_MAX)
        dl__pp_each_directive(s->pp, file, search_directive, s);
    else
        s->all_known = false;
    s->depth--;
}

static void define_options(struct dl__pp *pp, const struct dl__build_options *build)
{
    for (size_t i = 0; i < build->defines.count; i++)
        if (!build->defines.items[i].undefine)
            dl__pp_define_text(pp, build->defines.items[i].name,
                               build->defines.items[i].value, false);
}

static void search_all(struct dl__arena *arena, struct dl__preprocess_input *input,
                       const char *build_options, struct search *s)
{
    struct dl__build_options *build = DL__NEW(arena, struct dl__build_options);

    s->pp = DL__NEW(arena, struct dl__pp);
    s->seen = DL__NEW(arena, struct dl__macros);
    s->pp->arena = s->seen->arena = s->pp->macros.arena = arena;
    s->pp->input = input;
    s->all_known = true;
    dl__build_options_parse(arena, build_options, build);
    input->options = build;
    s->all_known &= !build->includes;
    define_options(s->pp, build);
    search_file(s, input->main);
    /* A name that a macro gives: by what it is at the end. Those files may have more
     * such. */
    for (size_t i = 0; i < s->by_macro.count; i++) {
        struct macro_include *of = &s->by_macro.items[i];

        s->all_known = false;
        search_file(s, dl__pp_included(s->pp, of->from, &of->tokens, true));
    }
}

enum dl_status dl_annotate_files(const char *text, size_t text_bytes,
                                 const struct dl_annotate_options *options)
{
    struct dl__arena arena = {0};
    struct dl__file main = {"", text, text_bytes, true, NULL};
    struct dl__preprocess_input input = {.main = &main,
                                         .headers = options->headers,
                                         .header_count = options->header_count,
                                         .on_file = options->on_file,
                                         .on_file_user = options->on_file_user};
    struct search s = {.pp = NULL};
    volatile enum dl_status status = DL_OK;

    if (setjmp(arena.fail)) {
        status = arena.failure == DL_ENOMEM ? DL_ENOMEM : DL_EREFUSED;
    } else {
        input.directory = dl__main_directory(&arena, options->file_name);
        search_all(&arena, &input, options->build_options, &s);
        if (!s.all_known)
            status = DL_EREFUSED;
    }
    dl__arena_free(&arena);
    return status;
}
