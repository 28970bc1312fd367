/* SPDX-License-Identifier: MIT */
/* A device that counts and computes on the host. */
#include "host_device.h"

#include <stdlib.h>
#include <string.h>

enum { ARGS_MAX = 16, WAITS_MAX = 4, COMMANDS_MAX = 256, VALUE_BYTES = 256 };

struct host_program {
    char *text;
};

struct host_made_kernel {
    const struct host_program *program;
    const struct host_kernel *kernel;
};

struct host_buffer {
    struct host_buffer *next;
    size_t bytes;
    unsigned char *data;
};

struct host_event {
    struct host_device *device;
    int references;
    bool is_over;
};

/* An enqueued command, with its arguments as they were then. */
struct host_command {
    struct host_made_kernel *kernel; /* NULL: nothing but its event */
    struct {
        size_t bytes;
        bool is_local;
        _Alignas(16) unsigned char value[VALUE_BYTES]; /* as a device gives them */
    } args[ARGS_MAX];
    cl_uint arg_count;
    size_t global[3], local[3];
    struct host_event *waits[WAITS_MAX];
    cl_uint wait_count;
    struct host_event *event;
    bool is_done;
};

struct host_queue {
    struct host_device *device;
    bool is_in_order;
    size_t count;
    struct host_command commands[COMMANDS_MAX];
};

/* ---- events ---- */

static struct host_event *event_new(struct host_device *device, int references)
{
    struct host_event *event = calloc(1, sizeof *event);

    event->device = device;
    event->references = references;
    device->events++;
    return event;
}

static bool event_retain(void *device, cl_event handle)
{
    if (((struct host_device *)device)->refuses_retain)
        return false;
    ((struct host_event *)handle)->references++;
    return true;
}

static void event_release(void *device, cl_event handle)
{
    struct host_event *event = (struct host_event *)handle;

    (void)device;
    if (--event->references == 0) {
        event->device->events--;
        free(event);
    }
}

static bool event_is_over(void *device, cl_event event)
{
    (void)device;
    return ((struct host_event *)event)->is_over;
}

static cl_int event_is_foreign(void *device, cl_event event, bool *out)
{
    *out = ((struct host_event *)event)->device != device;
    return CL_SUCCESS;
}

cl_event host_event_make(struct host_device *device)
{
    return (cl_event)event_new(device, 1);
}

void host_event_set(cl_event event)
{
    ((struct host_event *)event)->is_over = true;
}

/* ---- the device and its buffers ---- */

static cl_int limits(void *handle, struct dl__device_limits *out)
{
    *out = ((struct host_device *)handle)->limits;
    return CL_SUCCESS;
}

static cl_int name(void *handle, char *out, size_t bytes)
{
    (void)handle;
    strncpy(out, "a device on the host", bytes - 1);
    out[bytes - 1] = '\0';
    return CL_SUCCESS;
}

static cl_int buffer_make(void *handle, size_t bytes, cl_mem *out)
{
    struct host_device *device = handle;

    if (device->has_no_memory)
        return CL_MEM_OBJECT_ALLOCATION_FAILURE;
    *out = host_buffer_make(device, bytes);
    return CL_SUCCESS;
}

cl_mem host_buffer_make(struct host_device *device, size_t bytes)
{
    struct host_buffer *buffer = calloc(1, sizeof *buffer);

    buffer->bytes = bytes;
    buffer->data = calloc(1, bytes);
    buffer->next = device->first_buffer;
    device->first_buffer = buffer;
    device->buffers++;
    return (cl_mem)buffer;
}

void *host_buffer_bytes(cl_mem mem)
{
    return ((struct host_buffer *)mem)->data;
}

static void buffer_free(void *handle, cl_mem mem)
{
    struct host_device *device = handle;
    struct host_buffer *buffer = (struct host_buffer *)mem;
    struct host_buffer **at = &device->first_buffer;

    while (*at != buffer)
        at = &(*at)->next;
    *at = buffer->next;
    device->buffers--;
    free(buffer->data);
    free(buffer);
}

