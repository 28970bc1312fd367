/* SPDX-License-Identifier: MIT */
/* Kernels, tasks, native kernels, markers and barriers. */
#include "commands.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What FAKE_LAUNCH_OF says of the kernel; 0: nothing. */
static cl_ulong ticks_by_name(const struct fake_kernel *kernel)
{
    const char *at = getenv("FAKE_LAUNCH_OF"), *options = kernel->program->options;
    char name[64], part[64];
    unsigned long ticks;
    int used;

    for (; at && sscanf(at, "%63[^/]/%63[^=]=%lu%n", name, part, &ticks, &used) == 3;
         at += used + (at[used] == ','))
        if (strcmp(kernel->signature->name, name) == 0 && options &&
            strstr(options, part))
            return ticks;
    return 0;
}

cl_ulong fake_launch_ticks(const struct fake_kernel *kernel,
                           const struct fake_queue *queue)
{
    const char *text = getenv("FAKE_LAUNCH_NS"), *options = kernel->program->options;
    const bool second = queue->device != fake_device(0);
    cl_ulong ticks[5] = {0}, by_name = ticks_by_name(kernel);

    if (by_name > 0)
        return by_name;
    if (!text || sscanf(text, "%lu/%lu,%lu/%lu,%lu", &ticks[0], &ticks[1], &ticks[2],
                        &ticks[3], &ticks[4]) != 5)
        return 0;
    if (strncmp(kernel->signature->name, "dl_", 3) == 0)
        return ticks[4];
    return ticks[(second ? 2 : 0) + (options && strstr(options, "DL_") ? 1 : 0)];
}

/* A device whose cache holds what the last kernel has used: with FAKE_COLD_NS, a launch
 * takes so much longer after one of another text. */
static cl_ulong cold_ticks(const struct fake_kernel *kernel)
{
    static _Atomic(const void *) last;
    const char *text = getenv("FAKE_COLD_NS");
    const void *before = atomic_exchange(&last, kernel->program);

    return text && before != kernel->program ? strtoul(text, NULL, 10) : 0;
}

/* Counts the launch for each part of FAKE_ROUNDS; true: one of them is for it. */
static bool rounds(const struct fake_kernel *kernel)
{
    enum { PARTS_MAX = 16 };
    static unsigned long launches[PARTS_MAX];
    const char *at = getenv("FAKE_ROUNDS"), *options = kernel->program->options;
    char name[64], part[64];
    unsigned long number;
    bool found = false;
    int used;

    for (int p = 0; p < PARTS_MAX && at &&
                    sscanf(at, "%63[^/]/%63[^=]=%lu%n", name, part, &number, &used) == 3;
         p++, at += used + (at[used] == ','))
        if (strcmp(kernel->signature->name, name) == 0 && options &&
            strstr(options, part))
            found |= ++launches[p] == number;
    return found;
}

static cl_int launch(const char *function, cl_command_queue queue, cl_kernel handle,
                     cl_uint work_dim, const size_t *offset, const size_t *global,
                     const size_t *local, cl_uint wait_count, const cl_event *waits,
                     cl_event *event)
{
    struct fake_kernel *kernel = (struct fake_kernel *)handle;
    struct fake_entry entry = fake_begin(function, queue, wait_count, waits, event);

    if (entry.status == CL_SUCCESS && !fake_is(handle, FAKE_KERNEL))
        entry.status = CL_INVALID_KERNEL;
    if (entry.status == CL_SUCCESS) {
        struct fake_command *command =
            fake_make(&entry, CL_COMMAND_NDRANGE_KERNEL, fake_run_kernel);
        entry.status =
            fake_capture_kernel(kernel, command, work_dim, offset, global, local);
        command->ticks = fake_launch_ticks(kernel, entry.queue) + cold_ticks(kernel);
        command->rounds = entry.status == CL_SUCCESS && rounds(kernel);
        if (entry.status != CL_SUCCESS)
            fake_unmake(&entry);
    }
    return fake_end(&entry, false, "%s, %u, %zu, %zu, %zu", NAME(handle), work_dim,
                    offset ? offset[0] : 0, global ? global[0] : 0, local ? local[0] : 0);
}

cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                                          cl_uint work_dim, const size_t *offset,
                                          const size_t *global, const size_t *local,
                                          cl_uint wait_count, const cl_event *waits,
                                          cl_event *event)
{
    return launch(__func__, queue, kernel, work_dim, offset, global, local, wait_count,
                  waits, event);
}

cl_int CL_API_CALL clEnqueueTask(cl_command_queue queue, cl_kernel kernel,
                                 cl_uint wait_count, const cl_event *waits,
                                 cl_event *event)
{
    static const size_t one = 1;

    return launch(__func__, queue, kernel, 1, NULL, &one, &one, wait_count, waits, event);
}

static void run_native(struct fake_command *command)
{
    command->native(command->native_args);
}

cl_int CL_API_CALL clEnqueueNativeKernel(cl_command_queue queue,
                                         void(CL_CALLBACK *function)(void *), void *args,
                                         size_t args_bytes, cl_uint mem_count,
                                         const cl_mem *mems, const void **places,
                                         cl_uint wait_count, const cl_event *waits,
                                         cl_event *event)
{
    struct fake_entry entry = fake_begin(__func__, queue, wait_count, waits, event);

    if (entry.status == CL_SUCCESS && (!function || (mem_count == 0) != (mems == NULL) ||
                                       (mems == NULL) != (places == NULL)))
        entry.status = CL_INVALID_VALUE;
    for (cl_uint i = 0; entry.status == CL_SUCCESS && i < mem_count; i++)
        if (!fake_is(mems[i], FAKE_MEM))
            entry.status = CL_INVALID_MEM_OBJECT;
    if (entry.status == CL_SUCCESS) {
        struct fake_command *command =
            fake_make(&entry, CL_COMMAND_NATIVE_KERNEL, run_native);
        command->native = function;
        command->native_args = malloc(args_bytes ? args_bytes : 1);
        if (args_bytes)
            memcpy(command->native_args, args, args_bytes);
        for (cl_uint i = 0; i < mem_count; i++) {
            size_t place = (size_t)((const char *)places[i] - (const char *)args);
            void *data = ((struct fake_mem *)mems[i])->data;
            memcpy((char *)command->native_args + place, &data, sizeof data);
            fake_command_hold(command, mems[i]);
        }
    }
    return fake_end(&entry, false, "%s, %zu, %u", PTR(function), args_bytes, mem_count);
}

static cl_int marker(const char *function, cl_command_type type, bool is_barrier,
                     cl_command_queue queue, cl_uint wait_count, const cl_event *waits,
                     cl_event *event)
{
    struct fake_entry entry = fake_begin(function, queue, wait_count, waits, event);

    if (entry.status == CL_SUCCESS) {
        struct fake_command *command = fake_make(&entry, type, fake_run_nothing);
        command->is_barrier = is_barrier || wait_count == 0;
    }
    return fake_end(&entry, false, NULL);
}

cl_int CL_API_CALL clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint wait_count,
                                               const cl_event *waits, cl_event *event)
{
    return marker(__func__, CL_COMMAND_MARKER, false, queue, wait_count, waits, event);
}

cl_int CL_API_CALL clEnqueueBarrierWithWaitList(cl_command_queue queue,
                                                cl_uint wait_count, const cl_event *waits,
                                                cl_event *event)
{
    return marker(__func__, CL_COMMAND_BARRIER, true, queue, wait_count, waits, event);
}

cl_int CL_API_CALL clEnqueueMarker(cl_command_queue queue, cl_event *event)
{
    return marker(__func__, CL_COMMAND_MARKER, false, queue, 0, NULL, event);
}

cl_int CL_API_CALL clEnqueueBarrier(cl_command_queue queue)
{
    return marker(__func__, CL_COMMAND_BARRIER, true, queue, 0, NULL, NULL);
}

cl_int CL_API_CALL clEnqueueWaitForEvents(cl_command_queue queue, cl_uint wait_count,
                                          const cl_event *waits)
{
    return marker(__func__, CL_COMMAND_BARRIER, true, queue, wait_count, waits, NULL);
}
