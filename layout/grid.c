/* SPDX-License-Identifier: MIT */
/* Grids and their layouts of bits: where an element lies, and such layouts as text. */
#include "grid.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DL_GRID_DIMS (int)dl_map->grid.dim_count
#define DL_GRID_ROOM DL_GRID_DIMS_MAX
#define DL_GRID_STRIPS (int)(dl_map->layout.strip_count)
#define DL_GRID_FORMAL , const struct dl_grid_map *dl_map
#define DL_GRID_PASS , dl_map
#define DL_GRID_EXTENT(dl_d) dl_map->grid.extents[dl_d]
#define DL_GRID_STRIP(dl_s) (int)dl_grid_code(dl_map->layout.strips[dl_s])

/* OpenCL C shares the text, of which this file needs only a part. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
typedef uint64_t dl_index;
#include "grid_formula.h"
#pragma GCC diagnostic pop

uint64_t dl_grid_rank(const struct dl_grid_map *map, uint64_t element)
{
    return dl_grid_rank_of(element, map);
}

uint64_t dl_grid_elements(const struct dl_grid *grid)
{
    uint64_t elements = 1;

    for (uint32_t d = 0; d < grid->dim_count; d++)
        if (__builtin_mul_overflow(elements, grid->extents[d], &elements) ||
            elements > INT64_MAX)
            return 0;
    return elements;
}

const char *dl_grid_check(const struct dl_grid *grid)
{
    if (grid->dim_count == 0 || grid->dim_count > DL_GRID_DIMS_MAX)
        return "a grid has from 1 to 8 dimensions";
    for (uint32_t d = 0; d < grid->dim_count; d++)
        if (grid->extents[d] == 0)
            return "an extent of the grid is 0";
    return dl_grid_elements(grid) ? NULL : "the grid has more than 2^63 elements";
}

const char *dl_grid_layout_check(const struct dl_grid_layout *layout, uint32_t dim_count)
{
    int above[DL_GRID_DIMS_MAX]; /* the low end of the strip before; -1: none */

    if (layout->strip_count > DL_GRID_STRIPS_MAX)
        return "the layout has more than 24 strips";
    memset(above, -1, sizeof above);
    for (uint32_t s = 0; s < layout->strip_count; s++) {
        struct dl_grid_strip strip = layout->strips[s];

        if (strip.dim >= dim_count)
            return "the layout names a dimension that the grid lacks";
        if (strip.low + strip.bits >= 63)
            return "the layout names bits from 63 on";
        if (above[strip.dim] < 0 && strip.bits)
            return "the layout lacks the upper bits of a dimension: its first strip is "
                   "written `[*]`";
        if (above[strip.dim] >= 0 &&
            (!strip.bits || strip.low + strip.bits > above[strip.dim]))
            return "the layout has bits of a dimension twice, or the lower ones first";
        if (above[strip.dim] > strip.low + strip.bits)
            return "the layout lacks bits of a dimension";
        above[strip.dim] = strip.low;
    }
    for (uint32_t d = 0; d < dim_count; d++) {
        if (above[d] < 0)
            return "the layout lacks a dimension";
        if (above[d] > 0)
            return "the layout lacks the lower bits of a dimension";
    }
    return NULL;
}

bool dl_grid_map_is_plain(const struct dl_grid_map *map)
{
    uint32_t before = 0;

    /* Strips with a single value do not matter. */
    for (uint32_t s = 0; s < map->layout.strip_count; s++) {
        struct dl_grid_strip strip = map->layout.strips[s];

        if (map->grid.extents[strip.dim] <= UINT64_C(1) << strip.low)
            continue;
        if (strip.dim < before)
            return false;
        before = strip.dim;
    }
    return true;
}

uint64_t dl_grid_slice(const struct dl_grid_map *map)
{
    uint64_t elements = dl_grid_elements(&map->grid);
    uint64_t row = elements / map->grid.extents[0];
    uint32_t low = 0;

    if (map->layout.strip_count == 0 || map->layout.strips[0].dim != 0)
        return elements;
    for (uint32_t s = 0; s < map->layout.strip_count && map->layout.strips[s].dim == 0;
         s++)
        low = map->layout.strips[s].low;
    return map->grid.extents[0] >> low ? row << low : elements;
}

