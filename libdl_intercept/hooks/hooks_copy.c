/* SPDX-License-Identifier: MIT */
/* Hooks of commands that copy and fill buffers on the device. Buffers are brought back to
 * the program's layout first, unless the command overwrites them whole, copies their
 * tiles as they lie, or goes through a staging area. */
#include "libdl_intercept/host/staged.h"
#include "libdl_intercept/state/moves.h"
#include "command.h"
#include "hooks.h"

/* True when a copy is of all of one buffer into all of another, and can go on in tiles.
 */
static DL__WITH_LOCK bool command_copies_tiles(const struct dl__command *command,
                                               struct dl__mem *from, struct dl__mem *to,
                                               size_t from_offset, size_t to_offset,
                                               size_t bytes)
{
    return from && to && !command->as_it_is && dl__command_mem(command, from) == from &&
           dl__mem_is_whole(from, from_offset, bytes) &&
           dl__mem_is_whole(to, to_offset, bytes) && dl__mem_may_copy_tiles(from, to);
}

/* One side of a copy that may go through tiles; `mem` is what DL knows of the handle. */
static DL__WITH_LOCK struct dl__end copy_end(struct dl__command *command, cl_mem handle,
                                             struct dl__mem *mem, uint64_t bytes)
{
    struct dl__end end = {.handle = handle, .mem = dl__command_mem(command, mem)};

    end.tiled =
        dl__command_is_staged(command, mem, bytes) && end.mem != command->overwritten;
    return end;
}

/* True when this end of a copy is a sub-buffer of what lies in tiles, which can't go
 * through a staging area: they are brought back. */
static DL__WITH_LOCK bool is_part_of_tiles(const struct dl__command *command,
                                           struct dl__mem *mem)
{
    const struct dl__mem *root = dl__command_mem(command, mem);

    return root && root != mem && dl__mem_lies_in_tiles(root);
}

/* Bytes of any memory object; 0: the driver knows none of this name. */
static size_t handle_bytes(cl_mem handle)
{
    size_t bytes = 0;

    dl__next.clGetMemObjectInfo(handle, CL_MEM_SIZE, sizeof bytes, &bytes, NULL);
    return bytes;
}

static bool is_inside(cl_mem handle, size_t offset, size_t bytes)
{
    size_t all = handle_bytes(handle);

    return bytes > 0 && offset <= all && bytes <= all - offset;
}

/* True when the copy of `bytes` has gone through a staging area; its ends have their
 * offsets. */
static DL__WITH_LOCK bool command_copies_staged(struct dl__command *command,
                                                const struct dl__end *source,
                                                const struct dl__end *target,
                                                size_t bytes, cl_event *done)
{
    if ((!source->tiled && !target->tiled) ||
        !is_inside(source->handle, source->offset, bytes) ||
        !is_inside(target->handle, target->offset, bytes))
        return false;
    /* An overlap is for the driver to reject. */
    if (source->handle == target->handle && source->offset < target->offset + bytes &&
        target->offset < source->offset + bytes)
        return false;
    if (!dl__staged_copy(command->queue, &command->wait, source, target, bytes, done))
        return false;
    if (!target->tiled)
        dl__mem_written(target->mem);
    return true;
}

/* The copy of a whole buffer in tiles, as they lie. */
static DL__WITH_LOCK void copy_tiles(struct dl__command *command, struct dl__mem *from,
                                     struct dl__mem *to, cl_event *event)
{
    struct dl_leaf_table leaves = {0};

    dl__mem_use(from, command->queue, &command->wait);
    dl__mem_use(to, command->queue, &command->wait);
    if (dl_leaf_table_copy(&from->residence.leaves, &leaves) != DL_OK)
        command->err = CL_OUT_OF_HOST_MEMORY;
    if (dl__command_goes(command))
        command->err = dl__next.clEnqueueCopyBuffer(
            command->queue->object.handle, from->object.handle, to->object.handle, 0, 0,
            from->bytes, command->wait.count, command->wait.list, event);
    if (command->err == CL_SUCCESS)
        dl__mem_copied_tiles(from, to, &leaves);
    else
        dl_leaf_table_free(&leaves);
}

cl_int CL_API_CALL dl__hook_clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from,
                                                cl_mem to, size_t from_offset,
                                                size_t to_offset, size_t bytes,
                                                cl_uint wait_count, const cl_event *wait,
                                                cl_event *event)
{
    struct dl__command c;
    struct dl__mem *source, *target;
    cl_event done = NULL;

    dl__command_begin(&c, "clEnqueueCopyBuffer", queue, wait_count, wait);
    source = dl__command_find(&c, from);
    target = from == to ? source : dl__command_find(&c, to);
    dl__command_shows(&c, target);
    if (command_copies_tiles(&c, source, target, from_offset, to_offset, bytes)) {
        copy_tiles(&c, source, target, event);
        return dl__command_end(&c);
    }
    if (from != to)
        dl__command_writes_whole(&c, target, to_offset, bytes);
    if (c.queue && !is_part_of_tiles(&c, source) && !is_part_of_tiles(&c, target)) {
        struct dl__end begin = copy_end(&c, from, source, bytes),
                       end = copy_end(&c, to, target, bytes);

        begin.offset = from_offset;
        end.offset = to_offset;
        if (command_copies_staged(&c, &begin, &end, bytes, event ? &done : NULL))
            return dl__command_end_staged(&c, NULL, done, event);
    }
    dl__command_reads(&c, source);
    dl__command_writes(&c, target);
    if (dl__command_goes(&c))
        c.err = dl__next.clEnqueueCopyBuffer(queue, from, to, from_offset, to_offset,
                                             bytes, c.wait.count, c.wait.list, event);
    return dl__command_end(&c);
}

