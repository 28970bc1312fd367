/* SPDX-License-Identifier: MIT */
/* What a launch could gain. */
#include "advise.h"

#include <stdlib.h>

#include "bind.h"
#include "choose.h"
#include "libdl_intercept/policy/estimate.h"
#include "libdl_intercept/programs/rates.h"
#include "libdl_intercept/reports/advice.h"
#include "libdl_intercept/state/contexts.h"

/* The members that the accesses name, each once, in the order of the text. */
static void add_members(const struct dl_rates *rates,
                        const struct dl__estimated_buffer *estimated, double items,
                        struct dl__advised_buffer *out)
{
    for (size_t f = 0; f < estimated->fact_count; f++) {
        const struct dl_access_fact *fact = &estimated->facts[f];
        struct dl__advised_member *member;
        double used, fetched = dl__estimate_access(rates, estimated, f, &used);
        size_t m = 0;

        while (m < out->member_count && (out->members[m].offset != fact->offset ||
                                         out->members[m].bytes != fact->bytes))
            m++;
        if (m == DL__ADVISED_MEMBERS_MAX)
            continue;
        member = &out->members[m];
        if (m == out->member_count) {
            *member = (struct dl__advised_member){fact->offset, fact->bytes, 0, 0};
            out->member_count++;
        }
        member->used += items * used;
        member->fetched += items * fetched;
    }
}

void dl__advise(struct dl__kernel *kernel, struct dl__queue *queue,
                const struct dl__ndrange *range)
{
    const struct dl_kernel_note *note = kernel->note;
    struct dl__advised_buffer *advised = NULL;
    struct dl__estimated_buffer *estimated = NULL;
    struct dl__estimate estimate;
    struct dl_rates rates;
    double work = 1;
    struct dl__device *device = dl__context_device(queue->object.context, queue->device);

    if (!note->detected || !device || range->work_dim < 1 || range->work_dim > 3 ||
        !range->global || !dl__plan_widths(kernel, range))
        return;
    advised = calloc(note->buffer_count, sizeof *advised);
    estimated = calloc(note->buffer_count, sizeof *estimated);
    if (!advised || !estimated)
        goto out;
    dl__device_rates(device->id, !(device->type & CL_DEVICE_TYPE_GPU), &rates);
    for (cl_uint d = 0; d < range->work_dim; d++)
        work *= (double)range->global[d];
    for (size_t b = 0; b < note->buffer_count; b++) {
        const struct dl_buffer_note *own = &note->buffers[b];
        const struct dl__mem *mem = dl__buffer_root(kernel, range->mems, b);
        struct dl__traffic traffic;
        double items;

        estimated[b] = dl__estimated_buffer(
            kernel, b, mem ? mem->bytes / dl__kernel_leaves(kernel, b)->struct_bytes : 0);
        items = (double)estimated[b].structs < work ? (double)estimated[b].structs : work;
        dl__estimate_traffic(&rates, &estimated[b], &traffic);
        advised[b].annotation = own->found ? own->found : own->name;
        advised[b].arrays = own->arrays;
        advised[b].struct_bytes = estimated[b].struct_bytes;
        advised[b].native = items * traffic.native;
        advised[b].apart = items * traffic.apart;
        add_members(&rates, &estimated[b], items, &advised[b]);
    }
    dl__estimate_launch(&rates, estimated, note->buffer_count, work, &estimate);
    /* What is fast there: tiles on GPUs, arrays on CPUs. */
    dl__advice_launch(kernel->name, estimate.of[rates.is_cpu ? DL__DA : DL__ASTA].speedup,
                      rates.is_cpu ? "discrete arrays (--layout da)" : "tiles", advised,
                      note->buffer_count);
out:
    free(advised);
    free(estimated);
}