void dl_grid_define(const struct dl_grid_map *map, const char *before,
                    const char *between, const char *after, char *out, size_t room)
{
    size_t used = 0;

#define ADD(...)                                                                         \
    used += (size_t)snprintf(out + (used < room ? used : room),                          \
                             used < room ? room - used : 0, __VA_ARGS__)
    ADD("%sDL_GRID_DIMS%s%u%s", before, between, map->grid.dim_count, after);
    for (uint32_t d = 0; d < map->grid.dim_count; d++)
        ADD("%sDL_X%u%s%llu%s", before, d, between,
            (unsigned long long)map->grid.extents[d], after);
    ADD("%sDL_GRID_STRIPS%s%u%s", before, between, map->layout.strip_count, after);
    for (uint32_t s = 0; s < map->layout.strip_count; s++)
        ADD("%sDL_B%u%s%u%s", before, s, between, dl_grid_code(map->layout.strips[s]),
            after);
#undef ADD
}

/* ---- as text ---- */

static void strip_add(struct dl_grid_layout *layout, uint32_t dim, unsigned low,
                      unsigned bits)
{
    layout->strips[layout->strip_count++] =
        (struct dl_grid_strip){(uint8_t)dim, (uint8_t)low, (uint8_t)bits};
}

static void all_but_last(struct dl_grid_layout *layout, uint32_t dim_count, unsigned low)
{
    for (uint32_t d = 0; d + 1 < dim_count; d++)
        strip_add(layout, d, d + 2 == dim_count ? low : 0, 0);
}

/* True for a word that means a layout; *reason: an error in it. */
static bool read_word(const char *text, uint32_t dim_count, struct dl_grid_layout *out,
                      const char **reason)
{
    unsigned long tile = 32;
    unsigned bits = 0;
    char *end;

    out->strip_count = 0;
    if (!strcmp(text, "AoS") || !strcmp(text, "DA")) {
        if (*text == 'D')
            strip_add(out, dim_count - 1, 0, 0);
        all_but_last(out, dim_count, 0);
        if (*text == 'A')
            strip_add(out, dim_count - 1, 0, 0);
        return true;
    }
    if (strncmp(text, "ASTA", 4) != 0 || (text[4] && text[4] != '/'))
        return false;
    if (text[4]) {
        tile = strtoul(text + 5, &end, 10);
        if (*end || !isdigit((unsigned char)text[5]))
            tile = 0;
    }
    while (bits < 31 && UINT32_C(1) << bits < tile)
        bits++;
    if (tile < 2 || tile != UINT32_C(1) << bits)
        *reason = "a tile of a grid's ASTA is a power of two from 2 on: `ASTA/32`";
    else if (dim_count < 2)
        *reason = "ASTA is for grids of two dimensions and more";
    if (*reason)
        return true;
    all_but_last(out, dim_count, bits);
    strip_add(out, dim_count - 1, 0, 0);
    strip_add(out, dim_count - 2, 0, bits);
    return true;
}

/* ---- strips ---- */

static const char *skip(const char *at)
{
    while (*at == ' ' || *at == '\t')
        at++;
    return at;
}

static bool read_number(const char **at, unsigned *out)
{
    *at = skip(*at);
    if (!isdigit((unsigned char)**at))
        return false;
    for (*out = 0; isdigit((unsigned char)**at) && *out < 1000; ++*at)
        *out = *out * 10 + (unsigned)(**at - '0');
    *at = skip(*at);
    return true;
}

/* Reads `[*]` or `[HIGH:LOW]`. *open: `[*]`, whose bits depend on the next strip. */
static bool read_bits(const char **at, struct dl_grid_strip *out, bool *open)
{
    unsigned high, low;

    *at = skip(*at + 1);
    *open = **at == '*';
    if (*open) {
        *at = skip(*at + 1);
    } else {
        if (!read_number(at, &high) || *(*at)++ != ':' || !read_number(at, &low) ||
            high < low || high > 62)
            return false;
        out->low = (uint8_t)low;
        out->bits = (uint8_t)(high - low + 1);
    }
    return *(*at)++ == ']';
}

