/* SPDX-License-Identifier: MIT */
/* Annotations bound to kernels and buffers; buffers that are found without annotations,
 * and kernels that do more than write. */
#include "annotate/program/bind.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/forms/forms.h"
#include "annotate/text/lex.h"
#include "annotate/tree/resolve.h"
#include "annotate/values/integer.h"

struct uses {
    struct dl__unit *unit; /* for questions about nodes */
    size_t declared_at;
    const struct dl__type *type; /* NULL: none yet */
    bool failed;
};

static bool is_same(const struct dl__type *a, const struct dl__type *b)
{
    return a->kind == b->kind && a->identity == b->identity && a->name && b->name &&
           (a->kind == DL__T_STRUCT || !strcmp(a->name, b->name));
}

/* The first pointer that a name is converted to. */
static const struct dl__type *converted(struct dl__unit *u, const struct dl__type *own,
                                        struct dl__node *n)
{
    while (n->parent && n->parent->child_count == 1 &&
           (n->parent->kind == DL__N_PAREN || n->parent->kind == DL__N_IMPLICIT ||
            n->parent->kind == DL__N_CAST)) {
        const struct dl__type *type;

        n = n->parent;
        type = dl__type_of(u, n);
        if (type->kind != DL__T_POINTER)
            return NULL;
        if (type->element->kind == DL__T_OTHER && own->element->kind == DL__T_OTHER)
            continue;
        if (!is_same(type->element, own->element))
            return type->element->kind == DL__T_OTHER ? NULL : type;
    }
    return NULL;
}

static void look_at_uses(struct uses *l, const struct dl__type *own, struct dl__node *n)
{
    if (n->kind == DL__N_NAME && n->declared_at == l->declared_at) {
        const struct dl__type *type = converted(l->unit, own, n);

        l->failed |= !type || (l->type && !is_same(l->type->element, type->element)) ||
                     (type && type->element->is_volatile != own->element->is_volatile);
        l->type = type;
    }
    for (size_t i = 0; i < n->child_count && !l->failed; i++)
        look_at_uses(l, own, n->children[i]);
}

static const struct dl__type *type_in_use(struct dl__rewriter *w, struct dl__function *f,
                                          size_t number)
{
    const struct dl__type *own = f->parameters[number].type;
    struct uses l = {.declared_at = f->parameters[number].name_at};
    const struct dl__type *element;
    struct dl__type *type;

    if (own->kind != DL__T_POINTER || own->element->kind == DL__T_STRUCT ||
        own->element->kind == DL__T_POINTER)
        return own;
    l.unit = DL__NEW(&w->arena, struct dl__unit);
    l.unit->tracker = &w->tracker;
    l.unit->function = f;
    look_at_uses(&l, own, dl__ast_body(&w->ast, f));
    element = l.failed || !l.type ? NULL : l.type->element;
    if (!element || element->kind != DL__T_STRUCT) {
        const struct dl__type *led = dl__bytes_lead_to(l.unit, l.declared_at);

        element = led ? led : element;
    }
    if (!element || (element->kind != DL__T_STRUCT && own->element->kind != DL__T_OTHER))
        return own;
    type = DL__NEW(&w->arena, struct dl__type);
    *type = *own;
    type->element = element;
    return type;
}

/* Grids, from their annotations: `f[nz][ny][nx][4]`, whose dimensions are called z,
 * y, x and k. */

/* Makes the name of the dimension of this extent: `ny`, `NY` and `n_y` are y, `width` is
 * width. A number has no name. */
static void name_extent(const char *extent, char out[DL_GRID_NAME_BYTES])
{
    const char *at = extent;
    size_t bytes = 0;

    out[0] = '\0';
    while (isalnum((unsigned char)*at) || *at == '_')
        at++;
    if (*at || !(isalpha((unsigned char)*extent) || *extent == '_'))
        return;
    at = extent;
    if ((*at == 'n' || *at == 'N') && at[1])
        at += at[1] == '_' && at[2] ? 2 : 1;
    while (*at && bytes + 1 < DL_GRID_NAME_BYTES)
        out[bytes++] = (char)tolower((unsigned char)*at++);
    out[bytes] = '\0';
}

static bool is_taken(const struct dl_grid_names *names, size_t count, size_t but)
{
    for (size_t d = 0; d < count; d++)
        if (d != but && !strcmp(names->names[d], names->names[but]))
            return true;
    return false;
}

/* The extents as the user wrote them: macros' names are worth more than their values. */
static const char *const *written(struct dl__rewriter *w, const struct dl__source *source,
                                  const struct dl__wish *wish)
{
    const char *body = source->original ? strstr(source->original, "DL:") : NULL;
    struct dl__wishes wishes = {0};
    const char *ignored;

    body = body && source->note->file ? body + 3 : source->original;
    if (!body || !dl__annotation_parse(&w->arena, body, &wishes, &ignored))
        return wish->extents;
    for (size_t i = 0; i < wishes.count; i++)
        if (!strcmp(wishes.items[i].buffer, wish->buffer) &&
            wishes.items[i].extent_count == wish->extent_count)
            return wishes.items[i].extents;
    return wish->extents;
}

/* An extent without a name, or with one that another has, is called by its place: i0,
 * i1... The last is k, where it is a number. */
static void name_all(const char *const *extents, size_t count, struct dl_grid_names *out)
{
    size_t last = count - 1;

    for (size_t d = 0; d <= last; d++)
        name_extent(extents[d], out->names[d]);
    if (!out->names[last][0]) {
        snprintf(out->names[last], sizeof out->names[last], "k");
        if (is_taken(out, last + 1, last))
            out->names[last][0] = '\0';
    }
    for (size_t d = 0; d <= last; d++)
        if (!out->names[d][0] || is_taken(out, d, d))
            snprintf(out->names[d], sizeof out->names[d], "i%zu", d);
}

/* The grid that a wish describes. NULL: it can't be, and *reason says why. */
static const struct dl__grid_wish *
grid_bind(struct dl__rewriter *w, struct dl__function *f, const struct dl__source *source,
          const struct dl__wish *wish, const char **reason)
{
    struct dl__grid_wish *grid = DL__NEW(&w->arena, struct dl__grid_wish);
    char text[DL_GRID_TEXT_BYTES];
    struct dl_grid_layout layout;
    const char *wrong = NULL;

    grid->extent_count = wish->extent_count;
    grid->strips = wish->strips;
    for (size_t d = 0; d < wish->extent_count; d++) {
        const char *extent =
            dl__resolve_constants(&w->arena, &w->ast, f, wish->extents[d], reason);

        if (extent)
            extent = dl__resolve_dimension(&w->arena, f, extent, reason);
        if (!extent)
            return NULL;
        if (!strcmp(extent, "0")) {
            *reason = dl__arena_format(&w->arena, "an extent of '%s' is 0", wish->buffer);
            return NULL;
        }
        grid->extents[d] = extent;
    }
    name_all(written(w, source, wish), wish->extent_count, &grid->names);
    if (wish->strips)
        wrong = dl_grid_layout_parse(wish->strips, &grid->names,
                                     (uint32_t)grid->extent_count, &layout, text);
    if (wrong)
        *reason = dl__arena_format(&w->arena, "'%s': %s", wish->buffer, wrong);
    return wrong ? NULL : grid;
}

