/* SPDX-License-Identifier: MIT */
/* Shared virtual memory, which is host memory. */
#include "commands.h"

#include <stdlib.h>
#include <string.h>

void *CL_API_CALL clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t bytes,
                             cl_uint align_bytes)
{
    void *memory = fake_is(context, FAKE_CONTEXT) && bytes ? calloc(1, bytes) : NULL;

    fake_log("%s(%s, 0x%lx, %zu, %u) = %s", __func__, NAME(context), (unsigned long)flags,
             bytes, align_bytes, PTR(memory));
    return memory;
}

void CL_API_CALL clSVMFree(cl_context context, void *memory)
{
    fake_log("%s(%s, %s)", __func__, NAME(context), PTR(memory));
    free(memory);
}

static cl_int submit(const char *function, cl_command_type type,
                     void (*run)(struct fake_command *), cl_command_queue queue,
                     cl_bool blocking, void *to, const void *from, size_t bytes,
                     const void *pattern, size_t pattern_bytes, cl_uint wait_count,
                     const cl_event *waits, cl_event *event)
{
    struct fake_entry entry = fake_begin(function, queue, wait_count, waits, event);

    if (entry.status == CL_SUCCESS && (!to || pattern_bytes > 128))
        entry.status = CL_INVALID_VALUE;
    if (entry.status == CL_SUCCESS) {
        struct fake_command *command = fake_make(&entry, type, run);
        command->to_host = to;
        command->from_host = from;
        command->bytes = bytes;
        command->pattern_bytes = pattern_bytes;
        if (pattern)
            memcpy(command->pattern, pattern, pattern_bytes);
    }
    return fake_end(&entry, blocking, "%u, %zu", blocking, bytes);
}

cl_int CL_API_CALL clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool blocking, void *to,
                                      const void *from, size_t bytes, cl_uint wait_count,
                                      const cl_event *waits, cl_event *event)
{
    return submit(__func__, CL_COMMAND_SVM_MEMCPY, fake_run_copy, queue, blocking, to,
                  from, bytes, NULL, 0, wait_count, waits, event);
}

cl_int CL_API_CALL clEnqueueSVMMemFill(cl_command_queue queue, void *to,
                                       const void *pattern, size_t pattern_bytes,
                                       size_t bytes, cl_uint wait_count,
                                       const cl_event *waits, cl_event *event)
{
    return submit(__func__, CL_COMMAND_SVM_MEMFILL, fake_run_fill, queue, CL_FALSE, to,
                  NULL, bytes, pattern, pattern_bytes, wait_count, waits, event);
}

cl_int CL_API_CALL clEnqueueSVMMap(cl_command_queue queue, cl_bool blocking,
                                   cl_map_flags flags, void *memory, size_t bytes,
                                   cl_uint wait_count, const cl_event *waits,
                                   cl_event *event)
{
    (void)flags;
    return submit(__func__, CL_COMMAND_SVM_MAP, fake_run_nothing, queue, blocking, memory,
                  NULL, bytes, NULL, 0, wait_count, waits, event);
}

cl_int CL_API_CALL clEnqueueSVMUnmap(cl_command_queue queue, void *memory,
                                     cl_uint wait_count, const cl_event *waits,
                                     cl_event *event)
{
    return submit(__func__, CL_COMMAND_SVM_UNMAP, fake_run_nothing, queue, CL_FALSE,
                  memory, NULL, 0, NULL, 0, wait_count, waits, event);
}
