/* SPDX-License-Identifier: MIT */
/* From annotations to kernels, buffers and dimensions. */
#include "annotate/program/bind.h"

#include <stdlib.h>
#include <string.h>

#include "annotate/tree/resolve.h"
#include "annotate/forms/forms.h"
#include "annotate/forms/pattern.h"
#include "annotate/program/cast.h"
#include "annotate/program/grid.h"

struct dl__kernel *dl__kernel_of(struct dl__rewriter *w, struct dl__function *f)
{
    struct dl__kernel fresh = {.function = f};

    for (size_t i = 0; i < w->kernels.count; i++)
        if (w->kernels.items[i].function == f)
            return &w->kernels.items[i];
    DL__PUSH(&w->arena, &w->kernels, fresh);
    return &w->kernels.items[w->kernels.count - 1];
}

/* True when one invocation of a macro, or invocations on one line, make both kernels. */
static bool made_together(struct dl__rewriter *w, const struct dl__function *first,
                          const struct dl__function *other)
{
    const struct dl__segment *a = dl__expanded_segment(&w->expanded, first->item_at),
                             *b = dl__expanded_segment(&w->expanded, other->item_at);

    return a->kind == DL__EXPANSION && b->kind == DL__EXPANSION && a->file == b->file &&
           dl__file_place(a->file, a->origin).line ==
               dl__file_place(b->file, b->origin).line;
}

/* True when the kernel has an argument for each buffer that an annotation names. */
static bool has_buffers(struct dl__rewriter *w, const struct dl__function *f,
                        const char *body)
{
    struct dl__wishes wishes = {0};
    const char *reason;

    if (!dl__annotation_parse(&w->arena, body, &wishes, &reason))
        return false;
    for (size_t i = 0; i < wishes.count; i++) {
        size_t p = 0;

        while (p < f->parameter_count &&
               strcmp(f->parameters[p].name, wishes.items[i].buffer))
            p++;
        if (p == f->parameter_count)
            return false;
    }
    return true;
}

/* The annotation above a macro's invocation is for all kernels that this makes, as far as
 * they have such buffers. */
static void bind_together(struct dl__rewriter *w, const struct dl__function *first,
                          const struct dl__source *source)
{
    for (size_t i = 0; i < w->ast.functions.count; i++) {
        struct dl__function *f = &w->ast.functions.items[i];

        if (f->is_kernel && f->is_defined && f->item_at > first->item_at &&
            made_together(w, first, f) && has_buffers(w, f, source->note->body))
            DL__PUSH(&w->arena, &dl__kernel_of(w, f)->sources, *source);
    }
}

/* True when what follows at a place is a kernel that can't be read, which has been said.
 */
static bool is_unread(const struct dl__rewriter *w, size_t at,
                      const struct dl__function *next)
{
    for (size_t i = 0; i < w->ast.unread.count; i++) {
        const struct dl__unread *u = &w->ast.unread.items[i];

        if (u->kernel && u->end > at && (!next || u->begin < next->item_at))
            return true;
    }
    return false;
}

void dl__bind_comments(struct dl__rewriter *w)
{
    for (size_t i = 0; i < w->expanded.notes.count; i++) {
        const struct dl__note *note = &w->expanded.notes.items[i];
        struct dl__place place = dl__file_place(note->file, note->origin);
        struct dl__source source = {note->file->name, place.line, note, NULL};
        struct dl__function *next = NULL;
        struct dl__kernel *k;

        for (size_t f = 0; f < w->ast.functions.count && !next; f++) {
            struct dl__function *candidate = &w->ast.functions.items[f];

            if (candidate->is_kernel && candidate->is_defined &&
                candidate->item_at >= note->at)
                next = candidate;
        }
        if (is_unread(w, note->at, next))
            continue;
        if (!next) {
            dl__say(w, DL_WARNING, note->file->name, place.line, place.column,
                    "no kernel follows this annotation, so it does nothing");
            continue;
        }
        source.original = dl__arena_text(&w->arena, note->file->text + note->origin,
                                         note->origin_end - note->origin);
        k = dl__kernel_of(w, next);
        DL__PUSH(&w->arena, &k->sources, source);
        bind_together(w, next, &source);
    }
}