/* A pointer to arrays of a grid's elements, as one to elements. */
static const struct dl__type *grid_pointer(struct dl__rewriter *w,
                                           const struct dl__type *type)
{
    struct dl__type *made;

    if (type->kind != DL__T_POINTER || type->element->kind != DL__T_ARRAY)
        return type;
    made = DL__NEW(&w->arena, struct dl__type);
    *made = *type;
    made->element = dl__array_innermost(type->element);
    return made;
}

/* As second brackets would say what its elements are, in a buffer of this type; NULL:
 * structs. */
static const char *grid_width(const struct dl__type *type)
{
    bool flat =
        type && type->kind == DL__T_POINTER &&
        (type->element->kind == DL__T_SCALAR || type->element->kind == DL__T_VECTOR);

    return flat ? "1" : NULL;
}

/* ---- From annotations to kernels, buffers and dimensions. ---- */

/* The kernel of w->kernels, which it is put into. */
static struct dl__kernel *kernel_of(struct dl__rewriter *w, struct dl__function *f)
{
    if (!dl__kernel_with(w, f))
        DL__PUSH(&w->arena, &w->kernels, ((struct dl__kernel){.function = f}));
    return dl__kernel_with(w, f);
}

/* The number of the argument of that name; parameter_count: there is none. */
static size_t parameter_named(const struct dl__function *f, const char *name)
{
    size_t p = 0;

    while (p < f->parameter_count && strcmp(f->parameters[p].name, name))
        p++;
    return p;
}

/* True when the kernel has an argument for each buffer that an annotation names. */
static bool has_buffers(struct dl__rewriter *w, const struct dl__function *f,
                        const char *body)
{
    struct dl__wishes wishes = {0};
    const char *reason;
    bool has = dl__annotation_parse(&w->arena, body, &wishes, &reason);

    for (size_t i = 0; i < wishes.count && has; i++)
        has = parameter_named(f, wishes.items[i].buffer) < f->parameter_count;
    return has;
}

/* The annotation above a macro's invocation is for all kernels that this makes, or that
 * invocations on the same line make, as far as they have such buffers. */
static void bind_together(struct dl__rewriter *w, const struct dl__function *first,
                          const struct dl__source *source)
{
    const struct dl__segment *a = dl__expanded_segment(&w->expanded, first->item_at);

    for (size_t i = 0; i < w->ast.functions.count; i++) {
        struct dl__function *f = &w->ast.functions.items[i];
        const struct dl__segment *b = dl__expanded_segment(&w->expanded, f->item_at);

        if (f->is_kernel && f->is_defined && f->item_at > first->item_at &&
            a->kind == DL__EXPANSION && b->kind == DL__EXPANSION && a->file == b->file &&
            dl__file_place(a->file, a->origin).line ==
                dl__file_place(b->file, b->origin).line &&
            has_buffers(w, f, source->note->body))
            DL__PUSH(&w->arena, &kernel_of(w, f)->sources, *source);
    }
}

void dl__bind_comments(struct dl__rewriter *w)
{
    for (size_t i = 0; i < w->expanded.notes.count; i++) {
        const struct dl__note *note = &w->expanded.notes.items[i];
        struct dl__place place = dl__file_place(note->file, note->origin);
        struct dl__source source = {note->file->name, place.line, note, NULL};
        struct dl__function *next = NULL;
        bool is_unread = false; /* the kernel that follows: this has been said */

        for (size_t f = 0; f < w->ast.functions.count && !next; f++) {
            struct dl__function *candidate = &w->ast.functions.items[f];

            if (candidate->is_kernel && candidate->is_defined &&
                candidate->item_at >= note->at)
                next = candidate;
        }
        for (size_t u = 0; u < w->ast.unread.count; u++)
            is_unread |= w->ast.unread.items[u].kernel &&
                         w->ast.unread.items[u].end > note->at &&
                         (!next || w->ast.unread.items[u].begin < next->item_at);
        if (is_unread)
            continue;
        if (!next) {
            dl__say(w, DL_WARNING, note->file->name, place.line, place.column,
                    "no kernel follows this annotation, so it does nothing");
            continue;
        }
        source.original = dl__arena_text(&w->arena, note->file->text + note->origin,
                                         note->origin_end - note->origin);
        DL__PUSH(&w->arena, &kernel_of(w, next)->sources, source);
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
        k = kernel_of(w, f);
        note->body = w->expanded.bodies[i];
        /* Replaces what the source says. */
        if (k->sources.count && k->sources.items[0].note->file)
            k->sources.count = 0;
        DL__PUSH(&w->arena, &k->sources, source);
    }
}

/* Sets what every form's root has. */
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
    struct dl__binding binding = {
        .arena = &w->arena, .function = f, .buffer = wish->buffer, .rows = &w->rows};
    struct dl__root *root = DL__NEW(&w->arena, struct dl__root);
    const char *reason = NULL, *dimension;
    size_t p = parameter_named(f, wish->buffer), leaves;

    type = p < f->parameter_count ? type_in_use(w, f, p) : NULL;
    if (type && wish->extent_count)
        type = grid_pointer(w, type);
    if (!type)
        reason = dl__arena_format(&w->arena, "there is no argument '%s'", wish->buffer);
    binding.type = type;
    dimension = dl__resolve_constants(&w->arena, &w->ast, f, wish->dimension, &reason);
    binding.width = wish->width;
    if (wish->extent_count && !reason) {
        buffer.grid = grid_bind(w, f, source, wish, &reason);
        binding.width = grid_width(type);
    }
    if (wish->width && *wish->width)
        binding.width =
            dl__resolve_constants(&w->arena, &w->ast, f, wish->width, &reason);
    if (wish->arrays)
        binding.length = dimension;
    else if (!reason && wish->width && !*wish->width)
        reason = dl__arena_format(
            &w->arena,
            "the second brackets of '%s' are empty: they hold the width of a row",
            wish->buffer);
    if (!reason)
        dl__form_bind(&binding, root);
    reason = reason ? reason : binding.reason;
    if (!reason && !root->element->name)
        reason =
            dl__arena_format(&w->arena, "the struct of '%s' has no name", wish->buffer);
    if (!reason && !dl__struct_leaves(&w->arena, root->element, &leaves, &reason))
        reason = dl__arena_format(&w->arena, "'%s': %s", wish->buffer, reason);
    if (!reason && *wish->dimension)
        buffer.dimension = dl__resolve_dimension(&w->arena, f, dimension, &reason);
    if (reason) /* which names the buffer, or quotes a part of the annotation */
        return strchr(reason, '\'')
                   ? reason
                   : dl__arena_format(&w->arena, "'%s': %s", wish->buffer, reason);
    fill_root(&w->arena, root, f, p, type, &buffer);
    buffer.root = root;
    DL__PUSH(&w->arena, &k->buffers, buffer);
    return NULL;
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

