/* SPDX-License-Identifier: MIT */
/* The strip of the panel algorithm, what no block holds (shape.cl): copied between the
 * array and the workspace, in units. */
#ifndef DL_TRANSPOSE_SHAPE
#include "units.cl"
#endif

#ifndef UNITS
#define UNITS 1u /* in an element */
#endif

/* The row of strip row y, and whether column j has it in the strip. */
bool strip_row(const struct panel_shape *s, uint y, uint j, ulong *row)
{
    uint head = place_head(s, j);
    ulong middle = (ulong)s->block * s->blocks;

    *row = y < s->skew ? y : middle + (y - s->skew);
    return y < s->skew ? y < head : *row >= middle + head;
}

#define STRIP_UNITS(work, s) ((__global unit_t *)((work) + (s)->strip_bytes))

/* Its units, from `first` on, each `step`-th: (y, j, u) is unit u of column j in strip
 * row y. They follow one another as is best for the side of the array that is read or
 * written, which has rows or places. */
struct strip_unit {
    uint y, j, u;
};

size_t strip_units(const struct panel_shape *s)
{
    return (size_t)s->strip_rows * s->cols * UNITS;
}

struct strip_unit strip_by_rows(const struct panel_shape *s, size_t i)
{
    struct strip_unit at;
    size_t across = (size_t)s->cols * UNITS;

    at.y = strip_units(s) >> 32 ? (uint)(i / across) : (uint)i / (uint)across;
    at.j = (uint)(i - at.y * across) / UNITS;
    at.u = (uint)(i % UNITS);
    return at;
}

struct strip_unit strip_by_places(const struct panel_shape *s, size_t i)
{
    struct strip_unit at;
    size_t down = (size_t)s->strip_rows * UNITS;

    at.j = strip_units(s) >> 32 ? (uint)(i / down) : (uint)i / (uint)down;
    at.y = (uint)(i - at.j * down) / UNITS;
    at.u = (uint)(i % UNITS);
    return at;
}

void counts_clear(const struct panel_shape *s, __global uchar *work, size_t first,
                  size_t step)
{
    for (size_t i = first; i < COUNT_OF(s->blocks); i += step)
        COUNTS(work)[i] = 0;
}

void strip_to_places(__global uchar *mem, const struct panel_shape *s,
                     __global uchar *work, size_t first, size_t step)
{
    for (size_t i = first; i < strip_units(s); i += step) {
        struct strip_unit at = strip_by_places(s, i);
        ulong row;
        if (strip_row(s, at.y, at.j, &row))
            ((__global unit_t *)mem)[(at.j * s->rows + row) * UNITS + at.u] =
                STRIP_UNITS(work, s)[((size_t)at.y * s->cols + at.j) * UNITS + at.u];
    }
}

/* Clears the ticket and the counts, too. */
void strip_from_places(__global uchar *mem, const struct panel_shape *s,
                       __global uchar *work, size_t first, size_t step)
{
    counts_clear(s, work, first, step);
    for (size_t i = first; i < strip_units(s); i += step) {
        struct strip_unit at = strip_by_places(s, i);
        ulong row;
        if (strip_row(s, at.y, at.j, &row))
            STRIP_UNITS(work, s)
        [((size_t)at.y * s->cols + at.j) * UNITS + at.u] =
            ((__global const unit_t *)mem)[(at.j * s->rows + row) * UNITS + at.u];
    }
}
