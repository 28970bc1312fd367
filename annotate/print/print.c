/* SPDX-License-Identifier: MIT */
/* The output text. */
#include "annotate/print/print.h"

#include <stdlib.h>
#include <string.h>

#include "annotate/annotations/annotation.h"
#include "annotate/coalesce/coalesce.h"
#include "annotate/facts/facts.h"
#include "annotate/forms/forms.h"
#include "annotate/program/bind.h"
#include "annotate/text/preprocess.h"
#include "annotate/track/form.h"

static size_t origin_behind(struct dl__rewriter *w, size_t end);

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

/* The user's own #line between two bytes of a file, or in a function, are in the output.
 */
static void pass_marks(struct dl__rewriter *w, const struct dl__file *in, size_t origin,
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

/* True when a file is included within [begin, end) of the expanded text. */
static bool spans_files(const struct dl__expanded *expanded, size_t begin, size_t end)
{
    const struct dl__segment *s = dl__expanded_segment(expanded, begin);
    const struct dl__segment *last =
        s ? expanded->segments.items + expanded->segments.count : NULL;

    for (const struct dl__segment *at = s; at < last && at->at < end; at++)
        if (at->file != s->file)
            return true;
    return false;
}

static void pass_marks_of(struct dl__rewriter *w, const struct dl__function *f)
{
    struct dl__place place = dl__expanded_place(&w->expanded, f->item_at);

    pass_marks(w, place.file, place.offset, origin_behind(w, f->body_end));
    if (spans_files(&w->expanded, f->item_at, f->body_end))
        w->named = quoted(w, place.file->name);
}

/* Ends the line that was begun. */
static void begin_line(struct dl__rewriter *w)
{
    if (w->out.count && w->out.items[w->out.count - 1] != '\n')
        dl__buf_puts(&w->out, "\n");
}

/* The next line of the output is that of a file's byte. The main file's own name is the
 * driver's to know: it is given only where another file's was given before. */
static void print_line_mark(struct dl__rewriter *w, const struct dl__file *in,
                            size_t origin)
{
    const char *file;
    unsigned line = claimed_line(w, in, origin, &file);

    if (!file && (w->named || !in->is_main)) {
        file = quoted(w, in->name);
        if (w->named && !strcmp(w->named, file))
            file = NULL;
    }
    w->named = file ? file : w->named;
    dl__buf_printf(&w->out, file ? "#line %u %s\n" : "#line %u\n", line, file);
}

/* Which bytes of a file transformed kernels take up, where macros and conditionals
 * have a part in it. */

/* A kernel may begin or end within what a macro makes, with other things around it: then
 * all that the invocation makes is printed, from its first byte to its last. */
static size_t made_from(struct dl__rewriter *w, size_t at)
{
    const struct dl__segment *s = dl__expanded_segment(&w->expanded, at);

    return s->kind == DL__EXPANSION ? s->at : at;
}

static size_t made_until(struct dl__rewriter *w, size_t end)
{
    const struct dl__segment *s = dl__expanded_segment(&w->expanded, end - 1);

    return s->kind == DL__EXPANSION ? s->end : end;
}

/* Behind the last of the kernels from `first` on that share an invocation with the one
 * before. */
static size_t group_end(struct dl__rewriter *w, size_t first)
{
    size_t until = made_until(w, w->kernels.items[first].function->body_end);
    size_t end = first + 1;

    for (size_t i = end; i < w->kernels.count; i++) {
        const struct dl__kernel *k = &w->kernels.items[i];

        if (made_from(w, k->function->item_at) >= until)
            break;
        if (!k->unit)
            continue;
        until = made_until(w, k->function->body_end);
        end = i + 1;
    }
    return end;
}

/* The directives in these bytes: how many conditionals they end that began before them,
 * and how many they begin. True: they are of whole conditionals, and of nothing else. */
static bool count_conditionals(const struct dl__file *file, size_t at, size_t until,
                               unsigned *ended, unsigned *begun)
{
    struct dl__lexer lexer = dl__lexer_at(file->text, at, until);
    bool line_start = false, whole = true;
    struct dl__token t;

    *ended = *begun = 0;
    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (line_start && dl__token_is(&t, "#")) {
            t = dl__lex_next(&lexer);
            if (dl__token_in(&t, "if ifdef ifndef"))
                ++*begun;
            else if (dl__token_is(&t, "endif"))
                *(*begun ? begun : ended) += *begun ? -1u : 1u;
            else
                whole &= *begun && dl__token_in(&t, "else elif");
        }
        line_start = t.kind == DL__NEWLINE;
    }
    return whole && !*ended && !*begun;
}

