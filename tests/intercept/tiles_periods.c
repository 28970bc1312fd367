/* SPDX-License-Identifier: MIT */
/* The cases of host_tiles: while a user event is open, and after one has failed, kernels
 * run as written, and what is in tiles is brought back on a queue of DL's own; then they
 * are tiled again. */
#include "dl.h"

#include "host_tiles.h"

#include <stdio.h>

static cl_int marshal(cl_mem mem)
{
    const cl_field_dl fields[] = {{0, 4}, {4, 4}, {8, 4}};
    const cl_buffer_layout_dl layout = {.kind = CL_LAYOUT_SOA_DL, .struct_bytes = 12};

    return dl_buffer_enqueue_marshal(queue, mem, &layout, 3, fields, 0, NULL, NULL);
}

/* ---- one after the other ---- */

static void as_written_while_an_event_is_open(void)
{
    cl_event first, second;

    open_all();
    first = user_event();
    step_on(queue, step, a);
    second = user_event();
    end_event(first, CL_COMPLETE);
    step_on(queue, step, a);
    end_event(second, CL_COMPLETE);
    step_on(queue, step, a);
    must(clReleaseEvent(user_event())); /* and nobody can set it */
    step_on(queue, step, a);
}

/* Who has retained an event can still set it. */
static void retained_event_is_open(void)
{
    cl_event event;

    open_all();
    event = user_event();
    must(clRetainEvent(event));
    must(clReleaseEvent(event));
    step_on(queue, step, a);
    end_event(event, CL_COMPLETE);
    step_on(queue, step, a);
}

/* What a command of the period uses is converted for nobody, though a second event opens.
 */
static void used_since_an_event_was_opened(void)
{
    cl_event first, second;

    open_all();
    step_on(queue, step, a);
    first = user_event();
    plain_behind(queue, a, first);
    second = user_event();
    printf("converted %d\n", marshal(a));
    end_event(second, CL_COMPLETE);
    end_event(first, CL_COMPLETE);
    must(clFinish(queue));
}

/* Brought back in three periods, buffers are left alone for eight launches; two in one
 * period count once. */
static void brought_back_again_and_again(void)
{
    open_all();
    for (int period = 0; period < 3; period++) {
        cl_event user;

        step_on(queue, step, a);
        step_on(queue, step, b);
        user = user_event();
        plain_behind(queue, a, user);
        plain_behind(queue, b, user);
        end_event(user, CL_COMPLETE);
        must(clFinish(queue));
    }
    for (int i = 0; i < 9; i++)
        step_on(queue, step, a);
}

/* The buffer was used before the event was opened, by a queue that was alone: no marker
 * can be had of that, so the queue is finished. */
static void use_that_can_not_be_marked(void)
{
    cl_event user;

    open_all();
    step_on(queue, step, a);
    user = user_event();
    plain_behind(queue, a, user);
    end_event(user, CL_COMPLETE);
    read_whole(queue, a);
}

/* ---- maps ---- */

/* What the host wrote goes to the buffer on a queue of DL's own: the unmap waits for it,
 * though it comes behind the last conversion by itself. */
static void unmapped_in_a_period(void)
{
    const cl_buffer_layout_dl layout = {.kind = CL_LAYOUT_AOS_DL};
    cl_event user, gate;
    void *mapped;

    open_all();
    step_on(queue, step, a);
    MADE(mapped, clEnqueueMapBuffer(queue, a, CL_TRUE, CL_MAP_WRITE, 24, 60, 0, NULL,
                                    NULL, &made));
    gate = hold_back();
    must(dl_buffer_enqueue_marshal(queue, a, &layout, 0, NULL, 0, NULL, NULL));
    user = user_event();
    must(clEnqueueUnmapMemObject(queue, a, mapped, 1, &user, NULL));
    end_event(user, CL_COMPLETE);
    let_go(gate);
    must(clFinish(queue));
}

/* Its bytes arrive first there, too. */
static void unmapped_before_it_is_mapped_in_a_period(void)
{
    cl_event user, gate;
    void *mapped;

    open_all();
    step_on(queue, step, a);
    must(clFinish(queue));
    gate = hold_back();
    MADE(mapped, clEnqueueMapBuffer(queue, a, CL_FALSE, CL_MAP_READ | CL_MAP_WRITE, 24,
                                    60, 0, NULL, NULL, &made));
    user = user_event();
    must(clEnqueueUnmapMemObject(queue, a, mapped, 1, &user, NULL));
    end_event(user, CL_COMPLETE);
    let_go(gate);
    must(clFinish(queue));
}

/* ---- commands that fall ---- */

/* A write of the whole buffer may not happen: what it would overwrite is brought back. */
static void written_whole_in_a_period(void)
{
    const unsigned char bytes[BYTES] = {0};
    cl_event user;

    open_all();
    step_on(queue, step, a);
    user = user_event();
    must(clEnqueueWriteBuffer(queue, a, CL_FALSE, 0, BYTES, bytes, 0, NULL, NULL));
    end_event(user, CL_COMPLETE);
    must(clFinish(queue));
}

/* The event of a period that is over is good for wait lists. */
static cl_event failed_event(void)
{
    cl_event user = user_event();

    must(clSetUserEventStatus(user, -1));
    must(clFinish(queue));
    return user;
}

