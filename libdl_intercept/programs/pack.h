/* SPDX-License-Identifier: MIT */
/* Fields one behind the other in a byte string, each with its length in front: different
 * sequences of fields never make the same string. Of one machine, for files that stay
 * there. */
#ifndef DL_INTERCEPT_PACK_H
#define DL_INTERCEPT_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A digest that names texts and binaries and finds damage: xxHash's XXH3 in 128 bits,
 * which is as fast as memory. It is not a protection: whoever can write the cache can
 * write anything into it. Source: libxxhash 0.8 and its specification. Threads: any. */

enum { DL__DIGEST_BYTES = 16 };

struct dl__digest_part {
    const void *data; /* NULL: nothing */
    size_t bytes;
};

/* Of the parts as one text; the most significant byte comes first. */
void dl__digest(const struct dl__digest_part *parts, size_t count,
                unsigned char out[DL__DIGEST_BYTES]);

/* Zeroed at first. After a failure, when memory is short, nothing more is added. */
struct dl__pack {
    unsigned char *data;
    size_t bytes, room;
    bool failed;
};

/* Appends whole fields that were packed before. */
void dl__pack_fields(struct dl__pack *pack, const void *fields, size_t bytes);

static inline void dl__pack_number(struct dl__pack *pack, uint64_t number)
{
    dl__pack_fields(pack, &number, sizeof number);
}

static inline void dl__pack_bytes(struct dl__pack *pack, const void *data, size_t bytes)
{
    dl__pack_number(pack, bytes);
    dl__pack_fields(pack, data, bytes);
}

/* NULL is not "". */
void dl__pack_text(struct dl__pack *pack, const char *text);
static inline void dl__pack_free(struct dl__pack *pack)
{
    free(pack->data);
    memset(pack, 0, sizeof *pack);
}

struct dl__unpack {
    const unsigned char *data;
    size_t bytes, at;
    bool failed; /* a field was not all there; all later ones are 0, empty or NULL */
};

static inline struct dl__unpack dl__unpack_of(const struct dl__pack *pack)
{
    return (struct dl__unpack){.data = pack->data, .bytes = pack->bytes};
}

uint64_t dl__unpack_number(struct dl__unpack *unpack);
/* Points into `data`. */
const unsigned char *dl__unpack_bytes(struct dl__unpack *unpack, size_t *bytes);
/* Points into `data`; NULL for NULL, and for text that is not terminated where it ends.
 */
const char *dl__unpack_text(struct dl__unpack *unpack);

#endif
