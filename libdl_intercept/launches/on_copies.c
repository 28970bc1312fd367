/* SPDX-License-Identifier: MIT */
/* The program's own kernel on copies. */
#include "on_copies.h"

#include <stdlib.h>

#include "libdl_intercept/base/next.h"
#include "libdl_intercept/state/residence.h"

enum { TRIES = 3 };

cl_int dl__copies_set(cl_kernel handle, const struct dl__kernel *kernel,
                      const struct dl__ndrange *range, dl__copy_fn copy_of, void *user,
                      cl_mem *parts)
{
    cl_int err = CL_SUCCESS;

    for (unsigned i = 0; i < kernel->arg_count && err == CL_SUCCESS; i++) {
        struct dl__mem *mem = range->mems[i];
        cl_mem argument = mem ? copy_of(user, dl__mem_root(mem)) : NULL;

        if (!argument)
            continue;
        if (mem->parent) {
            const cl_buffer_region region = {mem->origin_bytes, mem->bytes};

            argument = parts[i] = dl__next.clCreateSubBuffer(
                argument, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &err);
        }
        if (err == CL_SUCCESS)
            err = dl__next.clSetKernelArg(handle, i, sizeof argument, &argument);
    }
    return err;
}

cl_int dl__launch_on_copies(struct dl__kernel *kernel, struct dl__queue *queue,
                            const struct dl__ndrange *range, dl__copy_fn copy_of,
                            void *user, cl_event *done)
{
    cl_mem *parts = calloc(kernel->arg_count + 1, sizeof(cl_mem));
    cl_int err;

    if (!parts)
        return CL_OUT_OF_HOST_MEMORY;
    err = dl__copies_set(kernel->object.handle, kernel, range, copy_of, user, parts);
    if (err == CL_SUCCESS)
        err = dl__next.clEnqueueNDRangeKernel(queue->object.handle, kernel->object.handle,
                                              range->work_dim, range->offset,
                                              range->global, range->local, 0, NULL, done);
    /* What reads the copies may be out of order. */
    if (err == CL_SUCCESS && !done)
        err = dl__next.clFinish(queue->object.handle);
    for (unsigned i = 0; i < kernel->arg_count; i++) {
        struct dl__mem *mem = range->mems[i];

        if (mem && copy_of(user, dl__mem_root(mem)))
            dl__argument_back(kernel, i, mem->object.handle);
        if (parts[i])
            dl__next.clReleaseMemObject(parts[i]);
    }
    free(parts);
    return err;
}

void dl__put_native(struct dl__mem *mem, struct dl__queue *queue, cl_mem copy,
                    const void *bytes)
{
    cl_command_queue handle = queue->object.handle;
    cl_int err = CL_OUT_OF_RESOURCES;

    if (mem->flags & CL_MEM_READ_ONLY)
        return;
    dl__mem_overwritten(mem);
    for (int tries = 0; tries < TRIES && err != CL_SUCCESS; tries++)
        err = copy ? dl__next.clEnqueueCopyBuffer(handle, copy, mem->object.handle, 0, 0,
                                                  mem->bytes, 0, NULL, NULL)
                   : dl__next.clEnqueueWriteBuffer(handle, mem->object.handle, CL_TRUE, 0,
                                                   mem->bytes, bytes, 0, NULL, NULL);
    dl__mem_root(mem)->order.lost |= err != CL_SUCCESS;
}
