/* SPDX-License-Identifier: MIT */
/* Transfers, copies and fills of random host programs. */
#include "random.h"

#include <string.h>

/* ---- bytes ---- */

void command_read(struct sequence *s, struct held_buffer *buffer)
{
    static _Thread_local unsigned char seen[BUFFER_BYTES];
    cl_bool blocking = pick(s, 2);
    size_t offset, bytes;
    const cl_event *list;
    cl_uint count = wait_for_last(s, &list);
    cl_event event = NULL;
    cl_int err;

    pick_range(s, &offset, &bytes);
    memset(seen, 0xa5, sizeof seen);
    err = clEnqueueReadBuffer(s->queues[s->queue], buffer->mem, blocking, offset, bytes,
                              seen, count, list, &event);
    if (err == CL_SUCCESS && !blocking)
        clWaitForEvents(1, &event);
    follow(s, err, event, "read");
    if (err == CL_SUCCESS)
        compare(s, seen, buffer->model + offset, bytes, "read");
}

void command_write(struct sequence *s, struct held_buffer *buffer)
{
    static _Thread_local unsigned char host[BUFFER_BYTES];
    cl_bool blocking = pick(s, 2);
    size_t offset, bytes;
    const cl_event *list;
    cl_uint count = wait_for_last(s, &list);
    cl_event event = NULL;
    cl_int err;

    pick_range(s, &offset, &bytes);
    pick_bytes(s, host, bytes);
    memcpy(buffer->model + offset, host, bytes);
    err = clEnqueueWriteBuffer(s->queues[s->queue], buffer->mem, blocking, offset, bytes,
                               host, count, list, &event);
    if (err == CL_SUCCESS && !blocking)
        clWaitForEvents(1, &event);
    if (blocking)
        memset(host, 0xdd, sizeof host); /* the program's again */
    follow(s, err, event, "write");
}

void command_fill(struct sequence *s, struct held_buffer *buffer)
{
    unsigned char pattern[128];
    bool whole = pick(s, 4) == 0;
    size_t unit = whole ? 1 : (size_t)1 << pick(s, 8), most = BUFFER_BYTES / unit,
           first = whole ? 0 : pick(s, (unsigned)most),
           units = whole ? most : 1 + pick(s, (unsigned)(most - first));
    const cl_event *list;
    cl_uint count = wait_for_last(s, &list);
    cl_event event = NULL;
    cl_int err;

    pick_bytes(s, pattern, unit);
    err = clEnqueueFillBuffer(s->queues[s->queue], buffer->mem, pattern, unit,
                              first * unit, units * unit, count, list, &event);
    for (size_t i = 0; i < units; i++)
        memcpy(buffer->model + (first + i) * unit, pattern, unit);
    follow(s, err, event, "fill");
}

/* Within one buffer the two ranges are apart. */
void command_copy(struct sequence *s, struct held_buffer *from, struct held_buffer *to)
{
    size_t offset, bytes, target;
    const cl_event *list;
    cl_uint count = wait_for_last(s, &list);
    cl_event event = NULL;
    cl_int err;

    pick_range(s, &offset, &bytes);
    target = pick(s, 2) || bytes == BUFFER_BYTES
                 ? offset
                 : pick(s, (unsigned)(BUFFER_BYTES - bytes) + 1);
    if (from == to) {
        bytes = 1 + pick(s, BUFFER_BYTES / 2);
        offset = pick(s, (unsigned)(BUFFER_BYTES / 2 - bytes) + 1);
        target =
            offset + bytes + pick(s, (unsigned)(BUFFER_BYTES - offset - 2 * bytes) + 1);
    }
    memcpy(to->model + target, from->model + offset, bytes);
    err = clEnqueueCopyBuffer(s->queues[s->queue], from->mem, to->mem, offset, target,
                              bytes, count, list, &event);
    follow(s, err, event, "copy");
}

void command_migrate(struct sequence *s, struct held_buffer *buffer, bool discard)
{
    const cl_mem_migration_flags flags =
        discard ? CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED
                : (pick(s, 2) ? CL_MIGRATE_MEM_OBJECT_HOST : 0);
    const cl_event *list;
    cl_event event = NULL;
    cl_uint count;
    cl_int err;

    /* Not every driver of a device with memory of its own keeps a migration in order by
     * its wait list, or survives it: there it goes alone. */
    if (!s->on_cpu && s->last)
        clWaitForEvents(1, &s->last);
    count = s->on_cpu ? wait_for_last(s, &list) : 0;
    err = clEnqueueMigrateMemObjects(s->queues[s->queue], 1, &buffer->mem, flags, count,
                                     count ? list : NULL, &event);
    if (!s->on_cpu && err == CL_SUCCESS)
        clWaitForEvents(1, &event);
    follow(s, err, event, "migrate");
    if (!discard)
        return;
    /* Nobody knows what it holds until all of it is written. */
    pick_bytes(s, buffer->model, BUFFER_BYTES);
    count = wait_for_last(s, &list);
    err = clEnqueueWriteBuffer(s->queues[s->queue], buffer->mem, CL_TRUE, 0, BUFFER_BYTES,
                               buffer->model, count, list, &event);
    follow(s, err, event, "write all");
}

/* ---- rectangles ---- */

/* A rectangle on one side of a command. */
struct side {
    size_t origin[3], row, slice;
};

static size_t side_byte(const struct side *side, size_t y, size_t z)
{
    return (side->origin[2] + z) * side->slice + (side->origin[1] + y) * side->row +
           side->origin[0];
}

static void pick_region(struct sequence *s, size_t *region)
{
    region[0] = 1 + pick(s, 30);
    region[1] = 1 + pick(s, 7);
    region[2] = 1 + pick(s, 3);
}

