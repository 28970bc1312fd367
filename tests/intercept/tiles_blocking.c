/* SPDX-License-Identifier: MIT */
/* Calls that block: the driver gets them so, without the context's lock, where the buffer
 * is in the program's layout or is overwritten as a whole, and the buffer stays so until
 * they are back. */
#include <pthread.h>

#include "host_tiles.h"

#include <stdio.h>

static cl_command_queue another;

static cl_mem launched_on;

static void *launch_from_thread(void *unused)
{
    step_on(another, step, launched_on);
    return unused;
}

/* By another thread: launches of a callback run as written anyway. */
static void CL_CALLBACK launch_meanwhile(cl_event event, cl_int status, void *unused)
{
    pthread_t thread;

    (void)event;
    (void)status;
    must(pthread_create(&thread, NULL, launch_from_thread, unused));
    must(pthread_join(thread, NULL));
}

/* Reads all of `a`; what the driver comes to on its way launches on a buffer. */
static void read_while_launched_on(cl_mem mem)
{
    unsigned char bytes[BYTES];
    cl_event begun;

    launched_on = mem;
    must(clEnqueueMarkerWithWaitList(queue, 0, NULL, &begun));
    must(clSetEventCallback(begun, CL_COMPLETE, launch_meanwhile, NULL));
    must(clEnqueueReadBuffer(queue, a, CL_TRUE, 0, BYTES, bytes, 0, NULL, NULL));
    must(clReleaseEvent(begun));
    must(clFinish(another));
    must(clReleaseCommandQueue(another));
}

/* As written, then in tiles. */
static void launched_on_what_a_call_blocks_on(void)
{
    open_all();
    another = make_queue(0);
    read_while_launched_on(a);
    step_on(queue, step, a);
    must(clFinish(queue));
}

/* In tiles: the call does not use it. */
static void launched_beside_a_call_that_blocks(void)
{
    open_all();
    another = make_queue(0);
    read_while_launched_on(b);
}

/* The tiles are given up, and no conversion is made for it. */
static void overwritten_by_a_call_that_blocks(void)
{
    unsigned char bytes[BYTES];

    open_all();
    step_on(queue, step, a);
    memset(bytes, 0x5a, sizeof bytes);
    must(clEnqueueWriteBuffer(queue, a, CL_TRUE, 0, BYTES, bytes, 0, NULL, NULL));
    memset(bytes, 0, sizeof bytes);
    must(clEnqueueReadBuffer(queue, a, CL_TRUE, 0, BYTES, bytes, 0, NULL, NULL));
    printf("0x%x 0x%x\n", bytes[0], bytes[BYTES - 1]);
}

static const unsigned char other_bytes[BYTES];

/* They are not: what was in them comes back. */
static void fail_to_overwrite(const unsigned char *host)
{
    unsigned char bytes[BYTES];
    cl_int err;

    open_all();
    for (int i = 0; i < BYTES; i++)
        bytes[i] = (unsigned char)i;
    must(clEnqueueWriteBuffer(queue, a, CL_TRUE, 0, BYTES, bytes, 0, NULL, NULL));
    step_on(queue, step, a);
    err = clEnqueueWriteBuffer(queue, a, CL_TRUE, 0, BYTES, host, 0, NULL, NULL);
    must(clEnqueueReadBuffer(queue, a, CL_TRUE, 0, BYTES, bytes, 0, NULL, NULL));
    printf("%d: 0x%x 0x%x\n", err, bytes[12], bytes[BYTES - 1]);
}

static void overwritten_by_a_call_that_fails(void)
{
    fail_to_overwrite(other_bytes);
}

/* The tiles are not given up for it, not even while the driver refuses it. */
static void overwritten_from_nowhere(void)
{
    fail_to_overwrite(NULL);
}

const struct tiles_case tiles_blocking[] = {
    TILES_CASE(launched_on_what_a_call_blocks_on),
    TILES_CASE(launched_beside_a_call_that_blocks),
    TILES_CASE(overwritten_by_a_call_that_blocks),
    TILES_CASE(overwritten_by_a_call_that_fails),
    TILES_CASE(overwritten_from_nowhere),
    {NULL, NULL},
};
