/* SPDX-License-Identifier: MIT */
/* Commands on images. Images are stored like buffers, row after row. */
#include "commands.h"

#include <string.h>

cl_int fake_check_image(cl_command_queue queue, cl_mem handle, const size_t *origin,
                        const size_t *region)
{
    const struct fake_mem *mem = (const struct fake_mem *)handle;

    if (!fake_is(mem, FAKE_MEM) || !mem->element_bytes)
        return CL_INVALID_MEM_OBJECT;
    if (mem->context != ((struct fake_queue *)queue)->context)
        return CL_INVALID_CONTEXT;
    if (!origin || !region || !region[0] || !region[1] || !region[2] ||
        origin[0] + region[0] > mem->width || origin[1] + region[1] > mem->height ||
        origin[2] + region[2] > mem->depth)
        return CL_INVALID_VALUE;
    return CL_SUCCESS;
}

static void image_rect(const struct fake_mem *image, const size_t *origin,
                       const size_t *region, struct fake_rect *rect, size_t *bytes_region)
{
    memcpy(rect->origin, origin, sizeof rect->origin);
    memcpy(bytes_region, region, 3 * sizeof *region);
    rect->origin[0] *= image->element_bytes;
    bytes_region[0] *= image->element_bytes;
    rect->row = image->row_bytes;
    rect->slice = image->slice_bytes;
}

static size_t product(const size_t *region)
{
    return region[0] * region[1] * region[2];
}

cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem from,
                                              cl_mem to, size_t offset,
                                              const size_t *origin, const size_t *region,
                                              cl_uint wait_count, const cl_event *waits,
                                              cl_event *event)
{
    struct fake_mem *image = (struct fake_mem *)to;
    struct fake_entry entry = fake_begin(__func__, queue, wait_count, waits, event);

    CHECK(entry, fake_check_image(queue, to, origin, region));
    CHECK(entry,
          fake_check_mem(queue, from, offset, product(region) * image->element_bytes));
    if (entry.status == CL_SUCCESS) {
        struct fake_command *command =
            fake_make(&entry, CL_COMMAND_COPY_BUFFER_TO_IMAGE, fake_run_copy_rect);
        struct fake_rect source, target;
        size_t bytes_region[3];
        image_rect(image, origin, region, &target, bytes_region);
        fake_rect_make(NULL, bytes_region, 0, 0, &source);
        fake_command_rect(command, &source, &target, bytes_region);
        command->from = (struct fake_mem *)from;
        command->from_offset = offset;
        command->to = image;
        fake_command_hold(command, from);
        fake_command_hold(command, to);
    }
    return fake_end(&entry, false, "%s, %s, %zu", NAME(from), NAME(to), offset);
}

cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem from,
                                              cl_mem to, const size_t *origin,
                                              const size_t *region, size_t offset,
                                              cl_uint wait_count, const cl_event *waits,
                                              cl_event *event)
{
    struct fake_mem *image = (struct fake_mem *)from;
    struct fake_entry entry = fake_begin(__func__, queue, wait_count, waits, event);

    CHECK(entry, fake_check_image(queue, from, origin, region));
    CHECK(entry,
          fake_check_mem(queue, to, offset, product(region) * image->element_bytes));
    if (entry.status == CL_SUCCESS) {
        struct fake_command *command =
            fake_make(&entry, CL_COMMAND_COPY_IMAGE_TO_BUFFER, fake_run_copy_rect);
        struct fake_rect source, target;
        size_t bytes_region[3];
        image_rect(image, origin, region, &source, bytes_region);
        fake_rect_make(NULL, bytes_region, 0, 0, &target);
        fake_command_rect(command, &source, &target, bytes_region);
        command->from = image;
        command->to = (struct fake_mem *)to;
        command->to_offset = offset;
        fake_command_hold(command, from);
        fake_command_hold(command, to);
    }
    return fake_end(&entry, false, "%s, %s, %zu", NAME(from), NAME(to), offset);
}

static cl_int transfer(const char *function, bool is_read, cl_command_queue queue,
                       cl_mem mem, cl_bool blocking, const size_t *origin,
                       const size_t *region, size_t row, size_t slice, void *host,
                       cl_uint wait_count, const cl_event *waits, cl_event *event)
{
    struct fake_rect inside, outside;
    size_t bytes_region[3];
    struct fake_entry entry = fake_begin(function, queue, wait_count, waits, event);

    CHECK(entry, fake_check_image(queue, mem, origin, region));
    if (entry.status == CL_SUCCESS) {
        image_rect((struct fake_mem *)mem, origin, region, &inside, bytes_region);
        if (!host || !fake_rect_make(NULL, bytes_region, row, slice, &outside))
            entry.status = CL_INVALID_VALUE;
    }
    if (entry.status == CL_SUCCESS) {
        struct fake_command *command =
            fake_make(&entry, is_read ? CL_COMMAND_READ_IMAGE : CL_COMMAND_WRITE_IMAGE,
                      fake_run_copy_rect);
        if (is_read) {
            fake_command_rect(command, &inside, &outside, bytes_region);
            command->from = (struct fake_mem *)mem;
            command->to_host = host;
        } else {
            fake_command_rect(command, &outside, &inside, bytes_region);
            command->to = (struct fake_mem *)mem;
            command->from_host = host;
        }
        fake_command_hold(command, mem);
    }
    return fake_end(&entry, blocking, "%s, %u", NAME(mem), blocking);
}

cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue queue, cl_mem mem,
                                      cl_bool blocking, const size_t *origin,
                                      const size_t *region, size_t row, size_t slice,
                                      void *host, cl_uint wait_count,
                                      const cl_event *waits, cl_event *event)
{
    return transfer(__func__, true, queue, mem, blocking, origin, region, row, slice,
                    host, wait_count, waits, event);
}

cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue queue, cl_mem mem,
                                       cl_bool blocking, const size_t *origin,
                                       const size_t *region, size_t row, size_t slice,
                                       const void *host, cl_uint wait_count,
                                       const cl_event *waits, cl_event *event)
{
    return transfer(__func__, false, queue, mem, blocking, origin, region, row, slice,
                    (void *)host, wait_count, waits, event);
}

static void sampler_destroy(struct fake_object *object)
{
    (void)object;
}

cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool normalized,
                                       cl_addressing_mode addressing,
                                       cl_filter_mode filter, cl_int *err)
{
    cl_int status = fake_inject(__func__);
    struct fake_object *sampler = NULL;

    fake_enter();
    if (status == CL_SUCCESS && !fake_is(context, FAKE_CONTEXT))
        status = CL_INVALID_CONTEXT;
    if (status == CL_SUCCESS)
        sampler = fake_new(FAKE_SAMPLER, sizeof *sampler, sampler_destroy);
    fake_log("%s(%s, %u, 0x%x, 0x%x) = %s %d", __func__, NAME(context), normalized,
             addressing, filter, NAME(sampler), status);
    fake_leave();
    if (err)
        *err = status;
    return (cl_sampler)sampler;
}

cl_int CL_API_CALL clRetainSampler(cl_sampler sampler)
{
    cl_int status;

    fake_enter();
    status = fake_retain(sampler, FAKE_SAMPLER, CL_INVALID_SAMPLER);
    fake_log("%s(%s) = %d", __func__, NAME(sampler), status);
    fake_leave();
    return status;
}

cl_int CL_API_CALL clReleaseSampler(cl_sampler sampler)
{
    cl_int status;

    fake_enter();
    fake_log("%s(%s)", __func__, NAME(sampler));
    status = fake_release(sampler, FAKE_SAMPLER, CL_INVALID_SAMPLER);
    fake_leave();
    return status;
}

cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue queue, cl_mem from, cl_mem to,
                                      const size_t *from_origin, const size_t *to_origin,
                                      const size_t *region, cl_uint wait_count,
                                      const cl_event *waits, cl_event *event)
{
    struct fake_entry entry = fake_begin(__func__, queue, wait_count, waits, event);

    CHECK(entry, fake_check_image(queue, from, from_origin, region));
    CHECK(entry, fake_check_image(queue, to, to_origin, region));
    if (entry.status == CL_SUCCESS) {
        struct fake_command *command =
            fake_make(&entry, CL_COMMAND_COPY_IMAGE, fake_run_copy_rect);
        struct fake_rect source, target;
        size_t bytes_region[3];

        image_rect((struct fake_mem *)from, from_origin, region, &source, bytes_region);
        image_rect((struct fake_mem *)to, to_origin, region, &target, bytes_region);
        fake_command_rect(command, &source, &target, bytes_region);
        command->from = (struct fake_mem *)from;
        command->to = (struct fake_mem *)to;
        fake_command_hold(command, from);
        fake_command_hold(command, to);
    }
    return fake_end(&entry, false, "%s, %s", NAME(from), NAME(to));
}

/* This driver fills and maps buffers only. */
cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue queue, cl_mem image,
                                      const void *color, const size_t *origin,
                                      const size_t *region, cl_uint wait_count,
                                      const cl_event *waits, cl_event *event)
{
    struct fake_entry entry = fake_begin(__func__, queue, wait_count, waits, event);

    CHECK(entry, fake_check_image(queue, image, origin, region));
    CHECK(entry, color ? CL_INVALID_OPERATION : CL_INVALID_VALUE);
    return fake_end(&entry, false, "%s", NAME(image));
}

void *CL_API_CALL clEnqueueMapImage(cl_command_queue queue, cl_mem image,
                                    cl_bool blocking, cl_map_flags flags,
                                    const size_t *origin, const size_t *region,
                                    size_t *row, size_t *slice, cl_uint wait_count,
                                    const cl_event *waits, cl_event *event, cl_int *error)
{
    struct fake_entry entry = fake_begin(__func__, queue, wait_count, waits, event);

    (void)slice;
    CHECK(entry, fake_check_image(queue, image, origin, region));
    CHECK(entry, row ? CL_INVALID_OPERATION : CL_INVALID_VALUE);
    fake_end(&entry, false, "%s, %u, %llu", NAME(image), blocking,
             (unsigned long long)flags);
    if (error)
        *error = entry.status;
    return NULL;
}