/* Where the file goes on after `end` of the expanded text. */
static size_t origin_behind(struct dl__rewriter *w, size_t end)
{
    const struct dl__segment *last = dl__expanded_segment(&w->expanded, end - 1);

    return last->kind == DL__EXPANSION
               ? last->origin_end
               : dl__expanded_place(&w->expanded, end - 1).offset + 1;
}

/* Where kernels that stay as they are begin and end in their files. A driver may
 * compile all kernels that a program has (PoCL, for its binary): those that are not asked
 * for must not be there. */

/* A definition in the expanded text. */
struct other {
    const char *name;
    size_t begin, end;
};

struct others {
    struct other *items;
    size_t count, room;
};

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

static int by_begin(const void *left, const void *right)
{
    const struct other *a = left, *b = right;

    return a->begin < b->begin ? -1 : a->begin > b->begin;
}

/* Those that libclang can't read, too, and none that others call. */
static struct others find(struct dl__rewriter *w)
{
    struct others found = {0};

    for (size_t i = 0; i < w->ast.functions.count; i++) {
        const struct dl__function *f = &w->ast.functions.items[i];
        const struct dl__kernel *k = dl__kernel_with(w, f);

        if (f->is_kernel && f->is_defined && !(k && k->unit) && !is_called(w, f->name))
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
    return at >= end || at + strspn(w->expanded.text + at, " \t\r\n\f\v;") >= end;
}

/* The first `count` of them, one behind the other, as bytes of one file. False: they are
 * not, or don't fill the invocations that make them, or can't go without a trace. */
static bool range_of(const struct dl__rewriter *w, const struct other *others,
                     size_t count, struct dl__note *range)
{
    size_t begin = others[0].begin, end = others[count - 1].end;
    const struct dl__segment *first = dl__expanded_segment(&w->expanded, begin);
    const struct dl__segment *last = dl__expanded_segment(&w->expanded, end - 1);
    unsigned ended, begun;

    if ((first->kind == DL__EXPANSION && !is_blank(w, first->at, begin)) ||
        (last->kind == DL__EXPANSION && !is_blank(w, end, last->end)))
        return false;
    for (const struct dl__segment *s = first; s <= last; s++)
        if (s->file != first->file)
            return false;
    range->file = first->file;
    range->origin = first->kind == DL__EXPANSION ? first->origin
                                                 : first->origin + (begin - first->at);
    range->origin_end =
        last->kind == DL__EXPANSION ? last->origin_end : last->origin + (end - last->at);
    return count_conditionals(range->file, range->origin, range->origin_end, &ended,
                              &begun);
}

static void place(struct dl__rewriter *w, const struct dl__file *file, size_t origin,
                  const char *condition)
{
    struct dl__note *note = DL__NEW(&w->arena, struct dl__note);

    *note = (struct dl__note){.file = file, .origin = origin, .origin_end = origin};
    DL__PUSH(&w->arena, &w->placed,
             ((struct dl__placed){.note = note, .condition = condition}));
}

/* Adds to w->placed where those begin and end that can be taken out of the text. */
static void place_others(struct dl__rewriter *w)
{
    struct others others = find(w);

    for (size_t i = 0, count; i < others.count; i += count) {
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
        place(w, range.file, range.origin, condition.items);
        place(w, range.file, range.origin_end, "");
    }
}

/* The text of a kernel that prints, without that: it tells whether it would have. A
 * kernel must not be run once more where that is seen; so this one runs first, on copies.
 */

enum { CALLS_MAX = 64 };

static const char parameter[] = "__global int *dl_printed", argument[] = "dl_printed";

static const struct dl__function *named(const struct dl__printing *all,
                                        const struct dl__token *t)
{
    for (size_t i = 0; t->kind == DL__NAME && i < all->count; i++)
        if (dl__token_is(t, all->items[i]->name))
            return all->items[i];
    return NULL;
}

/* Other kernels have their own copies. */
static void print_name(struct dl__buf *out, const struct dl__kernel *k,
                       const struct dl__function *f)
{
    if (f != k->function)
        dl__buf_printf(out, "dl_telling_%s_", k->function->name);
    dl__buf_puts(out, f->name);
}

/* Up to the end of the parameter list. */
static void print_head(struct dl__rewriter *w, const struct dl__kernel *k,
                       const struct dl__function *f)
{
    const char *text = w->expanded.text;
    size_t name_end = f->name_at + strlen(f->name);

    dl__buf_add(&w->out, text + f->item_at, f->name_at - f->item_at);
    print_name(&w->out, k, f);
    if (f->parameter_count)
        dl__buf_add(&w->out, text + name_end, f->close_at - name_end);
    dl__buf_printf(&w->out, "%s%s)", f->parameter_count ? ", " : "(", parameter);
}

/* The rest: calls of what prints have one more argument, and what is printed is lost. */
static void print_body(struct dl__rewriter *w, const struct dl__kernel *k,
                       const struct dl__function *f, const struct dl__printing *all)
{
    struct dl__lexer lexer = dl__lexer_at(w->expanded.text, f->close_at + 1, f->body_end);
    unsigned depth = 0, calls[CALLS_MAX], count = 0;
    size_t from = lexer.offset;
    bool called = false, empty = false;
    struct dl__token t;

    for (; (t = dl__lex_next(&lexer)).kind != DL__END;) {
        const struct dl__function *callee = named(all, &t);

        if (t.kind == DL__NEWLINE)
            continue;
        if (dl__token_is(&t, "(")) {
            depth++;
            if (called && count < CALLS_MAX) {
                calls[count++] = depth;
                empty = true;
                called = false;
                continue;
            }
        }
        if (dl__token_is(&t, ")") && count && calls[count - 1] == depth) {
            dl__buf_add(&w->out, w->expanded.text + from, t.offset - from);
            dl__buf_printf(&w->out, "%s%s", empty ? "" : ", ", argument);
            from = t.offset;
            count--;
        }
        depth -= dl__token_is(&t, ")") && depth;
        empty = false;
        called = callee != NULL;
        if (!callee && !dl__token_is(&t, "printf"))
            continue;
        dl__buf_add(&w->out, w->expanded.text + from, t.offset - from);
        from = t.offset + t.bytes;
        if (callee)
            print_name(&w->out, k, callee);
        else
            dl__buf_puts(&w->out, "DL_PRINTED");
    }
    dl__buf_add(&w->out, w->expanded.text + from, f->body_end - from);
}

/* The text that tells whether the kernel would print, in front of its first, which an
 * #endif must follow. False: it has none, and nothing is printed. */
static bool print_telling(struct dl__rewriter *w, const struct dl__kernel *k)
{
    struct dl__printing all;

    if (!k->detected || !dl__does_more_than_write(w, k->function) ||
        !dl__only_prints(w, k->function, &all))
        return false;
    dl__buf_puts(&w->out, "#ifdef DL_PRINTING\n#undef DL_PRINTED\n"
                          "#define DL_PRINTED(...) (*dl_printed = 1)\n");
    for (size_t i = 0; i < 2 * all.count; i++) {
        const struct dl__function *f = all.items[i % all.count];
        bool declares = i < all.count;

        if (declares && f == k->function)
            continue;
        print_head(w, k, f);
        if (declares)
            dl__buf_puts(&w->out, ";");
        else
            print_body(w, k, f, &all);
        dl__buf_puts(&w->out, "\n");
    }
    dl__buf_puts(&w->out, "#else\n");
    return true;
}

/* ---- Generated functions, and kernels' second texts. ---- */

/* Generated functions: they start a line with `static`, where there is such a word.
 * Without it they are like the program's own. */
static void print_generated(struct dl__rewriter *w, const struct dl__buf *text)
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

/* Another text of the kernel, in front of its first, which an #endif must follow. */
static void print_text_for(struct dl__rewriter *w, const struct dl__kernel *k,
                           const struct dl__place *start, const struct dl__edits *edits)
{
    const struct dl__function *f = k->function;
    const char *named = w->named;
    size_t ignored;

    print_line_mark(w, start->file, start->offset);
    dl__edits_print(edits, &w->expanded, f->item_at, f->body_end, DL__IN_PLACE, &w->out,
                    &ignored);
    /* Where this text is skipped, its line marks are, too. */
    w->named = named;
    dl__buf_puts(&w->out, "\n#else\n");
}

/* The functions that coalesced texts share: also where one kernel alone is built. */
static void print_group(struct dl__rewriter *w)
{
    struct dl__buf functions = {.arena = &w->arena};

    dl__buf_printf(&functions, "#ifdef DL_COALESCED\n%s#endif\n", dl_group_cl);
    print_generated(w, &functions);
    w->group_printed = true;
}

static void print_coalesced(struct dl__rewriter *w, const struct dl__kernel *k,
                            const struct dl__place *start)
{
    struct dl__buf functions = {.arena = &w->arena};

    dl__buf_puts(&w->out, "#ifdef DL_COALESCED\n");
    dl__coalesce_print(&functions, k->coalesced);
    print_generated(w, &functions);
    print_text_for(w, k, start, &k->coalesced->edits);
}

/* ---- The table of one kernel, as annotations/notes.c reads it. ---- */

static void print_leaves(struct dl__rewriter *w, const struct dl__struct *s)
{
    const char *reason;
    size_t count, run;
    const struct dl_leaf *leaves = dl__struct_leaves(&w->arena, s, &count, &reason);

    dl__buf_puts(&w->out, "//DL-leaves:");
    for (size_t i = 0; i < count; i += run) {
        for (run = 1;
             i + run < count && leaves[i + run].width_bytes == leaves[i].width_bytes;)
            run++;
        dl__buf_printf(&w->out, " %u+%u", leaves[i].offset_bytes, leaves[i].width_bytes);
        if (run > 1)
            dl__buf_printf(&w->out, "*%zu", run);
    }
    dl__buf_puts(&w->out, "\n");
}

/* Compilers may leave anything in these. */
static void print_gaps(struct dl__rewriter *w, const struct dl__struct *s)
{
    size_t count;
    const struct dl_leaf *gaps = dl__struct_gaps(&w->arena, s, &count);

    if (count)
        dl__buf_puts(&w->out, "//DL-gaps:");
    for (size_t i = 0; i < count && i < DL_GAPS_MAX; i++)
        dl__buf_printf(&w->out, " %u+%u", gaps[i].offset_bytes, gaps[i].width_bytes);
    dl__buf_puts(&w->out, count ? "\n" : "");
}

/* The members of a struct by their names, for the advice. */
static void print_members(struct dl__rewriter *w, const struct dl__struct *s)
{
    const char *before = "//DL-members:";

    for (size_t i = 0; i < s->field_count; i++) {
        const struct dl__field *field = &s->fields[i];
        bool is_array = field->type->kind == DL__T_ARRAY && field->type->count;

        if (!field->name[0] || s->is_union)
            continue;
        dl__buf_printf(&w->out, "%s %s %u+%u*%u", before, field->name,
                       field->offset_bytes,
                       is_array ? field->type->element->bytes : field->type->bytes,
                       is_array ? (unsigned)field->type->count : 1);
        before = "";
    }
    dl__buf_puts(&w->out, *before ? "" : "\n");
}

static void print_grid(struct dl__rewriter *w, const struct dl__grid_wish *grid,
                       const struct dl__pattern *pattern)
{
    bool alike = pattern && pattern->any && !pattern->obstacle;

    for (size_t d = 0; d < grid->extent_count; d++)
        dl__buf_printf(&w->out, "//DL-extent: %s %s\n", grid->names.names[d],
                       grid->extents[d]);
    if (grid->strips)
        dl__buf_printf(&w->out, "//DL-strips: %s\n", grid->strips);
    for (size_t d = 0; alike && d < grid->extent_count; d++) {
        dl__buf_puts(&w->out, "//DL-matrix:");
        for (int c = 0; c < DL_GRID_COLUMNS; c++)
            dl__buf_printf(&w->out, " %lld",
                           (long long)pattern->access.coefficients[d][c]);
        dl__buf_puts(&w->out, "\n");
    }
}

/* The arguments of a kernel without annotation that are memory. */
static void print_memory(struct dl__rewriter *w, const struct dl__function *f)
{
    dl__buf_puts(&w->out, "//DL-detected:");
    for (size_t i = 0; i < f->parameter_count; i++) {
        const struct dl__type *type = f->parameters[i].type;

        if (type->kind == DL__T_POINTER && type->address_space != DL__LOCAL)
            dl__buf_printf(&w->out, " %zu", i);
    }
    dl__buf_puts(&w->out, "\n");
}

/* True when the parameter is an image that the kernel may write. */
static bool writes_image(const struct dl__rewriter *w, const struct dl__function *f,
                         size_t at)
{
    const struct dl__parameter *p = &f->parameters[at];
    struct dl__lexer lexer = dl__lexer_at(w->expanded.text, p->begin, p->end);
    bool writes = false, is_image = false;
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        writes |= dl__token_in(&t, "write_only __write_only read_write __read_write");
        is_image |= t.bytes > 5 && strncmp(t.text, "image", 5) == 0;
    }
    return writes && is_image;
}

