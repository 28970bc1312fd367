/* dl_annotate_rewrite: from annotated text to shippable text. The passes, in order:
 * preprocess, parse, bind annotations to kernels, track each kernel, print. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotation.h"
#include "build_options.h"
#include "dimension.h"
#include "lex.h"
#include "macro.h"
#include "resolve.h"
#include "track.h"

enum { FLAT_WIDTH_MAX = 32768 };

/* Where an annotation stands, for remarks: in the main file or in a side file. */
struct source {
    const char *file;
    unsigned line;
    const struct dl__note *note; /* NULL: a side file's */
    const char *original;        /* the body as written */
};

struct buffer {
    const char *name;
    const char *dimension; /* as resolved for the tables; "*" for as many as fit */
    const char *file;      /* and line: of the annotation */
    unsigned line;
    struct dl__root *root; /* in kernel.roots */
};

struct kernel {
    struct dl__function *function;
    struct {
        struct source *items;
        size_t count, room;
    } sources;
    struct {
        struct buffer *items;
        size_t count, room;
    } buffers;
    struct dl__unit *unit; /* NULL: left as it was */
};

struct rewriter {
    struct dl__arena arena;
    const struct dl_annotate_options *options;
    dl_remark_fn remark; /* counts, then hands on to the caller's */
    void *user;
    dl_remark_fn caller_remark;
    void *caller_user;
    unsigned remark_count;
    const struct dl__clang *clang;
    struct dl__build_options build;
    struct dl__ast_options ast_options;
    struct dl__file main;
    struct dl__expanded expanded;
    struct dl__ast ast;
    struct dl__tracker tracker;
    struct {
        struct kernel *items;
        size_t count, room;
    } kernels;               /* by place in the text */
    struct dl__struct *rows; /* of flat buffers */
    struct dl__buf out;
    bool prelude_printed;
};

static void count_remark(void *user, const struct dl_remark *remark)
{
    struct rewriter *w = user;

    w->remark_count += remark->severity != DL_REMARK;
    if (w->caller_remark)
        w->caller_remark(w->caller_user, remark);
}

