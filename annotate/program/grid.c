/* SPDX-License-Identifier: MIT */
/* Grids, from their annotations: `f[nz][ny][nx][4]`, whose dimensions are called z, y, x
 * and k. */
#include "annotate/program/grid.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "annotate/tree/resolve.h"
#include "annotate/forms/pattern.h"
#include "annotate/text/number.h"
#include "annotate/track/arrays.h"

/* What a layout calls the dimension of this extent: `ny`, `NY` and `n_y` are y, `width`
 * is width. A number has no name. */
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

/* What has no name, or one that another has, is called by its place: i0, i1... The last
 * is k, where it is a number. */
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

const struct dl__grid_wish *dl__grid_bind(struct dl__rewriter *w, struct dl__function *f,
                                          const struct dl__source *source,
                                          const struct dl__wish *wish,
                                          const char **reason)
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

const struct dl__type *dl__grid_pointer(struct dl__rewriter *w,
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

const char *dl__grid_width(const struct dl__type *type)
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
