/* SPDX-License-Identifier: MIT */
/* Commands on buffers. */
#include "commands.h"

#include <stdlib.h>
#include <string.h>

cl_int fake_check_mem(cl_command_queue queue, cl_mem handle, size_t offset, size_t bytes)
{
    const struct fake_mem *mem = (const struct fake_mem *)handle;

    if (!fake_is(mem, FAKE_MEM) || mem->element_bytes)
        return CL_INVALID_MEM_OBJECT;
    if (mem->context != ((struct fake_queue *)queue)->context)
        return CL_INVALID_CONTEXT;
    return bytes && fake_range(mem, offset, bytes) ? CL_SUCCESS : CL_INVALID_VALUE;
}

void fake_run_nothing(struct fake_command *command)
{
    (void)command;
}

void fake_run_copy(struct fake_command *command)
{
    const unsigned char *from =
        command->from ? command->from->data + command->from_offset : command->from_host;
    unsigned char *to =
        command->to ? command->to->data + command->to_offset : command->to_host;

    memmove(to, from, command->bytes);
}

void fake_run_copy_rect(struct fake_command *command)
{
    const unsigned char *from = command->from ? command->from->data : command->from_host;
    unsigned char *to = command->to ? command->to->data : command->to_host;

    for (size_t z = 0; z < command->region[2]; z++)
        for (size_t y = 0; y < command->region[1]; y++)
            memmove(to + command->to_offset +
                        (command->to_origin[2] + z) * command->to_slice +
                        (command->to_origin[1] + y) * command->to_row +
                        command->to_origin[0],
                    from + command->from_offset +
                        (command->from_origin[2] + z) * command->from_slice +
                        (command->from_origin[1] + y) * command->from_row +
                        command->from_origin[0],
                    command->region[0]);
}

void fake_run_fill(struct fake_command *command)
{
    unsigned char *to =
        command->to ? command->to->data + command->to_offset : command->to_host;

    for (size_t at = 0; at < command->bytes; at += command->pattern_bytes)
        memcpy(to + at, command->pattern, command->pattern_bytes);
}

void fake_run_kernel(struct fake_command *command)
{
    fake_builtin_run(command);
}

bool fake_rect_make(const size_t *origin, const size_t *region, size_t row, size_t slice,
                    struct fake_rect *rect)
{
    static const size_t zero[3];

    if (!region || !region[0] || !region[1] || !region[2])
        return false;
    memcpy(rect->origin, origin ? origin : zero, sizeof rect->origin);
    rect->row = row ? row : region[0];
    rect->slice = slice ? slice : rect->row * region[1];
    return rect->row >= region[0] && rect->slice >= rect->row * region[1];
}

size_t fake_rect_end(const struct fake_rect *rect, const size_t *region)
{
    return (rect->origin[2] + region[2] - 1) * rect->slice +
           (rect->origin[1] + region[1] - 1) * rect->row + rect->origin[0] + region[0];
}

void fake_command_rect(struct fake_command *command, const struct fake_rect *from,
                       const struct fake_rect *to, const size_t *region)
{
    memcpy(command->from_origin, from->origin, sizeof from->origin);
    memcpy(command->to_origin, to->origin, sizeof to->origin);
    memcpy(command->region, region, sizeof command->region);
    command->from_row = from->row;
    command->from_slice = from->slice;
    command->to_row = to->row;
    command->to_slice = to->slice;
}

