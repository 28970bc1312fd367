/* The way back from the expanded text to the user's. */
#include "preprocess.h"

struct dl__place dl__file_place(const struct dl__file *file, size_t offset)
{
    struct dl__place place = {.file = file, .offset = offset, .line = 1, .column = 1};

    for (size_t i = 0; i < offset && i < file->bytes; i++) {
        place.column++;
        if (file->text[i] == '\n') {
            place.line++;
            place.column = 1;
        }
    }
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
