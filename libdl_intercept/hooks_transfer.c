/* Hooks of commands that look into buffers from outside kernels. Each says which buffers
 * it reads and writes; those are brought back to the program's layout first, unless the
 * command overwrites them whole. */
#include "hooks.h"
#include "launch.h"
#include "residence.h"
#include "staging.h"

/* One command on its way through DL. In a context without annotations it does nothing. */
struct command {
    const char *name;
    struct dl__queue *queue; /* NULL: passed on untouched */
    struct dl__wait program; /* as the program gave it */
    struct dl__wait wait;    /* as the driver gets it */
    struct dl__mem *busy;
    struct dl__mem *overwritten;
    bool locked;
    cl_int err;
};

static void command_begin(struct command *command, const char *name,
                          cl_command_queue queue, cl_uint wait_count,
                          const cl_event *wait)
{
    *command = (struct command){.name = name};
    dl__wait_begin(&command->program, wait_count, wait);
    dl__wait_begin(&command->wait, wait_count, wait);
    command->queue = dl__queue_find(queue);
    if (!command->queue || !dl__context_is_annotated(command->queue->object.context)) {
        command->queue = NULL;
        return;
    }
    dl__context_lock(command->queue->object.context);
    command->locked = true;
}

/* The buffer behind a handle, if the command has to care. */
static struct dl__mem *command_mem(const struct command *command, cl_mem handle)
{
    struct dl__mem *mem = command->queue ? dl__mem_root(dl__mem_find(handle)) : NULL;

    return mem && mem->object.context == command->queue->object.context ? mem : NULL;
}

static void command_reads(struct command *command, cl_mem handle)
{
    struct dl__mem *mem = command_mem(command, handle);

    if (!mem || command->err != CL_SUCCESS)
        return;
    command->err =
        dl__mem_bring_back(mem, command->queue, &command->program, command->name);
    dl__mem_use(mem, command->queue, &command->wait);
}

static void command_writes(struct command *command, cl_mem handle, bool whole)
{
    struct dl__mem *mem = command_mem(command, handle);

    if (!mem || command->err != CL_SUCCESS)
        return;
    if (whole) {
        command->overwritten = mem;
        dl__mem_use(mem, command->queue, &command->wait);
        return;
    }
    command_reads(command, handle);
    dl__mem_written(mem);
}

static bool is_whole(cl_mem handle, size_t offset, size_t bytes)
{
    const struct dl__mem *mem = dl__mem_find(handle);

    return mem && mem->kind == DL__BUFFER && offset == 0 && bytes == mem->bytes;
}

/* The driver is about to wait for the command: other threads may go on meanwhile, and
 * must leave the buffer's layout alone. */
static void command_blocks(struct command *command, cl_bool blocking, cl_mem handle)
{
    if (!blocking || !command->locked)
        return;
    command->busy = command_mem(command, handle);
    if (command->busy)
        command->busy->host_busy++;
    dl__context_unlock(command->queue->object.context);
    command->locked = false;
}

/* True when the driver's function is to be called. */
static bool command_goes(struct command *command)
{
    if (command->err == CL_SUCCESS && command->wait.failed)
        command->err = CL_OUT_OF_HOST_MEMORY;
    return command->err == CL_SUCCESS;
}

static void command_relock(struct command *command)
{
    if (command->queue && !command->locked) {
        dl__context_lock(command->queue->object.context);
        command->locked = true;
    }
    if (command->busy)
        command->busy->host_busy--;
    command->busy = NULL;
}

static cl_int command_end(struct command *command)
{
    command_relock(command);
    if (command->overwritten && command->err == CL_SUCCESS)
        dl__mem_overwritten(command->overwritten);
    if (command->locked)
        dl__context_unlock(command->queue->object.context);
    dl__wait_end(&command->wait);
    dl__wait_end(&command->program);
    return command->err;
}

/* True when the command may look at the buffer through a staging area: it is in tiles,
 * and what the command waits for is well formed. */
static bool command_is_staged(const struct command *command, cl_mem handle)
{
    const struct dl__mem *mem = command->queue ? dl__mem_find(handle) : NULL;

    return mem && mem->kind == DL__BUFFER && dl__mem_is_tiled(mem) && !mem->copy &&
           mem->object.context == command->queue->object.context &&
           (command->program.count > 0) == (command->program.list != NULL);
}

