/* SPDX-License-Identifier: MIT */
/* dl-bench overhead: programs with annotated kernels, in their steady state. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "dl.h"
#include "overhead.h"

enum {
    STRUCTS = 16384,
    STRUCT_BYTES = 64,
    LAUNCHES_MAX = 20000,
    SMALL = 64,
    SMALL_STRUCTS = 32
};

static struct {
    cl_command_queue queue;
    cl_kernel few, gather;
    cl_mem tiled[2], native[2], at, small[SMALL];
} program;

static const char *const source =
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "typedef struct { float f[16]; } wide;\n"
    "//DL: AoS: o[n], p[n]\n"
    "__kernel void few(__global wide *o, __global const wide *p, int n, float r)\n"
    "{ int i = get_global_id(0); o[i].f[3] = p[i].f[1] * r + o[i].f[3]; }\n"
    "//DL: AoS: o[n], p[n]\n"
    "__kernel void gather(__global wide *o, __global const wide *p, int n,\n"
    "                     __global const int *at)\n"
    "{ int i = get_global_id(0); float s = 0;\n"
    "  for (int k = 0; k < 16; k++) s += p[at[i]].f[k];\n"
    "  o[i].f[0] = s; }\n";

static void set(cl_kernel kernel, cl_uint index, size_t bytes, const void *value)
{
    overhead_must(clSetKernelArg(kernel, index, bytes, value), "clSetKernelArg");
}

static void launch(cl_kernel kernel)
{
    const size_t global = STRUCTS;

    overhead_must(clEnqueueNDRangeKernel(program.queue, kernel, 1, NULL, &global, NULL, 0,
                                         NULL, NULL),
                  "clEnqueueNDRangeKernel");
}

static void set_few(unsigned from)
{
    const cl_int n = STRUCTS;
    const cl_float r = 0.5f;

    set(program.few, 0, sizeof(cl_mem), &program.tiled[from]);
    set(program.few, 1, sizeof(cl_mem), &program.tiled[1 - from]);
    set(program.few, 2, sizeof n, &n);
    set(program.few, 3, sizeof r, &r);
}

static void set_gather(void)
{
    const cl_int n = STRUCTS;

    set(program.gather, 0, sizeof(cl_mem), &program.native[0]);
    set(program.gather, 1, sizeof(cl_mem), &program.native[1]);
    set(program.gather, 2, sizeof n, &n);
    set(program.gather, 3, sizeof(cl_mem), &program.at);
}

static void call_native(unsigned i)
{
    (void)i;
    launch(program.gather);
}

static void call_native_set(unsigned i)
{
    (void)i;
    set_gather();
    launch(program.gather);
}

static void call_tiled(unsigned i)
{
    (void)i;
    launch(program.few);
}

static void call_tiled_set(unsigned i)
{
    (void)i;
    set_few(0);
    launch(program.few);
}

static void call_tiled_turns(unsigned i)
{
    set_few(i % 2);
    launch(program.few);
}

/* Like none of the last few. */
static void call_unlike(unsigned i)
{
    const cl_int n = SMALL_STRUCTS;
    const size_t global = SMALL_STRUCTS;

    set(program.gather, 0, sizeof(cl_mem), &program.small[i % SMALL]);
    set(program.gather, 1, sizeof(cl_mem), &program.small[i % SMALL]);
    set(program.gather, 2, sizeof n, &n);
    overhead_must(clEnqueueNDRangeKernel(program.queue, program.gather, 1, NULL, &global,
                                         NULL, 0, NULL, NULL),
                  "clEnqueueNDRangeKernel");
}

static bool is_tiled(void)
{
    cl_buffer_layout_dl layout = {.kind = CL_LAYOUT_AOS_DL};

    overhead_must(dl_buffer_get_layout(program.tiled[0], &layout), "clGetBufferLayoutDL");
    return layout.kind != CL_LAYOUT_AOS_DL;
}

