/* SPDX-License-Identifier: MIT */
/* The lines that begin with #: conditions, includes, definitions, pragmas. */
#include "annotate/text/reader.h"

#include <stdlib.h>
#include <string.h>

#include "annotate/text/condition.h"

/* ---- conditions ---- */

/* A name that the compiler or the device may define. */
static bool is_device_name(struct dl__pp *pp, const struct dl__item *item)
{
    return item->kind == DL__NAME && item->bytes > 2 &&
           (!memcmp(item->text, "__", 2) || !memcmp(item->text, "cl_", 3) ||
            !memcmp(item->text, "CL_", 3)) &&
           dl__macro_is_compilers(&pp->macros, item->text, item->bytes);
}

/* Decides each `defined NAME`, but for device names if those are to `stay`. */
static void decide_defined(struct dl__pp *pp, struct dl__item *list, bool stay)
{
    for (struct dl__item *i = list; i; i = i->next) {
        bool paren = dl__item_is(i->next, "(");
        struct dl__item *name = paren ? i->next->next : i->next;

        if (i->kind != DL__NAME || !dl__item_is(i, "defined") || !name ||
            name->kind != DL__NAME || (paren && !dl__item_is(name->next, ")")) ||
            (stay && is_device_name(pp, name)))
            continue;
        i->kind = DL__NUMBER;
        i->text = dl__macro_find(&pp->macros, name->text, name->bytes) ? "1" : "0";
        i->bytes = 1;
        i->next = paren ? name->next->next : name->next;
    }
}

/* The condition in the tokens from `at` on, the user's macros expanded. */
static struct dl__item *expand_condition(struct dl__pp *pp, const struct dl__pp_tokens *t,
                                         size_t at)
{
    struct dl__item *list = NULL, **tail = &list;

    for (; at < t->count; at++) {
        *tail = dl__item_make(pp->arena, &t->items[at]);
        tail = &(*tail)->next;
    }
    pp->macros.keeps_defined = true;
    list = dl__macro_expand(&pp->macros, list, false);
    pp->macros.keeps_defined = false;
    return list;
}

/* The condition as text for the device's compiler, NULL when it does not ask for a device
 * name. */
static const char *device_condition(struct dl__pp *pp, const struct dl__pp_tokens *t,
                                    size_t at)
{
    struct dl__item *list = expand_condition(pp, t, at);
    struct dl__buf text = {.arena = pp->arena};
    bool asks = false;

    decide_defined(pp, list, true);
    for (const struct dl__item *i = list; i; i = i->next)
        asks |= is_device_name(pp, i);
    if (!asks)
        return NULL;
    dl__items_print(list, &text);
    return text.items;
}

/* Decides a condition that asks for a device name: as the device said, else as it `holds`
 * by what libclang defines. False, and nothing noted, when it asks for none, or when it
 * is `bad` and the device has not said. */
static bool decide_by_device(struct dl__pp *pp, const char *condition, bool bad,
                             bool *holds)
{
    struct dl__guess guess = {.condition = condition};

    if (!condition)
        return false;
    for (size_t i = 0; i < pp->input->answer_count && !guess.is_sure; i++) {
        if (!strcmp(pp->input->answers[i].condition, condition))
            guess = pp->input->answers[i];
    }
    if (bad && !guess.is_sure && !pp->input->can_ask)
        return false;
    if (guess.is_sure)
        *holds = guess.holds;
    guess.holds = *holds;
    for (size_t i = 0; i < pp->out->guesses.count; i++)
        if (!strcmp(pp->out->guesses.items[i].condition, condition))
            return true;
    DL__PUSH(pp->arena, &pp->out->guesses, guess);
    return true;
}

/* What files there are when the device's compiler is asked is not what there were. */
static void refuse_questions_for_files(struct dl__reader *r,
                                       const struct dl__pp_tokens *t)
{
    static const char *const names[] = {"__has_include", "__has_include_next",
                                        "__has_embed"};

    for (size_t i = 0; i + 1 < t->count; i++)
        for (size_t n = 0; n < sizeof names / sizeof *names; n++)
            if (dl__token_is(&t->items[i], names[n]) &&
                dl__token_is(&t->items[i + 1], "("))
                dl__pp_give_up(r->pp, r->file, t->items[i].offset, "%s is not understood",
                               names[n]);
}

static bool evaluate(struct dl__reader *r, const struct dl__pp_tokens *t, size_t at)
{
    refuse_questions_for_files(r, t);

    const char *condition = device_condition(r->pp, t, at);
    struct dl__item *list = expand_condition(r->pp, t, at);
    bool out = false, bad;

    decide_defined(r->pp, list, false);
    list = dl__macro_expand(&r->pp->macros, list, true);
    bad = !dl__condition_eval(list, &out);
    if (!decide_by_device(r->pp, condition, bad, &out) && bad)
        dl__pp_give_up(r->pp, r->file, t->items[0].offset, "the condition is malformed");
    return out;
}

