/* SPDX-License-Identifier: MIT */
/* The output text: the main file with transformed kernels in place, and in front of the
 * first that needs them the prelude, accessors, helpers' copies and tables. */
#include "annotate/print/print.h"

#include <stdlib.h>
#include <string.h>

#include "annotate/accessors/prelude.h"
#include "annotate/annotations/annotation.h"
#include "annotate/track/form.h"
#include "annotate/print/group.h"
#include "annotate/print/lines.h"
#include "annotate/print/others.h"
#include "annotate/print/second.h"
#include "annotate/print/table.h"
#include "annotate/text/macro.h"
#include "annotate/text/pragma.h"

static void print_accessors(struct dl__rewriter *w, const struct dl__unit *unit)
{
    for (size_t i = 0; i < unit->uses.count; i++) {
        struct dl__accessor *a = unit->uses.items[i].accessor;

        if (!a->emitted) {
            struct dl__buf text = {.arena = &w->arena};

            dl__accessor_print(&text, a);
            dl__print_generated(w, &text);
        }
        a->emitted = true;
    }
}

/* The copy of a helper, in front of a kernel where `fp_contract` holds. */
static void print_clone(struct dl__rewriter *w, struct dl__unit *clone,
                        const char *fp_contract)
{
    const char *own;
    const struct dl__segment *s;
    size_t at;

    if (clone->emitted)
        return;
    clone->emitted = true;
    for (size_t i = 0; i < clone->clones.count; i++)
        print_clone(w, clone->clones.items[i], fp_contract);
    print_accessors(w, clone);
    own = dl__pragmas_at(&w->expanded, clone->function->item_at).fp_contract;
    if (strcmp(own, fp_contract) != 0)
        dl__buf_printf(&w->out, "#pragma OPENCL FP_CONTRACT %s\n", own);
    s = dl__expanded_segment(&w->expanded, clone->function->item_at);
    dl__print_line_mark(
        w, s->file, dl__expanded_place(&w->expanded, clone->function->item_at).offset);
    dl__edits_print_copy(&clone->edits, &w->expanded, clone->function->item_at,
                         clone->function->body_end, &w->out, &at);
    dl__pass_marks_of(w, clone->function);
    dl__buf_puts(&w->out, "\n");
    if (strcmp(own, fp_contract) != 0)
        dl__buf_printf(&w->out, "#pragma OPENCL FP_CONTRACT %s\n", fp_contract);
}

/* NULL: it was left out. */
static const struct dl__buffer *kept_buffer(const struct dl__kernel *k, const char *name)
{
    for (size_t i = 0; i < k->buffers.count; i++)
        if (!strcmp(k->buffers.items[i].name, name))
            return &k->buffers.items[i];
    return NULL;
}

/* One buffer of it. `follows`: it is not the first. */
static void print_wish(struct dl__rewriter *w, const struct dl__buffer *b,
                       const struct dl__wish *wish, bool follows)
{
    dl__buf_puts(&w->out, follows               ? ","
                          : b->grid             ? "//DL: grid:"
                          : b->soa || b->arrays ? "//DL: SoA:"
                                                : "//DL: AoS:");
    dl__buf_printf(&w->out, " %s", b->name);
    for (size_t d = 0; d < wish->extent_count; d++)
        dl__buf_printf(&w->out, "[%s]", wish->extents[d]);
    if (!b->grid)
        dl__buf_printf(&w->out, "[%s]", wish->dimension);
    if (wish->width)
        dl__buf_printf(&w->out, "[%s]", wish->width);
    if (!b->soa && !b->arrays)
        dl__buf_printf(&w->out, " AOS2ASTA_%s",
                       dl__struct_tag(&w->arena, b->root->element));
}

/* The annotation in the form of a transformed kernel: each buffer that is with its
 * conversion's name. */