static void written_whole_behind_what_has_failed(void)
{
    const unsigned char bytes[BYTES] = {0};
    cl_event failed;

    open_all();
    step_on(queue, step, a);
    failed = failed_event();
    must(clEnqueueWriteBuffer(queue, a, CL_FALSE, 0, BYTES, bytes, 1, &failed, NULL));
    must(clFinish(queue));
    must(clReleaseEvent(failed));
}

/* It is mapped still. */
static void unmapped_behind_what_has_failed(void)
{
    cl_event failed;
    void *mapped;

    open_all();
    step_on(queue, step, a);
    MADE(mapped, clEnqueueMapBuffer(queue, a, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 24, 60,
                                    0, NULL, NULL, &made));
    failed = failed_event();
    must(clEnqueueUnmapMemObject(queue, a, mapped, 1, &failed, NULL));
    must(clFinish(queue));
    printf("again %d\n", clEnqueueUnmapMemObject(queue, a, mapped, 0, NULL, NULL));
    must(clFinish(queue));
    must(clReleaseEvent(failed));
}

/* It has no bytes that the next map could take over. */
static void mapped_behind_what_has_failed(void)
{
    cl_event failed;
    cl_int err;
    void *mapped;

    open_all();
    step_on(queue, step, a);
    failed = failed_event();
    clEnqueueMapBuffer(queue, a, CL_FALSE, CL_MAP_READ, 24, 60, 1, &failed, NULL, &err);
    must(clFinish(queue));
    MADE(mapped, clEnqueueMapBuffer(queue, a, CL_TRUE, CL_MAP_READ, 24, 60, 0, NULL, NULL,
                                    &made));
    must(clEnqueueUnmapMemObject(queue, a, mapped, 0, NULL, NULL));
    must(clFinish(queue));
    must(clReleaseEvent(failed));
}

/* No piece of a read happens. */
static void read_behind_what_has_failed(void)
{
    unsigned char bytes[60];
    cl_event failed;

    open_all();
    step_on(queue, step, a);
    failed = failed_event();
    memset(bytes, 0x77, sizeof bytes);
    must(clEnqueueReadBuffer(queue, a, CL_FALSE, 24, 60, bytes, 1, &failed, NULL));
    must(clFinish(queue));
    must(clReleaseEvent(failed));
    printf("read 0x%x 0x%x\n", bytes[0], bytes[59]);
}

/* ---- while the host waits in a call ---- */

static cl_command_queue another;

static cl_event late;

static void CL_CALLBACK launch_meanwhile(cl_event event, cl_int status, void *unused)
{
    (void)event;
    (void)status;
    (void)unused;
    must(clSetUserEventStatus(late, CL_COMPLETE));
    step_on(another, step, b);
}

static void CL_CALLBACK read_meanwhile(cl_event event, cl_int status, void *unused)
{
    (void)event;
    (void)status;
    (void)unused;
    read_whole(another, b);
    must(clSetUserEventStatus(late, CL_COMPLETE));
}

/* Reads `a`, which waits for a user event; what is called on its way does the rest. */
static void read_and(void(CL_CALLBACK *meanwhile)(cl_event, cl_int, void *))
{
    unsigned char bytes[BYTES];
    cl_event begun;

    late = user_event();
    must(clEnqueueMarkerWithWaitList(queue, 0, NULL, &begun));
    must(clSetEventCallback(begun, CL_COMPLETE, meanwhile, NULL));
    must(clEnqueueReadBuffer(queue, a, CL_TRUE, 0, BYTES, bytes, 1, &late, NULL));
    must(clReleaseEvent(begun));
    must(clReleaseEvent(late));
    must(clFinish(another));
    step_on(queue, step, b);
    must(clFinish(queue));
    must(clReleaseCommandQueue(another));
}

/* Nothing is tiled behind a call that is on its way. */
static void launched_while_a_call_blocks(void)
{
    open_all();
    another = make_queue(0);
    read_and(launch_meanwhile);
}

/* Another buffer is brought back: the call that waits does not use it. */
static void brought_back_while_a_call_blocks(void)
{
    open_all();
    another = make_queue(0);
    step_on(queue, step, b);
    must(clFinish(queue));
    read_and(read_meanwhile);
}

const struct tiles_case tiles_periods[] = {
    TILES_CASE(as_written_while_an_event_is_open),
    TILES_CASE(retained_event_is_open),
    TILES_CASE(used_since_an_event_was_opened),
    TILES_CASE(brought_back_again_and_again),
    TILES_CASE(use_that_can_not_be_marked),
    TILES_CASE(unmapped_in_a_period),
    TILES_CASE(unmapped_before_it_is_mapped_in_a_period),
    TILES_CASE(written_whole_in_a_period),
    TILES_CASE(written_whole_behind_what_has_failed),
    TILES_CASE(unmapped_behind_what_has_failed),
    TILES_CASE(mapped_behind_what_has_failed),
    TILES_CASE(read_behind_what_has_failed),
    TILES_CASE(launched_while_a_call_blocks),
    TILES_CASE(brought_back_while_a_call_blocks),
    {NULL, NULL},
};