/* The images that a kernel may write. */
static void print_images(struct dl__rewriter *w, const struct dl__function *f)
{
    const char *before = "//DL-images:";

    for (size_t i = 0; i < f->parameter_count; i++)
        if (writes_image(w, f, i)) {
            dl__buf_printf(&w->out, "%s %zu", before, i);
            before = "";
        }
    dl__buf_puts(&w->out, *before ? "" : "\n");
}

/* True when the kernel's body does not name the parameter. */
static bool is_unnamed(const struct dl__rewriter *w, const struct dl__function *f,
                       const struct dl__parameter *p)
{
    struct dl__lexer lexer = dl__ast_body_tokens(&w->ast, f);
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END)
        if (p->name && dl__token_is(&t, p->name))
            return false;
    return true;
}

/* The pointers that a kernel does nothing with. */
static void print_unused(struct dl__rewriter *w, const struct dl__function *f)
{
    const char *before = "//DL-unused:";

    for (size_t i = 0; i < f->parameter_count; i++) {
        const struct dl__parameter *p = &f->parameters[i];

        if (p->type->kind == DL__T_POINTER && p->type->address_space != DL__LOCAL &&
            is_unnamed(w, f, p)) {
            dl__buf_printf(&w->out, "%s %zu", before, i);
            before = "";
        }
    }
    dl__buf_puts(&w->out, *before ? "" : "\n");
}

