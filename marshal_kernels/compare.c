/* SPDX-License-Identifier: MIT */
/* Comparing two buffers on the device. */
#include "internal.h"
#include "layout/arith.h"

enum {
    GROUP_ITEMS = 256,
    ITEMS_MAX = 1 << 18,
    ITEMS_MAX_CPU = 1 << 15, /* PoCL compiles for 65536 and more, and for fewer */
    WORD_BYTES = 4,
    ITEM_BYTES = 16
};

extern const char dl_compare_cl[];
static const struct dl__kernel_source source = {{dl_compare_cl}};

uint64_t dl_marshal_compare_bytes(uint64_t bytes, uint32_t struct_bytes)
{
    return dl__round_up(bytes, WORD_BYTES) +
           dl__round_up(struct_bytes ? struct_bytes : 1, WORD_BYTES);
}

/* With the lock held.
 *   struct_bytes  0: it tells only whether they differ */
static enum dl_status make_run(struct dl_marshal *marshal, uint64_t bytes,
                               uint32_t struct_bytes, struct dl__run *out)
{
    const char *name = struct_bytes ? "dl_differences" : "dl_compare";
    uint64_t most = marshal->engine.limits.is_cpu ? ITEMS_MAX_CPU : ITEMS_MAX,
             items = bytes / ITEM_BYTES + 1;
    enum dl_status st;

    *out =
        (struct dl__run){.name = name, .reads_only = true, .can_idle = true, .dims = 1};
    dl__run_add_buffer(out);
    dl__run_add_ulong(out, bytes);
    dl__run_add_workspace(out);
    if (struct_bytes)
        dl__run_add_value(out, &(cl_uint){struct_bytes}, sizeof(cl_uint));
    st = dl__engine_kernel(&marshal->engine, &source, "", name, &out->kernel, NULL);
    if (st != DL_OK)
        return st;
    out->local[0] =
        dl__engine_group_items(&marshal->engine, out->kernel, GROUP_ITEMS, GROUP_ITEMS);
    out->global[0] = (size_t)dl__round_up(items < most ? items : most, out->local[0]);
    return DL_OK;
}

enum dl_status dl_marshal_compare_prepare(struct dl_marshal *marshal,
                                          uint32_t struct_bytes)
{
    struct dl__run run;
    enum dl_status st;

    pthread_mutex_lock(&marshal->engine.lock);
    st = make_run(marshal, 0, struct_bytes, &run);
    if (st == DL_OK)
        dl__marshal_warm(marshal, &run, 1);
    pthread_mutex_unlock(&marshal->engine.lock);
    return st;
}

/* Has the answer, of so many bytes, behind the second buffer. */
static enum dl_status compare(struct dl_marshal *marshal, cl_command_queue queue,
                              cl_mem mem, cl_mem other, uint64_t bytes,
                              uint32_t struct_bytes, void *answer, size_t answer_bytes)
{
    const cl_icd_dispatch *cl = marshal->opencl.cl;
    const size_t answer_at = (size_t)dl__round_up(bytes, WORD_BYTES);
    const struct dl__run_place place = {mem, other, 0};
    const cl_uint no = 0;
    struct dl__run run;
    cl_event cleared = NULL, done = NULL;
    struct dl__device_order order = {1, &cleared, &done};
    enum dl_status st;
    cl_int err;

    pthread_mutex_lock(&marshal->engine.lock);
    st = make_run(marshal, bytes, struct_bytes, &run);
    if (st != DL_OK)
        goto out;
    err = cl->clEnqueueFillBuffer(queue, other, &no, sizeof no, answer_at,
                                  (size_t)dl__round_up(answer_bytes, WORD_BYTES), 0, NULL,
                                  &cleared);
    if (err == CL_SUCCESS)
        err = dl__run_enqueue(&marshal->engine, queue, &run, &place, &order);
    if (err == CL_SUCCESS)
        err = cl->clEnqueueReadBuffer(queue, other, CL_TRUE, answer_at, answer_bytes,
                                      answer, 1, &done, NULL);
    if (cleared)
        cl->clReleaseEvent(cleared);
    if (done)
        cl->clReleaseEvent(done);
    st = dl__status_of_cl(err);
out:
    pthread_mutex_unlock(&marshal->engine.lock);
    return st;
}

enum dl_status dl_marshal_compare(struct dl_marshal *marshal, cl_command_queue queue,
                                  cl_mem mem, cl_mem other, uint64_t bytes, bool *differ)
{
    cl_uint answer = 0;
    enum dl_status st =
        compare(marshal, queue, mem, other, bytes, 0, &answer, sizeof answer);

    if (st == DL_OK)
        *differ = answer != 0;
    return st;
}

enum dl_status dl_marshal_differences(struct dl_marshal *marshal, cl_command_queue queue,
                                      cl_mem mem, cl_mem other, uint64_t bytes,
                                      uint32_t struct_bytes, unsigned char *differ)
{
    return compare(marshal, queue, mem, other, bytes, struct_bytes, differ, struct_bytes);
}