/* Reads (`host` is written) and writes. */
static cl_int transfer(const char *function, bool is_read, cl_command_queue queue,
                       cl_mem mem, cl_bool blocking, size_t offset, size_t bytes,
                       void *host, cl_uint wait_count, const cl_event *waits,
                       cl_event *event)
{
    struct fake_entry entry = fake_begin(function, queue, wait_count, waits, event);

    CHECK(entry, fake_check_mem(queue, mem, offset, bytes));
    if (entry.status == CL_SUCCESS && !host)
        entry.status = CL_INVALID_VALUE;
    if (entry.status == CL_SUCCESS &&
        (((struct fake_mem *)mem)->flags &
         (is_read ? CL_MEM_HOST_WRITE_ONLY : CL_MEM_HOST_READ_ONLY)))
        entry.status = CL_INVALID_OPERATION;
    if (entry.status == CL_SUCCESS) {
        struct fake_command *command =
            fake_make(&entry, is_read ? CL_COMMAND_READ_BUFFER : CL_COMMAND_WRITE_BUFFER,
                      fake_run_copy);
        command->bytes = bytes;
        if (is_read) {
            command->from = (struct fake_mem *)mem;
            command->from_offset = offset;
            command->to_host = host;
        } else {
            command->to = (struct fake_mem *)mem;
            command->to_offset = offset;
            command->from_host = host;
        }
        fake_command_hold(command, mem);
    }
    return fake_end(&entry, blocking, "%s, %u, %zu, %zu, %s", NAME(mem), blocking, offset,
                    bytes, PTR(host));
}

cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue queue, cl_mem mem,
                                       cl_bool blocking, size_t offset, size_t bytes,
                                       void *host, cl_uint wait_count,
                                       const cl_event *waits, cl_event *event)
{
    return transfer(__func__, true, queue, mem, blocking, offset, bytes, host, wait_count,
                    waits, event);
}

cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue queue, cl_mem mem,
                                        cl_bool blocking, size_t offset, size_t bytes,
                                        const void *host, cl_uint wait_count,
                                        const cl_event *waits, cl_event *event)
{
    return transfer(__func__, false, queue, mem, blocking, offset, bytes, (void *)host,
                    wait_count, waits, event);
}

static cl_int transfer_rect(const char *function, bool is_read, cl_command_queue queue,
                            cl_mem mem, cl_bool blocking, const size_t *origin,
                            const size_t *host_origin, const size_t *region, size_t row,
                            size_t slice, size_t host_row, size_t host_slice, void *host,
                            cl_uint wait_count, const cl_event *waits, cl_event *event)
{
    struct fake_rect inside, outside;
    struct fake_entry entry = fake_begin(function, queue, wait_count, waits, event);

    if (entry.status == CL_SUCCESS &&
        (!host || !origin || !host_origin ||
         !fake_rect_make(origin, region, row, slice, &inside) ||
         !fake_rect_make(host_origin, region, host_row, host_slice, &outside)))
        entry.status = CL_INVALID_VALUE;
    CHECK(entry, fake_check_mem(queue, mem, 0, fake_rect_end(&inside, region)));
    if (entry.status == CL_SUCCESS) {
        struct fake_command *command = fake_make(
            &entry, is_read ? CL_COMMAND_READ_BUFFER_RECT : CL_COMMAND_WRITE_BUFFER_RECT,
            fake_run_copy_rect);
        if (is_read) {
            fake_command_rect(command, &inside, &outside, region);
            command->from = (struct fake_mem *)mem;
            command->to_host = host;
        } else {
            fake_command_rect(command, &outside, &inside, region);
            command->to = (struct fake_mem *)mem;
            command->from_host = host;
        }
        fake_command_hold(command, mem);
    }
    return fake_end(&entry, blocking, "%s, %u, %zux%zux%zu, %zu, %zu, %zu, %zu",
                    NAME(mem), blocking, region ? region[0] : 0, region ? region[1] : 0,
                    region ? region[2] : 0, row, slice, host_row, host_slice);
}

cl_int CL_API_CALL clEnqueueReadBufferRect(cl_command_queue queue, cl_mem mem,
                                           cl_bool blocking, const size_t *origin,
                                           const size_t *host_origin,
                                           const size_t *region, size_t row, size_t slice,
                                           size_t host_row, size_t host_slice, void *host,
                                           cl_uint wait_count, const cl_event *waits,
                                           cl_event *event)
{
    return transfer_rect(__func__, true, queue, mem, blocking, origin, host_origin,
                         region, row, slice, host_row, host_slice, host, wait_count,
                         waits, event);
}

