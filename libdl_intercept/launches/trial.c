/* SPDX-License-Identifier: MIT */
/* The first tiled launch of a kernel that nobody annotated. */
#include "trial.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/clock.h"
#include "libdl_intercept/base/event.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/host/staged.h"
#include "libdl_intercept/programs/rewrite.h"
#include "libdl_intercept/state/contexts.h"
#include "libdl_intercept/state/moves.h"
#include "libdl_intercept/state/residence.h"
#include "given_up.h"
#include "on_copies.h"

enum { RUNS = 2, PAUSE_MAX = 64, STUCK_MAX = 2 };

/* One buffer that the launch reaches, also by a sub-buffer of it. */
struct tried {
    struct dl__mem *mem; /* the buffer itself, never a view of it */
    cl_mem copies[RUNS]; /* what each run of the program's kernel gave */
    unsigned arg_index;
};

struct dl__trial {
    struct dl__kernel *kernel;
    struct dl__queue *queue;
    struct dl__ndrange range;
    struct dl__record_of_trial *record;
    double spent_seconds;
    size_t count;
    struct tried tried[];
};

/* True of kernels that nobody annotated, and of those that are not shown to do what the program's own do. */
static DL__WITH_LOCK bool is_tried(struct dl__kernel *kernel,
                                   const struct dl__queue *queue)
{
    struct dl__launches *launched = &kernel->launched;

    if (!kernel->note || kernel->note->detected)
        return kernel->note && dl__options_get()->detect;
    /* What runs on discrete arrays only can't be compared with itself on others. */
    if (dl__kernel_wants_soa(kernel) || kernel->note->once)
        return false;
    if (!atomic_load(&launched->shown))
        atomic_store(&launched->shown,
                     dl__rewrite_shows(kernel->rewrite, queue->device, kernel->name) ? 1
                                                                                     : 2);
    return atomic_load(&launched->shown) == 2;
}

/* ---- what was tried ---- */

static unsigned class_of(uint64_t number)
{
    return number ? 64 - (unsigned)__builtin_clzll(number) : 0;
}

/* The size class of a launch: work-items, and bytes of its largest buffer. */
static DL__WITH_LOCK void classify(const struct dl__kernel *kernel,
                                   const struct dl__ndrange *range, unsigned *work,
                                   unsigned *bytes)
{
    uint64_t items = 1, largest = 0;

    for (cl_uint d = 0; d < range->work_dim && d < 3; d++)
        items *= range->global[d];
    for (unsigned i = 0; range->mems && i < kernel->arg_count; i++) {
        const struct dl__mem *mem = dl__mem_root(range->mems[i]);

        if (mem && mem->bytes > largest)
            largest = mem->bytes;
    }
    *work = class_of(items);
    *bytes = class_of(largest);
}

static DL__WITH_LOCK struct dl__record_of_trial *
find_record(struct dl__kernel *kernel, const struct dl__ndrange *range,
            const struct dl__shadow_knobs *knobs)
{
    struct dl__record_of_trial *record;
    unsigned work, bytes;

    classify(kernel, range, &work, &bytes);
    for (record = kernel->rewrite->trials; record; record = record->next)
        if (strcmp(record->kernel, kernel->name) == 0 &&
            (record->everywhere ||
             (record->work_class == work && record->bytes_class == bytes &&
              dl__shadow_knobs_equal(&record->knobs, knobs))))
            break;
    return record;
}

static DL__WITH_LOCK struct dl__record_of_trial *
add_record(struct dl__kernel *kernel, const struct dl__ndrange *range,
           const struct dl__shadow_knobs *knobs)
{
    size_t bytes = strlen(kernel->name) + 1;
    struct dl__record_of_trial *record = calloc(1, sizeof *record + bytes);

    if (!record)
        return NULL;
    classify(kernel, range, &record->work_class, &record->bytes_class);
    record->knobs = *knobs;
    memcpy(record->kernel, kernel->name, bytes);
    record->next = kernel->rewrite->trials;
    kernel->rewrite->trials = record;
    return record;
}

