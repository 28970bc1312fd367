/* SPDX-License-Identifier: MIT */
/* Reads Matrix Market files. Nothing that a file says is believed before it is seen:
 * memory grows with the entries that are there. */
#include "market.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

#include "common/sample.h"

enum {
    LINE_BYTES_MAX = 4096, /* the format allows 1024 */
    READ_BYTES = 1 << 16
};

struct reader {
    const char *path;
    gzFile file;
    unsigned char ahead[READ_BYTES]; /* read and not yet taken */
    int ahead_bytes, ahead_at;
    char line[LINE_BYTES_MAX + 1];
    const char *at; /* in the line */
    unsigned long line_number;
    jmp_buf failed;
    /* what the file says of itself */
    bool pattern, integer, symmetric;
    uint32_t row_count, column_count;
    uint64_t entry_count;
    struct matrix_entries entries;
};

static void __attribute__((noreturn, format(printf, 2, 3)))
fail(struct reader *r, const char *format, ...)
{
    va_list args;
    fprintf(stderr, "%s:%lu: ", r->path, r->line_number > 0 ? r->line_number : 1);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    longjmp(r->failed, 1);
}

/* ---- lines ---- */

/* The next byte; -1 at the end. */
static int next_byte(struct reader *r)
{
    if (r->ahead_at == r->ahead_bytes) {
        int error = Z_OK;
        r->ahead_at = 0;
        r->ahead_bytes = gzread(r->file, r->ahead, sizeof r->ahead);
        /* A truncated file gives an error after the bytes that could be read. */
        gzerror(r->file, &error);
        if (r->ahead_bytes <= 0 && error != Z_OK && error != Z_STREAM_END)
            fail(r, "%s",
                 error == Z_BUF_ERROR ? "the compressed file is cut off"
                 : error == Z_ERRNO   ? "it can't be read"
                                      : "the compressed file is damaged");
        if (r->ahead_bytes <= 0) {
            r->ahead_bytes = 0;
            return -1;
        }
    }
    return r->ahead[r->ahead_at++];
}

/* Reads a line without its end; false at the end of the file. */
static bool next_line(struct reader *r)
{
    size_t bytes = 0;
    int byte;
    r->line_number++;
    while ((byte = next_byte(r)) >= 0 && byte != '\n') {
        if (byte == '\0')
            fail(r, "this is no text file");
        if (bytes == LINE_BYTES_MAX)
            fail(r, "the line is too long");
        r->line[bytes++] = (char)byte;
    }
    if (bytes > 0 && r->line[bytes - 1] == '\r')
        bytes--;
    r->line[bytes] = '\0';
    r->at = r->line;
    return byte >= 0 || bytes > 0;
}

static void skip_blanks(struct reader *r)
{
    r->at += strspn(r->at, " \t");
}

static bool line_is_blank(struct reader *r)
{
    skip_blanks(r);
    return *r->at == '\0';
}

/* ---- words ---- */

/* Takes a word of the line, in lower case; "" when there is none or it is too long. */
static void next_word(struct reader *r, char *out, size_t out_bytes)
{
    size_t bytes;
    skip_blanks(r);
    bytes = strcspn(r->at, " \t");
    *out = '\0';
    if (bytes < out_bytes) {
        for (size_t i = 0; i < bytes; i++)
            out[i] =
                (char)(r->at[i] >= 'A' && r->at[i] <= 'Z' ? r->at[i] + 32 : r->at[i]);
        out[bytes] = '\0';
    }
    r->at += bytes;
}

/* A decimal number from `least` to `most`, for messages called `what`. */
static uint64_t next_count(struct reader *r, const char *what, uint64_t least,
                           uint64_t most)
{
    uint64_t value = 0;
    size_t digits, bytes;
    skip_blanks(r);
    if (*r->at == '\0')
        fail(r, "the %s is missing", what);
    digits = strspn(r->at, "0123456789");
    bytes = strcspn(r->at, " \t");
    if (digits != bytes)
        fail(r, "the %s '%.*s' is no whole number", what, (int)(bytes < 40 ? bytes : 40),
             r->at);
    for (size_t i = 0; i < digits; i++) {
        value = 10 * value + (uint64_t)(r->at[i] - '0');
        if (value > most)
            break; /* before it can overflow */
    }
    if (value < least || value > most)
        fail(r, "the %s %.*s is not from %llu to %llu", what,
             (int)(digits < 40 ? digits : 40), r->at, (unsigned long long)least,
             (unsigned long long)most);
    r->at += digits;
    return value;
}

static float next_value(struct reader *r)
{
    const char *allowed = r->integer ? "0123456789+-" : "0123456789+-.eE";
    double value;
    size_t bytes;
    char *end;
    skip_blanks(r);
    bytes = strcspn(r->at, " \t");
    if (bytes == 0)
        fail(r, "the value is missing");
    value = strtod(r->at, &end);
    /* strtod also reads names of infinities, and hexadecimal. */
    if (end != r->at + bytes || strspn(r->at, allowed) != bytes)
        fail(r, "the value '%.*s' is no %s", (int)(bytes < 40 ? bytes : 40), r->at,
             r->integer ? "whole number" : "number");
    if (!isfinite((float)value))
        fail(r, "the value %.*s is too large for a float", (int)(bytes < 40 ? bytes : 40),
             r->at);
    r->at = end;
    return (float)value;
}

