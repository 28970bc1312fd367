/* SPDX-License-Identifier: MIT */
/* XXH3 as its header has it: no library is loaded for it, and a program's own one is not
 * met. */
#include "digest.h"

#include <string.h>

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