static void print_annotation(struct dl__rewriter *w, const struct dl__kernel *k,
                             const struct dl__source *source)
{
    const char *body = strstr(source->original, "DL:");
    struct dl__wishes wishes = {0};
    const char *reason, *strips = NULL;
    bool any = false, to_tiles = false;

    body = body && source->note->file ? body + 3 : source->original;
    if (!dl__annotation_parse(&w->arena, body, &wishes, &reason))
        return;
    for (size_t i = 0; i < wishes.count; i++) {
        const struct dl__buffer *b = kept_buffer(k, wishes.items[i].buffer);

        if (!b)
            continue;
        if (strips && (!b->grid->strips || strcmp(strips, b->grid->strips) != 0))
            dl__buf_printf(&w->out, " as %s", strips);
        print_wish(w, b, &wishes.items[i], any);
        any = true;
        to_tiles |= b->arrays;
        strips = b->grid ? b->grid->strips : NULL;
    }
    if (to_tiles)
        dl__buf_puts(&w->out, " to ASTA");
    if (strips)
        dl__buf_printf(&w->out, " as %s", strips);
    if (!any && source->note->file)
        dl__buf_puts(&w->out, source->original);
}

/* The same of a kernel without annotation. */
static void print_detected(struct dl__rewriter *w, const struct dl__kernel *k)
{
    bool any = false;

    for (size_t i = 0; i < k->buffers.count; i++) {
        const struct dl__buffer *b = &k->buffers.items[i];

        if (b->arrays)
            continue;
        dl__buf_printf(&w->out, "%s %s[]", any ? "," : "//DL: AoS:", b->name);
        any = true;
        if (b->width)
            dl__buf_printf(&w->out, "[%s]", b->width);
        dl__buf_printf(&w->out, " AOS2ASTA_%s",
                       dl__struct_tag(&w->arena, b->root->element));
    }
    dl__buf_puts(&w->out, any ? "\n" : "");
    for (size_t i = 0; i < k->buffers.count; i++)
        if (k->buffers.items[i].arrays)
            dl__buf_printf(&w->out, "//DL: SoA: %s[%s][] to ASTA\n",
                           k->buffers.items[i].name, k->buffers.items[i].written);
}

/* What was taken to be so of the device: where it is not, the text must not build for
 * tiles. */
static void print_guesses(struct dl__rewriter *w)
{
    bool any = false;

    w->guesses_begin = w->out.count;
    for (size_t i = 0; i < w->expanded.guesses.count; i++) {
        const struct dl__guess *guess = &w->expanded.guesses.items[i];
        struct dl__token name;

        /* An include guard: the user's by now. */
        if (dl__macro_in_text(w->expanded.macros, guess->condition,
                              strlen(guess->condition), &name))
            continue;
        if (!any)
            dl__buf_puts(&w->out, w->options->coalesced
                                      ? "#if defined DL_TILING || defined DL_COALESCED\n"
                                      : "#ifdef DL_TILING\n");
        any = true;
        /* The condition as it is: who reads this text has the device's answer to it. */
        dl__buf_printf(&w->out,
                       "#if %s\n%s#error dl-annotate saw another device\n#endif\n",
                       guess->condition, guess->holds ? "#else\n" : "");
    }
    dl__buf_puts(&w->out, any ? "#endif\n" : "");
    w->guesses_end = w->out.count;
}

static bool has_grids(const struct dl__rewriter *w)
{
    for (size_t i = 0; i < w->kernels.count; i++)
        for (size_t b = 0; b < w->kernels.items[i].buffers.count; b++)
            if (w->kernels.items[i].buffers.items[b].grid)
                return true;
    return false;
}

