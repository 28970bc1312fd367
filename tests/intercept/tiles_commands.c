/* SPDX-License-Identifier: MIT */
/* The cases of host_tiles: commands on buffers and images, and what the program may
 * ask. */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "dl.h"

#include "host_tiles.h"

#include <stdio.h>

/* ---- commands on buffers ---- */

static void tiled_again_after_unmap(void)
{
    void *mapped;

    open_all();
    step_on(queue, step, a);
    MADE(mapped, clEnqueueMapBuffer(queue, a, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                    BYTES, 0, NULL, NULL, &made));
    must(clEnqueueUnmapMemObject(queue, a, mapped, 0, NULL, NULL));
    step_on(queue, step, a);
}

static cl_uint map_count(void)
{
    cl_uint count = 0;

    must(clGetMemObjectInfo(a, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
    return count;
}

/* Mapped in part, the buffer stays in tiles, and is mapped in the program's eyes. */
static void mapped_in_part(void)
{
    void *mapped;

    open_all();
    step_on(queue, step, a);
    MADE(mapped, clEnqueueMapBuffer(queue, a, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 100,
                                    36, 0, NULL, NULL, &made));
    printf("mapped %u\n", map_count());
    must(clEnqueueUnmapMemObject(queue, a, mapped, 0, NULL, NULL));
    must(clFinish(queue));
    printf("mapped %u\n", map_count());
    step_on(queue, step, a);
}

/* A map whose wait list fails is none: not of a view, and not of the buffer. */
static void map_that_fails(void)
{
    cl_event user;
    cl_int err = 0;
    void *mapped;

    open_all();
    step_on(queue, step, a);
    MADE(user, clCreateUserEvent(context, &made));
    must(clSetUserEventStatus(user, -5));
    mapped = clEnqueueMapBuffer(queue, a, CL_TRUE, CL_MAP_READ, 0, BYTES, 1, &user, NULL,
                                &err);
    printf("%d %s\n", err, mapped ? "mapped" : "not mapped");
    must(clReleaseEvent(user));
    MADE(mapped, clEnqueueMapBuffer(queue, a, CL_TRUE, CL_MAP_READ, 12, 24, 0, NULL, NULL,
                                    &made));
    must(clEnqueueUnmapMemObject(queue, a, mapped, 0, NULL, NULL));
    step_on(queue, step, a);
}

static void map_by_the_driver_that_fails(void)
{
    map_that_fails();
}

/* A copy of a host-pointer buffer is good until a kernel may have written the buffer. */
static void host_pointer_copied(void)
{
    static const char text[] =
        "typedef struct { float x, y; int n; } particle;\n"
        "//DL: AoS: p[n]\n"
        "__kernel void fake_look(__global const particle *p, int n, __global int *out)\n"
        "{ int i = get_global_id(0); if (i < n) out[i] = p[i].n; }\n";
    static unsigned char host[BYTES];
    const char *texts = text;
    cl_program looking;
    cl_kernel look;
    cl_mem of_host;

    open_all();
    MADE(looking, clCreateProgramWithSource(context, 1, &texts, NULL, &made));
    build(looking);
    MADE(look, clCreateKernel(looking, "fake_look", &made));
    MADE(of_host, clCreateBuffer(context, CL_MEM_USE_HOST_PTR, BYTES, host, &made));
    must(clSetKernelArg(look, 2, sizeof b, &b));
    step_on(queue, look, of_host);
    step_on(queue, look, of_host);
    plain_on(plain, of_host);
    step_on(queue, look, of_host);
    step_on(queue, look, of_host);
    must(clReleaseMemObject(of_host));
    must(clReleaseKernel(look));
    must(clReleaseProgram(looking));
}

/* A kernel that takes a buffer and does nothing with it leaves it where it lies. */
static void taken_but_not_used(void)
{
    static const char text[] =
        "typedef struct { float x, y; int n; } particle;\n"
        "//DL: AoS: p[n]\n"
        "__kernel void fake_look(__global const particle *p, int n, __global int *out,\n"
        "                        __global particle *spare)\n"
        "{ int i = get_global_id(0); if (i < n) out[i] = p[i].n; }\n";
    const char *texts = text;
    cl_program looking;
    cl_kernel look;
    cl_mem out;

    open_all();
    MADE(looking, clCreateProgramWithSource(context, 1, &texts, NULL, &made));
    build(looking);
    MADE(look, clCreateKernel(looking, "fake_look", &made));
    MADE(out, clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &made));
    step_on(queue, step, a);
    must(clSetKernelArg(look, 2, sizeof out, &out));
    must(clSetKernelArg(look, 3, sizeof a, &a));
    step_on(queue, look, b);
    step_on(queue, step, a);
    must(clReleaseMemObject(out));
    must(clReleaseKernel(look));
    must(clReleaseProgram(looking));
}

/* ---- memory that others see too is left as it is, and leaves the tiles alone ---- */

static void run_on_foreign(cl_mem foreign)
{
    step_on(queue, step, foreign);
    step_on(queue, step, a);
    plain_on(plain, foreign);
    step_on(queue, step, a);
    must(clReleaseMemObject(foreign));
}

static void imported_buffer(void)
{
    const cl_mem_properties properties[] = {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, 1,
                                            0};
    cl_mem imported;

    open_all();
    MADE(imported, clCreateBufferWithProperties(context, properties, CL_MEM_READ_WRITE,
                                                BYTES, NULL, &made));
    run_on_foreign(imported);
}

static void gl_buffer(void)
{
    cl_mem shared;

    open_all();
    MADE(shared, clCreateFromGLBuffer(context, CL_MEM_READ_WRITE, 7, &made));
    run_on_foreign(shared);
}

static void pipe_between_kernels(void)
{
    cl_mem pipe;

    open_all();
    MADE(pipe, clCreatePipe(context, CL_MEM_READ_WRITE, 12, ITEMS, NULL, &made));
    step_on(queue, step, a);
    plain_on(plain, pipe);
    step_on(queue, step, a);
    must(clReleaseMemObject(pipe));
}

static void image_of(cl_bool properties)
{
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                          .image_width = 8,
                          .image_height = 8,
                          .image_row_pitch = 32};
    cl_mem image;

    open_all();
    desc.mem_object = a;
    step_on(queue, step, a);
    if (properties)
        MADE(image, clCreateImageWithProperties(context, NULL, CL_MEM_READ_WRITE, &format,
                                                &desc, NULL, &made));
    else
        MADE(image,
             clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, NULL, &made));
    step_on(queue, step, a);
    must(clReleaseMemObject(image));
    step_on(queue, step, a);
}

