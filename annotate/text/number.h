/* SPDX-License-Identifier: MIT */
/* Integer literals. */
#ifndef DL_ANNOTATE_NUMBER_H
#define DL_ANNOTATE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads a whole text as an integer literal with its suffixes. False when it is not one;
 * *value is UINT64_MAX for one that is larger than that. */
bool dl__integer_read(const char *text, size_t bytes, uint64_t *value, bool *is_unsigned);

#endif
