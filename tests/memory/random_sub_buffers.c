/* SPDX-License-Identifier: MIT */
/* Sub-buffers of random host programs (random_program.c). */
#include "random.h"

void drop_sub_buffer(struct held_buffer *buffer)
{
    if (buffer->sub)
        clReleaseMemObject(buffer->sub);
    buffer->sub = NULL;
}

/* At the beginning of a tile of eight or of another, inside one, inside a struct; to the
 * end of the buffer or not. */
void make_sub_buffer(struct sequence *s, struct held_buffer *buffer)
{
    const size_t units = BUFFER_BYTES / s->origin_bytes + 1, tile = 8;
    size_t origin = 0, rest;
    cl_int err;

    for (int tries = 0; tries < 3 && origin % (tile * sizeof(struct item)) == 0; tries++)
        origin = pick(s, (unsigned)units) * s->origin_bytes;
    if (pick(s, 2))
        origin = origin / 384 * 384;
    if (origin % s->origin_bytes || origin >= BUFFER_BYTES)
        origin = 0;
    rest = BUFFER_BYTES - origin;
    buffer->region =
        (cl_buffer_region){origin, pick(s, 2) ? rest : 1 + pick(s, (unsigned)rest)};
    buffer->sub = clCreateSubBuffer(
        buffer->mem, buffer->flags & (CL_MEM_READ_ONLY | CL_MEM_READ_WRITE),
        CL_BUFFER_CREATE_TYPE_REGION, &buffer->region, &err);
    if (err != CL_SUCCESS) {
        buffer->sub = NULL;
        report(s, "sub-buffer", err);
    }
}

void read_sub_buffer(struct sequence *s, struct held_buffer *buffer)
{
    static _Thread_local unsigned char seen[BUFFER_BYTES];
    const cl_event *list;
    cl_uint count = wait_for_last(s, &list);
    cl_event event = NULL;
    cl_int err = clEnqueueReadBuffer(s->queues[s->queue], buffer->sub, CL_TRUE, 0,
                                     buffer->region.size, seen, count, list, &event);

    follow(s, err, event, "read of a sub-buffer");
    if (err == CL_SUCCESS)
        compare(s, seen, buffer->model + buffer->region.origin, buffer->region.size,
                "sub-buffer");
}
