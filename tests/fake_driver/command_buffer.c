/* SPDX-License-Identifier: MIT */
/* cl_khr_command_buffer, with the signatures of 0.9.0 or (FAKE_COMMAND_BUFFER=new) of
 * 0.9.5, which put a list of properties third. Only what passes buffers and kernels. */
#include "commands.h"

#include <stdlib.h>
#include <string.h>

typedef void *commands; /* cl_command_buffer_khr, whatever the headers call it */

/* The tails that all recording functions share: sync points, unused, and a handle. */
#define TAIL cl_uint sync_count, const cl_uint *syncs, cl_uint *sync, void *mutable_handle
/* The last word is written through: what passes calls on must pass them whole. */
#define USE_TAIL                                                                         \
    do {                                                                                 \
        (void)sync_count, (void)syncs, (void)sync;                                       \
        if (mutable_handle)                                                              \
            *(void **)mutable_handle = handle;                                           \
    } while (0)
#define PASS_TAIL sync_count, syncs, sync, mutable_handle

static void recorded_destroy(struct fake_object *object)
{
    struct fake_recorded *recorded = (struct fake_recorded *)object;

    for (size_t i = 0; i < recorded->count; i++) {
        struct fake_command *command = recorded->commands[i];
        for (size_t k = 0; k < command->held_count; k++)
            fake_drop(command->held[k]);
        fake_drop(command->event);
        free(command->args);
        free(command);
    }
    fake_drop(recorded->queue);
}

static commands create(cl_uint queue_count, const cl_command_queue *queues,
                       const cl_properties *properties, cl_int *err)
{
    struct fake_recorded *recorded = NULL;
    cl_int status = fake_inject("clCreateCommandBufferKHR");

    (void)properties;
    fake_enter();
    if (status == CL_SUCCESS && (queue_count != 1 || !queues))
        status = CL_INVALID_VALUE;
    else if (status == CL_SUCCESS && !fake_is(queues[0], FAKE_QUEUE))
        status = CL_INVALID_COMMAND_QUEUE;
    else if (status == CL_SUCCESS && fake_option("FAKE_PROFILED_COMMANDS", "1") &&
             !(((struct fake_queue *)queues[0])->properties & CL_QUEUE_PROFILING_ENABLE))
        status = CL_INCOMPATIBLE_COMMAND_QUEUE_KHR;
    if (status == CL_SUCCESS) {
        recorded = fake_new(FAKE_COMMANDS, sizeof *recorded, recorded_destroy);
        recorded->queue = (struct fake_queue *)queues[0];
        fake_hold(recorded->queue);
    }
    fake_log("clCreateCommandBufferKHR(%u) = %s %d", queue_count, NAME(recorded), status);
    fake_leave();
    if (err)
        *err = status;
    return recorded;
}

static cl_int finalize(commands handle)
{
    cl_int status = CL_INVALID_COMMAND_BUFFER_KHR;

    fake_enter();
    if (fake_is(handle, FAKE_COMMANDS)) {
        ((struct fake_recorded *)handle)->finalized = true;
        status = CL_SUCCESS;
    }
    fake_log("clFinalizeCommandBufferKHR(%s) = %d", NAME(handle), status);
    fake_leave();
    return status;
}

static cl_int retain(commands handle)
{
    cl_int status;

    fake_enter();
    status = fake_retain(handle, FAKE_COMMANDS, CL_INVALID_COMMAND_BUFFER_KHR);
    fake_log("clRetainCommandBufferKHR(%s) = %d", NAME(handle), status);
    fake_leave();
    return status;
}

static cl_int release(commands handle)
{
    cl_int status;

    fake_enter();
    fake_log("clReleaseCommandBufferKHR(%s)", NAME(handle));
    status = fake_release(handle, FAKE_COMMANDS, CL_INVALID_COMMAND_BUFFER_KHR);
    fake_leave();
    return status;
}

static void run_recorded(struct fake_command *command)
{
    for (size_t i = 0; i < command->recorded->count; i++)
        command->recorded->commands[i]->run(command->recorded->commands[i]);
}

static cl_int enqueue(cl_uint queue_count, cl_command_queue *queues, commands handle,
                      cl_uint wait_count, const cl_event *waits, cl_event *event)
{
    struct fake_recorded *recorded = handle;
    struct fake_queue *queue = NULL;
    cl_int status = CL_SUCCESS;

    fake_enter();
    if (!fake_is(handle, FAKE_COMMANDS))
        status = CL_INVALID_COMMAND_BUFFER_KHR;
    else if (!recorded->finalized)
        status = CL_INVALID_OPERATION;
    else
        queue = queue_count ? (struct fake_queue *)queues[0] : recorded->queue;
    if (status == CL_SUCCESS)
        status = fake_check_queue("clEnqueueCommandBufferKHR", (cl_command_queue)queue,
                                  wait_count, waits);
    if (status == CL_SUCCESS) {
        struct fake_command *command =
            fake_command_new(CL_COMMAND_COMMAND_BUFFER_KHR, queue, run_recorded);
        command->recorded = recorded;
        fake_command_hold(command, recorded);
        fake_command_submit(queue, command, false, wait_count, waits, event);
    }
    fake_log("clEnqueueCommandBufferKHR(%u, %s, %s) = %d", queue_count, NAME(handle),
             fake_waits(wait_count, event, status), status);
    fake_leave();
    return status;
}