/* True when every mention of a pointer, counted in *mentions, is `f->member`, and the
 * member's bytes are the struct's. */
static bool is_one_struct(struct dl__rewriter *w, struct dl__node *n, size_t declared_at,
                          size_t *mentions)
{
    struct dl__node *of = n->kind == DL__N_MEMBER ? dl__strip(n->children[0]) : n;

    if (of->kind == DL__N_NAME && of->declared_at == declared_at) {
        ++*mentions;
        return of != n && dl__ast_type(&w->ast, n->type)->bytes;
    }
    for (size_t i = 0; i < n->child_count; i++)
        if (!is_one_struct(w, n->children[i], declared_at, mentions))
            return false;
    return true;
}

const char *dl__left_since(struct dl__rewriter *w, struct dl__function *f,
                           const char *buffer, const char *reason)
{
    size_t mentions = 0, i = 0;

    while (!f->parameters[i].name || strcmp(f->parameters[i].name, buffer) != 0)
        i++;
    return is_one_struct(w, dl__ast_body(&w->ast, f), f->parameters[i].name_at,
                         &mentions) &&
                   mentions
               ? "neighbouring work-items use the same struct of it"
               : reason;
}

static void bind_buffer(struct dl__rewriter *w, struct dl__kernel *k,
                        const struct dl__source *source, const struct dl__wish *wish)
{
    const char *reason = bind_wish(w, k, source, wish);

    if (reason && k->detected)
        say_buffer_stays(w, k, source, wish->buffer,
                         dl__left_since(w, k->function, wish->buffer, reason));
    else if (reason)
        say_kernel_stays(w, k, source, reason);
}

/* ---- discrete arrays that a kernel takes for structs ---- */

/* The name that a struct, or a pointer to one, is reached from: `f` of `f[i]`, `*(f + i)`
 * and `&f[i]`; NULL: it is another expression, as behind a cast, by which a kernel may
 * reach arrays. */
static const struct dl__node *struct_base(const struct dl__rewriter *w,
                                          struct dl__node *n, bool *moved)
{
    for (n = dl__strip(n); n->kind != DL__N_NAME; n = dl__strip(n->children[0])) {
        const bool is_sum =
            n->kind == DL__N_BINARY && (dl__op_is(n, "+") || dl__op_is(n, "-"));

        if (n->kind == DL__N_SUBSCRIPT || is_sum) {
            const struct dl__node *index = n->children[1];

            *moved |= index->end - index->begin != 1 || w->ast.text[index->begin] != '0';
        } else if (n->kind != DL__N_UNARY || (!dl__op_is(n, "*") && !dl__op_is(n, "&"))) {
            return NULL;
        }
    }
    return n;
}

/* Returns a member of a struct behind the first, `f[i].a`, also through a variable or a
 * helper's parameter that begins as such a struct or pointer; NULL: there is none. The
 * address of a member of the first may be that of an array.
 *   calls  how many to look into yet; the text may call itself
 *   in     out, the function that has it */
static const struct dl__node *member_reached(struct dl__rewriter *w,
                                             struct dl__function *f, struct dl__node *n,
                                             size_t declared_at, bool moved,
                                             unsigned *calls, struct dl__function **in)
{
    struct dl__function *helper =
        n->kind == DL__N_CALL ? dl__ast_callee(&w->ast, n) : NULL;
    const struct dl__node *base = NULL, *found = NULL;
    bool is_moved = moved;

    if (n->child_count && (n->kind == DL__N_MEMBER || n->kind == DL__N_VARIABLE))
        base = struct_base(w, n->children[n->child_count - 1], &is_moved);
    if (base && base->declared_at != declared_at)
        base = NULL;
    if (base && n->kind == DL__N_MEMBER && is_moved) {
        *in = f;
        return n;
    }
    if (base && n->kind == DL__N_VARIABLE && n->name_at != declared_at)
        found = member_reached(w, f, dl__ast_body(&w->ast, f), n->name_at, is_moved,
                               calls, in);
    for (size_t i = 0; i < n->child_count && !found; i++)
        found = member_reached(w, f, n->children[i], declared_at, moved, calls, in);
    for (size_t i = 1; helper && helper->is_defined && !found && i < n->child_count &&
                       i <= helper->parameter_count;
         i++) {
        is_moved = moved;
        base = struct_base(w, n->children[i], &is_moved);
        if (base && base->declared_at == declared_at && *calls) {
            --*calls;
            found =
                member_reached(w, helper, dl__ast_body(&w->ast, helper),
                               helper->parameters[i - 1].name_at, is_moved, calls, in);
        }
    }
    return found;
}

/* Why a wish for discrete arrays can't be right, as the kernel reaches structs; NULL: it
 * may be. */
static const char *takes_structs(struct dl__rewriter *w, struct dl__function *f,
                                 const struct dl__wish *wish)
{
    const size_t p = parameter_named(f, wish->buffer);
    const struct dl__type *type = p < f->parameter_count ? f->parameters[p].type : NULL;
    const struct dl__node *at;
    struct dl__function *in = f;
    unsigned calls = 64;

    if (!wish->soa || wish->width || !type || type->kind != DL__T_POINTER ||
        type->element->kind != DL__T_STRUCT)
        return NULL;
    at = member_reached(w, f, dl__ast_body(&w->ast, f), f->parameters[p].name_at, false,
                        &calls, &in);
    if (!at)
        return NULL;
    return dl__arena_format(
        &w->arena,
        "'%s' is annotated as discrete arrays (SoA), and `%.*s`%s reaches its structs: "
        "write `AoS: %s[%s]`",
        wish->buffer, (int)(at->end - at->begin), w->ast.text + at->begin,
        in == f ? "" : dl__arena_format(&w->arena, " in '%s'", in->name), wish->buffer,
        wish->dimension);
}

/* True when none of the buffers that are annotated as discrete arrays can be such. */
static bool all_take_structs(struct dl__rewriter *w, const struct dl__kernel *k)
{
    bool all = true;

    for (size_t i = 0; i < k->sources.count; i++) {
        struct dl__wishes wishes = {0};
        const char *reason;

        dl__annotation_parse(&w->arena, k->sources.items[i].note->body, &wishes, &reason);
        for (size_t b = 0; b < wishes.count; b++)
            all &= !wishes.items[b].soa ||
                   takes_structs(w, k->function, &wishes.items[b]) != NULL;
    }
    return all;
}

