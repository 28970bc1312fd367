/* SPDX-License-Identifier: MIT */
/* The index equations of Catanzaro's transposition (PPoPP 2014), all in gather form, and
 * the types of c2r.cl and c2r_groups.cl. The array is m rows of n elements; with c =
 * gcd(m, n), a = m / c, b = n / c:
 *
 *   C2R  rotate column j by j / b (eq. 23, if c > 1), shuffle each row (31), rotate
 *        column j by j (32), permute the rows by q (33)
 *   R2C  the inverse: permute by the inverse of q (34), rotate by -j (35), shuffle (24),
 *        rotate by -(j / b) (36) */
#ifndef DL_TRANSPOSE_SHAPE
#include "units.cl"
#endif
#ifndef DL_C2R_INDEX
#define DL_C2R_INDEX

#ifndef UNITS
#define UNITS 1u /* in an element */
#endif
#ifndef GROUP
#define GROUP 256u
#endif

/* Division by the shape's numbers: by multiplication where 32 bits do (4.4). */
#ifdef INDEX_64
typedef ulong idx_t;
#define DIVIDE(s, x, d) ((x) / (s)->d)
#else
typedef uint idx_t;
#define DIVIDE(s, x, d) divide((s)->by_##d, x)
#endif
#define MODULO(s, x, d) ((x)-DIVIDE(s, x, d) * (idx_t)(s)->d)

/* q(i), eq. 33. */
idx_t permuted(const struct c2r_shape *s, idx_t i)
{
    idx_t product = i * (idx_t)s->n - DIVIDE(s, i, a);

    return MODULO(s, product, m);
}

/* The inverse of q, eq. 34. */
idx_t permuted_back(const struct c2r_shape *s, idx_t i)
{
    idx_t c = (idx_t)s->c, up = DIVIDE(s, c - 1 + i, c) * (idx_t)s->b_inverse;
    idx_t down = (c - 1) * MODULO(s, i, c);

    return MODULO(s, up, a) + MODULO(s, down, c) * (idx_t)s->a;
}

/* How far column j is rotated, modulo m: its element at i comes from i + rotation. */
idx_t rotation(const struct c2r_shape *s, idx_t j)
{
    idx_t by = s->op == C2R_BEFORE || s->op == R2C_AFTER ? DIVIDE(s, j, b) : j;

    by = MODULO(s, by, m);
    if ((s->op == R2C_COLUMNS || s->op == R2C_AFTER) && by > 0)
        by = (idx_t)s->m - by;
    return by;
}

/* The row that the element at (i, j) comes from. */
idx_t column_source(const struct c2r_shape *s, idx_t i, idx_t j)
{
    idx_t row;

    if (s->op == C2R_COLUMNS)
        i = permuted(s, i);
    row = i + rotation(s, j);
    if (row >= (idx_t)s->m)
        row -= (idx_t)s->m;
    return s->op == R2C_COLUMNS ? permuted_back(s, row) : row;
}

/* The column that the element at (i, j) comes from in the row shuffle: eq. 31 or 24. */
idx_t row_source(const struct c2r_shape *s, idx_t i, idx_t j)
{
    if (s->op == C2R_ROWS) {
        idx_t c = (idx_t)s->c, f = j + i * (idx_t)(s->n - 1), quotient;
        if (i + c > (idx_t)s->m + MODULO(s, j, c))
            f += (idx_t)s->m;
        quotient = DIVIDE(s, f, c);
        f -= quotient * c;
        quotient = MODULO(s, quotient, b) * (idx_t)s->a_inverse;
        return MODULO(s, quotient, b) + f * (idx_t)s->b;
    } else {
        idx_t row = i + DIVIDE(s, j, b), product;
        product = MODULO(s, row, m) + j * (idx_t)s->m;
        return MODULO(s, product, n);
    }
}

#endif
