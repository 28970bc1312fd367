/* SPDX-License-Identifier: MIT */
/* Whether a text has annotations, and what it demands. */
#include <stdlib.h>
#include <string.h>

#include "annotate/annotations/annotation.h"
#include "annotate/notes.h"
#include "annotate/text/lex.h"
#include "annotate/text/reader.h"

struct finder {
    bool pending; /* a kernel that follows has such an annotation */
    struct dl_notes *notes;
    bool failed;
};

static void on_note(void *user, size_t comment_offset, const char *body,
                    size_t body_bytes)
{
    struct finder *finder = user;

    (void)comment_offset;
    finder->pending |= dl__annotation_is_soa(body, body_bytes);
}

/* Not by memmem, which takes several times as long for words of three letters. */
static bool names_soa(const char *text, size_t bytes)
{
    const char *end = text + bytes;

    for (const char *at = text; (at = memchr(at, 'S', (size_t)(end - at))); at++)
        if (end - at >= 3 && at[1] == 'o' && at[2] == 'A')
            return true;
    return false;
}

/* The same for a text with its side file. */
static bool annotate_demands(const char *text, size_t text_bytes,
                             const struct dl_side_file *side)
{
    struct finder finder = {0};
    struct dl__lexer lexer = {
        .text = text, .bytes = text_bytes, .on_note = on_note, .user = &finder};

    if (dl__side_file_names(side, text, text_bytes, true))
        return true;
    if (memmem(text, text_bytes, " soa bytes ", 11) &&
        dl_annotate_is_rewritten(text, text_bytes))
        return true;
    if (!names_soa(text, text_bytes))
        return false;
    while (!finder.pending && dl__lex_next(&lexer).kind != DL__END)
        ;
    return finder.pending;
}

static void add_refused(struct finder *finder, const struct dl__token *name)
{
    struct dl_notes *notes = finder->notes;
    struct dl_kernel_note *more;

    if (!notes)
        notes = finder->notes = calloc(1, sizeof *notes);
    more =
        notes ? realloc(notes->kernels, (notes->kernel_count + 1) * sizeof *more) : NULL;
    if (!more) {
        finder->failed = true;
        return;
    }
    notes->kernels = more;
    more += notes->kernel_count;
    memset(more, 0, sizeof *more);
    more->refused = true;
    more->name = strndup(name->text, name->bytes);
    notes->kernel_count += more->name != NULL;
    finder->failed |= !more->name;
}

enum dl_status dl_annotate_refuse(const char *text, size_t text_bytes,
                                  const struct dl_side_file *side, struct dl_notes **out)
{
    struct finder finder = {0};
    struct dl__lexer lexer = {
        .text = text, .bytes = text_bytes, .on_note = on_note, .user = &finder};
    struct dl__token t, name = {0};
    bool in_head = false; /* after `__kernel`, before its parameters */
    unsigned attribute_depth = 0;

    *out = NULL;
    if (!annotate_demands(text, text_bytes, side))
        return DL_OK;
    while (!finder.failed && (t = dl__lex_next(&lexer)).kind != DL__END) {
        if (!in_head) {
            in_head = dl__is_kernel_word(&t);
            name = t; /* of kernel_exec, whose parentheses are not the kernel's */
        } else if (attribute_depth || (name.bytes && dl__token_is(&t, "(") &&
                                       (dl__token_is(&name, "__attribute__") ||
                                        dl__is_kernel_word(&name)))) {
            attribute_depth += dl__token_is(&t, "(");
            attribute_depth -= dl__token_is(&t, ")");
            name.bytes = 0;
        } else if (t.kind == DL__NAME) {
            name = t;
        } else if (dl__token_is(&t, "(") && name.bytes) {
            if (finder.pending || dl__side_file_has(side, name.text, name.bytes, true))
                add_refused(&finder, &name);
            finder.pending = in_head = false;
        } else if (t.kind != DL__NEWLINE) {
            in_head = false;
        }
    }
    if (finder.failed) {
        dl_notes_free(finder.notes);
        return DL_ENOMEM;
    }
    *out = finder.notes;
    return DL_OK;
}

/* Whether a program may concern DL: its text, and the texts that it includes. */

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
            wanted = makes_names(pp->words, options->side, is_wanted == annotate_demands);
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
    return any_is_wanted(text, text_bytes, options, annotate_demands);
}