bool dl__trial_is_expected(struct dl__kernel *kernel, const struct dl__queue *queue)
{
    struct dl__launches *launched = &kernel->launched;
    bool expected = launched->trial_wanted;

    if (dl__is_given_up(kernel, queue->device) || !is_tried(kernel, queue))
        return false;
    /* Where DL chooses, a launch that it has chosen tiles for runs as written once more. */
    expected |= !dl__policy_is_on() && !launched->trial_expected;
    launched->trial_expected = true;
    launched->trial_wanted = false;
    return expected && launched->trial_stuck < STUCK_MAX;
}

void dl__trial_is_stuck(struct dl__kernel *kernel)
{
    kernel->launched.trial_stuck++;
}

/* ---- copies ---- */

static DL__WITH_LOCK void trial_free(struct dl__trial *trial)
{
    struct dl__context *context = trial->queue->object.context;
    cl_uint before = dl__context_count_begin(context);

    for (size_t i = 0; i < trial->count; i++)
        for (int r = 0; r < RUNS; r++)
            if (trial->tried[i].copies[r])
                dl__next.clReleaseMemObject(trial->tried[i].copies[r]);
    dl__context_count_end(context, before);
    free(trial);
}

static struct tried *find_tried(struct dl__trial *trial, const struct dl__mem *mem)
{
    for (size_t i = 0; i < trial->count; i++)
        if (trial->tried[i].mem == mem)
            return &trial->tried[i];
    return NULL;
}

/* The launch's buffers, each root once. NULL, or why they can't be copied. */
static const char *gather(struct dl__trial *trial, uint64_t *bytes)
{
    const bool *memory_args = trial->kernel->note->memory_args;

    for (unsigned i = 0; i < trial->kernel->arg_count; i++) {
        struct dl__mem *mem = trial->range.mems[i];
        const struct dl__arg *arg = &trial->kernel->args[i];

        /* What it writes there would be written more than once. */
        if (memory_args && memory_args[i] && !arg->null && (!mem || arg->svm))
            return "an argument is memory that DL can't copy";
        if (mem && mem->kind == DL__BUFFER_IMAGE)
            return "an argument is an image of a buffer";
        mem = dl__mem_root(mem);
        if (!mem || find_tried(trial, mem))
            continue;
        trial->tried[trial->count++] = (struct tried){.mem = mem, .arg_index = i};
        *bytes += RUNS * dl_marshal_compare_bytes(mem->bytes);
    }
    return NULL;
}

/* All of a buffer as the program sees it, into a copy. Blocks. */
static DL__WITH_LOCK cl_int copy_out(struct dl__mem *mem, struct dl__queue *queue,
                                     cl_mem copy)
{
    const struct dl__end from = {.handle = mem->object.handle,
                                 .mem = mem,
                                 .tiled = dl__mem_lies_in_tiles(mem)},
                         to = {.handle = copy};
    struct dl__wait none;
    cl_event done = NULL;
    cl_int err = CL_SUCCESS;

    dl__wait_begin(&none, 0, NULL);
    if (!from.tiled || !dl__staged_copy(queue, &none, &from, &to, mem->bytes, &done)) {
        err = dl__mem_bring_back(mem, queue, "a first trial");
        dl__mem_use(mem, queue, &none);
        if (err == CL_SUCCESS)
            err = dl__wait_error(&none);
        if (err == CL_SUCCESS)
            err =
                dl__next.clEnqueueCopyBuffer(queue->object.handle, from.handle, copy, 0,
                                             0, mem->bytes, none.count, none.list, &done);
    }
    if (err == CL_SUCCESS)
        err = dl__event_wait(done);
    if (done)
        dl__next.clReleaseEvent(done);
    dl__wait_end(&none);
    return err;
}

static DL__WITH_LOCK cl_int make_copies(struct dl__trial *trial)
{
    struct dl__context *context = trial->queue->object.context;
    cl_uint before = dl__context_count_begin(context);
    cl_int err = CL_SUCCESS;

    for (size_t i = 0; i < trial->count; i++)
        for (int r = 0; r < RUNS && err == CL_SUCCESS; r++)
            trial->tried[i].copies[r] = dl__next.clCreateBuffer(
                context->object.handle, CL_MEM_READ_WRITE,
                dl_marshal_compare_bytes(trial->tried[i].mem->bytes), NULL, &err);
    dl__context_count_end(context, before);
    for (size_t i = 0; i < trial->count; i++)
        for (int r = 0; r < RUNS && err == CL_SUCCESS; r++)
            err = copy_out(trial->tried[i].mem, trial->queue, trial->tried[i].copies[r]);
    return err;
}