/* The lines from `//DL-kernel:` to `//DL-end:`. */
static void print_table(struct dl__rewriter *w, const struct dl__kernel *k)
{
    struct dl__printing printing;

    dl__buf_printf(&w->out, "//DL-kernel: %s %zu\n", k->function->name,
                   k->function->parameter_count);
    if (k->soa_refused)
        dl__buf_puts(&w->out, "//DL-refused: soa\n");
    if (k->takes_structs)
        dl__buf_puts(&w->out, "//DL-refused: aos\n");
    if (k->unit)
        dl__buf_printf(&w->out, "//DL-sums: %s\n",
                       k->unit->contractable ? "contractable" : "exact");
    if (k->unit && dl__does_more_than_write(w, k->function))
        dl__buf_printf(&w->out, "//DL-once: %s\n",
                       k->detected && dl__only_prints(w, k->function, &printing)
                           ? "tells"
                           : "prints");
    if (k->unit && k->function->draws)
        dl__buf_puts(&w->out, "//DL-draws: slots\n");
    if (k->unit)
        print_images(w, k->function);
    if (k->unit && k->coalesced)
        dl__buf_printf(&w->out, "//DL-coalesced: %u %u %u %u\n", k->coalesced->loads,
                       k->coalesced->stores, k->coalesced->loaded, k->coalesced->stored);
    if (k->detected)
        print_memory(w, k->function);
    if (k->unit)
        print_unused(w, k->function);
    for (size_t i = 0; i < k->buffers.count; i++) {
        const struct dl__buffer *b = &k->buffers.items[i];
        const struct dl__struct *s = b->root->element;

        if (!b->soa && !k->unit)
            continue;
        dl__buf_printf(&w->out,
                       "//DL-buffer: %s arg %zu %s %s bytes %u line %u type %s\n",
                       b->name, b->root->parameter,
                       b->root->written                 ? "write"
                       : b->root->space == DL__CONSTANT ? "const"
                                                        : "read",
                       b->soa      ? "soa"
                       : b->arrays ? "arr"
                                   : "aos",
                       s->bytes, b->line, s->name);
        print_leaves(w, s);
        if (b->root->form->table_line)
            dl__buf_puts(&w->out, b->root->form->table_line(&w->arena, b->root));
        dl__buf_printf(&w->out, "//DL-structs: %s\n", b->dimension);
        for (size_t n = 0; n < b->root->wholes.count; n++)
            dl__buf_printf(&w->out, "//DL-whole: %u %s\n",
                           b->root->wholes.items[n].modulus,
                           b->root->wholes.items[n].dimension);
        if (b->grid)
            print_grid(w, b->grid, b->root->pattern);
        if (k->detected && b->arrays)
            dl__buf_printf(&w->out, "//DL-found: %s[%s][] to ASTA\n", b->name,
                           b->written);
        else if (k->detected)
            dl__buf_printf(&w->out,
                           b->width ? "//DL-found: %s[][%s]\n" : "//DL-found: %s[]\n",
                           b->name, b->width);
        if (k->detected && !b->arrays && !b->width)
            print_members(w, s);
        if (b->root->written && !b->soa && !b->arrays && !b->width)
            print_gaps(w, s);
        if (b->soa || !b->root->facts)
            continue;
        if (!b->root->facts->count)
            dl__buf_puts(&w->out, "//DL-access: none\n");
        for (size_t n = 0; n < b->root->facts->count; n++)
            dl__access_print(&w->out, &b->root->facts->items[n].fact);
    }
    dl__buf_printf(&w->out, "//DL-end: %s\n", k->function->name);
}

