/* SPDX-License-Identifier: MIT */
/* Making, counting and ending records. Records are never returned to the allocator but
 * kept for reuse: a stale handle that a program left in an argument may still be looked
 * at. */
#include "objects.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/locks.h"

/* ---- the table of handles ----
 *
 * An open-addressing table that readers go through without waiting for anybody: the slot
 * of a handle is that handle's for good. A removed handle leaves its slot without a
 * record, for the driver will hand out the same value again; so the table grows with the
 * number of different values that were ever alive, not of objects ever made. */
struct slot {
    _Atomic(uintptr_t) handle; /* 0: free. Once set, it stays */
    _Atomic(void *) record;    /* NULL: not alive now. Set before the handle is */
};

enum { FIRST_BITS = 8 };

struct table {
    size_t mask;    /* slot count - 1, a power of two */
    unsigned shift; /* 64 - its bits */
    struct slot slots[];
};

/* The table before the first handle has one free slot. */
static struct table empty = {.mask = 0, .shift = 63, .slots = {{0, NULL}}};
static _Atomic(struct table *) current = &empty;
_Atomic uint64_t dl__handles_changes;
static struct dl__mutex writers = DL__MUTEX_INITIALIZER;
static size_t used DL__GUARDED_BY(writers);

/* Handles come in rows of equal steps, which the upper bits of this product spread
 * evenly. */
static inline size_t hash(const struct table *table, uintptr_t handle)
{
    return (size_t)(((uint64_t)handle * UINT64_C(0x9E3779B97F4A7C15)) >> table->shift);
}

void *dl__handles_find(const void *handle)
{
    struct table *table = atomic_load_explicit(&current, memory_order_acquire);
    size_t i = hash(table, (uintptr_t)handle);
    const struct slot *slot = &table->slots[i & table->mask];

    /* NULL, which no object has, ends at a free slot, and in one there is no record. */
    for (;;) {
        uintptr_t at = atomic_load_explicit(&slot->handle, memory_order_acquire);

        if (at == (uintptr_t)handle)
            return atomic_load_explicit(&slot->record, memory_order_acquire);
        if (at == 0)
            return NULL;
        slot = &table->slots[++i & table->mask];
    }
}

/* For writers: the slot of the handle, or the free one where it belongs. One half of the
 * slots is always free. */
static struct slot *find_slot(struct table *table, uintptr_t handle)
{
    for (size_t i = hash(table, handle);; i++) {
        struct slot *slot = &table->slots[i & table->mask];
        uintptr_t at = atomic_load_explicit(&slot->handle, memory_order_relaxed);

        if (at == handle || at == 0)
            return slot;
    }
}

static void put(struct slot *slot, uintptr_t handle, void *record)
{
    atomic_store_explicit(&slot->record, record, memory_order_release);
    atomic_store_explicit(&slot->handle, handle, memory_order_release);
}

/* A table of twice the size, without the values that are not alive. The old one is never
 * freed, since a reader may still be in it: all old tables together are smaller than the
 * newest. */
static DL__REQUIRES(writers) bool grow(void)
{
    struct table *old = atomic_load_explicit(&current, memory_order_relaxed);
    bool first = old == &empty;
    size_t count = first ? (size_t)1 << FIRST_BITS : (old->mask + 1) * 2;
    struct table *table = calloc(1, sizeof *table + count * sizeof *table->slots);

    if (!table)
        return false;
    table->mask = count - 1;
    table->shift = first ? 64 - FIRST_BITS : old->shift - 1;
    used = 0;
    for (size_t i = 0; i <= old->mask; i++) {
        uintptr_t handle =
            atomic_load_explicit(&old->slots[i].handle, memory_order_relaxed);
        void *record = atomic_load_explicit(&old->slots[i].record, memory_order_relaxed);

        if (!record)
            continue;
        put(find_slot(table, handle), handle, record);
        used++;
    }
    atomic_store_explicit(&current, table, memory_order_release);
    return true;
}

/* Adds or replaces. False: out of memory, the handle stays unknown. */
static bool handles_insert(const void *handle, void *record)
{
    struct table *table;
    struct slot *slot;
    bool done = true;

    dl__mutex_lock(&writers);
    table = atomic_load_explicit(&current, memory_order_relaxed);
    slot = find_slot(table, (uintptr_t)handle);
    if (atomic_load_explicit(&slot->handle, memory_order_relaxed)) {
        atomic_store_explicit(&slot->record, record, memory_order_release);
    } else if (used < (table->mask + 1) / 2 || grow()) {
        table = atomic_load_explicit(&current, memory_order_relaxed);
        put(find_slot(table, (uintptr_t)handle), (uintptr_t)handle, record);
        used++;
    } else {
        done = false;
    }
    atomic_fetch_add_explicit(&dl__handles_changes, 1, memory_order_release);
    dl__mutex_unlock(&writers);
    return done;
}

