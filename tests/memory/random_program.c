/* SPDX-License-Identifier: MIT */
/* random_program FIRST COUNT [DEVICES [open]]: ordinary OpenCL programs by the dozen.
 * Each seed makes a sequence of commands on a few buffers (kernels with and without
 * annotations, transfers of every kind, maps, sub-buffers, objects released and made
 * anew) over several queues, with two DEVICES on both of them, and keeps a model of every
 * buffer on the host. Every byte the host gets to see must be the model's; a difference
 * is printed with its seed and command, and the exit code is 1. With `open` maps stay
 * open while commands use their buffers, which works where they share the buffer's
 * memory. Every eighth seed runs two such sequences in two threads of one context. Links
 * to nothing of DL. */
#include "random.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/random_numbers.h"

unsigned pick(struct sequence *s, unsigned below)
{
    return random_choice(&s->random, below);
}

static void note(struct sequence *s, const char *what, unsigned which)
{
    size_t used = strlen(s->history);

    snprintf(s->history + used, sizeof s->history - used, " %s%u", what, which);
}

void report(struct sequence *s, const char *what, cl_int err)
{
    if (!s->failed)
        printf("seed %u, command %u: %s (%d)\n   %s\n", s->seed, s->number, what, err,
               s->history);
    s->failed = true;
}

/* What the next command waits for. */
cl_uint wait_for_last(struct sequence *s, const cl_event **list)
{
    bool needed = s->last && (s->last_queue != s->queue || s->queue == QUEUES - 1);

    if (needed && s->last_queue != s->queue)
        clFlush(s->queues[s->last_queue]);
    *list = needed ? &s->last : NULL;
    return needed;
}

/* The command gave `event`. */
void follow(struct sequence *s, cl_int err, cl_event event, const char *what)
{
    if (err != CL_SUCCESS) {
        report(s, what, err);
        return;
    }
    if (s->last)
        clReleaseEvent(s->last);
    s->last = event;
    s->last_queue = s->queue;
}

void compare(struct sequence *s, const unsigned char *seen, const unsigned char *model,
             size_t bytes, const char *what)
{
    for (size_t i = 0; i < bytes; i++) {
        if (seen[i] != model[i]) {
            char text[128];

            snprintf(text, sizeof text, "%s: byte %zu is %u, not %u", what, i, seen[i],
                     model[i]);
            report(s, text, 0);
            return;
        }
    }
}

void pick_range(struct sequence *s, size_t *offset, size_t *bytes)
{
    *offset = 0;
    *bytes = BUFFER_BYTES;
    if (pick(s, 3) == 0)
        return;
    *offset = pick(s, BUFFER_BYTES);
    *bytes = 1 + pick(s, (unsigned)(BUFFER_BYTES - *offset));
}

void pick_bytes(struct sequence *s, unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] = (unsigned char)pick(s, 256);
}

/* ---- kernels and objects ---- */

static void launch(struct sequence *s, cl_kernel kernel, cl_mem first, cl_mem second,
                   int n)
{
    const size_t global = (size_t)n + pick(s, 5);
    const cl_int count_arg = n;
    const cl_event *list;
    cl_uint count = wait_for_last(s, &list);
    cl_event event = NULL;
    cl_uint index = 0;
    cl_int err = clSetKernelArg(kernel, index++, sizeof first, &first);

    if (second)
        err |= clSetKernelArg(kernel, index++, sizeof second, &second);
    err |= clSetKernelArg(kernel, index++, sizeof count_arg, &count_arg);
    if (err == CL_SUCCESS)
        err = clEnqueueNDRangeKernel(s->queues[s->queue], kernel, 1, NULL, &global, NULL,
                                     count, list, &event);
    follow(s, err, event, "launch");
}

static void total_of(struct sequence *s, cl_mem mem, const unsigned char *model, int n)
{
    cl_int seen[ITEMS], want[ITEMS], err;
    cl_mem out =
        clCreateBuffer(s->world->context, CL_MEM_WRITE_ONLY, sizeof seen, NULL, &err);

    if (err != CL_SUCCESS) {
        report(s, "create", err);
        return;
    }
    launch(s, s->total, mem, out, n);
    if (!s->failed) {
        clWaitForEvents(1, &s->last);
        err = clEnqueueReadBuffer(s->queues[0], out, CL_TRUE, 0, sizeof seen, seen, 0,
                                  NULL, NULL);
        model_total(model, want, n);
        compare(s, (unsigned char *)seen, (unsigned char *)want, (size_t)n * sizeof *seen,
                "total");
    }
    clReleaseMemObject(out);
}