static void say(struct rewriter *w, enum dl_severity severity, const char *file,
                unsigned line, unsigned column, const char *format, ...)
{
    struct dl_remark remark = {severity, file, line, column, NULL};
    char text[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (char *c = text; *c; c++)
        if (*c == '\n')
            *c = ' ';
    remark.text = text;
    w->remark(w->user, &remark);
}

static void say_at(struct rewriter *w, size_t at, const char *prefix, const char *text)
{
    struct dl__place place = dl__expanded_place(&w->expanded, at);

    say(w, DL_WARNING, place.file->name, place.line, place.column, "%s%s", prefix, text);
}

static void on_parse_error(void *user, size_t at, const char *text)
{
    struct rewriter *w = user;

    if (at == SIZE_MAX)
        say(w, DL_WARNING, w->main.name, 0, 0, "the program does not parse: %s", text);
    else
        say_at(w, at, "the program does not parse: ", text);
}

static void compiler_macros(void *user, const char *const *names, size_t count,
                            const char **values)
{
    struct rewriter *w = user;

    dl__ast_compiler_macros(&w->arena, w->clang, &w->ast_options, names, count, values);
}

/* ---- binding --------------------------------------------------------------------- */

static struct kernel *kernel_of(struct rewriter *w, struct dl__function *f)
{
    struct kernel fresh = {.function = f};

    for (size_t i = 0; i < w->kernels.count; i++)
        if (w->kernels.items[i].function == f)
            return &w->kernels.items[i];
    DL__PUSH(&w->arena, &w->kernels, fresh);
    return &w->kernels.items[w->kernels.count - 1];
}

static void bind_comments(struct rewriter *w)
{
    for (size_t i = 0; i < w->expanded.notes.count; i++) {
        const struct dl__note *note = &w->expanded.notes.items[i];
        struct dl__place place = dl__file_place(&w->main, note->origin);
        struct source source = {w->main.name, place.line, note, NULL};
        struct dl__function *next = NULL;
        struct kernel *k;

        for (size_t f = 0; f < w->ast.functions.count && !next; f++) {
            struct dl__function *candidate = &w->ast.functions.items[f];

            if (candidate->is_kernel && candidate->is_defined &&
                candidate->item_at >= note->at)
                next = candidate;
        }
        if (!next) {
            say(w, DL_WARNING, w->main.name, place.line, place.column,
                "no kernel follows this annotation");
            continue;
        }
        source.original = dl__arena_text(&w->arena, w->main.text + note->origin,
                                         note->origin_end - note->origin);
        k = kernel_of(w, next);
        DL__PUSH(&w->arena, &k->sources, source);
    }
}

static void bind_side_file(struct rewriter *w)
{
    const struct dl_side_file *side = w->options->side;

    for (size_t i = 0; side && i < side->entry_count; i++) {
        const struct dl__side_entry *entry = &side->entries[i];
        struct dl__function *f = dl__ast_function_named(&w->ast, entry->kernel);
        struct dl__note *note = DL__NEW(&w->arena, struct dl__note);
        struct source source = {side->path, entry->line, note, entry->body};
        struct kernel *k;

        if (!f || !f->is_kernel || !f->is_defined)
            continue;
        k = kernel_of(w, f);
        note->body = w->expanded.bodies[i];
        note->origin = SIZE_MAX;
        /* Replaces what the source says. */
        if (k->sources.count && k->sources.items[0].note->origin != SIZE_MAX)
            k->sources.count = 0;
        DL__PUSH(&w->arena, &k->sources, source);
    }
}

static int by_place(const void *left, const void *right)
{
    const struct kernel *a = left, *b = right;

    return a->function->item_at < b->function->item_at
               ? -1
               : a->function->item_at > b->function->item_at;
}

/* ---- one kernel ------------------------------------------------------------------ */

/* The row of a flat buffer; kernels of one text that agree on it share it. */
static const struct dl__struct *flat_row(struct rewriter *w, const struct dl__type *type,
                                         const struct dl__wish *wish, const char **reason)
{
    struct dl_launch nothing = {.work_dim = 1};
    struct dl_dimension *parsed = NULL;
    struct dl__struct *row;
    int64_t width = 0;
    enum dl_status st;

    if (type->kind != DL__T_POINTER ||
        (type->element->kind != DL__T_SCALAR && type->element->kind != DL__T_VECTOR)) {
        *reason = dl__arena_format(&w->arena, "'%s' is no pointer to scalars or vectors",
                                   wish->buffer);
        return NULL;
    }
    st = dl__dimension_parse(wish->width, strlen(wish->width), &parsed, reason);
    if (st == DL_OK)
        st = dl_dimension_eval(parsed, &nothing, &width, reason);
    free(parsed);
    if (st == DL_ENOMEM)
        dl__arena_fail(&w->arena, st);
    if (st != DL_OK || width < 1 || width > FLAT_WIDTH_MAX) {
        *reason = dl__arena_format(
            &w->arena, "the width of '%s' is no integer constant from 1 to %d",
            wish->buffer, FLAT_WIDTH_MAX);
        return NULL;
    }
    for (row = w->rows; row; row = row->next)
        if (row->flat_width == width && !strcmp(row->name, type->element->name))
            return row;
    row = dl__flat_row(&w->arena, type->element, (uint32_t)width);
    row->next = w->rows;
    w->rows = row;
    return row;
}

static bool add_buffer(struct rewriter *w, struct kernel *k, const struct source *source,
                       const struct dl__wish *wish)
{
    struct dl__function *f = k->function;
    const struct dl__type *type;
    struct buffer buffer = {.name = wish->buffer,
                            .file = source->file,
                            .line = source->line,
                            .dimension = "*"};
    const struct dl__struct *row = NULL;
    const char *reason = NULL;
    size_t p = 0, leaves;

    while (p < f->parameter_count && strcmp(f->parameters[p].name, wish->buffer))
        p++;
    type = p < f->parameter_count ? f->parameters[p].type : NULL;
    if (!type)
        reason = dl__arena_format(&w->arena, "kernel '%s' has no argument '%s'", f->name,
                                  wish->buffer);
    else if (wish->width)
        row = flat_row(w, type, wish, &reason);
    else if (type->kind == DL__T_POINTER &&
             (type->element->kind == DL__T_SCALAR || type->element->kind == DL__T_VECTOR))
        reason = dl__arena_format(
            &w->arena, "'%s' is no pointer to structs; a flat buffer is %s[rows][width]",
            wish->buffer, wish->buffer);
    else if (type->kind != DL__T_POINTER || type->element->kind != DL__T_STRUCT)
        reason =
            dl__arena_format(&w->arena, "'%s' is no pointer to structs", wish->buffer);
    else
        row = type->element->identity;
    if (!reason && !row->name)
        reason =
            dl__arena_format(&w->arena, "the struct of '%s' has no name", wish->buffer);
    if (!reason && !dl__struct_leaves(&w->arena, row, &leaves, &reason))
        reason = dl__arena_format(&w->arena, "'%s': %s", wish->buffer, reason);
    for (size_t i = 0; i < k->buffers.count && !reason; i++)
        if (!strcmp(k->buffers.items[i].name, wish->buffer))
            reason = dl__arena_format(&w->arena, "'%s' is annotated twice", wish->buffer);
    if (!reason && *wish->dimension)
        buffer.dimension =
            dl__resolve_dimension(&w->arena, &w->ast, f, wish->dimension, &reason);
    if (reason) {
        say(w, DL_WARNING, source->file, source->line, 1, "%s", reason);
        return false;
    }
    buffer.root = DL__NEW(&w->arena, struct dl__root);
    buffer.root->parameter = p;
    buffer.root->name = f->parameters[p].name;
    buffer.root->element = row;
    DL__PUSH(&w->arena, &k->buffers, buffer);
    return true;
}

static bool read_annotations(struct rewriter *w, struct kernel *k)
{
    for (size_t i = 0; i < k->sources.count; i++) {
        const struct source *source = &k->sources.items[i];
        struct dl__wishes wishes = {0};
        const char *reason;

        if (!dl__annotation_parse(&w->arena, source->note->body, &wishes, &reason)) {
            say(w, DL_WARNING, source->file, source->line, 1, "%s", reason);
            return false;
        }
        for (size_t b = 0; b < wishes.count; b++)
            if (!add_buffer(w, k, source, &wishes.items[b]))
                return false;
    }
    return true;
}

/* A kernel whose arguments change must be mentioned nowhere else. */
static bool is_mentioned_again(struct rewriter *w, const struct dl__function *f,
                               size_t *at)
{
    struct dl__lexer lexer = {.text = w->expanded.text, .bytes = w->expanded.bytes};
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (t.kind == DL__NAME && t.offset != f->name_at && dl__token_is(&t, f->name)) {
            struct dl__lexer ahead = lexer;
            struct dl__token paren = dl__lex_next(&ahead);

            *at = t.offset;
            if (dl__token_is(&paren, "("))
                return true;
        }
    }
    return false;
}

