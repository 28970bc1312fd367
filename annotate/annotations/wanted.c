/* SPDX-License-Identifier: MIT */
/* Whether a program may concern DL: its text, and the texts that it includes. */
#include <stdlib.h>
#include <string.h>

#include "annotate/annotations/annotation.h"
#include "annotate/text/reader.h"

enum { KERNEL_NAME_MAX = 256 };

typedef bool wanted_fn(const char *text, size_t text_bytes,
                       const struct dl_side_file *side);

/* The names of kernels may be the program's options, or glued together by its macros:
 * what they can be made of. */
struct dl__words {
    struct dl__macros seen;
    bool pastes;
};

static void add_words(struct dl__words *words, const char *text, size_t bytes)
{
    struct dl__lexer lexer = {.text = text, .bytes = bytes};
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (t.kind == DL__NAME || t.kind == DL__NUMBER)
            dl__macro_define(&words->seen, t.text, t.bytes);
        words->pastes |= dl__token_is(&t, "##");
    }
}

/* True when a name is made of words that stand in the text. */
static bool is_made_of(const struct dl__words *words, const char *name)
{
    bool reached[KERNEL_NAME_MAX + 1] = {true};
    size_t bytes = strlen(name);

    if (dl__macro_find(&words->seen, name, bytes))
        return true;
    if (!words->pastes || bytes > KERNEL_NAME_MAX)
        return words->pastes;
    for (size_t i = 0; i < bytes; i++)
        for (size_t end = i + 1; reached[i] && end <= bytes; end++)
            reached[end] |= dl__macro_find(&words->seen, name + i, end - i) != NULL;
    return reached[bytes];
}

static bool makes_names(const struct dl__words *words, const struct dl_side_file *side,
                        bool soa)
{
    for (size_t i = 0; i < side->entry_count; i++)
        if ((!soa || side->entries[i].soa) && is_made_of(words, side->entries[i].kernel))
            return true;
    return false;
}

struct looking {
    struct dl__pp *pp;
    wanted_fn *wanted;
    struct dl__macros *seen; /* names of files */
    unsigned depth;
};

static bool file_is_wanted(struct looking *l, const struct dl__file *file);

static bool looks_on(void *user, const struct dl__file *file,
                     const struct dl__pp_tokens *t)
{
    struct looking *l = user;
    const struct dl__file *next = dl__pp_included(l->pp, file, t, false);
    bool wanted;

    l->depth++;
    wanted = next && file_is_wanted(l, next);
    l->depth--;
    return !wanted;
}

static bool file_is_wanted(struct looking *l, const struct dl__file *file)
{
    struct dl__pp *pp = l->pp;

    if (l->depth > DL__INCLUDE_DEPTH_MAX ||
        dl__macro_find(l->seen, file->name, strlen(file->name)))
        return false;
    dl__macro_define(l->seen, file->name, strlen(file->name));
    if (pp->words)
        add_words(pp->words, file->text, file->bytes);
    if (l->depth && l->wanted(file->text, file->bytes, pp->side))
        return true;
    return memmem(file->text, file->bytes, "include", 7) &&
           !dl__pp_each_directive(pp, file, looks_on, l);
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
    bool has_side = options->side && options->side->entry_count;

    if (wanted || (!has_side && !memmem(text, text_bytes, "include", 7)))
        return wanted;
    if (!setjmp(arena.fail)) {
        struct dl__pp *pp = DL__NEW(&arena, struct dl__pp);
        struct looking looking = {pp, is_wanted, DL__NEW(&arena, struct dl__macros), 0};
        struct dl__build_options *build = DL__NEW(&arena, struct dl__build_options);

        dl__build_options_parse(&arena, options->build_options, build);
        input.options = build;
        input.directory = dl__main_directory(&arena, options->file_name);
        pp->arena = looking.seen->arena = pp->macros.arena = &arena;
        pp->input = &input;
        pp->side = options->side;
        if (has_side) {
            pp->words = DL__NEW(&arena, struct dl__words);
            pp->words->seen.arena = &arena;
            for (size_t i = 0; i < build->defines.count; i++)
                if (build->defines.items[i].value)
                    add_words(pp->words, build->defines.items[i].value,
                              strlen(build->defines.items[i].value));
        }
        wanted = file_is_wanted(&looking, &main);
        if (!wanted && has_side)
            wanted =
                makes_names(pp->words, options->side, is_wanted == dl__annotate_demands);
    }
    dl__arena_free(&arena);
    return wanted;
}

bool dl__is_annotated_with(const char *text, size_t text_bytes,
                           const struct dl_annotate_options *options)
{
    return any_is_wanted(text, text_bytes, options, dl_annotate_wanted);
}

bool dl_annotate_wanted_with(const char *text, size_t text_bytes,
                             const struct dl_annotate_options *options)
{
    /* Kernels may come from an included text, or from a macro of the build options. */
    if (options->detect &&
        (memmem(text, text_bytes, "kernel", 6) ||
         memmem(text, text_bytes, "include", 7) ||
         (options->build_options && strstr(options->build_options, "kernel"))))
        return true;
    return dl__is_annotated_with(text, text_bytes, options);
}

bool dl_annotate_demands(const char *text, size_t text_bytes,
                         const struct dl_annotate_options *options)
{
    return any_is_wanted(text, text_bytes, options, dl__annotate_demands);
}