bool dl__read_annotations(struct dl__rewriter *w, struct dl__kernel *k)
{
    struct {
        struct unmet {
            const struct dl__source *source;
            const char *buffer, *reason;
        } * items;
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

            if (dl__buffer_named(k, name)) {
                say_kernel_stays(
                    w, k, source,
                    dl__arena_format(&w->arena, "'%s' is annotated twice", name));
                return false;
            }
            reason = takes_structs(w, k->function, &wishes.items[b]);
            if (reason) {
                k->takes_structs = all_take_structs(w, k);
                say_kernel_stays(w, k, source, reason);
                return false;
            }
            reason = bind_wish(w, k, source, &wishes.items[b]);
            if (reason)
                DL__PUSH(&w->arena, &unmet, ((struct unmet){source, name, reason}));
        }
    }
    /* One buffer that can't be had does not cost the others, but a kernel that wants
     * discrete arrays must have all that it asks for. */
    if (unmet.count && (!k->buffers.count || dl__wants_soa(k))) {
        say_kernel_stays(w, k, unmet.items->source, unmet.items->reason);
        return false;
    }
    for (size_t i = 0; i < unmet.count; i++)
        say_buffer_stays(w, k, unmet.items[i].source, unmet.items[i].buffer,
                         unmet.items[i].reason);
    return true;
}

bool dl__wants_soa(const struct dl__kernel *k)
{
    for (size_t i = 0; i < k->sources.count && !k->takes_structs; i++) {
        const char *body = k->sources.items[i].note->body;

        if (dl__annotation_is_soa(body, strlen(body)))
            return true;
    }
    return false;
}

/* ---- kernels that do more than write ---- */

struct search {
    struct dl__reachable functions;
    bool prints, more; /* beside printing */
    bool draws;        /* what an atomic function returns is used */
};

/* True of functions whose result depends on which work-item comes first. */
static bool is_atomic_name(const struct dl__token *t)
{
    return t->kind == DL__NAME &&
           dl__atomic_of(t->text, t->bytes) == (DL__ATOMIC_READS | DL__ATOMIC_WRITES);
}

/* Where a token of a body stands. */
struct place {
    struct dl__token last;
    uint64_t
        conditions; /* of the parentheses around it, by bits: those of an if or a loop */
    bool after_condition;
};

/* True where a statement begins. A cast to void is taken for a use. */
static bool begins_statement(const struct place *place)
{
    return dl__token_in(&place->last, "{ } ; else do") ||
           (dl__token_is(&place->last, ")") && place->after_condition);
}

static void pass(struct place *place, const struct dl__token *t)
{
    if (t->kind == DL__NEWLINE)
        return;
    if (dl__token_is(t, "(")) {
        place->conditions <<= 1;
        place->conditions |=
            dl__is_in("if for while switch", place->last.text, place->last.bytes);
    } else if (dl__token_is(t, ")")) {
        place->after_condition = place->conditions & 1;
        place->conditions >>= 1;
    }
    place->last = *t;
}

/* False of most texts, which then need not be searched function by function. */
static bool search_text(struct dl__rewriter *w)
{
    struct dl__lexer lexer = dl__lexer_of(&w->ast.tokens, 0, w->ast.bytes);
    struct dl__token t;

    for (size_t i = 0; i < w->ast.functions.count; i++) {
        const char *name = w->ast.functions.items[i].name;
        const struct dl__function *f = NULL;

        while ((f = dl__ast_named(&w->ast, name, f)) != NULL && !f->is_defined)
            ;
        if (!f)
            return true;
    }
    while ((t = dl__lex_next(&lexer)).kind != DL__END)
        if (dl__token_in(&t, "printf enqueue_kernel") || is_atomic_name(&t))
            return true;
    return false;
}

static struct search search(struct dl__rewriter *w, struct dl__function *f)
{
    struct search s = {.functions = dl__ast_reachable(&w->ast, f)};

    s.more = s.functions.lacks_one;
    for (size_t i = 0; i < s.functions.count; i++) {
        struct dl__lexer lexer = dl__ast_body_tokens(&w->ast, s.functions.items[i]);
        struct place place = {.last.text = "{", .last.bytes = 1};
        struct dl__token t;

        while ((t = dl__lex_next(&lexer)).kind != DL__END) {
            s.draws |= is_atomic_name(&t) && !begins_statement(&place);
            pass(&place, &t);
            s.prints |= dl__token_is(&t, "printf");
            s.more |= dl__token_is(&t, "enqueue_kernel");
        }
    }
    return s;
}

/* Finds out what the function does, once: each time that it is printed it is asked for.
 */
static struct dl__function *searched(struct dl__rewriter *w, struct dl__function *f)
{
    struct search s;

    if (w->text_does == DL__NOT_ASKED)
        w->text_does = search_text(w) ? DL__DOES_MORE : DL__WRITES_ALONE;
    if (w->text_does == DL__WRITES_ALONE || f->is_searched)
        return f;
    s = search(w, f);
    f->is_searched = true;
    f->does_more = s.prints || s.more;
    f->draws = s.draws;
    return f;
}

bool dl__does_more_than_write(struct dl__rewriter *w, struct dl__function *f)
{
    return searched(w, f)->does_more;
}

/* ---- what prints ---- */

static bool is_among(const struct dl__printing *all, const struct dl__function *f)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i] == f)
            return true;
    return false;
}

static bool names_one(struct dl__rewriter *w, const struct dl__function *f,
                      const struct dl__printing *all)
{
    struct dl__lexer lexer = dl__ast_body_tokens(&w->ast, f);
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (dl__token_is(&t, "printf"))
            return true;
        for (size_t i = 0; t.kind == DL__NAME && i < all->count; i++)
            if (dl__token_is(&t, all->items[i]->name))
                return true;
    }
    return false;
}

/* A name stands for one function. */
static bool is_overloaded(const struct dl__rewriter *w, const struct dl__function *f)
{
    const struct dl__function *other = NULL;

    while ((other = dl__ast_named(&w->ast, f->name, other)) != NULL)
        if (other != f && other->is_defined)
            return true;
    return false;
}

static int by_place(const void *left, const void *right)
{
    const struct dl__function *const *a = left, *const *b = right;

    return ((*a)->item_at > (*b)->item_at) - ((*a)->item_at < (*b)->item_at);
}

bool dl__only_prints(struct dl__rewriter *w, struct dl__function *f,
                     struct dl__printing *out)
{
    struct search s = search(w, f);
    size_t before;

    *out = (struct dl__printing){0};
    if (!s.prints || s.more)
        return false;
    do {
        before = out->count;
        for (size_t i = 0; i < s.functions.count; i++)
            if (!is_among(out, s.functions.items[i]) &&
                names_one(w, s.functions.items[i], out)) {
                if (is_overloaded(w, s.functions.items[i]) ||
                    (s.functions.items[i]->is_kernel && s.functions.items[i] != f))
                    return false;
                DL__PUSH(&w->arena, out, s.functions.items[i]);
            }
    } while (out->count > before);
    qsort(out->items, out->count, sizeof *out->items, by_place);
    return true;
}