/* The output text: the main file with transformed kernels in place, and in front of
 * the first that needs them the prelude, accessors, helpers' copies and tables. */

static void print_accessors(struct dl__rewriter *w, const struct dl__unit *unit)
{
    for (size_t i = 0; i < unit->uses.count; i++) {
        struct dl__accessor *a = unit->uses.items[i].accessor;

        if (!a->emitted) {
            struct dl__buf text = {.arena = &w->arena};

            dl__accessor_print(&text, a);
            print_generated(w, &text);
        }
        a->emitted = true;
    }
}

/* The copy of a helper, in front of a kernel where `fp_contract` holds. */
static void print_clone(struct dl__rewriter *w, struct dl__unit *clone,
                        const char *fp_contract)
{
    const struct dl__function *f = clone->function;
    const char *own = dl__pragmas_at(&w->expanded, f->item_at).fp_contract;
    struct dl__place place = dl__expanded_place(&w->expanded, f->item_at);
    bool differs = strcmp(own, fp_contract) != 0;
    size_t at;

    if (clone->emitted)
        return;
    clone->emitted = true;
    for (size_t i = 0; i < clone->clones.count; i++)
        print_clone(w, clone->clones.items[i], fp_contract);
    print_accessors(w, clone);
    if (differs)
        dl__buf_printf(&w->out, "#pragma OPENCL FP_CONTRACT %s\n", own);
    print_line_mark(w, place.file, place.offset);
    dl__edits_print(&clone->edits, &w->expanded, f->item_at, f->body_end, DL__COPY,
                    &w->out, &at);
    pass_marks_of(w, f);
    dl__buf_puts(&w->out, "\n");
    if (differs)
        dl__buf_printf(&w->out, "#pragma OPENCL FP_CONTRACT %s\n", fp_contract);
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
        const struct dl__buffer *b = dl__buffer_named(k, wishes.items[i].buffer);

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
    const char *before = "//DL: AoS:";

    for (size_t i = 0; i < k->buffers.count; i++) {
        const struct dl__buffer *b = &k->buffers.items[i];

        if (b->arrays)
            continue;
        dl__buf_printf(&w->out, b->width ? "%s %s[][%s]" : "%s %s[]", before, b->name,
                       b->width);
        dl__buf_printf(&w->out, " AOS2ASTA_%s",
                       dl__struct_tag(&w->arena, b->root->element));
        before = ",";
    }
    dl__buf_puts(&w->out, *before == ',' ? "\n" : "");
    for (size_t i = 0; i < k->buffers.count; i++)
        if (k->buffers.items[i].arrays)
            dl__buf_printf(&w->out, "//DL: SoA: %s[%s][] to ASTA\n",
                           k->buffers.items[i].name, k->buffers.items[i].written);
}

