/* SPDX-License-Identifier: MIT */
/* Reads a whole file. */
#ifndef DL_TESTS_READ_FILE_H
#define DL_TESTS_READ_FILE_H

#include <stdio.h>
#include <stdlib.h>

/* The file's bytes and a nul behind them; `bytes` may be NULL. NULL: there is no such
 * file. The caller frees it. */
static inline char *read_file(const char *path, size_t *bytes)
{
    FILE *in = fopen(path, "rb");
    char *text = NULL;
    long end;

    if (!in)
        return NULL;
    if (!fseek(in, 0, SEEK_END) && (end = ftell(in)) >= 0 && !fseek(in, 0, SEEK_SET)) {
        text = calloc(1, (size_t)end + 1);
        if (!text || fread(text, 1, (size_t)end, in) != (size_t)end)
            abort();
        if (bytes)
            *bytes = (size_t)end;
    }
    fclose(in);
    return text;
}

#endif