/* ---- Buffers that are found without annotations. ---- */

enum { DEPTH_MAX = 8 };

struct waiting {
    struct dl__rewriter *w;
    size_t declared_at; /* the parameter */
    unsigned depth;     /* of helpers */
    bool is_atomic;     /* an atomic function takes it */
    bool is_in_loop;    /* the call of the helper is */
    bool is_read;       /* it is read in a loop without one */
    bool is_lost;       /* it goes where it is not followed */
};

static void look(struct waiting *s, struct dl__node *n);

/* Only in a loop is something waited for. */
static bool is_in_loop(const struct waiting *s, const struct dl__node *n)
{
    bool in_loop = s->is_in_loop;

    for (; n && !in_loop; n = n->parent) {
        struct dl__lexer lexer = dl__lexer_at(s->w->ast.text, n->begin, n->end);
        struct dl__token t;

        if (n->kind == DL__N_BRANCH)
            t = dl__lex_next(&lexer);
        in_loop = n->kind == DL__N_BRANCH && dl__token_in(&t, "while for do");
    }
    return in_loop;
}

static bool has_goto(const struct waiting *s, const struct dl__function *f)
{
    struct dl__lexer lexer = dl__ast_body_tokens(&s->w->ast, f);
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END)
        if (dl__token_is(&t, "goto"))
            return true;
    return false;
}

static void look_into(struct waiting *s, struct dl__function *f, size_t number,
                      bool in_loop)
{
    struct waiting inner = {.w = s->w, .depth = s->depth + 1};

    if (!f->is_defined || number >= f->parameter_count || s->depth >= DEPTH_MAX) {
        s->is_lost = true;
        return;
    }
    inner.declared_at = f->parameters[number].name_at;
    inner.is_in_loop = in_loop || has_goto(s, f);
    look(&inner, dl__ast_body(&s->w->ast, f));
    s->is_atomic |= inner.is_atomic;
    s->is_lost |= inner.is_lost || (inner.is_read && !inner.is_atomic);
}

static void look_at_call(struct waiting *s, const struct dl__node *call,
                         const struct dl__node *argument)
{
    struct dl__function *f = dl__ast_callee(&s->w->ast, call);
    size_t number = 1;

    while (number < call->child_count && call->children[number] != argument)
        number++;
    if (f && number < call->child_count)
        look_into(s, f, number - 1, is_in_loop(s, call));
    else if (call->name && dl__atomic_of(call->name, strlen(call->name)))
        s->is_atomic = true;
    else
        s->is_lost = true;
}

/* Where a mention of the pointer goes: to a call, by sums and casts, or to what it points
 * to. */
static void follow_pointer(struct waiting *s, const struct dl__node *n)
{
    bool is_place = false; /* what it points to, not the pointer */

    for (const struct dl__node *up = n->parent; up; n = up, up = up->parent) {
        bool steps = dl__op_is(up, "+") || dl__op_is(up, "-");

        if (up->kind == DL__N_CALL && !is_place) {
            look_at_call(s, up, n);
            return;
        }
        if (up->kind == DL__N_PAREN || up->kind == DL__N_CAST ||
            (up->kind == DL__N_IMPLICIT && !is_place) ||
            (up->kind == DL__N_BINARY && steps && !is_place))
            continue;
        if (up->kind == DL__N_UNARY && dl__op_is(up, "&") && is_place) {
            is_place = false;
        } else if (up->kind == DL__N_MEMBER ||
                   (up->kind == DL__N_UNARY && dl__op_is(up, "*") && !is_place) ||
                   (up->kind == DL__N_SUBSCRIPT && up->children[0] == n)) {
            is_place = true;
        } else {
            s->is_read |= is_place && !(dl__op_is(up, "=") && up->children[0] == n) &&
                          is_in_loop(s, up);
            s->is_lost |= !is_place;
            return;
        }
    }
    s->is_lost = true;
}

static void look(struct waiting *s, struct dl__node *n)
{
    if (n->kind == DL__N_NAME && n->declared_at == s->declared_at)
        follow_pointer(s, n);
    for (size_t i = 0; i < n->child_count; i++)
        look(s, n->children[i]);
}

/* True when a function may wait for what others write to a volatile argument: it reads it
 * in a loop, and gives it to no atomic function there, as one does that adds by compare
 * and exchange; or the pointer goes where it is not followed. */
static bool may_wait(struct dl__rewriter *w, struct dl__function *f, size_t number)
{
    struct waiting s = {.w = w, .declared_at = f->parameters[number].name_at};

    s.is_in_loop = has_goto(&s, f);
    look(&s, dl__ast_body(&w->ast, f));
    return s.is_lost || (s.is_read && !s.is_atomic);
}

/* Flat buffers of rows, found by their indices: each is a row times a width, plus a
 * place in the row. And discrete arrays: each is a number of lengths, plus a place in the
 * array. */

enum {
    POINTERS_MAX = 32,
    LENGTH_MIN = 64,     /* of discrete arrays, where it is a constant */
    PRODUCTS_FIRST = 56, /* numbers from here on are products of arguments */
    NO_NUMBER = 64
};

/* All that is known of a buffer after its accesses so far. */
struct found {
    const struct dl__function *kernel;
    int64_t width;       /* the divisor of all; 0: none yet */
    uint64_t parameters; /* by bits: arguments that may be the width */
    /* The same: those that can't be a length, those that are one times a constant or a
     * count, and those times another one than 1. */
    uint64_t no_lengths, lengths, sure_lengths;
    const char *products[NO_NUMBER - PRODUCTS_FIRST]; /* of arguments */
    size_t product_count;
    int64_t length; /* of a constant: the divisor of all that may be one */
    bool is_length_sure;
    int64_t
        largest_place; /* times which something else is added; 0: there is nothing else */
    bool failed;
};

struct looking {
    struct found *found;
    struct dl__scope *scope;
    /* Where the argument is declared, and pointers that are set from it. */
    size_t pointers[POINTERS_MAX];
    size_t pointer_count;
};

/* ---- terms ---- */

static bool is_counted(const struct dl__polynomial_term *term)
{
    for (size_t a = 0; a < term->count; a++)
        if (!term->atoms[a]->origin->is_counted)
            return false;
    return true;
}

/* The kernel's argument that an atom is, whatever it was converted to; NO_NUMBER: none.
 */
static size_t parameter_of(const struct dl__atom *atom)
{
    const struct dl__origin *origin = atom->origin;

    while (dl__is_conversion_of(origin)) {
        const struct dl__polynomial *sum = &origin->of[0]->sum;

        if (sum->terms.count != 1 || sum->terms.items[0].count != 1 ||
            sum->terms.items[0].coefficient != 1)
            return NO_NUMBER;
        origin = sum->terms.items[0].atoms[0]->origin;
    }
    return origin->parameter < NO_NUMBER ? origin->parameter : NO_NUMBER;
}

