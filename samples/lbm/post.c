/* SPDX-License-Identifier: MIT */
/* Planes that travel while a slab's inner planes are made. */
#include "lbm/post.h"

#include <string.h>

static void forget(cl_event *event)
{
    if (*event)
        clReleaseEvent(*event);
    *event = NULL;
}

/* ---- making one ---- */

static bool make_parcel(cl_context context, cl_command_queue queue, size_t plane_bytes,
                        struct lbm_parcel *out)
{
    cl_int error;
    out->mem = clCreateBuffer(context, CL_MEM_READ_WRITE, plane_bytes, NULL, &error);
    if (!sample_cl_ok(error, "clCreateBuffer"))
        return false;
    out->pinned =
        clCreateBuffer(context, CL_MEM_ALLOC_HOST_PTR, 2 * plane_bytes, NULL, &error);
    if (!sample_cl_ok(error, "clCreateBuffer"))
        return false;
    out->planes =
        clEnqueueMapBuffer(queue, out->pinned, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                           2 * plane_bytes, 0, NULL, NULL, &error);
    return sample_cl_ok(error, "clEnqueueMapBuffer");
}

bool lbm_post_make(cl_context context, cl_device_id device, const struct lbm_slab *slab,
                   struct lbm_post *out)
{
    cl_int error;
    *out = (struct lbm_post){.queue = clCreateCommandQueue(context, device, 0, &error),
                             .plane_bytes = slab->plane_bytes};
    if (!sample_cl_ok(error, "clCreateCommandQueue"))
        return false;
    for (int side = 0; side < 2; side++)
        if (!make_parcel(context, out->queue, slab->plane_bytes, &out->out[side]) ||
            !make_parcel(context, out->queue, slab->plane_bytes, &out->in[side]))
            return false;
    return true;
}

static void end_parcel(cl_command_queue queue, struct lbm_parcel *parcel)
{
    forget(&parcel->ready);
    if (parcel->planes)
        clEnqueueUnmapMemObject(queue, parcel->pinned, parcel->planes, 0, NULL, NULL);
    if (parcel->pinned)
        clReleaseMemObject(parcel->pinned);
    if (parcel->mem)
        clReleaseMemObject(parcel->mem);
}

void lbm_post_end(struct lbm_post *post)
{
    if (post->queue) {
        clFinish(post->queue);
        for (int side = 0; side < 2; side++) {
            end_parcel(post->queue, &post->out[side]);
            end_parcel(post->queue, &post->in[side]);
        }
        clFinish(post->queue);
        clReleaseCommandQueue(post->queue);
    }
    memset(post, 0, sizeof *post);
}

/* ---- a step ---- */

static bool copy_plane(const struct lbm_slab *slab, cl_mem from, size_t from_bytes,
                       cl_mem to, size_t to_bytes, cl_event after, cl_event *done)
{
    const size_t source[3] = {0, 0, from_bytes / slab->plane_bytes},
                 target[3] = {0, 0, to_bytes / slab->plane_bytes};
    const size_t region[3] = {slab->row_bytes, (size_t)slab->whole.size[1], 1};
    return sample_cl_ok(clEnqueueCopyBufferRect(slab->queue, from, to, source, target,
                                                region, slab->row_bytes,
                                                slab->plane_bytes, slab->row_bytes,
                                                slab->plane_bytes, after ? 1 : 0,
                                                after ? &after : NULL, done),
                        "clEnqueueCopyBufferRect");
}

/* The edges, and from them to the parcels. What left a parcel before is on the host:
 * lbm_post_sent has waited for it. */
static bool make_edges(struct lbm_post *post, const struct lbm_slab *slab, int step)
{
    if (!lbm_slab_step_planes(slab, step, 1, 1) ||
        (slab->planes > 1 && !lbm_slab_step_planes(slab, step, slab->planes, 1)))
        return false;
    for (int side = 0; side < 2; side++) {
        struct lbm_parcel *parcel = &post->out[side];
        forget(&parcel->ready);
        if (!copy_plane(slab, lbm_slab_made(slab, step), lbm_slab_edge(slab, side),
                        parcel->mem, 0, NULL, &parcel->ready))
            return false;
    }
    return sample_cl_ok(clFlush(slab->queue), "clFlush");
}

/* Where the edge that a step makes is on the host. */
static char *sent_plane(const struct lbm_post *post, enum lbm_side side, int step)
{
    return post->out[side].planes + (size_t)(step % 2) * post->plane_bytes;
}

static bool send(struct lbm_post *post, int step)
{
    for (int side = 0; side < 2; side++) {
        struct lbm_parcel *parcel = &post->out[side];
        cl_event packed = parcel->ready;
        bool sent;
        parcel->ready = NULL;
        sent = sample_cl_ok(
            clEnqueueReadBuffer(post->queue, parcel->mem, CL_FALSE, 0, post->plane_bytes,
                                sent_plane(post, side, step), 1, &packed, &parcel->ready),
            "clEnqueueReadBuffer");
        forget(&packed);
        if (!sent)
            return false;
    }
    return sample_cl_ok(clFlush(post->queue), "clFlush");
}

bool lbm_post_step(struct lbm_post *post, const struct lbm_slab *slab, int step)
{
    return make_edges(post, slab, step) && send(post, step) &&
           (slab->planes < 3 || lbm_slab_step_planes(slab, step, 2, slab->planes - 2)) &&
           sample_cl_ok(clFlush(slab->queue), "clFlush");
}

const void *lbm_post_sent(const struct lbm_post *post, enum lbm_side side, int step)
{
    return sample_cl_ok(clWaitForEvents(1, &post->out[side].ready), "clWaitForEvents")
               ? sent_plane(post, side, step)
               : NULL;
}

void *lbm_post_room(const struct lbm_post *post, enum lbm_side side)
{
    return post->in[side].planes;
}

bool lbm_post_bring(struct lbm_post *post, enum lbm_side side, const void *plane)
{
    struct lbm_parcel *parcel = &post->in[side];
    cl_event taken = parcel->ready;
    bool sent;
    parcel->ready = NULL;
    sent = sample_cl_ok(clEnqueueWriteBuffer(post->queue, parcel->mem, CL_FALSE, 0,
                                             post->plane_bytes, plane, taken ? 1 : 0,
                                             taken ? &taken : NULL, &parcel->ready),
                        "clEnqueueWriteBuffer") &&
           sample_cl_ok(clFlush(post->queue), "clFlush");
    forget(&taken);
    return sent;
}

bool lbm_post_take(struct lbm_post *post, const struct lbm_slab *slab, int step)
{
    for (int side = 0; side < 2; side++) {
        struct lbm_parcel *parcel = &post->in[side];
        cl_event arrived = parcel->ready;
        bool taken;
        parcel->ready = NULL;
        taken = copy_plane(slab, parcel->mem, 0, lbm_slab_made(slab, step),
                           lbm_slab_beyond(slab, side), arrived, &parcel->ready);
        forget(&arrived);
        if (!taken)
            return false;
    }
    return sample_cl_ok(clFlush(slab->queue), "clFlush");
}