/* Generated text is preprocessed again when it is built: a name in it must not be one of
 * the user's macros. */
static bool is_hygienic(struct rewriter *w, const char *text, const char **name)
{
    struct dl__lexer lexer = {.text = text, .bytes = strlen(text)};
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (t.kind == DL__NAME &&
            dl__macro_was_defined(w->expanded.macros, t.text, t.bytes)) {
            *name = dl__arena_text(&w->arena, t.text, t.bytes);
            return false;
        }
    }
    return true;
}

static bool unit_is_hygienic(struct rewriter *w, const struct dl__unit *unit,
                             const char **name)
{
    struct dl__buf text = {.arena = &w->arena};

    dl__buf_puts(&text, "");
    for (size_t i = 0; i < unit->uses.count; i++)
        dl__accessor_print(&text, unit->uses.items[i].accessor);
    for (size_t i = 0; i < unit->edits.count; i++) {
        dl__buf_puts(&text, unit->edits.items[i].text);
        dl__buf_puts(&text, "\n");
    }
    if (!is_hygienic(w, text.items, name))
        return false;
    for (size_t i = 0; i < unit->clones.count; i++)
        if (!unit_is_hygienic(w, unit->clones.items[i], name))
            return false;
    return true;
}

static bool fits_file(struct rewriter *w, struct dl__unit *unit, size_t *at)
{
    struct dl__buf trial = {.arena = &w->arena};

    return dl__edits_print(&unit->edits, &w->expanded, unit->function->item_at,
                           unit->function->body_end, &trial, at);
}