/* Prints what was taken to be so of the device: where it is not, the text must not build
 * for tiles. */
static void print_guesses(struct dl__rewriter *w)
{
    const char *before = w->options->coalesced
                             ? "#if defined DL_TILING || defined DL_COALESCED\n"
                             : "#ifdef DL_TILING\n";

    w->guesses_begin = w->out.count;
    for (size_t i = 0; i < w->expanded.guesses.count; i++) {
        const struct dl__guess *guess = &w->expanded.guesses.items[i];
        struct dl__token name;

        /* An include guard: the user's by now. */
        if (dl__macro_in_text(w->expanded.macros, guess->condition,
                              strlen(guess->condition), &name))
            continue;
        /* The condition as it is: who reads this text has the device's answer to it. */
        dl__buf_printf(&w->out,
                       "%s#if %s\n%s#error dl-annotate saw another device\n#endif\n",
                       before, guess->condition, guess->holds ? "#else\n" : "");
        before = "";
    }
    dl__buf_puts(&w->out, *before ? "" : "#endif\n");
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

static void print_block(struct dl__rewriter *w, struct dl__kernel *k,
                        const struct dl__place *start)
{
    static const struct dl__edits none;
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
        print_generated(w, &prelude);
        print_guesses(w);
    }
    w->prelude_printed = true;
    for (size_t i = 0; i < k->unit->clones.count; i++)
        print_clone(w, k->unit->clones.items[i],
                    dl__pragmas_at(&w->expanded, k->function->item_at).fp_contract);
    print_accessors(w, k->unit);
    print_table(w, k);
    if (k->coalesced && !w->group_printed)
        print_group(w);
    if (w->options->apart)
        dl__buf_printf(&w->out, "#if !defined DL_ONLY || defined DL_WITH_%s\n",
                       k->function->name);
    k->tells = print_telling(w, k);
    if (k->coalesced)
        print_coalesced(w, k, start);
    /* The kernel as it is: nobody looks whether bytes are whole structs before the
     * program's own layout. */
    if (dl__has_wholes(k)) {
        dl__buf_puts(&w->out, "#ifndef DL_TILING\n");
        print_text_for(w, k, start, &none);
    }
    print_line_mark(w, start->file, start->offset);
}

