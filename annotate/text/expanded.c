/* SPDX-License-Identifier: MIT */
/* The way back from the expanded text to the user's. */
#include "annotate/text/preprocess.h"

static void find_lines(const struct dl__file *file)
{
    struct dl__lines *lines = file->lines;

    DL__PUSH(lines->arena, lines, 0);
    for (size_t i = 0; i < file->bytes; i++)
        if (file->text[i] == '\n')
            DL__PUSH(lines->arena, lines, i + 1);
}

struct dl__place dl__file_place(const struct dl__file *file, size_t offset)
{
    struct dl__place place = {.file = file, .offset = offset};
    size_t at = offset < file->bytes ? offset : file->bytes;
    size_t low = 0, high;

    if (!file->lines) {
        place.line = place.column = 1;
        for (size_t i = 0; i < at; i++) {
            place.column = file->text[i] == '\n' ? 1 : place.column + 1;
            place.line += file->text[i] == '\n';
        }
        return place;
    }
    if (!file->lines->count)
        find_lines(file);
    high = file->lines->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (file->lines->items[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    place.line = (unsigned)low + 1;
    place.column = (unsigned)(at - file->lines->items[low]) + 1;
    return place;
}

const struct dl__segment *dl__expanded_segment(const struct dl__expanded *expanded,
                                               size_t at)
{
    size_t low = 0, high = expanded->segments.count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (expanded->segments.items[middle].at <= at)
            low = middle;
        else
            high = middle;
    }
    return expanded->segments.count ? &expanded->segments.items[low] : NULL;
}

struct dl__place dl__expanded_place(const struct dl__expanded *expanded, size_t at)
{
    const struct dl__segment *s = dl__expanded_segment(expanded, at);

    if (!s)
        return dl__file_place(expanded->main, 0);
    return dl__file_place(s->file,
                          s->kind == DL__VERBATIM ? s->origin + (at - s->at) : s->origin);
}
