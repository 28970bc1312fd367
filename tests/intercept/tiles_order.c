/* SPDX-License-Identifier: MIT */
/* The cases of host_tiles: several queues, which DL has wait for one another, and of
 * which the program flushes the one that it needs. */
#include "host_tiles.h"

#include <stdbool.h>

/* The kernel as it is written, on another queue: the buffer is brought back there. */
static void plain_elsewhere(cl_command_queue on, cl_mem mem)
{
    must(clSetKernelArg(plain, 0, sizeof mem, &mem));
    launch(on, plain);
}

/* ---- what a conversion waits for ---- */

/* A command of a queue that was one of several, and is now alone, is not over with the
 * one before. */
static void used_while_its_queue_was_alone(void)
{
    cl_command_queue other;
    cl_event gate;

    open_all();
    other = make_queue(0);
    step_on(queue, step, a);
    end_queue(other);
    must(clFinish(queue));
    gate = hold_back();
    step_on(queue, step, a);
    other = make_queue(0);
    plain_elsewhere(other, a);
    let_go(gate);
    must(clFinish(queue));
    end_queue(other);
}

/* A command on another queue comes behind it, too. */
static void converted_while_its_queue_was_alone(void)
{
    cl_command_queue other;
    cl_event gate;

    open_all();
    gate = hold_back();
    step_on(queue, step, a);
    other = make_queue(0);
    read_part(other, a, CL_FALSE);
    let_go(gate);
    must(clFinish(queue));
    end_queue(other);
}

/* What was brought back on a queue of DL's own has no user but the conversion. */
static void converted_again(void)
{
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                          .image_width = 8,
                          .image_height = 8,
                          .image_row_pitch = 32};
    cl_command_queue other;
    cl_event gate;
    cl_mem image;

    open_all();
    desc.mem_object = a;
    other = make_queue(0);
    gate = hold_back();
    step_on(queue, step, a);
    MADE(image, clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, NULL, &made));
    must(clReleaseMemObject(image));
    step_on(other, step, a);
    let_go(gate);
    must(clFinish(queue));
    end_queue(other);
}

/* The second buffer of a command is done with when the command is, not when its queue is.
 */
static void used_second_by_a_command(void)
{
    cl_command_queue other;
    cl_event gate;

    open_all();
    other = make_queue(0);
    must(clEnqueueCopyBuffer(queue, a, b, 0, 12, 60, 0, NULL, NULL));
    must(clFinish(queue));
    gate = hold_back();
    step_on(other, step, b);
    end_queue(other);
    let_go(gate);
}

/* Commands from before the context had an annotated program. */
static void used_before_the_program_was_built(void)
{
    cl_command_queue other;
    const cl_int five = 5;

    open_context();
    other = make_queue(0);
    open_buffers();
    must(clEnqueueFillBuffer(other, a, &five, sizeof five, 0, BYTES, 0, NULL, NULL));
    queue = make_queue(0);
    open_program();
    step_on(queue, step, a);
    must(clFinish(queue));
    end_queue(other);
}

/* The commands of a queue that was alone, and is gone. */
static void used_by_a_queue_that_is_gone(void)
{
    cl_command_queue other;
    cl_event gate;

    open_all();
    gate = hold_back();
    step_on(queue, step, a);
    other = make_queue(0);
    must(clReleaseCommandQueue(queue));
    plain_elsewhere(other, a);
    let_go(gate);
    must(clFinish(other));
    queue = other;
}

/* A queue that is alone needs events all the same where its commands run in any order:
 * what is enqueued between, and held back, is nothing to wait for. */
static void alone_and_out_of_order(void)
{
    const size_t global = ITEMS;
    cl_event gate, last;

    open_all();
    must(clReleaseCommandQueue(queue));
    queue = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    step_on(queue, step, a);
    gate = make_gate();
    must(clEnqueueMarkerWithWaitList(queue, 1, &gate, NULL));
    must(clSetKernelArg(plain, 0, sizeof a, &a));
    must(clEnqueueNDRangeKernel(queue, plain, 1, NULL, &global, NULL, 0, NULL, &last));
    must(clWaitForEvents(1, &last));
    must(clReleaseEvent(last));
    let_go(gate);
    must(clFinish(queue));
}

