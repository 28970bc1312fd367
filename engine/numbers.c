/* SPDX-License-Identifier: MIT */
/* Reads and writes the files of devices. */
#include "numbers.h"

#include <string.h>

#include "layout/c_locale.h"

static bool is_text(const char *text, const char *word, size_t bytes)
{
    return bytes > 0 && *text == *word && strncmp(text, word, bytes) == 0 &&
           text[bytes] == '\0';
}

/* ---- tables ---- */

const struct dl__number *dl__number_find(const struct dl__number_table *table,
                                         const char *name, size_t name_bytes)
{
    for (size_t n = 0; n < table->count; n++)
        if (is_text(table->numbers[n].name, name, name_bytes))
            return &table->numbers[n];
    return NULL;
}

double dl__number_get(const struct dl__number *number, const void *values)
{
    const char *at = (const char *)values + number->offset;
    double real;
    unsigned whole;

    if (number->is_real) {
        memcpy(&real, at, sizeof real);
        return real;
    }
    memcpy(&whole, at, sizeof whole);
    return whole;
}

void dl__number_set(const struct dl__number *number, void *values, double value)
{
    char *at = (char *)values + number->offset;
    unsigned whole = (unsigned)value;

    if (number->is_real)
        memcpy(at, &value, sizeof value);
    else
        memcpy(at, &whole, sizeof whole);
}

bool dl__number_allows(const struct dl__number *number, double value)
{
    uint64_t whole = value > 0 ? (uint64_t)value : 0;

    if (number->is_real || number->most == 0)
        return true;
    if (value != (double)whole || whole < number->least || whole > number->most)
        return false;
    return !number->is_power || (whole & (whole - 1)) == 0;
}

/* ---- lines ---- */

static const char *line_after(const char *line)
{
    const char *end = strchr(line, '\n');

    return end && end[1] ? end + 1 : NULL;
}

/* Reads "12.5" alike in every locale, exactly up to 15 digits. */
static double number_parse(const char *text, const char **end)
{
    double digits = 0, scale = 1;

    for (; *text >= '0' && *text <= '9'; text++)
        digits = digits * 10 + (*text - '0');
    if (*text == '.')
        for (text++; *text >= '0' && *text <= '9'; text++) {
            digits = digits * 10 + (*text - '0');
            scale *= 10;
        }
    *end = text;
    return digits / scale;
}

/* `numbers` points to "a=1,b=2" up to the end of the line. */
struct line {
    enum { LINE_COMMENT, LINE_DEVICE, LINE_LIKE, LINE_ALL, LINE_FAMILY, LINE_BAD } kind;
    const char *word; /* in the text: the device's name, the file's, or the family */
    size_t word_bytes;
    unsigned long long bytes;
    const char *numbers;
};

/* Takes the word behind `before`, up to one of `ends`. False: there is none. */
static bool word_read(const char *text, const char *before, const char *ends,
                      struct line *line)
{
    size_t length = strlen(before);

    if (strncmp(text, before, length) != 0)
        return false;
    line->word = text + length;
    line->word_bytes = strcspn(line->word, ends);
    return line->word_bytes > 0;
}

static bool is_family_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* "chunk 640 a=1" from its 640 on. */
static void family_read(const char *text, struct line *line)
{
    const char *digits = text;

    for (line->bytes = 0; *text >= '0' && *text <= '9'; text++)
        line->bytes = line->bytes * 10 + (unsigned)(*text - '0');
    if (text == digits || *text != ' ')
        return;
    while (*text == ' ')
        text++;
    if (*text == '\0' || *text == '\n')
        return;
    line->kind = LINE_FAMILY;
    line->numbers = text;
}

/* Without copies, since every question reads all lines. */
static struct line line_read(const char *text)
{
    struct line line = {.kind = LINE_BAD, .word = text};

    if (*text == '\0' || *text == '\n' || *text == '#') {
        line.kind = LINE_COMMENT;
        return line;
    }
    while (is_family_letter(text[line.word_bytes]))
        line.word_bytes++;
    if (text[line.word_bytes] == '=') {
        line.kind = LINE_ALL;
        line.numbers = text;
    } else if (word_read(text, "device ", "\n", &line)) {
        line.kind = LINE_DEVICE;
    } else if (word_read(text, "like ", " \n", &line)) {
        line.kind = LINE_LIKE;
    } else if (line.word_bytes && text[line.word_bytes] == ' ') {
        const char *at = text + line.word_bytes;

        while (*at == ' ')
            at++;
        family_read(at, &line);
    }
    return line;
}

static bool is_family(const struct line *line, const char *family)
{
    return line->kind == LINE_FAMILY && is_text(family, line->word, line->word_bytes);
}

/* Takes the next "a=1" of a line; false: there is none, or not in this form. */
static bool number_next(const char **text, const char **name, size_t *name_bytes,
                        double *value)
{
    const char *end;

    *name = *text;
    *name_bytes = strcspn(*text, "=,\n");
    if (*name_bytes == 0 || (*text)[*name_bytes] != '=')
        return false;
    *value = number_parse(*text + *name_bytes + 1, &end);
    if (end == *text + *name_bytes + 1 || (*end && *end != ',' && *end != '\n'))
        return false;
    *text = *end == ',' ? end + 1 : end;
    return true;
}

