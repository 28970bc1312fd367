/* SPDX-License-Identifier: MIT */
/* The commands of random programs that cancel some of them. */
#include "cancelled.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/random_numbers.h"

unsigned pick(struct sequence *s, unsigned below)
{
    return random_choice(&s->random, below);
}

void say(const char *format, ...)
{
    va_list list;

    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    putchar('\n');
}

void say_bytes(const char *what, unsigned which, const unsigned char *bytes, size_t count)
{
    uint64_t hash = 14695981039346656037u;

    for (size_t i = 0; i < count; i++)
        hash = (hash ^ bytes[i]) * 1099511628211u;
    say("%s %u: %016llx", what, which, (unsigned long long)hash);
}

enum kind {
    STEP,
    PLAIN,
    SHIFT,
    TOTAL,
    READ,
    WRITE,
    COPY,
    FILL,
    READ_RECT,
    WRITE_RECT,
    COPY_RECT,
    MIGRATE,
    MARKER,
    BARRIER,
    MAP,
    KINDS
};

static const char *const names[KINDS] = {
    "step",      "plain",   "shift",  "total",     "read",
    "write",     "copy",    "fill",   "read rect", "write rect",
    "copy rect", "migrate", "marker", "barrier",   "map"};

/* How often each is wanted: what tiles a buffer most of all. */
static const unsigned weights[KINDS] = {8, 2, 3, 3, 4, 4, 5, 3, 2, 2, 2, 1, 2, 2, 4};

struct wish pick_wish(struct sequence *s)
{
    struct wish wish = {.first = pick(s, BUFFERS)};
    unsigned sum = 0, at;

    for (unsigned k = 0; k < KINDS; k++)
        sum += weights[k];
    at = pick(s, sum);
    while (at >= weights[wish.kind])
        at -= weights[wish.kind++];
    wish.second = (wish.first + 1 + pick(s, BUFFERS - 1)) % BUFFERS;
    return wish;
}

bool wish_is_barrier(struct wish wish)
{
    return wish.kind == BARRIER;
}

bool wish_is_marker(struct wish wish)
{
    return wish.kind == MARKER;
}

bool wish_is_migration(struct wish wish)
{
    return wish.kind == MIGRATE;
}

unsigned wish_reads(struct wish wish)
{
    switch (wish.kind) {
    case MARKER:
    case BARRIER:
        return 0;
    case SHIFT:
    case COPY:
    case COPY_RECT:
        return 1u << wish.first | 1u << wish.second;
    default:
        return 1u << wish.first;
    }
}

unsigned wish_writes(struct wish wish)
{
    switch (wish.kind) {
    case STEP:
    case PLAIN:
    case WRITE:
    case FILL:
    case WRITE_RECT:
    case MIGRATE:
    case MAP:
        return 1u << wish.first;
    case SHIFT:
    case COPY:
    case COPY_RECT:
        return 1u << wish.second;
    default:
        return 0;
    }
}

bool wish_is_possible(const struct sequence *s, struct wish wish)
{
    for (unsigned b = 0; b < BUFFERS; b++) {
        if ((wish_reads(wish) >> b & 1) && s->mapped[b] >= 0)
            return false;
    }
    return true;
}

/* A range, the whole buffer every other time: only that changes a buffer's state without
 * a look at what it held. */
static void pick_range(struct sequence *s, size_t *offset, size_t *bytes)
{
    *offset = 0;
    *bytes = BUFFER_BYTES;
    if (pick(s, 2))
        return;
    *offset = pick(s, BUFFER_BYTES);
    *bytes = 1 + pick(s, (unsigned)(BUFFER_BYTES - *offset));
}

static void fill_host(struct sequence *s, struct command *command, size_t bytes)
{
    command->host = malloc(bytes);
    command->host_bytes = bytes;
    for (size_t i = 0; i < bytes; i++)
        command->host[i] = (unsigned char)pick(s, 256);
}

static void expect_host(struct command *command, size_t bytes)
{
    command->host = malloc(bytes);
    command->host_bytes = bytes;
    command->into_host = true;
    memset(command->host, 0xa5, bytes);
}