/* What stands in front of a transformed kernel. */
static void print_block(struct dl__rewriter *w, struct dl__kernel *k,
                        const struct dl__place *start)
{
    for (size_t i = 0; i < k->sources.count; i++) {
        if (k->sources.items[i].note->file)
            continue;
        print_annotation(w, k, &k->sources.items[i]);
        dl__buf_puts(&w->out, "\n");
    }
    if (k->detected)
        print_detected(w, k);
    if (!w->prelude_printed) {
        struct dl__buf prelude = {.arena = &w->arena};

        dl__buf_puts(&w->out, "//DL-table: 2\n");
        dl__prelude_add(&prelude, has_grids(w));
        dl__print_generated(w, &prelude);
        print_guesses(w);
    }
    w->prelude_printed = true;
    for (size_t i = 0; i < k->unit->clones.count; i++)
        print_clone(w, k->unit->clones.items[i],
                    dl__pragmas_at(&w->expanded, k->function->item_at).fp_contract);
    print_accessors(w, k->unit);
    dl__print_table(w, k);
    if (w->options->apart)
        dl__buf_printf(&w->out, "#if !defined DL_ONLY || defined DL_WITH_%s\n",
                       k->function->name);
    k->tells = dl__print_telling(w, k);
    if (k->coalesced)
        dl__print_coalesced(w, k, start);
    dl__print_line_mark(w, start->file, start->offset);
}

static int compare_places(const struct dl__file *file, size_t origin,
                          const struct dl__note *note)
{
    if (file != note->file)
        return file < note->file ? -1 : 1;
    return origin < note->origin ? -1 : origin > note->origin;
}

static bool ends_other(const struct dl__placed *placed)
{
    return placed->condition && !*placed->condition;
}

/* A kernel that stays ends before the next thing begins. */
static int by_file_and_place(const void *left, const void *right)
{
    const struct dl__placed *a = left, *b = right;
    int order = compare_places(a->note->file, a->note->origin, b->note);

    return order ? order : ends_other(b) - ends_other(a);
}

static void place_all(struct dl__rewriter *w)
{
    for (size_t i = 0; i < w->kernels.count; i++) {
        const struct dl__kernel *k = &w->kernels.items[i];

        for (size_t j = 0; k->unit && j < k->sources.count; j++) {
            struct dl__placed placed = {.kernel = k,
                                        .source = &k->sources.items[j],
                                        .note = k->sources.items[j].note};

            if (placed.note->file)
                DL__PUSH(&w->arena, &w->placed, placed);
        }
        for (size_t j = 0; k->unit && j < k->declarations.count; j++)
            DL__PUSH(
                &w->arena, &w->placed,
                ((struct dl__placed){.kernel = k, .note = k->declarations.items[j]}));
    }
    if (w->options->apart && !w->others_stay)
        dl__place_others(w);
    if (w->placed.count)
        qsort(w->placed.items, w->placed.count, sizeof *w->placed.items,
              by_file_and_place);
}

/* Only the line breaks of what goes. */
static void print_newlines(struct dl__rewriter *w, const struct dl__file *file, size_t at,
                           size_t until)
{
    for (; at < until; at++)
        if (file->text[at] == '\n')
            dl__buf_puts(&w->out, "\n");
}

static void print_text(struct dl__rewriter *w, const struct dl__file *file, size_t origin,
                       size_t until)
{
    if (until <= origin)
        return;
    dl__pass_marks(w, file, origin, until);
    dl__buf_add(&w->out, file->text + origin, until - origin);
}

/* Where a kernel that stays begins or ends. */
static void print_fence(struct dl__rewriter *w, const struct dl__placed *placed)
{
    const char *named = w->named;

    if (w->out.count && w->out.items[w->out.count - 1] != '\n')
        dl__buf_puts(&w->out, "\n");
    if (ends_other(placed))
        dl__buf_puts(&w->out, "#endif\n");
    else
        dl__buf_printf(&w->out, "#if !defined DL_ONLY%s\n", placed->condition);
    dl__print_line_mark(w, placed->note->file, placed->note->origin);
    /* Where this text is skipped, its line marks are, too. */
    if (!ends_other(placed))
        w->named = named;
}

/* A file from *origin up to `until`, with the annotations of transformed kernels and
 * without their declarations. */
static void print_plain(struct dl__rewriter *w, const struct dl__file *file,
                        size_t *origin, size_t until)
{
    size_t low = 0, high = w->placed.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare_places(file, *origin, w->placed.items[middle].note) > 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < w->placed.count; low++) {
        struct dl__placed *placed = &w->placed.items[low];
        const struct dl__note *note = placed->note;

        if (note->file != file || note->origin >= until + ends_other(placed))
            break;
        /* Printed: it is for several kernels. */
        if (note->origin < *origin || placed->printed)
            continue;
        print_text(w, file, *origin, note->origin);
        if (placed->condition)
            print_fence(w, placed);
        else if (placed->source)
            print_annotation(w, placed->kernel, placed->source);
        else
            print_newlines(w, file, note->origin, note->origin_end);
        *origin = note->origin_end;
        placed->printed = true;
    }
    print_text(w, file, *origin, until);
    *origin = until;
}