static cl_int buffer_info(void *handle, cl_mem mem, struct dl__buffer_info *out)
{
    (void)handle;
    *out = (struct dl__buffer_info){.is_buffer = true,
                                    .root = mem,
                                    .bytes = ((struct host_buffer *)mem)->bytes,
                                    .flags = CL_MEM_READ_WRITE};
    return CL_SUCCESS;
}

/* ---- programs ---- */

static cl_int program_build(void *handle, size_t count, const char **texts,
                            cl_program *out)
{
    struct host_device *device = handle;
    struct host_program *program = calloc(1, sizeof *program);
    size_t bytes = 1;

    for (size_t t = 0; t < count; t++)
        bytes += strlen(texts[t]);
    program->text = calloc(1, bytes);
    for (size_t t = 0; t < count; t++)
        strcat(program->text, texts[t]);
    device->programs++;
    device->programs_built++;
    *out = (cl_program)program;
    return CL_SUCCESS;
}

static void program_free(void *handle, cl_program handle_of)
{
    struct host_program *program = (struct host_program *)handle_of;

    ((struct host_device *)handle)->programs--;
    free(program->text);
    free(program);
}

static cl_int kernel_make(void *handle, cl_program program, const char *kernel_name,
                          cl_kernel *out)
{
    struct host_device *device = handle;
    const struct host_kernel *kernel = device->kernels;
    struct host_made_kernel *made;

    while (kernel->name && strcmp(kernel->name, kernel_name) != 0)
        kernel++;
    if (!kernel->name)
        return CL_INVALID_KERNEL_NAME;
    made = calloc(1, sizeof *made);
    made->program = (struct host_program *)program;
    made->kernel = kernel;
    device->kernels_made++;
    *out = (cl_kernel)made;
    return CL_SUCCESS;
}

static void kernel_free(void *handle, cl_kernel kernel)
{
    ((struct host_device *)handle)->kernels_made--;
    free(kernel);
}

static size_t kernel_items_max(void *handle, cl_kernel kernel)
{
    (void)kernel;
    return ((struct host_device *)handle)->limits.group_items;
}

/* ---- commands ---- */

static struct host_command *command_add(struct host_queue *queue,
                                        const struct dl__device_order *order)
{
    struct host_command *command = &queue->commands[queue->count++];

    if (queue->count > COMMANDS_MAX || order->wait_count > WAITS_MAX)
        abort();
    memset(command, 0, sizeof *command);
    command->wait_count = order->wait_count;
    for (cl_uint w = 0; w < order->wait_count; w++) {
        command->waits[w] = (struct host_event *)order->wait[w];
        command->waits[w]->references++;
    }
    if (order->event) {
        command->event = event_new(queue->device, 2);
        *order->event = (cl_event)command->event;
    }
    return command;
}

static cl_int launch(void *handle, cl_command_queue queue,
                     const struct dl__device_launch *launch,
                     const struct dl__device_order *order)
{
    struct host_device *device = handle;
    struct host_command *command;
    unsigned call = device->calls++;

    if (call - device->refuse_first < device->refuse_count)
        return CL_OUT_OF_RESOURCES;
    device->launches++;
    command = command_add((struct host_queue *)queue, order);
    command->kernel = (struct host_made_kernel *)launch->kernel;
    command->arg_count = launch->arg_count;
    for (cl_uint a = 0; a < launch->arg_count; a++) {
        command->args[a].bytes = launch->args[a].bytes;
        command->args[a].is_local = !launch->args[a].value;
        if (launch->args[a].value)
            memcpy(command->args[a].value, launch->args[a].value, launch->args[a].bytes);
    }
    for (cl_uint d = 0; d < 3; d++) {
        command->global[d] = d < launch->dims ? launch->global[d] : 1;
        command->local[d] = d < launch->dims && launch->local ? launch->local[d] : 1;
    }
    return CL_SUCCESS;
}

