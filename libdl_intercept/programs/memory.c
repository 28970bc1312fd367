/* SPDX-License-Identifier: MIT */
/* What is kept for the process alone. */
#include "memory.h"

#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/locks.h"

enum { LIMIT_BYTES = 64 << 20 };

struct entry {
    struct entry *next; /* older */
    size_t key_bytes, value_bytes;
    unsigned char bytes[]; /* the key, then the value */
};

static struct dl__mutex lock = DL__MUTEX_INITIALIZER;
static struct entry *newest DL__GUARDED_BY(lock);
static size_t total_bytes DL__GUARDED_BY(lock);

/* Where the entry hangs; at NULL: there is none. */
static struct entry **find(const void *key, size_t key_bytes) DL__REQUIRES(lock)
{
    struct entry **at = &newest;

    while (*at &&
           ((*at)->key_bytes != key_bytes || memcmp((*at)->bytes, key, key_bytes) != 0))
        at = &(*at)->next;
    return at;
}

static void drop(struct entry **at) DL__REQUIRES(lock)
{
    struct entry *entry = *at;

    *at = entry->next;
    total_bytes -= entry->key_bytes + entry->value_bytes;
    free(entry);
}

bool dl__memory_get(const void *key, size_t key_bytes, void **value, size_t *value_bytes)
{
    const struct entry *entry;
    void *copy = NULL;

    dl__mutex_lock(&lock);
    entry = *find(key, key_bytes);
    if (entry)
        copy = malloc(entry->value_bytes + 1);
    if (copy) {
        memcpy(copy, entry->bytes + key_bytes, entry->value_bytes);
        *value = copy;
        *value_bytes = entry->value_bytes;
    }
    dl__mutex_unlock(&lock);
    return copy != NULL;
}

void dl__memory_put(const void *key, size_t key_bytes, const void *value,
                    size_t value_bytes)
{
    struct entry *made, **at;

    if (key_bytes > LIMIT_BYTES || value_bytes > LIMIT_BYTES - key_bytes)
        return;
    made = malloc(sizeof *made + key_bytes + value_bytes);
    if (!made)
        return;
    made->key_bytes = key_bytes;
    made->value_bytes = value_bytes;
    memcpy(made->bytes, key, key_bytes);
    memcpy(made->bytes + key_bytes, value, value_bytes);
    dl__mutex_lock(&lock);
    at = find(key, key_bytes);
    if (*at)
        drop(at);
    made->next = newest;
    newest = made;
    total_bytes += key_bytes + value_bytes;
    while (total_bytes > LIMIT_BYTES) {
        for (at = &newest; (*at)->next;)
            at = &(*at)->next;
        drop(at);
    }
    dl__mutex_unlock(&lock);
}