/* From here on the kernel's name is that of its text as written. */
static void print_renaming(struct dl__rewriter *w, const struct dl__kernel *k,
                           const struct dl__file *file, size_t origin)
{
    begin_line(w);
    dl__buf_printf(&w->out, "#define %s %s\n", k->function->name, k->plain_name);
    print_line_mark(w, file, origin);
}

/* The kernel as written, for who calls it. */
static void print_called(struct dl__rewriter *w, const struct dl__kernel *k,
                         const struct dl__place *start)
{
    static const struct dl__edits none;
    const struct dl__function *f = k->function;
    size_t ignored;

    print_renaming(w, k, start->file, start->offset);
    dl__edits_print(&none, &w->expanded, f->item_at, f->body_end, DL__IN_PLACE, &w->out,
                    &ignored);
    pass_marks_of(w, f);
    dl__buf_printf(&w->out, "\n#undef %s\n", f->name);
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
        for (size_t j = 0; k->unit && j < k->declarations.count && !(k->plain_name && j);
             j++)
            DL__PUSH(
                &w->arena, &w->placed,
                ((struct dl__placed){.kernel = k, .note = k->declarations.items[j]}));
    }
    if (w->options->apart && !w->others_stay)
        place_others(w);
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
    pass_marks(w, file, origin, until);
    dl__buf_add(&w->out, file->text + origin, until - origin);
}

