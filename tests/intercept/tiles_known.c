/* SPDX-License-Identifier: MIT */
/* The cases of host_tiles: launches that come again, and are the same but for one thing.
 */
#include "host_tiles.h"

static void thrice(cl_mem mem)
{
    for (int i = 0; i < 3; i++)
        step_on(queue, step, mem);
}

/* What a dimension reads is looked at each time: the launch that comes again is not the
 * one that came first. */
static void again_with_another_count(void)
{
    const cl_int none = 0;

    open_all();
    must(clSetKernelArg(step, 0, sizeof a, &a));
    must(clSetKernelArg(step, 1, sizeof none, &none));
    launch(queue, step);
    thrice(a);
    must(clSetKernelArg(step, 1, sizeof none, &none));
    launch(queue, step);
    launch(queue, step);
    step_on(queue, step, a);
}

static void again_with_another_size(void)
{
    static const char *text =
        "typedef struct { float x, y; int n; } particle;\n"
        "//DL: AoS: p[global_size(0) - 38]\n"
        "__kernel void fake_step(__global particle *p, int n)\n"
        "{ int i = get_global_id(0); if (i < n) { p[i].x += p[i].y; p[i].n++; } }\n";
    const size_t fewer = 38;
    const cl_int all = ITEMS;

    open_all();
    must(clReleaseKernel(step));
    must(clReleaseProgram(program));
    MADE(program, clCreateProgramWithSource(context, 1, &text, NULL, &made));
    build(program);
    MADE(step, clCreateKernel(program, "fake_step", &made));
    must(clSetKernelArg(step, 0, sizeof a, &a));
    must(clSetKernelArg(step, 1, sizeof all, &all));
    for (int i = 0; i < 3; i++) {
        if (i == 1)
            thrice(a);
        must(clEnqueueNDRangeKernel(queue, step, 1, NULL, &fewer, NULL, 0, NULL, NULL));
    }
}

/* As the program wrote it, to the driver. */
static void again_with_groups_of_none(void)
{
    const size_t items = ITEMS, none = 0;

    open_all();
    thrice(a);
    if (clEnqueueNDRangeKernel(queue, step, 1, NULL, &items, &none, 0, NULL, NULL) !=
        CL_INVALID_WORK_GROUP_SIZE)
        must(CL_INVALID_VALUE);
    step_on(queue, step, a);
}

/* More buffers by turns than are kept. */
static void again_on_other_buffers(void)
{
    cl_mem more[6];

    open_all();
    for (int i = 0; i < 6; i++)
        MADE(more[i], clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &made));
    thrice(a);
    thrice(b);
    for (int i = 0; i < 12; i++)
        step_on(queue, step, more[i % 6]);
    step_on(queue, step, a);
    for (int i = 0; i < 6; i++)
        must(clReleaseMemObject(more[i]));
}

/* The driver gives it the same handle. */
static void again_on_a_buffer_made_anew(void)
{
    open_all();
    thrice(a);
    must(clFinish(queue));
    must(clReleaseMemObject(a));
    MADE(a, clCreateBuffer(context, CL_MEM_READ_WRITE, 3 * BYTES, NULL, &made));
    thrice(a);
    must(clFinish(queue));
    must(clReleaseMemObject(a));
    MADE(a, clCreateBuffer(context, CL_MEM_READ_ONLY, BYTES, NULL, &made));
    thrice(a);
    read_whole(queue, a);
}

static void again_overwritten(void)
{
    static const unsigned char bytes[BYTES];

    open_all();
    thrice(a);
    must(clEnqueueWriteBuffer(queue, a, CL_TRUE, 0, BYTES, bytes, 0, NULL, NULL));
    step_on(queue, step, a);
    read_whole(queue, a);
}

