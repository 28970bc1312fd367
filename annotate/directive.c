/* The lines that begin with #: conditions, includes, definitions, pragmas. */
#include "reader.h"

#include <stdlib.h>
#include <string.h>

#include "condition.h"

/* ---- conditions ------------------------------------------------------------------ */

static bool is_device_name(struct dl__pp *pp, const struct dl__token *t)
{
    const struct dl__macro *m;

    if (t->kind != DL__NAME || t->bytes < 3 ||
        (memcmp(t->text, "__", 2) && memcmp(t->text, "cl_", 3) &&
         memcmp(t->text, "CL_", 3)))
        return false;
    m = dl__macro_find(&pp->macros, t->text, t->bytes);
    return !m || m->compiler;
}

/* Notes a condition, `prefix` and the tokens from `at` on, if it asks for a device name. */
static void note_guess(struct dl__pp *pp, const char *prefix,
                       const struct dl__pp_tokens *t, size_t at, bool holds)
{
    struct dl__item *list = NULL, **tail = &list, *defined = NULL;
    struct dl__buf text = {.arena = pp->arena};
    struct dl__guess guess = {.holds = holds};
    bool asks = false;

    for (size_t i = at; i < t->count; i++) {
        bool is_name = t->items[i].kind == DL__NAME &&
                       (dl__token_is(&t->items[i - 1], "defined") ||
                        (i > 1 && dl__token_is(&t->items[i - 1], "(") &&
                         dl__token_is(&t->items[i - 2], "defined")));

        asks |= is_device_name(pp, &t->items[i]);
        *tail = dl__item_make(pp->arena, &t->items[i]);
        if (dl__token_is(&t->items[i], "defined"))
            defined = *tail;
        /* `defined USER` is decided here: as `!!1`, or `!!0`. */
        if (is_name && !is_device_name(pp, &t->items[i]) && defined) {
            (*tail)->kind = DL__NUMBER;
            (*tail)->text =
                dl__macro_find(&pp->macros, (*tail)->text, (*tail)->bytes) ? "1" : "0";
            (*tail)->bytes = 1;
            defined->kind = DL__PUNCT;
            defined->text = "!!";
            defined->bytes = 2;
        }
        tail = &(*tail)->next;
    }
    if (!asks)
        return;
    dl__buf_puts(&text, prefix);
    dl__items_print(dl__macro_expand(&pp->macros, list, false), &text);
    guess.condition = text.items;
    for (size_t i = 0; i < pp->out->guesses.count; i++)
        if (!strcmp(pp->out->guesses.items[i].condition, guess.condition))
            return;
    DL__PUSH(pp->arena, &pp->out->guesses, guess);
}

static bool evaluate(struct dl__reader *r, const struct dl__pp_tokens *t, size_t at)
{
    size_t start = at;
    struct dl__item *list = NULL, **tail = &list;
    bool out;

    for (; at < t->count; at++) {
        struct dl__item *item = dl__item_make(r->pp->arena, &t->items[at]);

        if (dl__token_is(&t->items[at], "defined")) {
            size_t name = at + 1;
            bool paren = name < t->count && dl__token_is(&t->items[name], "(");

            name += paren;
            if (name >= t->count || t->items[name].kind != DL__NAME)
                dl__pp_give_up(r->pp, r->file, t->items[at].offset,
                               "malformed `defined`");
            item->kind = DL__NUMBER;
            item->bytes = 1;
            item->text =
                dl__macro_find(&r->pp->macros, t->items[name].text, t->items[name].bytes)
                    ? "1"
                    : "0";
            at = name + paren;
        }
        *tail = item;
        tail = &item->next;
    }
    list = dl__macro_expand(&r->pp->macros, list, true);
    if (!dl__condition_eval(list, &out))
        dl__pp_give_up(r->pp, r->file, t->items[0].offset, "the condition is malformed");
    note_guess(r->pp, "", t, start, out);
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
        bool defined;

        if (t->count < 2 || t->items[1].kind != DL__NAME)
            dl__pp_give_up(r->pp, r->file, name->offset, "a macro's name is missing");
        defined = dl__macro_find(&r->pp->macros, t->items[1].text, t->items[1].bytes);
        if (outer)
            note_guess(r->pp, "defined ", t, 1, defined);
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

/* ---- the others ------------------------------------------------------------------ */

static void include(struct dl__reader *r, const struct dl__pp_tokens *t, size_t start,
                    size_t end)
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
    if (!file)
        return;
    pp->depth++;
    dl__pp_read_text(pp, file);
    pp->depth--;
}

static void line_mark(struct dl__reader *r, const struct dl__pp_tokens *t)
{
    struct dl__line_mark mark = {.in = r->file, .origin = r->lexer.offset};

    if (t->count < 2 || t->items[1].kind != DL__NUMBER)
        return;
    mark.line = (unsigned)strtoul(t->items[1].text, NULL, 10);
    if (t->count > 2 && t->items[2].kind == DL__STRING)
        mark.file = dl__arena_text(r->pp->arena, t->items[2].text, t->items[2].bytes);
    DL__PUSH(r->pp->arena, &r->pp->out->line_marks, mark);
}

/* A pragma stays; the macros in it (`#pragma unroll N`) must be expanded for the parse.
 */
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

void dl__pp_directive(struct dl__reader *r, size_t line_start)
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
        return;
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
        include(r, &t, line_start, end);
    } else if (dl__token_is(name, "line")) {
        line_mark(r, &t);
        dl__pp_blank(r, DL__BLANK, line_start, end);
    } else if (dl__token_is(name, "error")) {
        dl__pp_give_up(pp, r->file, name->offset, "#error is reached");
    } else if (dl__token_is(name, "import") || dl__token_is(name, "include_next")) {
        dl__pp_give_up(pp, r->file, name->offset, "#%.*s is not understood",
                       (int)name->bytes, name->text);
    } else {
        dl__pp_blank(r, DL__BLANK, line_start, end);
    }
}