cl_int CL_API_CALL clEnqueueWriteBufferRect(
    cl_command_queue queue, cl_mem mem, cl_bool blocking, const size_t *origin,
    const size_t *host_origin, const size_t *region, size_t row, size_t slice,
    size_t host_row, size_t host_slice, const void *host, cl_uint wait_count,
    const cl_event *waits, cl_event *event)
{
    return transfer_rect(__func__, false, queue, mem, blocking, origin, host_origin,
                         region, row, slice, host_row, host_slice, (void *)host,
                         wait_count, waits, event);
}

cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to,
                                       size_t from_offset, size_t to_offset, size_t bytes,
                                       cl_uint wait_count, const cl_event *waits,
                                       cl_event *event)
{
    struct fake_entry entry = fake_begin(__func__, queue, wait_count, waits, event);

    CHECK(entry, fake_check_mem(queue, from, from_offset, bytes));
    CHECK(entry, fake_check_mem(queue, to, to_offset, bytes));
    if (entry.status == CL_SUCCESS && from == to && from_offset < to_offset + bytes &&
        to_offset < from_offset + bytes)
        entry.status = CL_MEM_COPY_OVERLAP;
    if (entry.status == CL_SUCCESS) {
        struct fake_command *command =
            fake_make(&entry, CL_COMMAND_COPY_BUFFER, fake_run_copy);
        command->from = (struct fake_mem *)from;
        command->to = (struct fake_mem *)to;
        command->from_offset = from_offset;
        command->to_offset = to_offset;
        command->bytes = bytes;
        fake_command_hold(command, from);
        fake_command_hold(command, to);
    }
    return fake_end(&entry, false, "%s, %s, %zu, %zu, %zu", NAME(from), NAME(to),
                    from_offset, to_offset, bytes);
}

cl_int CL_API_CALL clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem from, cl_mem to,
                                           const size_t *from_origin,
                                           const size_t *to_origin, const size_t *region,
                                           size_t from_row, size_t from_slice,
                                           size_t to_row, size_t to_slice,
                                           cl_uint wait_count, const cl_event *waits,
                                           cl_event *event)
{
    struct fake_rect source, target;
    struct fake_entry entry = fake_begin(__func__, queue, wait_count, waits, event);

    if (entry.status == CL_SUCCESS &&
        (!from_origin || !to_origin ||
         !fake_rect_make(from_origin, region, from_row, from_slice, &source) ||
         !fake_rect_make(to_origin, region, to_row, to_slice, &target)))
        entry.status = CL_INVALID_VALUE;
    CHECK(entry, fake_check_mem(queue, from, 0, fake_rect_end(&source, region)));
    CHECK(entry, fake_check_mem(queue, to, 0, fake_rect_end(&target, region)));
    if (entry.status == CL_SUCCESS) {
        struct fake_command *command =
            fake_make(&entry, CL_COMMAND_COPY_BUFFER_RECT, fake_run_copy_rect);
        fake_command_rect(command, &source, &target, region);
        command->from = (struct fake_mem *)from;
        command->to = (struct fake_mem *)to;
        fake_command_hold(command, from);
        fake_command_hold(command, to);
    }
    return fake_end(&entry, false, "%s, %s, %zu, %zu, %zu, %zu", NAME(from), NAME(to),
                    from_row, from_slice, to_row, to_slice);
}

cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue queue, cl_mem mem,
                                       const void *pattern, size_t pattern_bytes,
                                       size_t offset, size_t bytes, cl_uint wait_count,
                                       const cl_event *waits, cl_event *event)
{
    struct fake_entry entry = fake_begin(__func__, queue, wait_count, waits, event);

    CHECK(entry, fake_check_mem(queue, mem, offset, bytes));
    if (entry.status == CL_SUCCESS &&
        (!pattern || !pattern_bytes || pattern_bytes > 128 ||
         (pattern_bytes & (pattern_bytes - 1)) || offset % pattern_bytes ||
         bytes % pattern_bytes))
        entry.status = CL_INVALID_VALUE;
    if (entry.status == CL_SUCCESS) {
        struct fake_command *command =
            fake_make(&entry, CL_COMMAND_FILL_BUFFER, fake_run_fill);
        command->to = (struct fake_mem *)mem;
        command->to_offset = offset;
        command->bytes = bytes;
        command->pattern_bytes = pattern_bytes;
        memcpy(command->pattern, pattern, pattern_bytes);
        fake_command_hold(command, mem);
    }
    return fake_end(&entry, false, "%s, %zu, %zu, %zu", NAME(mem), pattern_bytes, offset,
                    bytes);
}

