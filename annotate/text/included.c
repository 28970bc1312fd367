/* SPDX-License-Identifier: MIT */
/* What a text may include, whatever its conditions are. */
#include <stdlib.h>
#include <string.h>

#include "annotate/text/reader.h"

/* What begins a directive, hides the end of a line, or goes on behind it. */
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

/* What reads files without an #include, or has directives that the lexer does not take
 * for such. Not all by memmem, which takes several times as long for two or three bytes.
 */
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