/* Arguments that a term is a multiple of, by bits. */
static uint64_t parameters_in(const struct dl__polynomial_term *term)
{
    uint64_t bits = 0;

    for (size_t a = 0; a < term->count; a++) {
        size_t number = parameter_of(term->atoms[a]);

        bits |= number < NO_NUMBER ? UINT64_C(1) << number : 0;
    }
    return bits;
}

/* The number of a product, by its text; NO_NUMBER: there are too many. */
static size_t product_number(struct found *found, const char *product)
{
    size_t i = 0;

    while (i < found->product_count && strcmp(found->products[i], product) != 0)
        i++;
    if (i == NO_NUMBER - PRODUCTS_FIRST)
        return NO_NUMBER;
    if (i == found->product_count)
        found->products[found->product_count++] = product;
    return PRODUCTS_FIRST + i;
}

/* Notes what a term says of an argument or product in it as a length. */
static void note_length(struct found *found, size_t number, bool is_length, bool is_sure)
{
    uint64_t bit = UINT64_C(1) << number;

    *(is_length ? &found->lengths : &found->no_lengths) |= bit;
    found->sure_lengths |= is_length && is_sure ? bit : 0;
}

/* `k * (nx * ny)`: what it says of the product of all arguments in it, by the arguments'
 * order, as a length. */
static void look_for_product(struct looking *l, const struct dl__polynomial_term *term)
{
    struct dl__buf text = {.arena = l->scope->unit->tracker->arena};
    const struct dl__function *f = l->found->kernel;
    bool is_length = term->coefficient >= 0;
    size_t arguments = 0, number;

    for (size_t i = 0; i < f->parameter_count && i < NO_NUMBER; i++)
        for (size_t a = 0; a < term->count; a++)
            if (parameter_of(term->atoms[a]) == i)
                dl__buf_printf(&text, "%s%s", arguments++ ? " * " : "",
                               f->parameters[i].name);
    number = arguments > 1 ? product_number(l->found, text.items) : NO_NUMBER;
    for (size_t a = 0; a < term->count; a++)
        is_length &= parameter_of(term->atoms[a]) != NO_NUMBER ||
                     term->atoms[a]->origin->is_counted;
    if (number != NO_NUMBER)
        note_length(l->found, number, is_length,
                    term->count > arguments || term->coefficient != 1);
}

static void look_for_lengths(struct found *found, const struct dl__polynomial_term *term)
{
    for (size_t a = 0; a < term->count; a++) {
        size_t number = parameter_of(term->atoms[a]);
        bool is_length = term->coefficient >= 0;

        for (size_t other = 0; other < term->count; other++)
            is_length &= other == a || term->atoms[other]->origin->is_counted;
        if (number < PRODUCTS_FIRST)
            note_length(found, number, is_length,
                        term->count > 1 || term->coefficient != 1);
    }
}

/* The same of constants. */
static void look_for_length(struct found *found, const struct dl__polynomial_term *term)
{
    if (!is_counted(term)) {
        int64_t by = term->coefficient < 0 ? -term->coefficient : term->coefficient;

        found->largest_place = by > found->largest_place ? by : found->largest_place;
    } else if (term->coefficient >= LENGTH_MIN) {
        found->length = dl__common_divisor(found->length, term->coefficient);
        found->is_length_sure |= term->count > 0;
    }
}

/* ---- accesses ---- */

static void look_at_value(struct looking *l, const struct dl__integer *value,
                          int64_t factor);

/* A term that is a place in the row says nothing; of a choice, both values are looked at.
 */
static void look_at_term(struct looking *l, const struct dl__polynomial_term *term,
                         int64_t factor)
{
    struct dl__polynomial_term whole = *term;
    const struct dl__origin *only = term->count == 1 ? term->atoms[0]->origin : NULL;

    if (__builtin_mul_overflow(term->coefficient, factor, &whole.coefficient))
        l->found->failed = true;
    if (only && dl__is_zero_product(only)) {
        look_at_value(l, only->of[0], 0);
        return;
    }
    if (only && only->of[0] && !is_counted(term)) {
        look_at_value(l, only->of[0], whole.coefficient);
        if (only->of[1])
            look_at_value(l, only->of[1], whole.coefficient);
        return;
    }
    look_for_lengths(l->found, &whole);
    look_for_product(l, &whole);
    if (!whole.coefficient)
        return;
    look_for_length(l->found, &whole);
    if (is_counted(term))
        return;
    l->found->width = dl__common_divisor(l->found->width, whole.coefficient);
    l->found->parameters &= parameters_in(&whole);
}

static void look_at_value(struct looking *l, const struct dl__integer *value,
                          int64_t factor)
{
    for (size_t t = 0; t < value->sum.terms.count; t++)
        look_at_term(l, &value->sum.terms.items[t], factor);
}

/* One access: what can be its width is left. */
static void look_at_index(struct looking *l, struct dl__node *index)
{
    if (dl__is_integer_type(dl__type_of(l->scope->unit, index)))
        look_at_value(l, dl__integer_of(l->scope, index), 1);
    else
        l->found->failed = true;
}

static bool is_pointer(const struct looking *l, size_t declared_at)
{
    for (size_t i = 0; i < l->pointer_count; i++)
        if (l->pointers[i] == declared_at)
            return true;
    return false;
}

/* True for a pointer into the buffer. */
static bool points_there(const struct looking *l, struct dl__node *n)
{
    n = dl__strip(n);
    if (n->kind == DL__N_NAME)
        return is_pointer(l, n->declared_at);
    if (n->kind == DL__N_COMPOUND || dl__is_step(n))
        return points_there(l, n->children[0]);
    if (n->kind == DL__N_UNARY && dl__op_is(n, "&")) {
        n = dl__strip(n->children[0]);
        return n->kind == DL__N_SUBSCRIPT && n->child_count &&
               points_there(l, n->children[0]);
    }
    return n->kind == DL__N_BINARY && n->child_count == 2 &&
           (dl__op_is(n, "+") || dl__op_is(n, "-")) &&
           dl__type_of(l->scope->unit, n)->kind != DL__T_SCALAR &&
           (points_there(l, n->children[0]) || points_there(l, n->children[1]));
}

