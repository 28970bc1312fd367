/* SPDX-License-Identifier: MIT */
/* Grids in the tables of a rewritten text: extents, the layout by hand, and the matrix of
 * the accesses. */
#include "annotate/annotations/grid_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/annotations/dimension.h"

static enum dl_status parse_strips(const char *text, size_t bytes,
                                   struct dl_buffer_note *b)
{
    char reason[DL_GRID_TEXT_BYTES];
    struct dl_grid_layout layout;

    b->strips = strndup(text, bytes);
    if (!b->strips)
        return DL_ENOMEM;
    return b->extent_count && !dl_grid_layout_parse(b->strips, &b->extent_names,
                                                    b->extent_count, &layout, reason)
               ? DL_OK
               : DL_EPARSE;
}

/* `x arg(2, i4, 0)` */
static enum dl_status parse_extent(const char *text, size_t bytes,
                                   struct dl_buffer_note *b)
{
    const char *space = memchr(text, ' ', bytes);
    size_t name_bytes = space ? (size_t)(space - text) : 0;
    enum dl_status st;

    if (b->extent_count == DL_GRID_DIMS_MAX || !name_bytes ||
        name_bytes >= DL_GRID_NAME_BYTES)
        return DL_EPARSE;
    memcpy(b->extent_names.names[b->extent_count], text, name_bytes);
    st = dl__dimension_parse(space + 1, bytes - name_bytes - 1,
                             &b->extents[b->extent_count], NULL);
    b->extent_count += st == DL_OK;
    return st;
}

/* A row of as many numbers as there are ids. */
static enum dl_status parse_row(const char *text, size_t bytes, struct dl_buffer_note *b)
{
    char row[256], *at = row, *end;

    if (b->pattern_rows == b->extent_count || bytes >= sizeof row)
        return DL_EPARSE;
    snprintf(row, sizeof row, "%.*s", (int)bytes, text);
    for (int c = 0; c < DL_GRID_COLUMNS; c++, at = end) {
        long long number = strtoll(at, &end, 10);

        if (end == at || number > INT32_MAX || number < -INT32_MAX)
            return DL_EPARSE;
        b->pattern.coefficients[b->pattern_rows][c] = number;
    }
    b->pattern_rows++;
    return *at ? DL_EPARSE : DL_OK;
}

bool dl__is_grid_line(const char *key)
{
    return !strcmp(key, "extent") || !strcmp(key, "strips") || !strcmp(key, "matrix");
}

enum dl_status dl__grid_line_parse(const char *key, const char *text, size_t bytes,
                                   struct dl_buffer_note *out)
{
    if (out->facts || out->arrays || out->width || out->native != DL_LAYOUT_AOS)
        return DL_EPARSE;
    if (!strcmp(key, "matrix"))
        return parse_row(text, bytes, out);
    if (out->strips || out->pattern_rows)
        return DL_EPARSE;
    return !strcmp(key, "strips") ? parse_strips(text, bytes, out)
                                  : parse_extent(text, bytes, out);
}