static bool clones_fit(struct rewriter *w, struct dl__unit *unit, size_t *at)
{
    for (size_t i = 0; i < unit->clones.count; i++)
        if (!fits_file(w, unit->clones.items[i], at) ||
            !clones_fit(w, unit->clones.items[i], at))
            return false;
    return true;
}

static void transform(struct rewriter *w, struct kernel *k)
{
    struct dl__function *f = k->function;
    struct dl__root *roots;
    struct dl__unit *unit;
    const char *prefix =
        dl__arena_format(&w->arena, "kernel '%s' is not transformed: ", f->name);
    const char *name;
    size_t at;

    if (!read_annotations(w, k))
        return;
    if (!dl__expanded_segment(&w->expanded, f->item_at)->file->is_main) {
        say_at(w, f->item_at, prefix, "it stands in an included file");
        return;
    }
    if (is_mentioned_again(w, f, &at)) {
        say_at(w, at, prefix, "it is declared or called here, too");
        return;
    }
    /* In one array, for the tracker; in the order of the arguments they become. */
    roots = dl__arena_alloc(&w->arena, k->buffers.count * sizeof *roots);
    for (size_t i = 0; i < k->buffers.count; i++) {
        roots[i] = *k->buffers.items[i].root;
        k->buffers.items[i].root = &roots[i];
    }
    unit = dl__track_kernel(&w->tracker, f, roots, k->buffers.count);
    if (unit->refused) {
        say_at(w, unit->refused_at, prefix, unit->reason);
        return;
    }
    if (!unit_is_hygienic(w, unit, &name)) {
        say_at(w, f->name_at, prefix,
               dl__arena_format(&w->arena, "'%s', which its accessors need, is a macro",
                                name));
        return;
    }
    if (!fits_file(w, unit, &at) || !clones_fit(w, unit, &at)) {
        say_at(w, at, prefix, "a directive stands inside a rewritten form");
        return;
    }
    k->unit = unit;
}

/* ---- explaining ------------------------------------------------------------------- */

static void explain_unit(struct rewriter *w, const struct dl__unit *unit)
{
    for (size_t i = 0; i < unit->uses.count; i++) {
        const struct dl__use *use = &unit->uses.items[i];
        struct dl__place place = dl__expanded_place(&w->expanded, use->at);

        say(w, DL_REMARK, place.file->name, place.line, place.column,
            "'%s' is reached through %s", use->root->name, use->accessor->name);
    }
    for (size_t i = 0; i < unit->clones.count; i++) {
        const struct dl__unit *clone = unit->clones.items[i];
        struct dl__place place =
            dl__expanded_place(&w->expanded, clone->function->name_at);

        say(w, DL_REMARK, place.file->name, place.line, place.column,
            "'%s' is copied as '%s' for '%s'", clone->function->name, clone->new_name,
            unit->function->name);
        explain_unit(w, clone);
    }
}

static void explain(struct rewriter *w, const struct kernel *k)
{
    for (size_t i = 0; i < k->buffers.count; i++) {
        const struct buffer *b = &k->buffers.items[i];
        size_t leaves = 0;
        const char *reason;

        dl__struct_leaves(&w->arena, b->root->element, &leaves, &reason);
        say(w, DL_REMARK, b->file, b->line, 1,
            "kernel '%s' %s '%s': %s of %u bytes in %zu leaves, as many as %s",
            k->function->name, b->root->written ? "writes" : "reads", b->name,
            dl__struct_tag(&w->arena, b->root->element), b->root->element->bytes, leaves,
            strcmp(b->dimension, "*") ? b->dimension : "fit");
    }
    explain_unit(w, k->unit);
}