/* Adds the pointers that are set from such; true when there are more. */
static bool find_pointers(struct looking *l, struct dl__node *n)
{
    struct dl__node *source = NULL, *to = NULL;
    bool more = false;

    if (n->kind == DL__N_VARIABLE && n->child_count) {
        to = n;
        source = n->children[n->child_count - 1];
    } else if (n->kind == DL__N_BINARY && dl__op_is(n, "=") && n->child_count == 2) {
        to = dl__strip(n->children[0]);
        source = n->children[1];
    }
    if (to && (to->kind == DL__N_VARIABLE || to->kind == DL__N_NAME) &&
        to->declared_at != SIZE_MAX && !is_pointer(l, to->declared_at) &&
        dl__type_of(l->scope->unit, to)->kind == DL__T_POINTER &&
        points_there(l, source)) {
        more = l->pointer_count < POINTERS_MAX;
        l->found->failed |= !more;
        if (more)
            l->pointers[l->pointer_count++] = to->declared_at;
    }
    for (size_t i = 0; i < n->child_count; i++)
        more |= find_pointers(l, n->children[i]);
    return more;
}

static void look_for_rows(struct looking *l, struct dl__node *n);

static void look_in(struct looking *l)
{
    struct dl__unit *u = l->scope->unit;
    struct dl__node *body = dl__ast_body(u->tracker->ast, u->function);

    while (!l->found->failed && find_pointers(l, body))
        ;
    look_for_rows(l, body);
}

/* vload_half(i, p), vstore_half(v, i, p): element i. False: it is another function. */
static bool look_at_half(struct looking *l, struct dl__node *n)
{
    bool stores = n->name && !strncmp(n->name, "vstore_half", 11);

    if ((!stores && (!n->name || strcmp(n->name, "vload_half") != 0)) ||
        strpbrk(n->name, "0123456789") || n->child_count != (stores ? 4u : 3u) ||
        !points_there(l, n->children[n->child_count - 1]))
        return false;
    look_at_index(l, n->children[n->child_count - 2]);
    return true;
}

/* A helper, for each argument that points there. Other builtins reach more than one
 * element. */
static void look_into_call(struct looking *l, struct dl__node *n)
{
    struct dl__function *f = dl__ast_callee(l->scope->unit->tracker->ast, n);
    struct looking *inner = NULL;

    if (!f && look_at_half(l, n))
        return;

    for (size_t i = 1; i < n->child_count; i++) {
        if (!points_there(l, n->children[i]))
            continue;
        if (!inner) {
            inner = DL__NEW(l->scope->unit->tracker->arena, struct looking);
            inner->found = l->found;
            inner->scope = f && f->is_defined ? dl__scope_of_call(l->scope, n, f) : NULL;
        }
        if (!inner->scope || inner->pointer_count == POINTERS_MAX) {
            l->found->failed = true;
            return;
        }
        inner->pointers[inner->pointer_count++] = f->parameters[i - 1].name_at;
    }
    if (inner)
        look_in(inner);
}

/* An offset added to a pointer shows what a row is; other uses of the pointer are tracked
 * later. */
static void look_for_rows(struct looking *l, struct dl__node *n)
{
    bool is_sum = (n->kind == DL__N_BINARY || n->kind == DL__N_COMPOUND) &&
                  (n->op[0] == '+' || n->op[0] == '-');

    for (size_t i = 0;
         (is_sum || n->kind == DL__N_SUBSCRIPT) && n->child_count == 2 && i < 2; i++)
        if (points_there(l, n->children[i]) && !points_there(l, n->children[1 - i]))
            look_at_index(l, n->children[1 - i]);
    if (n->kind == DL__N_CALL)
        look_into_call(l, n);
    l->found->failed |=
        n->kind == DL__N_CAST && n->child_count && points_there(l, n->children[0]);
    for (size_t i = 0; i < n->child_count && !l->found->failed; i++)
        look_for_rows(l, n->children[i]);
}

/* All that is done with a flat buffer; NULL: it is none, or more than can be followed. */
static const struct found *look_at(struct dl__rewriter *w, struct dl__function *f,
                                   size_t number)
{
    const struct dl__type *type = f->parameters[number].type;
    struct looking *l = DL__NEW(&w->arena, struct looking);
    struct dl__unit *unit = DL__NEW(&w->arena, struct dl__unit);

    if (type->kind != DL__T_POINTER ||
        (type->element->kind != DL__T_SCALAR && type->element->kind != DL__T_VECTOR))
        return NULL;
    unit->tracker = &w->tracker;
    unit->function = f;
    l->found = DL__NEW(&w->arena, struct found);
    l->found->kernel = f;
    l->found->parameters = UINT64_MAX;
    l->scope = dl__scope_make(unit);
    l->scope->evaluation->keeps_zeros = true;
    l->pointers[l->pointer_count++] = f->parameters[number].name_at;
    look_in(l);
    return l->found->failed ? NULL : l->found;
}

/* The width of a flat buffer's rows, as it would stand in an annotation. NULL: the
 * kernel's accesses to the argument do not agree on one. */
static const char *detect_width(struct dl__rewriter *w, struct dl__function *f,
                                size_t number)
{
    const struct found *found = look_at(w, f, number);

    if (!found || !found->width)
        return NULL;
    if (found->width > 1)
        return found->width <= DL_FLAT_WIDTH_MAX
                   ? dl__arena_format(&w->arena, "%lld", (long long)found->width)
                   : NULL;
    for (size_t i = 0; i < f->parameter_count && i < NO_NUMBER; i++)
        if (found->parameters >> i & 1)
            return f->parameters[i].name;
    return NULL;
}

/* The argument that is the length of the discrete arrays in a flat buffer, each index of
 * which is a number of lengths, by constants or loops, and something else. NULL: there is
 * none. *sure: not only one length is ever added, as rows of a matrix are gone down. */
static const char *detect_length(struct dl__rewriter *w, struct dl__function *f,
                                 size_t number, bool *sure)
{
    const struct found *found = look_at(w, f, number);
    uint64_t lengths = found ? found->lengths & ~found->no_lengths : 0;

    *sure = false;
    /* A loop's count of rows in an array may be a length itself, so products come first.
     */
    for (size_t n = 0; n < NO_NUMBER; n++) {
        size_t i = (n + PRODUCTS_FIRST) % NO_NUMBER;

        if (!(lengths >> i & 1))
            continue;
        *sure = found->sure_lengths >> i & 1;
        return i < PRODUCTS_FIRST ? f->parameters[i].name
                                  : found->products[i - PRODUCTS_FIRST];
    }
    /* An index that steps by as much goes down a matrix. */
    if (!found || found->length < LENGTH_MIN || !found->largest_place ||
        found->largest_place >= found->length)
        return NULL;
    *sure = found->is_length_sure;
    return dl__arena_format(&w->arena, "%lld", (long long)found->length);
}

/* ---- Buffers of kernels without annotation: pointers to structs, and rows. ---- */

enum {
    LEAVES_MIN = 2 /* of fewer, every layout is the same */
};

/* ---- candidates ---- */

static const char alike[] = "its structs have one member, so all layouts are the same";

static bool is_of_structs(const struct dl__type *type)
{
    return type->element->kind == DL__T_STRUCT;
}

