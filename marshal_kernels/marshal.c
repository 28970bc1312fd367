/* The marshaling kernels of one device: conversions prepared at need and kept. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

enum { VENDOR_NVIDIA = 0x10de };

static cl_int device_limits_get(const cl_icd_dispatch *cl, cl_device_id device,
                                struct dl__device_limits *out)
{
    cl_device_type type = 0;
    cl_device_local_mem_type local_type = CL_NONE;
    cl_ulong local_bytes = 0, alloc_bytes = 0;
    size_t items[3] = {1, 1, 1}, group = 1;
    cl_uint units = 1, vendor = 0;
    cl_int err;

#define GET(name, value)                                                                 \
    do {                                                                                 \
        err = cl->clGetDeviceInfo(device, name, sizeof(value), &(value), NULL);          \
        if (err != CL_SUCCESS)                                                           \
            return err;                                                                  \
    } while (0)
    GET(CL_DEVICE_TYPE, type);
    GET(CL_DEVICE_LOCAL_MEM_TYPE, local_type);
    GET(CL_DEVICE_LOCAL_MEM_SIZE, local_bytes);
    GET(CL_DEVICE_MAX_MEM_ALLOC_SIZE, alloc_bytes);
    GET(CL_DEVICE_MAX_WORK_GROUP_SIZE, group);
    GET(CL_DEVICE_MAX_WORK_ITEM_SIZES, items);
    GET(CL_DEVICE_MAX_COMPUTE_UNITS, units);
    GET(CL_DEVICE_VENDOR_ID, vendor);
#undef GET
    *out = (struct dl__device_limits){
        .local_bytes = local_type == CL_NONE ? 0 : local_bytes,
        .alloc_bytes = alloc_bytes,
        .group_items = items[0] < group ? items[0] : group,
        .compute_units = units,
        /* A simulator may call itself everything at once. */
        .is_cpu = (type & CL_DEVICE_TYPE_CPU) && !(type & CL_DEVICE_TYPE_GPU),
        .understates_groups = vendor == VENDOR_NVIDIA,
    };
    return CL_SUCCESS;
}

/* A core has few work-items in flight and its cache to itself. */
static void knobs_for_cpu(struct dl__knobs *knobs)
{
    knobs->cycle_group = 64;
    knobs->cycle_held = 1;
    knobs->cut_ahead = 1;
    knobs->cut_ahead_short = 1;
    knobs->cut_bytes = 64;
    knobs->cut_group = knobs->cut_group_short = 64;
    knobs->cut_span = 512;
    knobs->cut_row = 0;
    knobs->slide_group = 16;
    knobs->slide_items = 16;
}

enum dl_status dl_marshal_make(const cl_icd_dispatch *cl, cl_context context,
                               cl_device_id device, struct dl_marshal **out)
{
    struct dl_marshal *marshal = calloc(1, sizeof *marshal);
    char name[256] = "";
    enum dl_status st;

    if (!marshal)
        return DL_ENOMEM;
    marshal->cl = cl;
    marshal->context = context;
    marshal->device = device;
    marshal->knobs = (struct dl__knobs){
#define X(name, value, help) .name = value,
        DL_KNOB_MAP(X)
#undef X
    };
    st = dl__status_of_cl(device_limits_get(cl, device, &marshal->limits));
    if (st == DL_OK && marshal->limits.local_bytes == 0)
        st = DL_ENOLOCAL;
    if (st == DL_OK && marshal->limits.is_cpu)
        knobs_for_cpu(&marshal->knobs);
    marshal->defaults = marshal->knobs;
    if (st == DL_OK && cl->clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name - 1, name,
                                           NULL) == CL_SUCCESS)
        marshal->tuning = dl__tuning_find(name);
    if (st == DL_OK && pthread_mutex_init(&marshal->lock, NULL) != 0)
        st = DL_ENOMEM;
    if (st != DL_OK) {
        free(marshal);
        return st;
    }
    *out = marshal;
    return DL_OK;
}

static void conversion_free(struct dl_conversion *conversion)
{
    dl_leaf_table_free(&conversion->leaves);
    free(conversion->list.launches);
    free(conversion);
}

