/* SPDX-License-Identifier: MIT */
/* Jobs of the builder: how they are written down, and what it does. */
#include "jobs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "libdl_intercept/base/next.h"
#include "libdl_intercept/state/contexts.h"
#include "cache.h"
#include "programs.h"
#include "rates.h"
#include "shadow.h"
#include "unit_pack.h"
#include "unit_proof.h"

enum {
    PLATFORMS_MAX = 16,
    DEVICES_MAX = 64,
    UNITS_MAX = 4096,
    LEAVES_MAX = 1 << 20,
    LOWEST_PRIORITY = 19
};

/* ---- written down ---- */

/* All that tells one device from another that wants other binaries. */
static void pack_device(struct dl__pack *job, cl_device_id device)
{
    struct dl__pack name;

    job->failed = !dl__cache_key_begin(&name, "device", device) || job->failed;
    dl__pack_bytes(job, name.data, name.bytes);
    dl__pack_free(&name);
}

void dl__job_pack_text(struct dl__pack *job, const void *user)
{
    const struct dl__text_wanted *wanted = user;

    dl__pack_number(job, DL__JOB_TEXT);
    pack_device(job, wanted->device);
    dl__unit_pack(job, wanted->unit, false);
}

void dl__job_pack_shadow(struct dl__pack *job, const void *user)
{
    const struct dl__shadow_wanted *wanted = user;
    const struct dl__rewrite *rewrite = wanted->rewrite;

    dl__pack_number(job, DL__JOB_SHADOW);
    pack_device(job, wanted->device);
    dl__pack_text(job, wanted->knobs.layout.text);
    dl__pack_number(job, wanted->knobs.index_64);
    dl__pack_number(job, wanted->knobs.arrays);
    dl__pack_number(job, wanted->knobs.coalesced);
    dl__pack_number(job, wanted->knobs.group_items);
    dl__pack_number(job, wanted->knobs.large_local);
    dl__pack_number(job, rewrite->linked);
    dl__pack_text(job, rewrite->link_options);
    dl__pack_number(job, rewrite->unit_count);
    /* The builder reads what a unit of its own includes. Of others it is part of the shadow's key. */
    for (size_t u = 0; u < rewrite->unit_count; u++)
        dl__unit_pack(job, rewrite->units[u], !rewrite->units[u]->wanted);
}

void dl__job_pack_move(struct dl__pack *job, const void *user)
{
    const struct dl__move_wanted *wanted = user;

    dl__pack_number(job, DL__JOB_MOVE);
    pack_device(job, wanted->device);
    dl__pack_number(job, wanted->structs);
    dl__pack_number(job, wanted->bytes);
    dl__pack_number(job, wanted->layout.kind);
    dl__pack_number(job, wanted->layout.tile_structs);
    dl__pack_bytes(job, &wanted->layout.grid,
                   wanted->layout.kind == DL_LAYOUT_GRID ? sizeof wanted->layout.grid
                                                         : 0);
    dl__pack_number(job, wanted->leaves.struct_bytes);
    dl__pack_number(job, wanted->leaves.arrays);
    dl__pack_bytes(job, wanted->leaves.leaves,
                   wanted->leaves.leaf_count * sizeof *wanted->leaves.leaves);
}

/* ---- the builder's own device and context ---- */

static bool is_named(cl_device_id device, const unsigned char *name, size_t bytes)
{
    struct dl__pack own;
    bool same = dl__cache_key_begin(&own, "device", device) && own.bytes == bytes &&
                memcmp(own.data, name, bytes) == 0;

    dl__pack_free(&own);
    return same;
}

/* NULL: the builder has no such device. */
static cl_device_id find_device(struct dl__unpack *job)
{
    size_t bytes;
    const unsigned char *name = dl__unpack_bytes(job, &bytes);
    cl_platform_id platforms[PLATFORMS_MAX];
    cl_uint platform_count = 0;

    if (!name || dl__next.clGetPlatformIDs(PLATFORMS_MAX, platforms, &platform_count) !=
                     CL_SUCCESS)
        return NULL;
    for (cl_uint p = 0; p < platform_count && p < PLATFORMS_MAX; p++) {
        cl_device_id devices[DEVICES_MAX];
        cl_uint count = 0;

        if (dl__next.clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, DEVICES_MAX,
                                    devices, &count) != CL_SUCCESS)
            continue;
        for (cl_uint d = 0; d < count && d < DEVICES_MAX; d++)
            if (is_named(devices[d], name, bytes))
                return devices[d];
    }
    return NULL;
}

/* One for each device, as old as the builder. NULL: none to be had. */
static struct dl__context *context_of(cl_device_id device)
{
    static struct {
        cl_device_id device;
        struct dl__context *context;
    } made[DEVICES_MAX];
    static size_t count;
    cl_context handle;
    cl_int err;

    for (size_t m = 0; m < count; m++)
        if (made[m].device == device)
            return made[m].context;
    if (count == DEVICES_MAX)
        return NULL;
    handle = dl__next.clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    if (err != CL_SUCCESS)
        return NULL;
    made[count].device = device;
    made[count].context = dl__context_make(handle);
    return made[count++].context;
}

/* ---- done ---- */

static void do_text(struct dl__unpack *job, struct dl__context *context,
                    cl_device_id device)
{
    struct dl__unit *unit = dl__unit_unpack(job);

    if (unit)
        dl__unit_annotate(unit, context, device);
    dl__unit_release(unit);
}