cl_int CL_API_CALL dl__hook_clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem from,
                                                    cl_mem to, const size_t *from_origin,
                                                    const size_t *to_origin,
                                                    const size_t *region, size_t from_row,
                                                    size_t from_slice, size_t to_row,
                                                    size_t to_slice, cl_uint wait_count,
                                                    const cl_event *wait, cl_event *event)
{
    struct dl__command c;
    struct dl__mem *source, *target;

    dl__command_begin(&c, "clEnqueueCopyBufferRect", queue, wait_count, wait);
    source = dl__command_find(&c, from);
    target = from == to ? source : dl__command_find(&c, to);
    dl__command_shows(&c, target);
    /* Within one buffer the rectangles may overlap, which is for the driver to see. */
    if (c.queue && from != to && !is_part_of_tiles(&c, source) &&
        !is_part_of_tiles(&c, target)) {
        uint64_t part = dl__command_region_bytes(region);
        struct dl__end begin = copy_end(&c, from, source, part),
                       end = copy_end(&c, to, target, part);
        cl_event done = NULL;

        begin.rect = (struct dl__rect){from_origin, from_row, from_slice};
        end.rect = (struct dl__rect){to_origin, to_row, to_slice};
        if ((begin.tiled || end.tiled) &&
            dl__staged_copy_rect(c.queue, &c.wait, &begin, &end, region,
                                 event ? &done : NULL)) {
            if (!end.tiled)
                dl__mem_written(end.mem);
            return dl__command_end_staged(&c, NULL, done, event);
        }
    }
    dl__command_reads(&c, source);
    dl__command_writes(&c, target);
    if (dl__command_goes(&c))
        c.err = dl__next.clEnqueueCopyBufferRect(
            queue, from, to, from_origin, to_origin, region, from_row, from_slice, to_row,
            to_slice, c.wait.count, c.wait.list, event);
    return dl__command_end(&c);
}

cl_int CL_API_CALL dl__hook_clEnqueueFillBuffer(cl_command_queue queue, cl_mem mem,
                                                const void *pattern, size_t pattern_bytes,
                                                size_t offset, size_t bytes,
                                                cl_uint wait_count, const cl_event *wait,
                                                cl_event *event)
{
    struct dl__command c;
    struct dl__mem *record;

    dl__command_begin(&c, "clEnqueueFillBuffer", queue, wait_count, wait);
    record = dl__command_find(&c, mem);
    dl__command_shows(&c, record);
    dl__command_writes_whole(&c, record, offset, bytes);
    if (!c.overwritten && dl__command_is_staged(&c, record, bytes)) {
        cl_event done = NULL;

        if (dl__staged_fill(dl__command_mem(&c, record), c.queue, &c.wait, pattern,
                            pattern_bytes, offset, bytes, event ? &done : NULL))
            return dl__command_end_staged(&c, NULL, done, event);
    }
    dl__command_writes(&c, record);
    if (dl__command_goes(&c))
        c.err = dl__next.clEnqueueFillBuffer(queue, mem, pattern, pattern_bytes, offset,
                                             bytes, c.wait.count, c.wait.list, event);
    return dl__command_end(&c);
}

cl_int CL_API_CALL dl__hook_clEnqueueCopyBufferToImage(
    cl_command_queue queue, cl_mem from, cl_mem to, size_t offset, const size_t *origin,
    const size_t *region, cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    struct dl__command c;
    struct dl__mem *source, *target;

    dl__command_begin(&c, "clEnqueueCopyBufferToImage", queue, wait_count, wait);
    source = dl__command_find(&c, from);
    target = from == to ? source : dl__command_find(&c, to);
    dl__command_shows(&c, target);
    dl__command_reads(&c, source);
    dl__command_writes(&c, target);
    if (dl__command_goes(&c))
        c.err = dl__next.clEnqueueCopyBufferToImage(
            queue, from, to, offset, origin, region, c.wait.count, c.wait.list, event);
    return dl__command_end(&c);
}

cl_int CL_API_CALL dl__hook_clEnqueueCopyImageToBuffer(
    cl_command_queue queue, cl_mem from, cl_mem to, const size_t *origin,
    const size_t *region, size_t offset, cl_uint wait_count, const cl_event *wait,
    cl_event *event)
{
    struct dl__command c;
    struct dl__mem *source, *target;

    dl__command_begin(&c, "clEnqueueCopyImageToBuffer", queue, wait_count, wait);
    source = dl__command_find(&c, from);
    target = from == to ? source : dl__command_find(&c, to);
    dl__command_shows(&c, target);
    dl__command_reads(&c, source);
    dl__command_writes(&c, target);
    if (dl__command_goes(&c))
        c.err = dl__next.clEnqueueCopyImageToBuffer(
            queue, from, to, origin, region, offset, c.wait.count, c.wait.list, event);
    return dl__command_end(&c);
}
