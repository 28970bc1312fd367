/* SPDX-License-Identifier: MIT */
/* What names texts and binaries and finds damage: xxHash's XXH3 in 128 bits, which takes
 * bytes as fast as memory gives them. It is no secret's guard: who may write the cache
 * may write anything into it. Source: libxxhash 0.8 and its specification. Threads: any.
 */
#ifndef DL_INTERCEPT_DIGEST_H
#define DL_INTERCEPT_DIGEST_H

#include <stddef.h>

enum { DL__DIGEST_BYTES = 16 };

struct dl__digest_part {
    const void *data; /* NULL: nothing */
    size_t bytes;
};

/* Of the parts as one text; the most significant byte comes first. */
void dl__digest(const struct dl__digest_part *parts, size_t count,
                unsigned char out[DL__DIGEST_BYTES]);

#endif
