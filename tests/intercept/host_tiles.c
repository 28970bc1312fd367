/* SPDX-License-Identifier: MIT */
/* An annotated program over the fake driver, a case an entry point (or a few): argv[1]
 * names it. What the program sees goes to standard output and is the same without DL;
 * what DL did about it, tiles_test.sh reads from the statistics and from the driver's
 * log. */
#include "host_tiles.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

const char *const source =
    "typedef struct { float x, y; int n; } particle;\n"
    "//DL: AoS: p[n]\n"
    "__kernel void fake_step(__global particle *p, int n)\n"
    "{ int i = get_global_id(0); if (i < n) { p[i].x += p[i].y; p[i].n++; } }\n"
    "__kernel void fake_add_one(__global int *a) { a[get_global_id(0)] += 1; }\n";

cl_platform_id platform;
cl_device_id device;
cl_context context;
cl_command_queue queue;
cl_program program;
cl_kernel step, plain;
cl_mem a, b;

void must_at(cl_int err, const char *file, int line)
{
    if (err == CL_SUCCESS)
        return;
    printf("%s, line %d: %d\n", file, line, err);
    exit(1);
}

void build(cl_program text)
{
    must(clBuildProgram(text, 1, &device, "", NULL, NULL));
}

static cl_program program_from_source(void)
{
    const char *text = source;
    cl_program built;

    MADE(built, clCreateProgramWithSource(context, 1, &text, NULL, &made));
    build(built);
    return built;
}

void open_context(void)
{
    must(clGetPlatformIDs(1, &platform, NULL));
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    MADE(context, clCreateContext(NULL, 1, &device, NULL, NULL, &made));
}

void open_program(void)
{
    program = program_from_source();
    MADE(step, clCreateKernel(program, "fake_step", &made));
    MADE(plain, clCreateKernel(program, "fake_add_one", &made));
}

void open_buffers(void)
{
    MADE(a, clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &made));
    MADE(b, clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &made));
}

void open_rest(void)
{
    MADE(queue, clCreateCommandQueueWithProperties(context, device, NULL, &made));
    open_program();
    open_buffers();
}

void open_all(void)
{
    open_context();
    open_rest();
}

void launch(cl_command_queue on, cl_kernel kernel)
{
    const size_t global = ITEMS;

    must(clEnqueueNDRangeKernel(on, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
}

void step_on(cl_command_queue on, cl_kernel kernel, cl_mem mem)
{
    const cl_int n = ITEMS;

    must(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    must(clSetKernelArg(kernel, 1, sizeof n, &n));
    launch(on, kernel);
}

void plain_on(cl_kernel kernel, cl_mem mem)
{
    must(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    launch(queue, kernel);
}

cl_command_queue make_queue(cl_command_queue_properties order)
{
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, order, 0};
    cl_command_queue on;

    MADE(on, clCreateCommandQueueWithProperties(context, device, properties, &made));
    return on;
}

void end_queue(cl_command_queue on)
{
    must(clFinish(on));
    must(clReleaseCommandQueue(on));
}

void read_part(cl_command_queue on, cl_mem mem, cl_bool blocking)
{
    static unsigned char bytes[60];

    must(clEnqueueReadBuffer(on, mem, blocking, 24, sizeof bytes, bytes, 0, NULL, NULL));
}

void close_all(void)
{
    must(clReleaseMemObject(a));
    must(clReleaseMemObject(b));
    must(clReleaseKernel(step));
    must(clReleaseKernel(plain));
    must(clReleaseProgram(program));
    must(clReleaseCommandQueue(queue));
    must(clReleaseContext(context));
}

void *address(const char *name)
{
    void *found = clGetExtensionFunctionAddressForPlatform(platform, name);

    must(found ? CL_SUCCESS : CL_INVALID_VALUE);
    return found;
}

cl_event make_gate(void)
{
    cl_event (*create_gate)(cl_context) =
        (cl_event(*)(cl_context))(uintptr_t)address("clCreateGateFAKE");
    cl_event gate = create_gate(context);

    must(gate ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);
    return gate;
}

cl_event hold_back(void)
{
    cl_event gate = make_gate();

    must(clEnqueueBarrierWithWaitList(queue, 1, &gate, NULL));
    return gate;
}

void let_go(cl_event gate)
{
    cl_int (*open_gate)(cl_event) =
        (cl_int(*)(cl_event))(uintptr_t)address("clOpenGateFAKE");

    must(open_gate(gate));
    must(clReleaseEvent(gate));
}

cl_event user_event(void)
{
    cl_event user;

    MADE(user, clCreateUserEvent(context, &made));
    return user;
}

void end_event(cl_event user, cl_int status)
{
    must(clSetUserEventStatus(user, status));
    must(clReleaseEvent(user));
}

void plain_behind(cl_command_queue on, cl_mem mem, cl_event user)
{
    const size_t global = ITEMS;

    must(clSetKernelArg(plain, 0, sizeof mem, &mem));
    must(clEnqueueNDRangeKernel(on, plain, 1, NULL, &global, NULL, 1, &user, NULL));
}

void read_whole(cl_command_queue on, cl_mem mem)
{
    unsigned char bytes[BYTES];

    must(clEnqueueReadBuffer(on, mem, CL_TRUE, 0, BYTES, bytes, 0, NULL, NULL));
}

int main(int argc, char **argv)
{
    const struct tiles_case *const files[] = {
        tiles_objects,  tiles_commands, tiles_order,    tiles_staged,  tiles_periods,
        tiles_blocking, tiles_failed,   tiles_recorded, tiles_devices, tiles_known};

    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        for (const struct tiles_case *c = files[f]; c->name; c++) {
            if (argc < 2)
                puts(c->name);
            if (argc < 2 || strcmp(argv[1], c->name) != 0)
                continue;
            c->run();
            close_all();
            puts("done");
            return 0;
        }
    }
    return argc > 1;
}