static void numbers_take(const char *text, const struct dl__number_table *table,
                         void *values)
{
    const char *name;
    size_t name_bytes;
    double value;

    while (number_next(&text, &name, &name_bytes, &value)) {
        const struct dl__number *number = dl__number_find(table, name, name_bytes);
        if (number)
            dl__number_set(number, values, value);
    }
}

/* ---- files ---- */

static const struct dl__device_file *file_named(const char *name, size_t bytes)
{
    for (const struct dl__device_file *file = dl__device_files; file->name; file++)
        if (is_text(file->name, name, bytes))
            return file;
    return NULL;
}

const struct dl__device_file *dl__device_file_named(const char *name)
{
    return file_named(name, strlen(name));
}

const struct dl__device_file *dl__device_file_find(const char *device_name, bool is_cpu)
{
    for (const struct dl__device_file *file = dl__device_files; file->name; file++)
        for (const char *text = file->text; text; text = line_after(text)) {
            struct line line = line_read(text);
            if (line.kind == LINE_DEVICE &&
                memmem(device_name, strlen(device_name), line.word, line.word_bytes))
                return file;
        }
    return dl__device_file_named(is_cpu ? "cpu" : "gpu");
}

static const struct dl__device_file *file_below(const struct dl__device_file *file)
{
    for (const char *text = file->text; text; text = line_after(text)) {
        struct line line = line_read(text);
        if (line.kind == LINE_LIKE)
            return file_named(line.word, line.word_bytes);
    }
    return NULL;
}

void dl__numbers_read(const struct dl__device_file *file, const char *family,
                      uint64_t bytes, const struct dl__number_table *table, void *values)
{
    const struct dl__device_file *below = file_below(file);
    const char *best = NULL;
    unsigned long long best_bytes = 0;

    if (below)
        dl__numbers_read(below, family, bytes, table, values);
    for (const char *text = file->text; text; text = line_after(text)) {
        struct line line = line_read(text);
        if (line.kind == LINE_ALL)
            numbers_take(line.numbers, table, values);
        if (family && is_family(&line, family) && line.bytes <= bytes &&
            (!best || line.bytes >= best_bytes)) {
            best = line.numbers;
            best_bytes = line.bytes;
        }
    }
    if (best)
        numbers_take(best, table, values);
}

size_t dl__numbers_sizes(const struct dl__device_file *file, const char *family,
                         uint64_t *bytes, size_t most)
{
    const struct dl__device_file *below = file_below(file);
    size_t count = 0;

    for (const char *text = file->text; text && count < most; text = line_after(text)) {
        struct line line = line_read(text);
        if (is_family(&line, family))
            bytes[count++] = line.bytes;
    }
    return count == 0 && below ? dl__numbers_sizes(below, family, bytes, most) : count;
}

static bool numbers_are_known(const char *text,
                              const struct dl__number_table *const *tables, size_t count)
{
    const char *name;
    size_t name_bytes;
    double value;

    while (*text && *text != '\n') {
        const struct dl__number *number = NULL;
        if (!number_next(&text, &name, &name_bytes, &value))
            return false;
        for (size_t t = 0; t < count && !number; t++)
            number = dl__number_find(tables[t], name, name_bytes);
        if (!number || !dl__number_allows(number, value))
            return false;
    }
    return true;
}

unsigned dl__device_file_check(const struct dl__device_file *file,
                               const struct dl__number_table *const *tables, size_t count)
{
    unsigned at = 1;

    for (const char *text = file->text; text; text = line_after(text), at++) {
        struct line line = line_read(text);
        if (line.kind == LINE_BAD ||
            (line.kind == LINE_LIKE && !file_named(line.word, line.word_bytes)) ||
            (line.numbers && !numbers_are_known(line.numbers, tables, count)))
            return at;
    }
    return 0;
}

/* ---- writing ---- */

static bool has_family(const struct dl__device_file *file, const struct line *wanted)
{
    for (const char *text = file->text; text; text = line_after(text)) {
        struct line line = line_read(text);
        if (line.kind == LINE_FAMILY && line.word_bytes == wanted->word_bytes &&
            memcmp(line.word, wanted->word, line.word_bytes) == 0)
            return true;
    }
    return false;
}

void dl__numbers_print_families(FILE *out, const struct dl__device_file *file,
                                const char *const *but)
{
    for (const struct dl__device_file *at = file; at; at = file_below(at))
        for (const char *text = at->text; text; text = line_after(text)) {
            struct line line = line_read(text);
            bool is_said = line.kind != LINE_FAMILY; /* or by a file above this one */
            for (size_t b = 0; but[b]; b++)
                is_said = is_said || is_family(&line, but[b]);
            for (const struct dl__device_file *above = file; above != at;
                 above = file_below(above))
                is_said = is_said || has_family(above, &line);
            if (!is_said)
                fprintf(out, "%.*s\n", (int)strcspn(text, "\n"), text);
        }
}

void dl__numbers_print(FILE *out, const struct dl__number_table *table,
                       const void *values)
{
    const locale_t before = dl_c_locale_enter();

    for (size_t n = 0; n < table->count; n++)
        fprintf(out, "%s=%.15g\n", table->numbers[n].name,
                dl__number_get(&table->numbers[n], values));
    dl_c_locale_leave(before);
}
