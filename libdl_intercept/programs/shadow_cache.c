/* SPDX-License-Identifier: MIT */
/* Shadow programs in the cache: keys, and programs from the binaries that are kept. */
#include "shadow_cache.h"

#include <stdlib.h>
#include <string.h>

#include "engine/binaries.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "binaries.h"
#include "unit_files.h"

static void pack_whole(struct dl__pack *key, const struct dl__unit *unit)
{
    dl__pack_text_lent(key, unit->text);
    dl__pack_number(key, unit->header_count);
    for (size_t i = 0; i < unit->header_count; i++) {
        dl__pack_text(key, unit->header_names[i]);
        dl__pack_text(key, unit->header_texts[i]);
    }
    dl__pack_bytes(key, unit->files.data, unit->files.bytes);
}

/* Of a text with many kernels there are as many entries: they don't have it whole, each
 * again. */
static void pack_digest(struct dl__pack *key, struct dl__unit *unit)
{
    if (!unit->digested) {
        struct dl__digest_part parts[DL__PACK_PARTS_MAX];
        struct dl__pack whole = {0};

        pack_whole(&whole, unit);
        dl__digest(parts, dl__pack_parts(&whole, parts), unit->digest);
        unit->digested = !whole.failed;
        dl__pack_free(&whole);
    }
    key->failed = key->failed || !unit->digested;
    dl__pack_bytes(key, unit->digest, sizeof unit->digest);
}

static bool pack_unit(struct dl__pack *key, struct dl__unit *unit,
                      const struct dl__shadow_knobs *knobs)
{
    char *options = dl__shadow_options(unit, knobs);
    bool known = options && dl__unit_files_known(unit);

    dl__pack_text(key, options);
    if (knobs->only)
        pack_digest(key, unit);
    else
        pack_whole(key, unit);
    free(options);
    return known;
}

bool dl__shadow_key(const struct dl__rewrite *rewrite, cl_device_id device,
                    const struct dl__shadow_knobs *knobs, struct dl__pack *key)
{
    bool known = dl__cache_key_begin(key, "shadow", device);

    if (!known)
        return false;
    dl__pack_text(key, rewrite->linked ? rewrite->link_options : NULL);
    dl__pack_number(key, rewrite->unit_count);
    for (size_t i = 0; known && i < rewrite->unit_count; i++)
        known = pack_unit(key, rewrite->units[i], knobs);
    return known && !key->failed;
}

bool dl__shadow_load(const struct dl__rewrite *rewrite, cl_context context,
                     cl_device_id device, const struct dl__shadow_knobs *knobs,
                     const struct dl__pack *key, cl_program *program)
{
    char *options = rewrite->linked ? strdup(rewrite->link_options)
                                    : dl__shadow_options(rewrite->units[0], knobs);
    size_t bytes = 0;
    void *binary = options ? dl__binary_get(key, &bytes) : NULL;
    bool known = binary && bytes == 0;

    if (binary && bytes) {
        *program = dl__binary_build(&dl__next, context, device, binary, bytes, options);
        known = *program != NULL;
        if (!known)
            dl__log(DL__LOG_DEBUG,
                    "the driver does not take its binary of a rewritten program "
                    "back: it is built anew");
    }
    free(binary);
    free(options);
    return known;
}

void dl__shadow_keep(cl_device_id device, cl_program program, const struct dl__pack *key)
{
    size_t bytes;
    void *binary = program ? dl__binary_of(&dl__next, program, device, &bytes) : NULL;

    if (binary)
        dl__binary_put(key, binary, bytes);
    else if (!program)
        dl__cache_tell(key, "", 0);
    free(binary);
}
