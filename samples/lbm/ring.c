/* SPDX-License-Identifier: MIT */
/* Slabs on several devices of one context. Planes go from one to the other through the
 * host, or from buffer to buffer: then by way of a small one, since a command of one
 * device on the grid of another would have the driver move all of it. Or they travel
 * while the inner planes are made (post.h). */
#include "lbm/ring.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lbm/post.h"

/* A plane on its way to a neighbour, from buffer to buffer. */
struct parcel {
    cl_mem mem;
    cl_event packed, taken; /* NULL: not yet, or not any more */
};

struct ring {
    struct lbm_slab slabs[LBM_DEVICES_MAX];
    struct parcel parcels[LBM_DEVICES_MAX][2]; /* by the side that they leave on */
    struct lbm_post posts[LBM_DEVICES_MAX];
    int count;
    bool copies, overlaps;
    enum lbm_halo halo; /* where it does neither */
    void *plane;
};

/* ---- from buffer to buffer ---- */

static bool copy_plane(const struct lbm_slab *slab, cl_mem from, size_t from_bytes,
                       cl_mem to, size_t to_bytes, cl_event after, cl_event *done)
{
    const size_t source[3] = {0, 0, from_bytes / slab->plane_bytes},
                 target[3] = {0, 0, to_bytes / slab->plane_bytes};
    const size_t region[3] = {slab->row_bytes, (size_t)slab->whole.size[1], 1};
    bool good =
        sample_cl_ok(clEnqueueCopyBufferRect(slab->queue, from, to, source, target,
                                             region, slab->row_bytes, slab->plane_bytes,
                                             slab->row_bytes, slab->plane_bytes,
                                             after ? 1 : 0, after ? &after : NULL, done),
                     "clEnqueueCopyBufferRect");
    return good && sample_cl_ok(clFlush(slab->queue), "clFlush");
}

static void forget(cl_event *event)
{
    if (*event)
        clReleaseEvent(*event);
    *event = NULL;
}

static bool pack(struct ring *ring, int slab, enum lbm_side side, int step)
{
    const struct lbm_slab *from = &ring->slabs[slab];
    struct parcel *parcel = &ring->parcels[slab][side];
    bool good;
    forget(&parcel->packed);
    good = copy_plane(from, lbm_slab_made(from, step), lbm_slab_edge(from, side),
                      parcel->mem, 0, parcel->taken, &parcel->packed);
    forget(&parcel->taken);
    return good;
}

static bool take(struct ring *ring, int slab, enum lbm_side side, int step)
{
    const struct lbm_slab *to = &ring->slabs[slab];
    int other = (slab + (side == LBM_BELOW ? ring->count - 1 : 1)) % ring->count;
    struct parcel *parcel = &ring->parcels[other][1 - side];
    return copy_plane(to, parcel->mem, 0, lbm_slab_made(to, step),
                      lbm_slab_beyond(to, side), parcel->packed, &parcel->taken);
}

static bool exchange_copies(struct ring *ring, int step)
{
    for (int s = 0; s < ring->count; s++)
        if (!pack(ring, s, LBM_BELOW, step) || !pack(ring, s, LBM_ABOVE, step))
            return false;
    for (int s = 0; s < ring->count; s++)
        if (!take(ring, s, LBM_BELOW, step) || !take(ring, s, LBM_ABOVE, step))
            return false;
    return true;
}

/* ---- through the host ---- */

static bool exchange_by_host(struct ring *ring, int step)
{
    for (int s = 0; s < ring->count; s++) {
        const struct lbm_slab *above = &ring->slabs[(s + 1) % ring->count];
        if (!lbm_slab_get(&ring->slabs[s], step, LBM_ABOVE, ring->halo, ring->plane) ||
            !lbm_slab_put(above, step, LBM_BELOW, ring->halo, ring->plane) ||
            !lbm_slab_get(above, step, LBM_BELOW, ring->halo, ring->plane) ||
            !lbm_slab_put(&ring->slabs[s], step, LBM_ABOVE, ring->halo, ring->plane))
            return false;
    }
    return true;
}

