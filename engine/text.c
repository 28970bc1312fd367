/* SPDX-License-Identifier: MIT */
/* A text that grows. */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void dl__text_add(struct dl__text *text, const char *format, ...)
{
    va_list args;
    int more;

    va_start(args, format);
    more = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (text->failed || more < 0)
        return;
    if (text->count + (size_t)more + 1 > text->capacity) {
        size_t capacity = (text->count + (size_t)more + 1) * 2;
        char *bytes = realloc(text->bytes, capacity);
        if (!bytes) {
            text->failed = true;
            return;
        }
        text->bytes = bytes;
        text->capacity = capacity;
    }
    va_start(args, format);
    vsnprintf(text->bytes + text->count, text->capacity - text->count, format, args);
    va_end(args);
    text->count += (size_t)more;
}