static void again_while_mapped(void)
{
    void *mapped;

    open_all();
    thrice(a);
    MADE(mapped, clEnqueueMapBuffer(queue, a, CL_TRUE, CL_MAP_READ, 0, BYTES, 0, NULL,
                                    NULL, &made));
    step_on(queue, step, a);
    must(clEnqueueUnmapMemObject(queue, a, mapped, 0, NULL, NULL));
    step_on(queue, step, a);
}

/* The tiles stay, as far as the map is concerned. */
static void again_while_mapped_in_part(void)
{
    void *mapped;

    open_all();
    thrice(a);
    MADE(mapped,
         clEnqueueMapBuffer(queue, a, CL_TRUE, CL_MAP_READ, 0, 24, 0, NULL, NULL, &made));
    launch(queue, step);
    must(clEnqueueUnmapMemObject(queue, a, mapped, 0, NULL, NULL));
    launch(queue, step);
}

/* A map for overwriting stays open, which reads nothing itself: what the kernel writes is
 * read where maps are the buffer's own memory, and left where each has memory of its own.
 */
static void launch_beside_an_open_map(void)
{
    void *mapped;

    open_all();
    step_on(queue, step, a);
    MADE(mapped, clEnqueueMapBuffer(queue, a, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0,
                                    24, 0, NULL, NULL, &made));
    step_on(queue, step, a);
    must(clEnqueueUnmapMemObject(queue, a, mapped, 0, NULL, NULL));
}

static void launched_beside_an_open_map(void)
{
    launch_beside_an_open_map();
}

static void launched_beside_an_open_map_apart(void)
{
    launch_beside_an_open_map();
}

static void again_on_another_queue(void)
{
    cl_command_queue second;

    open_all();
    thrice(a);
    second = make_queue(0);
    step_on(second, step, a);
    step_on(second, step, a);
    end_queue(second);
}

/* Of what no dimension reads, the rewritten kernel still gets what was set. */
static void again_with_another_number(void)
{
    static const char *text =
        "typedef struct { float x, y; int n; } particle;\n"
        "//DL: AoS: p[global_size(0)]\n"
        "__kernel void fake_step(__global particle *p, int n)\n"
        "{ int i = get_global_id(0); if (i < n) { p[i].x += p[i].y; p[i].n++; } }\n";
    const cl_int few = 3;

    open_all();
    must(clReleaseKernel(step));
    must(clReleaseProgram(program));
    MADE(program, clCreateProgramWithSource(context, 1, &text, NULL, &made));
    build(program);
    MADE(step, clCreateKernel(program, "fake_step", &made));
    thrice(a);
    must(clSetKernelArg(step, 1, sizeof few, &few));
    launch(queue, step);
    thrice(a);
    thrice(b);
    thrice(a);
}

static void again_with_svm_behind_the_arguments(void)
{
    void *svm;

    open_all();
    svm = clSVMAlloc(context, CL_MEM_READ_WRITE, BYTES, 0);
    thrice(a);
    must(clSetKernelExecInfo(step, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof svm, &svm));
    step_on(queue, step, a);
    must(clFinish(queue));
    clSVMFree(context, svm);
}

/* Another kernel has brought it back. */
static void again_by_turns(void)
{
    open_all();
    for (int i = 0; i < 3; i++) {
        thrice(a);
        plain_on(plain, a);
    }
    read_whole(queue, a);
}

const struct tiles_case tiles_known[] = {
    TILES_CASE(again_with_another_count),
    TILES_CASE(again_with_another_size),
    TILES_CASE(again_with_groups_of_none),
    TILES_CASE(again_on_other_buffers),
    TILES_CASE(again_on_a_buffer_made_anew),
    TILES_CASE(again_overwritten),
    TILES_CASE(again_while_mapped),
    TILES_CASE(again_on_another_queue),
    TILES_CASE(again_with_another_number),
    TILES_CASE(again_with_svm_behind_the_arguments),
    TILES_CASE(again_by_turns),
    TILES_CASE(again_while_mapped_in_part),
    TILES_CASE(launched_beside_an_open_map),
    TILES_CASE(launched_beside_an_open_map_apart),
    {NULL, NULL},
};
