/* SPDX-License-Identifier: MIT */
/* Remarks: the line they point at, and what to change. */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/base/file.h"
#include "annotate/notes.h"

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

/* ---- What to change where something is in the way of a kernel. ---- */

/* By words of the reason, the first that it has. */
static const struct {
    const char *reason, *hint;
} hints[] = {
    {"points to arrays of the grid", "name elements by all their indices: f[z][y][x]"},
    {"is stored where",
     "keep it in a variable of its own, or reach the structs as f[i].member"},
    {"can point into", "use a pointer of its own for each buffer"},
    {"a pointer that is kept in", "keep an index in its place"},
    {"is set from something else", "use a pointer of its own for each buffer"},
    {"are combined", "use a pointer of its own for each buffer"},
    {"into either", "give it a pointer into one buffer, in a call for each"},
    {"or something else is returned",
     "return the struct's number, or a pointer of its own"},
    {"is returned", "return the struct's number"},
    {"is compared with something else", "compare the structs' numbers"},
    {"moved by bytes", "count structs, or give the bytes as an argument of the kernel"},
    {"is cast to", "reach the members by their names"},
    {"as a pointer of another type", "reach the members by their names"},
    {"of another size", "reach the members by their names"},
    {"not its elements one by one", "reach the members by their names"},
    {"reaches beyond the array", "reach the members by their names"},
    {"offset of", "write the elements by their numbers"},
    {"array member", "index the member where it stands: f[i].a[k]"},
    {"is used as an array", "reach the members by their names"},
    {"a pointer to a member", "give the helper the struct's pointer, or the value"},
    {"a pointer to a part", "give the helper the struct's pointer, or the value"},
    {"is passed to", "give the helper the struct's pointer, or the value"},
    {"address of a member of a packed", "copy the member to a variable"},
    {"address of a part", "copy the part to a variable, or reach it as f[i].member"},
    {"address of the pointer", "return the pointer, or give the struct's number"},
    {"is declared again", "rename the variable"},
    {"does not point to __global", "give the helper a copy for that memory"},
    {"generic pointer", "write the pointer out where it is declared"},
    {"calls itself", "write it as a loop"},
    {"call each other too deeply", "call fewer helpers from helpers"},
    {"too many parameters", "give it fewer"},
    {"no body here", "put the helper's text before the kernel"},
    {"would mean another function", "rename the program's function of that name"},
    {"name of a builtin", "rename the function"},
    {"' of its own", "rename the function"},
    {"asks for its own name", "remove __func__"},
    {"has attributes", "call a function in its place, which both kernels call"},
    {"also stands here", "declare it nowhere else, and give other things other names"},
    {"statement expression", "set a pointer in a statement of its own"},
    {"changes something", "change it in a statement of its own"},
    {"rewritten forms in", "write it as two statements"},
    {"is a macro", "rename the macro, or undefine it in front of the kernel"},
    {"volatile", "remove volatile if no other kernel writes meanwhile"},
    {"holds a union", "give the union fewer bytes, or its members the same types"},
    {"holds a bit-field", "use masks and shifts"},
    {"array without a length",
     "pass the data after the struct to the kernel as a buffer of its own"},
    {"too many members", "split the struct, or make its arrays shorter"},
    {"members are nested too deeply", "split the struct"},
    {"conditionals are nested", "write them side by side"},
    {"includes are nested", "include the innermost file first"},
    {"the dimension", "name an integer argument of the kernel, or a macro"},
    {"nested too deeply", "write it as several expressions"},
    {"empty or incomplete", "define the struct before the kernel"},
    {"program scope", "make it an argument or __constant"},
    {"read from memory", "pass the buffer to each kernel that uses it"},
    {"can't be kept apart", "write the invocation out, or move the directive"},
    {"a name of generated", "rename it"},
    {"would be another number", "remove it"},
    {"can't read it", "write it in a form that clang accepts, too"},
    {"does not parse", "make sure that the text compiles with clang"},
    {"pointers to functions", "call them by their names"},
    {"digraph", "write the character that it stands for"},
    {"trigraph", "write the character that it stands for"},
    {"__has_", "include the file without asking, or by a macro of the build options"},
    {"build option", "remove it, and include the file in the text"},
    {"inside a macro invocation", "move the directive"},
    {"#pragma", "remove the directive"},
    {"#include_next", "write #include"},
    {"#import", "write #include"},
    {"not understood", "reach the structs as f[i].member"},
};

const char *dl_remark_hint(const struct dl_remark *remark)
{
    /* Kernels may have any name. */
    const char *reason =
        strncmp(remark->text, "kernel '", 8) ? NULL : strstr(remark->text, ": ");
    const char *found = NULL;

    /* Some reasons say it themselves. */
    if (strchr(remark->text, ';'))
        return NULL;
    for (size_t i = 0; i < sizeof hints / sizeof *hints && !found; i++)
        if (strstr(reason ? reason : remark->text, hints[i].reason))
            found = hints[i].hint;
    return found;
}
