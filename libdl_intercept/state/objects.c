/* Making, counting and unmaking records. Records are never returned to the allocator but
 * kept for reuse: a stale handle that a program left in an argument may still be looked
 * at. */
#include "objects.h"

#include <stdlib.h>
#include <string.h>

#include "cancel.h"
#include "contexts.h"
#include "handles.h"
#include "libdl_intercept/host/host_layout.h"
#include "libdl_intercept/host/maps.h"
#include "residence.h"
#include "libdl_intercept/programs/shadow.h"

static const size_t record_bytes[] = {
    [DL__CONTEXT] = sizeof(struct dl__context),
    [DL__QUEUE] = sizeof(struct dl__queue),
    [DL__MEM] = sizeof(struct dl__mem),
    [DL__PROGRAM] = sizeof(struct dl__program),
    [DL__KERNEL] = sizeof(struct dl__kernel),
    [DL__USER_EVENT] = sizeof(struct dl__user_event),
};

static pthread_mutex_t free_lock = PTHREAD_MUTEX_INITIALIZER;
static struct dl__object *free_records[sizeof record_bytes / sizeof *record_bytes];

static struct dl__object *take_record(enum dl__object_type type)
{
    struct dl__object *object;

    pthread_mutex_lock(&free_lock);
    object = free_records[type];
    if (object)
        free_records[type] = object->next_free;
    pthread_mutex_unlock(&free_lock);
    if (!object)
        return calloc(1, record_bytes[type]);
    memset(object, 0, record_bytes[type]);
    return object;
}

static void give_record(struct dl__object *object)
{
    pthread_mutex_lock(&free_lock);
    object->next_free = free_records[object->type];
    free_records[object->type] = object;
    pthread_mutex_unlock(&free_lock);
}

static void *find(const void *handle, enum dl__object_type type)
{
    struct dl__object *object = dl__handles_find(handle);

    return object && object->type == type ? object : NULL;
}

struct dl__context *dl__context_find(cl_context handle)
{
    return find(handle, DL__CONTEXT);
}

struct dl__queue *dl__queue_find(cl_command_queue handle)
{
    return find(handle, DL__QUEUE);
}

struct dl__mem *dl__mem_find(const void *handle)
{
    return find(handle, DL__MEM);
}

struct dl__program *dl__program_find(cl_program handle)
{
    return find(handle, DL__PROGRAM);
}

struct dl__kernel *dl__kernel_find(cl_kernel handle)
{
    return find(handle, DL__KERNEL);
}

struct dl__user_event *dl__user_event_find(cl_event handle)
{
    return find(handle, DL__USER_EVENT);
}

void *dl__object_make(enum dl__object_type type, void *handle,
                      struct dl__context *context)
{
    struct dl__object *object;

    if (!handle || (type != DL__CONTEXT && !context))
        return NULL;
    object = take_record(type);
    if (!object)
        return NULL;
    object->type = type;
    object->handle = handle;
    atomic_init(&object->refs, 1);
    atomic_init(&object->holds, 0);
    if (type == DL__CONTEXT) {
        pthread_mutexattr_t recursive;

        context = (struct dl__context *)object;
        pthread_mutexattr_init(&recursive);
        pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
        pthread_mutex_init(&context->lock, &recursive);
        pthread_mutexattr_destroy(&recursive);
    }
    object->context = context;
    atomic_fetch_add(&context->live, 1);
    if (dl__handles_insert(handle, object))
        return object;
    atomic_fetch_sub(&context->live, 1);
    give_record(object);
    return NULL;
}

void dl__object_retain(enum dl__object_type type, void *handle)
{
    struct dl__object *object = find(handle, type);

    if (!object)
        return;
    /* A context that its objects alone have kept. */
    if (atomic_fetch_add(&object->refs, 1) == 0)
        atomic_fetch_add(&object->context->live, 1);
}

static void free_queue(struct dl__queue *queue)
{
    struct dl__context *context = queue->object.context;

    dl__context_lock(context);
    dl__context_slot_retire(context, queue);
    atomic_fetch_sub(&context->queue_count, 1);
    dl__context_unlock(context);
}

