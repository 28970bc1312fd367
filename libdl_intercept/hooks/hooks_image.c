/* SPDX-License-Identifier: MIT */
/* Hooks of commands on images, which concern DL where the image is another view of a
 * buffer: they come after the conversion that brought it back. */
#include "command.h"
#include "hooks.h"

cl_int CL_API_CALL dl__hook_clEnqueueReadImage(cl_command_queue queue, cl_mem image,
                                               cl_bool blocking, const size_t *origin,
                                               const size_t *region, size_t row,
                                               size_t slice, void *host,
                                               cl_uint wait_count, const cl_event *wait,
                                               cl_event *event)
{
    struct dl__command c;
    struct dl__mem *record;
    cl_event *out;

    dl__command_begin(&c, "clEnqueueReadImage", queue, wait_count, wait);
    record = dl__command_find(&c, image);
    dl__command_concerns(&c, record, NULL);
    dl__command_reads(&c, record);
    out = dl__command_event(&c, blocking, event);
    if (dl__command_goes(&c))
        c.err = dl__next.clEnqueueReadImage(
            queue, image, dl__command_blocking(&c, blocking), origin, region, row, slice,
            host, c.wait.count, c.wait.list, out);
    return dl__command_end_blocking(&c, blocking, out);
}

cl_int CL_API_CALL dl__hook_clEnqueueWriteImage(cl_command_queue queue, cl_mem image,
                                                cl_bool blocking, const size_t *origin,
                                                const size_t *region, size_t row,
                                                size_t slice, const void *host,
                                                cl_uint wait_count, const cl_event *wait,
                                                cl_event *event)
{
    struct dl__command c;
    struct dl__mem *record;
    cl_event *out;

    dl__command_begin(&c, "clEnqueueWriteImage", queue, wait_count, wait);
    record = dl__command_find(&c, image);
    dl__command_shows(&c, record);
    dl__command_concerns(&c, record, NULL);
    dl__command_writes(&c, record);
    out = dl__command_event(&c, blocking, event);
    if (dl__command_goes(&c))
        c.err = dl__next.clEnqueueWriteImage(
            queue, image, dl__command_blocking(&c, blocking), origin, region, row, slice,
            host, c.wait.count, c.wait.list, out);
    return dl__command_end_blocking(&c, blocking, out);
}

cl_int CL_API_CALL dl__hook_clEnqueueCopyImage(cl_command_queue queue, cl_mem from,
                                               cl_mem to, const size_t *from_origin,
                                               const size_t *to_origin,
                                               const size_t *region, cl_uint wait_count,
                                               const cl_event *wait, cl_event *event)
{
    struct dl__command c;
    struct dl__mem *source, *target;

    dl__command_begin(&c, "clEnqueueCopyImage", queue, wait_count, wait);
    source = dl__command_find(&c, from);
    target = from == to ? source : dl__command_find(&c, to);
    dl__command_shows(&c, target);
    dl__command_concerns(&c, source, target);
    dl__command_reads(&c, source);
    dl__command_writes(&c, target);
    if (dl__command_goes(&c))
        c.err = dl__next.clEnqueueCopyImage(queue, from, to, from_origin, to_origin,
                                            region, c.wait.count, c.wait.list, event);
    return dl__command_end(&c);
}

cl_int CL_API_CALL dl__hook_clEnqueueFillImage(cl_command_queue queue, cl_mem image,
                                               const void *color, const size_t *origin,
                                               const size_t *region, cl_uint wait_count,
                                               const cl_event *wait, cl_event *event)
{
    struct dl__command c;
    struct dl__mem *record;

    dl__command_begin(&c, "clEnqueueFillImage", queue, wait_count, wait);
    record = dl__command_find(&c, image);
    dl__command_shows(&c, record);
    dl__command_concerns(&c, record, NULL);
    dl__command_writes(&c, record);
    if (dl__command_goes(&c))
        c.err = dl__next.clEnqueueFillImage(queue, image, color, origin, region,
                                            c.wait.count, c.wait.list, event);
    return dl__command_end(&c);
}

void *CL_API_CALL dl__hook_clEnqueueMapImage(cl_command_queue queue, cl_mem image,
                                             cl_bool blocking, cl_map_flags flags,
                                             const size_t *origin, const size_t *region,
                                             size_t *row, size_t *slice,
                                             cl_uint wait_count, const cl_event *wait,
                                             cl_event *event, cl_int *err)
{
    struct dl__command c;
    struct dl__mem *record;
    void *mapped = NULL;
    cl_event *out;

    dl__command_begin(&c, "clEnqueueMapImage", queue, wait_count, wait);
    record = dl__command_find(&c, image);
    dl__command_concerns(&c, record, NULL);
    if (!c.queue) {
        dl__command_end(&c);
        return dl__next.clEnqueueMapImage(queue, image, blocking, flags, origin, region,
                                          row, slice, wait_count, wait, event, err);
    }
    dl__command_writes(&c, record);
    out = dl__command_event(&c, blocking, event);
    if (dl__command_goes(&c))
        mapped = dl__next.clEnqueueMapImage(
            queue, image, dl__command_blocking(&c, blocking), flags, origin, region, row,
            slice, c.wait.count, c.wait.list, out, &c.err);
    c.err = dl__command_end_blocking(&c, blocking, out);
    if (err)
        *err = c.err;
    return c.err == CL_SUCCESS ? mapped : NULL;
}
