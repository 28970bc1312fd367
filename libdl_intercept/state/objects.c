/* SPDX-License-Identifier: MIT */
/* Making, counting and ending records. Records are never returned to the allocator but
 * kept for reuse: a stale handle that a program left in an argument may still be looked
 * at. */
#include "objects.h"

#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/locks.h"

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
    if (dl__handles_insert(handle, object))
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
        dl__handles_remove(object->handle);
        object->type->end(object);
        give_record(object);
    }
    if (held) {
        atomic_fetch_sub(&held->holds, 1);
        dl__record_release(held);
    }
    if (atomic_fetch_sub(&context->live, 1) == 1) {
        dl__handles_remove(context->handle);
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

bool dl__object_is_held_alone(const void *record)
{
    const struct dl__object *object = record;
    unsigned holds = atomic_load(&object->holds);

    return holds > 0 && atomic_load(&object->refs) == holds + 1;
}

void dl__object_release(const struct dl__type *type, void *handle)
{
    struct dl__object *object = dl__object_find(type, handle);

    if (object)
        dl__record_release(object);
}

struct dl__seen dl__object_see(const struct dl__type *type, const void *handle)
{
    return dl__record_see(dl__object_find(type, handle));
}

struct dl__seen dl__record_see(void *record)
{
    struct dl__object *object = record;

    return (struct dl__seen){object, object ? atomic_load(&object->serial) : 0};
}

void *dl__object_seen(const struct dl__seen *seen)
{
    struct dl__object *object = seen->record;

    return object && atomic_load(&object->serial) == seen->serial ? object : NULL;
}

/* ---- what other rooms keep with a record ---- */

void *dl__kept_find(const void *record, const struct dl__keeper *keeper)
{
    struct dl__kept *kept = ((const struct dl__object *)record)->kept;

    while (kept && kept->keeper != keeper)
        kept = kept->next;
    return kept;
}

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
