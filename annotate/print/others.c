/* SPDX-License-Identifier: MIT */
/* Where kernels that stay as they are begin and end in their files. A driver may compile
 * all kernels that a program has (PoCL, for its binary): those that are not asked for
 * must not be there. */
#include "annotate/print/others.h"

#include <stdlib.h>
#include <string.h>

#include "annotate/text/lex.h"

/* A definition in the expanded text. */
struct other {
    const char *name;
    size_t begin, end;
};

struct others {
    struct other *items;
    size_t count, room;
};

static int by_begin(const void *left, const void *right)
{
    const struct other *a = left, *b = right;

    return a->begin < b->begin ? -1 : a->begin > b->begin;
}

static bool is_transformed(const struct dl__rewriter *w, const struct dl__function *f)
{
    for (size_t i = 0; i < w->kernels.count; i++)
        if (w->kernels.items[i].function == f)
            return w->kernels.items[i].unit != NULL;
    return false;
}

/* True when a function has the word in its body: it may call the kernel of that name. */
static bool is_called(const struct dl__rewriter *w, const char *name)
{
    for (size_t i = 0; i < w->ast.functions.count; i++) {
        const struct dl__function *f = &w->ast.functions.items[i];

        if (f->is_defined && dl__text_has_word(w->expanded.text + f->body_at,
                                               f->body_end - f->body_at, name))
            return true;
    }
    return false;
}

/* Those that libclang can't read, too, and none that others call. */
static struct others find(struct dl__rewriter *w)
{
    struct others found = {0};

    for (size_t i = 0; i < w->ast.functions.count; i++) {
        const struct dl__function *f = &w->ast.functions.items[i];

        if (f->is_kernel && f->is_defined && !is_transformed(w, f) &&
            !is_called(w, f->name))
            DL__PUSH(&w->arena, &found,
                     ((struct other){f->name, f->item_at, f->body_end}));
    }
    for (size_t i = 0; i < w->ast.unread.count; i++) {
        const struct dl__unread *u = &w->ast.unread.items[i];

        if (u->kernel)
            DL__PUSH(&w->arena, &found, ((struct other){u->kernel, u->begin, u->end}));
    }
    if (found.count)
        qsort(found.items, found.count, sizeof *found.items, by_begin);
    return found;
}

/* Nothing but white space, and what may stand between definitions. */
static bool is_blank(const struct dl__rewriter *w, size_t at, size_t end)
{
    while (at < end && strchr(" \t\r\n\f\v;", w->expanded.text[at]))
        at++;
    return at >= end;
}

/* True when these bytes can go without a trace: they are of whole conditionals, and no
 * other directive is in them. */
static bool can_go(const struct dl__file *file, size_t origin, size_t until)
{
    struct dl__lexer lexer = {.text = file->text, .bytes = until, .offset = origin};
    bool line_start = false;
    unsigned depth = 0;
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (line_start && dl__token_is(&t, "#")) {
            t = dl__lex_next(&lexer);
            if (dl__token_is(&t, "if") || dl__token_is(&t, "ifdef") ||
                dl__token_is(&t, "ifndef"))
                depth++;
            else if (!depth || !(dl__token_is(&t, "else") || dl__token_is(&t, "elif") ||
                                 dl__token_is(&t, "endif")))
                return false;
            depth -= dl__token_is(&t, "endif");
        }
        line_start = t.kind == DL__NEWLINE;
    }
    return depth == 0;
}

/* The first `count` of them, one behind the other, as bytes of one file. False: they are
 * not, or don't fill the invocations that make them. */
static bool range_of(const struct dl__rewriter *w, const struct other *others,
                     size_t count, struct dl__note *range)
{
    size_t begin = others[0].begin, end = others[count - 1].end;
    const struct dl__segment *first = dl__expanded_segment(&w->expanded, begin);
    const struct dl__segment *last = dl__expanded_segment(&w->expanded, end - 1);

    if (first->kind == DL__EXPANSION && !is_blank(w, first->at, begin))
        return false;
    if (last->kind == DL__EXPANSION && !is_blank(w, end, last->end))
        return false;
    for (const struct dl__segment *s = first; s <= last; s++)
        if (s->file != first->file)
            return false;
    range->file = first->file;
    range->origin = first->kind == DL__EXPANSION ? first->origin
                                                 : first->origin + (begin - first->at);
    range->origin_end =
        last->kind == DL__EXPANSION ? last->origin_end : last->origin + (end - last->at);
    return can_go(range->file, range->origin, range->origin_end);
}

static void place(struct dl__rewriter *w, const struct dl__note *range,
                  const char *condition)
{
    struct dl__note *note = DL__NEW(&w->arena, struct dl__note);

    *note = *range;
    note->origin = *condition ? range->origin : range->origin_end;
    note->origin_end = note->origin;
    DL__PUSH(&w->arena, &w->placed,
             ((struct dl__placed){.note = note, .condition = condition}));
}

size_t dl__place_others(struct dl__rewriter *w)
{
    struct others others = find(w);
    size_t placed = 0, count;

    for (size_t i = 0; i < others.count; i += count) {
        struct dl__note range = {0};
        struct dl__buf condition = {.arena = &w->arena};
        const struct other *first = &others.items[i];
        bool fits = range_of(w, first, count = 1, &range);

        /* One invocation may make several. */
        while (!fits && i + count < others.count &&
               is_blank(w, first[count - 1].end, first[count].begin))
            fits = range_of(w, first, ++count, &range);
        if (!fits) {
            count = 1;
            continue;
        }
        for (size_t n = 0; n < count; n++)
            dl__buf_printf(&condition, " || defined DL_WITH_%s", first[n].name);
        place(w, &range, condition.items);
        place(w, &range, "");
        placed += count;
    }
    return placed;
}