static void image_of_buffer(void)
{
    image_of(CL_FALSE);
}

static void image_of_buffer_with_properties(void)
{
    image_of(CL_TRUE);
}

/* The buffer is tiled on one queue while another moves it: the tiling comes after. */
static void migrated_on_another_queue(void)
{
    cl_command_queue other;

    open_all();
    MADE(other, clCreateCommandQueueWithProperties(context, device, NULL, &made));
    must(clEnqueueMigrateMemObjects(other, 1, &a, 0, 0, NULL, NULL));
    step_on(queue, step, a);
    must(clFinish(queue));
    must(clReleaseCommandQueue(other));
}

static void unmapped_on_another_queue(void)
{
    cl_command_queue other;
    void *mapped;

    open_all();
    MADE(other, clCreateCommandQueueWithProperties(context, device, NULL, &made));
    MADE(mapped, clEnqueueMapBuffer(queue, a, CL_TRUE, CL_MAP_READ, 0, BYTES, 0, NULL,
                                    NULL, &made));
    must(clEnqueueUnmapMemObject(other, a, mapped, 0, NULL, NULL));
    step_on(queue, step, a);
    must(clFinish(queue));
    must(clReleaseCommandQueue(other));
}

/* An image of a buffer that is still being brought back, on another queue. */
static cl_mem image_on_its_way(cl_command_queue *other, cl_event *user)
{
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                          .image_width = 8,
                          .image_height = 8,
                          .image_row_pitch = 32};
    cl_mem image;

    open_all();
    desc.mem_object = a;
    MADE(*other, clCreateCommandQueueWithProperties(context, device, NULL, &made));
    *user = hold_back();
    step_on(queue, step, a);
    MADE(image, clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, NULL, &made));
    return image;
}

static void image_is_done(cl_command_queue other, cl_mem image, cl_event user)
{
    let_go(user);
    must(clFinish(other));
    must(clReleaseMemObject(image));
    must(clReleaseCommandQueue(other));
}

static const size_t image_origin[3] = {0, 0, 0}, image_region[3] = {4, 4, 1};

static void image_read(void)
{
    unsigned char bytes[64];
    cl_command_queue other;
    cl_event user;
    cl_mem image = image_on_its_way(&other, &user);

    must(clEnqueueReadImage(other, image, CL_FALSE, image_origin, image_region, 0, 0,
                            bytes, 0, NULL, NULL));
    image_is_done(other, image, user);
}