/* A command to fill in, NULL when the arguments or FAKE_FAIL forbid. */
static struct fake_command *record(const char *function, commands handle, cl_int *status,
                                   void (*run)(struct fake_command *))
{
    struct fake_recorded *recorded = handle;
    struct fake_command *command;

    if (*status == CL_SUCCESS)
        *status = fake_inject(function);
    if (*status == CL_SUCCESS && !fake_is(handle, FAKE_COMMANDS))
        *status = CL_INVALID_COMMAND_BUFFER_KHR;
    else if (*status == CL_SUCCESS &&
             (recorded->finalized || recorded->count == FAKE_RECORDS_MAX))
        *status = CL_INVALID_OPERATION;
    if (*status != CL_SUCCESS)
        return NULL;
    command = fake_command_new(CL_COMMAND_COMMAND_BUFFER_KHR, recorded->queue, run);
    recorded->commands[recorded->count++] = command;
    return command;
}

static cl_int check_mem(cl_mem mem, size_t offset, size_t bytes)
{
    if (!fake_is(mem, FAKE_MEM))
        return CL_INVALID_MEM_OBJECT;
    return fake_range((struct fake_mem *)mem, offset, bytes) ? CL_SUCCESS
                                                             : CL_INVALID_VALUE;
}

static cl_int copy_new(commands handle, cl_command_queue queue, const void *properties,
                       cl_mem from, cl_mem to, size_t from_offset, size_t to_offset,
                       size_t bytes, TAIL)
{
    struct fake_command *command;
    cl_int status;

    (void)properties;
    USE_TAIL;
    fake_enter();
    status = check_mem(from, from_offset, bytes);
    if (status == CL_SUCCESS)
        status = check_mem(to, to_offset, bytes);
    command = record("clCommandCopyBufferKHR", handle, &status, fake_run_copy);
    if (command) {
        command->from = (struct fake_mem *)from;
        command->to = (struct fake_mem *)to;
        command->from_offset = from_offset;
        command->to_offset = to_offset;
        command->bytes = bytes;
        fake_command_hold(command, from);
        fake_command_hold(command, to);
    }
    fake_log("clCommandCopyBufferKHR(%s, %s, %s, %s, %zu, %zu, %zu) = %d", NAME(handle),
             PTR(queue), NAME(from), NAME(to), from_offset, to_offset, bytes, status);
    fake_leave();
    return status;
}

static cl_int copy_old(commands handle, cl_command_queue queue, cl_mem from, cl_mem to,
                       size_t from_offset, size_t to_offset, size_t bytes, TAIL)
{
    return copy_new(handle, queue, NULL, from, to, from_offset, to_offset, bytes,
                    PASS_TAIL);
}

static cl_int rect_new(commands handle, cl_command_queue queue, const void *properties,
                       cl_mem from, cl_mem to, const size_t *from_origin,
                       const size_t *to_origin, const size_t *region, size_t from_row,
                       size_t from_slice, size_t to_row, size_t to_slice, TAIL)
{
    struct fake_rect source, target;
    struct fake_command *command;
    cl_int status = CL_SUCCESS;

    (void)properties;
    USE_TAIL;
    fake_enter();
    if (!fake_rect_make(from_origin, region, from_row, from_slice, &source) ||
        !fake_rect_make(to_origin, region, to_row, to_slice, &target))
        status = CL_INVALID_VALUE;
    if (status == CL_SUCCESS)
        status = check_mem(from, 0, fake_rect_end(&source, region));
    if (status == CL_SUCCESS)
        status = check_mem(to, 0, fake_rect_end(&target, region));
    command = record("clCommandCopyBufferRectKHR", handle, &status, fake_run_copy_rect);
    if (command) {
        fake_command_rect(command, &source, &target, region);
        command->from = (struct fake_mem *)from;
        command->to = (struct fake_mem *)to;
        fake_command_hold(command, from);
        fake_command_hold(command, to);
    }
    fake_log("clCommandCopyBufferRectKHR(%s, %s, %s, %s, %zu, %zu, %zu, %zu, %u) = %d",
             NAME(handle), PTR(queue), NAME(from), NAME(to), from_row, from_slice, to_row,
             to_slice, sync_count, status);
    fake_leave();
    return status;
}

