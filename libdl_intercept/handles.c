/* An open-addressing table under a sequence lock: readers retry when a writer passed. */
#include "handles.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct slot {
    _Atomic(uintptr_t) handle; /* 0: free */
    _Atomic(void *) record;
};

struct table {
    size_t mask; /* slot count - 1, a power of two */
    struct slot slots[];
};

static _Atomic(struct table *) current;
static atomic_uint sequence; /* odd while a writer is at work */
static pthread_mutex_t writers = PTHREAD_MUTEX_INITIALIZER;
static size_t used;

static size_t hash(uintptr_t handle)
{
    return (size_t)((handle >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 20);
}

static void *probe(struct table *table, uintptr_t handle)
{
    /* Bounded: a reader may pass through a table in motion. */
    for (size_t i = hash(handle), steps = 0; steps <= table->mask; i++, steps++) {
        struct slot *slot = &table->slots[i & table->mask];
        uintptr_t at = atomic_load_explicit(&slot->handle, memory_order_acquire);

        if (at == handle)
            return atomic_load_explicit(&slot->record, memory_order_acquire);
        if (at == 0)
            return NULL;
    }
    return NULL;
}

void *dl__handles_find(const void *handle)
{
    struct table *table;
    void *record;
    unsigned before;

    if (!handle)
        return NULL;
    for (;;) {
        before = atomic_load_explicit(&sequence, memory_order_acquire);
        if (before & 1)
            continue;
        table = atomic_load_explicit(&current, memory_order_acquire);
        if (!table)
            return NULL;
        record = probe(table, (uintptr_t)handle);
        atomic_thread_fence(memory_order_acquire);
        if (atomic_load_explicit(&sequence, memory_order_relaxed) == before)
            return record;
    }
}

static void put(struct table *table, uintptr_t handle, void *record)
{
    size_t i = hash(handle);

    while (
        atomic_load_explicit(&table->slots[i & table->mask].handle, memory_order_relaxed))
        i++;
    atomic_store_explicit(&table->slots[i & table->mask].record, record,
                          memory_order_release);
    atomic_store_explicit(&table->slots[i & table->mask].handle, handle,
                          memory_order_release);
}

/* A table of twice the size. The old one is never freed, since a reader may still be in
 * it: all old tables together are smaller than the newest. */
static bool grow(void)
{
    struct table *old = atomic_load_explicit(&current, memory_order_relaxed);
    size_t count = old ? (old->mask + 1) * 2 : 256;
    struct table *table = calloc(1, sizeof *table + count * sizeof *table->slots);

    if (!table)
        return false;
    table->mask = count - 1;
    for (size_t i = 0; old && i <= old->mask; i++) {
        uintptr_t handle =
            atomic_load_explicit(&old->slots[i].handle, memory_order_relaxed);
        if (handle)
            put(table, handle,
                atomic_load_explicit(&old->slots[i].record, memory_order_relaxed));
    }
    atomic_store_explicit(&current, table, memory_order_release);
    return true;
}

static struct slot *find_slot(struct table *table, uintptr_t handle)
{
    for (size_t i = hash(handle);; i++) {
        struct slot *slot = &table->slots[i & table->mask];
        uintptr_t at = atomic_load_explicit(&slot->handle, memory_order_relaxed);

        if (at == handle)
            return slot;
        if (at == 0)
            return NULL;
    }
}

bool dl__handles_insert(const void *handle, void *record)
{
    struct table *table;
    struct slot *slot;
    bool done = true;

    pthread_mutex_lock(&writers);
    atomic_fetch_add_explicit(&sequence, 1, memory_order_acq_rel);
    table = atomic_load_explicit(&current, memory_order_relaxed);
    slot = table ? find_slot(table, (uintptr_t)handle) : NULL;
    if (slot) {
        atomic_store_explicit(&slot->record, record, memory_order_release);
    } else if ((table && used < (table->mask + 1) / 2) || grow()) {
        put(atomic_load_explicit(&current, memory_order_relaxed), (uintptr_t)handle,
            record);
        used++;
    } else {
        done = false;
    }
    atomic_fetch_add_explicit(&sequence, 1, memory_order_release);
    pthread_mutex_unlock(&writers);
    return done;
}

void dl__handles_remove(const void *handle)
{
    struct table *table;
    struct slot *slot;

    pthread_mutex_lock(&writers);
    atomic_fetch_add_explicit(&sequence, 1, memory_order_acq_rel);
    table = atomic_load_explicit(&current, memory_order_relaxed);
    slot = table ? find_slot(table, (uintptr_t)handle) : NULL;
    if (slot) {
        /* Close the gap: move back every later entry of the run that may stand here, so
         * that no tombstones gather. */
        size_t hole = (size_t)(slot - table->slots);
        for (size_t i = (hole + 1) & table->mask;; i = (i + 1) & table->mask) {
            uintptr_t at =
                atomic_load_explicit(&table->slots[i].handle, memory_order_relaxed);
            if (!at)
                break;
            if (((i - hash(at)) & table->mask) < ((i - hole) & table->mask))
                continue;
            atomic_store_explicit(
                &table->slots[hole].record,
                atomic_load_explicit(&table->slots[i].record, memory_order_relaxed),
                memory_order_release);
            atomic_store_explicit(&table->slots[hole].handle, at, memory_order_release);
            hole = i;
        }
        atomic_store_explicit(&table->slots[hole].handle, 0, memory_order_release);
        used--;
    }
    atomic_fetch_add_explicit(&sequence, 1, memory_order_release);
    pthread_mutex_unlock(&writers);
}
