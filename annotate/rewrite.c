/* SPDX-License-Identifier: MIT */
/* A text rewritten: which kernels and buffers go together, and what is left out where the
 * output does not build. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/base/stack.h"
#include "annotate/coalesce/coalesce.h"
#include "annotate/facts/facts.h"
#include "annotate/forms/forms.h"
#include "annotate/names.h"
#include "annotate/print/print.h"
#include "annotate/program/bind.h"
#include "annotate/text/preprocess.h"
#include "annotate/track/form.h"
#include "annotate/walk/walk.h"

/* Behind the `;` of a declaration of one function without attributes, which may have
 * reasons of their own; 0: it is none. */
static size_t declaration_end(struct dl__rewriter *w, const struct dl__function *f)
{
    struct dl__lexer lexer =
        dl__lexer_at(w->expanded.text, f->item_at, w->expanded.bytes);
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
static bool take_out(struct dl__rewriter *w, struct dl__kernel *k,
                     const struct dl__function *f)
{
    const struct dl__segment *first, *last;
    struct dl__note *note;
    size_t end = declaration_end(w, f);

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

/* The kernel's name where it is not defined. Where it is neither declared nor called, it
 * is another thing's. */
static void add_mention(struct dl__rewriter *w, struct dl__kernel *k, size_t at,
                        bool is_called)
{
    const struct dl__function *f = dl__ast_named(&w->ast, k->function->name, NULL);

    while (f && (f->name_at != at || f->is_defined))
        f = dl__ast_named(&w->ast, f->name, f);
    if (!f && !is_called)
        k->others_at = at;
    else if (!f && !k->plain_name)
        k->plain_name =
            dl__name_make(&w->tracker.accessors.names, &w->arena, k->function->name);
    else if (f && !take_out(w, k, f) && k->mentioned_at == SIZE_MAX)
        k->mentioned_at = at;
}

/* Reads all names of the text once. A kernel whose arguments change must be mentioned
 * nowhere else, but where it is declared or called: notes where it is, in mentioned_at,
 * declarations and plain_name. */
static void find_mentions(struct dl__rewriter *w)
{
    struct dl__lexer lexer = dl__lexer_of(&w->ast.tokens, 0, w->ast.bytes);
    struct dl__macros *names = DL__NEW(&w->arena, struct dl__macros);
    unsigned attribute_depth = 0; /* a name in an attribute is not a function */
    bool is_attribute = false;
    struct dl__token t;

    names->arena = &w->arena;
    for (size_t i = 0; i < w->kernels.count; i++) {
        const char *name = w->kernels.items[i].function->name;

        dl__macro_define(names, name, strlen(name));
        w->kernels.items[i].mentioned_at = w->kernels.items[i].others_at = SIZE_MAX;
    }
    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        struct dl__lexer ahead = lexer;
        struct dl__token paren;

        if (is_attribute && t.kind != DL__NEWLINE) {
            attribute_depth += dl__token_is(&t, "(");
            attribute_depth -= attribute_depth && dl__token_is(&t, ")");
            is_attribute = attribute_depth > 0;
        }
        if (is_attribute || t.kind != DL__NAME)
            continue;
        is_attribute = *t.text == '_' && dl__token_in(&t, "__attribute__ __attribute");
        if (!dl__macro_find(names, t.text, t.bytes))
            continue;
        paren = dl__lex_over_lines(&ahead);
        for (size_t i = 0; i < w->kernels.count; i++) {
            struct dl__kernel *k = &w->kernels.items[i];

            if (dl__token_is(&t, k->function->name) && t.offset != k->function->name_at)
                add_mention(w, k, t.offset, dl__token_is(&paren, "("));
        }
    }
    for (size_t i = 0; i < w->kernels.count; i++) {
        struct dl__kernel *k = &w->kernels.items[i];
        const char *name = k->function->name;

        if (k->plain_name && k->mentioned_at == SIZE_MAX)
            k->mentioned_at = dl__macro_find(w->expanded.macros, name, strlen(name))
                                  ? k->function->name_at
                                  : k->others_at;
    }
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

/* True when a word of generated text is a macro within `reach` (NULL: anywhere), which is
 * in *name then. `static` in front of a function is taken off where it is one. */
static bool has_macro(struct dl__rewriter *w, const char *text, size_t bytes,
                      struct dl__reach *reach, struct dl__token *name)
{
    const char *at = text;

    while (dl__macro_in_reach(w->expanded.macros, at, (size_t)(text + bytes - at), reach,
                              name)) {
        if (!w->tracker.lacks_static || !dl__token_is(name, "static") ||
            (name->text > text && name->text[-1] != '\n'))
            return true;
        at = name->text + name->bytes;
    }
    return false;
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
    return !has_macro(w, text->items, text->count, &w->reach, name);
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
    if (!unit->is_clean) {
        w->reach.passed = false;
        if (!is_own_hygienic(w, unit, is_copy, text, name, at))
            return false;
        /* In front of another kernel, the name that was passed over may be a macro. */
        unit->is_clean = is_copy && !w->reach.passed;
    }
    for (size_t i = 0; i < unit->clones.count; i++)
        if (!is_hygienic(w, unit->clones.items[i], true, text, name, at))
            return false;
    return true;
}

/* The copy of a helper has another name, and a kernel other arguments. */
static bool asks_for_its_name(struct dl__rewriter *w, struct dl__unit *unit, bool is_copy,
                              size_t *at)
{
    const struct dl__function *f = unit->function;
    const char *names = is_copy ? "__PRETTY_FUNCTION__ __func__ __FUNCTION__ "
                                  "__builtin_FUNCTION"
                                : "__PRETTY_FUNCTION__";
    struct dl__lexer lexer = dl__lexer_at(w->expanded.text, f->item_at, f->body_end);
    const char *text = lexer.text + f->item_at;
    size_t bytes = f->body_end - f->item_at;
    struct dl__token t;

    if (!dl__unit_meet(unit))
        return false;
    /* Most have none of them. */
    if (memmem(text, bytes, "FUNCTION", 8) || memmem(text, bytes, "__func__", 8))
        while ((t = dl__lex_next(&lexer)).kind != DL__END)
            if (dl__token_in(&t, names)) {
                *at = t.offset;
                return true;
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
        if (has_macro(w, *part, strlen(*part), NULL, name))
            return false;
    w->prelude_is_clean = true;
    w->tracker.turn++;
    w->reach = (struct dl__reach){.begin = unit->function->item_at,
                                  .end = unit->function->body_end};
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

static void say_fault(struct dl__rewriter *w, const struct dl__kernel *k, size_t buffer,
                      size_t at, const char *fault)
{
    const char *name = k->buffers.items[buffer].name;

    say_left(w, k, buffer, at,
             k->detected ? dl__left_since(w, k->function, name, fault) : fault);
}

/* Chooses all buffers that can be tracked; returns how many. */
static size_t choose_all(const struct dl__kernel *k, struct attempt *a)
{
    size_t count = 0;

    for (size_t i = 0; i < k->buffers.count; i++)
        count += a->chosen[i] = !k->buffers.items[i].soa;
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
            say_fault(w, k, i, all.fault_at, all.fault);
            return true;
        }
        a->chosen[i] = true;
    }
    *a = all;
    return false;
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
        /* Alone, a buffer may fail by what the others are not any more: what was in the
         * way of all says more. */
        if (strstr(all.fault,
                   dl__arena_format(&w->arena, "'%s'", k->buffers.items[i].name)))
            left[i] = (struct left){all.fault_at, all.fault};
        say_fault(w, k, i, left[i].at, left[i].reason);
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
    if (!uniform)
        return NULL;
    return (root->space & ~(unsigned)DL__VOLATILE) == DL__CONSTANT
               ? "neighbouring work-items use the same struct of it, in constant memory"
               : "neighbouring work-items use the same struct of it";
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

/* Tracks a kernel with as many of its buffers as go; the others leave its list, with a
 * remark of each, and those that nobody annotated also where another layout can't gain
 * anything. Discrete arrays stay as they are. The facts are found. NULL: none goes, which
 * is said. */
static struct dl__unit *track_chosen(struct dl__rewriter *w, struct dl__kernel *k)
{
    struct dl__root *fresh = dl__arena_alloc(&w->arena, k->buffers.count * sizeof *fresh);
    struct attempt a = {
        .fresh = fresh,
        .chosen = dl__arena_alloc(&w->arena, k->buffers.count * sizeof *a.chosen)};
    struct attempt all;
    size_t count;

    for (size_t i = 0; i < k->buffers.count; i++)
        fresh[i] = *k->buffers.items[i].root;
    count = choose_all(k, &a);
    try_chosen(w, k, &a);
    all = a;
    if (!a.unit && (count > 1 ? !try_without_one(w, k, &a) : k->detected))
        try_each(w, k, &a);
    if (!a.unit && !k->detected)
        dl__say_at(w, DL_WARNING, all.fault_at, "kernel '%s' is not rewritten: %s",
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

/* ---- What builds. ---- */

static bool has_units(const struct dl__rewriter *w)
{
    for (size_t i = 0; i < w->kernels.count; i++)
        if (w->kernels.items[i].unit)
            return true;
    return false;
}

/* True when the output parses as it is built with these options; else w->error says what
 * is wrong with it, and where. What was taken to be so of the device is: the output's own
 * lines that see to that are left out. May leave through the arena. */
static bool parses(struct dl__rewriter *w, const char *knobs, bool own_alone)
{
    struct dl_annotate_options options = *w->options;
    volatile enum dl_status st = DL_OK;
    struct dl__rewriter *v;
    char *text = dl__arena_text(&w->arena, w->out.items, w->out.count);

    for (size_t i = w->guesses_begin; i < w->guesses_end; i++)
        text[i] = text[i] == '\n' ? '\n' : ' ';
    options.side = NULL;
    options.ask_device = NULL;
    options.on_file = NULL;
    options.times = NULL;
    options.detect = false;
    v = dl__rewriter_open(text, w->out.count, &options, NULL, NULL);
    if (!v)
        dl__arena_fail(&w->arena, DL_ENOMEM);
    v->clang = w->clang;
    v->of = w;
    v->ast_options.is_check = true;
    v->ast_options.own_alone = own_alone;
    v->ast_options.theirs = w->theirs;
    v->answers.items = w->answers.items;
    v->answers.count = v->answers.room = w->answers.count;
    if (setjmp(v->arena.fail))
        st = v->arena.failure;
    else
        dl__program_read(v, knobs);
    w->error = v->error;
    if (st != DL_OK && !v->error.is_there) {
        w->error.at = SIZE_MAX;
        snprintf(w->error.text, sizeof w->error.text, "%s",
                 v->arena.reason ? v->arena.reason : "it is not understood");
    }
    dl__rewriter_close(v);
    if (st != DL_OK && st != DL_EPARSE)
        dl__arena_fail(&w->arena, st);
    return st == DL_OK;
}

static bool builds(struct dl__rewriter *w)
{
    static const struct dl_layout tiles = {DL_LAYOUT_ASTA, 32};
    struct dl_layout_knobs knobs;

    dl__print_all(w);
    dl_layout_knobs(&tiles, &knobs);
    return !has_units(w) || parses(w, knobs.text, true);
}

/* Kernels' second texts go where they don't build: all of them, for nothing hangs on
 * them. */
static void settle_coalesced(struct dl__rewriter *w)
{
    bool any = false;

    for (size_t i = 0; i < w->kernels.count; i++)
        any |= w->kernels.items[i].unit && w->kernels.items[i].coalesced;
    if (!any || parses(w, "-DDL_COALESCED=1", true))
        return;
    dl__say(
        w, DL_REMARK, w->main.name, 0, 0,
        "structs are accessed plainly: the text for coalesced access does not build: %s",
        w->error.text);
    for (size_t i = 0; i < w->kernels.count; i++)
        w->kernels.items[i].coalesced = NULL;
    dl__print_all(w);
}

static void leave_out(struct dl__rewriter *w, struct dl__kernel *k)
{
    w->detecting = k->detected;
    dl__say_at(w, DL_WARNING, k->function->name_at,
               "kernel '%s' is not rewritten: the rewritten text does not build: %s",
               k->function->name, w->error.text);
    w->detecting = false;
    k->unit = NULL;
    k->soa_alone = dl__wants_soa(k);
}

/* Tries each kernel without the others. */
static void try_alone(struct dl__rewriter *w)
{
    struct dl__unit **units =
        dl__arena_alloc(&w->arena, w->kernels.count * sizeof *units);

    for (size_t i = 0; i < w->kernels.count; i++) {
        units[i] = w->kernels.items[i].unit;
        w->kernels.items[i].unit = NULL;
    }
    for (size_t i = 0; i < w->kernels.count; i++) {
        struct dl__kernel *k = &w->kernels.items[i];

        k->unit = units[i];
        if (!units[i])
            continue;
        if (!builds(w)) {
            leave_out(w, k);
            units[i] = NULL;
        }
        k->unit = NULL;
    }
    for (size_t i = 0; i < w->kernels.count; i++)
        w->kernels.items[i].unit = units[i];
}

/* Kernels whose text that tells whether they print does not build are left out with it:
 * all of them, for that is rare. */
static void settle_telling(struct dl__rewriter *w)
{
    bool any = false;

    for (size_t i = 0; i < w->kernels.count; i++)
        any |= w->kernels.items[i].unit && w->kernels.items[i].tells;
    if (!any || parses(w, "-DDL_PRINTING=1", true))
        return;
    for (size_t i = 0; i < w->kernels.count; i++)
        if (w->kernels.items[i].unit && w->kernels.items[i].tells)
            leave_out(w, &w->kernels.items[i]);
    dl__print_all(w);
}

/* Kernels that stay can be left out only together. */
static void settle_others(struct dl__rewriter *w)
{
    struct dl__buf knobs = {.arena = &w->arena};
    bool any = false;

    for (size_t i = 0; i < w->placed.count; i++)
        any |= w->placed.items[i].condition != NULL;
    dl__buf_puts(&knobs, "-DDL_ONLY=1");
    for (size_t i = 0; i < w->kernels.count; i++)
        if (w->kernels.items[i].soa_alone)
            dl__buf_printf(&knobs, " -DDL_WITH_%s=1", w->kernels.items[i].function->name);
    if (!any || parses(w, knobs.items, false))
        return;
    w->others_stay = true;
    dl__print_all(w);
}

/* True when a kernel is transformed, or has a table though its text stays, or lacks the
 * one that its text seems to ask for. */
static bool has_results(const struct dl__rewriter *w)
{
    bool any = false;

    for (size_t i = 0; i < w->kernels.count; i++)
        any |= w->kernels.items[i].unit || w->kernels.items[i].soa_alone ||
               w->kernels.items[i].soa_refused || w->kernels.items[i].takes_structs;
    return any;
}

/* Prints the output text without the kernels that it would not build with; each is
 * remarked. False: without all of them. May leave through the arena. */
static bool settle(struct dl__rewriter *w)
{
    bool good = builds(w), found = true;

    /* First those whose text has the error. */
    while (!good && found) {
        found = false;
        for (size_t i = 0; i < w->kernels.count && !found; i++) {
            struct dl__kernel *k = &w->kernels.items[i];

            found = k->unit && w->error.at >= k->out_begin && w->error.at < k->out_end;
            if (found)
                leave_out(w, k);
        }
        good = found && builds(w);
    }
    if (!good) {
        try_alone(w);
        good = builds(w);
    }
    for (size_t i = 0; i < w->kernels.count && !good; i++)
        if (w->kernels.items[i].unit)
            leave_out(w, &w->kernels.items[i]);
    if (!good)
        dl__print_all(w);
    settle_telling(w);
    settle_coalesced(w);
    settle_others(w);
    return has_results(w);
}

/* dl_annotate_rewrite: from annotated text to shippable text. The passes, in order:
 * preprocess, parse, bind annotations to kernels, track each kernel, print. */

/* ---- one kernel ---- */

static bool has_structs(const struct dl__kernel *k)
{
    for (size_t i = 0; i < k->buffers.count; i++)
        if (!k->buffers.items[i].soa)
            return true;
    return false;
}

/* ---- pointers that are kept in memory ---- */

enum { KEPT_DEPTH_MAX = 8 };

static const struct dl__type *type_of(struct dl__rewriter *w, struct dl__node *n)
{
    if (!n->known_type)
        n->known_type = dl__ast_type(&w->ast, n->type);
    return n->known_type;
}

static bool is_in_memory(unsigned space)
{
    return space == DL__GLOBAL || space == DL__CONSTANT;
}

/* True of a struct that a kernel's argument points to, or that is in one. */
static bool is_in_argument(const struct dl__type *type, const struct dl__struct *of,
                           unsigned depth)
{
    bool is;

    while (type->kind == DL__T_ARRAY)
        type = type->element;
    is = type->kind == DL__T_STRUCT && type->identity == of;
    for (size_t f = 0; type->kind == DL__T_STRUCT && depth < KEPT_DEPTH_MAX &&
                       f < type->identity->field_count && !is;
         f++) {
        const struct dl__type *field = type->identity->fields[f].type;

        while (field->kind == DL__T_ARRAY || field->kind == DL__T_POINTER)
            field = field->element;
        /* A node of a list or tree points to others of its kind. */
        if (field->kind == DL__T_STRUCT && field->identity != type->identity)
            is = is_in_argument(field, of, depth + 1);
    }
    return is;
}

static bool is_kept(const struct dl__rewriter *w, const struct dl__struct *s)
{
    for (size_t f = 0; f < w->ast.functions.count; f++) {
        const struct dl__function *kernel = &w->ast.functions.items[f];

        for (size_t p = 0; kernel->is_kernel && p < kernel->parameter_count; p++) {
            const struct dl__type *type = kernel->parameters[p].type;

            if (type->kind == DL__T_POINTER && is_in_memory(type->address_space) &&
                is_in_argument(type->element, s, 0))
                return true;
        }
    }
    return false;
}

static bool is_set_to_address(struct dl__rewriter *w, struct dl__node *n,
                              size_t declared_at);

/* True when some of it is a pointer that has become a number, or a variable that is set
 * to one somewhere in the body. */
static bool has_address(struct dl__rewriter *w, struct dl__node *body, struct dl__node *n)
{
    bool has = n->kind == DL__N_CAST && n->child_count &&
               type_of(w, n)->kind == DL__T_SCALAR &&
               type_of(w, n->children[n->child_count - 1])->kind == DL__T_POINTER;

    if (n->kind == DL__N_NAME && body && n->declared_at != SIZE_MAX)
        has = is_set_to_address(w, body, n->declared_at);
    for (size_t i = 0; i < n->child_count && !has; i++)
        has = has_address(w, body, n->children[i]);
    return has;
}

static bool is_set_to_address(struct dl__rewriter *w, struct dl__node *n,
                              size_t declared_at)
{
    bool is = false;

    if (n->kind == DL__N_VARIABLE && n->declared_at == declared_at && n->child_count)
        is = has_address(w, NULL, n->children[n->child_count - 1]);
    else if (dl__is_assignment(n) && n->child_count == 2 &&
             dl__strip(n->children[0])->declared_at == declared_at)
        is = has_address(w, NULL, n->children[1]);
    for (size_t i = 0; i < n->child_count && !is; i++)
        is = is_set_to_address(w, n->children[i], declared_at);
    return is;
}

static bool is_read(struct dl__rewriter *w, struct dl__node *body, struct dl__node *n,
                    unsigned depth);

/* True of a variable that gets what is read somewhere in the body. */
static bool is_set_to_read(struct dl__rewriter *w, struct dl__node *body,
                           struct dl__node *n, size_t declared_at, unsigned depth)
{
    bool is = false;

    if (n->kind == DL__N_VARIABLE && n->declared_at == declared_at && n->child_count)
        is = is_read(w, body, n->children[n->child_count - 1], depth);
    else if (dl__is_assignment(n) && n->child_count == 2 &&
             dl__strip(n->children[0])->declared_at == declared_at)
        is = is_read(w, body, n->children[1], depth);
    else if (n->kind == DL__N_UNARY && dl__op_is(n, "&") && n->child_count)
        is = dl__strip(n->children[0])->declared_at == declared_at;
    for (size_t i = 0; i < n->child_count && !is; i++)
        is = is_set_to_read(w, body, n->children[i], declared_at, depth);
    return is;
}

/* True of a number from memory, or not known from where: of all but what is made of
 * constants and of the work-item's place. */
static bool is_read(struct dl__rewriter *w, struct dl__node *body, struct dl__node *n,
                    unsigned depth)
{
    enum { DEPTH_MAX = 4 };
    static const char places[] =
        "get_global_id get_local_id get_group_id get_global_size get_local_size "
        "get_num_groups get_global_offset get_work_dim";
    bool is = n->kind == DL__N_MEMBER || n->kind == DL__N_SUBSCRIPT ||
              (n->kind == DL__N_UNARY && dl__op_is(n, "*"));

    if (n->kind == DL__N_CALL && n->name && !dl__ast_callee(&w->ast, n) &&
        dl__is_in(places, n->name, strlen(n->name)))
        return false;
    if (n->kind == DL__N_NAME && !n->is_constant)
        is = depth == DEPTH_MAX || n->declared_at < body->begin ||
             n->declared_at >= body->end ||
             is_set_to_read(w, body, body, n->declared_at, depth + 1);
    for (size_t i = 0; i < n->child_count && !is; i++)
        is = is_read(w, body, n->children[i], depth);
    return is;
}

/* True of a number, read from memory or not known from where, that becomes a pointer. */
static bool is_made_pointer(struct dl__rewriter *w, struct dl__node *body,
                            struct dl__node *n)
{
    struct dl__node *from =
        n->kind == DL__N_CAST && n->child_count ? n->children[n->child_count - 1] : NULL;

    return from && type_of(w, n)->kind == DL__T_POINTER &&
           type_of(w, n)->address_space == DL__GLOBAL &&
           type_of(w, from)->kind == DL__T_SCALAR && is_read(w, body, from, 0) &&
           !has_address(w, body, from);
}

/* True of a place in memory that other kernels reach, or in a copy of its struct. */
static bool is_kept_place(struct dl__rewriter *w, struct dl__node *n)
{
    struct dl__node *in = n->child_count ? dl__strip(n->children[0]) : NULL;
    const struct dl__type *of = in ? type_of(w, in) : NULL;

    if (of && n->kind == DL__N_MEMBER) {
        of = of->kind == DL__T_POINTER ? of->element : of;
        return of->kind == DL__T_STRUCT && is_kept(w, of->identity);
    }
    if (!of ||
        (n->kind != DL__N_SUBSCRIPT && !(n->kind == DL__N_UNARY && dl__op_is(n, "*"))))
        return false;
    return of->kind == DL__T_ARRAY
               ? is_kept_place(w, in)
               : of->kind == DL__T_POINTER && is_in_memory(of->address_space);
}

/* A pointer to global memory that is read from memory; SIZE_MAX: there is none.
 *   is_set  it is the left side of an assignment */
static size_t find_kept(struct dl__rewriter *w, struct dl__node *body, struct dl__node *n,
                        bool is_set)
{
    bool sets = n->kind == DL__N_BINARY && dl__op_is(n, "=");
    size_t at = is_made_pointer(w, body, n) ? n->begin : SIZE_MAX;

    if (!is_set && type_of(w, n)->kind == DL__T_POINTER &&
        type_of(w, n)->address_space == DL__GLOBAL && is_kept_place(w, n))
        at = n->begin;
    for (size_t i = 0; i < n->child_count && at == SIZE_MAX; i++)
        at = find_kept(w, body, n->children[i], sets && i == 0);
    return at;
}

/* The same of all that kernels run, looked for once. */
static size_t kept_pointer(struct dl__rewriter *w)
{
    for (size_t f = 0; f < w->ast.functions.count && !w->kept_sought; f++) {
        struct dl__function *function = &w->ast.functions.items[f];

        struct dl__node *body =
            function->is_defined ? dl__ast_body(&w->ast, function) : NULL;

        if (body)
            w->kept_at = find_kept(w, body, body, false);
        w->kept_sought = body && w->kept_at != SIZE_MAX;
    }
    if (!w->kept_sought)
        w->kept_at = SIZE_MAX;
    w->kept_sought = true;
    return w->kept_at;
}

/* The reason for which all kernels of the text run as written; NULL: there is none. */
static const char *shared_by_all(struct dl__rewriter *w, size_t *at)
{
    *at = w->ast.variable_at;
    /* The rewritten program is another program: it would have a variable of its own. */
    if (w->ast.has_variable)
        return "a variable of program scope is shared by all kernels";
    *at = kept_pointer(w);
    return *at != SIZE_MAX ? "a pointer that is read from memory may point into buffers "
                             "of all kernels"
                           : NULL;
}

static void transform(struct dl__rewriter *w, struct dl__kernel *k)
{
    struct dl__function *f = k->function;
    const char *shared;
    size_t shared_at;

    if (!dl__read_annotations(w, k)) {
        k->soa_refused = dl__wants_soa(k);
        k->buffers.count = 0;
        return;
    }
    k->soa_alone = dl__wants_soa(k);
    if (!has_structs(k))
        return;
    if (k->mentioned_at != SIZE_MAX) {
        dl__say_at(
            w, DL_WARNING, k->mentioned_at,
            "kernel '%s' is %s: its name also stands here, where it can't be changed",
            f->name, k->detected ? "left as it is" : "not rewritten");
        return;
    }
    shared = shared_by_all(w, &shared_at);
    if (shared) {
        if (k->detected)
            dl__say_at(w, DL_WARNING, shared_at, "kernel '%s' is left as it is: %s",
                       f->name, shared);
        else if (!w->shared_said)
            dl__say_at(w, DL_WARNING, shared_at, "%s, so they all run as written",
                       shared);
        w->shared_said |= !k->detected;
        return;
    }
    k->unit = track_chosen(w, k);
    k->soa_alone &= !k->unit;
    if (k->unit && w->options->coalesced && !k->detected && !dl__has_wholes(k))
        dl__coalesce(w, k);
}

/* ---- explaining ---- */

static void explain_unit(struct dl__rewriter *w, const struct dl__unit *unit)
{
    for (size_t i = 0; i < unit->uses.count; i++) {
        const struct dl__use *use = &unit->uses.items[i];

        dl__say_at(w, DL_REMARK, use->at, "'%s' is reached through %s", use->root->name,
                   use->accessor->name);
    }
    for (size_t i = 0; i < unit->clones.count; i++) {
        struct dl__unit *clone = unit->clones.items[i];

        dl__say_at(w, DL_REMARK, clone->function->name_at,
                   "'%s' is copied as '%s' for '%s'", clone->function->name,
                   clone->new_name, unit->function->name);
        if (dl__unit_meet(clone))
            explain_unit(w, clone);
    }
}

static const char *count_text(struct dl__arena *arena, int64_t count, const char *what)
{
    return dl__arena_format(arena, "%lld %s%s", (long long)count, what,
                            count == 1 ? "" : "s");
}

static const char *form_text(struct dl__arena *arena, const struct dl_access_fact *f)
{
    switch (f->form) {
    case DL_ACCESS_UNIFORM:
        return "the same struct for neighbouring work-items";
    case DL_ACCESS_GATHER:
        return "structs whose index is read from memory";
    case DL_ACCESS_LINEAR:
        if (f->step == 1)
            return "the next struct for the next work-item";
        return dl__arena_format(
            arena, "%s %s for the next work-item",
            count_text(arena, f->step < 0 ? -(int64_t)f->step : f->step, "struct"),
            f->step < 0 ? "back" : "on");
    default:
        return "structs by an index that is not understood";
    }
}

/* "read, 1 struct further from one work-item to the next: bytes 0 to 3", in plain words.
 */
static const char *fact_text(struct dl__arena *arena, const struct dl_access_fact *f)
{
    struct dl__buf out = {.arena = arena};

    dl__buf_printf(&out, "%s%s%s ", f->atomic ? "atomically " : "",
                   f->reads    ? f->writes ? "read and written" : "read"
                   : f->writes ? "written"
                               : "",
                   ":");
    dl__buf_puts(&out, form_text(arena, f));
    if (f->bytes == UINT32_MAX)
        dl__buf_puts(&out, ", anywhere in it");
    else if (f->bytes == 1)
        dl__buf_printf(&out, ", byte %u", f->offset);
    else
        dl__buf_printf(&out, ", bytes %u to %u", f->offset, f->offset + f->bytes - 1);
    if (f->walks)
        dl__buf_puts(&out, f->loops ? ", one after the other" : ", some of them");
    if (f->loops)
        dl__buf_printf(&out, ", in %s", count_text(arena, f->loops, "loop"));
    if (f->counted && f->counted == f->loops)
        dl__buf_printf(&out, " of %s", count_text(arena, f->rounds, "round"));
    else if (f->counted)
        dl__buf_printf(&out, ", %u of %s", f->counted,
                       count_text(arena, f->rounds, "round"));
    if (f->conditional)
        dl__buf_puts(&out, ", by some work-items only");
    return out.items;
}

/* Of an index that is not understood: the kernel is rewritten all the same. */
static const char *advice_text(struct dl__arena *arena, const struct dl__root *root)
{
    const int64_t width = root->shape ? dl__width_constant(root) : 0;

    return width ? dl__arena_format(
                       arena,
                       "; nothing must be changed, but %s[i * %lld + j] saves a division",
                       root->name, (long long)width)
                 : "; nothing must be changed";
}

static void explain_facts(struct dl__rewriter *w, const struct dl__root *root)
{
    for (size_t i = 0; root->facts && i < root->facts->count; i++) {
        const struct dl__seen *seen = &root->facts->items[i];

        dl__say_at(w, DL_REMARK, seen->at, "'%s' is %s%s", root->name,
                   fact_text(&w->arena, &seen->fact),
                   seen->fact.form == DL_ACCESS_UNKNOWN ? advice_text(&w->arena, root)
                                                        : "");
    }
}

enum { BURST_BYTES = 64, GROUP_ITEMS = 128, RESIDENT_GROUPS = 2048 };

/* "2 get_global_id(0) + get_local_id(1)"; "0" */
static const char *row_text(struct dl__arena *arena, const int64_t *row)
{
    static const char *const ids[] = {"get_group_id", "get_local_id", "get_global_id"};
    struct dl__buf out = {.arena = arena};

    dl__buf_puts(&out, "");
    for (int c = 0; c < DL_GRID_COLUMNS; c++) {
        if (!row[c])
            continue;
        dl__buf_puts(&out, out.count ? " + " : "");
        if (row[c] != 1)
            dl__buf_printf(&out, "%lld ", (long long)row[c]);
        dl__buf_printf(&out, "%s(%d)", ids[c / 3], c % 3);
    }
    return out.count ? out.items : "0";
}

static void explain_row(struct dl__rewriter *w, const struct dl__buffer *b, size_t d,
                        const struct dl_grid_derivation *derived)
{
    uint64_t busy = derived->busy_bits[d];
    char bits[32] = "none";

    if (busy)
        snprintf(bits, sizeof bits, "[%d:%d]", 63 - __builtin_clzll(busy),
                 __builtin_ctzll(busy));
    dl__say(w, DL_REMARK, b->file, b->line, 1, "'%s': %s = %s; busy bits: %s", b->name,
            b->grid->names.names[d],
            row_text(&w->arena, b->root->pattern->access.coefficients[d]), bits);
}

static struct dl_grid grid_of(const struct dl__grid_wish *wish)
{
    struct dl_grid grid = {.dim_count = (uint32_t)wish->extent_count};
    bool is_unsigned;

    for (size_t d = 0; d < wish->extent_count; d++)
        if (!dl__integer_read(wish->extents[d], strlen(wish->extents[d]),
                              &grid.extents[d], &is_unsigned))
            grid.extents[d] = 0;
    return grid;
}

/* Says how the work-items index a grid, which bits of its indices are busy, and the
 * layout that follows, for groups of 128 work-items on a device with bursts of 64 bytes:
 * what an H200 has. */
static void explain_grid(struct dl__rewriter *w, const struct dl__buffer *b)
{
    static const struct dl_grid_launch launch = {
        {GROUP_ITEMS, 1, 1}, {0, 0, 0}, RESIDENT_GROUPS};
    const struct dl__pattern *pattern = b->root->pattern;
    struct dl_grid grid = grid_of(b->grid);
    struct dl_grid_memory memory = {0, 0};
    struct dl_grid_derivation derived;
    char text[DL_GRID_TEXT_BYTES];

    if (!pattern->any || pattern->obstacle) {
        dl__say(w, DL_REMARK, b->file, b->line, 1, "'%s': no layout is derived: %s",
                b->name, pattern->any ? pattern->obstacle : "it is not accessed");
        return;
    }
    while (b->root->element->bytes << (memory.burst_bits + 1) <= BURST_BYTES)
        memory.burst_bits++;
    if (dl_grid_derive(&grid, &pattern->access, &launch, &memory, &derived) != DL_OK)
        return;
    for (size_t d = 0; d < b->grid->extent_count; d++)
        explain_row(w, b, d, &derived);
    dl_grid_layout_print(&derived.layout, &b->grid->names, text, sizeof text);
    dl__say(w, DL_REMARK, b->file, b->line, 1,
            "'%s': derived for groups of %d and bursts of %d bytes: %s%s", b->name,
            GROUP_ITEMS, BURST_BYTES, text,
            dl_grid_layout_is_own(&derived.layout) ? ", the program's own" : "");
}

static void explain(struct dl__rewriter *w, const struct dl__kernel *k)
{
    for (size_t i = 0; i < k->buffers.count; i++) {
        const struct dl__buffer *b = &k->buffers.items[i];

        if (!b->soa && !k->unit)
            continue;
        dl__say(w, DL_REMARK, b->file, b->line, 1, "kernel '%s' %s '%s'%s: %s%s%s",
                k->function->name, b->root->written ? "writes" : "reads", b->name,
                b->soa ? " as discrete arrays" : "",
                b->root->form->describe(&w->arena, b->root),
                b->arrays     ? ""
                : *b->written ? "; their number is "
                              : "; as many as fit the buffer",
                b->arrays ? "" : b->written);
        if (!b->soa)
            explain_facts(w, b->root);
        if (b->grid)
            explain_grid(w, b);
    }
    if (k->unit) {
        w->tracker.turn++;
        explain_unit(w, k->unit);
    }
}

/* ---- the passes ---- */

static int by_place(const void *left, const void *right)
{
    const struct dl__kernel *a = left, *b = right;

    return a->function->item_at < b->function->item_at
               ? -1
               : a->function->item_at > b->function->item_at;
}

static enum dl_status run(struct dl__rewriter *w)
{
    struct dl__token name;

    dl__program_read(w, "");
    w->tracker.arena = w->tracker.accessors.arena = &w->arena;
    w->tracker.ast = &w->ast;
    w->tracker.expanded = &w->expanded;
    w->tracker.lacks_static =
        dl__macro_in_text(w->expanded.macros, "static", strlen("static"), &name) ||
        (w->build.cl_std &&
         (!strcmp(w->build.cl_std, "CL1.0") || !strcmp(w->build.cl_std, "CL1.1")));
    dl__bind_comments(w);
    dl__bind_side_file(w);
    if (w->options->detect)
        dl__detect(w);
    if (!w->kernels.count || !dl__names_are_free(w))
        return DL_EREFUSED;
    find_mentions(w);
    qsort(w->kernels.items, w->kernels.count, sizeof *w->kernels.items, by_place);
    for (size_t i = 0; i < w->kernels.count; i++) {
        w->detecting = w->kernels.items[i].detected;
        transform(w, &w->kernels.items[i]);
        if ((w->kernels.items[i].unit || w->kernels.items[i].soa_alone) &&
            w->options->explain)
            explain(w, &w->kernels.items[i]);
    }
    w->detecting = false;
    return has_results(w) && settle(w) ? DL_OK : DL_EREFUSED;
}

/* The arguments of a public function, on their way to another stack. */
struct call {
    const char *text;
    size_t text_bytes;
    const struct dl_annotate_options *options;
    dl_remark_fn remark;
    void *user;
    char **out; /* NULL: to be checked */
    enum dl_status status;
};

/* Parses the text as it is built with these options. */
static enum dl_status check_on(const struct call *c, const char *knobs)
{
    struct dl__rewriter *w =
        dl__rewriter_open(c->text, c->text_bytes, c->options, c->remark, c->user);
    const char *reason = "";
    enum dl_status st;

    if (!w)
        return DL_ENOMEM;
    st = dl__clang_load(w->options->libclang, &w->clang, &reason);
    if (st != DL_OK)
        dl__say(w, DL_WARNING, NULL, 0, 0, "%s", reason);
    else if (setjmp(w->arena.fail))
        st = w->arena.failure;
    else
        dl__program_read(w, knobs);
    dl__rewriter_close(w);
    return st;
}

enum { KNOBS_BYTES = sizeof(struct dl_layout_knobs) + 32 };

static const char *knobs_of(struct dl_layout layout, char out[KNOBS_BYTES])
{
    struct dl_layout_knobs knobs;

    dl_layout_knobs(&layout, &knobs);
    snprintf(out, KNOBS_BYTES, "%s%s", knobs.text,
             layout.kind == DL_LAYOUT_DA ? " -DDL_INDEX_64" : "");
    return out;
}

static void check_here(void *user)
{
    static const struct dl_layout layouts[] = {
        {DL_LAYOUT_AOS, 0},
        {DL_LAYOUT_ASTA, 32},
        {DL_LAYOUT_ASTA, 24},
        {DL_LAYOUT_DA, 32},
        {.kind = DL_LAYOUT_GRID,
         .grid = {{2, {7, 5}}, {3, {{0, 1, 0}, {1}, {0, 0, 1}}}}}};
    struct call *c = user;
    struct dl_notes *notes;
    bool has_grids = false;
    char knobs[KNOBS_BYTES];
    enum dl_status st =
        dl_annotate_scan(c->text, c->text_bytes, c->remark, c->user, &notes);

    for (size_t k = 0; st == DL_OK && k < notes->kernel_count; k++)
        for (size_t b = 0; b < notes->kernels[k].buffer_count; b++)
            has_grids |= notes->kernels[k].buffers[b].extent_count > 0;
    if (st == DL_OK)
        dl_notes_free(notes);
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts && st == DL_OK; i++)
        if (has_grids || layouts[i].kind != DL_LAYOUT_GRID)
            st = check_on(c, knobs_of(layouts[i], knobs));
    c->status = st == DL_OK ? check_on(c, "-DDL_COALESCED=1") : st;
}

static void rewrite_here(void *user)
{
    struct call *c = user;
    struct dl__rewriter *w;
    const char *reason = "";

    if (dl_annotate_is_rewritten(c->text, c->text_bytes)) {
        *c->out = strndup(c->text, c->text_bytes);
        c->status = *c->out ? DL_OK : DL_ENOMEM;
        return;
    }
    w = dl__rewriter_open(c->text, c->text_bytes, c->options, c->remark, c->user);
    if (!w)
        return;
    c->status = dl__clang_load(w->options->libclang, &w->clang, &reason);
    dl__rewriter_lap(w, &w->times.load);
    if (c->status != DL_OK)
        dl__say(w, DL_WARNING, NULL, 0, 0,
                "%s, so no kernel is rewritten; dl-run --doctor says what to do", reason);
    else if (setjmp(w->arena.fail))
        c->status = w->arena.failure;
    else
        c->status = run(w);
    if ((c->status == DL_EPARSE || c->status == DL_ELIMIT) && w->arena.reason)
        dl__say(w, DL_WARNING, w->main.name, 0, 0, "the program is left alone: %s",
                w->arena.reason);
    if (c->status == DL_OK) {
        char *copy = strndup(w->out.items, w->out.count);

        c->status = copy ? DL_OK : DL_ENOMEM;
        if (copy)
            *c->out = copy;
    }
    dl__rewriter_close(w);
}

enum dl_status dl_annotate_rewrite(const char *text, size_t text_bytes,
                                   const struct dl_annotate_options *options,
                                   dl_remark_fn remark, void *user, char **out)
{
    struct call c = {text, text_bytes, options, remark, user, out, DL_ENOMEM};

    dl__on_large_stack(rewrite_here, &c);
    return c.status;
}

enum dl_status dl_annotate_check(const char *text, size_t text_bytes,
                                 const struct dl_annotate_options *options,
                                 dl_remark_fn remark, void *user)
{
    struct call c = {text, text_bytes, options, remark, user, NULL, DL_ENOMEM};

    dl__on_large_stack(check_here, &c);
    return c.status;
}
