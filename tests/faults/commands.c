/* SPDX-License-Identifier: MIT */
/* The commands of a round. */
#include "scene.h"

#include <string.h>

/* ---- kernels ---- */

static cl_int set_arg(struct scene *s, cl_kernel kernel, cl_uint index, size_t bytes,
                      const void *value)
{
    cl_int err = clSetKernelArg(kernel, index, bytes, value);

    if (err == CL_SUCCESS)
        return err;
    calm_begin(s);
    err = clSetKernelArg(kernel, index, bytes, value);
    calm_end(s);
    return err;
}

cl_int launch(struct scene *s, cl_command_queue queue, cl_kernel kernel, cl_mem first,
              cl_mem second, int n, cl_uint wait_count, const cl_event *waits,
              cl_event *event)
{
    const size_t global = (size_t)n + 3;
    const cl_int count = n;
    cl_uint index = 0;
    cl_int err = set_arg(s, kernel, index++, sizeof first, &first);

    if (err == CL_SUCCESS && second)
        err = set_arg(s, kernel, index++, sizeof second, &second);
    if (err == CL_SUCCESS)
        err = set_arg(s, kernel, index++, sizeof count, &count);
    if (err == CL_SUCCESS)
        err = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, wait_count,
                                     waits, event);
    return err;
}

static void run_kernel(struct scene *s, unsigned b, cl_kernel kernel,
                       void (*model)(unsigned char *, int))
{
    const cl_event *waits;
    cl_uint count = waits_of(s, &waits);
    cl_event event = NULL;
    cl_int err = launch(s, s->queues[s->queue], kernel, s->buffers[b].mem, NULL, ITEMS,
                        count, waits, &event);

    for (unsigned m = first_model(err); m < MODELS && s->runs_kernels; m++)
        model(s->buffers[b].model[m], ITEMS);
    ended(s, err, event, b, NULL);
}

static void command_step(struct scene *s, unsigned b, unsigned other)
{
    (void)other;
    run_kernel(s, b, s->step, model_step);
}

static void command_plain(struct scene *s, unsigned b, unsigned other)
{
    (void)other;
    run_kernel(s, b, s->plain, model_plain);
}

static void command_shift(struct scene *s, unsigned b, unsigned other)
{
    const cl_event *waits;
    cl_uint count = waits_of(s, &waits);
    cl_event event = NULL;
    cl_int err = launch(s, s->queues[s->queue], s->shift, s->buffers[b].mem,
                        s->buffers[other].mem, ITEMS, count, waits, &event);

    for (unsigned m = first_model(err); m < MODELS && s->runs_kernels; m++)
        model_shift(s->buffers[b].model[m], s->buffers[other].model[m], ITEMS);
    ended(s, err, event, b, NULL);
}

/* A kernel that only reads: its result goes to a buffer of its own and is looked at
 * there. */
static void command_total(struct scene *s, unsigned b, unsigned other)
{
    const cl_event *waits;
    cl_int want[MODELS][ITEMS] = {{0}}, seen[ITEMS], err = CL_SUCCESS;
    cl_uint count = waits_of(s, &waits);
    cl_event event = NULL;
    cl_mem out;

    (void)other;
    calm_begin(s);
    out = clCreateBuffer(s->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                         sizeof want[TOLD], want[TOLD], &err);
    calm_end(s);
    err = launch(s, s->queues[s->queue], s->total, s->buffers[b].mem, out, ITEMS, count,
                 waits, &event);
    for (unsigned m = first_model(err); m < MODELS && s->runs_kernels; m++)
        model_total(s->buffers[b].model[m], want[m], ITEMS);
    ended(s, err, event, b, NULL);
    settle(s);
    calm_begin(s);
    if (err == CL_SUCCESS && !s->buffers[b].unknown) {
        clEnqueueReadBuffer(s->queues[0], out, CL_TRUE, 0, sizeof seen, seen, 0, NULL,
                            NULL);
        if (memcmp(seen, want[TOLD], sizeof seen) != 0)
            report(s, WRONG, "what a kernel saw of buffer %u", b);
    }
    clReleaseMemObject(out);
    calm_end(s);
}

/* ---- maps ---- */

static void unmap(struct scene *s, unsigned b, cl_mem mem, void *mapped)
{
    const cl_event *waits;
    cl_uint count = waits_of(s, &waits);
    cl_event event = NULL;
    cl_int err =
        clEnqueueUnmapMemObject(s->queues[s->queue], mem, mapped, count, waits, &event);

    if (err == CL_SUCCESS) {
        ended(s, err, event, b, NULL);
        return;
    }
    ended(s, err, NULL, b, NULL);
    /* What is still mapped is unmapped once more. */
    calm_begin(s);
    err = clEnqueueUnmapMemObject(s->queues[s->queue], mem, mapped, 0, NULL, NULL);
    if (err != CL_SUCCESS)
        report(s, LOST, "buffer %u can't be unmapped: %d", b, err);
    calm_end(s);
}

static void touch(struct scene *s, unsigned b, unsigned char *mapped, cl_map_flags flags,
                  size_t offset, size_t bytes)
{
    unsigned char *const model = s->buffers[b].model[TOLD] + offset;

    if (!(flags & CL_MAP_WRITE_INVALIDATE_REGION) && !s->buffers[b].unknown &&
        memcmp(mapped, model, bytes) != 0) {
        bool undue = memcmp(mapped, s->buffers[b].model[DONE] + offset, bytes) == 0;

        report(s, undue ? UNDUE : WRONG, "a map of buffer %u", b);
        s->buffers[b].unknown = true;
    }
    if (flags == CL_MAP_READ)
        return;
    for (size_t i = 0; i < bytes; i++) {
        if (flags != CL_MAP_WRITE_INVALIDATE_REGION && i % 3)
            continue;
        mapped[i] = (unsigned char)pick(s, 256);
        for (unsigned m = 0; m < MODELS; m++)
            s->buffers[b].model[m][offset + i] = mapped[i];
    }
}

