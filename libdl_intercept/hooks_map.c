/* Hooks of maps and unmaps. A buffer that is mapped stays in the program's layout. */
#include "command.h"
#include "hooks.h"

/* Maps count in every context: one may outlive the building of an annotated program. */
static struct dl__mem *mapped_mem(cl_mem handle)
{
    struct dl__mem *mem = dl__mem_find(handle);

    return mem && mem->kind != DL__BUFFER_IMAGE ? dl__mem_root(mem) : NULL;
}

void *CL_API_CALL dl__hook_clEnqueueMapBuffer(cl_command_queue queue, cl_mem handle,
                                              cl_bool blocking, cl_map_flags flags,
                                              size_t offset, size_t bytes,
                                              cl_uint wait_count, const cl_event *wait,
                                              cl_event *event, cl_int *err)
{
    struct dl__mem *mem = mapped_mem(handle);
    struct dl__command c;
    void *mapped = NULL;
    cl_event *out;

    dl__command_begin(&c, "clEnqueueMapBuffer", queue, wait_count, wait);
    if (!c.queue) {
        mapped = dl__next.clEnqueueMapBuffer(queue, handle, blocking, flags, offset,
                                             bytes, wait_count, wait, event, err);
        if (mem && mapped)
            atomic_fetch_add(&mem->maps, 1);
        dl__command_end(&c);
        return mapped;
    }
    dl__command_is_by_host(&c, handle);
    if (flags & CL_MAP_WRITE_INVALIDATE_REGION)
        dl__command_writes_whole(&c, handle, offset, bytes);
    if (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION))
        dl__command_writes(&c, handle);
    else
        dl__command_reads(&c, handle);
    out = dl__command_event(&c, blocking, event);
    if (dl__command_goes(&c))
        mapped =
            dl__next.clEnqueueMapBuffer(queue, handle, CL_FALSE, flags, offset, bytes,
                                        c.wait.count, c.wait.list, out, &c.err);
    if (mem && c.err == CL_SUCCESS)
        atomic_fetch_add(&mem->maps, 1);
    if (c.by_host && c.err == CL_SUCCESS)
        c.by_host->host_maps++;
    c.err = dl__command_end_blocking(&c, blocking, out);
    if (err)
        *err = c.err;
    return c.err == CL_SUCCESS ? mapped : NULL;
}

cl_int CL_API_CALL dl__hook_clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem handle,
                                                    void *mapped, cl_uint wait_count,
                                                    const cl_event *wait, cl_event *event)
{
    struct dl__mem *mem = mapped_mem(handle);
    struct dl__command c;

    dl__command_begin(&c, "clEnqueueUnmapMemObject", queue, wait_count, wait);
    if (c.queue)
        dl__mem_use(dl__command_mem(&c, handle), c.queue, &c.wait);
    if (dl__command_goes(&c))
        c.err = dl__next.clEnqueueUnmapMemObject(queue, handle, mapped, c.wait.count,
                                                 c.wait.list, event);
    if (mem && c.err == CL_SUCCESS && atomic_load(&mem->maps) > 0)
        atomic_fetch_sub(&mem->maps, 1);
    if (c.queue && mem && c.err == CL_SUCCESS && mem->host_maps > 0)
        mem->host_maps--;
    return dl__command_end(&c);
}
