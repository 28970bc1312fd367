/* SPDX-License-Identifier: MIT */
/* The program that the memory tests are made of. */
#include "world.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

const char *const world_source =
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "typedef struct { int a; float b; uchar c[4]; short e; double d; } item;\n"
    "//DL: AoS: f[n]\n"
    "__kernel void advance(__global item *f, int n)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    if (i >= n) return;\n"
    "    f[i].a += 3 * i;\n"
    "    f[i].b = (float)(f[i].c[1] + i);\n"
    "    f[i].c[0] = f[i].c[3];\n"
    "    f[i].c[2] += 7;\n"
    "    f[i].e = (short)(f[i].e ^ i);\n"
    "    f[i].d = (double)f[i].a;\n"
    "}\n"
    "//DL: AoS: f[n]\n"
    "__kernel void total(__global const item *f, __global int *out, int n)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    if (i < n) out[i] = f[i].a + f[i].e + f[i].c[2];\n"
    "}\n"
    "//DL: AoS: to[n], from[n]\n"
    "__kernel void shift(__global item *to, __global const item *from, int n)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    if (i >= n) return;\n"
    "    to[i].a = from[i].a + 1;\n"
    "    to[i].c[1] = from[i].c[2];\n"
    "}\n"
    "__kernel void plain(__global item *f, int n)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    if (i >= n) return;\n"
    "    f[i].a ^= 0x55;\n"
    "    f[i].e = (short)f[i].c[0];\n"
    "}\n";

cl_uint world_devices = 1;

void must_at(cl_int err, const char *call, const char *file, int line)
{
    if (err != CL_SUCCESS)
        ck_abort_msg("%s:%d: %s gave %d", file, line, call, err);
}

static struct item load(const unsigned char *model, int i)
{
    struct item item;

    memcpy(&item, model + (size_t)i * sizeof item, sizeof item);
    return item;
}

/* Field by field: padding is nobody's to change. */
static void store(unsigned char *model, int i, const struct item *item)
{
    unsigned char *at = model + (size_t)i * sizeof *item;

    memcpy(at + offsetof(struct item, a), &item->a, sizeof item->a);
    memcpy(at + offsetof(struct item, b), &item->b, sizeof item->b);
    memcpy(at + offsetof(struct item, c), &item->c, sizeof item->c);
    memcpy(at + offsetof(struct item, e), &item->e, sizeof item->e);
    memcpy(at + offsetof(struct item, d), &item->d, sizeof item->d);
}

void model_step(unsigned char *model, int n)
{
    for (int i = 0; i < n; i++) {
        struct item item = load(model, i);

        item.a = (cl_int)((cl_uint)item.a + 3u * (cl_uint)i);
        item.b = (cl_float)(item.c[1] + i);
        item.c[0] = item.c[3];
        item.c[2] = (cl_uchar)(item.c[2] + 7);
        item.e = (cl_short)(item.e ^ i);
        item.d = (cl_double)item.a;
        store(model, i, &item);
    }
}

void model_plain(unsigned char *model, int n)
{
    for (int i = 0; i < n; i++) {
        struct item item = load(model, i);

        item.a ^= 0x55;
        item.e = (cl_short)item.c[0];
        store(model, i, &item);
    }
}

void model_shift(unsigned char *to, const unsigned char *from, int n)
{
    for (int i = 0; i < n; i++) {
        struct item target = load(to, i), source = load(from, i);

        target.a = (cl_int)((cl_uint)source.a + 1u);
        target.c[1] = source.c[2];
        store(to, i, &target);
    }
}

void model_total(const unsigned char *model, cl_int *out, int n)
{
    for (int i = 0; i < n; i++) {
        struct item item = load(model, i);

        out[i] = (cl_int)((cl_uint)item.a + (cl_uint)item.e + item.c[2]);
    }
}

void world_begin_with(struct world *world, cl_mem_flags flags,
                      cl_command_queue_properties properties)
{
    const char *source = world_source;
    cl_device_id devices[2];
    cl_uint count = 0;
    unsigned seed = 12345;
    cl_int err;

    memset(world, 0, sizeof *world);
    for (size_t i = 0; i < BUFFER_BYTES; i++) {
        seed = seed * 1103515245u + 12345u;
        world->model[i] = (unsigned char)(seed >> 16);
    }
    must(clGetPlatformIDs(1, &world->platform, NULL));
    must(clGetDeviceIDs(world->platform, CL_DEVICE_TYPE_ALL, world_devices, devices,
                        &count));
    count = count < world_devices ? count : world_devices;
    world->device = devices[0];
    world->second = count > 1 ? devices[1] : devices[0];
    world->context = clCreateContext(NULL, count, devices, NULL, NULL, &err);
    must(err);
    world->queue = clCreateCommandQueue(world->context, world->device, properties, &err);
    must(err);
    world->program = clCreateProgramWithSource(world->context, 1, &source, NULL, &err);
    must(err);
    must(clBuildProgram(world->program, count, devices, "", NULL, NULL));
    world->step = clCreateKernel(world->program, "advance", &err);
    must(err);
    world->total = clCreateKernel(world->program, "total", &err);
    must(err);
    world->shift = clCreateKernel(world->program, "shift", &err);
    must(err);
    world->plain = clCreateKernel(world->program, "plain", &err);
    must(err);
    world->buffer = clCreateBuffer(world->context, flags | CL_MEM_COPY_HOST_PTR,
                                   BUFFER_BYTES, world->model, &err);
    must(err);
}

void world_begin(struct world *world)
{
    world_begin_with(world, CL_MEM_READ_WRITE, 0);
}