static void make_buffer(struct sequence *s, struct held_buffer *buffer)
{
    static const cl_mem_flags flags[] = {CL_MEM_READ_WRITE,
                                         CL_MEM_READ_WRITE,
                                         CL_MEM_ALLOC_HOST_PTR,
                                         0,
                                         CL_MEM_READ_ONLY,
                                         CL_MEM_USE_HOST_PTR,
                                         CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY};
    void *host = buffer->model;
    cl_int err;

    buffer->flags = flags[pick(s, 4) ? pick(s, 4) : pick(s, 7)];
    free(buffer->host);
    buffer->host = NULL;
    if (buffer->flags & CL_MEM_USE_HOST_PTR) {
        host = buffer->host = aligned_alloc(4096, (BUFFER_BYTES + 4095) / 4096 * 4096);
        memcpy(host, buffer->model, BUFFER_BYTES);
    }
    buffer->mem = clCreateBuffer(
        s->world->context, buffer->flags | (buffer->host ? 0 : CL_MEM_COPY_HOST_PTR),
        BUFFER_BYTES, host, &err);
    if (err != CL_SUCCESS)
        report(s, "create", err);
}

static void command_sub_buffer(struct sequence *s, struct held_buffer *buffer)
{
    int n;

    if (buffer->sub && pick(s, 3) == 0)
        drop_sub_buffer(buffer);
    if (!buffer->sub)
        make_sub_buffer(s, buffer);
    if (s->failed)
        return;
    n = (int)(buffer->region.size / sizeof(struct item));
    if (n == 0)
        return;
    n = pick(s, 3) ? n : 1 + (int)pick(s, (unsigned)n);
    switch (pick(s, 6)) {
    case 0:
        if (!(buffer->flags & CL_MEM_READ_ONLY)) {
            launch(s, s->plain, buffer->sub, NULL, n);
            model_plain(buffer->model + buffer->region.origin, n);
        }
        break;
    case 1:
        read_sub_buffer(s, buffer);
        break;
    case 2:
    case 3:
        total_of(s, buffer->sub, buffer->model + buffer->region.origin, n);
        break;
    default:
        if (!(buffer->flags & CL_MEM_READ_ONLY)) {
            launch(s, s->step, buffer->sub, NULL, n);
            model_step(buffer->model + buffer->region.origin, n);
        }
    }
}

/* The buffer goes, and another takes its place, often at the same address. */
static void command_replace(struct sequence *s, struct held_buffer *buffer)
{
    command_unmap_all(s, buffer);
    drop_sub_buffer(buffer);
    if (s->last)
        clWaitForEvents(1, &s->last);
    clReleaseMemObject(buffer->mem);
    make_buffer(s, buffer);
}

static void command_replace_kernel(struct sequence *s)
{
    cl_int err;

    clReleaseKernel(s->step);
    s->step = clCreateKernel(s->world->program, "advance", &err);
    if (err != CL_SUCCESS)
        report(s, "kernel", err);
}

/* What may be done to a mapped buffer: it is the host's, or may only be read, until it is
 * unmapped. */
static bool may_read(const struct sequence *s, const struct held_buffer *buffer)
{
    return s->open || !is_mapped_for_writing(buffer);
}

static bool may_write(const struct sequence *s, const struct held_buffer *buffer)
{
    return s->open || !is_mapped(buffer);
}

static bool kernels_may_write(const struct sequence *s, const struct held_buffer *buffer)
{
    return may_write(s, buffer) && !(buffer->flags & CL_MEM_READ_ONLY);
}

/* A launch, when the kind is one and the host's maps allow it. */
static bool run_launch(struct sequence *s, unsigned kind, unsigned which, unsigned other)
{
    struct held_buffer *buffer = &s->buffers[which], *second = &s->buffers[other];

    if (kind < 7 && kernels_may_write(s, buffer)) {
        note(s, "step", which);
        launch(s, s->step, buffer->mem, NULL, ITEMS);
        model_step(buffer->model, ITEMS);
    } else if (kind < 8 && kernels_may_write(s, buffer)) {
        note(s, "part", which);
        launch(s, s->step, buffer->mem, NULL, ITEMS / 2);
        model_step(buffer->model, ITEMS / 2);
    } else if (kind < 9 && kernels_may_write(s, buffer)) {
        note(s, "plain", which);
        launch(s, s->plain, buffer->mem, NULL, ITEMS);
        model_plain(buffer->model, ITEMS);
    } else if (kind < 10 && kernels_may_write(s, buffer) && may_read(s, second)) {
        note(s, "shift", which * 10 + other);
        launch(s, s->shift, buffer->mem, second->mem, ITEMS);
        model_shift(buffer->model, second->model, ITEMS);
    } else if (kind < 12 && may_read(s, buffer)) {
        note(s, "total", which);
        total_of(s, buffer->mem, buffer->model, ITEMS);
    } else {
        return false;
    }
    return true;
}

