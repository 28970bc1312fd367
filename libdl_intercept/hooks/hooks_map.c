/* SPDX-License-Identifier: MIT */
/* Hooks of maps and unmaps. Tiled buffers are mapped through a view of them (maps.h), or
 * brought back and mapped by the driver; one that the driver has mapped stays in the
 * program's layout. */
#include "libdl_intercept/host/maps.h"
#include "libdl_intercept/state/buffers.h"
#include "command.h"
#include "hooks.h"

/* Maps count in every context: one may outlive the building of an annotated program. */
static struct dl__mem *mapped_mem(struct dl__mem *mem)
{
    return mem && mem->kind != DL__BUFFER_IMAGE ? dl__mem_root(mem) : NULL;
}

/* The buffer that the command may map through a view. NULL: none. */
static struct dl__mem *viewed_mem(const struct dl__command *command, struct dl__mem *mem)
{
    return command->queue && mem && mem->kind == DL__BUFFER &&
                   mem->object.context == command->queue->object.context
               ? mem
               : NULL;
}

/* A map through a view, once the driver has its commands. */
struct view_map {
    struct dl__mem *mem;
    const struct dl__map *map; /* NULL: it failed */
    void *mapped;
    cl_event done; /* NULL: not wanted */
};

/* True when the buffer is mapped through its view, with the result in command->err. */
static DL__WITH_LOCK bool map_view(struct dl__command *command, struct dl__mem *record,
                                   cl_map_flags flags, size_t offset, size_t bytes,
                                   bool wants_done, struct view_map *view)
{
    struct dl__mem *mem = viewed_mem(command, record);

    *view = (struct view_map){.mem = mem};
    if (!mem || mem == command->by_host || command->as_it_is ||
        !dl__command_waits_well(command))
        return false;
    /* What is lost whole needs no view, unless there is one to be kept up. */
    if (command->overwritten && dl__view_map_count(mem) == 0)
        return false;
    /* What it writes is scattered at the unmap. */
    command->part_bytes =
        dl__command_part_bytes(bytes) *
        (flags == (CL_MAP_READ | CL_MAP_WRITE) || flags == CL_MAP_WRITE ? 2 : 1);
    if (!dl__view_map(mem, command->queue, &command->wait, flags, offset, bytes,
                      wants_done ? &view->done : NULL, &view->mapped, &view->map,
                      &command->err))
        return false;
    command->overwritten = NULL;
    return true;
}

static void end_map_view(struct dl__command *command, const struct view_map *view,
                         cl_bool blocking, cl_event *event)
    DL__RELEASES(dl__context_at_hand);
static void end_map_view(struct dl__command *command, const struct view_map *view,
                         cl_bool blocking, cl_event *event)
{
    struct dl__context *context = view->mem->object.context;

    command->err =
        dl__command_end_staged(command, blocking ? view->done : NULL, view->done, event);
    if (!view->map || command->err == CL_SUCCESS)
        return;
    dl__context_lock(context);
    dl__view_map_fails(view->mem, view->map);
    dl__context_unlock(context);
}

/* A call that blocked has come back without the lock. */
static void DL__UNCHECKED count_host_map(const struct dl__command *command)
{
    struct dl__context *context = command->queue->object.context;

    if (command->passed)
        dl__context_lock(context);
    command->by_host->residence.host_maps++;
    if (command->passed)
        dl__context_unlock(context);
}

void *CL_API_CALL dl__hook_clEnqueueMapBuffer(cl_command_queue queue, cl_mem handle,
                                              cl_bool blocking, cl_map_flags flags,
                                              size_t offset, size_t bytes,
                                              cl_uint wait_count, const cl_event *wait,
                                              cl_event *event, cl_int *err)
{
    struct dl__mem *record = dl__mem_find(handle), *mem = mapped_mem(record);
    struct view_map view;
    struct dl__command c;
    void *mapped = NULL;
    cl_event *out;
    bool made;

    dl__command_begin(&c, "clEnqueueMapBuffer", queue, wait_count, wait);
    if (!c.queue) {
        mapped = dl__next.clEnqueueMapBuffer(queue, handle, blocking, flags, offset,
                                             bytes, wait_count, wait, event, err);
        if (mem && mapped)
            atomic_fetch_add(&mem->maps, 1);
        dl__command_end(&c);
        return mapped;
    }
    dl__command_is_by_host(&c, record);
    if (flags & CL_MAP_WRITE_INVALIDATE_REGION)
        dl__command_writes_whole(&c, record, offset, bytes);
    c.is_wrong = (flags & CL_MAP_WRITE_INVALIDATE_REGION) &&
                 flags != CL_MAP_WRITE_INVALIDATE_REGION;
    if (map_view(&c, record, flags, offset, bytes, event || blocking, &view)) {
        end_map_view(&c, &view, blocking, event);
        if (err)
            *err = c.err;
        return c.err == CL_SUCCESS ? view.mapped : NULL;
    }
    if (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION))
        dl__command_writes(&c, record);
    else
        dl__command_reads(&c, record);
    out = dl__command_event(&c, blocking, event);
    if (dl__command_goes(&c))
        mapped = dl__next.clEnqueueMapBuffer(
            queue, handle, dl__command_blocking(&c, blocking), flags, offset, bytes,
            c.wait.count, c.wait.list, out, &c.err);
    made = mem && c.err == CL_SUCCESS;
    if (made)
        atomic_fetch_add(&mem->maps, 1);
    if (c.by_host && c.err == CL_SUCCESS)
        count_host_map(&c);
    c.err = dl__command_end_blocking(&c, blocking, out);
    /* What it waited for has failed: it is not mapped. */
    if (made && c.err != CL_SUCCESS) {
        atomic_fetch_sub(&mem->maps, 1);
        dl__context_lock(mem->object.context);
        if (c.by_host)
            mem->residence.host_maps--;
        dl__context_unlock(mem->object.context);
    }
    if (err)
        *err = c.err;
    return c.err == CL_SUCCESS ? mapped : NULL;
}

cl_int CL_API_CALL dl__hook_clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem handle,
                                                    void *mapped, cl_uint wait_count,
                                                    const cl_event *wait, cl_event *event)
{
    struct dl__mem *record = dl__mem_find(handle), *mem = mapped_mem(record), *viewed;
    struct dl__command c;
    cl_event done = NULL;

    dl__command_begin(&c, "clEnqueueUnmapMemObject", queue, wait_count, wait);
    viewed = viewed_mem(&c, record);
    if (viewed && dl__view_unmap(viewed, c.queue, &c.wait, dl__command_waits_well(&c),
                                 mapped, event ? &done : NULL, &c.err))
        return dl__command_end_staged(&c, NULL, done, event);
    if (c.queue)
        dl__mem_use(dl__command_mem(&c, record), c.queue, &c.wait);
    if (dl__command_goes(&c))
        c.err = dl__next.clEnqueueUnmapMemObject(queue, handle, mapped, c.wait.count,
                                                 c.wait.list, event);
    if (mem && c.err == CL_SUCCESS && atomic_load(&mem->maps) > 0)
        atomic_fetch_sub(&mem->maps, 1);
    if (c.queue && mem && c.err == CL_SUCCESS && mem->residence.host_maps > 0)
        mem->residence.host_maps--;
    return dl__command_end(&c);
}
