/* SPDX-License-Identifier: MIT */
/* A model of steps: the element of an array that each element becomes. */
#ifndef DL_TEST_STEP_TARGET_H
#define DL_TEST_STEP_TARGET_H

#include "layout/plan.h"

/* The slide's target: which array the element is in, and how far that moves. */
static inline uint64_t slide_target(const struct dl_step *step, uint64_t element)
{
    uint64_t head = step->rows, tail = step->tail_rows, first = 0, width, rows;
    bool in_tail = element >= head * step->columns;
    const uint32_t *leaf = step->leaf_columns;

    rows = in_tail ? tail : head;
    element -= in_tail ? head * step->columns : 0;
    for (;; first += width) {
        width = leaf ? *leaf++ : 1;
        if (element < rows * (first + width))
            break;
    }
    return element - rows * first + (head + tail) * first + (in_tail ? head * width : 0);
}

/* Where the element of this number goes, both counted from the beginning of the first
 * instance. Linear in the leaves. */
static inline uint64_t step_target(const struct dl_step *step, uint64_t element)
{
    uint64_t per = step->rows * step->columns, whole = step->instances * per;
    uint64_t rows = element < whole ? step->rows : step->rest_rows;
    uint64_t first = element < whole ? element - element % per : whole;
    uint64_t j = (element - first) / step->columns, q = element % step->columns;
    uint64_t offset = q, width = 1;

    if (step->tail_rows > 0)
        return slide_target(step, element);
    if (step->leaf_columns) {
        const uint32_t *leaf = step->leaf_columns;
        for (offset = 0; offset + *leaf <= q; leaf++)
            offset += *leaf;
        width = *leaf;
    }
    return first + rows * offset + j * width + (q - offset);
}

#endif
