/* SPDX-License-Identifier: MIT */
/* Matrix Market files: `coordinate`, of real numbers, integers or a pattern, general or
 * symmetric, plain or compressed by gzip. Source: Boisvert, Pozo, Remington, "The Matrix
 * Market exchange formats: initial design", NISTIR 5935. */
#ifndef SPMV_MARKET_H
#define SPMV_MARKET_H

#include "matrix.h"

/* Reads a file. The entries of a pattern get values that depend on their place in the
 * file.
 *   out      the caller frees it with matrix_free, also after a failure
 *   returns  false after one line `file:line: reason`, or `file: reason` */
bool market_read(const char *path, struct matrix *out);

#endif
