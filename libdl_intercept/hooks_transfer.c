/* Hooks of commands that look into buffers from outside kernels. Each says which buffers
 * it reads and writes; those are brought back to the program's layout first, unless the
 * command overwrites them whole, or goes through a staging area. */
#include "command.h"
#include "hooks.h"
#include "staging.h"

/* ---- host transfers
 * ------------------------------------------------------------------------- */

cl_int CL_API_CALL dl__hook_clEnqueueReadBuffer(cl_command_queue queue, cl_mem mem,
                                                cl_bool blocking, size_t offset,
                                                size_t bytes, void *host,
                                                cl_uint wait_count, const cl_event *wait,
                                                cl_event *event)
{
    struct dl__command c;
    cl_event *out;

    dl__command_begin(&c, "clEnqueueReadBuffer", queue, wait_count, wait);
    dl__command_checks_host(&c, mem, CL_MEM_HOST_WRITE_ONLY);
    if (dl__command_is_staged(&c, mem)) {
        cl_event done = NULL;

        if (dl__staged_read(dl__command_mem(&c, mem), c.queue, &c.wait, offset, bytes,
                            host, event || blocking ? &done : NULL, &c.err))
            return dl__command_end_staged(&c, blocking ? done : NULL, done, event);
    }
    dl__command_reads(&c, mem);
    out = dl__command_event(&c, blocking, event);
    if (dl__command_goes(&c))
        c.err = dl__next.clEnqueueReadBuffer(queue, mem,
                                             dl__command_blocking(&c, blocking), offset,
                                             bytes, host, c.wait.count, c.wait.list, out);
    return dl__command_end_blocking(&c, blocking, out);
}

cl_int CL_API_CALL dl__hook_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem mem,
                                                 cl_bool blocking, size_t offset,
                                                 size_t bytes, const void *host,
                                                 cl_uint wait_count, const cl_event *wait,
                                                 cl_event *event)
{
    struct dl__command c;
    cl_event *out;

    dl__command_begin(&c, "clEnqueueWriteBuffer", queue, wait_count, wait);
    dl__command_checks_host(&c, mem, CL_MEM_HOST_READ_ONLY);
    dl__command_writes_whole(&c, mem, offset, bytes);
    if (!c.overwritten && dl__command_is_staged(&c, mem)) {
        cl_event done = NULL;

        if (dl__staged_write(dl__command_mem(&c, mem), c.queue, &c.wait, offset, bytes,
                             host, event || blocking ? &done : NULL, &c.err))
            return dl__command_end_staged(&c, blocking ? done : NULL, done, event);
    }
    dl__command_writes(&c, mem);
    out = dl__command_event(&c, blocking, event);
    if (dl__command_goes(&c))
        c.err = dl__next.clEnqueueWriteBuffer(
            queue, mem, dl__command_blocking(&c, blocking), offset, bytes, host,
            c.wait.count, c.wait.list, out);
    return dl__command_end_blocking(&c, blocking, out);
}

cl_int CL_API_CALL dl__hook_clEnqueueReadBufferRect(
    cl_command_queue queue, cl_mem mem, cl_bool blocking, const size_t *origin,
    const size_t *host_origin, const size_t *region, size_t row, size_t slice,
    size_t host_row, size_t host_slice, void *host, cl_uint wait_count,
    const cl_event *wait, cl_event *event)
{
    struct dl__command c;
    cl_event *out;

    dl__command_begin(&c, "clEnqueueReadBufferRect", queue, wait_count, wait);
    dl__command_checks_host(&c, mem, CL_MEM_HOST_WRITE_ONLY);
    dl__command_reads(&c, mem);
    out = dl__command_event(&c, blocking, event);
    if (dl__command_goes(&c))
        c.err = dl__next.clEnqueueReadBufferRect(
            queue, mem, dl__command_blocking(&c, blocking), origin, host_origin, region,
            row, slice, host_row, host_slice, host, c.wait.count, c.wait.list, out);
    return dl__command_end_blocking(&c, blocking, out);
}