/* Each marker on such a queue waits for all that has not ended. */
static void many_out_of_order(void)
{
    enum { LAUNCHES = 200 };

    open_all();
    must(clReleaseCommandQueue(queue));
    queue = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    for (int i = 0; i < LAUNCHES; i++)
        step_on(queue, step, a);
    read_part(queue, a, CL_TRUE);
    must(clFinish(queue));
    step_on(queue, step, a);
    read_whole(queue, a);
    must(clFinish(queue));
}

/* More queues than DL can tell apart: the last of them is like none that it knows. */
static void used_by_a_queue_too_many(void)
{
    enum { OTHERS = 64 };
    cl_command_queue others[OTHERS];
    cl_event gate;

    open_all();
    gate = hold_back();
    step_on(queue, step, a);
    for (int i = 0; i < OTHERS; i++)
        others[i] = make_queue(0);
    read_part(others[OTHERS - 1], a, CL_FALSE);
    let_go(gate);
    for (int i = 0; i < OTHERS; i++)
        end_queue(others[i]);
}

/* ---- who is waited for ---- */

/* The launch and the read are over, though what comes behind them on their queue is not.
 */
static void launch_is_over(void)
{
    cl_command_queue other;
    cl_event gate;

    open_all();
    other = make_queue(0);
    step_on(queue, step, a);
    must(clFinish(queue));
    step_on(queue, step, a);
    must(clFinish(queue));
    gate = hold_back();
    plain_elsewhere(other, a);
    end_queue(other);
    let_go(gate);
}

static void read_is_over(void)
{
    cl_command_queue other;
    cl_event gate;

    open_all();
    other = make_queue(0);
    step_on(queue, step, a);
    read_part(queue, a, CL_FALSE);
    must(clFinish(queue));
    gate = hold_back();
    plain_elsewhere(other, a);
    end_queue(other);
    let_go(gate);
}

/* The conversion comes behind a write of the whole buffer, which converts nothing itself.
 */
static void written_whole_on_another_queue(void)
{
    const unsigned char bytes[BYTES] = {0};
    cl_command_queue other;

    open_all();
    other = make_queue(0);
    must(clEnqueueWriteBuffer(other, a, CL_FALSE, 0, BYTES, bytes, 0, NULL, NULL));
    step_on(queue, step, a);
    must(clFinish(queue));
    end_queue(other);
}

/* Nor is a copy of DL's own made before the buffer is written. */
static void copied_behind_another_queue(void)
{
    static const char text[] =
        "typedef struct { float x, y; int n; } particle;\n"
        "//DL: AoS: p[n]\n"
        "__kernel void fake_look(__global const particle *p, int n, __global int *out)\n"
        "{ int i = get_global_id(0); if (i < n) out[i] = p[i].n; }\n";
    const unsigned char bytes[60] = {0};
    const char *texts = text;
    cl_command_queue other;
    cl_program looking;
    cl_kernel look;
    cl_mem read_only;

    open_all();
    other = make_queue(0);
    MADE(looking, clCreateProgramWithSource(context, 1, &texts, NULL, &made));
    build(looking);
    MADE(look, clCreateKernel(looking, "fake_look", &made));
    MADE(read_only, clCreateBuffer(context, CL_MEM_READ_ONLY, BYTES, NULL, &made));
    must(clSetKernelArg(look, 2, sizeof b, &b));
    must(clEnqueueWriteBuffer(other, read_only, CL_FALSE, 12, 60, bytes, 0, NULL, NULL));
    step_on(queue, look, read_only);
    must(clFinish(queue));
    end_queue(other);
    must(clReleaseMemObject(read_only));
    must(clReleaseKernel(look));
    must(clReleaseProgram(looking));
}

/* ---- what comes to an end although the program has not flushed its queue ---- */

static void converted_on_a_queue_not_flushed(void)
{
    cl_command_queue other;

    open_all();
    other = make_queue(0);
    step_on(queue, step, a);
    read_part(other, a, CL_TRUE);
    end_queue(other);
}

static void used_on_a_queue_not_flushed(void)
{
    cl_command_queue other;

    open_all();
    other = make_queue(0);
    step_on(queue, step, a);
    must(clFinish(queue));
    step_on(queue, step, a);
    plain_elsewhere(other, a);
    end_queue(other);
}

