/* SPDX-License-Identifier: MIT */
/* The line that a remark is about, for people. */
#include <ctype.h>
#include <stdint.h>
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

/* The line of a remark, in `text` or in the file that it names, of which *read is then
 * the text. NULL: there is none. */
static const char *line_of(const struct dl_remark *remark, const char *text, char **read)
{
    const char *reason;
    size_t bytes;

    *read = NULL;
    if (!remark->file || !remark->line)
        return NULL;
    if (remark->file[0] != '<' && !text)
        text = *read = dl__file_read(remark->file, FILE_BYTES_MAX, &bytes, &reason);
    return find_line(text, remark->line);
}

char *dl_remark_excerpt(const struct dl_remark *remark, const char *text,
                        const char *prefix, char *out)
{
    char *read;
    const char *line =
        line_of(remark, remark->file && *remark->file == '<' ? text : NULL, &read);

    *out = '\0';
    if (line && remark->column)
        print(remark, line, prefix, out);
    free(read);
    return out;
}

static bool is_word_byte(char c)
{
    return c == '_' || isalnum((unsigned char)c);
}

/* The word where it stands alone in `line` from `from` on; SIZE_MAX: nowhere. */
static size_t find_word(const char *line, size_t from, size_t line_bytes,
                        const char *word, size_t bytes)
{
    for (size_t at = from; at + bytes <= line_bytes; at++)
        if (memcmp(line + at, word, bytes) == 0 &&
            (at == 0 || !is_word_byte(line[at - 1])) &&
            (at + bytes == line_bytes || !is_word_byte(line[at + bytes])))
            return at;
    return SIZE_MAX;
}

/* The last word that the remark quotes ('f', and not what an apostrophe begins) and the
 * line has; SIZE_MAX: there is none. */
static size_t find_quoted(const char *remark, const char *line, size_t from, size_t bytes)
{
    size_t found = SIZE_MAX;

    for (const char *open = remark, *close; (open = strchr(open, '\'')); open++) {
        size_t word, at;

        if (open > remark && is_word_byte(open[-1]))
            continue;
        close = strchr(open + 1, '\'');
        if (!close)
            break;
        word = (size_t)(close - open) - 1;
        at = word ? find_word(line, from, bytes, open + 1, word) : SIZE_MAX;
        found = at != SIZE_MAX ? at : found;
        open = close;
    }
    return found;
}

void dl_remark_point(struct dl_remark *remark, const char *text)
{
    char *read;
    const char *line = line_of(remark, text, &read), *from;
    size_t bytes = line ? strcspn(line, "\r\n") : 0, begin, at;

    from = line ? memmem(line, bytes, "DL:", 3) : NULL;
    from = from ? from + 3 : line ? memchr(line, ':', bytes) : NULL;
    begin = from ? (size_t)(from - line) : 0;
    at = line ? find_quoted(remark->text, line, begin, bytes) : SIZE_MAX;
    if (line && at == SIZE_MAX)
        at = find_quoted(remark->text, line, 0, bytes);
    while (at == SIZE_MAX && begin < bytes && strchr(": \t", line[begin]))
        begin++;
    if (at == SIZE_MAX && begin < bytes)
        at = begin;
    if (at != SIZE_MAX)
        remark->column = (unsigned)at + 1;
    free(read);
}