static void expect_end(struct reader *r)
{
    if (!line_is_blank(r))
        fail(r, "'%.40s' is too much on this line", r->at);
}

/* ---- the parts of a file ---- */

static void read_banner(struct reader *r)
{
    char object[32], format[32], field[32], symmetry[32];
    if (!next_line(r) || strncasecmp(r->line, "%%MatrixMarket", 14) != 0 ||
        (r->line[14] != ' ' && r->line[14] != '\t'))
        fail(r, "this is no Matrix Market file: it must begin with %%%%MatrixMarket");
    r->at += 14;
    next_word(r, object, sizeof object);
    next_word(r, format, sizeof format);
    next_word(r, field, sizeof field);
    next_word(r, symmetry, sizeof symmetry);
    if (strcmp(object, "matrix") != 0)
        fail(r, "it holds no matrix");
    if (strcmp(format, "array") == 0)
        fail(r, "the matrix is dense: only `coordinate` files are read");
    if (strcmp(format, "coordinate") != 0)
        fail(r, "the format is not `coordinate`");
    if (strcmp(field, "complex") == 0)
        fail(r, "the matrix is complex: only real, integer and pattern ones are read");
    r->pattern = strcmp(field, "pattern") == 0;
    r->integer = strcmp(field, "integer") == 0;
    if (!r->pattern && !r->integer && strcmp(field, "real") != 0)
        fail(r, "the values are neither real, integer nor pattern");
    r->symmetric = strcmp(symmetry, "symmetric") == 0;
    if (!r->symmetric && strcmp(symmetry, "general") != 0)
        fail(r, "the matrix is neither general nor symmetric");
    expect_end(r);
}

static void read_size(struct reader *r)
{
    do {
        if (!next_line(r))
            fail(r, "the file ends before the line of sizes");
    } while (r->line[0] == '%' || line_is_blank(r));
    r->row_count = (uint32_t)next_count(r, "number of rows", 1, MATRIX_SIDE_MAX);
    r->column_count = (uint32_t)next_count(r, "number of columns", 1, MATRIX_SIDE_MAX);
    r->entry_count = next_count(r, "number of entries", 0, MATRIX_ENTRIES_MAX);
    expect_end(r);
    if (r->symmetric && r->row_count != r->column_count)
        fail(r, "a symmetric matrix has as many rows as columns");
    if (r->entry_count > (uint64_t)r->row_count * r->column_count)
        fail(r, "more entries than the matrix has places");
}

static void add_entry(struct reader *r, uint32_t row, uint32_t column, float value)
{
    if (r->entries.count >= MATRIX_ENTRIES_MAX ||
        !matrix_entries_add(&r->entries, (struct matrix_entry){row, column, value}))
        fail(r, "too many entries for this machine");
}

static void read_entries(struct reader *r)
{
    for (uint64_t i = 0; i < r->entry_count; i++) {
        uint32_t row, column;
        float value;
        do {
            if (!next_line(r))
                fail(r, "the file ends after %llu of %llu entries", (unsigned long long)i,
                     (unsigned long long)r->entry_count);
        } while (line_is_blank(r));
        row = (uint32_t)next_count(r, "row", 1, r->row_count) - 1;
        column = (uint32_t)next_count(r, "column", 1, r->column_count) - 1;
        /* Never 0: a wrong place must show in the product. */
        value = r->pattern ? sample_noise(i) + 0.5f : next_value(r);
        expect_end(r);
        if (r->symmetric && column > row)
            fail(r, "an entry above the diagonal of a symmetric matrix");
        add_entry(r, row, column, value);
        if (r->symmetric && column != row)
            add_entry(r, column, row, value);
    }
    while (next_line(r))
        if (!line_is_blank(r))
            fail(r, "more than %llu entries", (unsigned long long)r->entry_count);
}

/* Apart from market_read, whose variables a jump could spoil. */
static bool read_all(struct reader *r)
{
    if (setjmp(r->failed))
        return false;
    read_banner(r);
    read_size(r);
    read_entries(r);
    return true;
}

bool market_read(const char *path, struct matrix *out)
{
    bool done = false;
    struct reader *r = calloc(1, sizeof *r);
    memset(out, 0, sizeof *out);
    if (!r) {
        fputs("out of memory\n", stderr);
        return false;
    }
    r->path = path;
    errno = 0;
    r->file = gzopen(path, "rb");
    if (!r->file) {
        fprintf(stderr, "%s: %s\n", path, errno ? strerror(errno) : "out of memory");
        goto out;
    }
    done = read_all(r) && matrix_make(r->row_count, r->column_count, &r->entries, out);
out:
    if (r->file)
        gzclose(r->file);
    matrix_entries_free(&r->entries);
    free(r);
    return done;
}