/* Ends a command that went through a staging area: waits for `awaited`, without the lock,
 * where the program's command blocks, and hands `done` to the program where it wants an
 * event. */
static cl_int command_end_staged(struct command *command, cl_event awaited, cl_event done,
                                 cl_event *event)
{
    cl_int err = command_end(command);

    if (err == CL_SUCCESS && awaited)
        err = dl__next.clWaitForEvents(1, &awaited);
    if (done && event && command->err == CL_SUCCESS)
        *event = done;
    else if (done)
        dl__next.clReleaseEvent(done);
    return err;
}

/* ---- host transfers
 * ------------------------------------------------------------------------- */

cl_int CL_API_CALL dl__hook_clEnqueueReadBuffer(cl_command_queue queue, cl_mem mem,
                                                cl_bool blocking, size_t offset,
                                                size_t bytes, void *host,
                                                cl_uint wait_count, const cl_event *wait,
                                                cl_event *event)
{
    struct command c;

    command_begin(&c, "clEnqueueReadBuffer", queue, wait_count, wait);
    if (command_is_staged(&c, mem)) {
        cl_event done = NULL;

        if (dl__staged_read(command_mem(&c, mem), c.queue, &c.program, offset, bytes,
                            host, event || blocking ? &done : NULL, &c.err))
            return command_end_staged(&c, blocking ? done : NULL, done, event);
    }
    command_reads(&c, mem);
    command_blocks(&c, blocking, mem);
    if (command_goes(&c))
        c.err = dl__next.clEnqueueReadBuffer(queue, mem, blocking, offset, bytes, host,
                                             c.wait.count, c.wait.list, event);
    return command_end(&c);
}

cl_int CL_API_CALL dl__hook_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem mem,
                                                 cl_bool blocking, size_t offset,
                                                 size_t bytes, const void *host,
                                                 cl_uint wait_count, const cl_event *wait,
                                                 cl_event *event)
{
    struct command c;

    command_begin(&c, "clEnqueueWriteBuffer", queue, wait_count, wait);
    if (command_is_staged(&c, mem) && !is_whole(mem, offset, bytes)) {
        cl_event copied = NULL, done = NULL;

        if (dl__staged_write(command_mem(&c, mem), c.queue, &c.program, offset, bytes,
                             host, blocking ? &copied : NULL, event ? &done : NULL,
                             &c.err)) {
            cl_int err = command_end_staged(&c, copied, done, event);

            if (copied)
                dl__next.clReleaseEvent(copied);
            return err;
        }
    }
    command_writes(&c, mem, is_whole(mem, offset, bytes));
    command_blocks(&c, blocking, mem);
    if (command_goes(&c))
        c.err = dl__next.clEnqueueWriteBuffer(queue, mem, blocking, offset, bytes, host,
                                              c.wait.count, c.wait.list, event);
    return command_end(&c);
}

cl_int CL_API_CALL dl__hook_clEnqueueReadBufferRect(
    cl_command_queue queue, cl_mem mem, cl_bool blocking, const size_t *origin,
    const size_t *host_origin, const size_t *region, size_t row, size_t slice,
    size_t host_row, size_t host_slice, void *host, cl_uint wait_count,
    const cl_event *wait, cl_event *event)
{
    struct command c;

    command_begin(&c, "clEnqueueReadBufferRect", queue, wait_count, wait);
    command_reads(&c, mem);
    command_blocks(&c, blocking, mem);
    if (command_goes(&c))
        c.err = dl__next.clEnqueueReadBufferRect(
            queue, mem, blocking, origin, host_origin, region, row, slice, host_row,
            host_slice, host, c.wait.count, c.wait.list, event);
    return command_end(&c);
}

cl_int CL_API_CALL dl__hook_clEnqueueWriteBufferRect(
    cl_command_queue queue, cl_mem mem, cl_bool blocking, const size_t *origin,
    const size_t *host_origin, const size_t *region, size_t row, size_t slice,
    size_t host_row, size_t host_slice, const void *host, cl_uint wait_count,
    const cl_event *wait, cl_event *event)
{
    struct command c;

    command_begin(&c, "clEnqueueWriteBufferRect", queue, wait_count, wait);
    command_writes(&c, mem, false);
    command_blocks(&c, blocking, mem);
    if (command_goes(&c))
        c.err = dl__next.clEnqueueWriteBufferRect(
            queue, mem, blocking, origin, host_origin, region, row, slice, host_row,
            host_slice, host, c.wait.count, c.wait.list, event);
    return command_end(&c);
}