/* Whether it ends inside a buffer: its last row, or, for drivers that ask for more than
 * the specification does, its last slice. */
static bool is_inside(const struct sequence *s, const struct side *side,
                      const size_t *region)
{
    if (!s->on_cpu && (side->origin[2] + region[2]) * side->slice > BUFFER_BYTES)
        return false;
    return side_byte(side, region[1] - 1, region[2] - 1) + region[0] <= BUFFER_BYTES;
}

/* Inside a buffer of BUFFER_BYTES. */
static struct side pick_side(struct sequence *s, const size_t *region)
{
    struct side side;

    side.row = region[0] + pick(s, 24);
    side.slice = side.row * (region[1] + pick(s, 3));
    side.origin[0] = pick(s, (unsigned)(side.row - region[0]) + 1);
    side.origin[1] = pick(s, 3);
    side.origin[2] = pick(s, 2);
    while (!is_inside(s, &side, region)) {
        side.row = region[0];
        side.slice = side.row * region[1];
        side.origin[0] = side.origin[1] = side.origin[2] = 0;
    }
    return side;
}

static void copy_rect(const size_t *region, unsigned char *to, const struct side *to_side,
                      const unsigned char *from, const struct side *from_side)
{
    for (size_t z = 0; z < region[2]; z++)
        for (size_t y = 0; y < region[1]; y++)
            memcpy(to + side_byte(to_side, y, z), from + side_byte(from_side, y, z),
                   region[0]);
}

void command_read_rect(struct sequence *s, struct held_buffer *buffer)
{
    static _Thread_local unsigned char seen[BUFFER_BYTES], want[BUFFER_BYTES];
    const cl_event *list;
    cl_uint count = wait_for_last(s, &list);
    cl_bool blocking = pick(s, 2);
    cl_event event = NULL;
    struct side side, host;
    size_t region[3];
    cl_int err;

    pick_region(s, region);
    side = pick_side(s, region);
    host = pick_side(s, region);
    memset(seen, 0xa5, sizeof seen);
    memset(want, 0xa5, sizeof want);
    copy_rect(region, want, &host, buffer->model, &side);
    err = clEnqueueReadBufferRect(s->queues[s->queue], buffer->mem, blocking, side.origin,
                                  host.origin, region, side.row, side.slice, host.row,
                                  host.slice, seen, count, list, &event);
    if (err == CL_SUCCESS && !blocking)
        clWaitForEvents(1, &event);
    follow(s, err, event, "read rect");
    if (err == CL_SUCCESS)
        compare(s, seen, want, sizeof seen, "read rect");
}

void command_write_rect(struct sequence *s, struct held_buffer *buffer)
{
    static _Thread_local unsigned char bytes[BUFFER_BYTES];
    const cl_event *list;
    cl_uint count = wait_for_last(s, &list);
    cl_bool blocking = pick(s, 2);
    cl_event event = NULL;
    struct side side, host;
    size_t region[3];
    cl_int err;

    pick_region(s, region);
    side = pick_side(s, region);
    host = pick_side(s, region);
    pick_bytes(s, bytes, sizeof bytes);
    copy_rect(region, buffer->model, &side, bytes, &host);
    err = clEnqueueWriteBufferRect(s->queues[s->queue], buffer->mem, blocking,
                                   side.origin, host.origin, region, side.row, side.slice,
                                   host.row, host.slice, bytes, count, list, &event);
    if (err == CL_SUCCESS && !blocking)
        clWaitForEvents(1, &event);
    if (blocking)
        memset(bytes, 0xdd, sizeof bytes); /* the program's again */
    follow(s, err, event, "write rect");
}

void command_copy_rect(struct sequence *s, struct held_buffer *from,
                       struct held_buffer *to)
{
    const cl_event *list;
    cl_uint count = wait_for_last(s, &list);
    cl_event event = NULL;
    struct side source, target;
    size_t region[3];
    cl_int err;

    if (from == to)
        return;
    pick_region(s, region);
    source = pick_side(s, region);
    target = pick_side(s, region);
    copy_rect(region, to->model, &target, from->model, &source);
    err = clEnqueueCopyBufferRect(s->queues[s->queue], from->mem, to->mem, source.origin,
                                  target.origin, region, source.row, source.slice,
                                  target.row, target.slice, count, list, &event);
    follow(s, err, event, "copy rect");
}

/* Through an image, into the same or another buffer. */
void command_image(struct sequence *s, struct held_buffer *from, struct held_buffer *to)
{
    enum { WIDTH = 8, HEIGHT = 20, BYTES = WIDTH * HEIGHT * 4 };
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                .image_width = WIDTH,
                                .image_height = HEIGHT};
    const size_t origin[3] = {0, 0, 0}, region[3] = {WIDTH, HEIGHT, 1};
    size_t offset = pick(s, BUFFER_BYTES - BYTES), target = pick(s, BUFFER_BYTES - BYTES);
    cl_event event = NULL;
    const cl_event *list;
    cl_uint count;
    cl_mem image;
    cl_int err;

    image =
        clCreateImage(s->world->context, CL_MEM_READ_WRITE, &format, &desc, NULL, &err);
    if (err != CL_SUCCESS) {
        report(s, "image", err);
        return;
    }
    count = wait_for_last(s, &list);
    err = clEnqueueCopyBufferToImage(s->queues[s->queue], from->mem, image, offset,
                                     origin, region, count, list, &event);
    follow(s, err, event, "to an image");
    count = wait_for_last(s, &list);
    if (err == CL_SUCCESS) {
        err = clEnqueueCopyImageToBuffer(s->queues[s->queue], image, to->mem, origin,
                                         region, target, count, list, &event);
        memmove(to->model + target, from->model + offset, BYTES);
        follow(s, err, event, "from an image");
    }
    clReleaseMemObject(image);
}