static uint32_t find_name(const struct dl_grid_names *names, uint32_t dim_count,
                          const char *name, size_t bytes)
{
    uint32_t d = 0;

    while (d < dim_count &&
           (strlen(names->names[d]) != bytes || memcmp(names->names[d], name, bytes)))
        d++;
    return d;
}

static const char *read_strips(const char *at, const struct dl_grid_names *names,
                               uint32_t dim_count, struct dl_grid_layout *out,
                               bool *is_open, char *reason)
{
    while (*(at = skip(at))) {
        struct dl_grid_strip strip = {0};
        const char *name = at;
        uint32_t dim;

        while (isalnum((unsigned char)*at) || *at == '_')
            at++;
        if (at == name)
            return "a layout is written like `y[*] x[*] k y[4:0] x[6:0]`";
        dim = find_name(names, dim_count, name, (size_t)(at - name));
        if (dim == dim_count) {
            snprintf(
                reason, DL_GRID_TEXT_BYTES, "the layout names '%.*s'; the grid has",
                (int)(at - name < DL_GRID_NAME_BYTES ? at - name : DL_GRID_NAME_BYTES),
                name);
            for (uint32_t d = 0; d < dim_count; d++)
                snprintf(reason + strlen(reason), DL_GRID_TEXT_BYTES - strlen(reason),
                         " %s", names->names[d]);
            return reason;
        }
        if (out->strip_count == DL_GRID_STRIPS_MAX)
            return "the layout has more than 24 strips";
        at = skip(at);
        is_open[out->strip_count] = *at != '[';
        strip.dim = (uint8_t)dim;
        if (*at == '[' && !read_bits(&at, &strip, &is_open[out->strip_count]))
            return "bits of a dimension are written `[*]` or `[HIGH:LOW]`";
        out->strips[out->strip_count++] = strip;
    }
    return NULL;
}

const char *dl_grid_layout_parse(const char *text, const struct dl_grid_names *names,
                                 uint32_t dim_count, struct dl_grid_layout *out,
                                 char *reason)
{
    struct dl_grid_layout layout = {0};
    bool is_open[DL_GRID_STRIPS_MAX];
    const char *wrong = NULL;

    if (read_word(text, dim_count, &layout, &wrong)) {
        if (!wrong)
            *out = layout;
        return wrong;
    }
    layout.strip_count = 0;
    wrong = read_strips(text, names, dim_count, &layout, is_open, reason);
    /* `[*]` begins where the next strip of the dimension ends. */
    for (uint32_t s = 0; s < layout.strip_count && !wrong; s++) {
        struct dl_grid_strip *strip = &layout.strips[s];

        for (uint32_t next = s + 1; is_open[s] && next < layout.strip_count; next++) {
            if (layout.strips[next].dim != strip->dim)
                continue;
            strip->low = (uint8_t)(layout.strips[next].low + layout.strips[next].bits);
            break;
        }
    }
    wrong = wrong ? wrong : dl_grid_layout_check(&layout, dim_count);
    if (!wrong)
        *out = layout;
    return wrong;
}

void dl_grid_layout_print(const struct dl_grid_layout *layout,
                          const struct dl_grid_names *names, char *out, size_t room)
{
    size_t used = 0;

    *out = '\0';
    for (uint32_t s = 0; s < layout->strip_count && used < room; s++) {
        struct dl_grid_strip strip = layout->strips[s];
        const char *name = names->names[strip.dim], *space = s ? " " : "";

        if (strip.bits)
            used += (size_t)snprintf(out + used, room - used, "%s%s[%u:%u]", space, name,
                                     strip.low + strip.bits - 1u, strip.low);
        else
            used += (size_t)snprintf(out + used, room - used, "%s%s%s", space, name,
                                     strip.low ? "[*]" : "");
    }
}