static cl_int touch(void *handle, cl_command_queue queue, cl_mem mem,
                    const struct dl__device_order *order)
{
    (void)mem;
    ((struct host_device *)handle)->touches++;
    command_add((struct host_queue *)queue, order);
    return CL_SUCCESS;
}

static cl_int mark(void *handle, cl_command_queue queue,
                   const struct dl__device_order *order)
{
    ((struct host_device *)handle)->marks++;
    command_add((struct host_queue *)queue, order);
    return CL_SUCCESS;
}

static cl_int queue_info(void *handle, cl_command_queue queue, struct dl__queue_info *out)
{
    (void)handle;
    *out =
        (struct dl__queue_info){.is_in_order = ((struct host_queue *)queue)->is_in_order};
    return CL_SUCCESS;
}

/* ---- running ---- */

static bool is_ready(const struct host_queue *queue, const struct host_command *command)
{
    if (command->is_done)
        return false; /* it has let go of its events */
    for (cl_uint w = 0; w < command->wait_count; w++)
        if (!command->waits[w]->is_over)
            return false;
    return (!queue->is_in_order || command == queue->commands || command[-1].is_done);
}

/* The bytes of the buffer whose handle this argument's value is; else the value itself.
 */
static const void *arg_of(const struct host_device *device, const void *value,
                          size_t bytes)
{
    struct host_buffer *handle;

    if (bytes != sizeof handle)
        return value;
    memcpy(&handle, value, sizeof handle);
    for (struct host_buffer *buffer = device->first_buffer; buffer; buffer = buffer->next)
        if (buffer == handle)
            return buffer->data;
    return value;
}

static void command_run(struct host_queue *queue, struct host_command *command)
{
    struct host_call call = {.global = command->global, .local = command->local};
    void *locals[ARGS_MAX] = {NULL};

    for (cl_uint a = 0; a < command->arg_count; a++) {
        call.args[a] =
            arg_of(queue->device, command->args[a].value, command->args[a].bytes);
        if (command->args[a].is_local)
            call.args[a] = locals[a] = calloc(1, command->args[a].bytes);
    }
    if (command->kernel) {
        call.text = command->kernel->program->text;
        command->kernel->kernel->body(&call);
    }
    for (cl_uint a = 0; a < command->arg_count; a++)
        free(locals[a]);
    for (cl_uint w = 0; w < command->wait_count; w++)
        event_release(queue->device, (cl_event)command->waits[w]);
    if (command->event) {
        command->event->is_over = true;
        event_release(queue->device, (cl_event)command->event);
    }
    command->is_done = true;
}

bool host_queue_finish(cl_command_queue handle)
{
    struct host_queue *queue = (struct host_queue *)handle;
    size_t left = 0;

    for (bool again = true; again;) {
        again = false;
        for (size_t c = queue->count; c-- > 0 && !again;)
            if (is_ready(queue, &queue->commands[c])) {
                command_run(queue, &queue->commands[c]);
                again = true;
            }
    }
    for (size_t c = 0; c < queue->count; c++)
        left += !queue->commands[c].is_done;
    if (left == 0)
        queue->count = 0;
    return left == 0;
}

cl_command_queue host_queue_make(struct host_device *device, bool is_in_order)
{
    struct host_queue *queue = calloc(1, sizeof *queue);

    queue->device = device;
    queue->is_in_order = is_in_order;
    return (cl_command_queue)queue;
}

void host_queue_free(cl_command_queue queue)
{
    free(queue);
}

const struct dl__device_ops host_device_ops = {
    .limits = limits,
    .name = name,
    .program_build = program_build,
    .program_free = program_free,
    .kernel_make = kernel_make,
    .kernel_free = kernel_free,
    .kernel_items_max = kernel_items_max,
    .buffer_make = buffer_make,
    .buffer_free = buffer_free,
    .buffer_info = buffer_info,
    .queue_info = queue_info,
    .launch = launch,
    .touch = touch,
    .mark = mark,
    .event_is_foreign = event_is_foreign,
    .event_is_over = event_is_over,
    .event_retain = event_retain,
    .event_release = event_release,
};
