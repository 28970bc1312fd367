/* SPDX-License-Identifier: MIT */
/* Asking for shadow programs and conversions. */
#include "ask.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "libdl_intercept/base/options.h"
#include "libdl_intercept/state/contexts.h"
#include "binaries.h"
#include "memory.h"
#include "serve.h"
#include "shadow.h"
#include "shadow_cache.h"

/* Where there is no builder, the program compiles what it wants when it wants it. */
static enum dl__ready ask(struct dl__ticket *ticket,
                          void (*pack)(struct dl__pack *job, const void *user),
                          const void *user)
{
    enum dl__ready ready;

    /* A test's decisions must not hang on how far the builder is. */
    if (dl__options_get()->policy_test)
        return DL__READY;
    ready = dl__builder_ask(ticket, pack, user, false);
    return ready == DL__ALONE ? DL__READY : ready;
}

/* ---- shadow programs ---- */

struct dl__shadow_job {
    struct dl__shadow_job *next;
    cl_device_id device;
    struct dl__shadow_knobs knobs;
    struct dl__ticket ticket;
};

/* NULL: out of memory. */
static DL__WITH_LOCK struct dl__shadow_job *
shadow_job(struct dl__rewrite *rewrite, const struct dl__shadow_wanted *wanted)
{
    struct dl__shadow_job *job = rewrite->jobs;

    while (job && (job->device != wanted->device ||
                   !dl__shadow_knobs_equal(&job->knobs, wanted->knobs)))
        job = job->next;
    if (job)
        return job;
    job = calloc(1, sizeof *job);
    if (!job)
        return NULL;
    job->device = wanted->device;
    job->knobs = *wanted->knobs;
    job->next = rewrite->jobs;
    rewrite->jobs = job;
    return job;
}

/* What is kept of it: bytes of a binary; 0: that it does not build; SIZE_MAX: nothing. */
static DL__WITH_LOCK size_t bytes_kept(const struct dl__shadow_wanted *wanted)
{
    size_t bytes = SIZE_MAX;
    struct dl__pack key;
    void *binary = NULL;

    if (dl__shadow_key(wanted->rewrite, wanted->device, wanted->knobs, &key))
        binary = dl__binary_get(&key, &bytes);
    dl__pack_free(&key);
    free(binary);
    return binary ? bytes : SIZE_MAX;
}

enum dl__ready dl__shadow_ask(struct dl__rewrite *rewrite, struct dl__context *context,
                              const struct dl_kernel_note *note, cl_device_id device,
                              struct dl__shadow_knobs *knobs)
{
    const struct dl__shadow_wanted wanted = {rewrite, device, knobs};
    struct dl__shadow_job *job;

    dl__shadow_knobs_narrow(rewrite, note, knobs);
    job = shadow_job(rewrite, &wanted);
    if (!job)
        return DL__NOT_POSSIBLE;
    if (!job->ticket.board && !job->ticket.over &&
        dl__shadow_prepare(rewrite, context, device, knobs, true))
        job->ticket = (struct dl__ticket){.over = true, .ready = DL__READY};
    return ask(&job->ticket, dl__job_pack_shadow, &wanted);
}

/* A compiler takes so much address space that one that has little of it must not run in
 * the program: most end the process where it is not enough. */
static bool may_compile(void)
{
    struct rlimit limit;

    return dl__transformer_get() || getrlimit(RLIMIT_AS, &limit) != 0 ||
           limit.rlim_cur == RLIM_INFINITY;
}

/* Waits for a job of the builder's. READY: it has done what it can. ALONE: the program
 * may compile. */
static enum dl__ready wait_for(struct dl__ticket *ticket,
                               void (*pack)(struct dl__pack *job, const void *user),
                               const void *user)
{
    enum dl__ready ready;

    if (dl__options_get()->policy_test)
        return DL__ALONE;
    ready = dl__builder_wait(ticket, pack, user);
    return ready == DL__ALONE && !may_compile() ? DL__NOT_POSSIBLE : ready;
}