/* Generated names begin with dl_ or DL_. */
static bool names_are_free(struct rewriter *w)
{
    struct dl__lexer lexer = {.text = w->expanded.text, .bytes = w->expanded.bytes};
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (t.kind == DL__NAME && t.bytes > 3 &&
            (!memcmp(t.text, "dl_", 3) || !memcmp(t.text, "DL_", 3))) {
            say_at(w, t.offset, "",
                   "names that begin with dl_ are kept for generated code");
            return false;
        }
    }
    return true;
}

/* ---- printing -------------------------------------------------------------------- */

static void print_accessors(struct rewriter *w, const struct dl__unit *unit)
{
    for (size_t i = 0; i < unit->uses.count; i++) {
        struct dl__accessor *a = unit->uses.items[i].accessor;

        if (!a->emitted)
            dl__accessor_print(&w->out, a);
        a->emitted = true;
    }
}

/* The line that a byte of the main file claims to be on, after the user's own #line. */
static unsigned claimed_line(struct rewriter *w, size_t origin, const char **file)
{
    unsigned line = dl__file_place(&w->main, origin).line;

    *file = NULL;
    for (size_t i = 0; i < w->expanded.line_marks.count; i++) {
        const struct dl__line_mark *mark = &w->expanded.line_marks.items[i];

        if (mark->origin > origin)
            break;
        line = mark->line + dl__file_place(&w->main, origin).line -
               dl__file_place(&w->main, mark->origin).line - 1;
        *file = mark->file;
    }
    return line;
}

static void print_line_mark(struct rewriter *w, size_t origin)
{
    const char *file;
    unsigned line = claimed_line(w, origin, &file);

    if (file)
        dl__buf_printf(&w->out, "#line %u %s\n", line, file);
    else
        dl__buf_printf(&w->out, "#line %u\n", line);
}

static void print_clone(struct rewriter *w, struct dl__unit *clone)
{
    const struct dl__segment *s;
    size_t at;

    if (clone->emitted)
        return;
    clone->emitted = true;
    for (size_t i = 0; i < clone->clones.count; i++)
        print_clone(w, clone->clones.items[i]);
    print_accessors(w, clone);
    s = dl__expanded_segment(&w->expanded, clone->function->item_at);
    if (s->file->is_main)
        print_line_mark(
            w, dl__expanded_place(&w->expanded, clone->function->item_at).offset);
    dl__edits_print(&clone->edits, &w->expanded, clone->function->item_at,
                    clone->function->body_end, &w->out, &at);
    dl__buf_puts(&w->out, "\n");
}

static void print_leaves(struct rewriter *w, const struct dl__struct *s)
{
    struct dl_leaf_table table;
    const char *reason;
    size_t count;
    struct dl_leaf *fields = dl__struct_leaves(&w->arena, s, &count, &reason), *leaves;

    if (dl_leaf_table_make(s->bytes, fields, count, &table) != DL_OK)
        dl__arena_fail(&w->arena, DL_ENOMEM);
    /* Copied out before anything may jump. */
    count = table.leaf_count;
    leaves = malloc(count * sizeof *leaves);
    if (leaves)
        memcpy(leaves, table.leaves, count * sizeof *leaves);
    dl_leaf_table_free(&table);
    if (!leaves)
        dl__arena_fail(&w->arena, DL_ENOMEM);
    fields = (struct dl_leaf *)(void *)dl__arena_text(&w->arena, (char *)leaves,
                                                      count * sizeof *leaves);
    free(leaves);
    dl__buf_puts(&w->out, "//DL-leaves:");
    for (size_t i = 0; i < count;) {
        size_t run = 1;

        while (i + run < count && fields[i + run].width_bytes == fields[i].width_bytes)
            run++;
        dl__buf_printf(&w->out, " %u+%u", fields[i].offset_bytes, fields[i].width_bytes);
        if (run > 1)
            dl__buf_printf(&w->out, "*%zu", run);
        i += run;
    }
    dl__buf_puts(&w->out, "\n");
}

