/* SPDX-License-Identifier: MIT */
/* No name that generated text uses may be the program's.
 *
 * Names that the rewriter gives begin with dl_ or DL_, and a program that has such a
 * name, in any text that it includes, as a macro or among its build options, is left
 * alone. All others are keywords, types of the language and the program's own types:
 * where one of them was ever a macro of the program's, the kernel that needs it is left
 * alone, since generated text is preprocessed again when it is built. */
#include "annotate/program/hygiene.h"

#include <ctype.h>
#include <string.h>

#include "annotate/accessors/prelude.h"
#include "annotate/text/macro.h"
#include "annotate/text/pragma.h"

static bool is_reserved(const char *name, size_t bytes)
{
    return bytes > 3 && (!memcmp(name, "dl_", 3) || !memcmp(name, "DL_", 3));
}

/* What counts the uses of itself, the files around it or the characters in front of it is
 * another number in a text that was rewritten. Lines are kept. */
static const char *const placed[] = {"__COUNTER__", "__INCLUDE_LEVEL__",
                                     "__builtin_COLUMN"};

static bool is_placed(const struct dl__token *t)
{
    for (size_t i = 0; i < sizeof placed / sizeof *placed; i++)
        if (dl__token_is(t, placed[i]))
            return true;
    return false;
}

static bool file_is_free(struct dl__rewriter *w, const struct dl__file *file)
{
    struct dl__lexer lexer = {.text = file->text, .bytes = file->bytes};
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        bool reserved = is_reserved(t.text, t.bytes);
        struct dl__place place;

        if (t.kind != DL__NAME || (!reserved && !is_placed(&t)))
            continue;
        place = dl__file_place(file, t.offset);
        if (reserved)
            dl__say(w, DL_WARNING, file->name, place.line, place.column,
                    "names that begin with dl_ are reserved for generated code, so the "
                    "program's kernels run as written");
        else
            dl__say(w, DL_WARNING, file->name, place.line, place.column,
                    "'%.*s' would be another number in a rewritten text, so the "
                    "program's kernels run as written",
                    (int)t.bytes, t.text);
        return false;
    }
    return true;
}

/* The same names where macros of the build options, or pasting, bring them. */
static bool expansions_are_free(struct dl__rewriter *w)
{
    struct dl__lexer lexer = {.text = w->expanded.text, .bytes = w->expanded.bytes};
    bool any = false;
    struct dl__token t;

    for (size_t i = 0; i < sizeof placed / sizeof *placed; i++)
        any = any || strstr(w->expanded.text, placed[i]);
    while (any && (t = dl__lex_next(&lexer)).kind != DL__END) {
        if (t.kind != DL__NAME || !is_placed(&t))
            continue;
        dl__say_at(w, t.offset, "",
                   "a macro brings what would be another number in a rewritten text, so "
                   "the program's kernels run as written");
        return false;
    }
    return true;
}

bool dl__names_are_free(struct dl__rewriter *w)
{
    const struct dl__macros *macros = w->expanded.macros;
    const struct dl__file *last = NULL;

    if (!file_is_free(w, &w->main) || !expansions_are_free(w))
        return false;
    for (size_t i = 0; i < w->expanded.segments.count; i++) {
        const struct dl__file *file = w->expanded.segments.items[i].file;

        if (file != last && file != &w->main && !file_is_free(w, file))
            return false;
        last = file;
    }
    for (size_t i = 0; i < w->expanded.inclusions.count; i++) {
        const struct dl__file *file = w->expanded.inclusions.items[i].file;

        if (file && !file_is_free(w, file))
            return false;
    }
    for (size_t b = 0; b < DL__MACRO_BUCKETS; b++) {
        for (const struct dl__macro *m = macros->buckets[b]; m; m = m->next) {
            bool theirs = m->user || m->undefined_by_user || (m->defined && !m->compiler);

            if (!theirs || !is_reserved(m->name, m->name_bytes))
                continue;
            dl__say(
                w, DL_WARNING, w->main.name, 0, 0,
                "the build options have the macro '%s': names that begin with dl_ are "
                "kept for generated code, so the program's kernels run as written",
                m->name);
            return false;
        }
    }
    return true;
}

/* True when the program's word in front of a byte would take a parenthesis there for its
 * own. */