/* NULL: the structs may lie in another way. */
static const char *struct_fault(struct dl__rewriter *w, const struct dl__struct *s)
{
    const char *reason;
    size_t leaves = 0;

    if (!s->name)
        return "its struct has no name";
    if (!dl__struct_leaves(&w->arena, s, &leaves, &reason))
        return reason;
    return leaves < LEAVES_MIN ? alike : NULL;
}

/* True when a kernel of the text is sure of arrays of such names, and of nothing else. */
static bool is_sure_of(struct dl__rewriter *w, const char *buffer, const char *length)
{
    for (size_t i = 0; i < w->ast.functions.count; i++) {
        struct dl__function *f = &w->ast.functions.items[i];
        const char *found;
        bool sure;

        if (!f->is_kernel || !f->is_defined)
            continue;
        for (size_t p = 0; p < f->parameter_count; p++) {
            if (strcmp(f->parameters[p].name, buffer) != 0)
                continue;
            found = detect_length(w, f, p, &sure);
            if (found && sure && !strcmp(found, length) && !detect_width(w, f, p))
                return true;
        }
    }
    return false;
}

/* A kernel that goes from one element to one a length away may go down a matrix, and one
 * that uses one array alone may have rows in it: another has to say that these are
 * arrays. */
static bool wish_for_arrays(struct dl__rewriter *w, struct dl__function *f, size_t number,
                            struct dl__wish *wish)
{
    bool sure;
    const char *length = detect_length(w, f, number, &sure);

    if (!length || !is_sure_of(w, wish->buffer, length))
        return false;
    wish->dimension = length;
    wish->width = "";
    wish->arrays = true;
    return true;
}

/* Returns what an annotation of the argument would say. NULL, or why there is none to be
 * made; "" where nobody expects one. */
static const char *wish_for(struct dl__rewriter *w, struct dl__function *f, size_t number,
                            struct dl__wish *wish)
{
    const struct dl__parameter *p = &f->parameters[number];
    const struct dl__type *type = type_in_use(w, f, number);

    *wish = (struct dl__wish){.buffer = p->name, .dimension = ""};
    if (type->kind != DL__T_POINTER ||
        (type->address_space != DL__GLOBAL && type->address_space != DL__CONSTANT))
        return "";
    if (!*p->name)
        return "it has no name";
    if (is_of_structs(type))
        return struct_fault(w, type->element->identity);
    if (type->element->kind == DL__T_OTHER)
        return "it is not used as one type of pointer; cast it once, where it is first "
               "used";
    if (type->element->kind == DL__T_POINTER)
        return "it points to pointers";
    if (wish_for_arrays(w, f, number, wish) ||
        (wish->width = detect_width(w, f, number)) != NULL)
        return NULL;
    return "DL takes it for a plain array, which gains nothing: its indices show neither "
           "rows of one width nor arrays of one length; annotate it if it has them";
}

/* A kernel is run again to see whether it still does the same, on copies of its buffers.
 * NULL, or why that can't be, for an argument. */
static const char *not_again(struct dl__rewriter *w, struct dl__function *f,
                             size_t number)
{
    const struct dl__parameter *p = &f->parameters[number];
    struct dl__lexer lexer = dl__lexer_at(w->expanded.text, p->begin, p->end);
    struct dl__token t;

    if (p->type->kind == DL__T_POINTER && p->type->element->is_volatile &&
        may_wait(w, f, number))
        return "it may wait for what others write";
    while ((t = dl__lex_next(&lexer)).kind != DL__END)
        if (dl__token_is(&t, "pipe"))
            return "it has a pipe, so it can't be run twice for a comparison";
    return NULL;
}

static bool can_be_run_again(struct dl__rewriter *w, struct dl__function *f)
{
    struct dl__printing printing;
    const char *prefix =
        dl__arena_format(&w->arena, "kernel '%s' is left as it is: ", f->name);

    if (dl__does_more_than_write(w, f) && !dl__only_prints(w, f, &printing)) {
        dl__say_at(
            w, DL_WARNING, f->name_at,
            "%sit starts other kernels, or calls a function of another text, so it "
            "can't be run twice for a comparison",
            prefix);
        return false;
    }
    for (size_t i = 0; i < f->parameter_count; i++) {
        const char *reason = not_again(w, f, i);

        if (reason) {
            dl__say_at(w, DL_WARNING, f->parameters[i].begin, "%s%s", prefix, reason);
            return false;
        }
    }
    return true;
}

/* Nothing is passed over in silence; of structs that can't be taken apart the reason is
 * said. */
static void say_why_not(struct dl__rewriter *w, struct dl__function *f, size_t number,
                        const char *reason)
{
    const struct dl__parameter *p = &f->parameters[number];
    bool left = is_of_structs(type_in_use(w, f, number)) && reason != alike;

    if (left && w->options->on_candidate)
        w->options->on_candidate(w->options->on_candidate_user, f->name, p->name, 's');
    dl__say_at(w, DL_WARNING, p->begin, "kernel '%s', buffer '%s' is %s: %s", f->name,
               p->name, left ? "left as it is" : "passed over",
               left ? dl__left_since(w, f, p->name, reason) : reason);
}

static void tell_candidate(struct dl__rewriter *w, const struct dl__function *f,
                           const struct dl__wish *wish)
{
    if (w->options->on_candidate)
        w->options->on_candidate(w->options->on_candidate_user, f->name, wish->buffer,
                                 (char)(wish->arrays  ? 'a'
                                        : wish->width ? 'r'
                                                      : 's'));
}

static void detect_in(struct dl__rewriter *w, struct dl__function *f)
{
    struct dl__kernel *k = NULL;
    bool stays = false;

    if (dl__kernel_with(w, f))
        return;
    for (size_t i = 0; i < f->parameter_count; i++) {
        const struct dl__parameter *p = &f->parameters[i];
        struct dl__wish wish;
        struct dl__place place;
        struct dl__note note;
        struct dl__source source;
        const char *reason = wish_for(w, f, i, &wish);

        if (reason && *reason)
            say_why_not(w, f, i, reason);
        if (reason)
            continue;
        tell_candidate(w, f, &wish);
        stays = stays || (!k && !can_be_run_again(w, f));
        if (stays)
            continue;
        place = dl__expanded_place(&w->expanded, p->begin);
        note = (struct dl__note){.file = place.file};
        source = (struct dl__source){place.file->name, place.line, &note, NULL};
        k = k ? k : kernel_of(w, f);
        k->detected = true;
        bind_buffer(w, k, &source, &wish);
    }
}

void dl__detect(struct dl__rewriter *w)
{
    w->detecting = true;
    for (size_t i = 0; i < w->ast.functions.count; i++) {
        struct dl__function *f = &w->ast.functions.items[i];

        if (f->is_kernel && f->is_defined)
            detect_in(w, f);
    }
    w->detecting = false;
}