static cl_int launch(struct sequence *s, struct wish wish, struct command *command,
                     const cl_event *list)
{
    const size_t global = ITEMS + pick(s, 5);
    const cl_int n = pick(s, 4) ? ITEMS : ITEMS / 2;
    const struct world *w = s->world;
    cl_kernel kernel = wish.kind == STEP    ? w->step
                       : wish.kind == PLAIN ? w->plain
                                            : w->shift;
    cl_uint index = 0;
    cl_int err = CL_SUCCESS;

    if (wish.kind == SHIFT)
        err |= clSetKernelArg(kernel, index++, sizeof(cl_mem), &s->buffers[wish.second]);
    err |= clSetKernelArg(kernel, index++, sizeof(cl_mem), &s->buffers[wish.first]);
    err |= clSetKernelArg(kernel, index++, sizeof n, &n);
    if (err == CL_SUCCESS)
        err = clEnqueueNDRangeKernel(s->queues[command->queue], kernel, 1, NULL, &global,
                                     NULL, s->wait_count, list, &command->event);
    return err;
}

/* Reads the buffer by a kernel; nobody looks at what it writes. */
static cl_int launch_total(struct sequence *s, struct wish wish, struct command *command,
                           const cl_event *list)
{
    const size_t global = ITEMS;
    const cl_int n = ITEMS;
    cl_kernel kernel = s->world->total;
    cl_int err;
    cl_mem out = clCreateBuffer(s->world->context, CL_MEM_WRITE_ONLY,
                                ITEMS * sizeof(cl_int), NULL, &err);

    err |= clSetKernelArg(kernel, 0, sizeof(cl_mem), &s->buffers[wish.first]);
    err |= clSetKernelArg(kernel, 1, sizeof out, &out);
    err |= clSetKernelArg(kernel, 2, sizeof n, &n);
    if (err == CL_SUCCESS)
        err = clEnqueueNDRangeKernel(s->queues[command->queue], kernel, 1, NULL, &global,
                                     NULL, s->wait_count, list, &command->event);
    if (out)
        clReleaseMemObject(out);
    return err;
}

static cl_int transfer(struct sequence *s, struct wish wish, struct command *command,
                       const cl_event *list)
{
    cl_command_queue queue = s->queues[command->queue];
    cl_mem first = s->buffers[wish.first], second = s->buffers[wish.second];
    size_t offset, bytes, unit = (size_t)1 << pick(s, 8);
    unsigned char pattern[128];

    pick_range(s, &offset, &bytes);
    switch (wish.kind) {
    case READ:
        expect_host(command, bytes);
        return clEnqueueReadBuffer(queue, first, CL_FALSE, offset, bytes, command->host,
                                   s->wait_count, list, &command->event);
    case WRITE:
        fill_host(s, command, bytes);
        return clEnqueueWriteBuffer(queue, first, CL_FALSE, offset, bytes, command->host,
                                    s->wait_count, list, &command->event);
    case COPY:
        return clEnqueueCopyBuffer(queue, first, second, offset,
                                   pick(s, (unsigned)(BUFFER_BYTES - bytes) + 1), bytes,
                                   s->wait_count, list, &command->event);
    default:
        for (size_t i = 0; i < unit; i++)
            pattern[i] = (unsigned char)pick(s, 256);
        if (bytes == BUFFER_BYTES)
            unit = 1;
        return clEnqueueFillBuffer(queue, first, pattern, unit, offset / unit * unit,
                                   (bytes + unit - 1) / unit * unit >
                                           BUFFER_BYTES - offset
                                       ? (BUFFER_BYTES - offset) / unit * unit
                                       : (bytes + unit - 1) / unit * unit,
                                   s->wait_count, list, &command->event);
    }
}

/* A rectangle of up to three dimensions; both sides are the same but for where it begins.
 */
