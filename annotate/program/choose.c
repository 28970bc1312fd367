/* SPDX-License-Identifier: MIT */
/* Which kernels and buffers go together, and whose names clash. */
#include "annotate/program/choose.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/accessors/prelude.h"
#include "annotate/facts/facts.h"
#include "annotate/text/preprocess.h"
#include "annotate/walk/walk.h"

static int by_name(const void *left, const void *right)
{
    const struct dl__kernel *const *a = left, *const *b = right;

    return strcmp((*a)->function->name, (*b)->function->name);
}

static int name_to_kernel(const void *left, const void *right)
{
    const struct dl__token *name = left;
    const struct dl__kernel *const *k = right;
    int order = strncmp(name->text, (*k)->function->name, name->bytes);

    return order ? order : -(int)((*k)->function->name[name->bytes] != '\0');
}

/* A name in an attribute is not a function. */
static void skip_attribute(struct dl__lexer *lexer)
{
    unsigned depth = 0;
    struct dl__token t;

    do {
        t = dl__lex_next(lexer);
        depth += dl__token_is(&t, "(");
        depth -= depth && dl__token_is(&t, ")");
    } while (t.kind != DL__END && (depth || t.kind == DL__NEWLINE));
}

/* The declaration without a body whose name stands there; NULL: it is none. */
static const struct dl__function *declared_at(const struct dl__ast *ast, size_t at)
{
    for (size_t i = 0; i < ast->functions.count; i++)
        if (ast->functions.items[i].name_at == at && !ast->functions.items[i].is_defined)
            return &ast->functions.items[i];
    return NULL;
}

/* Behind the `;` of a declaration of one function without attributes, which may have
 * reasons of their own; 0: it is none. */
static size_t declaration_end(struct dl__rewriter *w, const struct dl__function *f)
{
    struct dl__lexer lexer = {
        .text = w->expanded.text, .bytes = w->expanded.bytes, .offset = f->item_at};
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END && t.offset < f->close_at)
        if (dl__token_in(&t, "__attribute__ __attribute"))
            return 0;
    t = dl__lex_over_lines(&lexer);
    return dl__token_is(&t, ";") ? lexer.offset : 0;
}

/* The rewritten kernel has other arguments than it was declared with, and needs no
 * declaration: where nothing calls it, the declaration goes. False: it can't be taken out
 * of the text. */
static bool take_out(struct dl__rewriter *w, struct dl__kernel *k, size_t name_at)
{
    const struct dl__function *f = declared_at(&w->ast, name_at);
    size_t end = f ? declaration_end(w, f) : 0;
    const struct dl__segment *first, *last;
    struct dl__note *note;

    if (!end)
        return false;
    first = dl__expanded_segment(&w->expanded, f->item_at);
    last = dl__expanded_segment(&w->expanded, end - 1);
    for (const struct dl__segment *s = first; s <= last; s++)
        if (s->file != first->file ||
            (s->kind != DL__VERBATIM &&
             (s->kind != DL__EXPANSION || s == first || s == last)))
            return false;
    note = DL__NEW(&w->arena, struct dl__note);
    note->file = first->file;
    note->origin = first->origin + (f->item_at - first->at);
    note->origin_end = last->origin + (end - last->at);
    DL__PUSH(&w->arena, &k->declarations, note);
    return true;
}

void dl__find_mentions(struct dl__rewriter *w)
{
    struct dl__lexer lexer = dl__lexer_of(&w->ast.tokens, 0, w->ast.bytes);
    struct dl__kernel **kernels =
        dl__arena_alloc(&w->arena, w->kernels.count * sizeof(struct dl__kernel *));
    struct dl__token t;

    for (size_t i = 0; i < w->kernels.count; i++) {
        kernels[i] = &w->kernels.items[i];
        kernels[i]->mentioned_at = SIZE_MAX;
    }
    qsort(kernels, w->kernels.count, sizeof(struct dl__kernel *), by_name);
    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        struct dl__lexer ahead = lexer;
        struct dl__kernel **k;
        struct dl__token paren;

        if (dl__token_in(&t, "__attribute__ __attribute"))
            skip_attribute(&lexer);
        if (t.kind != DL__NAME)
            continue;
        k = bsearch(&t, kernels, w->kernels.count, sizeof(struct dl__kernel *),
                    name_to_kernel);
        if (!k || (*k)->mentioned_at != SIZE_MAX || t.offset == (*k)->function->name_at)
            continue;
        paren = dl__lex_next(&ahead);
        if (dl__token_is(&paren, "(") && !take_out(w, *k, t.offset))
            (*k)->mentioned_at = t.offset;
    }
}