/* False: it is damaged. */
static bool unpack_grid(struct dl__unpack *job, struct dl_layout *layout)
{
    size_t bytes;
    const unsigned char *from = dl__unpack_bytes(job, &bytes);

    if (layout->kind != DL_LAYOUT_GRID)
        return from && !bytes;
    if (!from || bytes != sizeof layout->grid)
        return false;
    memcpy(&layout->grid, from, bytes);
    return !dl_grid_check(&layout->grid.grid) &&
           !dl_grid_layout_check(&layout->grid.layout, layout->grid.grid.dim_count);
}

static void do_move(struct dl__unpack *job, struct dl__context *context, cl_device_id id)
{
    const struct dl_layout aos = {.kind = DL_LAYOUT_AOS};
    uint64_t structs = dl__unpack_number(job), bytes = dl__unpack_number(job);
    struct dl_layout to = {.kind = (enum dl_layout_kind)dl__unpack_number(job)};
    struct dl_leaf_table leaves = {0};
    const struct dl_conversion *conversion;
    const struct dl_part *part;
    struct dl_marshal *marshal;
    struct dl__device *device;
    const unsigned char *from;
    size_t leaf_bytes;

    to.tile_structs = (uint32_t)dl__unpack_number(job);
    if (!unpack_grid(job, &to))
        return;
    leaves.struct_bytes = (uint32_t)dl__unpack_number(job);
    leaves.arrays = dl__unpack_number(job);
    from = dl__unpack_bytes(job, &leaf_bytes);
    if (job->failed || !from || !leaves.struct_bytes)
        return;
    leaves.leaf_count = (uint32_t)(leaf_bytes / sizeof *leaves.leaves);
    leaves.leaves = malloc(leaf_bytes + 1);
    if (!leaves.leaves)
        return;
    memcpy(leaves.leaves, from, leaf_bytes);
    dl__context_lock(context);
    device = dl__context_device(context, id);
    marshal = device ? dl__device_marshal(context, device) : NULL;
    dl__context_unlock(context);
    if (marshal) {
        /* Looks at whole structs, and at odd bytes. */
        struct dl_part_box box = {
            .width_bytes = leaves.struct_bytes, .height = 1, .depth = 1};

        dl_marshal_prepare_any(marshal);
        dl_marshal_prepare(marshal, &leaves, structs, aos, to, &conversion);
        dl_marshal_prepare(marshal, &leaves, structs, to, aos, &conversion);
        dl_marshal_part_prepare(marshal, &leaves, bytes, to, &box, &part);
        box.width_bytes = 1;
        dl_marshal_part_prepare(marshal, &leaves, bytes, to, &box, &part);
    }
    dl_leaf_table_free(&leaves);
}

static DL__UNCHECKED void build_shadow(struct dl__program *program,
                                       struct dl__rewrite *rewrite, cl_device_id device,
                                       struct dl__shadow_knobs knobs)
{
    struct dl__context *context = program->object.context;

    program->rewrite = rewrite;
    atomic_store(&program->unsettled, true);
    dl__program_settle(program);
    for (size_t u = 0; u < rewrite->unit_count; u++)
        dl__unit_prove(rewrite->units[u], context, device, 0);
    dl__context_lock(context);
    dl__shadow_prepare(rewrite, context, device, knobs, false);
    dl__rewrite_release(rewrite);
    dl__context_unlock(context);
}

static void do_shadow(struct dl__unpack *job, struct dl__context *context,
                      cl_device_id device)
{
    const char *text = dl__unpack_text(job), *link_options;
    struct dl__program program = {.object = {.context = context}};
    struct dl__shadow_knobs knobs = {0};
    struct dl__rewrite *rewrite = NULL;
    struct dl__unit **units;
    uint64_t linked, count, made = 0;

    knobs.index_64 = dl__unpack_number(job);
    knobs.arrays = dl__unpack_number(job);
    knobs.coalesced = dl__unpack_number(job);
    knobs.group_items = (unsigned)dl__unpack_number(job);
    knobs.large_local = dl__unpack_number(job);
    linked = dl__unpack_number(job);
    link_options = dl__unpack_text(job);
    count = dl__unpack_number(job);
    if (job->failed || !text || strlen(text) >= sizeof knobs.layout.text ||
        count > UNITS_MAX)
        return;
    strcpy(knobs.layout.text, text);
    units = calloc(count + 1, sizeof *units);
    while (units && made < count && (units[made] = dl__unit_unpack(job)))
        made++;
    if (units && made == count)
        rewrite = dl__rewrite_make(units, count, linked, link_options, &device, 1);
    for (uint64_t u = 0; u < made; u++)
        dl__unit_release(units[u]);
    free(units);
    if (rewrite)
        build_shadow(&program, rewrite, device, knobs);
}

/* A GPU leaves the cores to the program and to others: what they leave is enough for the builder. */
static void step_back_for(cl_device_id device)
{
    cl_device_type type = 0;

    dl__next.clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    if (type & CL_DEVICE_TYPE_GPU)
        setpriority(PRIO_PROCESS, 0, LOWEST_PRIORITY);
}

void dl__job_do(const unsigned char *data, size_t bytes)
{
    struct dl__unpack job = {.data = data, .bytes = bytes};
    uint64_t kind = dl__unpack_number(&job);
    cl_device_id device = find_device(&job);
    struct dl__context *context = device ? context_of(device) : NULL;

    if (!context)
        return;
    step_back_for(device);
    if (kind == DL__JOB_TEXT)
        do_text(&job, context, device);
    else if (kind == DL__JOB_SHADOW)
        do_shadow(&job, context, device);
    else if (kind == DL__JOB_MOVE)
        do_move(&job, context, device);
    dl__device_measure(context->object.handle, device);
}
