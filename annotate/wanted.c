/* Whether a program may concern DL: its text, and the texts that it includes. */
#include <stdlib.h>
#include <string.h>

#include "annotation.h"
#include "reader.h"

typedef bool wanted_fn(const char *text, size_t text_bytes,
                       const struct dl_side_file *side);

static bool file_is_wanted(struct dl__pp *pp, const struct dl__file *file,
                           wanted_fn *wanted, struct dl__macros *seen, unsigned depth)
{
    struct dl__lexer lexer = {.text = file->text, .bytes = file->bytes};
    bool line_start = true;
    struct dl__token t;

    if (depth > DL__INCLUDE_DEPTH_MAX ||
        dl__macro_find(seen, file->name, strlen(file->name)))
        return false;
    dl__macro_define(seen, file->name, strlen(file->name));
    if (depth && wanted(file->text, file->bytes, pp->side))
        return true;
    if (!memmem(file->text, file->bytes, "include", 7))
        return false;
    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        struct dl__pp_tokens tokens = {0};
        struct dl__file *next;
        bool quoted;
        char *name;

        if (!line_start || !dl__token_is(&t, "#")) {
            line_start = t.kind == DL__NEWLINE;
            continue;
        }
        while ((t = dl__lex_next(&lexer)).kind != DL__END && t.kind != DL__NEWLINE)
            DL__PUSH(pp->arena, &tokens, t);
        if (!tokens.count || !dl__token_is(&tokens.items[0], "include"))
            continue;
        name = dl__pp_include_name(pp, &tokens, false, &quoted);
        next = name ? dl__pp_find_include(pp, file, name, quoted) : NULL;
        if (next && file_is_wanted(pp, next, wanted, seen, depth + 1))
            return true;
    }
    return false;
}

static bool any_is_wanted(const char *text, size_t text_bytes,
                          const struct dl_annotate_options *options, wanted_fn *is_wanted)
{
    struct dl__arena arena = {0};
    struct dl__file main = {"", text, text_bytes, true, NULL};
    struct dl__preprocess_input input = {.main = &main,
                                         .headers = options->headers,
                                         .header_count = options->header_count};
    bool wanted = is_wanted(text, text_bytes, options->side);

    if (wanted || !memmem(text, text_bytes, "include", 7))
        return wanted;
    if (!setjmp(arena.fail)) {
        struct dl__pp *pp = DL__NEW(&arena, struct dl__pp);
        struct dl__macros *seen = DL__NEW(&arena, struct dl__macros);
        struct dl__build_options *build = DL__NEW(&arena, struct dl__build_options);

        dl__build_options_parse(&arena, options->build_options, build);
        input.options = build;
        input.directory = dl__main_directory(&arena, options->file_name);
        pp->arena = seen->arena = pp->macros.arena = &arena;
        pp->input = &input;
        pp->side = options->side;
        wanted = file_is_wanted(pp, &main, is_wanted, seen, 0);
    }
    dl__arena_free(&arena);
    return wanted;
}

bool dl_annotate_wanted_with(const char *text, size_t text_bytes,
                             const struct dl_annotate_options *options)
{
    return any_is_wanted(text, text_bytes, options, dl_annotate_wanted);
}

bool dl_annotate_demands(const char *text, size_t text_bytes,
                         const struct dl_annotate_options *options)
{
    return any_is_wanted(text, text_bytes, options, dl__annotate_demands);
}