/* Where a kernel that stays begins or ends. */
static void print_fence(struct dl__rewriter *w, const struct dl__placed *placed)
{
    const char *named = w->named;

    begin_line(w);
    if (ends_other(placed))
        dl__buf_puts(&w->out, "#endif\n");
    else
        dl__buf_printf(&w->out, "#if !defined DL_ONLY%s\n", placed->condition);
    print_line_mark(w, placed->note->file, placed->note->origin);
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
        else if (placed->kernel->plain_name)
            print_renaming(w, placed->kernel, file, note->origin);
        else
            print_newlines(w, file, note->origin, note->origin_end);
        *origin = placed->kernel && !placed->source && placed->kernel->plain_name
                      ? note->origin
                      : note->origin_end;
        placed->printed = true;
    }
    print_text(w, file, *origin, until);
    *origin = until;
}

/* Prints the text around transformed kernels in the invocations that make them. */
static void print_between(struct dl__rewriter *w, size_t at, size_t until)
{
    static const struct dl__edits none;
    size_t ignored;

    if (at < until)
        dl__edits_print(&none, &w->expanded, at, until, DL__IN_PLACE, &w->out, &ignored);
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
    size_t at = made_from(w, w->kernels.items[first].function->item_at);
    unsigned ended, begun, open;

    /* The directives inside a kernel go, but those of conditionals that it ends (a head
     * under #ifdef, and another under #else) or begins are printed around it: what is
     * left of them is the branch that is taken. */
    count_conditionals(file, start->offset,
                       origin_behind(w, w->kernels.items[end - 1].function->body_end),
                       &ended, &begun);
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
        begin_line(w);
        print_times(w, "#endif\n", i == first ? ended : 0);
        k->out_begin = w->out.count;
        if (k->plain_name)
            print_called(w, k, &place);
        print_block(w, k, &place);
        print_plain(w, file, origin, start->offset);
        dl__edits_print(&k->unit->edits, &w->expanded, k->function->item_at,
                        k->function->body_end, DL__IN_PLACE, &w->out, &ignored);
        pass_marks_of(w, k->function);
        k->out_end = w->out.count;
        at = k->function->body_end;
        open = (k->coalesced != NULL) + w->options->apart + k->tells + dl__has_wholes(k);
        if (!open && !k->plain_name)
            continue;
        dl__buf_puts(&w->out, "\n");
        print_times(w, "#endif\n", open);
        if (k->plain_name)
            print_renaming(w, k, file, origin_behind(w, at));
        else
            print_line_mark(w, file, origin_behind(w, at));
    }
    print_between(w, at, made_until(w, at));
    *origin = origin_behind(w, at);
    if (begun) {
        dl__buf_puts(&w->out, "\n");
        print_times(w, "#if 1\n", begun);
        print_line_mark(w, file, *origin);
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
        print_line_mark(w, inclusion->file, 0);
        print_file(w, inclusion->file, true);
        begin_line(w);
        /* The line break that ends the directive ends this line, too. */
        print_line_mark(w, inclusion->from, inclusion->origin_end + 1);
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
                &w->expanded, made_from(w, w->kernels.items[k].function->item_at));
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
            size_t end = group_end(w, k - 1);

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

        if (k->unit || !(k->soa_alone || k->soa_refused || k->takes_structs))
            continue;
        if (first)
            begin_line(w);
        if (first && !w->prelude_printed)
            dl__buf_puts(&w->out, "//DL-table: 2\n");
        first = false;
        print_table(w, k);
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
static bool includes(const struct dl__rewriter *w, struct dl__unit *unit)
{
    if (!dl__unit_meet(unit))
        return false;
    if (spans_files(&w->expanded, unit->function->item_at, unit->function->body_end))
        return true;
    for (size_t i = 0; i < unit->clones.count; i++)
        if (includes(w, unit->clones.items[i]))
            return true;
    return false;
}

/* True when the kernel is of another file than the main one, or was declared in one. */
static bool is_of_other_files(struct dl__rewriter *w, const struct dl__kernel *k)
{
    for (size_t i = 0; i < k->declarations.count; i++)
        if (!k->declarations.items[i]->file->is_main)
            return true;
    w->tracker.turn++;
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
