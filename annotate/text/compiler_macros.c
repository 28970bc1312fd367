/* SPDX-License-Identifier: MIT */
/* The macros of the compiler itself that a text may ask for. */
#include "annotate/text/reader.h"

#include <string.h>

struct names {
    const char **items;
    size_t count, room;
};

static void add_name(struct dl__pp *pp, struct names *names, struct dl__macros *seen,
                     const struct dl__token *t)
{
    if (t->kind != DL__NAME || dl__macro_find(seen, t->text, t->bytes))
        return;
    DL__PUSH(pp->arena, names, dl__macro_define(seen, t->text, t->bytes)->name);
}

struct collector {
    struct dl__pp *pp;
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

/* Collects the names in directives and annotations of a file and of what it may
 * include. */
static void collect_names(struct dl__pp *pp, const struct dl__file *file,
                          struct names *names, struct dl__macros *seen,
                          struct dl__macros *files, unsigned depth)
{
    struct collector collector = {pp, names, seen};
    struct dl__lexer lexer = {.text = file->text,
                              .bytes = file->bytes,
                              .on_note = collect_note,
                              .user = &collector};
    bool line_start = true;
    struct dl__token t;

    if (depth > DL__INCLUDE_DEPTH_MAX ||
        dl__macro_find(files, file->name, strlen(file->name)))
        return;
    dl__macro_define(files, file->name, strlen(file->name));
    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        struct dl__pp_tokens tokens = {0};

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
            char *name = dl__pp_include_name(pp, &tokens, false, &quoted);
            struct dl__file *next =
                name ? dl__pp_find_include(pp, file, name, quoted) : NULL;

            if (next)
                collect_names(pp, next, names, seen, files, depth + 1);
        }
    }
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

void dl__pp_define_compiler_macros(struct dl__pp *pp)
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
            dl__pp_define_text(pp, names.items[i], values[i], true);
}