enum dl__ready dl__shadow_wait(struct dl__rewrite *rewrite, cl_device_id device,
                               const struct dl__shadow_knobs *knobs)
{
    const struct dl__shadow_wanted wanted = {rewrite, device, knobs};
    struct dl__shadow_job *job = shadow_job(rewrite, &wanted);
    enum dl__ready ready =
        job ? wait_for(&job->ticket, dl__job_pack_shadow, &wanted) : DL__NOT_POSSIBLE;

    /* The builder has no such device. */
    if (ready == DL__READY && bytes_kept(&wanted) == SIZE_MAX)
        ready = may_compile() ? DL__ALONE : DL__NOT_POSSIBLE;
    return ready;
}

void dl__shadow_ask_ahead(struct dl__rewrite *rewrite, struct dl__context *context,
                          const struct dl_kernel_note *note, struct dl__device *device,
                          struct dl__shadow_knobs *knobs)
{
    const struct dl__shadow_wanted wanted = {rewrite, device->id, knobs};
    struct dl__shadow_job *job;

    dl__shadow_knobs_narrow(rewrite, note, knobs);
    if (dl__transformer_get()) { /* this is the builder */
        dl__shadow_prepare(rewrite, context, device->id, knobs, false);
        dl__jobs_prepare_any(context, device);
        return;
    }
    job = shadow_job(rewrite, &wanted);
    if (job && !job->ticket.board && !job->ticket.over && bytes_kept(&wanted) == SIZE_MAX)
        ask(&job->ticket, dl__job_pack_shadow, &wanted);
}

void dl__expect_ask(struct dl__rewrite *rewrite, cl_device_id device, const char *kernel)
{
    const struct dl__expect_wanted wanted = {rewrite, device, kernel};
    struct dl__ticket ticket = {0};

    ask(&ticket, dl__job_pack_expect, &wanted);
}

void dl__shadow_jobs_free(struct dl__rewrite *rewrite)
{
    struct dl__shadow_job *job;

    while ((job = rewrite->jobs)) {
        rewrite->jobs = job->next;
        free(job);
    }
}

/* ---- conversions ---- */

struct move_job {
    struct move_job *next;
    struct dl__move_wanted wanted;
    struct dl__ticket ticket;
    bool stood_in;    /* kernels for any shape will do until it is over */
    unsigned version; /* of what is kept, when these were looked for; 0: never */
};

/* What is kept with a context. */
struct move_jobs {
    struct dl__kept kept;
    struct move_job *first DL__UNDER_LOCK;
};

static DL__WITH_LOCK void end_jobs(void *context, void *kept)
{
    struct move_jobs *jobs = kept;
    struct move_job *job;

    (void)context;
    while ((job = jobs->first)) {
        jobs->first = job->next;
        dl_leaf_table_free(&job->wanted.leaves);
        free(job);
    }
}

static const struct dl__keeper keeper = {.bytes = sizeof(struct move_jobs),
                                         .end = end_jobs};

/* NULL: out of memory. */
static DL__WITH_LOCK struct move_job *
move_job(struct dl__context *context, const struct dl__move *move, cl_device_id device)
{
    struct move_jobs *jobs = dl__kept_get(context, &keeper);
    struct move_job *job = jobs ? jobs->first : NULL;

    while (job && (job->wanted.device != device || job->wanted.structs != move->structs ||
                   !dl_layout_equal(&job->wanted.layout, &move->layout) ||
                   !dl_leaf_table_equal(&job->wanted.leaves, move->leaves)))
        job = job->next;
    if (job || !jobs)
        return job;
    job = calloc(1, sizeof *job);
    if (!job)
        return NULL;
    job->wanted = (struct dl__move_wanted){.device = device,
                                           .structs = move->structs,
                                           .bytes = move->mem->bytes,
                                           .layout = move->layout};
    if (dl_leaf_table_copy(move->leaves, &job->wanted.leaves) != DL_OK) {
        free(job);
        return NULL;
    }
    job->next = jobs->first;
    jobs->first = job;
    return job;
}

