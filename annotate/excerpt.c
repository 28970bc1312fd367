/* SPDX-License-Identifier: MIT */
/* The line that a remark is about, for people. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/notes.h"
#include "annotate/base/file.h"

enum { FILE_BYTES_MAX = 16 << 20, SHOWN_BYTES_MAX = 160 };

/* The line of this number, from 1; NULL: there are fewer. */
static const char *find_line(const char *text, unsigned number)
{
    while (text && --number) {
        text = strchr(text, '\n');
        text += text != NULL;
    }
    return text;
}

/* `prefix`, the line, and a caret; tabs stay, so that the caret stands right. */
static void print(const struct dl_remark *remark, const char *line, const char *prefix,
                  char *out)
{
    size_t bytes = strcspn(line, "\r\n"), column = remark->column - 1, used;

    if (bytes == 0 || column >= bytes || column >= SHOWN_BYTES_MAX)
        return;
    if (bytes > SHOWN_BYTES_MAX)
        bytes = SHOWN_BYTES_MAX;
    used = (size_t)snprintf(out, DL_EXCERPT_BYTES, "\n%.16s%5u | %.*s\n%.16s      | ",
                            prefix, remark->line, (int)bytes, line, prefix);
    for (size_t i = 0; i < column; i++)
        out[used++] = line[i] == '\t' ? '\t' : ' ';
    out[used++] = '^';
    out[used] = '\0';
}

char *dl_remark_excerpt(const struct dl_remark *remark, const char *text,
                        const char *prefix, char *out)
{
    char *read = NULL;
    const char *line, *reason;
    size_t bytes;

    *out = '\0';
    if (!remark->file || !remark->line || !remark->column)
        return out;
    if (remark->file[0] != '<')
        text = read = dl__file_read(remark->file, FILE_BYTES_MAX, &bytes, &reason);
    line = find_line(text, remark->line);
    if (line)
        print(remark, line, prefix, out);
    free(read);
    return out;
}