/* ---- runs ---- */

/* A run's copies. */
struct run {
    struct dl__trial *trial;
    int number;
};

static cl_mem copy_of(void *user, const struct dl__mem *root)
{
    const struct run *run = user;
    const struct tried *tried = find_tried(run->trial, root);

    return tried ? tried->copies[run->number] : NULL;
}

/* The program's kernel on a run's copies. */
static DL__WITH_LOCK cl_int run_native(struct dl__trial *trial, int number)
{
    struct run run = {trial, number};

    return dl__launch_on_copies(trial->kernel, trial->queue, &trial->range, copy_of, &run,
                                NULL);
}

/* The first buffer whose two copies differ; *none: there is none. False: it can't be told. */
static DL__WITH_LOCK bool compare(struct dl__trial *trial, const struct tried **found)
{
    struct dl__queue *queue = trial->queue;
    struct dl__device *device = dl__context_device(queue->object.context, queue->device);
    struct dl_marshal *marshal =
        device ? dl__device_marshal(queue->object.context, device) : NULL;
    cl_uint before = dl__context_count_begin(queue->object.context);
    bool differ = false, known = marshal != NULL;

    *found = NULL;
    for (size_t i = 0; i < trial->count && known && !differ; i++) {
        const struct tried *tried = &trial->tried[i];

        known = dl_marshal_compare(marshal, queue->object.handle, tried->copies[0],
                                   tried->copies[1], tried->mem->bytes, &differ) == DL_OK;
        if (known && differ)
            *found = tried;
    }
    dl__context_count_end(queue->object.context, before);
    return known;
}

/* ---- the trial ---- */

/* Such launches run as written; `everywhere`: and all others of the kernel. */
static DL__WITH_LOCK void give_up(struct dl__trial *trial, bool everywhere,
                                  const char *reason)
{
    trial->record->failed = true;
    trial->record->everywhere = everywhere;
    dl__log(DL__LOG_REMARK, "kernel '%s' runs as written: %s", trial->kernel->name,
            reason);
}

static DL__WITH_LOCK void charge(struct dl__trial *trial)
{
    dl__choice_spent(trial->range.choice, trial->spent_seconds);
}

/* What the program's kernel gives, twice. NULL, or why the transformed one is not to run. */
static DL__WITH_LOCK const char *run_twice(struct dl__trial *trial, bool *is_racy)
{
    const struct tried *found;

    if (make_copies(trial) != CL_SUCCESS)
        return "there is no memory for copies to compare its first tiled launch with";
    for (int r = 0; r < RUNS; r++)
        if (run_native(trial, r) != CL_SUCCESS)
            return "its first tiled launch can't be compared with its own text, which "
                   "fails";
    if (!compare(trial, &found))
        return "its first tiled launch can't be compared with its own text";
    *is_racy = found != NULL;
    return found ? "it gives a different result each time, so that its first tiled "
                   "launch can't be compared"
                 : NULL;
}

/* True when the policy lets it be now. */
static DL__WITH_LOCK bool is_afforded(struct dl__trial *trial, uint64_t bytes)
{
    struct dl__launches *launched = &trial->kernel->launched;

    /* Each copy is written and read by the copying, by the run and by the comparison. */
    if (!dl__policy_is_on() || dl__choice_affords(trial->range.choice, 6 * bytes, RUNS))
        return true;
    if (launched->trial_pause < PAUSE_MAX)
        launched->trial_pause = 2 * launched->trial_pause + 1;
    launched->trial_wait = launched->trial_pause;
    return false;
}

static DL__WITH_LOCK struct dl__trial *make_trial(struct dl__kernel *kernel,
                                                  struct dl__queue *queue,
                                                  const struct dl__ndrange *range)
{
    struct dl__trial *trial =
        calloc(1, sizeof *trial + kernel->arg_count * sizeof *trial->tried);

    if (!trial)
        return NULL;
    trial->kernel = kernel;
    trial->queue = queue;
    trial->range = *range;
    return trial;
}

