/* SPDX-License-Identifier: MIT */
/* What a program does with memory: buffers, transfers, maps and images, right and wrong.
 */
#include <stdio.h>

#include "calls_inside.h"

static void CL_CALLBACK on_destroyed(cl_mem mem, void *user)
{
    (void)mem;
    printf("destroyed %s\n", (const char *)user);
}

static void ordered_by_events(cl_mem buffer, cl_mem other)
{
    cl_event user, event = NULL, list[2] = {NULL, NULL};
    cl_int err;

    SAY(CALL(clEnqueueWriteBuffer)(calls.queue, buffer, CL_TRUE, 0, sizeof calls.data,
                                   calls.data, 0, NULL, NULL));
    user = CALL(clCreateUserEvent)(calls.context, &err);
    SAY(CALL(clEnqueueWriteBuffer)(calls.queue, other, CL_FALSE, 0, 64, calls.data, 1,
                                   &user, &event));
    SAY(CALL(clEnqueueCopyBuffer)(calls.queue, other, buffer, 0, 64, 64, 1, &event,
                                  &list[0]));
    SAY(CALL(clEnqueueMarkerWithWaitList)(calls.queue, 1, &list[0], &list[1]));
    SAY(CALL(clFlush)(calls.queue));
    SAY(CALL(clSetUserEventStatus)(user, CL_COMPLETE));
    SAY(CALL(clWaitForEvents)(2, list));
    SAY(CALL(clRetainEvent)(user));
    SAY(CALL(clReleaseEvent)(user));
    SAY(CALL(clReleaseEvent)(user));
    SAY(CALL(clReleaseEvent)(event));
    SAY(CALL(clReleaseEvent)(list[0]));
    SAY(CALL(clReleaseEvent)(list[1]));
}

static void rectangles(cl_mem buffer, cl_mem other)
{
    const size_t origin[3] = {4, 1, 0}, host_origin[3] = {0, 0, 0}, region[3] = {8, 2, 1};

    SAY(CALL(clEnqueueWriteBufferRect)(calls.queue, buffer, CL_TRUE, origin, host_origin,
                                       region, 16, 0, 8, 0, calls.data, 0, NULL, NULL));
    SAY(CALL(clEnqueueReadBufferRect)(calls.queue, buffer, CL_TRUE, origin, host_origin,
                                      region, 16, 0, 8, 0, calls.data, 0, NULL, NULL));
    SAY(CALL(clEnqueueReadBufferRect)(calls.queue, buffer, CL_TRUE, origin, host_origin,
                                      region, 4, 0, 0, 0, calls.data, 0, NULL, NULL));
    SAY(CALL(clEnqueueWriteBufferRect)(calls.queue, NULL, CL_TRUE, origin, host_origin,
                                       region, 4, 0, 0, 0, calls.data, 0, NULL, NULL));
    SAY(CALL(clEnqueueCopyBufferRect)(calls.queue, buffer, other, origin, host_origin,
                                      region, 16, 0, 8, 0, 0, NULL, NULL));
}

static void fills_and_wrong_transfers(cl_mem buffer)
{
    const int pattern[2] = {5, 6};

    SAY(CALL(clEnqueueCopyBuffer)(calls.queue, buffer, buffer, 0, 4, 64, 0, NULL, NULL));
    SAY(CALL(clEnqueueFillBuffer)(calls.queue, buffer, pattern, 8, 8, 64, 0, NULL, NULL));
    SAY(CALL(clEnqueueFillBuffer)(calls.queue, buffer, pattern, 3, 8, 64, 0, NULL, NULL));
    SAY(CALL(clEnqueueMigrateMemObjects)(calls.queue, 1, &buffer,
                                         CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL));
    SAY(CALL(clEnqueueMigrateMemObjects)(calls.queue, 0, NULL, 0, 0, NULL, NULL));
    SAY(CALL(clEnqueueReadBuffer)(calls.queue, buffer, CL_TRUE, 250, 64, calls.data, 0,
                                  NULL, NULL));
    SAY(CALL(clEnqueueReadBuffer)(calls.queue, (cl_mem)calls.context, CL_TRUE, 0, 4,
                                  calls.data, 0, NULL, NULL));
    SAY(CALL(clEnqueueReadBuffer)(calls.queue, buffer, CL_TRUE, 0, 0, calls.data, 0, NULL,
                                  NULL));
    SAY(CALL(clEnqueueReadBuffer)(calls.queue, buffer, CL_TRUE, 0, 4, NULL, 0, NULL,
                                  NULL));
    SAY(CALL(clEnqueueWriteBuffer)(calls.queue, NULL, CL_TRUE, 0, 4, calls.data, 0, NULL,
                                   NULL));
}