static void print_table(struct rewriter *w, const struct kernel *k)
{
    dl__buf_printf(&w->out, "//DL-kernel: %s %zu\n", k->function->name,
                   k->function->parameter_count);
    for (size_t i = 0; i < k->buffers.count; i++) {
        const struct buffer *b = &k->buffers.items[i];
        const struct dl__struct *s = b->root->element;

        dl__buf_printf(&w->out,
                       "//DL-buffer: %s arg %zu %s aos bytes %u line %u type %s\n",
                       b->name, b->root->parameter, b->root->written ? "write" : "read",
                       s->bytes, b->line, s->name);
        print_leaves(w, s);
        dl__buf_printf(&w->out, "//DL-structs: %s\n", b->dimension);
    }
    dl__buf_printf(&w->out, "//DL-end: %s\n", k->function->name);
}

/* The annotation in the form of a transformed kernel: each buffer with its conversion's
 * name. */
static void print_annotation(struct rewriter *w, const struct kernel *k,
                             const struct source *source)
{
    const char *body = strstr(source->original, "DL:");
    struct dl__wishes wishes = {0};
    const char *reason;

    body = body && source->note->origin != SIZE_MAX ? body + 3 : source->original;
    if (!dl__annotation_parse(&w->arena, body, &wishes, &reason))
        return;
    dl__buf_puts(&w->out, "//DL: AoS:");
    for (size_t i = 0; i < wishes.count; i++) {
        const struct buffer *b = k->buffers.items;

        while (strcmp(b->name, wishes.items[i].buffer))
            b++;
        dl__buf_printf(&w->out, "%s %s[%s]", i ? "," : "", b->name,
                       wishes.items[i].dimension);
        if (wishes.items[i].width)
            dl__buf_printf(&w->out, "[%s]", wishes.items[i].width);
        dl__buf_printf(&w->out, " AOS2ASTA_%s",
                       dl__struct_tag(&w->arena, b->root->element));
    }
}

/* What stands in front of a transformed kernel. */
static void print_block(struct rewriter *w, const struct kernel *k, size_t origin)
{
    for (size_t i = 0; i < k->sources.count; i++) {
        if (k->sources.items[i].note->origin != SIZE_MAX)
            continue;
        print_annotation(w, k, &k->sources.items[i]);
        dl__buf_puts(&w->out, "\n");
    }
    if (!w->prelude_printed) {
        dl__buf_puts(&w->out, "//DL-table: 1\n");
        dl__accessor_print_prelude(&w->out);
    }
    w->prelude_printed = true;
    for (size_t i = 0; i < k->unit->clones.count; i++)
        print_clone(w, k->unit->clones.items[i]);
    print_accessors(w, k->unit);
    print_table(w, k);
    print_line_mark(w, origin);
}

/* The main file from *origin up to `until`, with the annotations of transformed kernels.
 */
static void print_plain(struct rewriter *w, size_t *origin, size_t until)
{
    for (size_t i = 0; i < w->kernels.count; i++) {
        const struct kernel *k = &w->kernels.items[i];

        for (size_t j = 0; k->unit && j < k->sources.count; j++) {
            const struct dl__note *note = k->sources.items[j].note;

            if (note->origin == SIZE_MAX || note->origin < *origin ||
                note->origin >= until)
                continue;
            dl__buf_add(&w->out, w->main.text + *origin, note->origin - *origin);
            print_annotation(w, k, &k->sources.items[j]);
            *origin = note->origin_end;
        }
    }
    if (until > *origin)
        dl__buf_add(&w->out, w->main.text + *origin, until - *origin);
    *origin = until;
}

