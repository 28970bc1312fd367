/* SPDX-License-Identifier: MIT */
/* fault_lost: of two devices in a context the second is lost at one call after another,
 * in the middle of conversions, too. The program gets an error from its own command and
 * goes on with the first device alone: what it reads there is right, or is refused, and
 * then its contents are lost until all of them are written anew. FAULT_LAYER names the
 * layer, which must be in OPENCL_LAYERS. Prints how many rounds there were, in how many
 * the contents were lost, and exits with 1 when bytes are wrong or an error is odd; 77:
 * one device. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory/world.h"

#include "fault_layer.h"

/* A round without an end is one that hangs. */
enum { ROUND_SECONDS = 120 };

static const struct fault_layer *layer;
static struct world w;
static cl_command_queue second,
    spare; /* of the other device; of the first, for order by events */
static unsigned round_number;

static void wrong(const char *what, cl_int err)
{
    printf("lost at call %u: %s: %d\n", round_number, what, err);
    exit(1);
}

static cl_int step(cl_command_queue queue, bool plain)
{
    const size_t global = ITEMS;
    const cl_int n = ITEMS;
    cl_kernel kernel = plain ? w.plain : w.step;
    cl_int err;

    must(clSetKernelArg(kernel, 0, sizeof w.buffer, &w.buffer));
    must(clSetKernelArg(kernel, 1, sizeof n, &n));
    err = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
    if (err == CL_SUCCESS)
        (plain ? model_plain : model_step)(w.model, ITEMS);
    return err;
}

static bool is_refusal(cl_int err)
{
    return err == CL_OUT_OF_RESOURCES || err == CL_OUT_OF_HOST_MEMORY ||
           err == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
}

/* What the device was given before it was lost, it has done. */
static void let_end(void)
{
    layer->lose(NULL, 0);
    must(clFinish(second));
    layer->lose(w.second, 1);
}

/* What the second device is asked for by turns with the first; false: it is lost. */
static bool turns(void)
{
    unsigned char seen[BUFFER_BYTES];
    cl_int err;

    for (int turn = 0; turn < 4; turn++) {
        err = step(w.queue, false);
        if (err != CL_SUCCESS)
            wrong("a launch on the first device", err);
        must(clFinish(w.queue));
        err = step(second, turn % 2 == 0);
        if (err == CL_SUCCESS && turn == 3)
            err = clEnqueueReadBuffer(second, w.buffer, CL_TRUE, 0, sizeof seen, seen, 0,
                                      NULL, NULL);
        if (err == CL_SUCCESS)
            err = clFinish(second);
        if (is_refusal(err)) {
            let_end();
            return false;
        }
        if (err != CL_SUCCESS)
            wrong("a command on the second device", err);
    }
    return true;
}

/* Goes on with the first device; true: the contents are lost. */
static bool go_on(void)
{
    unsigned char seen[BUFFER_BYTES];
    cl_int err = clEnqueueReadBuffer(w.queue, w.buffer, CL_TRUE, 0, sizeof seen, seen, 0,
                                     NULL, NULL);
    bool gone = err != CL_SUCCESS;

    if (gone && !is_refusal(err))
        wrong("an odd error of a read", err);
    if (!gone && memcmp(seen, w.model, sizeof seen) != 0)
        wrong("wrong bytes", 0);
    /* Nobody needs it any more. */
    must(clReleaseCommandQueue(second));
    second = NULL;
    err = clEnqueueWriteBuffer(w.queue, w.buffer, CL_TRUE, 0, sizeof w.model, w.model, 0,
                               NULL, NULL);
    if (err != CL_SUCCESS)
        wrong("written anew", err);
    err = step(w.queue, false);
    if (err != CL_SUCCESS)
        wrong("a launch after that", err);
    world_check(&w);
    return gone;
}

int main(void)
{
    const char *path = getenv("FAULT_LAYER");
    unsigned lost = 0;
    bool over = false;
    void *library;
    cl_int err;

    /* The loader opens layers at the first call. */
    must(clGetPlatformIDs(0, NULL, &(cl_uint){0}));
    library = path ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;
    layer = library ? dlsym(library, FAULT_LAYER_SYMBOL) : NULL;
    if (!layer) {
        puts("the loader opens no layers");
        return 77;
    }
    for (round_number = 1; !over; round_number++) {
        alarm(ROUND_SECONDS);
        world_devices = 2;
        world_begin(&w);
        if (!w.second || w.second == w.device) {
            puts("the platform has one device");
            return 77;
        }
        second = clCreateCommandQueue(w.context, w.second, 0, &err);
        must(err);
        spare = world_queue(&w, 0);
        layer->lose(w.second, round_number);
        over = turns();
        if (!over)
            lost += go_on();
        layer->lose(NULL, 0);
        if (second)
            must(clReleaseCommandQueue(second));
        must(clReleaseCommandQueue(spare));
        world_end(&w);
    }
    printf("%u rounds, lost in %u\n", round_number - 1, lost);
    return 0;
}
