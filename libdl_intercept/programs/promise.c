/* SPDX-License-Identifier: MIT */
/* What the next run is said to have. */
#include "promise.h"

#include <stdlib.h>

#include "cache.h"

static enum dl__promise make(const struct dl__program *program, cl_device_id device)
{
    enum dl__promise made = DL__PROMISE_NOBODY;
    struct dl__pack key;
    void *value = NULL;
    size_t bytes;

    if (dl__cache_is_on() && dl__cache_key_begin(&key, "promise", device)) {
        dl__pack_bytes(&key, program->source, program->source_bytes);
        if (dl__cache_get(&key, &value, &bytes))
            made = DL__PROMISE_BROKEN;
        else if (dl__cache_put(&key, "", 1))
            made = DL__PROMISE_MADE;
        dl__pack_free(&key);
    }
    free(value);
    return made;
}

enum dl__promise dl__promise_of(struct dl__program *program, cl_device_id device)
{
    unsigned char none = DL__PROMISE_NOT_ASKED, promise = atomic_load(&program->promise);

    if (promise != DL__PROMISE_NOT_ASKED)
        return (enum dl__promise)promise;
    if (!program->source)
        return DL__PROMISE_NOBODY;
    promise = (unsigned char)make(program, device);
    /* Of threads that ask together the first one's answer is everybody's. */
    if (!atomic_compare_exchange_strong(&program->promise, &none, promise))
        promise = none;
    return (enum dl__promise)promise;
}
