/* SPDX-License-Identifier: MIT */
/* What the accessors of flat buffers have in common. */
#ifndef DL_ANNOTATE_FLAT_H
#define DL_ANNOTATE_FLAT_H

#include "annotate/accessors/kinds.h"

struct dl__flat {
    const char *type, *space, *name, *at_macro;
    unsigned width, element_bytes;
};

struct dl__flat dl__flat_of(const struct dl__accessor *accessor);
/* The head of an accessor with these arguments after the buffer, up to the body of its
 * tilings; `whole` is the element's index. */
void dl__flat_print_head(struct dl__buf *out, const struct dl__flat *f,
                         const char *arguments, const char *whole);

#endif