static void image_written(void)
{
    const unsigned char bytes[64] = {1};
    cl_command_queue other;
    cl_event user;
    cl_mem image = image_on_its_way(&other, &user);

    must(clEnqueueWriteImage(other, image, CL_FALSE, image_origin, image_region, 0, 0,
                             bytes, 0, NULL, NULL));
    image_is_done(other, image, user);
}

static void image_copied(void)
{
    const size_t target[3] = {4, 4, 0};
    cl_command_queue other;
    cl_event user;
    cl_mem image = image_on_its_way(&other, &user);

    must(clEnqueueCopyImage(other, image, image, image_origin, target, image_region, 0,
                            NULL, NULL));
    image_is_done(other, image, user);
}

/* What brings the buffer back is not behind what its queue is held back by, which is the
 * host. */
static void image_behind_a_held_queue(void)
{
    const cl_buffer_region region = {512, 256};
    unsigned char bytes[64];
    cl_command_queue other;
    cl_event user;
    cl_mem sub;

    open_all();
    MADE(other, clCreateCommandQueueWithProperties(context, device, NULL, &made));
    step_on(queue, step, a);
    must(clFinish(queue));
    user = hold_back();
    MADE(sub, clCreateSubBuffer(a, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                &region, &made));
    must(clEnqueueReadBuffer(other, sub, CL_TRUE, 0, 64, bytes, 0, NULL, NULL));
    let_go(user);
    must(clReleaseMemObject(sub));
    must(clReleaseCommandQueue(other));
}

/* The driver has neither of the next two, but says what it was asked to wait for. */
static void image_filled(void)
{
    const cl_uint color[4] = {1, 2, 3, 4};
    cl_command_queue other;
    cl_event user;
    cl_mem image = image_on_its_way(&other, &user);

    printf("fill %d\n", clEnqueueFillImage(other, image, color, image_origin,
                                           image_region, 0, NULL, NULL));
    image_is_done(other, image, user);
}

static void image_mapped(void)
{
    cl_command_queue other;
    cl_event user;
    cl_mem image = image_on_its_way(&other, &user);
    cl_int err = CL_SUCCESS;
    size_t row;

    clEnqueueMapImage(other, image, CL_FALSE, CL_MAP_READ, image_origin, image_region,
                      &row, NULL, 0, NULL, NULL, &err);
    printf("map %d\n", err);
    image_is_done(other, image, user);
}

/* ---- what the program may ask ---- */

/* A launch of one work-item, in tiles as any; to the program its event is a task's. */
static void task(void)
{
    cl_command_type type = 0;
    cl_event event;

    open_all();
    step_on(queue, step, a);
    must(clEnqueueTask(queue, step, 0, NULL, &event));
    must(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    printf("command type 0x%x\n", type);
    must(clReleaseEvent(event));
}

static void asked(void)
{
    cl_command_queue_properties properties = 99;
    const size_t global = ITEMS;
    cl_ulong time = 0;
    cl_uint count = 0;
    cl_event event;

    open_all();
    step_on(queue, step, a);
    must(clEnqueueNDRangeKernel(queue, step, 1, NULL, &global, NULL, 0, NULL, &event));
    must(clFinish(queue));
    must(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties,
                               NULL));
    printf("queue properties %lu\n", (unsigned long)properties);
    printf("profiling %d\n", clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START,
                                                     sizeof time, &time, NULL));
    must(clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof count, &count, NULL));
    printf("event references %u\n", count);
    must(clReleaseEvent(event));
    must(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count,
                          NULL));
    printf("context references %u\n", count);
}

/* ---- the host wants another layout ---- */

/* What it writes as a whole lies as it wants it, and a buffer that does is read as it
 * lies: nothing is converted but for the kernel, there and back. */
static void host_layout(void)
{
    const cl_field_dl fields[] = {{0, 4}, {4, 4}, {8, 4}};
    cl_buffer_layout_dl layout = {.kind = CL_LAYOUT_SOA_DL, .struct_bytes = 12};
    unsigned char bytes[BYTES] = {0};
    cl_int err;

    open_all();
    err = dl_buffer_set_host_layout(a, &layout, 3, fields);
    must(err == CL_INVALID_OPERATION ? CL_SUCCESS : err); /* without DL */
    must(clEnqueueWriteBuffer(queue, a, CL_TRUE, 0, BYTES, bytes, 0, NULL, NULL));
    must(clEnqueueReadBuffer(queue, a, CL_TRUE, 0, BYTES, bytes, 0, NULL, NULL));
    step_on(queue, step, a);
    must(clEnqueueReadBuffer(queue, a, CL_TRUE, 0, BYTES, bytes, 0, NULL, NULL));
    must(clEnqueueReadBuffer(queue, a, CL_TRUE, 0, BYTES / 2, bytes, 0, NULL, NULL));
}

