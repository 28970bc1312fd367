/* SPDX-License-Identifier: MIT */
/* Names of the program that generated text may have, too.
 *
 * Names that the rewriter gives begin with dl_ or DL_. They stand
 * - outside of all functions: macros, types and functions. Those of accessors and of
 *   helpers' copies are chosen so that they are not the program's;
 * - in the program's functions;
 * - in functions and macros of generated text: arguments, variables, members.
 * A name of the first two kinds must not be in the program's text, whatever it is there.
 * One of the last kind hides what the program calls so, which such functions need only
 * where it is a type; it must not be a macro either.
 *
 * All other names in generated text are keywords, types of the language and the program's
 * own types: where one of them was ever a macro of the program's, the kernel that needs
 * it is left alone, since generated text is preprocessed again when it is built. */
#include "annotate/names.h"

#include <string.h>

#include "annotate/accessors/accessor.h"
#include "annotate/coalesce/coalesce.h"

struct names {
    struct dl__rewriter *w;
    struct dl__macros *outer,
        *inner; /* as sets: of the texts that are always the same; NULL at first */
};

static struct dl__macros *new_set(struct dl__rewriter *w)
{
    struct dl__macros *set = DL__NEW(&w->arena, struct dl__macros);

    set->arena = &w->arena;
    return set;
}

/* Adds a text's reserved words: of a #define all but what it defines are inner. */
static void add_words(struct names *n, const char *text)
{
    struct dl__lexer lexer = dl__lexer_at(text, 0, strlen(text));
    bool line_start = true, directive = false, defines = false;
    unsigned depth = 0;
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (line_start)
            directive = dl__token_is(&t, "#");
        line_start = t.kind == DL__NEWLINE;
        if (directive && dl__token_is(&t, "define")) {
            t = dl__lex_next(&lexer);
            dl__macro_define(n->outer, t.text, t.bytes);
            defines = true;
        } else if (t.kind == DL__NAME && dl__is_reserved(t.text, t.bytes)) {
            dl__macro_define(directive ? defines ? n->inner : n->outer
                             : depth   ? n->inner
                                       : n->outer,
                             t.text, t.bytes);
        }
        defines &= !line_start;
        directive &= !line_start;
        depth += !directive && (dl__token_is(&t, "(") || dl__token_is(&t, "{"));
        depth -= !directive && (dl__token_is(&t, ")") || dl__token_is(&t, "}"));
    }
}

/* Most programs have no such name. */
static void read_generated(struct names *n)
{
    n->outer = new_set(n->w);
    n->inner = new_set(n->w);
    for (const char *const *text = dl__prelude_texts(); *text; text++)
        add_words(n, *text);
    add_words(n, dl_group_cl);
}

static bool is_numbered(const char *name)
{
    static const char *const beginnings[] = {"dl_", "dl_to", "dl_from", "dl_value",
                                             "dl_own_"};

    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        const char *rest = name + strlen(beginnings[i]);

        if (!strncmp(name, beginnings[i], strlen(beginnings[i])) && *rest &&
            !rest[strspn(rest, "0123456789")])
            return true;
    }
    return false;
}

/* True of a name of the first two kinds. */
static bool is_kept(const struct names *n, const char *name)
{
    /* These are names of accessors in the program's functions, of kernels' second texts
     * and of a build's options. */
    static const char words[] = "dl_s dl_printed dl_space dl_quads dl_places dl_live "
                                "DL_PRINTED DL_PRINTING DL_COALESCED DL_ONLY";
    /* DL_TILING is the name of a formula without its end. */
    const char *formula = dl__arena_format(&n->w->arena, "%s_at", name);

    return dl__is_in(words, name, strlen(name)) || dl__name_has_prefix(name) ||
           !strncmp(name, "DL_WITH_", 8) || is_numbered(name) ||
           dl__macro_find(n->outer, name, strlen(name)) ||
           dl__macro_find(n->outer, formula, strlen(formula));
}

static bool is_inner(const struct names *n, const char *name)
{
    return dl__name_is_inner(name) || dl__macro_find(n->inner, name, strlen(name));
}

static bool was_macro(const struct names *n, const char *name)
{
    const char *call = dl__arena_format(&n->w->arena, "%s(", name);
    struct dl__token found;

    return dl__macro_in_text(n->w->expanded.macros, call, strlen(call), &found);
}

/* Takes a reserved name that is somewhere in the program's text. False: it can't be told
 * from a generated one. */
static bool meet(struct names *n, const char *text, size_t bytes)
{
    const char *name;

    if (dl__macro_find(n->w->theirs, text, bytes))
        return true;
    if (!n->outer)
        read_generated(n);
    name = dl__arena_text(&n->w->arena, text, bytes);
    if (is_kept(n, name) || (is_inner(n, name) && was_macro(n, name)))
        return false;
    dl__macro_define(n->w->theirs, text, bytes);
    DL__PUSH(&n->w->arena, &n->w->tracker.accessors.names, name);
    return true;
}

