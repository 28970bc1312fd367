/* SPDX-License-Identifier: MIT */
/* Generated functions, and kernels' second texts. */
#include "annotate/print/second.h"

#include <string.h>

#include "annotate/coalesce/coalesce.h"
#include "annotate/print/lines.h"

void dl__print_generated(struct dl__rewriter *w, const struct dl__buf *text)
{
    static const char word[] = "static ";
    const char *at = text->items, *end = at + text->count;

    while (at < end) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));

        line_end = line_end ? line_end + 1 : end;
        if (w->tracker.lacks_static && !strncmp(at, word, sizeof word - 1))
            at += sizeof word - 1;
        dl__buf_add(&w->out, at, (size_t)(line_end - at));
        at = line_end;
    }
}

void dl__print_coalesced(struct dl__rewriter *w, const struct dl__kernel *k,
                         const struct dl__place *start)
{
    const struct dl__function *f = k->function;
    struct dl__buf functions = {.arena = &w->arena};
    const char *named = w->named;
    size_t ignored;

    dl__buf_puts(&w->out, "#ifdef DL_COALESCED\n");
    dl__buf_puts(&functions, w->group_printed ? "" : dl__coalesce_prelude());
    w->group_printed = true;
    dl__coalesce_print(&functions, k->coalesced);
    dl__print_generated(w, &functions);
    dl__print_line_mark(w, start->file, start->offset);
    dl__edits_print(&k->coalesced->edits, &w->expanded, f->item_at, f->body_end, &w->out,
                    &ignored);
    /* Where this text is skipped, its line marks are, too. */
    w->named = named;
    dl__buf_puts(&w->out, "\n#else\n");
}