/* Likewise a transfer, also for a launch that its buffers do not allow. */
static bool run_transfer(struct sequence *s, unsigned kind, unsigned which,
                         unsigned other)
{
    struct held_buffer *buffer = &s->buffers[which], *second = &s->buffers[other];

    if (kind < 14 && may_read(s, buffer)) {
        note(s, "read", which);
        command_read(s, buffer);
    } else if (kind < 16 && may_write(s, buffer)) {
        note(s, "write", which);
        command_write(s, buffer);
    } else if (kind < 17 && may_read(s, buffer)) {
        note(s, "rrect", which);
        command_read_rect(s, buffer);
    } else if (kind < 18 && may_write(s, buffer)) {
        note(s, "wrect", which);
        command_write_rect(s, buffer);
    } else if (kind < 20 && may_read(s, buffer) && may_write(s, second)) {
        note(s, "copy", which * 10 + other);
        command_copy(s, buffer, second);
    } else if (kind < 21 && may_read(s, buffer) && may_write(s, second)) {
        note(s, "crect", which * 10 + other);
        command_copy_rect(s, buffer, second);
    } else if (kind < 22 && may_write(s, buffer)) {
        note(s, "fill", which);
        command_fill(s, buffer);
    } else if (kind < 23 && may_read(s, buffer) && may_write(s, second) && pick(s, 2)) {
        note(s, "image", which * 10 + other);
        command_image(s, buffer, second);
    } else if (kind < 24 && may_write(s, buffer)) {
        note(s, "migrate", which);
        command_migrate(s, buffer, pick(s, 4) == 0);
    } else {
        return false;
    }
    return true;
}

/* Likewise new objects in place of old ones. */
static bool run_replacement(struct sequence *s, unsigned kind, unsigned which)
{
    struct held_buffer *buffer = &s->buffers[which];

    if (kind < 26 && may_write(s, buffer)) {
        note(s, "sub", which);
        command_sub_buffer(s, buffer);
    } else if (kind < 27 && pick(s, 2)) {
        note(s, "replace", which);
        command_replace(s, buffer);
    } else if (kind < 28 && pick(s, 2)) {
        note(s, "kernel", 0);
        command_replace_kernel(s);
    } else {
        return false;
    }
    return true;
}

static void run_command(struct sequence *s)
{
    unsigned which = pick(s, BUFFERS), other = pick(s, BUFFERS), kind = pick(s, 31);

    s->queue = world_devices == 1 && pick(s, 3) ? 0 : pick(s, QUEUES);
    if (run_launch(s, kind, which, other) || run_transfer(s, kind, which, other) ||
        run_replacement(s, kind, which))
        return;
    note(s, "map", which);
    command_map(s, &s->buffers[which]);
}

/* Undefined in OpenCL, but where maps are the buffer's own memory programs do it: what
 * commands write is seen by maps from before, and what the host writes by those is seen
 * by commands. */
static void look_at_open_maps(struct sequence *s)
{
    if (s->last)
        clWaitForEvents(1, &s->last);
    for (unsigned b = 0; b < BUFFERS && !s->failed; b++) {
        compare_open_maps(s, &s->buffers[b]);
        write_open_maps(s, &s->buffers[b]);
    }
}

static void check_all(struct sequence *s)
{
    static _Thread_local unsigned char seen[BUFFER_BYTES];

    if (s->last)
        clWaitForEvents(1, &s->last);
    for (unsigned b = 0; b < BUFFERS && !s->failed; b++) {
        if (is_mapped(&s->buffers[b]))
            continue;
        clEnqueueReadBuffer(s->queues[0], s->buffers[b].mem, CL_TRUE, 0, BUFFER_BYTES,
                            seen, 0, NULL, NULL);
        compare(s, seen, s->buffers[b].model, BUFFER_BYTES, "at the end");
    }
}

