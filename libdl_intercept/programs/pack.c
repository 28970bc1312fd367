/* SPDX-License-Identifier: MIT */
/* Fields one behind the other in a byte string, and digests of such. */
#include "pack.h"

#include <stdlib.h>
#include <string.h>

/* XXH3 as its header has it: no library is loaded for it, and a program's own one is not
 * met. */
#define XXH_INLINE_ALL
#include <xxhash.h>

void dl__digest(const struct dl__digest_part *parts, size_t count,
                unsigned char out[DL__DIGEST_BYTES])
{
    XXH128_canonical_t canonical;
    XXH3_state_t state;

    XXH3_128bits_reset(&state);
    for (size_t i = 0; i < count; i++)
        if (parts[i].data)
            XXH3_128bits_update(&state, parts[i].data, parts[i].bytes);
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&state));
    memcpy(out, canonical.digest, DL__DIGEST_BYTES);
}

/* ---- fields ---- */

static const uint64_t absent = UINT64_MAX;

void dl__pack_fields(struct dl__pack *pack, const void *fields, size_t bytes)
{
    if (pack->failed)
        return;
    if (pack->room - pack->bytes < bytes) {
        size_t room = pack->room * 2 > pack->bytes + bytes ? pack->room * 2
                                                           : pack->bytes + bytes + 4096;
        unsigned char *more = realloc(pack->data, room);

        if (!more) {
            pack->failed = true;
            return;
        }
        pack->data = more;
        pack->room = room;
    }
    if (bytes)
        memcpy(pack->data + pack->bytes, fields, bytes);
    pack->bytes += bytes;
}

void dl__pack_text(struct dl__pack *pack, const char *text)
{
    if (text)
        dl__pack_bytes(pack, text, strlen(text) + 1);
    else
        dl__pack_number(pack, absent);
}

static const unsigned char *take(struct dl__unpack *unpack, uint64_t bytes)
{
    const unsigned char *data = unpack->data + unpack->at;

    if (unpack->failed || bytes > unpack->bytes - unpack->at) {
        unpack->failed = true;
        return NULL;
    }
    unpack->at += (size_t)bytes;
    return data;
}

uint64_t dl__unpack_number(struct dl__unpack *unpack)
{
    uint64_t number = 0;
    const unsigned char *data = take(unpack, sizeof number);

    if (data)
        memcpy(&number, data, sizeof number);
    return number;
}

const unsigned char *dl__unpack_bytes(struct dl__unpack *unpack, size_t *bytes)
{
    uint64_t count = dl__unpack_number(unpack);
    const unsigned char *data = take(unpack, count);

    *bytes = data ? (size_t)count : 0;
    return data;
}

const char *dl__unpack_text(struct dl__unpack *unpack)
{
    uint64_t count = dl__unpack_number(unpack);
    const unsigned char *data;

    if (unpack->failed || count == absent)
        return NULL;
    data = take(unpack, count);
    if (data && (count == 0 || data[count - 1] != '\0'))
        unpack->failed = true;
    return unpack->failed ? NULL : (const char *)data;
}