void world_end(struct world *world)
{
    if (world->buffer)
        must(clReleaseMemObject(world->buffer));
    must(clReleaseKernel(world->shift));
    must(clReleaseKernel(world->total));
    must(clReleaseKernel(world->plain));
    must(clReleaseKernel(world->step));
    must(clReleaseProgram(world->program));
    must(clReleaseCommandQueue(world->queue));
    must(clReleaseContext(world->context));
}

void world_launch(struct world *world, cl_command_queue queue, cl_kernel kernel,
                  cl_mem buffer, cl_uint wait_count, const cl_event *wait,
                  cl_event *event)
{
    const size_t global = ITEMS + 3;
    const cl_int n = ITEMS;

    (void)world;
    must(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    must(clSetKernelArg(kernel, 1, sizeof n, &n));
    must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, wait_count, wait,
                                event));
}

void world_step(struct world *world)
{
    world_launch(world, world->queue, world->step, world->buffer, 0, NULL, NULL);
    model_step(world->model, ITEMS);
}

void world_plain(struct world *world)
{
    world_launch(world, world->queue, world->plain, world->buffer, 0, NULL, NULL);
    model_plain(world->model, ITEMS);
}

void world_check(struct world *world)
{
    static unsigned char seen[BUFFER_BYTES];

    memset(seen, 0xee, sizeof seen);
    must(clEnqueueReadBuffer(world->queue, world->buffer, CL_TRUE, 0, BUFFER_BYTES, seen,
                             0, NULL, NULL));
    for (size_t i = 0; i < BUFFER_BYTES; i++)
        if (seen[i] != world->model[i])
            ck_abort_msg("byte %zu (struct %zu, offset %zu): %u, not %u", i,
                         i / sizeof(struct item), i % sizeof(struct item), seen[i],
                         world->model[i]);
}

cl_command_queue world_queue(struct world *world, cl_command_queue_properties properties)
{
    cl_int err;
    cl_command_queue queue =
        clCreateCommandQueue(world->context, world->device, properties, &err);

    must(err);
    return queue;
}

cl_mem world_totals(struct world *world)
{
    cl_int err;
    cl_mem out = clCreateBuffer(world->context, CL_MEM_WRITE_ONLY, ITEMS * sizeof(cl_int),
                                NULL, &err);

    must(err);
    return out;
}

void world_total(struct world *world, cl_command_queue queue, cl_mem buffer, cl_mem out)
{
    const size_t global = ITEMS;
    const cl_int n = ITEMS;

    must(clSetKernelArg(world->total, 0, sizeof buffer, &buffer));
    must(clSetKernelArg(world->total, 1, sizeof out, &out));
    must(clSetKernelArg(world->total, 2, sizeof n, &n));
    must(clEnqueueNDRangeKernel(queue, world->total, 1, NULL, &global, NULL, 0, NULL,
                                NULL));
}

void world_check_totals(struct world *world, cl_command_queue queue, cl_mem out)
{
    cl_int seen[ITEMS], expected[ITEMS];

    must(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof seen, seen, 0, NULL, NULL));
    model_total(world->model, expected, ITEMS);
    ck_assert_mem_eq(seen, expected, sizeof seen);
}

cl_mem world_other(struct world *world, unsigned char *bytes)
{
    cl_int err;
    cl_mem other;

    for (size_t i = 0; i < BUFFER_BYTES; i++)
        bytes[i] = (unsigned char)(i * 7 + 3);
    other = clCreateBuffer(world->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                           BUFFER_BYTES, bytes, &err);
    must(err);
    return other;
}

bool world_maps_share(const struct world *world)
{
    const size_t within = 101;
    unsigned char *whole, *part;
    cl_mem other;
    cl_int err;

    other = clCreateBuffer(world->context, CL_MEM_READ_WRITE, BUFFER_BYTES, NULL, &err);
    must(err);
    whole = clEnqueueMapBuffer(world->queue, other, CL_TRUE, CL_MAP_READ, 0, BUFFER_BYTES,
                               0, NULL, NULL, &err);
    must(err);
    part = clEnqueueMapBuffer(world->queue, other, CL_TRUE, CL_MAP_READ, within, 1, 0,
                              NULL, NULL, &err);
    must(err);
    must(clEnqueueUnmapMemObject(world->queue, other, part, 0, NULL, NULL));
    must(clEnqueueUnmapMemObject(world->queue, other, whole, 0, NULL, NULL));
    must(clFinish(world->queue));
    must(clReleaseMemObject(other));
    return part == whole + within;
}

bool world_is_cpu(const struct world *world)
{
    cl_device_type type = 0;

    must(clGetDeviceInfo(world->device, CL_DEVICE_TYPE, sizeof type, &type, NULL));
    return type & CL_DEVICE_TYPE_CPU;
}

cl_mem world_image(struct world *world, size_t width, size_t height, cl_mem of_buffer,
                   size_t row_pitch, cl_int *err)
{
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                          .image_width = width,
                          .image_height = height,
                          .image_row_pitch = row_pitch};

    desc.mem_object = of_buffer;
    return clCreateImage(world->context, CL_MEM_READ_WRITE, &format, &desc, NULL, err);
}

cl_uint world_context_references(const struct world *world)
{
    cl_uint count = 0;

    must(clGetContextInfo(world->context, CL_CONTEXT_REFERENCE_COUNT, sizeof count,
                          &count, NULL));
    return count;
}

bool world_soon_has_references(const struct world *world, cl_uint wanted)
{
    for (int tries = 0; tries < 2000; tries++) {
        if (world_context_references(world) == wanted)
            return true;
        usleep(1000);
    }
    return false;
}

cl_uint world_buffer_references(const struct world *world)
{
    cl_uint count = 0;

    must(clGetMemObjectInfo(world->buffer, CL_MEM_REFERENCE_COUNT, sizeof count, &count,
                            NULL));
    return count;
}