static void open_group(struct dl__reader *r, size_t offset, bool active, bool outer)
{
    struct dl__pp_group group = {outer && active, outer && active, outer};

    if (r->group_count == DL__CONDITION_DEPTH_MAX)
        dl__pp_give_up(r->pp, r->file, offset, "conditionals are nested too deeply");
    r->groups[r->group_count++] = group;
}

/* #if and its like; false when `t` is none of them. */
static bool conditional(struct dl__reader *r, const struct dl__pp_tokens *t)
{
    const struct dl__token *name = &t->items[0];
    bool outer = dl__pp_is_active(r);

    if (dl__token_is(name, "if")) {
        open_group(r, name->offset, outer && evaluate(r, t, 1), outer);
    } else if (dl__token_is(name, "ifdef") || dl__token_is(name, "ifndef")) {
        struct dl__item *asked;
        bool defined;

        if (t->count < 2 || t->items[1].kind != DL__NAME)
            dl__pp_give_up(r->pp, r->file, name->offset, "a macro's name is missing");
        defined = dl__macro_find(&r->pp->macros, t->items[1].text, t->items[1].bytes);
        asked = dl__item_make(r->pp->arena, &t->items[1]);
        if (outer && is_device_name(r->pp, asked))
            decide_by_device(r->pp,
                             dl__arena_format(r->pp->arena, "defined %.*s",
                                              (int)asked->bytes, asked->text),
                             false, &defined);
        open_group(r, name->offset, defined == (name->bytes == 5), outer);
    } else if (dl__token_is(name, "elif") || dl__token_is(name, "else")) {
        struct dl__pp_group *g = r->group_count ? &r->groups[r->group_count - 1] : NULL;

        if (!g)
            dl__pp_give_up(r->pp, r->file, name->offset, "#%.*s without #if",
                           (int)name->bytes, name->text);
        g->active = g->outer && !g->taken &&
                    (name->bytes == 4 && name->text[2] == 's' ? true : evaluate(r, t, 1));
        g->taken |= g->active;
    } else if (dl__token_is(name, "endif")) {
        if (!r->group_count)
            dl__pp_give_up(r->pp, r->file, name->offset, "#endif without #if");
        r->group_count--;
    } else {
        return false;
    }
    return true;
}

/* ---- the others ---- */

/* The file that is to be read; NULL for one that comes but once, and has. */
static const struct dl__file *include(struct dl__reader *r, const struct dl__pp_tokens *t,
                                      size_t start, size_t end)
{
    struct dl__pp *pp = r->pp;
    struct dl__inclusion inclusion = {
        .from = r->file, .origin = start, .origin_end = end};
    bool quoted;
    char *name = dl__pp_include_name(pp, t, true, &quoted);
    struct dl__file *file;

    if (!name)
        dl__pp_give_up(pp, r->file, t->items[0].offset, "a malformed #include");
    file = dl__pp_find_include(pp, r->file, name, quoted);
    if (!file)
        dl__pp_give_up(pp, r->file, t->items[0].offset,
                       "the included file '%s' is not found", name);
    if (pp->depth >= DL__INCLUDE_DEPTH_MAX)
        dl__pp_give_up(pp, r->file, t->items[0].offset, "includes are nested too deeply");
    for (size_t i = 0; i < pp->once.count && file; i++)
        if (!strcmp(pp->once.items[i]->name, file->name))
            file = NULL;
    inclusion.file = file;
    DL__PUSH(pp->arena, &pp->out->inclusions, inclusion);
    return file;
}

/* `#line 7 "file"`, whose number is `t->items[at]`, or `# 7 "file"`. */
static void line_mark(struct dl__reader *r, const struct dl__pp_tokens *t, size_t at,
                      size_t start)
{
    struct dl__line_mark mark = {.in = r->file, .origin = r->lexer.offset};

    if (t->count <= at || t->items[at].kind != DL__NUMBER)
        dl__pp_give_up(r->pp, r->file, t->items[0].offset,
                       "a #line whose number is not written out");
    /* Compilers differ in which line follows. */
    if (memchr(r->file->text + start, '\n', r->lexer.offset - start))
        dl__pp_give_up(r->pp, r->file, t->items[0].offset, "a #line over several lines");
    mark.line = (unsigned)strtoul(t->items[at].text, NULL, 10);
    if (t->count > at + 1) {
        if (t->items[at + 1].kind != DL__STRING)
            dl__pp_give_up(r->pp, r->file, t->items[0].offset,
                           "a #line whose file is not written out");
        mark.file =
            dl__arena_text(r->pp->arena, t->items[at + 1].text, t->items[at + 1].bytes);
    }
    DL__PUSH(r->pp->arena, &r->pp->out->line_marks, mark);
    dl__pp_blank(r, DL__LINE, start, r->lexer.offset);
}

