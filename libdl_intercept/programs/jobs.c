/* SPDX-License-Identifier: MIT */
/* Jobs of the builder: how they are written down, and what it does. */
#include "jobs.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "libdl_intercept/base/next.h"
#include "libdl_intercept/state/contexts.h"
#include "cache.h"
#include "devices.h"
#include "programs.h"
#include "rates.h"
#include "shadow.h"
#include "text.h"
#include "unit_pack.h"

enum { UNITS_MAX = 4096, LOWEST_PRIORITY = 19 };

/* ---- written down ---- */

static void pack_device(struct dl__pack *job, cl_device_id device)
{
    struct dl__pack name;

    job->failed = !dl__cache_name_device(&name, device) || job->failed;
    dl__pack_bytes(job, name.data, name.bytes);
    dl__pack_free(&name);
}

void dl__job_pack_text(struct dl__pack *job, const void *user)
{
    const struct dl__unit *unit = user;

    dl__pack_number(job, DL__JOB_TEXT);
    dl__pack_bytes(job, unit->target.name.data, unit->target.name.bytes);
    dl__pack_number(job, unit->asker);
    dl__pack_text(job, unit->target.extensions);
    dl__pack_text(job, unit->target.version);
    dl__pack_number(job, unit->target.second_texts);
    dl__pack_bytes(job, unit->answers.data, unit->answers.bytes);
    dl__pack_number(job, unit->unanswered);
    dl__unit_pack(job, unit, false);
}

static void pack_rewrite(struct dl__pack *job, const struct dl__rewrite *rewrite)
{
    dl__pack_number(job, rewrite->linked);
    dl__pack_text(job, rewrite->link_options);
    dl__pack_number(job, rewrite->unit_count);
    /* The builder reads what a unit of its own includes. Of others it is part of the
     * shadow's key. */
    for (size_t u = 0; u < rewrite->unit_count; u++)
        dl__unit_pack(job, rewrite->units[u], !rewrite->units[u]->wanted);
}

void dl__job_pack_shadow(struct dl__pack *job, const void *user)
{
    const struct dl__shadow_wanted *wanted = user;

    dl__pack_number(job, DL__JOB_SHADOW);
    pack_device(job, wanted->device);
    dl__pack_text(job, wanted->knobs->only);
    dl__pack_text(job, wanted->knobs->layout.text);
    dl__pack_number(job, wanted->knobs->index_64);
    dl__pack_number(job, wanted->knobs->arrays);
    dl__pack_number(job, wanted->knobs->coalesced);
    dl__pack_number(job, wanted->knobs->printing);
    dl__pack_number(job, wanted->knobs->group_items);
    dl__pack_number(job, wanted->knobs->large_local);
    pack_rewrite(job, wanted->rewrite);
}