/* No name that generated text uses may be the program's.
 *
 * Names that the rewriter gives begin with dl_ or DL_, and a program that has such a
 * name, in any text that it includes, as a macro or among its build options, is left
 * alone. All others are keywords, types of the language and the program's own types:
 * where one of them was ever a macro of the program's, the kernel that needs it is left
 * alone, since generated text is preprocessed again when it is built. */

static bool is_reserved(const char *name, size_t bytes)
{
    return bytes > 3 && (!memcmp(name, "dl_", 3) || !memcmp(name, "DL_", 3));
}

/* Macros that count their own uses, the files around them or the characters before them
 * have another value in a rewritten text. Lines are kept. */
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
    bool any = memmem(file->text, file->bytes, "dl_", 3) ||
               memmem(file->text, file->bytes, "DL_", 3);
    struct dl__token t;

    for (size_t i = 0; i < sizeof placed / sizeof *placed; i++)
        any = any || memmem(file->text, file->bytes, placed[i], strlen(placed[i]));
    while (any && (t = dl__lex_next(&lexer)).kind != DL__END) {
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
    struct dl__lexer lexer = dl__lexer_of(&w->ast.tokens, 0, w->ast.bytes);
    bool any = false;
    struct dl__token t;

    for (size_t i = 0; i < sizeof placed / sizeof *placed; i++)
        any = any || strstr(w->expanded.text, placed[i]);
    while (any && (t = dl__lex_next(&lexer)).kind != DL__END) {
        if (t.kind != DL__NAME || !is_placed(&t))
            continue;
        dl__say_at(
            w, DL_WARNING, t.offset,
            "a macro contains what would be another number in a rewritten text, so "
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

/* True when no word of the unit's own generated text is a macro. `text` has room. */
static bool is_own_hygienic(struct dl__rewriter *w, const struct dl__unit *unit,
                            bool is_copy, struct dl__buf *text, struct dl__token *name,
                            size_t *at)
{
    text->count = 0;
    dl__buf_puts(text, "");
    for (size_t i = 0; i < unit->uses.count; i++)
        dl__accessor_print(text, unit->uses.items[i].accessor);
    for (size_t i = 0; i < unit->edits.count; i++) {
        const struct dl__edit *edit = &unit->edits.items[i];

        dl__buf_puts(text, edit->text);
        dl__buf_puts(text, "\n");
        *at = edit->begin;
        if (*edit->text == '(' && follows_function_macro(w, unit, edit->begin))
            return false;
    }
    *at = unit->function->name_at;
    if (is_copy && !dl__edits_print(&unit->edits, &w->expanded, unit->function->item_at,
                                    unit->function->body_end, DL__COPY, text, at))
        return false;
    *at = unit->function->name_at;
    return !dl__macro_in_text(w->expanded.macros, text->items, text->count, name);
}

static bool is_hygienic(struct dl__rewriter *w, struct dl__unit *unit, bool is_copy,
                        struct dl__buf *text, struct dl__token *name, size_t *at)
{
    if (!dl__unit_meet(unit))
        return true;
    *at = unit->function->name_at;
    /* The copy of a helper stands where others may be defined than around the helper. */
    if (is_copy && dl__pragmas_at(&w->expanded, unit->function->item_at).others !=
                       dl__pragmas_at(&w->expanded, w->tracker.kernel_at).others)
        return false;
    if (!unit->is_clean && !is_own_hygienic(w, unit, is_copy, text, name, at))
        return false;
    unit->is_clean = is_copy;
    for (size_t i = 0; i < unit->clones.count; i++)
        if (!is_hygienic(w, unit->clones.items[i], true, text, name, at))
            return false;
    return true;
}

/* The copy of a helper has another name, and a kernel other arguments. */
static bool asks_for_its_name(struct dl__rewriter *w, struct dl__unit *unit, bool is_copy,
                              size_t *at)
{
    static const char *const names[] = {"__PRETTY_FUNCTION__", "__func__", "__FUNCTION__",
                                        "__builtin_FUNCTION"};
    size_t begin = unit->function->item_at;
    struct dl__lexer lexer = {.text = w->expanded.text + begin,
                              .bytes = unit->function->body_end - begin};
    size_t asked = is_copy ? sizeof names / sizeof *names : 1;
    bool any = false;
    struct dl__token t;

    if (!dl__unit_meet(unit))
        return false;

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

static bool unit_is_hygienic(struct dl__rewriter *w, struct dl__unit *unit,
                             struct dl__token *name, size_t *at)
{
    struct dl__buf text = {.arena = &w->arena};

    *at = unit->function->name_at;
    for (const char *const *part = dl__prelude_texts(); *part && !w->prelude_is_clean;
         part++)
        if (dl__macro_in_text(w->expanded.macros, *part, strlen(*part), name))
            return false;
    w->prelude_is_clean = true;
    w->tracker.turn++;
    return is_hygienic(w, unit, false, &text, name, at);
}

/* Why a tracked unit can't be printed: a name that its generated text needs is a macro of
 * the program's, or one is in the way of an edit; the place in *at. NULL: it can. */
static const char *unit_fault(struct dl__rewriter *w, struct dl__unit *unit, size_t *at)
{
    const struct dl__function *f = unit->function;
    struct dl__buf trial = {.arena = &w->arena};
    struct dl__token name = {.bytes = 0};

    w->tracker.turn++;
    if (asks_for_its_name(w, unit, false, at))
        return "a function that is rewritten asks for its own name";
    if (unit_is_hygienic(w, unit, &name, at) &&
        dl__edits_print(&unit->edits, &w->expanded, f->item_at, f->body_end, DL__IN_PLACE,
                        &trial, at))
        return NULL;
    if (!name.bytes)
        return "a macro or directive can't be kept apart from what is rewritten";
    return dl__arena_format(&w->arena,
                            "'%.*s', which the rewritten text needs, is a macro",
                            (int)name.bytes, name.text);
}

/* ---- As many of a kernel's buffers as can be tracked together: one that can't does not
 * cost the others. ---- */

/* Which of a kernel's buffers are tracked together, and what came of it. */
struct attempt {
    const struct dl__root *fresh; /* by buffer, as bound */
    bool *chosen;                 /* by buffer */
    struct dl__unit *unit;        /* NULL: they can't be */
    struct dl__root *roots;       /* of those chosen */
    size_t fault_at;
    const char *fault;
};

static void try_chosen(struct dl__rewriter *w, const struct dl__kernel *k,
                       struct attempt *a)
{
    size_t count = 0;

    a->roots = dl__arena_alloc(&w->arena, k->buffers.count * sizeof *a->roots);
    for (size_t i = 0; i < k->buffers.count; i++)
        if (a->chosen[i])
            a->roots[count++] = a->fresh[i];
    a->unit = NULL;
    if (!count)
        return;
    a->unit = dl__track_kernel(&w->tracker, k->function, a->roots, count);
    a->fault = a->unit->reason;
    a->fault_at = a->unit->refused_at;
    if (!a->unit->refused)
        a->fault = unit_fault(w, a->unit, &a->fault_at);
    if (a->unit->refused || a->fault)
        a->unit = NULL;
    else
        dl__find_facts(a->unit);
}

static void say_left(struct dl__rewriter *w, const struct dl__kernel *k, size_t buffer,
                     size_t at, const char *reason)
{
    dl__say_at(w, DL_WARNING, at, "kernel '%s', buffer '%s' is left as it is: %s",
               k->function->name, k->buffers.items[buffer].name, reason);
}

static void choose_all(const struct dl__kernel *k, struct attempt *a)
{
    for (size_t i = 0; i < k->buffers.count; i++)
        a->chosen[i] = !k->buffers.items[i].soa;
}

static size_t count_chosen(const struct dl__kernel *k, const struct attempt *a)
{
    size_t count = 0;

    for (size_t i = 0; i < k->buffers.count; i++)
        count += a->chosen[i];
    return count;
}

/* All but one: then what was in the way of all of them is that one's. */
static bool try_without_one(struct dl__rewriter *w, const struct dl__kernel *k,
                            struct attempt *a)
{
    const struct attempt all = *a;

    for (size_t i = 0; i < k->buffers.count; i++) {
        if (!a->chosen[i])
            continue;
        a->chosen[i] = false;
        try_chosen(w, k, a);
        if (a->unit) {
            say_left(w, k, i, all.fault_at, all.fault);
            return true;
        }
        a->chosen[i] = true;
    }
    *a = all;
    return false;
}

/* Alone, a buffer may fail by what the others are not any more: what was in the way of
 * all says more. */
static bool is_about(struct dl__rewriter *w, const char *fault, const char *buffer)
{
    return strstr(fault, dl__arena_format(&w->arena, "'%s'", buffer)) != NULL;
}

/* One after the other, each that goes with those before it. */
static void try_each(struct dl__rewriter *w, const struct dl__kernel *k,
                     struct attempt *a)
{
    const struct attempt all = *a;
    struct left {
        size_t at;
        const char *reason; /* NULL: it is not left */
    } *left = dl__arena_alloc(&w->arena, k->buffers.count * sizeof *left);
    struct attempt best = {0};

    for (size_t i = 0; i < k->buffers.count; i++) {
        a->chosen[i] = false;
        left[i].reason = NULL;
    }
    for (size_t i = 0; i < k->buffers.count; i++) {
        if (k->buffers.items[i].soa)
            continue;
        a->chosen[i] = true;
        try_chosen(w, k, a);
        if (a->unit) {
            best = *a;
        } else {
            a->chosen[i] = false;
            left[i] = (struct left){a->fault_at, a->fault};
        }
    }
    a->unit = best.unit;
    a->roots = best.roots;
    for (size_t i = 0; i < k->buffers.count; i++) {
        if (!left[i].reason || !(a->unit || k->detected))
            continue;
        if (is_about(w, all.fault, k->buffers.items[i].name))
            left[i] = (struct left){all.fault_at, all.fault};
        say_left(w, k, i, left[i].at, left[i].reason);
    }
}

/* Why a buffer gains nothing by another layout, whatever its size; NULL: it may. */
static const char *pointless(const struct dl__root *root)
{
    bool uniform = true;

    if (!root->facts)
        return NULL;
    for (size_t i = 0; i < root->facts->count; i++)
        uniform &= root->facts->items[i].fact.form == DL_ACCESS_UNIFORM;
    if (!root->facts->count)
        return "the kernel does not use it";
    return uniform ? "neighbouring work-items use the same struct of it" : NULL;
}

/* Leaves out what gains nothing. */
static void drop_pointless(struct dl__rewriter *w, const struct dl__kernel *k,
                           struct attempt *a)
{
    const struct attempt before = *a;
    size_t root = 0, left = 0;

    for (size_t i = 0; i < k->buffers.count; i++) {
        const char *reason;

        if (!a->chosen[i])
            continue;
        reason = pointless(&before.roots[root++]);
        left += reason != NULL;
        a->chosen[i] = !reason;
        if (reason)
            say_left(w, k, i, k->function->parameters[a->fresh[i].parameter].begin,
                     reason);
    }
    if (left)
        try_chosen(w, k, a);
}

/* The buffers that are tracked, with their roots, and discrete arrays. */
static void keep_chosen(struct dl__kernel *k, const struct attempt *a)
{
    size_t kept = 0, root = 0;

    for (size_t i = 0; i < k->buffers.count; i++) {
        struct dl__buffer *b = &k->buffers.items[kept];

        if (!k->buffers.items[i].soa && !(a->unit && a->chosen[i]))
            continue;
        *b = k->buffers.items[i];
        if (!b->soa)
            b->root = &a->roots[root++];
        kept++;
    }
    k->buffers.count = kept;
}

/* The accesses to grids that cost a division by each extent. */
static void say_divided(struct dl__rewriter *w, struct dl__unit *unit)
{
    if (!dl__unit_meet(unit))
        return;
    for (size_t i = 0; i < unit->divided.count; i++) {
        const struct dl__divided *divided = &unit->divided.items[i];

        dl__say_at(w, DL_REMARK, divided->at,
                   "an index of '%s' is divided by the extents when the kernel runs: %s",
                   divided->root->name, divided->reason);
    }
    for (size_t i = 0; i < unit->clones.count; i++)
        say_divided(w, unit->clones.items[i]);
}

struct dl__unit *dl__track_chosen(struct dl__rewriter *w, struct dl__kernel *k)
{
    struct dl__root *fresh = dl__arena_alloc(&w->arena, k->buffers.count * sizeof *fresh);
    struct attempt a = {
        .fresh = fresh,
        .chosen = dl__arena_alloc(&w->arena, k->buffers.count * sizeof *a.chosen)};
    struct attempt all;

    for (size_t i = 0; i < k->buffers.count; i++)
        fresh[i] = *k->buffers.items[i].root;
    choose_all(k, &a);
    try_chosen(w, k, &a);
    all = a;
    if (!a.unit && count_chosen(k, &a) > 1 && !try_without_one(w, k, &a))
        try_each(w, k, &a);
    else if (!a.unit && k->detected)
        try_each(w, k, &a);
    if (!a.unit && !k->detected)
        dl__say_at(w, DL_WARNING, all.fault_at, "kernel '%s' is not transformed: %s",
                   k->function->name, all.fault);
    if (a.unit) {
        w->tracker.turn++;
        say_divided(w, a.unit);
    }
    if (a.unit && k->detected)
        drop_pointless(w, k, &a);
    keep_chosen(k, &a);
    return a.unit;
}