/* Zero copy: the pointer is the storage. */
void *CL_API_CALL clEnqueueMapBuffer(cl_command_queue queue, cl_mem handle,
                                     cl_bool blocking, cl_map_flags flags, size_t offset,
                                     size_t bytes, cl_uint wait_count,
                                     const cl_event *waits, cl_event *event, cl_int *err)
{
    struct fake_mem *mem = (struct fake_mem *)handle;
    cl_int status;
    struct fake_entry entry = fake_begin(__func__, queue, wait_count, waits, event);

    CHECK(entry, fake_check_mem(queue, handle, offset, bytes));
    if (entry.status == CL_SUCCESS && flags & ~(cl_map_flags)7)
        entry.status = CL_INVALID_VALUE;
    if (entry.status == CL_SUCCESS) {
        struct fake_command *command =
            fake_make(&entry, CL_COMMAND_MAP_BUFFER, fake_run_nothing);
        fake_command_hold(command, mem);
        mem->map_count++;
    }
    status = fake_end(&entry, blocking, "%s, %u, 0x%lx, %zu, %zu", NAME(handle), blocking,
                      (unsigned long)flags, offset, bytes);
    if (status != CL_SUCCESS && entry.command) {
        fake_enter();
        mem->map_count--;
        fake_leave();
    }
    if (err)
        *err = status;
    return status == CL_SUCCESS ? mem->data + offset : NULL;
}

cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem handle,
                                           void *mapped, cl_uint wait_count,
                                           const cl_event *waits, cl_event *event)
{
    struct fake_mem *mem = (struct fake_mem *)handle;
    struct fake_entry entry = fake_begin(__func__, queue, wait_count, waits, event);

    if (entry.status == CL_SUCCESS && !fake_is(handle, FAKE_MEM))
        entry.status = CL_INVALID_MEM_OBJECT;
    else if (entry.status == CL_SUCCESS &&
             (mem->map_count == 0 || (unsigned char *)mapped < mem->data ||
              (unsigned char *)mapped >= mem->data + mem->bytes))
        entry.status = CL_INVALID_VALUE;
    if (entry.status == CL_SUCCESS) {
        struct fake_command *command =
            fake_make(&entry, CL_COMMAND_UNMAP_MEM_OBJECT, fake_run_nothing);
        mem->map_count--;
        fake_command_hold(command, mem);
    }
    return fake_end(&entry, false, "%s, %s", NAME(handle), PTR(mapped));
}

cl_int CL_API_CALL clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint mem_count,
                                              const cl_mem *mems,
                                              cl_mem_migration_flags flags,
                                              cl_uint wait_count, const cl_event *waits,
                                              cl_event *event)
{
    struct fake_entry entry = fake_begin(__func__, queue, wait_count, waits, event);

    if (entry.status == CL_SUCCESS && (mem_count == 0 || !mems || flags & ~(cl_ulong)3))
        entry.status = CL_INVALID_VALUE;
    for (cl_uint i = 0; entry.status == CL_SUCCESS && i < mem_count; i++)
        if (!fake_is(mems[i], FAKE_MEM))
            entry.status = CL_INVALID_MEM_OBJECT;
    if (entry.status == CL_SUCCESS)
        fake_make(&entry, CL_COMMAND_MIGRATE_MEM_OBJECTS, fake_run_nothing);
    return fake_end(&entry, false, "%u, 0x%lx", mem_count, (unsigned long)flags);
}