/* A pragma stays; the macros in it (`#pragma unroll N`) must be expanded for the
 * parse. */
static void pragma(struct dl__reader *r, const struct dl__pp_tokens *t, size_t start,
                   size_t end)
{
    struct dl__pp *pp = r->pp;
    struct dl__item *list = NULL, **tail = &list;
    bool has_macro = false;
    size_t at;

    if (t->count > 1 && dl__token_is(&t->items[1], "once")) {
        struct dl__inclusion once = {.from = r->file, .origin = start, .origin_end = end};

        DL__PUSH(pp->arena, &pp->once, r->file);
        if (!r->file->is_main)
            DL__PUSH(pp->arena, &pp->out->inclusions, once);
        dl__pp_blank(r, DL__BLANK, start, end);
        return;
    }
    for (size_t i = 1; i < t->count; i++) {
        const struct dl__token *token = &t->items[i];
        const struct dl__macro *m =
            token->kind == DL__NAME && i > 1
                ? dl__macro_find(&pp->macros, token->text, token->bytes)
                : NULL;

        if (dl__token_is(token, "push_macro") || dl__token_is(token, "pop_macro"))
            dl__pp_give_up(pp, r->file, token->offset, "#pragma %.*s is not understood",
                           (int)token->bytes, token->text);
        has_macro |= m && !m->compiler;
        *tail = dl__item_make(pp->arena, token);
        tail = &(*tail)->next;
    }
    if (!has_macro || dl__token_is(&t->items[1], "OPENCL"))
        return;
    dl__pp_copy_until(r, start);
    at = pp->text.count;
    dl__buf_puts(&pp->text, "#pragma ");
    dl__items_print(dl__macro_expand(&pp->macros, list, false), &pp->text);
    dl__pp_add_newlines(r, start, end);
    dl__pp_add_segment(r, DL__EXPANSION, at, start, end);
}

const struct dl__file *dl__pp_directive(struct dl__reader *r, size_t line_start)
{
    struct dl__pp *pp = r->pp;
    struct dl__pp_tokens t = {0};
    struct dl__token token;
    const struct dl__token *name;
    size_t end;

    for (;;) {
        size_t before = r->lexer.offset;

        token = dl__lex_next(&r->lexer);
        if (token.kind == DL__NEWLINE || token.kind == DL__END) {
            r->lexer.offset = token.kind == DL__END ? before : token.offset;
            if (token.kind == DL__END)
                r->lexer.offset = r->file->bytes;
            break;
        }
        DL__PUSH(pp->arena, &t, token);
    }
    end = r->lexer.offset;
    name = t.items;
    if (!t.count || conditional(r, &t) || !dl__pp_is_active(r)) {
        dl__pp_blank(r, DL__BLANK, line_start, end);
        return NULL;
    }
    if (dl__token_is(name, "pragma")) {
        pragma(r, &t, line_start, end);
    } else if (dl__token_is(name, "define")) {
        if (!dl__macro_parse(&pp->macros, t.items + 1, t.count - 1))
            dl__pp_give_up(pp, r->file, name->offset, "a malformed #define");
        dl__macro_find(&pp->macros, t.items[1].text, t.items[1].bytes)->user = true;
        dl__pp_blank(r, DL__DEFINE, line_start, end);
    } else if (dl__token_is(name, "undef")) {
        if (t.count > 1)
            dl__macro_undefine(&pp->macros, t.items[1].text, t.items[1].bytes);
        dl__pp_blank(r, DL__DEFINE, line_start, end);
    } else if (dl__token_is(name, "include")) {
        dl__pp_blank(r, DL__BLANK, line_start, end);
        return include(r, &t, line_start, end);
    } else if (dl__token_is(name, "line")) {
        line_mark(r, &t, 1, line_start);
    } else if (name->kind == DL__NUMBER) {
        line_mark(r, &t, 0, line_start);
    } else if (dl__token_is(name, "error")) {
        dl__pp_give_up(pp, r->file, name->offset, "#error is reached");
    } else if (dl__token_is(name, "import") || dl__token_is(name, "include_next")) {
        dl__pp_give_up(pp, r->file, name->offset, "#%.*s is not understood",
                       (int)name->bytes, name->text);
    } else {
        dl__pp_blank(r, DL__BLANK, line_start, end);
    }
    return NULL;
}