/* ---- while inner planes are made ---- */

/* The planes' way between the posts; each is on its way to the host already. */
static bool bring(struct ring *ring, int step)
{
    for (int s = 0; s < ring->count; s++)
        for (int side = 0; side < 2; side++) {
            int other = (s + (side == LBM_BELOW ? ring->count - 1 : 1)) % ring->count;
            const void *plane = lbm_post_sent(&ring->posts[other], 1 - side, step);
            if (!plane || !lbm_post_bring(&ring->posts[s], side, plane))
                return false;
        }
    return true;
}

static bool take_all(struct ring *ring, int step)
{
    for (int s = 0; s < ring->count; s++)
        if (!lbm_post_take(&ring->posts[s], &ring->slabs[s], step))
            return false;
    return true;
}

/* ---- the run ---- */

static bool finish(const struct ring *ring)
{
    for (int s = 0; s < ring->count; s++)
        if (!sample_cl_ok(clFinish(ring->slabs[s].queue), "clFinish"))
            return false;
    return true;
}

/* Makes all planes of a step; those that travel meanwhile are on the devices when the
 * queues are. */
static bool make_planes(struct ring *ring, int step)
{
    for (int s = 0; s < ring->count; s++)
        if (!(ring->overlaps ? lbm_post_step(&ring->posts[s], &ring->slabs[s], step)
                             : lbm_slab_step(&ring->slabs[s], step)))
            return false;
    return !ring->overlaps || bring(ring, step);
}

static bool exchange(struct ring *ring, int step)
{
    return ring->overlaps ? take_all(ring, step)
           : ring->copies ? exchange_copies(ring, step)
                          : exchange_by_host(ring, step);
}

/* Steps from `first` on; halo_s: what the planes took, where each step is waited for. */
static bool run_steps(struct ring *ring, int first, int step_count, bool waits,
                      double *wall_s, double *halo_s)
{
    double start_s = sample_now_s(), halo_start_s;
    *halo_s = 0;
    for (int step = first; step < first + step_count; step++) {
        if (!make_planes(ring, step) || (waits && !finish(ring)))
            return false;
        halo_start_s = sample_now_s();
        if (!exchange(ring, step) || (waits && !finish(ring)))
            return false;
        *halo_s += sample_now_s() - halo_start_s;
    }
    if (!finish(ring))
        return false;
    *wall_s = sample_now_s() - start_s;
    return true;
}

/* Which part of the time goes into planes, of as many steps more that are each waited
 * for. */
static bool halo_part(struct ring *ring, int step_count, double *out)
{
    double wall_s, halo_s;
    if (!run_steps(ring, step_count, step_count, true, &wall_s, &halo_s))
        return false;
    *out = wall_s > 0 ? halo_s / wall_s : 0;
    return true;
}

static bool read_cells(const struct ring *ring, int step_count, float *cells)
{
    for (int s = 0; s < ring->count; s++)
        if (!lbm_slab_read(&ring->slabs[s], step_count,
                           (char *)cells +
                               ring->slabs[s].plane_bytes * (size_t)ring->slabs[s].first))
            return false;
    return true;
}

static bool make_parcels(struct ring *ring, cl_context context)
{
    cl_int error;
    for (int s = 0; ring->copies && s < ring->count; s++)
        for (int side = 0; side < 2; side++) {
            ring->parcels[s][side].mem = clCreateBuffer(
                context, CL_MEM_READ_WRITE, ring->slabs[s].plane_bytes, NULL, &error);
            if (!sample_cl_ok(error, "clCreateBuffer"))
                return false;
        }
    ring->plane = malloc(ring->slabs[0].plane_bytes);
    if (!ring->plane)
        fputs("out of memory\n", stderr);
    return ring->plane != NULL;
}