static void handles_remove(const void *handle)
{
    struct table *table;

    dl__mutex_lock(&writers);
    table = atomic_load_explicit(&current, memory_order_relaxed);
    /* In a free slot there is no record to take away. */
    atomic_store_explicit(&find_slot(table, (uintptr_t)handle)->record, NULL,
                          memory_order_release);
    atomic_fetch_add_explicit(&dl__handles_changes, 1, memory_order_release);
    dl__mutex_unlock(&writers);
}

/* ---- records ---- */

static struct dl__mutex free_lock = DL__MUTEX_INITIALIZER;

static atomic_ullong serials;

static struct dl__object *take_record(struct dl__type *type)
{
    struct dl__object *object;

    dl__mutex_lock(&free_lock);
    object = type->free_records;
    if (object)
        type->free_records = object->next_free;
    dl__mutex_unlock(&free_lock);
    if (!object)
        return calloc(1, type->bytes);
    memset(object, 0, type->bytes);
    return object;
}

static void give_record(struct dl__object *object)
{
    atomic_store(&object->serial, 0);
    dl__mutex_lock(&free_lock);
    object->next_free = object->type->free_records;
    object->type->free_records = object;
    dl__mutex_unlock(&free_lock);
}

/* The record that a context begins with. */
static struct dl__object *context_object(struct dl__context *context)
{
    return (struct dl__object *)context;
}

void *dl__object_make(struct dl__type *type, void *handle, struct dl__context *context)
{
    struct dl__object *object;

    if (!handle || !(type->is_context || context))
        return NULL;
    object = take_record(type);
    if (!object)
        return NULL;
    object->type = type;
    object->handle = handle;
    atomic_init(&object->refs, 1);
    atomic_init(&object->serial, atomic_fetch_add(&serials, 1) + 1);
    object->context = type->is_context ? (struct dl__context *)object : context;
    atomic_fetch_add(&context_object(object->context)->live, 1);
    if (handles_insert(handle, object))
        return object;
    atomic_fetch_sub(&context_object(object->context)->live, 1);
    give_record(object);
    return NULL;
}

void dl__object_retain(const struct dl__type *type, void *handle)
{
    struct dl__object *object = dl__object_find(type, handle);

    if (!object)
        return;
    /* A context that its objects alone have kept. */
    if (atomic_fetch_add(&object->refs, 1) == 0)
        atomic_fetch_add(&context_object(object->context)->live, 1);
}

void dl__record_release(void *record)
{
    struct dl__object *object = record;
    struct dl__object *context = context_object(object->context);
    struct dl__object *held = object->held;

    if (atomic_fetch_sub(&object->refs, 1) != 1)
        return;
    /* A context lives as long as objects of it, which lead the program to its handle. */
    if (!object->type->is_context) {
        handles_remove(object->handle);
        object->type->end(object);
        give_record(object);
    }
    if (held) {
        atomic_fetch_sub(&held->holds, 1);
        dl__record_release(held);
    }
    if (atomic_fetch_sub(&context->live, 1) == 1) {
        handles_remove(context->handle);
        context->type->end(context);
        give_record(context);
    }
}

void dl__object_hold(void *record, void *needed)
{
    struct dl__object *object = needed;

    ((struct dl__object *)record)->held = object;
    atomic_fetch_add(&object->refs, 1);
    atomic_fetch_add(&object->holds, 1);
}

void dl__object_release(const struct dl__type *type, void *handle)
{
    struct dl__object *object = dl__object_find(type, handle);

    if (object)
        dl__record_release(object);
}

/* ---- what other rooms keep with a record ---- */

void *dl__kept_get(void *record, const struct dl__keeper *keeper)
{
    struct dl__object *object = record;
    struct dl__kept *kept = dl__kept_find(record, keeper);

    if (kept)
        return kept;
    kept = calloc(1, keeper->bytes);
    if (!kept)
        return NULL;
    kept->keeper = keeper;
    kept->next = object->kept;
    object->kept = kept;
    return kept;
}

void dl__kept_end(void *record)
{
    struct dl__object *object = record;
    struct dl__kept *kept;

    while ((kept = object->kept)) {
        object->kept = kept->next;
        if (kept->keeper->end)
            kept->keeper->end(record, kept);
        free(kept);
    }
}
