/* SPDX-License-Identifier: MIT */
/* A buffer that has sub-buffers, with the bytes that it should hold. */
#include "parts.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

struct parts parts;

void parts_begin_with(cl_mem_flags flags)
{
    void *from = parts.model;
    cl_int err;

    if (!parts.w.context) /* one for all cases */
        world_begin(&parts.w);
    for (size_t i = 0; i < BYTES; i++)
        parts.model[i] = (unsigned char)(i * 13 + i / 251);
    parts.host = NULL;
    if (flags & CL_MEM_USE_HOST_PTR)
        from = parts.host =
            memcpy(aligned_alloc(4096, (BYTES + 4095) / 4096 * 4096), parts.model, BYTES);
    parts.root =
        clCreateBuffer(parts.w.context, flags | (parts.host ? 0 : CL_MEM_COPY_HOST_PTR),
                       BYTES, from, &err);
    must(err);
    parts.totals = clCreateBuffer(parts.w.context, 0, N * sizeof(cl_int), NULL, &err);
    must(err);
}

void parts_begin(void)
{
    parts_begin_with(CL_MEM_READ_WRITE);
}

void parts_check(void)
{
    static unsigned char seen[BYTES];

    must(clEnqueueReadBuffer(parts.w.queue, parts.root, CL_TRUE, 0, BYTES, seen, 0, NULL,
                             NULL));
    for (size_t i = 0; i < BYTES; i++)
        if (seen[i] != parts.model[i])
            ck_abort_msg("byte %zu (struct %zu): %u, not %u", i, i / STRUCT, seen[i],
                         parts.model[i]);
}

void parts_end(void)
{
    if (parts.root) {
        parts_check();
        must(clReleaseMemObject(parts.root));
    }
    must(clReleaseMemObject(parts.totals));
    must(clFinish(parts.w.queue));
    free(parts.host);
}

cl_mem part_of(size_t origin_bytes, size_t bytes, cl_mem_flags flags)
{
    const cl_buffer_region region = {origin_bytes, bytes};
    cl_int err;
    cl_mem made =
        clCreateSubBuffer(parts.root, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &err);

    must(err);
    return made;
}

cl_mem part(size_t first, size_t structs)
{
    return part_of(first * STRUCT, structs * STRUCT, 0);
}

void part_launch(cl_command_queue queue, cl_kernel kernel, cl_mem mem, cl_mem second,
                 cl_int n, cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    /* PoCL compiles a kernel anew for each local size. */
    const size_t local = 64, global = ((size_t)n + local) / local * local;
    cl_uint index = 0;

    must(clSetKernelArg(kernel, index++, sizeof mem, &mem));
    if (second)
        must(clSetKernelArg(kernel, index++, sizeof second, &second));
    must(clSetKernelArg(kernel, index++, sizeof n, &n));
    must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, wait_count, wait,
                                event));
}

void part_step(cl_mem mem, size_t first_byte, cl_int n)
{
    part_launch(parts.w.queue, parts.w.step, mem, NULL, n, 0, NULL, NULL);
    model_step(parts.model + first_byte, n);
}

void part_plain(cl_mem mem, size_t first_byte, cl_int n)
{
    part_launch(parts.w.queue, parts.w.plain, mem, NULL, n, 0, NULL, NULL);
    model_plain(parts.model + first_byte, n);
}

void part_total(cl_mem mem, size_t first_byte, cl_int n)
{
    static cl_int seen[N], want[N];

    part_launch(parts.w.queue, parts.w.total, mem, parts.totals, n, 0, NULL, NULL);
    must(clEnqueueReadBuffer(parts.w.queue, parts.totals, CL_TRUE, 0,
                             (size_t)n * sizeof *seen, seen, 0, NULL, NULL));
    model_total(parts.model + first_byte, want, n);
    ck_assert_mem_eq(seen, want, (size_t)n * sizeof *seen);
}

void part_check(cl_mem mem, size_t first_byte, size_t bytes)
{
    static unsigned char seen[BYTES];

    must(clEnqueueReadBuffer(parts.w.queue, mem, CL_TRUE, 0, bytes, seen, 0, NULL, NULL));
    ck_assert_mem_eq(seen, parts.model + first_byte, bytes);
}