void dl_marshal_free(struct dl_marshal *marshal)
{
    if (!marshal)
        return;
    while (marshal->conversions) {
        struct dl_conversion *conversion = marshal->conversions;
        marshal->conversions = conversion->next;
        conversion_free(conversion);
    }
    dl__parts_free(marshal);
    while (marshal->programs) {
        struct dl__program *program = marshal->programs;
        marshal->programs = program->next;
        dl__program_free(marshal->cl, program);
    }
    while (marshal->workspaces) {
        struct dl__workspace *workspace = marshal->workspaces;
        marshal->workspaces = workspace->next;
        dl__workspace_free(marshal->cl, workspace);
    }
    pthread_mutex_destroy(&marshal->lock);
    free(marshal);
}

static bool layout_equal(struct dl_layout a, struct dl_layout b)
{
    bool tiled = a.kind == DL_LAYOUT_ASTA || a.kind == DL_LAYOUT_DA;

    return a.kind == b.kind && (!tiled || a.tile_structs == b.tile_structs);
}

static struct dl_conversion *conversion_find(const struct dl_marshal *marshal,
                                             const struct dl_leaf_table *leaves,
                                             uint64_t structs, struct dl_layout from,
                                             struct dl_layout to)
{
    for (struct dl_conversion *c = marshal->conversions; c; c = c->next)
        if (c->structs == structs && layout_equal(c->from, from) &&
            layout_equal(c->to, to) && dl_leaf_table_equal(&c->leaves, leaves))
            return c;
    return NULL;
}

/* Chooses and builds every step, and sees that a workspace can be had. */
static enum dl_status conversion_build(struct dl_marshal *marshal,
                                       const struct dl_plan *plan,
                                       struct dl_conversion *conversion)
{
    struct dl__workspace *workspace;
    enum dl_status st = DL_OK;

    for (size_t s = 0; s < plan->step_count && st == DL_OK; s++)
        st = dl__choose_step(marshal, &plan->steps[s], &conversion->list);
    if (st == DL_OK && conversion->list.workspace_bytes > marshal->limits.alloc_bytes)
        st = DL_EWORKSPACE;
    if (st == DL_OK && conversion->list.workspace_bytes > 0) {
        st = dl__workspace_take(marshal, conversion->list.workspace_bytes, &workspace);
        if (st == DL_OK)
            dl__workspace_give(marshal, workspace, NULL);
    }
    return st;
}

enum dl_status dl_marshal_prepare(struct dl_marshal *marshal,
                                  const struct dl_leaf_table *leaves, uint64_t structs,
                                  struct dl_layout from, struct dl_layout to,
                                  const struct dl_conversion **out)
{
    struct dl_plan_limits limits = {dl__choose_tile_bytes(marshal)};
    struct dl_conversion *conversion = NULL;
    struct dl_plan plan = {0};
    enum dl_status st = DL_OK;

    pthread_mutex_lock(&marshal->lock);
    conversion = conversion_find(marshal, leaves, structs, from, to);
    if (conversion) {
        *out = conversion;
        goto out;
    }
    conversion = calloc(1, sizeof *conversion);
    if (!conversion) {
        st = DL_ENOMEM;
        goto out;
    }
    conversion->structs = structs;
    conversion->from = from;
    conversion->to = to;
    st = dl_leaf_table_copy(leaves, &conversion->leaves);
    if (st == DL_OK)
        st = dl_plan_make(leaves, structs, from, to, &limits, &plan);
    if (st == DL_OK)
        st = conversion_build(marshal, &plan, conversion);
    if (st != DL_OK) {
        conversion_free(conversion);
        goto out;
    }
    conversion->next = marshal->conversions;
    marshal->conversions = conversion;
    *out = conversion;
out:
    dl_plan_free(&plan);
    pthread_mutex_unlock(&marshal->lock);
    return st;
}

uint64_t dl_conversion_workspace_bytes(const struct dl_conversion *conversion)
{
    return conversion->list.workspace_bytes;
}

uint64_t dl_conversion_traffic_bytes(const struct dl_conversion *conversion)
{
    return conversion->list.traffic_bytes;
}
