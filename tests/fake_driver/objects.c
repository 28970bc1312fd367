/* SPDX-License-Identifier: MIT */
/* Objects of the fake driver: making, counting, freeing, and the one lock. */
#include "fake.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DEADLOCK_SECONDS = 5, TURNS_A_SECOND = 10 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned changes;

static struct fake_object *free_lists[FAKE_KIND_COUNT];
static unsigned ids[FAKE_KIND_COUNT];
static struct fake_callback *pending, **pending_tail = &pending;

void fake_enter(void)
{
    pthread_mutex_lock(&lock);
}

static void run_pending(void)
{
    struct fake_callback *list = pending;

    pending = NULL;
    pending_tail = &pending;
    pthread_mutex_unlock(&lock);
    while (list) {
        struct fake_callback *next = list->next;
        list->call(list);
        free(list);
        list = next;
    }
}

void fake_leave(void)
{
    changes++;
    pthread_cond_broadcast(&changed);
    run_pending();
}

void fake_wait(void)
{
    const char *seconds = getenv("FAKE_DEADLOCK_SECONDS");
    const unsigned before = changes;
    struct timespec until;

    if (pending) {
        run_pending();
        pthread_mutex_lock(&lock);
        return;
    }
    /* In turns of this thread: on a machine that stands still the others have none,
     * either. */
    for (int turn = (seconds ? atoi(seconds) : DEADLOCK_SECONDS) * TURNS_A_SECOND; turn;
         turn--) {
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 1000000000 / TURNS_A_SECOND;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        if (pthread_cond_timedwait(&changed, &lock, &until) == 0 || changes != before)
            return;
    }
    fake_log("DEADLOCK");
    fprintf(stderr, "fake driver: DEADLOCK\n");
    abort();
}

/* Objects of a kind are all of one size, and their memory is never given back to the
 * system, so that a stale handle can be looked at. */
void *fake_new(enum fake_kind kind, size_t bytes, void (*destroy)(struct fake_object *))
{
    struct fake_object *object = free_lists[kind];

    if (object)
        free_lists[kind] = object->next_free;
    else
        object = malloc(bytes);
    if (!object)
        abort();
    memset(object, 0, bytes);
    object->dispatch = &fake_dispatch;
    object->kind = kind;
    object->refs = 1;
    object->id = ++ids[kind];
    object->destroy = destroy;
    return object;
}

bool fake_is(const void *handle, enum fake_kind kind)
{
    const struct fake_object *object = handle;

    return object && object->dispatch == &fake_dispatch && object->kind == kind &&
           object->refs > 0;
}

static void free_if_unused(struct fake_object *object)
{
    if (object->refs > 0 || object->holds > 0 || !object->destroy)
        return;
    object->destroy(object);
    object->next_free = free_lists[object->kind];
    free_lists[object->kind] = object;
}

void fake_hold(void *object)
{
    if (object)
        ((struct fake_object *)object)->holds++;
}

void fake_drop(void *handle)
{
    struct fake_object *object = handle;

    if (!object)
        return;
    object->holds--;
    free_if_unused(object);
}

cl_int fake_retain(void *handle, enum fake_kind kind, cl_int error)
{
    if (!fake_is(handle, kind))
        return error;
    ((struct fake_object *)handle)->refs++;
    return CL_SUCCESS;
}

cl_int fake_release(void *handle, enum fake_kind kind, cl_int error)
{
    struct fake_object *object = handle;

    if (!fake_is(handle, kind))
        return error;
    object->refs--;
    free_if_unused(object);
    return CL_SUCCESS;
}

cl_uint fake_count(const void *handle)
{
    const struct fake_object *object = handle;
    int count = object->refs;

    if (fake_option("FAKE_COUNT_HOLDS", "1"))
        count += object->holds;
    return (cl_uint)count;
}

/* At the front: destructors run last in, first out. */
void fake_callback_add(struct fake_callback **list, void (*call)(struct fake_callback *),
                       void *function, void *object, void *user)
{
    struct fake_callback *callback = calloc(1, sizeof *callback);

    if (!callback)
        abort();
    callback->call = call;
    callback->function = function;
    callback->object = object;
    callback->user = user;
    callback->next = *list;
    *list = callback;
}

void fake_callbacks_queue(struct fake_callback **list)
{
    *pending_tail = *list;
    *list = NULL;
    while (*pending_tail)
        pending_tail = &(*pending_tail)->next;
}

cl_int fake_give(const void *from, size_t bytes, size_t value_bytes, void *value,
                 size_t *ret)
{
    if (value && value_bytes < bytes)
        return CL_INVALID_VALUE;
    if (value && bytes)
        memcpy(value, from, bytes);
    if (ret)
        *ret = bytes;
    return CL_SUCCESS;
}