void dl__bind_side_file(struct dl__rewriter *w)
{
    const struct dl_side_file *side = w->options->side;

    for (size_t i = 0; side && i < side->entry_count; i++) {
        const struct dl__side_entry *entry = &side->entries[i];
        struct dl__function *f = dl__ast_kernel_named(&w->ast, entry->kernel);
        struct dl__note *note = DL__NEW(&w->arena, struct dl__note);
        struct dl__source source = {side->path, entry->line, note, entry->body};
        struct dl__kernel *k;

        if (!f)
            continue;
        k = dl__kernel_of(w, f);
        note->body = w->expanded.bodies[i];
        /* Replaces what the source says. */
        if (k->sources.count && k->sources.items[0].note->file)
            k->sources.count = 0;
        DL__PUSH(&w->arena, &k->sources, source);
    }
}

static const char *constants(struct dl__rewriter *w, const struct dl__function *f,
                             const char *text, const char **reason)
{
    return dl__resolve_constants(&w->arena, &w->ast, f, text, reason);
}

/* What every form's root has. */
static void fill_root(struct dl__arena *arena, struct dl__root *root,
                      const struct dl__function *f, size_t parameter,
                      const struct dl__type *type, const struct dl__buffer *buffer)
{
    if (buffer->grid) {
        root->extents = buffer->grid->extents;
        root->extent_count = buffer->grid->extent_count;
        root->grid_kernel = f;
        root->pattern = DL__NEW(arena, struct dl__pattern);
    }
    root->parameter = parameter;
    root->name = f->parameters[parameter].name;
    root->is_cast = type != f->parameters[parameter].type;
    root->written = buffer->soa && !type->element->is_const;
    root->space = type->address_space | (type->element->is_volatile ? DL__VOLATILE : 0u);
}

/* Adds the buffer of a wish to the kernel. NULL, or why it can't be. */
static const char *bind_wish(struct dl__rewriter *w, struct dl__kernel *k,
                             const struct dl__source *source, const struct dl__wish *wish)
{
    struct dl__function *f = k->function;
    const struct dl__type *type;
    struct dl__buffer buffer = {.name = wish->buffer,
                                .width = wish->width,
                                .file = source->file,
                                .line = source->line,
                                .dimension = "*",
                                .written = wish->dimension,
                                .soa = wish->soa,
                                .arrays = wish->arrays};
    struct dl__binding binding = {.arena = &w->arena,
                                  .ast = &w->ast,
                                  .function = f,
                                  .buffer = wish->buffer,
                                  .rows = &w->rows};
    struct dl__root *root = DL__NEW(&w->arena, struct dl__root);
    const char *reason = NULL, *dimension;
    size_t p = 0, leaves;

    while (p < f->parameter_count && strcmp(f->parameters[p].name, wish->buffer))
        p++;
    type = p < f->parameter_count ? dl__type_in_use(w, f, p) : NULL;
    if (type && wish->extent_count)
        type = dl__grid_pointer(w, type);
    if (!type)
        reason = dl__arena_format(&w->arena, "there is no argument '%s'", wish->buffer);
    binding.type = type;
    dimension = constants(w, f, wish->dimension, &reason);
    binding.width = wish->width;
    if (wish->extent_count && !reason) {
        buffer.grid = dl__grid_bind(w, f, source, wish, &reason);
        binding.width = dl__grid_width(type);
    }
    if (wish->width && *wish->width)
        binding.width = constants(w, f, wish->width, &reason);
    if (wish->arrays)
        binding.length = dimension;
    if (!reason)
        dl__form_bind(&binding, root);
    reason = reason ? reason : binding.reason;
    if (!reason && !root->element->name)
        reason =
            dl__arena_format(&w->arena, "the struct of '%s' has no name", wish->buffer);
    if (!reason && !dl__struct_leaves(&w->arena, root->element, &leaves, &reason))
        reason = dl__arena_format(&w->arena, "'%s': %s", wish->buffer, reason);
    if (!reason && *wish->dimension)
        buffer.dimension =
            dl__resolve_dimension(&w->arena, &w->ast, f, dimension, &reason);
    if (reason)
        return reason;
    fill_root(&w->arena, root, f, p, type, &buffer);
    buffer.root = root;
    DL__PUSH(&w->arena, &k->buffers, buffer);
    return NULL;
}

