/* SPDX-License-Identifier: MIT */
/* Fields one behind the other in a byte string, each with its length in front: different
 * sequences of fields never make the same string. Of one machine, for files that stay there. */
#ifndef DL_INTERCEPT_PACK_H
#define DL_INTERCEPT_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed at first. After a failure, when memory is short, nothing more is added. */
struct dl__pack {
    unsigned char *data;
    size_t bytes, room;
    bool failed;
};

void dl__pack_number(struct dl__pack *pack, uint64_t number);
void dl__pack_bytes(struct dl__pack *pack, const void *data, size_t bytes);
/* NULL is not "". */
void dl__pack_text(struct dl__pack *pack, const char *text);
/* Whole fields that were packed before. */
void dl__pack_fields(struct dl__pack *pack, const void *fields, size_t bytes);
void dl__pack_free(struct dl__pack *pack);

struct dl__unpack {
    const unsigned char *data;
    size_t bytes, at;
    bool failed; /* a field was not all there; all later ones are 0, empty or NULL */
};

uint64_t dl__unpack_number(struct dl__unpack *unpack);
/* Points into `data`. */
const unsigned char *dl__unpack_bytes(struct dl__unpack *unpack, size_t *bytes);
/* Points into `data`; NULL for NULL, and for text that is not terminated where it ends. */
const char *dl__unpack_text(struct dl__unpack *unpack);

#endif