/* True when a copy is of all of one buffer into all of another, and can go on in tiles.
 * The target must not be in tiles of its own, which a copy that fails would lose. */
static bool command_copies_tiles(const struct command *command, cl_mem from, cl_mem to,
                                 size_t from_offset, size_t to_offset, size_t bytes)
{
    const struct dl__mem *source = command->queue ? dl__mem_find(from) : NULL;
    const struct dl__mem *target = command->queue ? dl__mem_find(to) : NULL;

    return source && target && is_whole(from, from_offset, bytes) &&
           is_whole(to, to_offset, bytes) && dl__mem_may_copy_tiles(source, target);
}

/* ---- device transfers
 * ------------------------------------------------------------------------ */

cl_int CL_API_CALL dl__hook_clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from,
                                                cl_mem to, size_t from_offset,
                                                size_t to_offset, size_t bytes,
                                                cl_uint wait_count, const cl_event *wait,
                                                cl_event *event)
{
    struct command c;

    command_begin(&c, "clEnqueueCopyBuffer", queue, wait_count, wait);
    if (command_copies_tiles(&c, from, to, from_offset, to_offset, bytes)) {
        struct dl__mem *source = command_mem(&c, from), *target = command_mem(&c, to);
        struct dl_leaf_table leaves = {0};

        dl__mem_use(source, c.queue, &c.wait);
        dl__mem_use(target, c.queue, &c.wait);
        if (dl_leaf_table_copy(&source->leaves, &leaves) != DL_OK)
            c.err = CL_OUT_OF_HOST_MEMORY;
        if (command_goes(&c))
            c.err = dl__next.clEnqueueCopyBuffer(queue, from, to, 0, 0, bytes,
                                                 c.wait.count, c.wait.list, event);
        if (c.err == CL_SUCCESS)
            dl__mem_copied_tiles(source, target, &leaves);
        else
            dl_leaf_table_free(&leaves);
        return command_end(&c);
    }
    command_reads(&c, from);
    command_writes(&c, to, from != to && is_whole(to, to_offset, bytes));
    if (command_goes(&c))
        c.err = dl__next.clEnqueueCopyBuffer(queue, from, to, from_offset, to_offset,
                                             bytes, c.wait.count, c.wait.list, event);
    return command_end(&c);
}

cl_int CL_API_CALL dl__hook_clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem from,
                                                    cl_mem to, const size_t *from_origin,
                                                    const size_t *to_origin,
                                                    const size_t *region, size_t from_row,
                                                    size_t from_slice, size_t to_row,
                                                    size_t to_slice, cl_uint wait_count,
                                                    const cl_event *wait, cl_event *event)
{
    struct command c;

    command_begin(&c, "clEnqueueCopyBufferRect", queue, wait_count, wait);
    command_reads(&c, from);
    command_writes(&c, to, false);
    if (command_goes(&c))
        c.err = dl__next.clEnqueueCopyBufferRect(
            queue, from, to, from_origin, to_origin, region, from_row, from_slice, to_row,
            to_slice, c.wait.count, c.wait.list, event);
    return command_end(&c);
}

cl_int CL_API_CALL dl__hook_clEnqueueFillBuffer(cl_command_queue queue, cl_mem mem,
                                                const void *pattern, size_t pattern_bytes,
                                                size_t offset, size_t bytes,
                                                cl_uint wait_count, const cl_event *wait,
                                                cl_event *event)
{
    struct command c;

    command_begin(&c, "clEnqueueFillBuffer", queue, wait_count, wait);
    command_writes(&c, mem, is_whole(mem, offset, bytes));
    if (command_goes(&c))
        c.err = dl__next.clEnqueueFillBuffer(queue, mem, pattern, pattern_bytes, offset,
                                             bytes, c.wait.count, c.wait.list, event);
    return command_end(&c);
}

cl_int CL_API_CALL dl__hook_clEnqueueCopyBufferToImage(
    cl_command_queue queue, cl_mem from, cl_mem to, size_t offset, const size_t *origin,
    const size_t *region, cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    struct command c;

    command_begin(&c, "clEnqueueCopyBufferToImage", queue, wait_count, wait);
    command_reads(&c, from);
    command_writes(&c, to, false);
    if (command_goes(&c))
        c.err = dl__next.clEnqueueCopyBufferToImage(
            queue, from, to, offset, origin, region, c.wait.count, c.wait.list, event);
    return command_end(&c);
}