/* ---- reference counts ---- */

static cl_command_queue second;

static void show_counts(const char *at)
{
    cl_uint in_context = 0, in_queue = 0, in_second = 0, in_mem = 0, in_kernel = 0,
            in_program = 0;

    must(clFinish(queue));
    if (second)
        must(clFinish(second));
    must(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof in_context,
                          &in_context, NULL));
    must(clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof in_queue,
                               &in_queue, NULL));
    if (second)
        must(clGetCommandQueueInfo(second, CL_QUEUE_REFERENCE_COUNT, sizeof in_second,
                                   &in_second, NULL));
    must(clGetMemObjectInfo(a, CL_MEM_REFERENCE_COUNT, sizeof in_mem, &in_mem, NULL));
    must(clGetKernelInfo(step, CL_KERNEL_REFERENCE_COUNT, sizeof in_kernel, &in_kernel,
                         NULL));
    must(clGetProgramInfo(program, CL_PROGRAM_REFERENCE_COUNT, sizeof in_program,
                          &in_program, NULL));
    printf("%-20s context %u, queues %u %u, buffer %u, kernel %u, program %u\n", at,
           in_context, in_queue, in_second, in_mem, in_kernel, in_program);
}

static void count_commands(void)
{
    const cl_buffer_region region = {512, 256};
    cl_command_queue other = second ? second : queue;
    const size_t global = ITEMS;
    unsigned char part[50];
    cl_event event;
    void *mapped;
    cl_mem sub;

    show_counts("begin");
    step_on(queue, step, a);
    show_counts("launch");
    must(clEnqueueReadBuffer(other, a, CL_TRUE, 33, sizeof part, part, 0, NULL, NULL));
    show_counts("read of a part");
    must(clEnqueueNDRangeKernel(other, step, 1, NULL, &global, NULL, 0, NULL, &event));
    show_counts("launch, an event");
    must(clEnqueueReadBuffer(queue, a, CL_FALSE, 33, sizeof part, part, 1, &event, NULL));
    must(clReleaseEvent(event));
    show_counts("no event");
    plain_on(plain, a);
    show_counts("as written");
    step_on(other, step, a);
    MADE(mapped, clEnqueueMapBuffer(queue, a, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                    BYTES, 0, NULL, NULL, &made));
    must(clEnqueueUnmapMemObject(queue, a, mapped, 0, NULL, NULL));
    show_counts("mapped");
    step_on(other, step, a);
    MADE(sub, clCreateSubBuffer(a, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                &region, &made));
    show_counts("sub-buffer");
    must(clReleaseMemObject(sub));
    step_on(queue, step, a);
    must(clReleaseMemObject(a));
    MADE(a, clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &made));
    show_counts("another buffer");
}

static void counts(void)
{
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
                                              CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};

    open_all();
    count_commands();
    MADE(second, clCreateCommandQueueWithProperties(context, device, properties, &made));
    count_commands();
    must(clFinish(second));
    must(clReleaseCommandQueue(second));
    second = NULL;
    count_commands();
}

const struct tiles_case tiles_commands[] = {
    TILES_CASE(tiled_again_after_unmap),
    TILES_CASE(mapped_in_part),
    TILES_CASE(map_that_fails),
    TILES_CASE(map_by_the_driver_that_fails),
    TILES_CASE(taken_but_not_used),
    TILES_CASE(host_pointer_copied),
    TILES_CASE(imported_buffer),
    TILES_CASE(gl_buffer),
    TILES_CASE(pipe_between_kernels),
    TILES_CASE(image_of_buffer),
    TILES_CASE(image_of_buffer_with_properties),
    TILES_CASE(migrated_on_another_queue),
    TILES_CASE(unmapped_on_another_queue),
    TILES_CASE(image_read),
    TILES_CASE(image_written),
    TILES_CASE(image_copied),
    TILES_CASE(image_behind_a_held_queue),
    TILES_CASE(image_filled),
    TILES_CASE(image_mapped),
    TILES_CASE(task),
    TILES_CASE(asked),
    TILES_CASE(host_layout),
    TILES_CASE(counts),
    {NULL, NULL},
};