static void print_all(struct rewriter *w)
{
    size_t origin = 0;

    w->out.arena = &w->arena;
    for (size_t i = 0; i < w->kernels.count; i++) {
        const struct kernel *k = &w->kernels.items[i];
        struct dl__place start;
        size_t line_start, at;

        if (!k->unit)
            continue;
        start = dl__expanded_place(&w->expanded, k->function->item_at);
        line_start = start.offset;
        while (line_start > origin && strchr(" \t", w->main.text[line_start - 1]))
            line_start--;
        print_plain(w, &origin, line_start);
        if (line_start && w->main.text[line_start - 1] != '\n')
            dl__buf_puts(&w->out, "\n");
        print_block(w, k, start.offset);
        print_plain(w, &origin, start.offset);
        dl__edits_print(&k->unit->edits, &w->expanded, k->function->item_at,
                        k->function->body_end, &w->out, &at);
        origin = dl__expanded_place(&w->expanded, k->function->body_end - 1).offset + 1;
    }
    print_plain(w, &origin, w->main.bytes);
}

/* ---- the passes ------------------------------------------------------------------ */

/* Preprocesses and parses the text, with `more` options behind the program's. */
static void parse(struct rewriter *w, const char *more)
{
    const struct dl_side_file *side = w->options->side;
    struct dl__preprocess_input input = {.main = &w->main,
                                         .options = &w->build,
                                         .headers = w->options->headers,
                                         .header_count = w->options->header_count,
                                         .compiler_macros = compiler_macros,
                                         .user = w,
                                         .remark = w->remark,
                                         .remark_user = w->user};
    const char **bodies;

    dl__build_options_parse(
        &w->arena,
        dl__arena_format(&w->arena, "%s %s",
                         w->options->build_options ? w->options->build_options : "",
                         more),
        &w->build);
    if (w->build.relaxed)
        say(w, DL_REMARK, w->main.name, 0, 0,
            "%s lets the compiler round differently in transformed kernels",
            w->build.relaxed);
    w->ast_options.cl_std = w->build.cl_std;
    w->ast_options.device_extensions = w->options->device_extensions;
    w->ast_options.device_macros = w->options->device_macros;
    w->ast_options.device_macro_count = w->options->device_macro_count;
    input.directory = ".";
    if (w->options->file_name && strrchr(w->options->file_name, '/'))
        input.directory = dl__arena_text(
            &w->arena, w->options->file_name,
            (size_t)(strrchr(w->options->file_name, '/') - w->options->file_name) + 1);
    bodies =
        dl__arena_alloc(&w->arena, ((side ? side->entry_count : 0) + 1) * sizeof *bodies);
    for (size_t i = 0; side && i < side->entry_count; i++)
        bodies[i] = side->entries[i].body;
    input.bodies = bodies;
    input.body_count = side ? side->entry_count : 0;
    dl__preprocess(&w->arena, &input, &w->expanded);
    dl__ast_parse(&w->ast, &w->arena, w->clang, w->expanded.text, w->expanded.bytes,
                  &w->ast_options, on_parse_error, w);
}

static enum dl_status run(struct rewriter *w)
{
    bool any = false;

    parse(w, "");
    w->tracker.arena = w->tracker.accessors.arena = &w->arena;
    w->tracker.ast = &w->ast;
    w->tracker.expanded = &w->expanded;
    bind_comments(w);
    bind_side_file(w);
    if (!w->kernels.count || !names_are_free(w))
        return DL_EREFUSED;
    qsort(w->kernels.items, w->kernels.count, sizeof *w->kernels.items, by_place);
    for (size_t i = 0; i < w->kernels.count; i++) {
        transform(w, &w->kernels.items[i]);
        if (w->kernels.items[i].unit && w->options->explain)
            explain(w, &w->kernels.items[i]);
        any |= w->kernels.items[i].unit != NULL;
    }
    if (!any)
        return DL_EREFUSED;
    print_all(w);
    return DL_OK;
}