/* What comes back on the other queue waits for the last of them, but for nothing behind
 * it.
 */
static void again_beside_a_queue(void)
{
    cl_command_queue other;
    cl_event gate;

    open_all();
    other = make_queue(0);
    for (int i = 0; i < 4; i++)
        step_on(queue, step, a);
    gate = hold_back();
    plain_elsewhere(other, a);
    end_queue(other);
    let_go(gate);
}

static void used_on_a_lonely_queue_not_flushed(void)
{
    cl_command_queue other;

    open_all();
    step_on(queue, step, a);
    must(clFinish(queue));
    step_on(queue, step, a);
    other = make_queue(0);
    plain_elsewhere(other, a);
    end_queue(other);
}

static void mapped_on_a_queue_not_flushed(void)
{
    cl_command_queue other;
    void *mapped;

    open_all();
    other = make_queue(0);
    step_on(queue, step, a);
    must(clFinish(queue));
    MADE(mapped, clEnqueueMapBuffer(queue, a, CL_FALSE, CL_MAP_READ, 24, 60, 0, NULL,
                                    NULL, &made));
    must(clEnqueueUnmapMemObject(other, a, mapped, 0, NULL, NULL));
    end_queue(other);
}

/* ---- what DL brings back does not wait for the host ---- */

static void image_made_behind_a_held_queue(void)
{
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    const size_t origin[3] = {0, 0, 0}, region[3] = {4, 4, 1};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                          .image_width = 8,
                          .image_height = 8,
                          .image_row_pitch = 32};
    unsigned char bytes[64];
    cl_command_queue other;
    cl_event gate;
    cl_mem image;

    open_all();
    desc.mem_object = a;
    other = make_queue(0);
    step_on(queue, step, a);
    must(clFinish(queue));
    gate = hold_back();
    MADE(image, clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, NULL, &made));
    must(clEnqueueReadImage(other, image, CL_TRUE, origin, region, 0, 0, bytes, 0, NULL,
                            NULL));
    let_go(gate);
    must(clReleaseMemObject(image));
    end_queue(other);
}

/* ---- conversions that fail on the device ---- */

/* What the buffer held is lost until all of it is overwritten. Without DL another command
 * fails, and nobody asks. */
enum after { WRITTEN, WRITTEN_ALONE, COPIED };

static void fails_until(enum after after)
{
    const size_t global = ITEMS;
    const cl_int n = ITEMS;
    unsigned char bytes[BYTES] = {0};
    cl_command_queue other;

    open_all();
    other = make_queue(0);
    step_on(queue, step, a);
    clEnqueueReadBuffer(other, a, CL_FALSE, 24, 60, bytes, 0, NULL, NULL);
    must(clSetKernelArg(plain, 0, sizeof a, &a));
    clEnqueueNDRangeKernel(queue, plain, 1, NULL, &global, NULL, 0, NULL, NULL);
    must(clSetKernelArg(step, 0, sizeof a, &a));
    must(clSetKernelArg(step, 1, sizeof n, &n));
    clEnqueueNDRangeKernel(queue, step, 1, NULL, &global, NULL, 0, NULL, NULL);
    clEnqueueWriteBuffer(queue, a, CL_FALSE, 0, BYTES, NULL, 0, NULL, NULL); /* refused */
    clEnqueueNDRangeKernel(queue, step, 1, NULL, &global, NULL, 0, NULL, NULL);
    must(clFinish(queue));
    if (after == WRITTEN_ALONE)
        end_queue(other);
    if (after == COPIED) {
        step_on(queue, step, b);
        must(clEnqueueCopyBuffer(queue, b, a, 0, 0, BYTES, 0, NULL, NULL));
    } else {
        must(clEnqueueWriteBuffer(queue, a, CL_TRUE, 0, BYTES, bytes, 0, NULL, NULL));
    }
    step_on(queue, step, a);
    must(clFinish(queue));
    if (after != WRITTEN_ALONE)
        end_queue(other);
}

static void fails_on_the_device(void)
{
    fails_until(WRITTEN);
}

static void fails_on_the_device_alone(void)
{
    fails_until(WRITTEN_ALONE);
}

static void fails_on_the_device_until_copied(void)
{
    fails_until(COPIED);
}