static void command_map(struct scene *s, unsigned b, unsigned other)
{
    static const cl_map_flags all_flags[] = {CL_MAP_READ, CL_MAP_WRITE,
                                             CL_MAP_READ | CL_MAP_WRITE,
                                             CL_MAP_WRITE_INVALIDATE_REGION};
    cl_map_flags flags = all_flags[pick(s, 4)];
    cl_bool blocking = pick_blocking(s);
    size_t offset, bytes;
    const cl_event *waits;
    cl_uint count = waits_of(s, &waits);
    cl_event event = NULL;
    cl_int err = CL_SUCCESS;
    void *mapped;

    (void)other;
    pick_range(s, &offset, &bytes);
    mapped = clEnqueueMapBuffer(s->queues[s->queue], s->buffers[b].mem, blocking, flags,
                                offset, bytes, count, waits, &event, &err);
    if (!mapped && err == CL_SUCCESS)
        report(s, ODD, "a map gave neither a pointer nor an error");
    ended(s, mapped ? CL_SUCCESS : err, mapped ? event : NULL, b, NULL);
    if (!mapped)
        return;
    settle(s);
    touch(s, b, mapped, flags, offset, bytes);
    unmap(s, b, s->buffers[b].mem, mapped);
}

/* ---- sub-buffers ---- */

static void command_sub_buffer(struct scene *s, unsigned b, unsigned other)
{
    const cl_buffer_region region = {384, 384 + 24 * pick(s, 20)};
    const int n = (int)(region.size / sizeof(struct item));
    bool steps = pick(s, 2);
    const cl_event *waits;
    cl_event event = NULL;
    cl_int err = CL_SUCCESS;
    cl_mem sub = clCreateSubBuffer(s->buffers[b].mem, 0, CL_BUFFER_CREATE_TYPE_REGION,
                                   &region, &err);
    cl_uint count;

    (void)other;
    if (!sub) {
        ended(s, err, NULL, b, NULL);
        return;
    }
    count = waits_of(s, &waits);
    err = launch(s, s->queues[s->queue], steps ? s->step : s->plain, sub, NULL, n, count,
                 waits, &event);
    for (unsigned m = first_model(err); m < MODELS && s->runs_kernels; m++)
        (steps ? model_step : model_plain)(s->buffers[b].model[m] + region.origin, n);
    ended(s, err, event, b, NULL);
    clReleaseMemObject(sub);
}

/* ---- the next ---- */

/* Queues are flushed, and events come and go, without a command on a buffer. */
static void command_marker(struct scene *s, unsigned b, unsigned other)
{
    const cl_event *waits;
    cl_uint count = waits_of(s, &waits);
    cl_event event = NULL;
    cl_int err = clEnqueueMarkerWithWaitList(s->queues[s->queue], count, waits, &event);

    (void)other;
    ended(s, err, event, b, NULL);
    clFlush(s->queues[s->queue]);
}

static void command_settle(struct scene *s, unsigned b, unsigned other)
{
    (void)b;
    (void)other;
    settle(s);
}

static void open_gate(struct scene *s)
{
    cl_int err = CL_SUCCESS;

    settle(s);
    s->gate = clCreateUserEvent(s->context, &err);
}

static const struct {
    const char *name;
    void (*run)(struct scene *s, unsigned b, unsigned other);
    bool writes; /* as a kernel does: not a read-only buffer */
} commands[] = {
    {"step", command_step, true},
    {"read", command_read, false},
    {"write", command_write, false},
    {"map", command_map, false},
    {"copy", command_copy, false},
    {"plain", command_plain, true},
    {"read rectangle", command_read_rect, false},
    {"total", command_total, false},
    {"write rectangle", command_write_rect, false},
    {"fill", command_fill, false},
    {"shift", command_shift, true},
    {"copy rectangle", command_copy_rect, false},
    {"sub-buffer", command_sub_buffer, true},
    {"migrate", command_migrate, false},
    {"marker", command_marker, false},
    {"settle", command_settle, false},
};

/* Seed 0 has each command in turn on a buffer in tiles; the others take what comes, the
 * odd ones with commands that wait for the program. */
void run_command(struct scene *s)
{
    const unsigned kinds = sizeof commands / sizeof *commands;
    unsigned b = pick(s, 5) % BUFFERS, other = pick(s, BUFFERS);
    unsigned kind = pick(s, 3) ? pick(s, kinds) : 0;

    s->queue = pick(s, 3) ? 0 : pick(s, QUEUES);
    if (s->seed == 0) {
        kind = s->number % 2 ? s->number / 2 % kinds : 0;
        b = 0;
        other = 1;
        s->queue = 0;
    }
    if (commands[kind].writes && (s->buffers[b].flags & CL_MEM_READ_ONLY))
        b = 0;
    if (other == b)
        other = (b + 1) % 2;
    if (s->seed % 2 && !s->gate && pick(s, 6) == 0)
        open_gate(s);
    s->what = commands[kind].name;
    commands[kind].run(s, b, other);
    if (s->gated >= 4 || s->pending_count > PENDING_MAX - 8)
        settle(s);
}
