/* SPDX-License-Identifier: MIT */
/* What the tests of include/dl.h share: the fields of an item, and whether DL is there.
 */
#ifndef HOST_LAYOUT_H
#define HOST_LAYOUT_H

#include <stdbool.h>
#include <stdlib.h>

#include "dl.h"

/* All fields of an item, out of order, and its padding last. */
static const cl_field_dl fields[] = {{16, 8}, {0, 4},  {4, 4},  {8, 1}, {9, 1},
                                     {10, 1}, {11, 1}, {12, 2}, {14, 2}};
enum { FIELDS = sizeof fields / sizeof *fields, WITHOUT_PADDING = FIELDS - 1 };

/* dl-run sets it. */
static inline bool under_dl(void)
{
    return getenv("DL_LAYOUT") != NULL;
}

#endif