/* ---- maps ---- */

/* The bytes of a map arrive before they are written back, on whatever queue. */
static void unmapped_before_it_is_mapped(void)
{
    cl_command_queue other;
    cl_event gate;
    void *mapped;

    open_all();
    other = make_queue(0);
    step_on(queue, step, a);
    must(clFinish(queue));
    gate = hold_back();
    MADE(mapped, clEnqueueMapBuffer(queue, a, CL_FALSE, CL_MAP_READ | CL_MAP_WRITE, 24,
                                    60, 0, NULL, NULL, &made));
    must(clEnqueueUnmapMemObject(other, a, mapped, 0, NULL, NULL));
    let_go(gate);
    must(clFinish(queue));
    end_queue(other);
}

/* Which of two maps at one address an unmap is of, it does not say: what the host has
 * written by the one that writes goes into the buffer each time, in the order of the
 * calls. */
static void unmapped_twice_at_one_address(void)
{
    cl_command_queue other;
    cl_event gate;
    void *reads, *writes;

    open_all();
    other = make_queue(0);
    step_on(queue, step, a);
    must(clFinish(queue));
    MADE(reads, clEnqueueMapBuffer(queue, a, CL_TRUE, CL_MAP_READ, 24, 12, 0, NULL, NULL,
                                   &made));
    MADE(writes, clEnqueueMapBuffer(queue, a, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 24, 60,
                                    0, NULL, NULL, &made));
    gate = hold_back();
    must(clEnqueueUnmapMemObject(queue, a, reads, 0, NULL, NULL));
    must(clEnqueueUnmapMemObject(other, a, writes, 0, NULL, NULL));
    let_go(gate);
    must(clFinish(other));
    must(clFinish(queue));
    end_queue(other);
}

/* A map within another has its bytes when that has them. */
static void mapped_within_a_map_on_its_way(void)
{
    cl_command_queue other;
    cl_event gate;
    void *mapped, *within;

    open_all();
    other = make_queue(0);
    step_on(queue, step, a);
    must(clFinish(queue));
    gate = hold_back();
    MADE(mapped, clEnqueueMapBuffer(queue, a, CL_FALSE, CL_MAP_READ, 24, 60, 0, NULL,
                                    NULL, &made));
    MADE(within, clEnqueueMapBuffer(other, a, CL_FALSE, CL_MAP_READ, 36, 24, 0, NULL,
                                    NULL, &made));
    let_go(gate);
    must(clFinish(other));
    must(clEnqueueUnmapMemObject(queue, a, within, 0, NULL, NULL));
    must(clEnqueueUnmapMemObject(queue, a, mapped, 0, NULL, NULL));
    must(clFinish(queue));
    end_queue(other);
}

const struct tiles_case tiles_order[] = {
    TILES_CASE(used_while_its_queue_was_alone),
    TILES_CASE(converted_while_its_queue_was_alone),
    TILES_CASE(converted_again),
    TILES_CASE(used_second_by_a_command),
    TILES_CASE(used_before_the_program_was_built),
    TILES_CASE(used_by_a_queue_that_is_gone),
    TILES_CASE(alone_and_out_of_order),
    TILES_CASE(fails_on_the_device),
    TILES_CASE(fails_on_the_device_alone),
    TILES_CASE(fails_on_the_device_until_copied),
    TILES_CASE(many_out_of_order),
    TILES_CASE(used_by_a_queue_too_many),
    TILES_CASE(launch_is_over),
    TILES_CASE(read_is_over),
    TILES_CASE(written_whole_on_another_queue),
    TILES_CASE(copied_behind_another_queue),
    TILES_CASE(converted_on_a_queue_not_flushed),
    TILES_CASE(used_on_a_queue_not_flushed),
    TILES_CASE(again_beside_a_queue),
    TILES_CASE(used_on_a_lonely_queue_not_flushed),
    TILES_CASE(mapped_on_a_queue_not_flushed),
    TILES_CASE(image_made_behind_a_held_queue),
    TILES_CASE(unmapped_before_it_is_mapped),
    TILES_CASE(unmapped_twice_at_one_address),
    TILES_CASE(mapped_within_a_map_on_its_way),
    {NULL, NULL},
};