void dl__job_pack_expect(struct dl__pack *job, const void *user)
{
    const struct dl__expect_wanted *wanted = user;

    dl__pack_number(job, DL__JOB_EXPECT);
    pack_device(job, wanted->device);
    dl__pack_text(job, wanted->kernel);
    pack_rewrite(job, wanted->rewrite);
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

void dl__job_pack_kernels(struct dl__pack *job, const void *user)
{
    const struct dl__build *build = user;

    dl__pack_number(job, DL__JOB_KERNELS);
    pack_device(job, build->device);
    dl__pack_number(job, build->count);
    for (size_t t = 0; t < build->count; t++)
        dl__pack_text(job, build->texts[t]);
}

/* ---- done ---- */

static bool has_buffers(const struct dl_notes *notes)
{
    bool has = false;

    for (size_t k = 0; notes && k < notes->kernel_count; k++)
        has = has || notes->kernels[k].buffer_count > 0;
    return has;
}

/* In any text so far. */
static atomic_bool kernels_found;

/* No device is opened for a text, unless it asks for what only the device's compiler
 * knows. True: its kernels may be rewritten. */
static bool do_text(struct dl__unpack *job, const unsigned char *name, size_t name_bytes)
{
    uint64_t asker = dl__unpack_number(job);
    const char *extensions = dl__unpack_text(job), *version = dl__unpack_text(job);
    bool second_texts = dl__unpack_number(job), unanswered;
    const unsigned char *answers;
    size_t answer_bytes;
    struct dl__unit *unit;
    bool has = false;

    answers = dl__unpack_bytes(job, &answer_bytes);
    unanswered = dl__unpack_number(job);
    unit = dl__unit_unpack(job);
    if (unit && version && strlen(version) < sizeof unit->target.version) {
        unit->asker = asker;
        dl__pack_fields(&unit->target.name, name, name_bytes);
        unit->target.extensions = extensions ? strdup(extensions) : NULL;
        strcpy(unit->target.version, version);
        unit->target.second_texts = second_texts;
        dl__pack_fields(&unit->answers, answers, answer_bytes);
        unit->unanswered = unanswered;
        dl__text_answer(unit);
        has = has_buffers(unit->notes);
        if (has)
            atomic_store(&kernels_found, true);
    }
    dl__unit_release(unit);
    return has;
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

static struct dl_marshal *marshal_of(struct dl__context *context, cl_device_id id)
{
    struct dl_marshal *marshal;
    struct dl__device *device;

    dl__context_lock(context);
    device = dl__context_device(context, id);
    marshal = device ? dl__device_marshal(context, device) : NULL;
    dl__context_unlock(context);
    return marshal;
}

static void do_kernels(struct dl__unpack *job, struct dl__context *context,
                       cl_device_id id)
{
    enum { TEXTS_MAX = 16 };
    uint64_t count = dl__unpack_number(job);
    struct dl_marshal *marshal = marshal_of(context, id);
    const char *texts[TEXTS_MAX];

    for (uint64_t t = 0; t < count && t < TEXTS_MAX; t++)
        texts[t] = dl__unpack_text(job);
    if (!job->failed && count <= TEXTS_MAX && marshal)
        dl_marshal_build(marshal, count, texts);
}

static bool is_gpu(cl_device_id device)
{
    cl_device_type type = 0;

    if (device)
        dl__next.clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    return type & CL_DEVICE_TYPE_GPU;
}

/* The move of a job, whose leaves the caller frees. */
static bool unpack_move(struct dl__unpack *job, struct dl__move_wanted *out)
{
    const unsigned char *from;
    size_t leaf_bytes;

    *out = (struct dl__move_wanted){.structs = dl__unpack_number(job)};
    out->bytes = dl__unpack_number(job);
    out->layout.kind = (enum dl_layout_kind)dl__unpack_number(job);
    out->layout.tile_structs = (uint32_t)dl__unpack_number(job);
    if (!unpack_grid(job, &out->layout))
        return false;
    out->leaves.struct_bytes = (uint32_t)dl__unpack_number(job);
    out->leaves.arrays = dl__unpack_number(job);
    from = dl__unpack_bytes(job, &leaf_bytes);
    if (job->failed || !from || !out->leaves.struct_bytes)
        return false;
    out->leaves.leaf_count = (uint32_t)(leaf_bytes / sizeof *out->leaves.leaves);
    out->leaves.leaves = malloc(leaf_bytes + 1);
    if (out->leaves.leaves)
        memcpy(out->leaves.leaves, from, leaf_bytes);
    return out->leaves.leaves != NULL;
}

static bool do_move(struct dl__unpack *job, struct dl__context *context, cl_device_id id,
                    bool waited)
{
    const struct dl_layout aos = {.kind = DL_LAYOUT_AOS};
    const struct dl_conversion *conversion;
    struct dl_marshal *marshal;
    struct dl__move_wanted move;

    if (!unpack_move(job, &move))
        return false;
    marshal = marshal_of(context, id);
    /* On a GPU those for any shape stand in until the shape's own are there, which are
     * waited for. */
    if (marshal && !waited && is_gpu(id))
        dl_marshal_prepare_any(marshal);
    if (marshal) {
        dl_marshal_prepare(marshal, &move.leaves, move.structs, aos, move.layout,
                           &conversion);
        dl_marshal_prepare(marshal, &move.leaves, move.structs, move.layout, aos,
                           &conversion);
    }
    dl_leaf_table_free(&move.leaves);
    return marshal && !waited;
}

/* What stands in for later structs' own; looks at whole structs, and at odd bytes: who
 * waits for a launch may never look, or waits then. */
static void do_looks(struct dl__unpack *job, struct dl__context *context, cl_device_id id)
{
    struct dl_part_box box = {.height = 1, .depth = 1};
    const struct dl_part *part;
    struct dl_marshal *marshal;
    struct dl__move_wanted move;

    if (!unpack_move(job, &move))
        return;
    marshal = marshal_of(context, id);
    if (marshal)
        dl_marshal_prepare_any(marshal);
    box.width_bytes = move.leaves.struct_bytes;
    if (marshal)
        dl_marshal_part_prepare(marshal, &move.leaves, move.bytes, move.layout, &box,
                                &part);
    box.width_bytes = 1;
    if (marshal)
        dl_marshal_part_prepare(marshal, &move.leaves, move.bytes, move.layout, &box,
                                &part);
    dl_leaf_table_free(&move.leaves);
}

void dl__jobs_prepare_any(struct dl__context *context, struct dl__device *device)
{
    struct dl_marshal *marshal = dl__device_marshal(context, device);

    if (!marshal)
        return;
    if (is_gpu(device->id))
        dl_marshal_prepare_any(marshal);
    dl_marshal_compare_prepare(marshal);
}

/* What a rewritten kernel is compared with its own text by, and moved by while
 * conversions of its shape are built. */
static void prepare_launch(struct dl__context *context, cl_device_id id, bool waited)
{
    struct dl_marshal *marshal = marshal_of(context, id);

    if (marshal)
        dl_marshal_compare_prepare(marshal);
    if (marshal && !waited && is_gpu(id))
        dl_marshal_prepare_any(marshal);
}

/* NULL: it is damaged, or there is no memory. */
static struct dl__rewrite *unpack_rewrite(struct dl__unpack *job, cl_device_id device)
{
    uint64_t linked = dl__unpack_number(job), count, made = 0;
    const char *link_options = dl__unpack_text(job);
    struct dl__rewrite *rewrite = NULL;
    struct dl__unit **units;

    count = dl__unpack_number(job);
    if (job->failed || count > UNITS_MAX)
        return NULL;
    units = calloc(count + 1, sizeof *units);
    while (units && made < count && (units[made] = dl__unit_unpack(job)))
        made++;
    if (units && made == count)
        rewrite = dl__rewrite_make(units, count, linked, link_options, &device, 1);
    for (uint64_t u = 0; u < made; u++)
        dl__unit_release(units[u]);
    free(units);
    return rewrite;
}

static DL__UNCHECKED void read_texts(struct dl__program *program,
                                     struct dl__rewrite *rewrite)
{
    program->rewrite = rewrite;
    atomic_store(&program->unsettled, true);
    dl__program_settle(program);
}

static void (*expect_by)(struct dl__kernel *kernel);

void dl__jobs_expect_by(void (*expect)(struct dl__kernel *kernel))
{
    expect_by = expect;
}

static DL__UNCHECKED void do_expect(struct dl__unpack *job, struct dl__context *context,
                                    cl_device_id device)
{
    struct dl__program program = {.object = {.context = context}};
    struct dl__kernel kernel = {.object = {.context = context}, .program = &program};

    kernel.name = (char *)dl__unpack_text(job);
    kernel.rewrite = unpack_rewrite(job, device);
    if (!kernel.rewrite)
        return;
    read_texts(&program, kernel.rewrite);
    dl__context_lock(context);
    kernel.note = dl__rewrite_find(kernel.rewrite, kernel.name);
    if (kernel.note && expect_by)
        expect_by(&kernel);
    dl__rewrite_release(kernel.rewrite);
    dl__context_unlock(context);
}

static DL__UNCHECKED void build_shadow(struct dl__program *program,
                                       struct dl__rewrite *rewrite, cl_device_id device,
                                       const struct dl__shadow_knobs *knobs, bool waited)
{
    /* Of a layout that is asked for only what nobody annotated is compared. */
    bool compared = !waited;
    struct dl__context *context = program->object.context;

    read_texts(program, rewrite);
    for (size_t u = 0; u < rewrite->unit_count; u++)
        compared = compared || rewrite->units[u]->detected;
    dl__context_lock(context);
    dl__shadow_prepare(rewrite, context, device, knobs, false);
    dl__rewrite_release(rewrite);
    dl__context_unlock(context);
    if (compared)
        prepare_launch(context, device, waited);
}

static void do_shadow(struct dl__unpack *job, struct dl__context *context,
                      cl_device_id device, bool waited)
{
    const char *only = dl__unpack_text(job), *text = dl__unpack_text(job);
    struct dl__program program = {.object = {.context = context}};
    struct dl__shadow_knobs knobs = {.only = only};
    struct dl__rewrite *rewrite;

    knobs.index_64 = dl__unpack_number(job);
    knobs.arrays = dl__unpack_number(job);
    knobs.coalesced = dl__unpack_number(job);
    knobs.printing = dl__unpack_number(job);
    knobs.group_items = (unsigned)dl__unpack_number(job);
    knobs.large_local = dl__unpack_number(job);
    rewrite = unpack_rewrite(job, device);
    if (rewrite && text && strlen(text) < sizeof knobs.layout.text) {
        strcpy(knobs.layout.text, text);
        build_shadow(&program, rewrite, device, &knobs, waited);
    }
}

/* Where the device is a CPU, it keeps every core busy, and what runs at idle priority
 * never gets to run. So many steps down, the builder has at most a fifth of one core of
 * two beside it, three tenths of one of four and half of one of more: 6 to 10 % of what
 * the program has; on a single core 14 steps leave it 4 %. A GPU leaves the cores to the
 * program and to others: what they leave is enough for the builder. */
static int steps_down(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);

    return cores >= 8 ? 1 : cores >= 4 ? 4 : cores >= 2 ? 6 : 14;
}

static void step_back(cl_device_id device)
{
    const struct sched_param any = {0};
    int steps = steps_down();
    static bool stepped_back;
    bool gpu = is_gpu(device);

    if (gpu)
        setpriority(PRIO_PROCESS, 0, LOWEST_PRIORITY);
    if (stepped_back)
        return;
    stepped_back = true;
    if (gpu)
        sched_setscheduler(0, SCHED_BATCH, &any);
    /* There are not so many left below the program. */
    else if (getpriority(PRIO_PROCESS, 0) + steps > LOWEST_PRIORITY)
        sched_setscheduler(0, SCHED_IDLE, &any);
    else if (nice(steps) != -1)
        sched_setscheduler(0, SCHED_BATCH, &any);
}

/* Begins a job: its kind; 0: it is damaged. */
static uint64_t begin(struct dl__unpack *job, const unsigned char **name,
                      size_t *name_bytes)
{
    uint64_t kind = dl__unpack_number(job);

    *name = dl__unpack_bytes(job, name_bytes);
    return *name ? kind : 0;
}

bool dl__job_do(const unsigned char *data, size_t bytes, bool waited)
{
    struct dl__unpack job = {.data = data, .bytes = bytes};
    struct dl__context *context;
    const unsigned char *name;
    cl_device_id device;
    size_t name_bytes;
    uint64_t kind = begin(&job, &name, &name_bytes);
    bool has_rest = false;

    if (!kind)
        return false;
    if (kind == DL__JOB_TEXT) {
        if (!waited)
            step_back(NULL);
        return do_text(&job, name, name_bytes) && !waited;
    }
    /* Nor is one opened for kernels that have nothing for DL. */
    if (kind == DL__JOB_EXPECT && !atomic_load(&kernels_found))
        return false;
    device = dl__devices_find(name, name_bytes);
    if (!waited)
        step_back(device);
    context = device ? dl__devices_context(device) : NULL;
    if (!context)
        return false;
    if (kind == DL__JOB_SHADOW)
        do_shadow(&job, context, device, waited);
    else if (kind == DL__JOB_MOVE)
        has_rest = do_move(&job, context, device, waited);
    else if (kind == DL__JOB_KERNELS)
        do_kernels(&job, context, device);
    else if (kind == DL__JOB_EXPECT)
        do_expect(&job, context, device);
    /* The device is the program's while that waits. */
    if (!waited)
        dl__device_measure(context->object.handle, device);
    return has_rest;
}

void dl__job_do_rest(const unsigned char *data, size_t bytes)
{
    struct dl__unpack job = {.data = data, .bytes = bytes};
    const unsigned char *name;
    cl_device_id device;
    size_t name_bytes;
    uint64_t kind = begin(&job, &name, &name_bytes);
    struct dl__context *context;

    device = dl__devices_find(name, name_bytes);
    /* A GPU is the program's while that builds its own text. */
    if (kind == DL__JOB_TEXT && is_gpu(device))
        return;
    context = device ? dl__devices_context(device) : NULL;
    /* A CPU's compiler reads its library of functions while the program waits for another
     * core's. */
    if (context && kind == DL__JOB_TEXT)
        prepare_launch(context, device, false);
    else if (context)
        do_looks(&job, context, device);
}
