/* SPDX-License-Identifier: MIT */
/* The cases of host_tiles: copies and looks through staging areas, whose commands wait
 * for those of other queues. */
#include "dl.h"

#include "host_tiles.h"

/* ---- copies ---- */

/* Each of these comes behind what converts, or used, one of its buffers on the queue that
 * is held back. */
static cl_command_queue other_of_held;

static cl_event begin_held(cl_mem converted, cl_mem held)
{
    cl_event gate;

    other_of_held = make_queue(0);
    step_on(queue, step, converted);
    must(clFinish(queue));
    gate = hold_back();
    step_on(queue, step, held);
    return gate;
}

static void end_held(cl_event gate)
{
    let_go(gate);
    must(clFinish(queue));
    end_queue(other_of_held);
}

static void tiles_copied_to_what_is_converted(void)
{
    cl_event gate;

    open_all();
    gate = begin_held(a, b);
    must(clEnqueueCopyBuffer(other_of_held, a, b, 0, 0, BYTES, 0, NULL, NULL));
    end_held(gate);
}

static void tiles_copied_from_what_is_converted(void)
{
    cl_event gate;

    open_all();
    gate = begin_held(b, a);
    must(clEnqueueCopyBuffer(other_of_held, a, b, 0, 0, BYTES, 0, NULL, NULL));
    end_held(gate);
}

static void copied_to_what_is_converted(void)
{
    cl_event gate;

    open_all();
    gate = begin_held(a, b);
    must(clEnqueueCopyBuffer(other_of_held, a, b, 0, 12, 60, 0, NULL, NULL));
    end_held(gate);
}

static void rectangle_copied_to_what_is_converted(void)
{
    const size_t origin[3] = {12, 1, 0}, region[3] = {12, 3, 1};
    cl_event gate;

    open_all();
    gate = begin_held(a, b);
    must(clEnqueueCopyBufferRect(other_of_held, a, b, origin, origin, region, 36, 0, 36,
                                 0, 0, NULL, NULL));
    end_held(gate);
}

/* ---- staging areas ---- */

/* What a command of another queue still uses is not free. */
static void area_of_a_held_queue(void)
{
    cl_command_queue other;
    cl_event gate;

    open_all();
    other = make_queue(0);
    gate = hold_back();
    step_on(queue, step, a);
    read_part(queue, a, CL_FALSE);
    step_on(other, step, b);
    read_part(other, b, CL_FALSE);
    let_go(gate);
    must(clFinish(queue));
    end_queue(other);
}

/* Nor is what the same queue uses, if that is out of order. */
static void areas_of_an_out_of_order_queue(void)
{
    open_all();
    must(clReleaseCommandQueue(queue));
    queue = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    step_on(queue, step, a);
    read_part(queue, a, CL_FALSE);
    read_part(queue, a, CL_FALSE);
    must(clFinish(queue));
}

/* What it has done is free for all. */
static void area_that_is_free_again(void)
{
    cl_command_queue other;

    open_all();
    other = make_queue(0);
    step_on(queue, step, a);
    read_part(queue, a, CL_FALSE);
    must(clFinish(queue));
    read_part(other, a, CL_TRUE);
    end_queue(other);
}

/* A queue that was alone leaves no event in its area: who comes later takes another. */
static void area_of_a_queue_that_was_alone(void)
{
    cl_command_queue other;
    cl_event gate;

    open_all();
    gate = hold_back();
    step_on(queue, step, a);
    read_part(queue, a, CL_FALSE);
    other = make_queue(0);
    step_on(other, step, b);
    read_part(other, b, CL_FALSE);
    let_go(gate);
    must(clFinish(queue));
    end_queue(other);
}

/* The same where the queue is gone, with the buffer, and the next one may be taken for
 * it. */
static void area_of_a_queue_that_is_gone(void)
{
    cl_command_queue other;
    cl_event gate;

    open_context();
    open_program();
    queue = make_queue(0);
    open_buffers();
    gate = hold_back();
    step_on(queue, step, a);
    read_part(queue, a, CL_FALSE);
    must(clReleaseMemObject(a));
    must(clReleaseCommandQueue(queue));
    other = make_queue(0);
    step_on(other, step, b);
    read_part(other, b, CL_FALSE);
    let_go(gate);
    must(clFinish(other));
    queue = other;
    MADE(a, clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &made));
}

/* Its commands over, the area of a queue that is gone is anybody's. */
static void area_left_by_a_queue_that_is_gone(void)
{
    cl_command_queue other;

    open_all();
    step_on(queue, step, a);
    read_part(queue, a, CL_FALSE);
    other = make_queue(0);
    must(clReleaseCommandQueue(queue));
    step_on(other, step, b);
    must(clFinish(other));
    read_part(other, b, CL_TRUE);
    queue = other;
}

/* Tiles are copied as they lie to no buffer that an image shows. */
static void tiles_copied_to_a_buffer_with_an_image(void)
{
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                          .image_width = 8,
                          .image_height = 8,
                          .image_row_pitch = 32};
    cl_mem image;

    open_all();
    desc.mem_object = b;
    MADE(image, clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, NULL, &made));
    step_on(queue, step, a);
    must(clEnqueueCopyBuffer(queue, a, b, 0, 0, BYTES, 0, NULL, NULL));
    must(clFinish(queue));
    must(clReleaseMemObject(image));
}

/* A pattern that does not fit the area is not written through it. */
static void filled_by_a_large_pattern(void)
{
    unsigned char pattern[128] = {1};

    open_all();
    step_on(queue, step, a);
    must(clEnqueueFillBuffer(queue, a, pattern, sizeof pattern, 0, 256, 0, NULL, NULL));
}

