/* SPDX-License-Identifier: MIT */
/* Commands that move bytes of buffers. */
#include "scene.h"

#include <stdlib.h>
#include <string.h>

/* The models that a command with this result changes: all those from the first. */
unsigned first_model(cl_int err)
{
    return err == CL_SUCCESS ? TOLD : DONE;
}

/* While the program holds back what a command waits for, it must not wait for the
 * command. */
cl_bool pick_blocking(struct scene *s)
{
    return pick(s, 2) && !s->gate;
}

void pick_range(struct scene *s, size_t *offset, size_t *bytes)
{
    *offset = 0;
    *bytes = BUFFER_BYTES;
    if (pick(s, 3) == 0)
        return;
    *offset = pick(s, BUFFER_BYTES);
    *bytes = 1 + pick(s, (unsigned)(BUFFER_BYTES - *offset));
}

static void fill_page(struct scene *s, unsigned char *page)
{
    for (size_t i = 0; i < BUFFER_BYTES; i++)
        page[i] = (unsigned char)pick(s, 256);
}

/* The rows of a rectangle: `rows` of `bytes`, a pitch apart in the buffer, packed on the
 * host. */
struct rect {
    size_t origin[3], host_origin[3], region[3];
    size_t pitch;
};

static void pick_rect(struct scene *s, struct rect *rect)
{
    *rect = (struct rect){.pitch = 3 * sizeof(struct item)};
    rect->origin[0] = pick(s, 40);
    rect->origin[1] = pick(s, 8);
    rect->region[0] = 1 + pick(s, 30);
    rect->region[1] = 1 + pick(s, 12);
    rect->region[2] = 1;
}

static void copy_rows(const struct rect *rect, unsigned char *buffer, unsigned char *host,
                      bool to_host)
{
    for (size_t y = 0; y < rect->region[1]; y++) {
        unsigned char *row =
            buffer + (rect->origin[1] + y) * rect->pitch + rect->origin[0];
        unsigned char *packed = host + y * rect->region[0];

        if (to_host)
            memcpy(packed, row, rect->region[0]);
        else
            memcpy(row, packed, rect->region[0]);
    }
}

/* What a read must find, for when it is over. */
static void expect(struct scene *s, struct pending *pending, unsigned b, size_t offset,
                   size_t bytes, const struct rect *rect)
{
    pending->bytes = bytes;
    for (unsigned m = 0; m < MODELS; m++) {
        pending->want[m] = malloc(bytes);
        if (!pending->want[m])
            abort();
        if (rect)
            copy_rows(rect, s->buffers[b].model[m], pending->want[m], true);
        else
            memcpy(pending->want[m], s->buffers[b].model[m] + offset, bytes);
    }
}

void command_read(struct scene *s, unsigned b, unsigned other)
{
    void *page = page_make();
    cl_bool blocking = pick_blocking(s);
    struct pending *pending;
    size_t offset, bytes;
    const cl_event *waits;
    cl_uint count = waits_of(s, &waits);
    cl_event event = NULL;
    cl_int err;

    (void)other;
    pick_range(s, &offset, &bytes);
    err = clEnqueueReadBuffer(s->queues[s->queue], s->buffers[b].mem, blocking, offset,
                              bytes, page, count, waits, &event);
    pending = ended(s, err, event, b, page);
    if (err == CL_SUCCESS)
        expect(s, pending, b, offset, bytes, NULL);
}

void command_read_rect(struct scene *s, unsigned b, unsigned other)
{
    void *page = page_make();
    cl_bool blocking = pick_blocking(s);
    struct pending *pending;
    struct rect rect;
    const cl_event *waits;
    cl_uint count = waits_of(s, &waits);
    cl_event event = NULL;
    cl_int err;

    (void)other;
    pick_rect(s, &rect);
    err = clEnqueueReadBufferRect(s->queues[s->queue], s->buffers[b].mem, blocking,
                                  rect.origin, rect.host_origin, rect.region, rect.pitch,
                                  0, 0, 0, page, count, waits, &event);
    pending = ended(s, err, event, b, page);
    if (err == CL_SUCCESS)
        expect(s, pending, b, 0, rect.region[0] * rect.region[1], &rect);
}

