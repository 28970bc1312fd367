/* SPDX-License-Identifier: MIT */
/* The lines and files that the output claims to be. */
#include "annotate/print/lines.h"

#include <string.h>

#include "annotate/print/group.h"
#include "annotate/text/edit.h"

/* The line that a byte of a file claims to be on, after the user's own #line. */
static unsigned claimed_line(struct dl__rewriter *w, const struct dl__file *in,
                             size_t origin, const char **file)
{
    unsigned line = dl__file_place(in, origin).line;

    *file = NULL;
    for (size_t i = 0; i < w->expanded.line_marks.count; i++) {
        const struct dl__line_mark *mark = &w->expanded.line_marks.items[i];

        if (mark->in != in)
            continue;
        if (mark->origin > origin)
            break;
        line = mark->line + dl__file_place(in, origin).line -
               dl__file_place(in, mark->origin).line - 1;
        if (mark->file)
            *file = mark->file;
    }
    return line;
}

void dl__pass_marks(struct dl__rewriter *w, const struct dl__file *in, size_t origin,
                    size_t until)
{
    for (size_t i = 0; i < w->expanded.line_marks.count; i++) {
        const struct dl__line_mark *mark = &w->expanded.line_marks.items[i];

        if (mark->in == in && mark->origin > origin && mark->origin <= until &&
            mark->file)
            w->named = mark->file;
    }
}

static const char *quoted(struct dl__rewriter *w, const char *name)
{
    struct dl__buf out = {.arena = &w->arena};

    dl__buf_puts(&out, "\"");
    for (; *name; name++) {
        if (*name == '"' || *name == '\\')
            dl__buf_puts(&out, "\\");
        dl__buf_add(&out, name, 1);
    }
    dl__buf_puts(&out, "\"");
    return out.items;
}

void dl__pass_marks_of(struct dl__rewriter *w, const struct dl__function *f)
{
    struct dl__place place = dl__expanded_place(&w->expanded, f->item_at);

    dl__pass_marks(w, place.file, place.offset, dl__origin_behind(w, f->body_end));
    if (dl__spans_files(&w->expanded, f->item_at, f->body_end))
        w->named = quoted(w, place.file->name);
}

void dl__print_line_mark(struct dl__rewriter *w, const struct dl__file *in, size_t origin)
{
    const char *file;
    unsigned line = claimed_line(w, in, origin, &file);

    if (!file && (w->named || !in->is_main)) {
        file = quoted(w, in->name);
        if (w->named && !strcmp(w->named, file))
            file = NULL;
    }
    if (file) {
        w->named = file;
        dl__buf_printf(&w->out, "#line %u %s\n", line, file);
    } else {
        dl__buf_printf(&w->out, "#line %u\n", line);
    }
}
