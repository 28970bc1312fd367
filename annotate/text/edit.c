/* SPDX-License-Identifier: MIT */
/* Edits of the expanded text, and the output text they make. */
#include "annotate/text/edit.h"

#include <stdlib.h>
#include <string.h>

#include "annotate/text/preprocess.h"

void dl__edit_replace(struct dl__edits *edits, const struct dl__expanded *expanded,
                      size_t begin, size_t end, const char *text)
{
    struct dl__edit edit = {begin, end, text, edits->count};
    struct dl__buf buf = {.arena = expanded->arena};
    size_t newlines = 0;

    for (size_t i = begin; i < end; i++)
        newlines += expanded->text[i] == '\n';
    if (newlines) {
        dl__buf_puts(&buf, text);
        while (newlines--)
            dl__buf_puts(&buf, "\n");
        edit.text = buf.items;
    }
    DL__PUSH(expanded->arena, edits, edit);
}

static int compare(const void *left, const void *right)
{
    const struct dl__edit *a = left, *b = right;

    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

bool dl__edits_finish(struct dl__edits *edits)
{
    if (edits->count)
        qsort(edits->items, edits->count, sizeof *edits->items, compare);
    for (size_t i = 1; i < edits->count; i++)
        if (edits->items[i].begin < edits->items[i - 1].end)
            return false;
    return true;
}

/* Appends what lies in [at, end) of the expanded text, with edits from *next on. */
static size_t print_range(const struct dl__edits *edits, size_t *next, const char *text,
                          size_t at, size_t end, struct dl__buf *out)
{
    while (*next < edits->count && edits->items[*next].begin < end) {
        const struct dl__edit *e = &edits->items[(*next)++];

        if (e->begin > at)
            dl__buf_add(out, text + at, e->begin - at);
        dl__buf_puts(out, e->text);
        at = e->end > at ? e->end : at;
    }
    if (at < end) {
        dl__buf_add(out, text + at, end - at);
        at = end;
    }
    return at;
}

static bool is_touched(const struct dl__edits *edits, size_t next, size_t at,
                       const struct dl__segment *s)
{
    if (at > s->at)
        return true;
    for (; next < edits->count && edits->items[next].begin < s->end; next++)
        if (edits->items[next].end > s->at)
            return true;
    return false;
}

/* The line mark that is the segment. */
static void print_line(const struct dl__expanded *expanded, const struct dl__segment *s,
                       struct dl__buf *out)
{
    for (size_t i = 0; i < expanded->line_marks.count; i++) {
        const struct dl__line_mark *mark = &expanded->line_marks.items[i];

        if (mark->in != s->file || mark->origin != s->origin_end)
            continue;
        dl__buf_printf(out, "#line %u%s%s", mark->line, mark->file ? " " : "",
                       mark->file ? mark->file : "");
        return;
    }
}

/* The line and file that go on with a segment, where a file is included or ends; false
 * where that can't be said. */
static bool print_file_change(const struct dl__expanded *expanded,
                              const struct dl__segment *s, enum dl__printed as,
                              struct dl__buf *out)
{
    if (as == DL__EXPRESSION || expanded->line_marks.count ||
        strpbrk(s->file->name, "\"\\\n"))
        return false;
    if (out->count && out->items[out->count - 1] != '\n')
        dl__buf_puts(out, "\n");
    dl__buf_printf(out, "#line %u \"%s\"\n", dl__file_place(s->file, s->origin).line,
                   s->file->name);
    return true;
}

bool dl__edits_print(const struct dl__edits *edits, const struct dl__expanded *expanded,
                     size_t begin, size_t end, enum dl__printed as, struct dl__buf *out,
                     size_t *fail_at)
{
    const struct dl__segment *s = dl__expanded_segment(expanded, begin);
    const struct dl__segment *last =
        s ? expanded->segments.items + expanded->segments.count : NULL;
    const struct dl__file *file = s ? s->file : NULL;
    size_t at = begin, next = 0;
    struct dl__reach reach = {.begin = begin, .end = end};
    struct dl__token name;

    while (next < edits->count && edits->items[next].begin < begin)
        next++;
    for (; s && s < last && s->at < end; s++) {
        *fail_at = s->at;
        if ((s->file != file &&
             (at > s->at || !print_file_change(expanded, s, as, out))) ||
            ((s->kind == DL__DEFINE || s->kind == DL__LINE) && at > s->at))
            return false;
        file = s->file;
        if (s->kind == DL__DEFINE && as != DL__IN_PLACE) {
            dl__buf_add(out, expanded->text + s->at, s->end - s->at);
        } else if (s->kind == DL__DEFINE) {
            dl__buf_add(out, s->file->text + s->origin, s->origin_end - s->origin);
        } else if (s->kind == DL__LINE) {
            print_line(expanded, s, out);
        } else if (s->kind == DL__EXPANSION && as == DL__IN_PLACE && s->at >= begin &&
                   s->end <= end && !is_touched(edits, next, at, s)) {
            print_range(edits, &next, expanded->text, at, s->at, out);
            while (next < edits->count && edits->items[next].end <= s->at)
                dl__buf_puts(out, edits->items[next++].text);
            dl__buf_add(out, s->file->text + s->origin, s->origin_end - s->origin);
        } else {
            /* A name that its own expansion gave back would be expanded once more. The
             * whole range counts: a kernel may be printed twice. */
            if (s->kind == DL__EXPANSION &&
                dl__macro_in_reach(expanded->macros, expanded->text + s->at,
                                   s->end - s->at, as == DL__IN_PLACE ? &reach : NULL,
                                   &name))
                return false;
            at = print_range(edits, &next, expanded->text, at,
                             s->end < end ? s->end : end, out);
            continue;
        }
        at = s->end;
    }
    /* Insertions at the very end. */
    while (next < edits->count && edits->items[next].begin == end &&
           edits->items[next].end == end)
        dl__buf_puts(out, edits->items[next++].text);
    return true;
}
