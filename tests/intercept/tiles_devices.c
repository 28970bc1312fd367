/* SPDX-License-Identifier: MIT */
/* The cases of host_tiles: contexts of two devices, of which the second may be one that
 * can't convert layouts. */
#include "host_tiles.h"

static cl_device_id devices[2];
static cl_command_queue second; /* on the second device */

static void open_two(void)
{
    cl_uint count = 0;

    must(clGetPlatformIDs(1, &platform, NULL));
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, devices, &count));
    must(count == 2 ? CL_SUCCESS : CL_DEVICE_NOT_FOUND);
    device = devices[0];
    MADE(context, clCreateContext(NULL, 2, devices, NULL, NULL, &made));
    open_rest();
    /* The kernels run on both. */
    must(clReleaseKernel(step));
    must(clReleaseKernel(plain));
    must(clBuildProgram(program, 2, devices, "", NULL, NULL));
    MADE(step, clCreateKernel(program, "fake_step", &made));
    MADE(plain, clCreateKernel(program, "fake_add_one", &made));
    MADE(second, clCreateCommandQueueWithProperties(context, devices[1], NULL, &made));
}

static void close_second(void)
{
    must(clFinish(second));
    must(clReleaseCommandQueue(second));
}

/* A kernel as it is written, which has the buffer brought back. */
static void plain_elsewhere(cl_command_queue on)
{
    must(clSetKernelArg(plain, 0, sizeof a, &a));
    launch(on, plain);
}

/* Brought back by the device that is asked, there and on the way home. */
static void brought_back_by_another_device(void)
{
    open_two();
    step_on(queue, step, a);
    plain_elsewhere(second);
    step_on(second, step, a);
    plain_elsewhere(queue);
    close_second();
}

/* Brought back by the device that has tiled it, for one that can't. */
static void brought_back_for_a_poor_device(void)
{
    unsigned char bytes[BYTES];

    open_two();
    step_on(queue, step, a);
    must(clEnqueueReadBuffer(second, a, CL_TRUE, 0, BYTES, bytes, 0, NULL, NULL));
    step_on(queue, step, a);
    plain_elsewhere(second);
    close_second();
}

/* Tiles are as good there as structs, but it makes none; and it gets structs also when
 * nobody has a queue any more on the device that can. */
static void launched_on_a_poor_device(void)
{
    open_two();
    step_on(queue, step, a);
    step_on(second, step, a);
    plain_elsewhere(second);
    step_on(second, step, a);
    step_on(queue, step, a);
    must(clFinish(queue));
    must(clReleaseCommandQueue(queue));
    plain_elsewhere(second);
    MADE(queue, clCreateCommandQueueWithProperties(context, devices[0], NULL, &made));
    close_second();
}

/* Tiles travel as they lie. */
static void migrated_between_devices(void)
{
    open_two();
    step_on(queue, step, a);
    must(clEnqueueMigrateMemObjects(second, 1, &a, 0, 0, NULL, NULL));
    step_on(second, step, a);
    must(clEnqueueMigrateMemObjects(second, 1, &a, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL,
                                    NULL));
    step_on(queue, step, a);
    close_second();
}

static void copied_on_another_device(void)
{
    open_two();
    step_on(queue, step, a);
    must(clEnqueueCopyBuffer(second, a, b, 0, 0, BYTES, 0, NULL, NULL));
    step_on(second, step, b);
    step_on(queue, step, a);
    close_second();
}

/* Tiles that the other device likes are moved into its own by the device that asks. */
static void tiles_of_each_device(void)
{
    open_two();
    step_on(queue, step, a);
    step_on(second, step, a);
    step_on(second, step, a);
    step_on(queue, step, a);
    close_second();
}

/* What can't be built, or launched, on one device runs there as written, and in tiles on
 * the other. */
static void not_built_on_one_device(void)
{
    open_two();
    for (int i = 0; i < 4; i++) {
        step_on(queue, step, a);
        plain_elsewhere(queue);
    }
    for (int i = 0; i < 5; i++)
        step_on(second, step, a);
    step_on(queue, step, a);
    step_on(queue, step, a);
    step_on(second, step, a);
    close_second();
}

static void not_launched_on_one_device(void)
{
    not_built_on_one_device();
}

/* Parts of one buffer: each device looks at it by its own. */
static void sub_buffers_on_two_devices(void)
{
    const cl_buffer_region low = {0, 384}, high = {384, BYTES - 384};
    cl_mem parts[2];

    open_two();
    MADE(parts[0], clCreateSubBuffer(a, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                     &low, &made));
    MADE(parts[1], clCreateSubBuffer(a, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                     &high, &made));
    for (int round = 0; round < 3; round++) {
        step_on(queue, step, parts[0]);
        step_on(second, step, parts[1]);
    }
    read_part(second, a, CL_TRUE);
    must(clReleaseMemObject(parts[0]));
    must(clReleaseMemObject(parts[1]));
    close_second();
}

const struct tiles_case tiles_devices[] = {
    TILES_CASE(migrated_between_devices),
    TILES_CASE(copied_on_another_device),
    TILES_CASE(tiles_of_each_device),
    TILES_CASE(not_built_on_one_device),
    TILES_CASE(not_launched_on_one_device),
    TILES_CASE(sub_buffers_on_two_devices),
    TILES_CASE(brought_back_by_another_device),
    TILES_CASE(brought_back_for_a_poor_device),
    TILES_CASE(launched_on_a_poor_device),
    {NULL, NULL},
};