/* ---- steps that the driver refuses ---- */

/* What broke off goes on with the step that was refused, before the next command. */
static void conversion_breaks_off(void)
{
    open_all();
    step_on(queue, step, a);
}

static void conversion_goes_on(void)
{
    conversion_breaks_off();
}

/* A step that was refused once is no break; so with all of a conversion. */
static void step_is_refused_once(void)
{
    conversion_breaks_off();
}

static void bringing_back_is_refused_once(void)
{
    open_all();
    step_on(queue, step, a);
    plain_on(plain, a);
}

/* As long as the rest can't run, nothing runs on the buffer: the kernel as it is written
 * does, once it is brought back. */
static void rest_is_refused(void)
{
    conversion_breaks_off();
}

/* What is overwritten has no rest. */
static void overwritten_after_a_break(void)
{
    const unsigned char bytes[BYTES] = {0};
    const cl_field_dl fields[] = {{0, 4}, {4, 4}, {8, 4}};
    const cl_buffer_layout_dl layout = {.kind = CL_LAYOUT_DA_DL, .struct_bytes = 12};

    open_all();
    dl_buffer_enqueue_marshal(queue, a, &layout, 3, fields, 0, NULL, NULL);
    must(clEnqueueWriteBuffer(queue, a, CL_TRUE, 0, BYTES, bytes, 0, NULL, NULL));
    plain_on(plain, a);
}

/* What broke off is finished before it is brought back. */
static void brought_back_after_a_break(void)
{
    const cl_field_dl fields[] = {{0, 4}, {4, 4}, {8, 4}};
    const cl_buffer_layout_dl layout = {.kind = CL_LAYOUT_DA_DL, .struct_bytes = 12};

    open_all();
    dl_buffer_enqueue_marshal(queue, a, &layout, 3, fields, 0, NULL, NULL);
    plain_on(plain, a);
}

/* A write that fails in the middle is over when the program hears of it. */
static void write_breaks_off(void)
{
    unsigned char bytes[60] = {0};

    open_all();
    step_on(queue, step, a);
    clEnqueueWriteBuffer(queue, a, CL_FALSE, 24, 60, bytes, 0, NULL, NULL);
    read_part(queue, a, CL_TRUE);
}

/* However many looks are on their way, the next waits for none of them. */
static void looked_at_behind_many_looks(void)
{
    static unsigned char bytes[40][12];
    unsigned char now[12];
    cl_command_queue other;
    cl_event gate;

    open_all();
    other = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    step_on(queue, step, a);
    must(clFinish(queue));
    gate = make_gate();
    for (size_t i = 0; i < 40; i++)
        must(clEnqueueReadBuffer(other, a, CL_FALSE, 12 * i, 12, bytes[i], 1, &gate,
                                 NULL));
    must(clEnqueueReadBuffer(queue, a, CL_TRUE, 24, 12, now, 0, NULL, NULL));
    let_go(gate);
    end_queue(other);
}

/* What the driver maps in place of a map on its way it is not asked to map for another.
 */
static void mapped_often_beside_a_map_on_its_way(void)
{
    cl_command_queue other;
    cl_event gate;
    void *slow, *mapped;

    open_all();
    other = make_queue(0);
    step_on(queue, step, a);
    step_on(queue, step, b);
    must(clFinish(queue));
    gate = hold_back();
    MADE(slow, clEnqueueMapBuffer(queue, a, CL_FALSE, CL_MAP_READ, 24, 60, 0, NULL, NULL,
                                  &made));
    for (int i = 0; i < 200; i++) {
        MADE(mapped, clEnqueueMapBuffer(other, b, CL_TRUE, CL_MAP_READ, 24, 60, 0, NULL,
                                        NULL, &made));
        must(clEnqueueUnmapMemObject(other, b, mapped, 0, NULL, NULL));
    }
    must(clFinish(other));
    let_go(gate);
    must(clEnqueueUnmapMemObject(queue, a, slow, 0, NULL, NULL));
    must(clFinish(queue));
    end_queue(other);
}

const struct tiles_case tiles_staged[] = {
    TILES_CASE(tiles_copied_to_a_buffer_with_an_image),
    TILES_CASE(filled_by_a_large_pattern),
    TILES_CASE(conversion_breaks_off),
    TILES_CASE(conversion_goes_on),
    TILES_CASE(step_is_refused_once),
    TILES_CASE(bringing_back_is_refused_once),
    TILES_CASE(rest_is_refused),
    TILES_CASE(overwritten_after_a_break),
    TILES_CASE(brought_back_after_a_break),
    TILES_CASE(write_breaks_off),
    TILES_CASE(tiles_copied_to_what_is_converted),
    TILES_CASE(tiles_copied_from_what_is_converted),
    TILES_CASE(copied_to_what_is_converted),
    TILES_CASE(rectangle_copied_to_what_is_converted),
    TILES_CASE(area_of_a_held_queue),
    TILES_CASE(areas_of_an_out_of_order_queue),
    TILES_CASE(area_that_is_free_again),
    TILES_CASE(area_of_a_queue_that_was_alone),
    TILES_CASE(area_of_a_queue_that_is_gone),
    TILES_CASE(area_left_by_a_queue_that_is_gone),
    TILES_CASE(mapped_often_beside_a_map_on_its_way),
    TILES_CASE(looked_at_behind_many_looks),
    {NULL, NULL},
};