/* What stands around transformed kernels in the invocations that make them. */
static void print_between(struct dl__rewriter *w, size_t at, size_t until)
{
    static const struct dl__edits none;
    size_t ignored;

    if (at < until)
        dl__edits_print(&none, &w->expanded, at, until, &w->out, &ignored);
}

static void print_times(struct dl__rewriter *w, const char *text, unsigned times)
{
    while (times--)
        dl__buf_puts(&w->out, text);
}

/* The kernels [first, end), which share invocations; the first begins at `start`. */
static void print_kernels(struct dl__rewriter *w, size_t first, size_t end,
                          const struct dl__place *start, size_t *origin)
{
    const struct dl__file *file = start->file;
    size_t line_start = start->offset, ignored;
    size_t at = dl__made_from(w, w->kernels.items[first].function->item_at);
    unsigned ended, begun;

    dl__count_conditionals(
        file, start->offset,
        dl__origin_behind(w, w->kernels.items[end - 1].function->body_end), &ended,
        &begun);
    while (line_start > *origin && strchr(" \t", file->text[line_start - 1]))
        line_start--;
    print_plain(w, file, origin, line_start);
    for (size_t i = first; i < end; i++) {
        struct dl__kernel *k = &w->kernels.items[i];
        struct dl__place place;

        if (!k->unit)
            continue;
        place = dl__expanded_place(&w->expanded, k->function->item_at);
        print_between(w, at, k->function->item_at);
        if (w->out.count && w->out.items[w->out.count - 1] != '\n')
            dl__buf_puts(&w->out, "\n");
        print_times(w, "#endif\n", i == first ? ended : 0);
        k->out_begin = w->out.count;
        print_block(w, k, &place);
        print_plain(w, file, origin, start->offset);
        dl__edits_print(&k->unit->edits, &w->expanded, k->function->item_at,
                        k->function->body_end, &w->out, &ignored);
        dl__pass_marks_of(w, k->function);
        k->out_end = w->out.count;
        at = k->function->body_end;
        if (!k->coalesced && !w->options->apart && !k->tells)
            continue;
        dl__buf_puts(&w->out, "\n");
        print_times(w, "#endif\n", (k->coalesced != NULL) + w->options->apart + k->tells);
        dl__print_line_mark(w, file, dl__origin_behind(w, at));
    }
    print_between(w, at, dl__made_until(w, at));
    *origin = dl__origin_behind(w, at);
    if (begun) {
        dl__buf_puts(&w->out, "\n");
        print_times(w, "#if 1\n", begun);
        dl__print_line_mark(w, file, *origin);
    }
}

static void print_file(struct dl__rewriter *w, const struct dl__file *file, bool whole);

/* The text of an included file in place of its directive. */
static void print_inclusion(struct dl__rewriter *w, const struct dl__inclusion *inclusion,
                            size_t *origin)
{
    print_plain(w, inclusion->from, origin, inclusion->origin);
    if (!inclusion->file) {
        /* A directive that brings nothing. */
        print_newlines(w, inclusion->from, inclusion->origin, inclusion->origin_end);
    } else {
        dl__print_line_mark(w, inclusion->file, 0);
        print_file(w, inclusion->file, true);
        if (w->out.items[w->out.count - 1] != '\n')
            dl__buf_puts(&w->out, "\n");
        /* The line break that ends the directive ends this line, too. */
        dl__print_line_mark(w, inclusion->from, inclusion->origin_end + 1);
        w->out.items[--w->out.count] = '\0';
    }
    *origin = inclusion->origin_end;
}