/* The second is on the other device, and the one out of order on either. */
static void make_queues(struct sequence *s)
{
    const cl_device_id devices[] = {s->world->device, s->world->second};
    cl_int err;

    for (unsigned q = 0; q < QUEUES; q++)
        s->queues[q] = clCreateCommandQueue(
            s->world->context, devices[q == QUEUES - 1 ? s->seed / 2 % 2 : q % 2],
            q == QUEUES - 1 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, &err);
    for (unsigned d = 0; d < 2; d++) {
        cl_uint bits = 0;

        clGetDeviceInfo(devices[d], CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits, &bits,
                        NULL);
        if (bits / 8 > s->origin_bytes)
            s->origin_bytes = bits / 8;
    }
}

static void *run_sequence(void *argument)
{
    struct sequence *s = argument;
    struct world *world = s->world;
    cl_int err;

    s->random = s->seed * 0x9E3779B97F4A7C15u + 1;
    for (unsigned i = 0; i < 4; i++)
        pick(s, 2);
    make_queues(s);
    s->step = clCreateKernel(world->program, "advance", &err);
    s->plain = clCreateKernel(world->program, "plain", &err);
    s->shift = clCreateKernel(world->program, "shift", &err);
    s->total = clCreateKernel(world->program, "total", &err);
    for (unsigned b = 0; b < BUFFERS; b++) {
        for (size_t i = 0; i < BUFFER_BYTES; i++)
            s->buffers[b].model[i] = (unsigned char)pick(s, 256);
        make_buffer(s, &s->buffers[b]);
    }
    for (s->number = 0; s->number < COMMANDS && !s->failed; s->number++) {
        run_command(s);
        if (s->open)
            look_at_open_maps(s);
    }
    for (unsigned b = 0; b < BUFFERS; b++)
        command_unmap_all(s, &s->buffers[b]);
    check_all(s);
    if (s->last)
        clReleaseEvent(s->last);
    for (unsigned b = 0; b < BUFFERS; b++) {
        drop_sub_buffer(&s->buffers[b]);
        clReleaseMemObject(s->buffers[b].mem);
    }
    clReleaseKernel(s->total);
    clReleaseKernel(s->shift);
    clReleaseKernel(s->plain);
    clReleaseKernel(s->step);
    for (unsigned q = 0; q < QUEUES; q++) {
        clFinish(s->queues[q]);
        clReleaseCommandQueue(s->queues[q]);
    }
    for (unsigned b = 0; b < BUFFERS; b++)
        free(s->buffers[b].host);
    return NULL;
}

static bool run_seed(struct world *world, unsigned seed, bool maps_share, bool on_cpu,
                     bool open)
{
    struct sequence *s = calloc(2, sizeof *s);
    unsigned count = seed % 8 == 7 ? 2 : 1;
    pthread_t threads[2];
    bool good = true;

    for (unsigned t = 0; t < count; t++) {
        s[t].world = world;
        s[t].maps_share = maps_share;
        s[t].on_cpu = on_cpu;
        s[t].open = open;
        s[t].seed = seed + t * 1000003;
        if (count == 1)
            run_sequence(&s[t]);
        else
            pthread_create(&threads[t], NULL, run_sequence, &s[t]);
    }
    for (unsigned t = 0; t < count; t++) {
        if (count > 1)
            pthread_join(threads[t], NULL);
        good = good && !s[t].failed;
    }
    free(s);
    return good;
}

int main(int argc, char **argv)
{
    struct world world;
    unsigned first, count, failed = 0;
    bool maps_share, on_cpu, open;

    if (argc < 3 || argc > 5) {
        fputs("usage: random_program FIRST COUNT [DEVICES [open]]\n", stderr);
        return 2;
    }
    world_devices = argc > 3 ? (cl_uint)atoi(argv[3]) : 1;
    open = argc > 4 && strcmp(argv[4], "open") == 0;
    first = (unsigned)atoi(argv[1]);
    count = (unsigned)atoi(argv[2]);
    world_begin(&world);
    maps_share = world_maps_share(&world);
    on_cpu = world_is_cpu(&world);
    if (world_devices > 1 && world.second == world.device) {
        puts("the platform has one device");
        return 77;
    }
    if (open && !maps_share) {
        puts("each map has memory of its own");
        return 77;
    }
    for (unsigned seed = first; seed < first + count; seed++)
        failed += !run_seed(&world, seed, maps_share, on_cpu, open);
    world_end(&world);
    printf("%u sequences, %u failed\n", count, failed);
    return failed ? 1 : 0;
}
