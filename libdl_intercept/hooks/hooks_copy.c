/* Hooks of commands that copy and fill buffers on the device. Buffers are brought back to the
 * program's layout first, unless the command overwrites them whole, copies their tiles as they
 * lie, or goes through a staging area. */
#include "libdl_intercept/host/staged.h"
#include "libdl_intercept/state/buffers.h"
#include "command.h"
#include "hooks.h"

/* True when a copy is of all of one buffer into all of another, and can go on in tiles. */
static bool command_copies_tiles(const struct dl__command *command, cl_mem from,
                                 cl_mem to, size_t from_offset, size_t to_offset,
                                 size_t bytes)
{
    const struct dl__mem *source = command->queue ? dl__mem_find(from) : NULL;
    const struct dl__mem *target = command->queue ? dl__mem_find(to) : NULL;

    return source && target && !command->as_it_is &&
           dl__mem_is_whole(from, from_offset, bytes) &&
           dl__mem_is_whole(to, to_offset, bytes) &&
           dl__mem_may_copy_tiles(source, target);
}

/* One side of a copy that may go through tiles. */
static struct dl__end copy_end(struct dl__command *command, cl_mem handle)
{
    struct dl__end end = {.handle = handle, .mem = dl__command_mem(command, handle)};

    end.tiled = dl__command_is_staged(command, handle) && end.mem != command->overwritten;
    return end;
}

/* True when this end of a copy is a sub-buffer of what lies in tiles, which is no way through
 * a staging area: they are brought back. */
static bool is_part_of_tiles(const struct dl__command *command, cl_mem handle)
{
    const struct dl__mem *mem = dl__command_mem(command, handle);

    return mem && mem->object.handle != handle && dl__mem_lies_in_tiles(mem);
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

/* True when the copy has gone through a staging area. */
static bool command_copies_staged(struct dl__command *command, cl_mem from, cl_mem to,
                                  size_t from_offset, size_t to_offset, size_t bytes,
                                  cl_event *done)
{
    struct dl__end source, target;

    if (!command->queue || is_part_of_tiles(command, from) ||
        is_part_of_tiles(command, to))
        return false;
    source = copy_end(command, from);
    target = copy_end(command, to);
    source.offset = from_offset;
    target.offset = to_offset;
    if ((!source.tiled && !target.tiled) || !is_inside(from, from_offset, bytes) ||
        !is_inside(to, to_offset, bytes))
        return false;
    /* An overlap is for the driver to reject. */
    if (from == to && from_offset < to_offset + bytes && to_offset < from_offset + bytes)
        return false;
    if (!dl__staged_copy(command->queue, &command->wait, &source, &target, bytes, done))
        return false;
    if (!target.tiled)
        dl__mem_written(target.mem);
    return true;
}

cl_int CL_API_CALL dl__hook_clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from,
                                                cl_mem to, size_t from_offset,
                                                size_t to_offset, size_t bytes,
                                                cl_uint wait_count, const cl_event *wait,
                                                cl_event *event)
{
    struct dl__command c;
    cl_event done = NULL;

    dl__command_begin(&c, "clEnqueueCopyBuffer", queue, wait_count, wait);
    if (command_copies_tiles(&c, from, to, from_offset, to_offset, bytes)) {
        struct dl__mem *source = dl__command_mem(&c, from),
                       *target = dl__command_mem(&c, to);
        struct dl_leaf_table leaves = {0};

        dl__mem_use(source, c.queue, &c.wait);
        dl__mem_use(target, c.queue, &c.wait);
        if (dl_leaf_table_copy(&source->residence.leaves, &leaves) != DL_OK)
            c.err = CL_OUT_OF_HOST_MEMORY;
        if (dl__command_goes(&c))
            c.err = dl__next.clEnqueueCopyBuffer(queue, from, to, 0, 0, bytes,
                                                 c.wait.count, c.wait.list, event);
        if (c.err == CL_SUCCESS)
            dl__mem_copied_tiles(source, target, &leaves);
        else
            dl_leaf_table_free(&leaves);
        return dl__command_end(&c);
    }
    if (from != to)
        dl__command_writes_whole(&c, to, to_offset, bytes);
    if (command_copies_staged(&c, from, to, from_offset, to_offset, bytes,
                              event ? &done : NULL))
        return dl__command_end_staged(&c, NULL, done, event);
    dl__command_reads(&c, from);
    dl__command_writes(&c, to);
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

    dl__command_begin(&c, "clEnqueueCopyBufferRect", queue, wait_count, wait);
    /* Within one buffer the rectangles may overlap, which is for the driver to see. */
    if (c.queue && from != to && !is_part_of_tiles(&c, from) &&
        !is_part_of_tiles(&c, to)) {
        struct dl__end source = copy_end(&c, from), target = copy_end(&c, to);
        cl_event done = NULL;

        source.rect = (struct dl__rect){from_origin, from_row, from_slice};
        target.rect = (struct dl__rect){to_origin, to_row, to_slice};
        if ((source.tiled || target.tiled) &&
            dl__staged_copy_rect(c.queue, &c.wait, &source, &target, region,
                                 event ? &done : NULL)) {
            if (!target.tiled)
                dl__mem_written(target.mem);
            return dl__command_end_staged(&c, NULL, done, event);
        }
    }
    dl__command_reads(&c, from);
    dl__command_writes(&c, to);
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

    dl__command_begin(&c, "clEnqueueFillBuffer", queue, wait_count, wait);
    dl__command_writes_whole(&c, mem, offset, bytes);
    if (!c.overwritten && dl__command_is_staged(&c, mem)) {
        cl_event done = NULL;

        if (dl__staged_fill(dl__command_mem(&c, mem), c.queue, &c.wait, pattern,
                            pattern_bytes, offset, bytes, event ? &done : NULL))
            return dl__command_end_staged(&c, NULL, done, event);
    }
    dl__command_writes(&c, mem);
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

    dl__command_begin(&c, "clEnqueueCopyBufferToImage", queue, wait_count, wait);
    dl__command_reads(&c, from);
    dl__command_writes(&c, to);
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

    dl__command_begin(&c, "clEnqueueCopyImageToBuffer", queue, wait_count, wait);
    dl__command_reads(&c, from);
    dl__command_writes(&c, to);
    if (dl__command_goes(&c))
        c.err = dl__next.clEnqueueCopyImageToBuffer(
            queue, from, to, origin, region, offset, c.wait.count, c.wait.list, event);
    return dl__command_end(&c);
}