#define MEETS                                                                            \
    "'%.*s' is a name of generated code, too, so the program's kernels run as written"

/* Macros that count their own uses, the files around them or the characters before them
 * have another value in a rewritten text. Lines are kept. */
static bool is_placed(const struct dl__token *t)
{
    return dl__token_in(t, "__COUNTER__ __INCLUDE_LEVEL__ __builtin_COLUMN");
}

/* True of most texts, which then need not be read. */
static bool is_free_at_sight(const char *text, size_t bytes)
{
    return !memmem(text, bytes, "dl_", 3) && !memmem(text, bytes, "DL_", 3) &&
           !memmem(text, bytes, "__COUNTER__", 11) &&
           !memmem(text, bytes, "__INCLUDE_LEVEL__", 17) &&
           !memmem(text, bytes, "__builtin_COLUMN", 16);
}

static bool file_is_free(struct names *n, const struct dl__file *file)
{
    struct dl__lexer lexer = {.text = file->text, .bytes = file->bytes};
    struct dl__token t;

    if (is_free_at_sight(file->text, file->bytes))
        return true;
    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        bool reserved = dl__is_reserved(t.text, t.bytes);
        struct dl__place place;

        if (t.kind != DL__NAME || (reserved ? meet(n, t.text, t.bytes) : !is_placed(&t)))
            continue;
        place = dl__file_place(file, t.offset);
        dl__say(n->w, DL_WARNING, file->name, place.line, place.column,
                reserved ? MEETS
                         : "'%.*s' would be another number in a rewritten text, so the "
                           "program's kernels run as written",
                (int)t.bytes, t.text);
        return false;
    }
    return true;
}

/* The same where macros of the build options, or pasting, bring them; and that no type
 * has a name that generated functions have inside. */
static bool expansions_are_free(struct names *n)
{
    struct dl__lexer lexer = dl__lexer_of(&n->w->ast.tokens, 0, n->w->ast.bytes);
    bool in_typedef = false;
    unsigned depth = 0;
    struct dl__token t;

    if (is_free_at_sight(n->w->expanded.text, n->w->expanded.bytes))
        return true;
    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        bool reserved = t.kind == DL__NAME && dl__is_reserved(t.text, t.bytes);

        if (t.kind == DL__NAME && is_placed(&t)) {
            dl__say_at(
                n->w, DL_WARNING, t.offset,
                "a macro contains what would be another number in a rewritten text, so "
                "the program's kernels run as written");
            return false;
        }
        if (reserved && (!meet(n, t.text, t.bytes) ||
                         (in_typedef && !depth &&
                          is_inner(n, dl__arena_text(&n->w->arena, t.text, t.bytes))))) {
            dl__say_at(n->w, DL_WARNING, t.offset, MEETS, (int)t.bytes, t.text);
            return false;
        }
        depth += dl__token_is(&t, "{");
        depth -= depth && dl__token_is(&t, "}");
        if (!depth)
            in_typedef =
                (in_typedef && !dl__token_is(&t, ";")) || dl__token_is(&t, "typedef");
    }
    return true;
}

static bool options_are_free(struct names *n)
{
    const struct dl__macros *macros = n->w->expanded.macros;

    for (size_t b = 0; b < DL__MACRO_BUCKETS; b++) {
        for (const struct dl__macro *m = macros->buckets[b]; m; m = m->next) {
            bool theirs = m->user || m->undefined_by_user || (m->defined && !m->compiler);

            if (!theirs || !dl__is_reserved(m->name, m->name_bytes) ||
                meet(n, m->name, m->name_bytes))
                continue;
            dl__say(n->w, DL_WARNING, n->w->main.name, 0, 0,
                    "the build options have a macro: " MEETS, (int)m->name_bytes,
                    m->name);
            return false;
        }
    }
    return true;
}

bool dl__names_are_free(struct dl__rewriter *w)
{
    struct names n = {.w = w};
    const struct dl__file *last = NULL;

    w->theirs = new_set(w);
    if (!file_is_free(&n, &w->main))
        return false;
    for (size_t i = 0; i < w->expanded.segments.count; i++) {
        const struct dl__file *file = w->expanded.segments.items[i].file;

        if (file != last && file != &w->main && !file_is_free(&n, file))
            return false;
        last = file;
    }
    for (size_t i = 0; i < w->expanded.inclusions.count; i++) {
        const struct dl__file *file = w->expanded.inclusions.items[i].file;

        if (file && !file_is_free(&n, file))
            return false;
    }
    return expansions_are_free(&n) && options_are_free(&n);
}
