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

void dl__pack_text_lent(struct dl__pack *key, const char *text)
{
    struct dl__lent *lent = &key->lent[key->lent_count];

    if (!text || key->lent_count == DL__PACK_LENT_MAX) {
        dl__pack_text(key, text);
        return;
    }
    *lent = (struct dl__lent){.part = {text, strlen(text) + 1}};
    dl__pack_number(key, lent->part.bytes);
    lent->at = key->bytes;
    key->lent_count++;
}

size_t dl__pack_parts(const struct dl__pack *key,
                      struct dl__digest_part parts[DL__PACK_PARTS_MAX])
{
    size_t at = 0, count = 0;

    for (size_t i = 0; i < key->lent_count; i++) {
        parts[count++] = (struct dl__digest_part){key->data + at, key->lent[i].at - at};
        parts[count++] = key->lent[i].part;
        at = key->lent[i].at;
    }
    parts[count++] = (struct dl__digest_part){key->data + at, key->bytes - at};
    return count;
}

size_t dl__pack_parts_bytes(const struct dl__pack *key)
{
    size_t bytes = key->bytes;

    for (size_t i = 0; i < key->lent_count; i++)
        bytes += key->lent[i].part.bytes;
    return bytes;
}

void dl__pack_key(struct dl__pack *pack, const struct dl__pack *key)
{
    struct dl__digest_part parts[DL__PACK_PARTS_MAX];
    size_t count = dl__pack_parts(key, parts);

    dl__pack_number(pack, dl__pack_parts_bytes(key));
    for (size_t i = 0; i < count; i++)
        dl__pack_fields(pack, parts[i].data, parts[i].bytes);
}

void dl__pack_free(struct dl__pack *pack)
{
    free(pack->data);
    memset(pack, 0, sizeof *pack);
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