void command_write(struct scene *s, unsigned b, unsigned other)
{
    unsigned char *page = page_make();
    cl_bool blocking = pick_blocking(s);
    size_t offset, bytes;
    const cl_event *waits;
    cl_uint count = waits_of(s, &waits);
    cl_event event = NULL;
    cl_int err;

    (void)other;
    fill_page(s, page);
    pick_range(s, &offset, &bytes);
    err = clEnqueueWriteBuffer(s->queues[s->queue], s->buffers[b].mem, blocking, offset,
                               bytes, page, count, waits, &event);
    for (unsigned m = first_model(err); m < MODELS; m++)
        memcpy(s->buffers[b].model[m] + offset, page, bytes);
    ended(s, err, event, b, page);
}

void command_write_rect(struct scene *s, unsigned b, unsigned other)
{
    unsigned char *page = page_make();
    cl_bool blocking = pick_blocking(s);
    struct rect rect;
    const cl_event *waits;
    cl_uint count = waits_of(s, &waits);
    cl_event event = NULL;
    cl_int err;

    (void)other;
    fill_page(s, page);
    pick_rect(s, &rect);
    err = clEnqueueWriteBufferRect(s->queues[s->queue], s->buffers[b].mem, blocking,
                                   rect.origin, rect.host_origin, rect.region, rect.pitch,
                                   0, 0, 0, page, count, waits, &event);
    for (unsigned m = first_model(err); m < MODELS; m++)
        copy_rows(&rect, s->buffers[b].model[m], page, false);
    ended(s, err, event, b, page);
}

void command_copy(struct scene *s, unsigned b, unsigned other)
{
    size_t offset, bytes, to;
    const cl_event *waits;
    cl_uint count = waits_of(s, &waits);
    cl_event event = NULL;
    cl_int err;

    pick_range(s, &offset, &bytes);
    to = bytes == BUFFER_BYTES ? 0 : pick(s, (unsigned)(BUFFER_BYTES - bytes + 1));
    err = clEnqueueCopyBuffer(s->queues[s->queue], s->buffers[other].mem,
                              s->buffers[b].mem, offset, to, bytes, count, waits, &event);
    for (unsigned m = first_model(err); m < MODELS; m++)
        memcpy(s->buffers[b].model[m] + to, s->buffers[other].model[m] + offset, bytes);
    ended(s, err, event, b, NULL);
}

void command_copy_rect(struct scene *s, unsigned b, unsigned other)
{
    unsigned char rows[BUFFER_BYTES];
    struct rect rect;
    const cl_event *waits;
    cl_uint count = waits_of(s, &waits);
    cl_event event = NULL;
    cl_int err;

    pick_rect(s, &rect);
    err = clEnqueueCopyBufferRect(
        s->queues[s->queue], s->buffers[other].mem, s->buffers[b].mem, rect.origin,
        rect.origin, rect.region, rect.pitch, 0, rect.pitch, 0, count, waits, &event);
    for (unsigned m = first_model(err); m < MODELS; m++) {
        copy_rows(&rect, s->buffers[other].model[m], rows, true);
        copy_rows(&rect, s->buffers[b].model[m], rows, false);
    }
    ended(s, err, event, b, NULL);
}

void command_fill(struct scene *s, unsigned b, unsigned other)
{
    unsigned char pattern[4];
    size_t offset, bytes;
    const cl_event *waits;
    cl_uint count = waits_of(s, &waits);
    cl_event event = NULL;
    cl_int err;

    (void)other;
    for (size_t i = 0; i < sizeof pattern; i++)
        pattern[i] = (unsigned char)pick(s, 256);
    pick_range(s, &offset, &bytes);
    offset -= offset % sizeof pattern;
    bytes = (bytes + sizeof pattern - 1) / sizeof pattern * sizeof pattern;
    if (offset + bytes > BUFFER_BYTES)
        bytes -= sizeof pattern;
    if (bytes == 0)
        bytes = sizeof pattern, offset = 0;
    err = clEnqueueFillBuffer(s->queues[s->queue], s->buffers[b].mem, pattern,
                              sizeof pattern, offset, bytes, count, waits, &event);
    for (unsigned m = first_model(err); m < MODELS; m++) {
        for (size_t at = 0; at < bytes; at += sizeof pattern)
            memcpy(s->buffers[b].model[m] + offset + at, pattern, sizeof pattern);
    }
    ended(s, err, event, b, NULL);
}

void command_migrate(struct scene *s, unsigned b, unsigned other)
{
    const cl_event *waits;
    cl_uint count = waits_of(s, &waits);
    cl_event event = NULL;
    cl_int err;

    (void)other;
    err = clEnqueueMigrateMemObjects(s->queues[s->queue], 1, &s->buffers[b].mem,
                                     CL_MIGRATE_MEM_OBJECT_HOST, count, waits, &event);
    ended(s, err, event, b, NULL);
}
