/* SPDX-License-Identifier: MIT */
/* Sparse matrices on the host. */
#include "matrix.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/sample.h"

bool matrix_entries_add(struct matrix_entries *entries, struct matrix_entry entry)
{
    if (entries->count == entries->room) {
        size_t room = entries->room ? 2 * entries->room : 1024;
        struct matrix_entry *items = realloc(entries->items, room * sizeof *items);
        if (!items)
            return false;
        entries->items = items;
        entries->room = room;
    }
    entries->items[entries->count++] = entry;
    return true;
}

void matrix_entries_free(struct matrix_entries *entries)
{
    free(entries->items);
    memset(entries, 0, sizeof *entries);
}

static bool no_memory(void)
{
    fputs("out of memory\n", stderr);
    return false;
}

static bool matrix_allocate(uint32_t row_count, uint32_t column_count, size_t entry_count,
                            struct matrix *out)
{
    memset(out, 0, sizeof *out);
    out->row_count = row_count;
    out->column_count = column_count;
    out->entry_count = (uint32_t)entry_count;
    out->starts = calloc((size_t)row_count + 1, sizeof *out->starts);
    out->columns = calloc(entry_count + 1, sizeof *out->columns);
    out->values = calloc(entry_count + 1, sizeof *out->values);
    return (out->starts && out->columns && out->values) || no_memory();
}

bool matrix_make(uint32_t row_count, uint32_t column_count,
                 const struct matrix_entries *entries, struct matrix *out)
{
    if (!matrix_allocate(row_count, column_count, entries->count, out))
        return false;
    /* Counts a row further on, so that placing the entries leaves every start in place.
     */
    for (size_t i = 0; i < entries->count; i++)
        if (entries->items[i].row + 2 <= row_count)
            out->starts[entries->items[i].row + 2]++;
    for (uint32_t row = 2; row <= row_count; row++)
        out->starts[row] += out->starts[row - 1];
    for (size_t i = 0; i < entries->count; i++) {
        const struct matrix_entry *entry = &entries->items[i];
        uint32_t at = out->starts[entry->row + 1]++;
        out->columns[at] = entry->column;
        out->values[at] = entry->value;
    }
    return true;
}

void matrix_free(struct matrix *matrix)
{
    free(matrix->starts);
    free(matrix->columns);
    free(matrix->values);
    memset(matrix, 0, sizeof *matrix);
}

uint32_t matrix_row_entries_max(const struct matrix *matrix)
{
    uint32_t max = 0;
    for (uint32_t row = 0; row < matrix->row_count; row++) {
        uint32_t count = matrix->starts[row + 1] - matrix->starts[row];
        max = count > max ? count : max;
    }
    return max;
}

/* ---- made up ---- */

static const struct shape {
    const char *name;
    uint32_t rows, width;
} shapes[] = {
    {"bcsstk18", 11948, 40},  {"e40r000", 17281, 62},  {"bcsstk31", 35588, 197},
    {"bcsstk32", 44609, 215}, {"s3dkq4m2", 90449, 59}, {"conf6.0", 49152, 39},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static const struct shape *find_shape(const char *name)
{
    for (int i = 0; i < SHAPES; i++)
        if (strcmp(shapes[i].name, name) == 0)
            return &shapes[i];
    return NULL;
}

bool matrix_shape_is_known(const char *name)
{
    return find_shape(name) != NULL;
}

void matrix_print_shapes(void)
{
    for (int i = 0; i < SHAPES; i++)
        fprintf(stderr, "    %-10s %6u rows of up to %3u entries\n", shapes[i].name,
                (unsigned)shapes[i].rows, (unsigned)shapes[i].width);
}

/* Between an eighth and all of `width`; the middle row has all. */
static uint32_t generated_length(uint32_t row, uint32_t rows, uint32_t width)
{
    uint32_t least = width / 8 > 0 ? width / 8 : 1;
    if (row == rows / 2)
        return width;
    return least + (uint32_t)(sample_noise(row) * (float)(width - least + 1));
}

bool matrix_generate(const char *name, uint32_t rows, uint32_t width, struct matrix *out)
{
    const struct shape *shape = name ? find_shape(name) : NULL;
    size_t count = 0;
    if (shape) {
        rows = shape->rows;
        width = shape->width;
    }
    for (uint32_t row = 0; row < rows; row++)
        count += generated_length(row, rows, width);
    /* A row can be longer than the matrix is wide by its rows alone. */
    if (!matrix_allocate(rows, rows > width ? rows : width, count, out))
        return false;
    count = 0;
    for (uint32_t row = 0; row < rows; row++) {
        uint32_t length = generated_length(row, rows, width);
        /* A band around the diagonal with gaps: the columns of a row rise. */
        uint32_t spread = out->column_count / length, gap = spread < 4 ? spread : 4;
        uint32_t reach = (length - 1) * gap + 1;
        uint32_t first = row > reach / 2 ? row - reach / 2 : 0;
        if (first > out->column_count - reach)
            first = out->column_count - reach;
        for (uint32_t k = 0; k < length; k++, count++) {
            out->columns[count] = first + k * gap;
            out->values[count] = sample_noise(count) - 0.5f;
        }
        out->starts[row + 1] = (uint32_t)count;
    }
    return true;
}

/* ---- the product ---- */

bool matrix_to_ell(const struct matrix *matrix, uint32_t width, int32_t **columns,
                   float **values)
{
    size_t count = (size_t)matrix->row_count * width;
    *columns = calloc(count, sizeof **columns);
    *values = calloc(count, sizeof **values);
    if (!*columns || !*values)
        return no_memory();
    for (size_t row = 0; row < matrix->row_count; row++) {
        uint32_t at = matrix->starts[row], end = matrix->starts[row + 1];
        int32_t last = 0;
        for (size_t k = 0; k < width; k++) {
            if (at < end) {
                last = (int32_t)matrix->columns[at];
                (*values)[row * width + k] = matrix->values[at++];
            }
            (*columns)[row * width + k] = last;
        }
    }
    return true;
}

float *matrix_vector(const struct matrix *matrix)
{
    float *x = calloc(matrix->column_count, sizeof *x);
    if (!x)
        no_memory();
    for (size_t i = 0; x && i < matrix->column_count; i++)
        x[i] = sample_noise(~(uint64_t)i) - 0.5f;
    return x;
}

bool matrix_check(const struct matrix *matrix, const float *x, const float *y,
                  double *error_max)
{
    uint32_t worst = 0;
    *error_max = 0;
    for (uint32_t row = 0; row < matrix->row_count; row++) {
        double sum = 0, size = 0, error;
        for (uint32_t at = matrix->starts[row]; at < matrix->starts[row + 1]; at++) {
            double term = (double)matrix->values[at] * (double)x[matrix->columns[at]];
            sum += term;
            size += fabs(term);
        }
        /* Also no number, and a row without entries must give 0. */
        error = (double)y[row] == sum ? 0 : fabs((double)y[row] - sum) / size;
        if (!(error <= *error_max)) {
            *error_max = isnan(error) ? INFINITY : error;
            worst = row;
        }
    }
    if (*error_max <= SAMPLE_ERROR_MAX)
        return true;
    fprintf(stderr, "check: row %u: %.9g has a relative error of %.2g\n", (unsigned)worst,
            (double)y[worst], *error_max);
    return false;
}