cl_int CL_API_CALL dl__hook_clEnqueueCopyImageToBuffer(
    cl_command_queue queue, cl_mem from, cl_mem to, const size_t *origin,
    const size_t *region, size_t offset, cl_uint wait_count, const cl_event *wait,
    cl_event *event)
{
    struct command c;

    command_begin(&c, "clEnqueueCopyImageToBuffer", queue, wait_count, wait);
    command_reads(&c, from);
    command_writes(&c, to, false);
    if (command_goes(&c))
        c.err = dl__next.clEnqueueCopyImageToBuffer(
            queue, from, to, origin, region, offset, c.wait.count, c.wait.list, event);
    return command_end(&c);
}

/* ---- maps
 * ------------------------------------------------------------------------------------ */

void *CL_API_CALL dl__hook_clEnqueueMapBuffer(cl_command_queue queue, cl_mem handle,
                                              cl_bool blocking, cl_map_flags flags,
                                              size_t offset, size_t bytes,
                                              cl_uint wait_count, const cl_event *wait,
                                              cl_event *event, cl_int *err)
{
    struct command c;
    struct dl__mem *mem;
    void *mapped = NULL;

    command_begin(&c, "clEnqueueMapBuffer", queue, wait_count, wait);
    mem = command_mem(&c, handle);
    if (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION))
        command_writes(&c, handle,
                       (flags & CL_MAP_WRITE_INVALIDATE_REGION) &&
                           is_whole(handle, offset, bytes));
    else
        command_reads(&c, handle);
    command_blocks(&c, blocking, handle);
    if (command_goes(&c))
        mapped =
            dl__next.clEnqueueMapBuffer(queue, handle, blocking, flags, offset, bytes,
                                        c.wait.count, c.wait.list, event, &c.err);
    command_relock(&c);
    if (mem && c.err == CL_SUCCESS)
        mem->maps++;
    command_end(&c);
    if (err)
        *err = c.err;
    return mapped;
}

cl_int CL_API_CALL dl__hook_clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem handle,
                                                    void *mapped, cl_uint wait_count,
                                                    const cl_event *wait, cl_event *event)
{
    struct command c;
    struct dl__mem *mem;

    command_begin(&c, "clEnqueueUnmapMemObject", queue, wait_count, wait);
    mem = command_mem(&c, handle);
    dl__mem_use(mem, c.queue, &c.wait);
    if (command_goes(&c))
        c.err = dl__next.clEnqueueUnmapMemObject(queue, handle, mapped, c.wait.count,
                                                 c.wait.list, event);
    if (mem && c.err == CL_SUCCESS && mem->maps > 0)
        mem->maps--;
    return command_end(&c);
}

/* ---- the rest
 * -------------------------------------------------------------------------------- */

cl_int CL_API_CALL dl__hook_clEnqueueMigrateMemObjects(
    cl_command_queue queue, cl_uint mem_count, const cl_mem *mems,
    cl_mem_migration_flags flags, cl_uint wait_count, const cl_event *wait,
    cl_event *event)
{
    struct command c;

    command_begin(&c, "clEnqueueMigrateMemObjects", queue, wait_count, wait);
    /* Where the bytes are is not what they mean: tiles migrate as well as structs. */
    for (cl_uint i = 0; c.queue && mems && i < mem_count; i++)
        dl__mem_use(command_mem(&c, mems[i]), c.queue, &c.wait);
    if (command_goes(&c))
        c.err = dl__next.clEnqueueMigrateMemObjects(queue, mem_count, mems, flags,
                                                    c.wait.count, c.wait.list, event);
    return command_end(&c);
}

cl_int CL_API_CALL dl__hook_clEnqueueNativeKernel(
    cl_command_queue queue, void(CL_CALLBACK *function)(void *), void *args,
    size_t args_bytes, cl_uint mem_count, const cl_mem *mems, const void **mem_places,
    cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    struct command c;

    command_begin(&c, "clEnqueueNativeKernel", queue, wait_count, wait);
    for (cl_uint i = 0; mems && i < mem_count; i++)
        command_writes(&c, mems[i], false);
    if (command_goes(&c))
        c.err = dl__next.clEnqueueNativeKernel(queue, function, args, args_bytes,
                                               mem_count, mems, mem_places, c.wait.count,
                                               c.wait.list, event);
    return command_end(&c);
}