/* Until DL has decided for tiles, where there is DL, and has measured what it wants to
 * know. */
static void warm_up(void)
{
    clGetBufferLayoutDL_fn get;
    unsigned launches = 0;

    set_gather();
    set_few(0);
    DL_FIND_FUNCTION(get, program.tiled[0], clGetBufferLayoutDL);
    while (get && !is_tiled() && launches++ < LAUNCHES_MAX) {
        launch(program.few);
        clFinish(program.queue);
        usleep(1000); /* what has to be built is built beside */
    }
    if (get && !is_tiled()) {
        fprintf(stderr, "dl-bench overhead: no launch was made on tiles\n");
        exit(1);
    }
    for (unsigned i = 0; i < 600; i++) {
        launch(program.gather);
        launch(program.few);
    }
}

static cl_mem make_buffer(cl_context context, size_t structs)
{
    cl_int err;
    cl_mem mem =
        clCreateBuffer(context, CL_MEM_READ_WRITE, structs * STRUCT_BYTES, NULL, &err);

    overhead_must(err, "clCreateBuffer");
    return mem;
}

static void program_open(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_program built;
    cl_int err;

    overhead_find(&platform, &device);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    overhead_must(err, "clCreateContext");
    built = clCreateProgramWithSource(context, 1, (const char **)&source, NULL, &err);
    overhead_must(err, "clCreateProgramWithSource");
    overhead_must(clBuildProgram(built, 1, &device, "", NULL, NULL), "clBuildProgram");
    program.queue = clCreateCommandQueueWithProperties(context, device, NULL, &err);
    overhead_must(err, "clCreateCommandQueueWithProperties");
    program.few = clCreateKernel(built, "few", &err);
    overhead_must(err, "clCreateKernel");
    program.gather = clCreateKernel(built, "gather", &err);
    overhead_must(err, "clCreateKernel");
    for (int i = 0; i < 2; i++) {
        program.tiled[i] = make_buffer(context, STRUCTS);
        program.native[i] = make_buffer(context, STRUCTS);
    }
    program.at = make_buffer(context, STRUCTS);
    for (int i = 0; i < SMALL; i++)
        program.small[i] = make_buffer(context, SMALL_STRUCTS);
    warm_up();
}

static void program_finish(void)
{
    overhead_must(clFinish(program.queue), "clFinish");
}

/* Among what is counted are the fake driver's own instructions and locks for what DL
 * calls besides: some 2500 and one for a clSetKernelArg; and a launch in 64 that is
 * timed. */
static const struct overhead_case auto_cases[] = {
    {"auto, as written", call_native, 1500, 3},
    {"auto, as written, 4 arguments", call_native_set, 2150, 3},
    {"auto, in tiles", call_tiled, 1650, 3},
    {"auto, in tiles, 4 arguments", call_tiled_set, 2700, 3},
    {"auto, in tiles, by turns", call_tiled_turns, 8800, 5},
    {"auto, small ones, none as before", call_unlike, 5700, 3},
};
const struct overhead_program overhead_auto = {.title = "annotated, layout auto",
                                               .layout = "auto",
                                               .annotated = true,
                                               .open = program_open,
                                               .finish = program_finish,
                                               .cases = auto_cases,
                                               .case_count = sizeof auto_cases /
                                                             sizeof *auto_cases};

static const struct overhead_case asta_cases[] = {
    {"asta, in tiles", call_tiled, 1300, 1},
    {"asta, in tiles, 4 arguments", call_tiled_set, 2400, 1},
    {"asta, in tiles, by turns", call_tiled_turns, 8600, 3},
};
const struct overhead_program overhead_asta = {.title = "annotated, layout asta",
                                               .layout = "asta",
                                               .annotated = true,
                                               .open = program_open,
                                               .finish = program_finish,
                                               .cases = asta_cases,
                                               .case_count = sizeof asta_cases /
                                                             sizeof *asta_cases};
