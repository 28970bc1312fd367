/* SPDX-License-Identifier: MIT */
/* Binaries in the cache, and what the marshaling kernels' engine is handed of it. */
#include "binaries.h"

#include "libdl_intercept/state/contexts.h"
#include "ask.h"
#include "memory.h"

/* What is larger is read from its file again, where another context wants it, sooner than
 * copied for that. */
enum { COPIED_BYTES_MAX = 256 << 10 };

void *dl__binary_get(const struct dl__pack *key, size_t *bytes)
{
    void *value = NULL;

    if (!dl__cache_get(key, &value, bytes))
        return NULL;
    if (*bytes <= COPIED_BYTES_MAX)
        dl__memory_put(key, value, *bytes);
    return value;
}

void dl__binary_put(const struct dl__pack *key, const void *binary, size_t bytes)
{
    if (key->failed)
        return;
    dl__memory_put(key, binary, bytes);
    dl__cache_put(key, binary, bytes);
}

/* ---- for the engine ---- */

static bool make_key(const struct dl__build *build, struct dl__pack *key)
{
    if (!dl__cache_key_begin(key, "kernels", build->device))
        return false;
    dl__pack_text(key, build->options);
    dl__pack_number(key, build->count);
    for (size_t t = 0; t < build->count; t++)
        dl__pack_text_lent(key, build->texts[t]);
    return !key->failed;
}

static void *find(const struct dl__build *build, size_t *bytes)
{
    struct dl__pack key;
    void *binary = make_key(build, &key) ? dl__binary_get(&key, bytes) : NULL;

    dl__pack_free(&key);
    return binary;
}

static void keep(const struct dl__build *build, const void *binary, size_t bytes)
{
    struct dl__pack key;

    if (make_key(build, &key))
        dl__binary_put(&key, binary, bytes);
    dl__pack_free(&key);
}

void dl__binaries_offer(void)
{
    static const struct dl__binaries binaries = {
        .find = find, .keep = keep, .make = dl__kernels_wait};

    dl__contexts_use_binaries(&binaries);
}