/* The trial of this launch, with its buffers, where it is the first of its kind. */
static DL__WITH_LOCK struct dl__trial *prepare(struct dl__kernel *kernel,
                                               struct dl__queue *queue,
                                               const struct dl__ndrange *range,
                                               const struct dl__shadow_knobs *knobs,
                                               const char **reason)
{
    struct dl__device *device = dl__context_device(queue->object.context, queue->device);
    struct dl__trial *trial = device ? make_trial(kernel, queue, range) : NULL;
    uint64_t bytes = 0;

    if (!trial)
        return NULL;
    *reason = gather(trial, &bytes);
    if (!*reason && bytes > dl__copies_cap_bytes(device))
        *reason =
            "copies to compare its first tiled launch with would exceed --memory-cap";
    if (!*reason && !range->waited && kernel->launched.trial_stuck >= STUCK_MAX)
        *reason =
            "what its launches come behind does not end by itself, so that its first "
            "tiled launch can't be compared";
    /* What comes before this launch has not been waited for: the next one is tried. */
    if (*reason || is_afforded(trial, bytes)) {
        kernel->launched.trial_wanted = !*reason && !range->waited;
        if (!kernel->launched.trial_wanted)
            trial->record = add_record(kernel, range, knobs);
    }
    if (trial->record)
        return trial;
    trial_free(trial);
    return NULL;
}

bool dl__trial_begin(struct dl__kernel *kernel, struct dl__queue *queue,
                     const struct dl__ndrange *range, const struct dl__plan *plan,
                     struct dl__trial **out)
{
    struct dl__record_of_trial *record;
    double begun = dl__clock_seconds();
    const char *reason = NULL;
    struct dl__trial *trial;
    bool is_racy = false;

    *out = NULL;
    if (!plan->shadow || !is_tried(kernel, queue))
        return true;
    record = find_record(kernel, range, &plan->knobs);
    if (record && record->failed)
        kernel->launched.trial_wait = PAUSE_MAX;
    if (record)
        return !record->failed;
    trial = prepare(kernel, queue, range, &plan->knobs, &reason);
    if (!trial)
        return false;
    reason = reason ? reason : run_twice(trial, &is_racy);
    trial->spent_seconds = dl__clock_seconds() - begun;
    if (!reason) {
        *out = trial;
        return true;
    }
    /* Who annotates a kernel answers for it. This launch runs as written, for buffers may have been moved. */
    if (kernel->note->detected)
        give_up(trial, is_racy, reason);
    else
        dl__log(DL__LOG_REMARK, "kernel '%s' is rewritten untried: %s", kernel->name,
                reason);
    charge(trial);
    trial_free(trial);
    return false;
}

/* The program goes on with what its own kernel gave. */
static DL__WITH_LOCK void put_native(struct dl__trial *trial)
{
    for (size_t i = 0; i < trial->count; i++)
        dl__put_native(trial->tried[i].mem, trial->queue, trial->tried[i].copies[0],
                       NULL);
    dl__next.clFinish(trial->queue->object.handle);
}

void dl__trial_end(struct dl__trial *trial, cl_int err)
{
    const struct tried *found = NULL;
    double begun = dl__clock_seconds();
    bool known = true;
    char text[256];

    if (!trial)
        return;
    /* It was not launched: the next one is tried. */
    if (err != CL_SUCCESS) {
        trial->record->work_class = UINT_MAX;
        trial->kernel->launched.trial_wanted = true;
        goto out;
    }
    dl__next.clFinish(trial->queue->object.handle);
    for (size_t i = 0; known && i < trial->count; i++)
        known = copy_out(trial->tried[i].mem, trial->queue, trial->tried[i].copies[1]) ==
                CL_SUCCESS;
    known = known && compare(trial, &found);
    if (found || !known) {
        snprintf(text, sizeof text,
                 found
                     ? "its first launch in tiles gives other bytes in argument %u than "
                       "its own text"
                     : "its first launch in tiles can't be compared with its own text",
                 found ? found->arg_index : 0);
        give_up(trial, true, text);
        put_native(trial);
    } else {
        dl__log(DL__LOG_DEBUG,
                "kernel '%s': its first launch in tiles gives the same bytes",
                trial->kernel->name);
    }
out:
    trial->spent_seconds += dl__clock_seconds() - begun;
    charge(trial);
    trial_free(trial);
}