static cl_int transfer_rect(struct sequence *s, struct wish wish, struct command *command,
                            const cl_event *list)
{
    cl_command_queue queue = s->queues[command->queue];
    cl_mem first = s->buffers[wish.first], second = s->buffers[wish.second];
    const size_t region[3] = {1 + pick(s, 24), 1 + pick(s, 8), 1 + pick(s, 3)};
    const size_t row = region[0] + pick(s, 24), slice = row * (region[1] + pick(s, 2));
    const size_t from[3] = {pick(s, (unsigned)(row - region[0]) + 1), 0, 0};
    const size_t to[3] = {0, 0, BUFFER_BYTES / slice - region[2]};

    if (wish.kind == COPY_RECT)
        return clEnqueueCopyBufferRect(queue, first, second, from, to, region, row, slice,
                                       row, slice, s->wait_count, list, &command->event);
    if (wish.kind == READ_RECT) {
        expect_host(command, BUFFER_BYTES);
        return clEnqueueReadBufferRect(queue, first, CL_FALSE, from, to, region, row,
                                       slice, row, slice, command->host, s->wait_count,
                                       list, &command->event);
    }
    fill_host(s, command, BUFFER_BYTES);
    return clEnqueueWriteBufferRect(queue, first, CL_FALSE, to, from, region, row, slice,
                                    row, slice, command->host, s->wait_count, list,
                                    &command->event);
}

static cl_int map(struct sequence *s, struct wish wish, struct command *command,
                  const cl_event *list)
{
    static const cl_map_flags flags[] = {CL_MAP_READ, CL_MAP_READ | CL_MAP_WRITE,
                                         CL_MAP_WRITE_INVALIDATE_REGION};
    size_t offset;
    cl_int err;

    command->map_flags = flags[pick(s, 3)];
    pick_range(s, &offset, &command->map_bytes);
    command->map = clEnqueueMapBuffer(
        s->queues[command->queue], s->buffers[wish.first], CL_FALSE, command->map_flags,
        offset, command->map_bytes, s->wait_count, list, &command->event, &err);
    if (err == CL_SUCCESS)
        s->mapped[wish.first] = (int)(command - s->commands);
    return err;
}

static cl_int dispatch(struct sequence *s, struct wish wish, struct command *command,
                       const cl_event *list)
{
    cl_command_queue queue = s->queues[command->queue];

    switch (wish.kind) {
    case STEP:
    case PLAIN:
    case SHIFT:
        return launch(s, wish, command, list);
    case TOTAL:
        return launch_total(s, wish, command, list);
    case READ_RECT:
    case WRITE_RECT:
    case COPY_RECT:
        return transfer_rect(s, wish, command, list);
    case MIGRATE:
        return clEnqueueMigrateMemObjects(queue, 1, &s->buffers[wish.first],
                                          pick(s, 2) ? CL_MIGRATE_MEM_OBJECT_HOST : 0,
                                          s->wait_count, list, &command->event);
    case MARKER:
        return clEnqueueMarkerWithWaitList(queue, s->wait_count, list, &command->event);
    case BARRIER:
        return clEnqueueBarrierWithWaitList(queue, s->wait_count, list, &command->event);
    case MAP:
        return map(s, wish, command, list);
    default:
        return transfer(s, wish, command, list);
    }
}

cl_int enqueue_command(struct sequence *s, struct wish wish, struct command *command)
{
    const cl_event *list = s->wait_count ? s->waits : NULL;
    cl_int err;

    say("command %u: %s %u %u on queue %u, %u waits%s", (unsigned)(command - s->commands),
        names[wish.kind], wish.first, wish.second, command->queue, s->wait_count,
        s->wait_is_late ? ", late" : "");
    err = dispatch(s, wish, command, list);
    say("  gave %d", err);
    return err;
}

void unmap(struct sequence *s, unsigned buffer)
{
    const struct command *command = &s->commands[s->mapped[buffer]];
    unsigned which = (unsigned)s->mapped[buffer];
    cl_event event = NULL;
    cl_int err;

    s->mapped[buffer] = -1;
    if (command->outcome != DONE)
        return;
    if (command->map_flags & CL_MAP_READ)
        say_bytes("mapped", which, command->map, command->map_bytes);
    if (command->map_flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) {
        for (size_t i = 0; i < command->map_bytes; i++)
            command->map[i] = (unsigned char)pick(s, 256);
    }
    err = clEnqueueUnmapMemObject(s->own, s->buffers[buffer], command->map, 0, NULL,
                                  &event);
    if (err == CL_SUCCESS)
        err = clWaitForEvents(1, &event);
    say("unmap of command %u gave %d", which, err);
    if (event)
        clReleaseEvent(event);
}
