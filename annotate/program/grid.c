/* SPDX-License-Identifier: MIT */
/* Grids, from their annotations: `f[nz][ny][nx][4]`, whose dimensions are called z, y, x and k. */
#include "annotate/program/grid.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "annotate/annotations/resolve.h"

/* What a layout calls the dimension of this extent: `ny`, `NY` and `n_y` are y, `width` is width. A number
 * has no name. */
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

/* What has no name, or one that another has, is called by its place: i0, i1... The last is k, where it is a
 * number. */
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

const char *dl__grid_width(const struct dl__type *type)
{
    bool flat =
        type && type->kind == DL__T_POINTER &&
        (type->element->kind == DL__T_SCALAR || type->element->kind == DL__T_VECTOR);

    return flat ? "1" : NULL;
}