static void free_mem(struct dl__mem *mem)
{
    struct dl__context *context = mem->object.context;

    dl__context_lock(context);
    if (mem->parent)
        (*(mem->kind == DL__SUB_BUFFER ? &mem->parent->sub_buffers
                                       : &mem->parent->pins))--;
    for (struct dl__mem **at = &context->tiled; *at; at = &(*at)->next_tiled) {
        if (*at == mem) {
            *at = mem->next_tiled;
            break;
        }
    }
    for (struct dl__mem **at = &context->used; mem->is_used && *at;
         at = &(*at)->next_used) {
        if (*at == mem) {
            *at = mem->next_used;
            break;
        }
    }
    if (mem->copy) {
        cl_uint before = dl__context_count_begin(context);
        dl__next.clReleaseMemObject(mem->copy);
        dl__context_count_end(context, before);
        if (!mem->parent)
            context->copies_bytes -= mem->bytes;
    }
    dl__view_end(mem);
    dl__mem_drop_rest(mem);
    dl__mem_forget_uses(mem);
    if (mem->marshaled)
        dl__next.clReleaseEvent(mem->marshaled);
    dl__host_layout_free(mem->host);
    dl_leaf_table_free(&mem->leaves);
    dl__context_unlock(context);
}

static void free_program(struct dl__program *program)
{
    struct dl__context *context = program->object.context;
    cl_uint before;

    dl__context_lock(context);
    before = dl__context_count_begin(context);
    dl__rewrite_release(program->rewrite);
    dl__unit_release(program->unit);
    dl__context_count_end(context, before);
    dl__context_unlock(context);
    free(program->source);
    free(program->demands);
}

static void free_kernel(struct dl__kernel *kernel)
{
    struct dl__context *context = kernel->object.context;
    cl_uint before;

    dl__context_lock(context);
    before = dl__context_count_begin(context);
    for (size_t b = 0; kernel->rows && b < kernel->note->buffer_count; b++)
        dl_leaf_table_free(&kernel->rows[b]);
    free(kernel->rows);
    dl__shadow_kernels_free(kernel);
    dl__rewrite_release(kernel->rewrite);
    dl__context_count_end(context, before);
    dl__context_unlock(context);
    for (unsigned i = 0; i < kernel->arg_count; i++) {
        if (kernel->args[i].bytes > sizeof kernel->args[i].value.small &&
            !kernel->args[i].null)
            free(kernel->args[i].value.large);
    }
    free(kernel->args);
    free(kernel->name);
}

static void release_object(struct dl__object *object)
{
    struct dl__context *context = object->context;
    struct dl__object *held = NULL;

    if (atomic_fetch_sub(&object->refs, 1) != 1)
        return;
    /* A context lives as long as objects of it, which lead the program to its handle. */
    if (object->type != DL__CONTEXT)
        dl__handles_remove(object->handle);
    switch (object->type) {
    case DL__CONTEXT:
        break;
    case DL__QUEUE:
        free_queue((struct dl__queue *)object);
        break;
    case DL__MEM:
        held = (struct dl__object *)((struct dl__mem *)object)->parent;
        free_mem((struct dl__mem *)object);
        break;
    case DL__PROGRAM:
        free_program((struct dl__program *)object);
        break;
    case DL__KERNEL:
        held = (struct dl__object *)((struct dl__kernel *)object)->program;
        free_kernel((struct dl__kernel *)object);
        break;
    case DL__USER_EVENT:
        dl__cancel_event_end((struct dl__user_event *)object);
        break;
    }
    if (object->type != DL__CONTEXT)
        give_record(object);
    if (held) {
        atomic_fetch_sub(&held->holds, 1);
        release_object(held);
    }
    if (atomic_fetch_sub(&context->live, 1) == 1) {
        dl__handles_remove(context->object.handle);
        dl__context_end(context);
        pthread_mutex_destroy(&context->lock);
        give_record(&context->object);
    }
}

void dl__object_hold(void *record)
{
    struct dl__object *object = record;

    atomic_fetch_add(&object->refs, 1);
    atomic_fetch_add(&object->holds, 1);
}

bool dl__object_is_held_alone(const void *record)
{
    const struct dl__object *object = record;
    unsigned holds = atomic_load(&object->holds);

    return holds > 0 && atomic_load(&object->refs) == holds + 1;
}

void dl__object_release(enum dl__object_type type, void *handle)
{
    struct dl__object *object = find(handle, type);

    if (object)
        release_object(object);
}