cl_int CL_API_CALL dl__hook_clEnqueueWriteBufferRect(
    cl_command_queue queue, cl_mem mem, cl_bool blocking, const size_t *origin,
    const size_t *host_origin, const size_t *region, size_t row, size_t slice,
    size_t host_row, size_t host_slice, const void *host, cl_uint wait_count,
    const cl_event *wait, cl_event *event)
{
    struct dl__command c;
    cl_event *out;

    dl__command_begin(&c, "clEnqueueWriteBufferRect", queue, wait_count, wait);
    dl__command_checks_host(&c, mem, CL_MEM_HOST_READ_ONLY);
    dl__command_writes(&c, mem);
    out = dl__command_event(&c, blocking, event);
    if (dl__command_goes(&c))
        c.err = dl__next.clEnqueueWriteBufferRect(
            queue, mem, dl__command_blocking(&c, blocking), origin, host_origin, region,
            row, slice, host_row, host_slice, host, c.wait.count, c.wait.list, out);
    return dl__command_end_blocking(&c, blocking, out);
}

/* True when a copy is of all of one buffer into all of another, and can go on in tiles. */
static bool command_copies_tiles(const struct dl__command *command, cl_mem from,
                                 cl_mem to, size_t from_offset, size_t to_offset,
                                 size_t bytes)
{
    const struct dl__mem *source = command->queue ? dl__mem_find(from) : NULL;
    const struct dl__mem *target = command->queue ? dl__mem_find(to) : NULL;

    return source && target && dl__mem_is_whole(from, from_offset, bytes) &&
           dl__mem_is_whole(to, to_offset, bytes) &&
           dl__mem_may_copy_tiles(source, target);
}

/* ---- device transfers
 * ------------------------------------------------------------------------ */

cl_int CL_API_CALL dl__hook_clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from,
                                                cl_mem to, size_t from_offset,
                                                size_t to_offset, size_t bytes,
                                                cl_uint wait_count, const cl_event *wait,
                                                cl_event *event)
{
    struct dl__command c;

    dl__command_begin(&c, "clEnqueueCopyBuffer", queue, wait_count, wait);
    if (command_copies_tiles(&c, from, to, from_offset, to_offset, bytes)) {
        struct dl__mem *source = dl__command_mem(&c, from),
                       *target = dl__command_mem(&c, to);
        struct dl_leaf_table leaves = {0};

        dl__mem_use(source, c.queue, &c.wait);
        dl__mem_use(target, c.queue, &c.wait);
        if (dl_leaf_table_copy(&source->leaves, &leaves) != DL_OK)
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
    dl__command_reads(&c, from);
    if (from != to)
        dl__command_writes_whole(&c, to, to_offset, bytes);
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

/* ---- the rest
 * -------------------------------------------------------------------------------- */

cl_int CL_API_CALL dl__hook_clEnqueueMigrateMemObjects(
    cl_command_queue queue, cl_uint mem_count, const cl_mem *mems,
    cl_mem_migration_flags flags, cl_uint wait_count, const cl_event *wait,
    cl_event *event)
{
    struct dl__command c;

    dl__command_begin(&c, "clEnqueueMigrateMemObjects", queue, wait_count, wait);
    /* Where the bytes are is not what they mean: tiles migrate as well as structs. */
    for (cl_uint i = 0; c.queue && mems && i < mem_count; i++)
        dl__mem_use(dl__command_mem(&c, mems[i]), c.queue, &c.wait);
    if (dl__command_goes(&c))
        c.err = dl__next.clEnqueueMigrateMemObjects(queue, mem_count, mems, flags,
                                                    c.wait.count, c.wait.list, event);
    return dl__command_end(&c);
}

cl_int CL_API_CALL dl__hook_clEnqueueNativeKernel(
    cl_command_queue queue, void(CL_CALLBACK *function)(void *), void *args,
    size_t args_bytes, cl_uint mem_count, const cl_mem *mems, const void **mem_places,
    cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    struct dl__command c;

    dl__command_begin(&c, "clEnqueueNativeKernel", queue, wait_count, wait);
    for (cl_uint i = 0; mems && i < mem_count; i++)
        dl__command_writes(&c, mems[i]);
    if (dl__command_goes(&c))
        c.err = dl__next.clEnqueueNativeKernel(queue, function, args, args_bytes,
                                               mem_count, mems, mem_places, c.wait.count,
                                               c.wait.list, event);
    return dl__command_end(&c);
}