static cl_int rect_old(commands handle, cl_command_queue queue, cl_mem from, cl_mem to,
                       const size_t *from_origin, const size_t *to_origin,
                       const size_t *region, size_t from_row, size_t from_slice,
                       size_t to_row, size_t to_slice, TAIL)
{
    return rect_new(handle, queue, NULL, from, to, from_origin, to_origin, region,
                    from_row, from_slice, to_row, to_slice, PASS_TAIL);
}

static cl_int fill_new(commands handle, cl_command_queue queue, const void *properties,
                       cl_mem mem, const void *pattern, size_t pattern_bytes,
                       size_t offset, size_t bytes, TAIL)
{
    struct fake_command *command;
    cl_int status;

    (void)properties;
    USE_TAIL;
    fake_enter();
    status = pattern_bytes > 128 ? CL_INVALID_VALUE : check_mem(mem, offset, bytes);
    command = record("clCommandFillBufferKHR", handle, &status, fake_run_fill);
    if (command) {
        command->to = (struct fake_mem *)mem;
        command->to_offset = offset;
        command->bytes = bytes;
        command->pattern_bytes = pattern_bytes;
        memcpy(command->pattern, pattern, pattern_bytes);
        fake_command_hold(command, mem);
    }
    fake_log("clCommandFillBufferKHR(%s, %s, %s, %zu, %zu, %zu) = %d", NAME(handle),
             PTR(queue), NAME(mem), pattern_bytes, offset, bytes, status);
    fake_leave();
    return status;
}

static cl_int fill_old(commands handle, cl_command_queue queue, cl_mem mem,
                       const void *pattern, size_t pattern_bytes, size_t offset,
                       size_t bytes, TAIL)
{
    return fill_new(handle, queue, NULL, mem, pattern, pattern_bytes, offset, bytes,
                    PASS_TAIL);
}

static cl_int ndrange(commands handle, cl_command_queue queue, const void *properties,
                      cl_kernel kernel, cl_uint work_dim, const size_t *offset,
                      const size_t *global, const size_t *local, TAIL)
{
    struct fake_recorded *recorded = handle;
    struct fake_command *command;
    cl_int status = CL_SUCCESS;

    (void)properties;
    USE_TAIL;
    fake_enter();
    if (!fake_is(kernel, FAKE_KERNEL))
        status = CL_INVALID_KERNEL;
    command = record("clCommandNDRangeKernelKHR", handle, &status, fake_run_kernel);
    if (command) {
        status = fake_capture_kernel((struct fake_kernel *)kernel, command, work_dim,
                                     offset, global, local);
        if (status != CL_SUCCESS) {
            recorded->count--;
            fake_drop(command->event);
            free(command);
        }
    }
    fake_log("clCommandNDRangeKernelKHR(%s, %s, %s, %u) = %d", NAME(handle), PTR(queue),
             NAME(kernel), work_dim, status);
    fake_leave();
    return status;
}

static cl_int update(commands handle, const void *config)
{
    cl_int status;

    fake_enter();
    status = fake_is(handle, FAKE_COMMANDS) ? CL_SUCCESS : CL_INVALID_COMMAND_BUFFER_KHR;
    fake_log("clUpdateMutableCommandsKHR(%s, %s) = %d", NAME(handle), PTR(config),
             status);
    fake_leave();
    return status;
}

void *fake_command_buffer_function(const char *name)
{
    typedef void (*any_fn)(void);
    static const struct {
        const char *name;
        any_fn functions[2]; /* old, new */
    } table[] = {{"clCreateCommandBufferKHR", {(any_fn)create, (any_fn)create}},
                 {"clFinalizeCommandBufferKHR", {(any_fn)finalize, (any_fn)finalize}},
                 {"clRetainCommandBufferKHR", {(any_fn)retain, (any_fn)retain}},
                 {"clReleaseCommandBufferKHR", {(any_fn)release, (any_fn)release}},
                 {"clEnqueueCommandBufferKHR", {(any_fn)enqueue, (any_fn)enqueue}},
                 {"clCommandCopyBufferKHR", {(any_fn)copy_old, (any_fn)copy_new}},
                 {"clCommandCopyBufferRectKHR", {(any_fn)rect_old, (any_fn)rect_new}},
                 {"clCommandFillBufferKHR", {(any_fn)fill_old, (any_fn)fill_new}},
                 {"clCommandNDRangeKernelKHR", {(any_fn)ndrange, (any_fn)ndrange}},
                 {"clUpdateMutableCommandsKHR", {(any_fn)update, (any_fn)update}}};
    int version = fake_option("FAKE_COMMAND_BUFFER", "new");
    void *address;

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strcmp(table[i].name, name) == 0) {
            memcpy(&address, &table[i].functions[version], sizeof address);
            return address;
        }
    }
    return NULL;
}
