/* SPDX-License-Identifier: MIT */
/* Hooks of commands by which the host looks into buffers. Each says which buffers it
 * reads and writes; those are brought back to the program's layout first, unless the
 * command overwrites them whole, or goes through a staging area. */
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/host/maps.h"
#include "libdl_intercept/host/staged.h"
#include "libdl_intercept/state/buffers.h"
#include "libdl_intercept/state/callouts.h"
#include "command.h"
#include "hooks.h"

/* ---- host transfers ---- */

cl_int CL_API_CALL dl__hook_clEnqueueReadBuffer(cl_command_queue queue, cl_mem mem,
                                                cl_bool blocking, size_t offset,
                                                size_t bytes, void *host,
                                                cl_uint wait_count, const cl_event *wait,
                                                cl_event *event)
{
    struct dl__command c;
    struct dl__mem *record;
    cl_event *out;

    dl__command_begin(&c, "clEnqueueReadBuffer", queue, wait_count, wait);
    record = dl__command_find(&c, mem);
    dl__command_checks_host(&c, record, CL_MEM_HOST_WRITE_ONLY);
    if (dl__command_is_staged(&c, record, bytes)) {
        cl_event done = NULL;

        if (dl__staged_read(dl__command_mem(&c, record), c.queue, &c.wait, offset, bytes,
                            host, event || blocking ? &done : NULL))
            return dl__command_end_staged(&c, blocking ? done : NULL, done, event);
    }
    dl__command_reads(&c, record);
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
    struct dl__mem *record;
    cl_event *out;

    dl__command_begin(&c, "clEnqueueWriteBuffer", queue, wait_count, wait);
    record = dl__command_find(&c, mem);
    dl__command_shows(&c, record);
    dl__command_checks_host(&c, record, CL_MEM_HOST_READ_ONLY);
    dl__command_writes_whole(&c, record, offset, bytes);
    c.is_wrong = !host;
    if (!c.overwritten && dl__command_is_staged(&c, record, bytes)) {
        cl_event done = NULL;

        if (dl__staged_write(dl__command_mem(&c, record), c.queue, &c.wait, offset, bytes,
                             host, event || blocking ? &done : NULL))
            return dl__command_end_staged(&c, blocking ? done : NULL, done, event);
    }
    dl__command_writes(&c, record);
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
    struct dl__mem *record;
    cl_event *out;

    dl__command_begin(&c, "clEnqueueReadBufferRect", queue, wait_count, wait);
    record = dl__command_find(&c, mem);
    dl__command_checks_host(&c, record, CL_MEM_HOST_WRITE_ONLY);
    if (dl__command_is_staged(&c, record, dl__command_region_bytes(region))) {
        const struct dl__rect rect = {origin, row, slice},
                              host_rect = {host_origin, host_row, host_slice};
        cl_event done = NULL;

        if (dl__staged_read_rect(dl__command_mem(&c, record), c.queue, &c.wait, region,
                                 rect, host_rect, host, event || blocking ? &done : NULL))
            return dl__command_end_staged(&c, blocking ? done : NULL, done, event);
    }
    dl__command_reads(&c, record);
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
    struct dl__mem *record;
    cl_event *out;

    dl__command_begin(&c, "clEnqueueWriteBufferRect", queue, wait_count, wait);
    record = dl__command_find(&c, mem);
    dl__command_shows(&c, record);
    dl__command_checks_host(&c, record, CL_MEM_HOST_READ_ONLY);
    if (dl__command_is_staged(&c, record, dl__command_region_bytes(region))) {
        const struct dl__rect rect = {origin, row, slice},
                              host_rect = {host_origin, host_row, host_slice};
        cl_event done = NULL;

        if (dl__staged_write_rect(dl__command_mem(&c, record), c.queue, &c.wait, region,
                                  rect, host_rect, host,
                                  event || blocking ? &done : NULL))
            return dl__command_end_staged(&c, blocking ? done : NULL, done, event);
    }
    dl__command_writes(&c, record);
    out = dl__command_event(&c, blocking, event);
    if (dl__command_goes(&c))
        c.err = dl__next.clEnqueueWriteBufferRect(
            queue, mem, dl__command_blocking(&c, blocking), origin, host_origin, region,
            row, slice, host_row, host_slice, host, c.wait.count, c.wait.list, out);
    return dl__command_end_blocking(&c, blocking, out);
}

/* ---- the rest ---- */

cl_int CL_API_CALL dl__hook_clEnqueueMigrateMemObjects(
    cl_command_queue queue, cl_uint mem_count, const cl_mem *mems,
    cl_mem_migration_flags flags, cl_uint wait_count, const cl_event *wait,
    cl_event *event)
{
    struct dl__command c;

    dl__command_begin(&c, "clEnqueueMigrateMemObjects", queue, wait_count, wait);
    /* Where the bytes are is not what they mean: tiles migrate as well as structs. */
    for (cl_uint i = 0; c.queue && mems && i < mem_count; i++) {
        struct dl__mem *record = dl__command_find(&c, mems[i]);

        if (c.as_it_is)
            dl__command_reads(&c, record);
        else
            dl__mem_use(dl__command_mem(&c, record), c.queue, &c.wait);
    }
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
    cl_event own = NULL;

    dl__command_begin(&c, "clEnqueueNativeKernel", queue, wait_count, wait);
    for (cl_uint i = 0; mems && i < mem_count; i++)
        dl__command_writes(&c, dl__command_find(&c, mems[i]));
    if (c.queue && !event)
        event = &own;
    if (dl__command_goes(&c)) {
        c.err = dl__next.clEnqueueNativeKernel(queue, function, args, args_bytes,
                                               mem_count, mems, mem_places, c.wait.count,
                                               c.wait.list, event);
        if (c.queue && c.err == CL_SUCCESS)
            dl__callout_begin(*event);
        for (cl_uint i = 0; mems && c.queue && c.err == CL_SUCCESS && i < mem_count; i++)
            dl__view_renew(dl__command_mem(&c, dl__mem_find(mems[i])), c.queue, false,
                           &c.shown);
    }
    if (own)
        dl__next.clReleaseEvent(own);
    return dl__command_end(&c);
}
