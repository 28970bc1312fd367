/* SPDX-License-Identifier: MIT */
/* Sparse matrices on the host: as entries, by rows (CSR), and with rows of equal length
 * (ELL).
 *
 * Functions that can fail say why on standard error and return false. */
#ifndef SPMV_MATRIX_H
#define SPMV_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MATRIX_SIDE_MAX = 1 << 27,    /* rows, or columns */
    MATRIX_ENTRIES_MAX = 1 << 29, /* also of the ELL form: the kernel counts in an int */
};

struct matrix_entry {
    uint32_t row, column;
    float value;
};

/* Entries in any order; zeroed to begin with. Two at one place add up. */
struct matrix_entries {
    struct matrix_entry *items;
    size_t count, room;
};

/* False, without a message, when there is no memory. */
bool matrix_entries_add(struct matrix_entries *entries, struct matrix_entry entry);
void matrix_entries_free(struct matrix_entries *entries);

/* Row i has the columns and values [starts[i], starts[i + 1]). */
struct matrix {
    uint32_t row_count, column_count, entry_count;
    uint32_t *starts;
    uint32_t *columns;
    float *values;
};

/* Sorts by rows; entries of one row stay in their order.
 *   out     the caller frees it with matrix_free, also after a failure */
bool matrix_make(uint32_t row_count, uint32_t column_count,
                 const struct matrix_entries *entries, struct matrix *out);
void matrix_free(struct matrix *matrix);
/* Entries in the longest row. */
uint32_t matrix_row_entries_max(const struct matrix *matrix);

/* A matrix with the rows and the longest row of one of the thesis's (Sung 2013, table
 * 5.1): the rows are made up, of any length up to the longest, around the diagonal as in
 * a mesh.
 *   name    "bcsstk18" and so on, or NULL: `rows` rows, the longest of `width` entries
 *   out     as matrix_make */
bool matrix_generate(const char *name, uint32_t rows, uint32_t width, struct matrix *out);
/* Prints the names of table 5.1, one a line, to standard error. */
void matrix_print_shapes(void);
bool matrix_shape_is_known(const char *name);

/* Rows of equal length, each stored consecutively. What a row lacks are entries of value
 * 0 at the column of its last entry, or at 0.
 *   columns, values  out, row_count * width each; the caller frees them, also after a
 *                    failure */
bool matrix_to_ell(const struct matrix *matrix, uint32_t width, int32_t **columns,
                   float **values);

/* The vector that the matrix is multiplied with. NULL after a message; the caller frees
 * it. */
float *matrix_vector(const struct matrix *matrix);
/* Compares y with the product by rows, in double precision. An error is relative to the
 * sum of the row's absolute terms: where those cancel, no float knows better.
 *   error_max  out; the largest error
 *   returns    false after a message when it is over SAMPLE_ERROR_MAX */
bool matrix_check(const struct matrix *matrix, const float *x, const float *y,
                  double *error_max);

#endif
