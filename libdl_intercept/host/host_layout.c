/* SPDX-License-Identifier: MIT */
/* Having buffers in the layout that the host wants them in. */
#include "host_layout.h"

#include <stdlib.h>

#include "libdl_intercept/base/log.h"

/* What is kept with a buffer that the host wants in a layout of its own. */
struct host_layout {
    struct dl__kept kept;
    struct dl_layout layout DL__UNDER_LOCK;
    struct dl_leaf_table leaves DL__UNDER_LOCK;
    struct dl__move written DL__UNDER_LOCK; /* prepared for a write of the whole buffer */
    struct dl_leaf_table written_leaves DL__UNDER_LOCK;
};

static void end_host_layout(void *mem, void *kept)
{
    struct host_layout *host = kept;

    (void)mem;
    dl_leaf_table_free(&host->leaves);
    dl_leaf_table_free(&host->written_leaves);
}

static const struct dl__keeper keeper = {.bytes = sizeof(struct host_layout),
                                         .end = end_host_layout};

cl_int dl__mem_set_host(struct dl__mem *mem, struct dl_layout layout,
                        struct dl_leaf_table *leaves)
{
    struct host_layout *host = layout.kind == DL_LAYOUT_AOS ? dl__kept_find(mem, &keeper)
                                                            : dl__kept_get(mem, &keeper);

    if (!host)
        return layout.kind == DL_LAYOUT_AOS ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    end_host_layout(mem, host);
    host->layout = layout;
    host->leaves = *leaves;
    host->written = (struct dl__move){0};
    host->written_leaves = (struct dl_leaf_table){0};
    *leaves = (struct dl_leaf_table){0};
    mem->residence.host_wants = layout.kind != DL_LAYOUT_AOS;
    return CL_SUCCESS;
}

/* A move to the layout, prepared. */
static DL__WITH_LOCK cl_int prepare(struct dl__mem *mem, struct dl__queue *queue,
                                    struct dl_layout layout,
                                    const struct dl_leaf_table *leaves,
                                    struct dl__move *move)
{
    const char *reason = mem->object.context->pinned
                             ? "commands that DL can't see may use it"
                             : dl__mem_refusal(mem);

    *move = (struct dl__move){.mem = mem,
                              .layout = layout,
                              .leaves = leaves,
                              .structs = mem->bytes / leaves->struct_bytes};
    if (dl__mem_is_there(mem, layout, leaves))
        return CL_SUCCESS;
    if (!reason && dl__move_prepare(move, queue, &reason))
        return CL_SUCCESS;
    dl__log(DL__LOG_REMARK, "buffer %u can't be converted to %s: %s", mem->id,
            dl_layout_name(layout.kind), reason);
    return CL_INVALID_OPERATION;
}

cl_int dl__mem_convert(struct dl__mem *mem, struct dl__queue *queue,
                       struct dl_layout layout, const struct dl_leaf_table *leaves)
{
    struct dl__move move;
    cl_int err;

    if (mem->order.lost)
        return CL_OUT_OF_RESOURCES;
    err = prepare(mem, queue, layout, leaves, &move);
    return err == CL_SUCCESS ? dl__move_enqueue(&move, queue) : err;
}

cl_int dl__mem_to_host(struct dl__mem *mem, struct dl__queue *queue)
{
    const struct host_layout *host = dl__kept_find(mem, &keeper);

    return dl__mem_convert(mem, queue, host->layout, &host->leaves);
}

cl_int dl__mem_prepare_host(struct dl__mem *mem, struct dl__queue *queue)
{
    struct host_layout *host = dl__kept_find(mem, &keeper);
    bool lost = mem->order.lost;
    cl_int err;

    /* What is lost is overwritten. */
    mem->order.lost = false;
    err = prepare(mem, queue, host->layout, &host->leaves, &host->written);
    mem->order.lost = lost;
    dl_leaf_table_free(&host->written_leaves);
    if (err == CL_SUCCESS && host->written.needed &&
        dl_leaf_table_copy(&host->leaves, &host->written_leaves) != DL_OK)
        err = CL_OUT_OF_HOST_MEMORY;
    return err;
}

void dl__mem_written_by_host(struct dl__mem *mem)
{
    struct host_layout *host = dl__kept_find(mem, &keeper);

    dl__mem_drop_rest(mem);
    if (!host->written.needed)
        return;
    dl__move_done_by_host(&host->written, &host->written_leaves);
    host->written_leaves = (struct dl_leaf_table){0};
}