static bool is_bound(const struct dl__kernel *k, const char *name)
{
    for (size_t i = 0; i < k->buffers.count; i++)
        if (!strcmp(k->buffers.items[i].name, name))
            return true;
    return false;
}

/* At the word of the annotation that the text quotes. */
static void say(struct dl__rewriter *w, const struct dl__source *source, const char *text)
{
    const struct dl__file *file = source->note->file;
    struct dl_remark at = {DL_WARNING, source->file, source->line, 1, text};

    dl_remark_point(&at, file ? file->text : NULL);
    dl__say(w, DL_WARNING, source->file, source->line, at.column, "%s", text);
}

static void say_kernel_stays(struct dl__rewriter *w, const struct dl__kernel *k,
                             const struct dl__source *source, const char *reason)
{
    say(w, source,
        dl__arena_format(&w->arena, "%s; kernel '%s' %s%s", reason, k->function->name,
                         dl__wants_soa(k) ? "can't run" : "runs as written",
                         w->options->detect && !dl__wants_soa(k)
                             ? ": correct the annotation, or leave it out for DL to find "
                               "buffers itself"
                             : ""));
}

static void say_buffer_stays(struct dl__rewriter *w, const struct dl__kernel *k,
                             const struct dl__source *source, const char *buffer,
                             const char *reason)
{
    say(w, source,
        dl__arena_format(&w->arena, "kernel '%s', buffer '%s' is left as it is: %s",
                         k->function->name, buffer, reason));
}

void dl__bind_buffer(struct dl__rewriter *w, struct dl__kernel *k,
                     const struct dl__source *source, const struct dl__wish *wish)
{
    const char *reason = bind_wish(w, k, source, wish);

    if (reason && k->detected)
        say_buffer_stays(w, k, source, wish->buffer, reason);
    else if (reason)
        say_kernel_stays(w, k, source, reason);
}

/* A wish that can't be met. */
struct unmet {
    const struct dl__source *source;
    const char *buffer, *reason;
};

/* One buffer that can't be had does not cost the others, but a kernel that wants discrete
 * arrays must have all that it asks for. */
static bool say_unmet(struct dl__rewriter *w, const struct dl__kernel *k,
                      const struct unmet *items, size_t count)
{
    if (!k->buffers.count || dl__wants_soa(k)) {
        say_kernel_stays(w, k, items->source, items->reason);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        say_buffer_stays(w, k, items[i].source, items[i].buffer, items[i].reason);
    return true;
}

bool dl__read_annotations(struct dl__rewriter *w, struct dl__kernel *k)
{
    struct {
        struct unmet *items;
        size_t count, room;
    } unmet = {0};

    for (size_t i = 0; i < k->sources.count; i++) {
        const struct dl__source *source = &k->sources.items[i];
        struct dl__wishes wishes = {0};
        const char *reason;

        if (!dl__annotation_parse(&w->arena, source->note->body, &wishes, &reason)) {
            say_kernel_stays(w, k, source, reason);
            return false;
        }
        for (size_t b = 0; b < wishes.count; b++) {
            const char *name = wishes.items[b].buffer;

            if (is_bound(k, name)) {
                say_kernel_stays(
                    w, k, source,
                    dl__arena_format(&w->arena, "'%s' is annotated twice", name));
                return false;
            }
            reason = bind_wish(w, k, source, &wishes.items[b]);
            if (reason)
                DL__PUSH(&w->arena, &unmet, ((struct unmet){source, name, reason}));
        }
    }
    return !unmet.count || say_unmet(w, k, unmet.items, unmet.count);
}

bool dl__wants_soa(const struct dl__kernel *k)
{
    for (size_t i = 0; i < k->sources.count; i++) {
        const char *body = k->sources.items[i].note->body;

        if (dl__annotation_is_soa(body, strlen(body)))
            return true;
    }
    return false;
}
