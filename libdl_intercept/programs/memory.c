/* SPDX-License-Identifier: MIT */
/* What is kept for the process alone. */
#include "memory.h"

#include <stdatomic.h>
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
static atomic_uint version = 1; /* of what is kept */
static struct entry *newest DL__GUARDED_BY(lock);
static size_t total_bytes DL__GUARDED_BY(lock);

static bool is_of(const struct entry *entry, const struct dl__digest_part *key,
                  size_t parts)
{
    const unsigned char *at = entry->bytes;

    for (size_t i = 0; i < parts; at += key[i++].bytes)
        if (key[i].bytes && memcmp(at, key[i].data, key[i].bytes) != 0)
            return false;
    return true;
}

/* Where the entry hangs; at NULL: there is none. */
static struct entry **find(const struct dl__pack *key) DL__REQUIRES(lock)
{
    struct dl__digest_part parts[DL__PACK_PARTS_MAX];
    size_t count = dl__pack_parts(key, parts), bytes = dl__pack_parts_bytes(key);
    struct entry **at = &newest;

    while (*at && ((*at)->key_bytes != bytes || !is_of(*at, parts, count)))
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

bool dl__memory_get(const struct dl__pack *key, void **value, size_t *value_bytes)
{
    const struct entry *entry;
    void *copy = NULL;

    dl__mutex_lock(&lock);
    entry = *find(key);
    if (entry)
        copy = malloc(entry->value_bytes + 1);
    if (copy) {
        memcpy(copy, entry->bytes + entry->key_bytes, entry->value_bytes);
        *value = copy;
        *value_bytes = entry->value_bytes;
    }
    dl__mutex_unlock(&lock);
    return copy != NULL;
}

void dl__memory_drop(const struct dl__pack *key)
{
    struct entry **at;

    dl__mutex_lock(&lock);
    at = find(key);
    if (*at)
        drop(at);
    dl__mutex_unlock(&lock);
}

void dl__memory_put(const struct dl__pack *key, const void *value, size_t value_bytes)
{
    struct dl__digest_part parts[DL__PACK_PARTS_MAX];
    size_t count = dl__pack_parts(key, parts), key_bytes = dl__pack_parts_bytes(key);
    struct entry *made, **at;
    unsigned char *to;

    if (key_bytes > LIMIT_BYTES || value_bytes > LIMIT_BYTES - key_bytes)
        return;
    made = malloc(sizeof *made + key_bytes + value_bytes);
    if (!made)
        return;
    made->key_bytes = key_bytes;
    made->value_bytes = value_bytes;
    to = made->bytes;
    for (size_t i = 0; i < count; to += parts[i++].bytes)
        if (parts[i].bytes)
            memcpy(to, parts[i].data, parts[i].bytes);
    memcpy(to, value, value_bytes);
    dl__mutex_lock(&lock);
    at = find(key);
    if (*at)
        drop(at);
    made->next = newest;
    newest = made;
    atomic_fetch_add(&version, 1);
    total_bytes += key_bytes + value_bytes;
    while (total_bytes > LIMIT_BYTES) {
        for (at = &newest; (*at)->next;)
            at = &(*at)->next;
        drop(at);
    }
    dl__mutex_unlock(&lock);
}

unsigned dl__memory_version(void)
{
    return atomic_load(&version);
}