static void maps(cl_mem buffer)
{
    int *mapped;
    cl_int err;

    mapped =
        CALL(clEnqueueMapBuffer)(calls.queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                 16, 64, 0, NULL, NULL, &err);
    SAY(err);
    if (mapped) {
        SAY(mapped[0]);
        mapped[0] = 1234;
    }
    SAY(CALL(clEnqueueUnmapMemObject)(calls.queue, buffer, mapped, 0, NULL, NULL));
    SAY(CALL(clEnqueueUnmapMemObject)(calls.queue, buffer, calls.data, 0, NULL, NULL));
    SAY(CALL(clEnqueueMapBuffer)(calls.queue, buffer, CL_TRUE, 1u << 20, 0, 4, 0, NULL,
                                 NULL, &err) == NULL);
    SAY(err);
    SAY(CALL(clEnqueueMapBuffer)(calls.queue, buffer, CL_TRUE, CL_MAP_READ, 300, 4, 0,
                                 NULL, NULL, NULL) == NULL);
}

static void transfers(cl_mem buffer, cl_mem other)
{
    ordered_by_events(buffer, other);
    rectangles(buffer, other);
    fills_and_wrong_transfers(buffer);
    maps(buffer);
    SAY(CALL(clEnqueueReadBuffer)(calls.queue, buffer, CL_TRUE, 0, sizeof calls.data,
                                  calls.data, 0, NULL, NULL));
    for (int i = 0; i < 64; i++)
        printf("%d ", calls.data[i]);
    puts("");
}

static void images(cl_mem buffer)
{
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    const size_t origin[3] = {1, 0, 0}, region[3] = {2, 2, 1};
    cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    cl_mem image, from_buffer;
    cl_int err;

    image =
        CALL(clCreateImage)(calls.context, CL_MEM_READ_WRITE, &format, &desc, NULL, &err);
    SAY(err);
    SAY(CALL(clEnqueueCopyBufferToImage)(calls.queue, buffer, image, 0, origin, region, 0,
                                         NULL, NULL));
    SAY(CALL(clEnqueueCopyImageToBuffer)(calls.queue, image, buffer, origin, region, 64,
                                         0, NULL, NULL));
    SAY(CALL(clEnqueueCopyBufferToImage)(calls.queue, buffer, buffer, 0, origin, region,
                                         0, NULL, NULL));
    SAY(CALL(clEnqueueCopyImageToBuffer)(calls.queue, NULL, buffer, origin, region, 64, 0,
                                         NULL, NULL));
    desc = (cl_image_desc){
        .image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 64, .buffer = buffer};
    from_buffer = CALL(clCreateImageWithProperties)(
        calls.context, NULL, CL_MEM_READ_WRITE, &format, &desc, NULL, &err);
    SAY(err);
    SAY(CALL(clReleaseMemObject)(from_buffer));
    SAY(CALL(clReleaseMemObject)(image));
    SAY(CALL(clCreateImage)(calls.context, CL_MEM_READ_WRITE, NULL, NULL, NULL, &err) ==
        NULL);
    SAY(err);
}

void calls_memory(void)
{
    cl_buffer_region region = {128, 64}, misaligned = {4, 64};
    cl_mem buffer, other, part;
    cl_uint count = 0;
    cl_int err;

    for (int i = 0; i < 64; i++)
        calls.data[i] = i;
    buffer = CALL(clCreateBuffer)(calls.context, CL_MEM_COPY_HOST_PTR, sizeof calls.data,
                                  calls.data, &err);
    SAY(err);
    other = CALL(clCreateBufferWithProperties)(calls.context, NULL, CL_MEM_READ_WRITE,
                                               sizeof calls.data, NULL, &err);
    SAY(err);
    part =
        CALL(clCreateSubBuffer)(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &err);
    SAY(err);
    SAY(CALL(clCreateSubBuffer)(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &misaligned,
                                &err) == NULL);
    SAY(err);
    SAY(CALL(clCreateSubBuffer)(buffer, 0, 0, NULL, NULL) == NULL);
    SAY(CALL(clCreateBuffer)(calls.context, 0, 0, NULL, &err) == NULL);
    SAY(err);
    SAY(CALL(clCreateBuffer)(calls.context, CL_MEM_USE_HOST_PTR, 64, NULL, &err) == NULL);
    SAY(err);
    SAY(CALL(clCreateBuffer)((cl_context)calls.queue, 0, 64, NULL, NULL) == NULL);
    SAY(CALL(clCreateBuffer)(NULL, 0, 64, NULL, NULL) == NULL);
    SAY(CALL(clSetMemObjectDestructorCallback)(other, on_destroyed, "other"));
    SAY(CALL(clRetainMemObject)(buffer));
    SAY(CALL(clReleaseMemObject)(buffer));
    SAY(CALL(clRetainMemObject)(NULL));
    SAY(CALL(clGetMemObjectInfo)(buffer, CL_MEM_REFERENCE_COUNT, sizeof count, &count,
                                 NULL));
    SAY(count);

    calls_launches(buffer);
    transfers(buffer, other);
    images(buffer);
    SAY(CALL(clEnqueueReadBuffer)(calls.queue, part, CL_TRUE, 0, 4, calls.data, 0, NULL,
                                  NULL));
    SAY(CALL(clReleaseMemObject)(part));
    SAY(CALL(clReleaseMemObject)(other));
    SAY(CALL(clReleaseMemObject)(buffer));
    SAY(CALL(clReleaseMemObject)(NULL));
}