static struct rewriter *open_rewriter(const char *text, size_t text_bytes,
                                      const struct dl_annotate_options *options,
                                      dl_remark_fn remark, void *user)
{
    static const struct dl_annotate_options none;
    struct rewriter *w = calloc(1, sizeof *w);

    if (!w)
        return NULL;
    w->options = options ? options : &none;
    w->remark = count_remark;
    w->user = w;
    w->caller_remark = remark;
    w->caller_user = user;
    w->main.name = w->options->file_name ? w->options->file_name : "<program source>";
    w->main.text = text;
    w->main.bytes = text_bytes;
    w->main.is_main = true;
    return w;
}

static void close_rewriter(struct rewriter *w)
{
    dl__ast_free(&w->ast);
    dl__arena_free(&w->arena);
    free(w);
}

enum dl_status dl_annotate_check(const char *text, size_t text_bytes,
                                 const struct dl_annotate_options *options,
                                 dl_remark_fn remark, void *user)
{
    static const char *const knobs[] = {"-DDL_TILE=1", "-DDL_TILE=32", "-DDL_TILE=24",
                                        "-DDL_TILE=0 -DDL_INDEX_64"};
    struct dl_notes *notes;
    enum dl_status st = dl_annotate_scan(text, text_bytes, remark, user, &notes);

    if (st != DL_OK)
        return st;
    dl_notes_free(notes);
    for (size_t i = 0; i < sizeof knobs / sizeof *knobs && st == DL_OK; i++) {
        struct rewriter *w = open_rewriter(text, text_bytes, options, remark, user);
        const char *reason = "";

        if (!w)
            return DL_ENOMEM;
        st = dl__clang_load(w->options->libclang, &w->clang, &reason);
        if (st != DL_OK)
            say(w, DL_WARNING, NULL, 0, 0, "%s", reason);
        else if (setjmp(w->arena.fail))
            st = w->arena.failure;
        else
            parse(w, knobs[i]);
        close_rewriter(w);
    }
    return st;
}

enum dl_status dl_annotate_rewrite(const char *text, size_t text_bytes,
                                   const struct dl_annotate_options *options,
                                   dl_remark_fn remark, void *user, char **out)
{
    struct rewriter *w;
    enum dl_status st;
    const char *reason = "";

    if (dl_annotate_is_rewritten(text, text_bytes)) {
        *out = strndup(text, text_bytes);
        return *out ? DL_OK : DL_ENOMEM;
    }
    w = open_rewriter(text, text_bytes, options, remark, user);
    if (!w)
        return DL_ENOMEM;
    st = dl__clang_load(w->options->libclang, &w->clang, &reason);
    if (st != DL_OK) {
        say(w, DL_WARNING, NULL, 0, 0, "%s", reason);
        goto out;
    }
    if (setjmp(w->arena.fail))
        st = w->arena.failure;
    else
        st = run(w);
    if (st == DL_EPARSE && !w->remark_count)
        say(w, DL_WARNING, w->main.name, 0, 0, "the program's macros expand without end");
    if (st == DL_OK) {
        char *copy = malloc(w->out.count + 1);

        if (copy)
            memcpy(copy, w->out.items, w->out.count + 1);
        st = copy ? DL_OK : DL_ENOMEM;
        if (copy)
            *out = copy;
    }
out:
    close_rewriter(w);
    return st;
}

bool dl_annotate_wanted(const char *text, size_t text_bytes,
                        const struct dl_side_file *side)
{
    static const char mark[] = "DL:";
    const char *at = text, *end = text + text_bytes;

    for (size_t i = 0; side && i < side->entry_count; i++)
        if (memmem(text, text_bytes, side->entries[i].kernel,
                   strlen(side->entries[i].kernel)))
            return true;
    while (end - at >= 5 && (at = memmem(at, (size_t)(end - at), mark, 3)) != NULL) {
        const char *before = at;

        while (before > text && (before[-1] == ' ' || before[-1] == '\t'))
            before--;
        if (before - text >= 2 && before[-1] == '/' && before[-2] == '/')
            return true;
        at += 3;
    }
    return false;
}