/* Both conversions, as far as binaries are kept. */
static DL__WITH_LOCK enum dl_status prepare_kept(struct dl__context *context,
                                                 struct dl_marshal *marshal,
                                                 const struct dl__move *move,
                                                 bool may_stand_in)
{
    const struct dl_layout aos = {.kind = DL_LAYOUT_AOS};
    cl_uint before = dl__context_count_begin(context);
    enum dl_status status = dl_marshal_ask(marshal, move->leaves, move->structs, aos,
                                           move->layout, may_stand_in);

    if (status == DL_OK)
        status = dl_marshal_ask(marshal, move->leaves, move->structs, move->layout, aos,
                                may_stand_in);
    dl__context_count_end(context, before);
    return status;
}

/* The job of a move, which is over where binaries are kept. NULL: there is nothing to be
 * made, which dl__move_prepare says why; or out of memory, *failed. */
static DL__WITH_LOCK struct move_job *wanted_job(const struct dl__move *move,
                                                 struct dl__queue *queue,
                                                 struct dl_marshal **marshal,
                                                 bool *failed)
{
    struct dl__context *context = move->mem->object.context;
    struct dl__device *device = dl__context_device(context, queue->device);
    struct move_job *job;

    *failed = false;
    *marshal = device ? dl__device_marshal(context, device) : NULL;
    if (!*marshal || dl__mem_is_there(move->mem, move->layout, move->leaves))
        return NULL;
    job = move_job(context, move, queue->device);
    *failed = !job;
    if (job && !job->ticket.board && !job->ticket.over &&
        prepare_kept(context, *marshal, move, false) != DL_ECL)
        job->ticket = (struct dl__ticket){.over = true, .ready = DL__READY};
    return job;
}

enum dl__ready dl__move_ask(const struct dl__move *move, struct dl__queue *queue)
{
    struct dl__context *context = move->mem->object.context;
    struct dl_marshal *marshal;
    enum dl__ready ready;
    bool failed;
    struct move_job *job = wanted_job(move, queue, &marshal, &failed);

    if (!job)
        return failed ? DL__NOT_POSSIBLE : DL__READY;
    ready = ask(&job->ticket, dl__job_pack_move, &job->wanted);
    if (ready != DL__BUILDING || job->stood_in)
        return job->stood_in ? DL__READY : ready;
    /* The builder makes those for any shape first. */
    if (job->version != dl__memory_version()) {
        job->version = dl__memory_version();
        job->stood_in = prepare_kept(context, marshal, move, true) == DL_OK;
    }
    return job->stood_in ? DL__READY : ready;
}

bool dl__move_wait(const struct dl__move *move, struct dl__queue *queue,
                   const char **reason)
{
    struct dl_marshal *marshal;
    bool failed;
    struct move_job *job = wanted_job(move, queue, &marshal, &failed);
    enum dl__ready ready;

    *reason = may_compile() ? "dl-builder could not build its conversion: it crashed in "
                              "the driver, or the program has forked this process"
                            : "dl-builder could not build its conversion, and the "
                              "program has little address space to compile it in "
                              "(ulimit -v)";
    if (!job || job->ticket.over)
        return !failed && (!job || job->ticket.ready != DL__NOT_POSSIBLE);
    ready = wait_for(&job->ticket, dl__job_pack_move, &job->wanted);
    if (ready == DL__READY && !may_compile() &&
        prepare_kept(move->mem->object.context, marshal, move, false) == DL_ECL)
        ready = DL__NOT_POSSIBLE;
    if (ready == DL__NOT_POSSIBLE)
        job->ticket = (struct dl__ticket){.over = true, .ready = ready};
    return ready != DL__NOT_POSSIBLE;
}

bool dl__kernels_wait(const struct dl__build *build)
{
    struct dl__ticket ticket = {0};
    enum dl__ready ready = wait_for(&ticket, dl__job_pack_kernels, build);

    return ready == DL__ALONE || (ready == DL__READY && may_compile());
}