static void end_ring(struct ring *ring)
{
    for (int s = 0; s < ring->count; s++) {
        lbm_post_end(&ring->posts[s]);
        lbm_slab_end(&ring->slabs[s]);
        for (int side = 0; side < 2; side++) {
            forget(&ring->parcels[s][side].packed);
            forget(&ring->parcels[s][side].taken);
            if (ring->parcels[s][side].mem)
                clReleaseMemObject(ring->parcels[s][side].mem);
        }
    }
    free(ring->plane);
}

/* 0: as many as there are devices; negative: another word. */
static int slab_count(const char *devices)
{
    char *end;
    long count;
    if (strcmp(devices, "all") == 0)
        return 0;
    count = strtol(devices, &end, 10);
    return *end || *devices < '0' || *devices > '9' || count < 1 ||
                   count > LBM_DEVICES_MAX
               ? -1
               : (int)count;
}

bool lbm_ring_check(const struct lbm_ring_settings *settings)
{
    enum lbm_halo halo;
    int count = slab_count(settings->devices);
    if (count < 0)
        fprintf(stderr, "--devices %s: neither all nor a number from 1 to %d\n",
                settings->devices, LBM_DEVICES_MAX);
    else if (count > settings->grid.size[2])
        fprintf(stderr, "--devices %d: more than %d planes\n", count,
                settings->grid.size[2]);
    else if (strcmp(settings->halo, "copy") == 0 ||
             strcmp(settings->halo, "overlap") == 0 ||
             lbm_halo_find(settings->halo, &halo))
        return true;
    else
        fprintf(stderr, "--halo %s: neither overlap, copy, read, rect nor map\n",
                settings->halo);
    return false;
}

bool lbm_ring_run(const struct lbm_ring_settings *settings, float *cells, double *wall_s,
                  double *halo_s)
{
    struct ring ring = {.copies = strcmp(settings->halo, "copy") == 0,
                        .overlaps = strcmp(settings->halo, "overlap") == 0};
    cl_device_id devices[LBM_DEVICES_MAX];
    cl_uint device_count = LBM_DEVICES_MAX;
    int wanted = slab_count(settings->devices);
    cl_program program = NULL;
    cl_context context;
    double unused, part = 0;
    bool done = false;
    cl_int error;
    lbm_halo_find(settings->halo, &ring.halo);
    if (!sample_cl_devices(settings->device, devices, &device_count))
        return false;
    if (wanted == 0)
        wanted = (int)device_count;
    if (wanted > settings->grid.size[2])
        wanted = settings->grid.size[2];
    if (device_count > (cl_uint)wanted)
        device_count = (cl_uint)wanted;
    context = clCreateContext(NULL, device_count, devices, NULL, NULL, &error);
    if (!sample_cl_ok(error, "clCreateContext"))
        return false;
    program = lbm_slab_program(context, devices, device_count, settings->kernel_file,
                               settings->flat);
    if (!program)
        goto out;
    while (ring.count < wanted) {
        int s = ring.count++;
        if (!lbm_slab_make(context, devices[s % (int)device_count], program,
                           &settings->grid, wanted, s, &ring.slabs[s]) ||
            (ring.overlaps && !lbm_post_make(context, devices[s % (int)device_count],
                                             &ring.slabs[s], &ring.posts[s])))
            goto out;
    }
    /* As sample_run_steps: once ahead, so that compilers and caches are warm; the first
     * step makes the same again. */
    if (!make_parcels(&ring, context) ||
        !run_steps(&ring, 0, 1, true, &unused, &unused) ||
        !run_steps(&ring, 0, settings->step_count, false, wall_s, &unused) ||
        !read_cells(&ring, settings->step_count, cells) ||
        (settings->profile && !halo_part(&ring, settings->step_count, &part)))
        goto out;
    *halo_s = part * *wall_s;
    done = true;
out:
    end_ring(&ring);
    if (program)
        clReleaseProgram(program);
    clReleaseContext(context);
    return done;
}
