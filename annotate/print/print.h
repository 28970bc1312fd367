/* SPDX-License-Identifier: MIT */
/* The output text. */
#ifndef DL_ANNOTATE_PRINT_H
#define DL_ANNOTATE_PRINT_H

#include "annotate/program/rewriter.h"

/* Prints it into w->out, as often as it is wanted. */
void dl__print_all(struct dl__rewriter *w);
/* True when launches must see to it that bytes are whole structs: before the program's
 * own layout the kernel is the program's text. */
static inline bool dl__has_wholes(const struct dl__kernel *k)
{
    bool has = false;

    for (size_t i = 0; i < k->buffers.count; i++)
        has |= k->buffers.items[i].root->wholes.count != 0;
    return has;
}

#endif