/* A file with its transformed kernels, and if `whole` with what it includes. */
static void print_file(struct dl__rewriter *w, const struct dl__file *file, bool whole)
{
    size_t origin = 0, k = 0, i = 0;

    for (;;) {
        const struct dl__kernel *kernel = NULL;
        const struct dl__inclusion *inclusion = NULL;
        struct dl__place start = {0};

        for (; k < w->kernels.count && !kernel; k++) {
            start = dl__expanded_place(
                &w->expanded, dl__made_from(w, w->kernels.items[k].function->item_at));
            if (w->kernels.items[k].unit && start.file == file)
                kernel = &w->kernels.items[k];
        }
        /* Those within a kernel are in what was printed of it. */
        for (; whole && i < w->expanded.inclusions.count && !inclusion; i++)
            if (w->expanded.inclusions.items[i].from == file &&
                w->expanded.inclusions.items[i].origin >= origin)
                inclusion = &w->expanded.inclusions.items[i];
        if (!kernel && !inclusion)
            break;
        if (inclusion && (!kernel || inclusion->origin < start.offset)) {
            print_inclusion(w, inclusion, &origin);
            k -= kernel != NULL;
        } else {
            size_t end = dl__group_end(w, k - 1);

            print_kernels(w, k - 1, end, &start, &origin);
            k = end;
            i -= inclusion != NULL;
        }
    }
    print_plain(w, file, &origin, file->bytes);
}

/* The tables of kernels whose text stays: after everything, where they move no line. */
static void print_tables_alone(struct dl__rewriter *w)
{
    bool first = true;

    for (size_t i = 0; i < w->kernels.count; i++) {
        const struct dl__kernel *k = &w->kernels.items[i];

        if (k->unit || !(k->soa_alone || k->soa_refused))
            continue;
        if (first && w->out.count && w->out.items[w->out.count - 1] != '\n')
            dl__buf_puts(&w->out, "\n");
        if (first && !w->prelude_printed)
            dl__buf_puts(&w->out, "//DL-table: 2\n");
        first = false;
        dl__print_table(w, k);
    }
}

/* As if nothing had been printed. */
static void begin_output(struct dl__rewriter *w)
{
    w->out.arena = &w->arena;
    w->out.count = 0;
    dl__buf_puts(&w->out, "");
    w->prelude_printed = w->group_printed = false;
    w->named = NULL;
    w->placed.count = 0;
    w->guesses_begin = w->guesses_end = 0;
    for (struct dl__accessor *a = w->tracker.accessors.first; a; a = a->next)
        a->emitted = false;
    for (struct dl__unit *u = w->tracker.clones; u; u = u->next)
        u->emitted = false;
}

/* True when a function, or one that it calls, has text of another file in it. */
static bool includes(const struct dl__rewriter *w, const struct dl__unit *unit)
{
    if (dl__spans_files(&w->expanded, unit->function->item_at, unit->function->body_end))
        return true;
    for (size_t i = 0; i < unit->clones.count; i++)
        if (includes(w, unit->clones.items[i]))
            return true;
    return false;
}

/* True when the kernel is of another file than the main one, or was declared in one. */
static bool is_of_other_files(const struct dl__rewriter *w, const struct dl__kernel *k)
{
    for (size_t i = 0; i < k->declarations.count; i++)
        if (!k->declarations.items[i]->file->is_main)
            return true;
    return !dl__expanded_segment(&w->expanded, k->function->item_at)->file->is_main ||
           includes(w, k->unit);
}

void dl__print_all(struct dl__rewriter *w)
{
    bool whole = false;

    /* A kernel in an included file needs that file's text here, and then all: a file that
     * `#pragma once` brings once must not come again. */
    for (size_t i = 0; i < w->kernels.count && !whole; i++)
        whole = w->kernels.items[i].unit && is_of_other_files(w, &w->kernels.items[i]);
    begin_output(w);
    place_all(w);
    for (size_t i = 0; i < w->placed.count && !whole; i++)
        whole = w->placed.items[i].condition && !w->placed.items[i].note->file->is_main;
    print_file(w, &w->main, whole);
    print_tables_alone(w);
}