static bool follows_function_macro(struct dl__rewriter *w, const struct dl__unit *unit,
                                   size_t at)
{
    const char *text = w->expanded.text;
    size_t first = unit->function->item_at, end = at, begin;
    struct dl__token name;

    while (end > first && strchr(" \t\r\n", text[end - 1]))
        end--;
    for (begin = end; begin > first && (isalnum((unsigned char)text[begin - 1]) ||
                                        text[begin - 1] == '_');)
        begin--;
    text = dl__arena_format(&w->arena, "%.*s(", (int)(end - begin), text + begin);
    return dl__macro_in_text(w->expanded.macros, text, strlen(text), &name);
}

static bool is_hygienic(struct dl__rewriter *w, const struct dl__unit *unit, bool is_copy,
                        struct dl__token *name, size_t *at)
{
    struct dl__buf text = {.arena = &w->arena};

    dl__buf_puts(&text, "");
    for (size_t i = 0; i < unit->uses.count; i++)
        dl__accessor_print(&text, unit->uses.items[i].accessor);
    for (size_t i = 0; i < unit->edits.count; i++) {
        const struct dl__edit *edit = &unit->edits.items[i];

        dl__buf_puts(&text, edit->text);
        dl__buf_puts(&text, "\n");
        *at = edit->begin;
        if (*edit->text == '(' && follows_function_macro(w, unit, edit->begin))
            return false;
    }
    *at = unit->function->name_at;
    /* The copy of a helper stands where others may be defined than around the helper. */
    if (is_copy && dl__pragmas_at(&w->expanded, unit->function->item_at).others !=
                       dl__pragmas_at(&w->expanded, w->tracker.kernel_at).others)
        return false;
    if (is_copy &&
        !dl__edits_print_copy(&unit->edits, &w->expanded, unit->function->item_at,
                              unit->function->body_end, &text, at))
        return false;
    *at = unit->function->name_at;
    if (dl__macro_in_text(w->expanded.macros, text.items, text.count, name))
        return false;
    for (size_t i = 0; i < unit->clones.count; i++)
        if (!is_hygienic(w, unit->clones.items[i], true, name, at))
            return false;
    return true;
}

/* The copy of a helper has another name, and a kernel other arguments. */
static bool asks_for_its_name(struct dl__rewriter *w, const struct dl__unit *unit,
                              bool is_copy, size_t *at)
{
    static const char *const names[] = {"__PRETTY_FUNCTION__", "__func__", "__FUNCTION__",
                                        "__builtin_FUNCTION"};
    size_t begin = unit->function->item_at;
    struct dl__lexer lexer = {.text = w->expanded.text + begin,
                              .bytes = unit->function->body_end - begin};
    size_t asked = is_copy ? sizeof names / sizeof *names : 1;
    bool any = false;
    struct dl__token t;

    for (size_t i = 0; i < asked; i++)
        any = any || memmem(lexer.text, lexer.bytes, names[i], strlen(names[i]));
    while (any && (t = dl__lex_next(&lexer)).kind != DL__END) {
        for (size_t i = 0; i < asked; i++) {
            if (!dl__token_is(&t, names[i]))
                continue;
            *at = begin + t.offset;
            return true;
        }
    }
    for (size_t i = 0; i < unit->clones.count; i++)
        if (asks_for_its_name(w, unit->clones.items[i], true, at))
            return true;
    return false;
}

static bool unit_is_hygienic(struct dl__rewriter *w, const struct dl__unit *unit,
                             struct dl__token *name, size_t *at)
{
    *at = unit->function->name_at;
    for (const char *const *text = dl__prelude_texts(); *text; text++)
        if (dl__macro_in_text(w->expanded.macros, *text, strlen(*text), name))
            return false;
    return is_hygienic(w, unit, false, name, at);
}

const char *dl__unit_fault(struct dl__rewriter *w, const struct dl__unit *unit,
                           size_t *at)
{
    const struct dl__function *f = unit->function;
    struct dl__buf trial = {.arena = &w->arena};
    struct dl__token name = {.bytes = 0};

    if (asks_for_its_name(w, unit, false, at))
        return "a function that is rewritten asks for its own name";
    if (unit_is_hygienic(w, unit, &name, at) &&
        dl__edits_print(&unit->edits, &w->expanded, f->item_at, f->body_end, &trial, at))
        return NULL;
    if (!name.bytes)
        return "a macro or directive can't be kept apart from what is rewritten";
    return dl__arena_format(&w->arena,
                            "'%.*s', which the rewritten text needs, is a macro",
                            (int)name.bytes, name.text);
}
