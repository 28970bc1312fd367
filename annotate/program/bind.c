/* SPDX-License-Identifier: MIT */
/* Annotations bound to kernels and buffers. */
#include "annotate/program/bind.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "annotate/forms/index.h"
#include "annotate/forms/rows.h"
#include "annotate/text/lex.h"
#include "annotate/tree/resolve.h"

struct looking {
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

static void look(struct looking *l, const struct dl__type *own, struct dl__node *n)
{
    if (n->kind == DL__N_NAME && n->declared_at == l->declared_at) {
        const struct dl__type *type = converted(l->unit, own, n);

        l->failed |= !type || (l->type && !is_same(l->type->element, type->element)) ||
                     (type && type->element->is_volatile != own->element->is_volatile);
        l->type = type;
    }
    for (size_t i = 0; i < n->child_count && !l->failed; i++)
        look(l, own, n->children[i]);
}

const struct dl__type *dl__type_in_use(struct dl__rewriter *w, struct dl__function *f,
                                       size_t number)
{
    const struct dl__type *own = f->parameters[number].type;
    struct looking l = {.declared_at = f->parameters[number].name_at};
    const struct dl__type *element;
    struct dl__type *type;

    if (own->kind != DL__T_POINTER || own->element->kind == DL__T_STRUCT ||
        own->element->kind == DL__T_POINTER)
        return own;
    l.unit = DL__NEW(&w->arena, struct dl__unit);
    l.unit->tracker = &w->tracker;
    l.unit->function = f;
    look(&l, own, dl__ast_body(&w->ast, f));
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
            extent = dl__resolve_dimension(&w->arena, &w->ast, f, extent, reason);
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

/* ---- explaining ---- */

enum { BURST_BYTES = 64, GROUP_ITEMS = 128, RESIDENT_GROUPS = 2048 };

/* "2 get_global_id(0) + get_local_id(1)"; "0" */
static const char *row_text(struct dl__arena *arena, const int64_t *row)
{
    static const char *const ids[] = {"get_group_id", "get_local_id", "get_global_id"};
    struct dl__buf out = {.arena = arena};

    dl__buf_puts(&out, "");
    for (int c = 0; c < DL_GRID_COLUMNS; c++) {
        if (!row[c])
            continue;
        dl__buf_puts(&out, out.count ? " + " : "");
        if (row[c] != 1)
            dl__buf_printf(&out, "%lld ", (long long)row[c]);
        dl__buf_printf(&out, "%s(%d)", ids[c / 3], c % 3);
    }
    return out.count ? out.items : "0";
}

static void explain_row(struct dl__rewriter *w, const struct dl__buffer *b, size_t d,
                        const struct dl_grid_derivation *derived)
{
    uint64_t busy = derived->busy_bits[d];
    char bits[32] = "none";

    if (busy)
        snprintf(bits, sizeof bits, "[%d:%d]", 63 - __builtin_clzll(busy),
                 __builtin_ctzll(busy));
    dl__say(w, DL_REMARK, b->file, b->line, 1, "'%s': %s = %s; busy bits: %s", b->name,
            b->grid->names.names[d],
            row_text(&w->arena, b->root->pattern->access.coefficients[d]), bits);
}

static struct dl_grid grid_of(const struct dl__grid_wish *wish)
{
    struct dl_grid grid = {.dim_count = (uint32_t)wish->extent_count};
    bool is_unsigned;

    for (size_t d = 0; d < wish->extent_count; d++)
        if (!dl__integer_read(wish->extents[d], strlen(wish->extents[d]),
                              &grid.extents[d], &is_unsigned))
            grid.extents[d] = 0;
    return grid;
}

void dl__grid_explain(struct dl__rewriter *w, const struct dl__buffer *b)
{
    static const struct dl_grid_launch launch = {
        {GROUP_ITEMS, 1, 1}, {0, 0, 0}, RESIDENT_GROUPS};
    const struct dl__pattern *pattern = b->root->pattern;
    struct dl_grid grid = grid_of(b->grid);
    struct dl_grid_memory memory = {0, 0};
    struct dl_grid_derivation derived;
    char text[DL_GRID_TEXT_BYTES];

    if (!pattern->any || pattern->obstacle) {
        dl__say(w, DL_REMARK, b->file, b->line, 1, "'%s': no layout is derived: %s",
                b->name, pattern->any ? pattern->obstacle : "it is not accessed");
        return;
    }
    while (b->root->element->bytes << (memory.burst_bits + 1) <= BURST_BYTES)
        memory.burst_bits++;
    if (dl_grid_derive(&grid, &pattern->access, &launch, &memory, &derived) != DL_OK)
        return;
    for (size_t d = 0; d < b->grid->extent_count; d++)
        explain_row(w, b, d, &derived);
    dl_grid_layout_print(&derived.layout, &b->grid->names, text, sizeof text);
    dl__say(w, DL_REMARK, b->file, b->line, 1,
            "'%s': derived for groups of %d and bursts of %d bytes: %s%s", b->name,
            GROUP_ITEMS, BURST_BYTES, text,
            dl_grid_layout_is_own(&derived.layout) ? ", the program's own" : "");
}

/* ---- From annotations to kernels, buffers and dimensions. ---- */

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
        type = grid_pointer(w, type);
    if (!type)
        reason = dl__arena_format(&w->arena, "there is no argument '%s'", wish->buffer);
    binding.type = type;
    dimension = constants(w, f, wish->dimension, &reason);
    binding.width = wish->width;
    if (wish->extent_count && !reason) {
        buffer.grid = grid_bind(w, f, source, wish, &reason);
        binding.width = grid_width(type);
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
