/* SPDX-License-Identifier: MIT */
/* Shadow programs: built, kept, asked of the builder; conversions, which are asked for
 * likewise; and the kernels that are launched in place of the program's. */
#include "shadow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>

#include "engine/stack.h"
#include "libdl_intercept/base/clock.h"
#include "libdl_intercept/base/processes.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/reports/stats.h"
#include "libdl_intercept/state/residence.h"
#include "libdl_intercept/state/contexts.h"
#include "libdl_intercept/trace/trace.h"
#include "devices.h"
#include "serve.h"
#include "unit.h"

/* The options that a unit's text is built with for these knobs. The caller frees it;
 * NULL: out of memory. */
static char *shadow_options(const struct dl__unit *unit,
                            const struct dl__shadow_knobs *knobs)
{
    char group[64] = "", *text = NULL, *options;

    if (knobs->group_items)
        snprintf(group, sizeof group, " -DDL_GROUP_ITEMS=%u", knobs->group_items);
    if (knobs->large_local)
        strcat(group, " -DDL_GROUP_WORDS=8192");
    if (knobs->own)
        return dl__options_quiet(unit->options, "-cl-opt-disable");
    if (asprintf(&text, "%s%s%s%s%s%s%s%s", knobs->layout.text,
                 knobs->index_64 ? " -DDL_INDEX_64=1" : "",
                 knobs->arrays ? " -DDL_ARRAYS=1" : "",
                 knobs->coalesced ? " -DDL_COALESCED=1" : "",
                 knobs->printing ? " -DDL_PRINTING=1" : "", group,
                 knobs->only ? " -DDL_ONLY=1 -DDL_WITH_" : "",
                 knobs->only ? knobs->only : "") < 0)
        return NULL;
    options = dl__options_quiet(unit->options, text);
    free(text);
    return options;
}

/* Sets `only` of the knobs as of the build that this kernel's shadow is of: of that
 * kernel only, or of all in the program's own text, or in one that came rewritten. */
static DL__WITH_LOCK void shadow_knobs_narrow(const struct dl__rewrite *rewrite,
                                              const struct dl_kernel_note *note,
                                              struct dl__shadow_knobs *knobs)
{
    knobs->only = NULL;
    for (size_t u = 0; !knobs->own && u < rewrite->unit_count; u++)
        if (rewrite->units[u]->notes && rewrite->units[u]->notes->apart)
            knobs->only = note->name;
}

/* The build log, at debug level. */
static void program_log_build(cl_program program, cl_device_id device)
{
    char *log;

    if (dl__log_threshold() < DL__LOG_DEBUG)
        return;
    log = dl__info_get(DL__OF_BUILD, program, device, CL_PROGRAM_BUILD_LOG, NULL);
    dl__log(DL__LOG_DEBUG, "build log of the rewritten program: %.1023s", log ? log : "");
    free(log);
}

/* A unit by itself, or compiled for a link; NULL: it does not build. */
static cl_program build_unit(cl_context context, cl_device_id device,
                             const struct dl__unit *unit,
                             const struct dl__shadow_knobs *knobs, bool for_link)
{
    const size_t count = for_link ? unit->header_count : 0;
    cl_program program =
        dl__program_from_text(context, knobs->own ? dl__unit_own_text(unit) : unit->text);
    cl_program *headers = calloc(count + 1, sizeof *headers);
    const char **names = calloc(count + 1, sizeof *names);
    char *options = shadow_options(unit, knobs);
    bool good = program && headers && names && options;

    for (size_t h = 0; good && h < count; h++) {
        names[h] = unit->headers[h].name;
        headers[h] = dl__program_from_text(context, unit->headers[h].text);
        good = headers[h] != NULL;
    }
    if (good) {
        good = (for_link ? dl__next.clCompileProgram(
                               program, 1, &device, options, (cl_uint)count,
                               count ? headers : NULL, count ? names : NULL, NULL, NULL)
                         : dl__next.clBuildProgram(program, 1, &device, options, NULL,
                                                   NULL)) == CL_SUCCESS;
        if (!good)
            program_log_build(program, device);
    }
    for (size_t h = 0; headers && h < count; h++)
        if (headers[h])
            dl__next.clReleaseProgram(headers[h]);
    free(headers);
    free(names);
    free(options);
    if (program && !good)
        dl__next.clReleaseProgram(program);
    return good ? program : NULL;
}

/* ---- binaries in the cache, and what the marshaling kernels' engine is handed of it
 * ---- */

/* A larger binary is not copied for other contexts, which read it from its file again. */
enum { COPIED_BYTES_MAX = 256 << 10 };

/* Returns the binary that is kept under the key, which the caller frees; NULL: none. */
static void *binary_get(const struct dl__pack *key, size_t *bytes)
{
    void *value = NULL;

    if (!dl__cache_get(key, &value, bytes))
        return NULL;
    if (*bytes <= COPIED_BYTES_MAX)
        dl__memory_put(key, value, *bytes);
    return value;
}

static bool is_noted(const struct dl__pack *key)
{
    size_t bytes;
    void *kept = binary_get(key, &bytes);

    free(kept);
    return kept != NULL;
}

/* The binary of a built program. */
static void binary_put(const struct dl__pack *key, const void *binary, size_t bytes)
{
    if (key->failed)
        return;
    dl__memory_put(key, binary, bytes);
    dl__cache_put(key, binary, bytes);
}

/* ---- shadow programs in the cache: keys, and programs from the binaries that are kept
 * ---- */

static void pack_whole(struct dl__pack *key, const struct dl__unit *unit)
{
    dl__pack_text(key, unit->text);
    dl__unit_pack_headers(key, unit);
    dl__pack_bytes(key, unit->files.data, unit->files.bytes);
}

/* Of a text with many kernels there are as many entries: they don't have it whole, each
 * again. */
static void pack_digest(struct dl__pack *key, struct dl__unit *unit)
{
    if (!unit->digested) {
        struct dl__pack whole = {0};

        pack_whole(&whole, unit);
        dl__digest(&(struct dl__digest_part){whole.data, whole.bytes}, 1, unit->digest);
        unit->digested = !whole.failed;
        dl__pack_free(&whole);
    }
    key->failed = key->failed || !unit->digested;
    dl__pack_bytes(key, unit->digest, sizeof unit->digest);
}

static bool pack_unit(struct dl__pack *key, struct dl__unit *unit,
                      const struct dl__shadow_knobs *knobs)
{
    char *options = shadow_options(unit, knobs);
    bool known = options && dl__unit_files_known(unit);

    dl__pack_text(key, options);
    if (knobs->only)
        pack_digest(key, unit);
    else
        pack_whole(key, unit);
    free(options);
    return known;
}

/* The key of a shadow program in the cache, or of something else of it, to be freed in
 * any case; false: it has none. */
static bool key_of(const char *what, const struct dl__rewrite *rewrite,
                   const struct dl__shadow *shadow, struct dl__pack *key)
{
    bool known = dl__cache_key_begin(key, what, shadow->device);

    if (!known)
        return false;
    dl__pack_text(key, rewrite->linked ? rewrite->link_options : NULL);
    dl__pack_number(key, rewrite->unit_count);
    for (size_t i = 0; known && i < rewrite->unit_count; i++)
        known = pack_unit(key, rewrite->units[i], &shadow->knobs);
    return known && !key->failed;
}

static bool shadow_key(const struct dl__rewrite *rewrite, const struct dl__shadow *shadow,
                       struct dl__pack *key)
{
    return key_of("shadow", rewrite, shadow, key);
}

/* The program, built from the binary that is kept; NULL: it is known not to build. False:
 * nothing that can be used is kept. */
static bool shadow_load(const struct dl__rewrite *rewrite, cl_context context,
                        struct dl__shadow *shadow, const struct dl__pack *key)
{
    char *options = rewrite->linked ? strdup(rewrite->link_options)
                                    : shadow_options(rewrite->units[0], &shadow->knobs);
    size_t bytes = 0;
    void *binary = options ? binary_get(key, &bytes) : NULL;
    bool known = binary && bytes == 0;

    if (binary && bytes) {
        shadow->program =
            dl__binary_build(&dl__next, context, shadow->device, binary, bytes, options);
        known = shadow->program != NULL;
        if (!known)
            dl__log(DL__LOG_DEBUG,
                    "the driver does not take its binary of a rewritten program "
                    "back: it is built anew");
    }
    free(binary);
    free(options);
    return known;
}

/* A kernel that compiles in less processor time need not be launched ahead: the price of
 * exploring has 0.06 for it (engine/devices/pocl.device). */
static const double slow_seconds = 0.12;

/* Of this thread. */
static double processor_seconds(void)
{
    struct timespec now = {0};

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* NULL: it does not build, which only the program that waits for it is told: it may be
 * the driver's failure, of today. PoCL compiles for a binary what it compiles for groups
 * of a size in a launch, so where that takes long it is noted. */
static void shadow_keep(const struct dl__rewrite *rewrite,
                        const struct dl__shadow *shadow, const struct dl__pack *key)
{
    double begun = processor_seconds(), took;
    cl_program program = shadow->program;
    struct dl__pack slow;
    size_t bytes;
    void *binary =
        program ? dl__binary_of(&dl__next, program, shadow->device, &bytes) : NULL;

    took = processor_seconds() - begun;
    if (binary) {
        if (key_of("slow", rewrite, shadow, &slow) && took >= slow_seconds)
            binary_put(&slow, &took, sizeof took);
        dl__pack_free(&slow);
        binary_put(key, binary, bytes);
    } else if (!program) {
        dl__cache_tell(key, "", 0);
    }
    free(binary);
}

/* The processor time that compiling it has taken, where that is long; else 0. */
static DL__WITH_LOCK double slow_compilation(const struct dl__rewrite *rewrite,
                                             const struct dl__shadow *shadow)
{
    struct dl__pack key;
    double seconds = 0;
    size_t bytes = 0;
    void *kept = key_of("slow", rewrite, shadow, &key) ? binary_get(&key, &bytes) : NULL;

    if (bytes == sizeof seconds)
        memcpy(&seconds, kept, bytes);
    dl__pack_free(&key);
    free(kept);
    return seconds;
}

/* ---- asking for shadow programs and conversions ---- */

/* Where there is no builder, the program compiles what it wants when it wants it. */
static enum dl__ready ask(struct dl__ticket *ticket, dl__pack_job_fn pack,
                          const void *user)
{
    enum dl__ready ready;

    /* A test's decisions must not hang on how far the builder is. */
    if (dl__options_get()->policy_test)
        return DL__READY;
    ready = dl__builder_ask(ticket, pack, user, false);
    return ready == DL__ALONE ? DL__READY : ready;
}

struct shadow_wanted {
    const struct dl__rewrite *rewrite;
    struct dl__shadow *shadow;
};

/* The shadow that launches of a kernel will most likely need, while its text is still
 * being read. */
struct expect_wanted {
    const struct dl__rewrite *rewrite;
    cl_device_id device;
    const char *kernel;
};

/* ---- jobs, as serve.c takes them apart ---- */

static void pack_device(struct dl__pack *job, cl_device_id device)
{
    struct dl__pack name;

    job->failed = !dl__cache_name_device(&name, device) || job->failed;
    dl__pack_bytes(job, name.data, name.bytes);
    dl__pack_free(&name);
}

/* The builder reads what a unit of its own includes. Of others it is part of the shadow's
 * key. */
static void pack_shadow(struct dl__pack *job, const void *user)
{
    const struct shadow_wanted *wanted = user;
    const struct dl__shadow *shadow = wanted->shadow;

    dl__pack_number(job, DL__JOB_SHADOW);
    pack_device(job, shadow->device);
    dl__pack_bytes(job, &shadow->knobs, sizeof shadow->knobs);
    dl__pack_text(job, shadow->knobs.only);
    dl__rewrite_pack(job, wanted->rewrite, false);
}

static void pack_expect(struct dl__pack *job, const void *user)
{
    const struct expect_wanted *wanted = user;

    dl__pack_number(job, DL__JOB_EXPECT);
    pack_device(job, wanted->device);
    dl__pack_text(job, wanted->kernel);
    dl__rewrite_pack(job, wanted->rewrite, false);
}

static void pack_move(struct dl__pack *job, const void *user)
{
    const struct dl__move_wanted *wanted = user;

    dl__pack_number(job, DL__JOB_MOVE);
    pack_device(job, wanted->device);
    dl__pack_bytes(job, wanted, sizeof *wanted);
    dl__pack_bytes(job, wanted->leaves.leaves,
                   wanted->leaves.leaf_count * sizeof *wanted->leaves.leaves);
}

static void pack_kernels(struct dl__pack *job, const void *user)
{
    const struct dl__build *build = user;

    dl__pack_number(job, DL__JOB_KERNELS);
    pack_device(job, build->device);
    dl__pack_number(job, build->count);
    for (size_t t = 0; t < build->count; t++)
        dl__pack_text(job, build->texts[t]);
}

/* ---- first launches ---- */

struct first_wanted {
    const struct dl__rewrite *rewrite;
    const struct dl__shadow *shadow;
    const struct dl__first_launch *launch;
};

/* PoCL compiles for fewer work-items than this in each dimension by itself. */
enum { WIDE_ITEMS = 1 << 16 };

static const char first_begun[] = "first launch begun",
                  first_compiled[] = "first launch compiled";

/* The key that says that it was compiled, or begun, to be freed in any case. */
static bool first_key(const char *what, const struct first_wanted *wanted,
                      struct dl__pack *key)
{
    const struct dl__first_launch *launch = wanted->launch;
    bool known = key_of(what, wanted->rewrite, wanted->shadow, key);
    bool wide = false;

    for (cl_uint d = 0; d < launch->work_dim; d++)
        wide |= launch->global[d] >= WIDE_ITEMS;
    dl__pack_text(key, launch->kernel->name);
    dl__pack_number(key, launch->work_dim);
    dl__pack_number(key, wide);
    dl__pack_bytes(key, launch->local[0] ? launch->local : launch->global,
                   sizeof launch->local);
    return known && !key->failed;
}

enum first_arg { ARG_NULL, ARG_VALUE, ARG_BUFFER };

static void pack_first(struct dl__pack *job, const void *user)
{
    const struct first_wanted *wanted = user;
    const struct dl__first_launch *launch = wanted->launch;
    const struct dl__shadow *shadow = wanted->shadow;
    const struct dl__kernel *kernel = launch->kernel;
    const char *const keys[] = {first_begun, first_compiled};

    dl__pack_number(job, DL__JOB_FIRST);
    pack_device(job, shadow->device);
    dl__pack_bytes(job, &shadow->knobs, sizeof shadow->knobs);
    dl__pack_text(job, shadow->knobs.only);
    dl__rewrite_pack(job, wanted->rewrite, false);
    for (size_t k = 0; k < 2; k++) {
        struct dl__pack key;

        job->failed |= !first_key(keys[k], wanted, &key);
        dl__pack_bytes(job, key.data, key.bytes);
        dl__pack_free(&key);
    }
    dl__pack_text(job, kernel->name);
    dl__pack_bytes(job, launch, sizeof *launch);
    dl__pack_number(job, kernel->note->arg_count);
    for (unsigned i = 0; i < kernel->note->arg_count && i < kernel->arg_count; i++) {
        const struct dl__arg *arg = &kernel->args[i];
        const void *value =
            arg->bytes > sizeof arg->value.small ? arg->value.large : arg->value.small;

        job->failed |= arg->svm || arg->serial == 0;
        dl__pack_number(job, launch->mems[i] ? ARG_BUFFER
                             : arg->null     ? ARG_NULL
                                             : ARG_VALUE);
        dl__pack_number(job, launch->mems[i] ? launch->mems[i]->bytes : arg->bytes);
        if (!launch->mems[i] && !arg->null)
            dl__pack_bytes(job, value, arg->bytes);
    }
}

/* ---- asking for shadow programs ---- */

/* True when its binary is in the cache, or that it does not build. */
static DL__WITH_LOCK bool is_kept(const struct shadow_wanted *wanted)
{
    struct dl__pack key;
    void *binary = NULL;
    size_t bytes;
    bool kept;

    kept = shadow_key(wanted->rewrite, wanted->shadow, &key) &&
           (binary = binary_get(&key, &bytes));
    dl__pack_free(&key);
    free(binary);
    return kept;
}

void dl__launch_prepare(struct dl_marshal *marshal, cl_device_id device, bool waited)
{
    /* The host compares what a CPU has. */
    if (!marshal || !dl__device_is_gpu(device))
        return;
    dl_marshal_compare_prepare(marshal, 0);
    if (!waited)
        dl_marshal_prepare_any(marshal);
}

/* A compiler takes so much address space, and its linker so many descriptors, that none
 * must run in a program that has few: most end the process where they are not enough. */
static bool may_compile(void)
{
    struct rlimit limit;

    return dl__transformer_get() ||
           ((getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) &&
            dl__descriptors_are_left());
}

/* Waits for a job of the builder's. READY: it has done what it can. ALONE: the program
 * may compile. */
static enum dl__ready wait_for(struct dl__ticket *ticket, dl__pack_job_fn pack,
                               const void *user)
{
    enum dl__ready ready;

    if (dl__options_get()->policy_test)
        return DL__ALONE;
    ready = dl__builder_wait(ticket, pack, user);
    return ready == DL__ALONE && !may_compile() ? DL__NOT_POSSIBLE : ready;
}

/* Waits until the builder has made it. DL__ALONE: it can't, and the program may. */
static DL__WITH_LOCK enum dl__ready shadow_wait(const struct dl__rewrite *rewrite,
                                                struct dl__shadow *shadow)
{
    const struct shadow_wanted wanted = {rewrite, shadow};
    enum dl__ready ready = wait_for(&shadow->ticket, pack_shadow, &wanted);

    /* The builder has no such device. */
    if (ready == DL__READY && !is_kept(&wanted))
        ready = may_compile() ? DL__ALONE : DL__NOT_POSSIBLE;
    return ready;
}

void dl__expect_ask(struct dl__rewrite *rewrite, cl_device_id device, const char *kernel)
{
    const struct expect_wanted wanted = {rewrite, device, kernel};
    struct dl__ticket ticket = {0};

    ask(&ticket, pack_expect, &wanted);
}

/* ---- conversions ---- */

struct move_job {
    struct move_job *next;
    struct dl__move_wanted wanted;
    struct dl__ticket ticket, looks; /* the same job, for what looks need */
    bool stood_in;                   /* others will do until it is over */
    unsigned version; /* of what is kept, when these were looked for; 0: never */
};

/* Kept with a context. */
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

static void ask_for_looks(void *kept, const struct dl__move *move,
                          cl_device_id device) DL__WITH_LOCK;

static const struct dl__keeper keeper = {
    .bytes = sizeof(struct move_jobs), .end = end_jobs, .looks_unbuilt = ask_for_looks};

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

static DL__WITH_LOCK void ask_for_looks(void *kept, const struct dl__move *move,
                                        cl_device_id device)
{
    struct move_job *job = move_job(move->mem->object.context, move, device);

    (void)kept;
    /* A ticket for the conversions brings the looks along. */
    if (job && !job->ticket.board)
        ask(&job->looks, pack_move, &job->wanted);
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
    ready = ask(&job->ticket, pack_move, &job->wanted);
    if (ready != DL__BUILDING || job->stood_in)
        return job->stood_in ? DL__READY : ready;
    /* On a GPU the builder makes kernels for any shape first; on a CPU the host converts.
     */
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

    *reason = "dl-builder could not build its conversion: it crashed in the driver, or "
              "the program has forked this process";
    if (!job || job->ticket.over)
        return !failed && (!job || job->ticket.ready != DL__NOT_POSSIBLE);
    ready = wait_for(&job->ticket, pack_move, &job->wanted);
    if (ready == DL__READY && !may_compile() &&
        prepare_kept(move->mem->object.context, marshal, move, false) == DL_ECL)
        ready = DL__NOT_POSSIBLE;
    if (ready != DL__NOT_POSSIBLE)
        return true;
    job->ticket = (struct dl__ticket){.over = true, .ready = ready};
    if (!may_compile())
        *reason = "dl-builder could not build its conversion, and the program has little "
                  "address space or few descriptors to compile it with (ulimit -v, -n)";
    return false;
}

/* Has the builder build kernels of DL's own, and waits for it. False: they must not be
 * compiled here. Threads: safe. */
static bool kernels_wait(const struct dl__build *build)
{
    struct dl__ticket ticket = {0};
    enum dl__ready ready = wait_for(&ticket, pack_kernels, build);

    return ready == DL__ALONE || (ready == DL__READY && may_compile());
}

/* ---- what several builders want ----
 *
 * Runs of a program that follow each other soon have a builder each, which want the same:
 * one makes it, while the others wait, and look for it again. */

/* Longer than any driver takes for one; then whoever waits makes it, too. */
enum { BUILDING_MS_MAX = 60000 };

static bool (*stop_waiting)(void);

void dl__builds_wait_until(bool (*stop)(void))
{
    stop_waiting = stop;
}

/* A program that waits for a job must not wait for another's builder, too. */
static void hold_build(const struct dl__pack *key, struct dl__hold *hold)
{
    dl__cache_hold(key, BUILDING_MS_MAX, stop_waiting, hold);
}

/* ---- shadow programs and kernels ---- */

static DL__WITH_LOCK cl_program link_units(struct dl__context *context,
                                           struct dl__shadow *shadow,
                                           const struct dl__rewrite *rewrite)
{
    cl_program *inputs = calloc(rewrite->unit_count, sizeof *inputs);
    cl_program program = NULL;
    bool compiled = inputs != NULL;
    cl_int err = CL_SUCCESS;

    for (size_t i = 0; compiled && i < rewrite->unit_count; i++) {
        inputs[i] = build_unit(context->object.handle, shadow->device, rewrite->units[i],
                               &shadow->knobs, true);
        compiled = inputs[i] != NULL;
    }
    if (compiled)
        program = dl__next.clLinkProgram(
            context->object.handle, 1, &shadow->device, rewrite->link_options,
            (cl_uint)rewrite->unit_count, inputs, NULL, NULL, &err);
    if (program && err != CL_SUCCESS) {
        program_log_build(program, shadow->device);
        dl__next.clReleaseProgram(program);
        program = NULL;
    }
    for (size_t i = 0; inputs && i < rewrite->unit_count; i++) {
        if (inputs[i])
            dl__next.clReleaseProgram(inputs[i]);
    }
    free(inputs);
    return program;
}

/* True when building the unit's text now reads what the program's own build has read.
 *   reason  out, where it does not: why, in words that follow a kernel's name */
static bool unit_is_as_built(const struct dl__unit *unit, const char **reason)
{
    /* All that a rewritten text includes was seen (unit_was_as_built). */
    if (!unit->files_known && !unit->seen.whole) {
        *reason = "it is not known which files its text includes (a macro names a file, "
                  "or there is an option that DL does not know)";
        return false;
    }
    if (dl__files_unchanged(unit->files_known ? &unit->files : &unit->seen.list))
        return true;
    *reason = "a file that its text includes has changed since the program was built, or "
              "the working folder has";
    return false;
}

/* False: the driver would read, or has read, something else than for the program's own
 * build. */
static bool is_as_built(struct dl__shadow *shadow, const struct dl__rewrite *rewrite)
{
    for (size_t u = 0; u < rewrite->unit_count; u++)
        if (!unit_is_as_built(rewrite->units[u], &shadow->unbuilt))
            return false;
    return true;
}

static DL__WITH_LOCK cl_program build_anew(struct dl__rewrite *rewrite,
                                           struct dl__context *context,
                                           struct dl__shadow *shadow)
{
    cl_program program;

    if (!is_as_built(shadow, rewrite))
        return NULL;
    program = rewrite->linked ? link_units(context, shadow, rewrite)
                              : build_unit(context->object.handle, shadow->device,
                                           rewrite->units[0], &shadow->knobs, false);
    if (program && !is_as_built(shadow, rewrite)) {
        dl__next.clReleaseProgram(program);
        program = NULL;
    }
    return program;
}

/* Where a program comes from. */
enum source {
    KEPT,     /* the binary that is kept, or nothing */
    ASKED,    /* the same, which the builder has just made */
    ANYWHERE, /* it is compiled where nothing is kept */
    NOWHERE   /* it can't be compiled */
};

/* False: nothing is kept. Program NULL: it does not build. */
static DL__WITH_LOCK bool make_program(struct dl__rewrite *rewrite,
                                       struct dl__context *context,
                                       struct dl__shadow *shadow, enum source source)
{
    struct dl__hold hold = {.fd = -1};
    struct dl__pack key;
    bool keyed, known;

    if (source == NOWHERE) {
        shadow->unbuilt = "dl-builder could not build its rewritten text, nor can the "
                          "program (ulimit -v, or a process that was forked)";
        return true;
    }
    keyed = shadow_key(rewrite, shadow, &key);
    known = keyed && shadow_load(rewrite, context->object.handle, shadow, &key);
    if (keyed && !known && source == ANYWHERE && dl__transformer_get()) {
        hold_build(&key, &hold);
        known = shadow_load(rewrite, context->object.handle, shadow, &key);
    }
    if (known || source == ANYWHERE)
        dl__stats_add(known && source != ASKED ? DL__STATS_SHADOWS_KEPT
                                               : DL__STATS_SHADOWS_BUILT,
                      1);
    if (!known && source == ANYWHERE) {
        shadow->program = build_anew(rewrite, context, shadow);
        if (keyed && (shadow->program || !shadow->unbuilt))
            shadow_keep(rewrite, shadow, &key);
        known = true;
    }
    dl__store_let_go(&hold);
    dl__pack_free(&key);
    return known;
}

/* NULL: out of memory. */
static DL__WITH_LOCK struct dl__shadow *shadow_find(struct dl__rewrite *rewrite,
                                                    cl_device_id device,
                                                    const struct dl__shadow_knobs *knobs)
{
    struct dl__shadow *shadow = rewrite->shadows;

    while (shadow &&
           (shadow->device != device || !dl__shadow_knobs_equal(&shadow->knobs, knobs)))
        shadow = shadow->next;
    if (shadow || !(shadow = calloc(1, sizeof *shadow)))
        return shadow;
    shadow->device = device;
    shadow->knobs = *knobs;
    shadow->next = rewrite->shadows;
    rewrite->shadows = shadow;
    return shadow;
}

struct making {
    struct dl__rewrite *rewrite;
    struct dl__context *context;
    struct dl__shadow *shadow;
    enum source source;
};

/* The caller has the lock, and waits. */
static void DL__UNCHECKED make_for(void *user)
{
    const struct making *m = user;

    m->shadow->made = make_program(m->rewrite, m->context, m->shadow, m->source);
}

/* False: nothing is kept. */
static DL__WITH_LOCK bool shadow_make(struct dl__rewrite *rewrite,
                                      struct dl__context *context,
                                      struct dl__shadow *shadow, enum source source)
{
    struct making making = {rewrite, context, shadow, source};
    uint64_t start_ns = dl__trace_now();
    cl_uint before;

    if (shadow->made)
        return true;
    dl__trace_own_begin();
    before = dl__context_count_begin(context);
    dl__with_stack(make_for, &making);
    dl__context_count_end(context, before);
    dl__trace_own_end();
    dl__trace_build("a rewritten program", start_ns);
    return shadow->made;
}

/* The shadow program with these knobs, made at first need: by the builder, which is
 * waited for, or here where that can't. NULL: out of memory; program NULL: it does not
 * build. */
static DL__WITH_LOCK struct dl__shadow *shadow_get(struct dl__rewrite *rewrite,
                                                   struct dl__context *context,
                                                   cl_device_id device,
                                                   const struct dl__shadow_knobs *knobs)
{
    struct dl__shadow *shadow = shadow_find(rewrite, device, knobs);
    const double start = dl__clock_seconds();
    enum source source = ANYWHERE;

    if (!shadow || shadow_make(rewrite, context, shadow, KEPT))
        return shadow;
    switch (shadow_wait(rewrite, shadow)) {
    case DL__READY:
        shadow_make(rewrite, context, shadow, ASKED);
        break;
    case DL__ALONE:
        break;
    default:
        source = NOWHERE;
    }
    shadow_make(rewrite, context, shadow, source);
    dl__stats_waited(DL__STATS_BUILT_MS, dl__clock_seconds() - start);
    return shadow;
}

/* ---- first launches, in the builder ---- */

/* A kernel that runs on zeros for a second beyond its compilation may never end: the
 * builder ends, by a signal. That takes several times what another has taken. */
enum { FIRST_SECONDS = 1, COMPILATIONS = 4 };

/* Zeros, of which no page is there before it is used. */
struct zeros {
    struct zeros *next;
    void *memory;
    size_t bytes;
    cl_mem mem;
};

static void zeros_free(struct zeros *first)
{
    struct zeros *zeros;

    while ((zeros = first)) {
        first = zeros->next;
        if (zeros->mem)
            dl__next.clReleaseMemObject(zeros->mem);
        munmap(zeros->memory, zeros->bytes);
        free(zeros);
    }
}

/* NULL: there is no memory. */
static cl_mem zeros_make(cl_context context, size_t bytes, struct zeros **first)
{
    struct zeros *zeros = calloc(1, sizeof *zeros);
    cl_int err;

    if (!zeros)
        return NULL;
    zeros->memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (zeros->memory == MAP_FAILED) {
        free(zeros);
        return NULL;
    }
    zeros->bytes = bytes;
    zeros->mem =
        dl__next.clCreateBuffer(context, CL_MEM_USE_HOST_PTR, bytes, zeros->memory, &err);
    zeros->next = *first;
    *first = zeros;
    return zeros->mem;
}

/* An argument's value may be the handle of an image or sampler, of which the builder has
 * none. True where no text has such arguments. */
static bool has_plain_args(const struct dl__rewrite *rewrite)
{
    static const char *const types[] = {"image", "sampler", "pipe"};
    bool plain = true;

    for (size_t u = 0; u < rewrite->unit_count; u++)
        for (size_t t = 0; t < sizeof types / sizeof *types; t++)
            plain = plain && !strstr(rewrite->units[u]->text, types[t]);
    return plain;
}

/* Sets the arguments of the job, and those after them: no struct is in a tile. */
static bool first_args(cl_context context, cl_kernel handle, bool index_64,
                       struct dl__unpack *job, struct zeros **zeros)
{
    const cl_ulong nothing = 0;
    uint64_t count = dl__unpack_number(job);
    cl_uint all = 0;
    bool set = dl__next.clGetKernelInfo(handle, CL_KERNEL_NUM_ARGS, sizeof all, &all,
                                        NULL) == CL_SUCCESS &&
               count <= all;

    for (cl_uint i = 0; set && i < count; i++) {
        uint64_t kind = dl__unpack_number(job), bytes = dl__unpack_number(job);
        const void *value = NULL;
        size_t value_bytes;
        cl_mem mem;

        if (kind == ARG_VALUE)
            value = dl__unpack_bytes(job, &value_bytes);
        mem = kind == ARG_BUFFER ? zeros_make(context, bytes, zeros) : NULL;
        set = !job->failed && (kind != ARG_BUFFER || mem) &&
              dl__next.clSetKernelArg(handle, i, mem ? sizeof mem : bytes,
                                      mem ? &mem : value) == CL_SUCCESS;
    }
    for (cl_uint i = (cl_uint)count; set && i < all; i++)
        set = dl__next.clSetKernelArg(handle, i,
                                      index_64 ? sizeof(cl_ulong) : sizeof(cl_uint),
                                      &nothing) == CL_SUCCESS;
    return set;
}

/* Launches the kernel, and waits. */
static bool first_run(cl_context context, cl_device_id device, cl_kernel handle,
                      const struct dl__first_launch *launch, double compilation)
{
    const struct itimerval most = {
        .it_value = {.tv_sec = FIRST_SECONDS + (time_t)(COMPILATIONS * compilation)}};
    const struct itimerval none = {.it_value = {.tv_sec = 0}};
    cl_command_queue queue;
    cl_int err;

    queue = dl__next.clCreateCommandQueue(context, device, 0, &err);
    if (err != CL_SUCCESS)
        return false;
    setitimer(ITIMER_PROF, &most, NULL);
    err = dl__next.clEnqueueNDRangeKernel(
        queue, handle, launch->work_dim, NULL, launch->global,
        launch->local[0] ? launch->local : NULL, 0, NULL, NULL);
    if (err == CL_SUCCESS)
        err = dl__next.clFinish(queue);
    setitimer(ITIMER_PROF, &none, NULL);
    dl__next.clReleaseCommandQueue(queue);
    return err == CL_SUCCESS;
}

static DL__WITH_LOCK void first_make(struct dl__rewrite *rewrite,
                                     struct dl__context *context,
                                     struct dl__shadow *shadow, struct dl__unpack *job)
{
    struct dl__hold hold = {.fd = -1};
    struct dl__pack begun = {0}, key = {0};
    size_t bytes;
    const unsigned char *begun_data = dl__unpack_bytes(job, &begun.bytes),
                        *key_data = dl__unpack_bytes(job, &key.bytes);
    const char *name = dl__unpack_text(job);
    const unsigned char *packed = dl__unpack_bytes(job, &bytes);
    struct dl__first_launch launch;
    struct zeros *zeros = NULL;
    cl_kernel handle;
    cl_int err;

    if (!shadow->program || !name || bytes != sizeof launch || !has_plain_args(rewrite))
        return;
    memcpy(&launch, packed, sizeof launch);
    begun.data = (unsigned char *)begun_data;
    key.data = (unsigned char *)key_data;
    handle = dl__next.clCreateKernel(shadow->program, name, &err);
    if (!handle)
        return;
    hold_build(&begun, &hold);
    /* One that has ended its builder is not made again. */
    if (!is_noted(&key) && !is_noted(&begun) &&
        first_args(context->object.handle, handle, shadow->knobs.index_64, job, &zeros)) {
        binary_put(&begun, "", 1);
        if (first_run(context->object.handle, shadow->device, handle, &launch,
                      slow_compilation(rewrite, shadow)))
            binary_put(&key, "", 1);
    }
    dl__store_let_go(&hold);
    dl__next.clReleaseKernel(handle);
    zeros_free(zeros);
}

void dl__shadow_prepare(struct dl__rewrite *rewrite, struct dl__context *context,
                        cl_device_id device, const struct dl__shadow_knobs *knobs,
                        struct dl__unpack *first)
{
    struct dl__shadow *shadow = shadow_find(rewrite, device, knobs);

    if (shadow && shadow_make(rewrite, context, shadow, ANYWHERE) && first)
        first_make(rewrite, context, shadow, first);
}

static DL__WITH_LOCK bool is_compiled(const struct first_wanted *wanted)
{
    struct dl__pack key;
    bool compiled = first_key(first_compiled, wanted, &key) && is_noted(&key);

    dl__pack_free(&key);
    return compiled;
}

enum dl__ready dl__first_ask(const struct dl__first_launch *first, cl_device_id device,
                             struct dl__shadow_knobs *knobs, struct dl__ticket *ticket,
                             bool *compiled)
{
    struct first_wanted wanted = {.rewrite = first->kernel->rewrite, .launch = first};
    enum dl__ready ready;

    shadow_knobs_narrow(wanted.rewrite, first->kernel->note, knobs);
    wanted.shadow = shadow_find(first->kernel->rewrite, device, knobs);
    if (!wanted.shadow || first->kernel->arg_count < first->kernel->note->arg_count)
        return DL__READY;
    *compiled = !ticket->board && !ticket->over && is_compiled(&wanted);
    if (*compiled || (!ticket->board && !ticket->over &&
                      slow_compilation(wanted.rewrite, wanted.shadow) == 0))
        *ticket = (struct dl__ticket){.over = true, .ready = DL__READY};
    ready = ask(ticket, pack_first, &wanted);
    *compiled =
        *compiled || (ready == DL__READY && ticket->board && is_compiled(&wanted));
    return ready == DL__BUILDING ? ready : DL__READY;
}

enum dl__ready dl__shadow_ask(const struct dl__kernel *kernel, cl_device_id device,
                              struct dl__shadow_knobs *knobs)
{
    struct dl__rewrite *rewrite = kernel->rewrite;
    struct shadow_wanted wanted = {.rewrite = rewrite};

    shadow_knobs_narrow(rewrite, kernel->note, knobs);
    wanted.shadow = shadow_find(rewrite, device, knobs);
    if (!wanted.shadow)
        return DL__NOT_POSSIBLE;
    if (!wanted.shadow->ticket.board && !wanted.shadow->ticket.over &&
        shadow_make(rewrite, kernel->object.context, wanted.shadow, KEPT))
        wanted.shadow->ticket = (struct dl__ticket){.over = true, .ready = DL__READY};
    return ask(&wanted.shadow->ticket, pack_shadow, &wanted);
}

void dl__shadow_ask_ahead(const struct dl__kernel *kernel, struct dl__device *device,
                          struct dl__shadow_knobs *knobs)
{
    struct dl__context *context = kernel->object.context;
    struct dl__rewrite *rewrite = kernel->rewrite;
    struct shadow_wanted wanted = {.rewrite = rewrite};

    shadow_knobs_narrow(rewrite, kernel->note, knobs);
    if (dl__transformer_get()) { /* this is the builder */
        dl__shadow_prepare(rewrite, context, device->id, knobs, NULL);
        dl__launch_prepare(dl__device_marshal(context, device), device->id, false);
        return;
    }
    wanted.shadow = shadow_find(rewrite, device->id, knobs);
    if (wanted.shadow && !wanted.shadow->ticket.board && !wanted.shadow->ticket.over &&
        !is_kept(&wanted))
        ask(&wanted.shadow->ticket, pack_shadow, &wanted);
}

bool dl__shadow_note(const struct dl__kernel *kernel, cl_device_id device,
                     const struct dl__shadow_knobs *knobs, void *value,
                     size_t value_bytes, bool put)
{
    const struct dl__shadow *shadow = shadow_find(kernel->rewrite, device, knobs);
    struct dl__pack key = {0};
    bool known = shadow && key_of("note", kernel->rewrite, shadow, &key);
    size_t bytes = 0;
    void *kept = NULL;

    dl__pack_text(&key, kernel->name);
    if (known && put)
        binary_put(&key, value, value_bytes);
    else if (known)
        kept = binary_get(&key, &bytes);
    known = kept && bytes == value_bytes;
    if (known)
        memcpy(value, kept, bytes);
    dl__pack_free(&key);
    free(kept);
    return known;
}

/* Handles come again: a driver may look at an object when it is given. 0: no memory
 * object. */
static unsigned long long mem_serial(const struct dl__mem *mem)
{
    return mem ? atomic_load(&mem->object.serial) : 0;
}

/* True when the argument is set to what `to` has. */
static bool has_value(const struct dl__shadow_arg *to, const struct dl__arg *arg,
                      const struct dl__mem *mem)
{
    return to->bytes > 0 && !arg->svm && !arg->null && to->bytes == arg->bytes &&
           memcmp(to->value, arg->value.small, arg->bytes) == 0 &&
           (arg->bytes != sizeof(cl_mem) ||
            (to->mem_serial && to->mem_serial == mem_serial(mem)));
}

static void keep_value(struct dl__shadow_arg *to, const struct dl__arg *arg,
                       const struct dl__mem *mem)
{
    to->bytes = 0;
    if (arg->svm || arg->null || arg->bytes > sizeof to->value)
        return;
    to->bytes = arg->bytes;
    memcpy(to->value, arg->value.small, arg->bytes);
    to->mem_serial = mem_serial(mem);
}

cl_int dl__shadow_kernel_set(struct dl__kernel *kernel, struct dl__mem *const *mems,
                             struct dl__shadow_kernel *to)
{
    for (unsigned i = 0; i < kernel->arg_count && i < kernel->note->arg_count; i++) {
        const struct dl__arg *arg = &kernel->args[i];
        const void *value = arg->value.small;
        cl_int err;

        if (arg->serial == 0 || to->args[i].serial == arg->serial)
            continue;
        if (has_value(&to->args[i], arg, mems[i])) {
            to->args[i].serial = arg->serial;
            continue;
        }
        to->args[i].bytes = 0;
        if (arg->svm) {
            err = dl__next.clSetKernelArgSVMPointer(to->handle, i, arg->value.pointer);
        } else {
            if (arg->null)
                value = NULL;
            else if (arg->bytes > sizeof arg->value.small)
                value = arg->value.large;
            err = dl__next.clSetKernelArg(to->handle, i, arg->bytes, value);
        }
        if (err != CL_SUCCESS)
            return err;
        to->args[i].serial = arg->serial;
        keep_value(&to->args[i], arg, mems[i]);
    }
    return CL_SUCCESS;
}

static DL__WITH_LOCK struct dl__shadow_kernel *
make_shadow_kernel(struct dl__kernel *kernel, struct dl__shadow *shadow)
{
    struct dl__context *context = kernel->object.context;
    struct dl__shadow_kernel *made = calloc(1, sizeof *made);
    cl_int err = CL_OUT_OF_HOST_MEMORY;
    cl_uint before;

    if (!made)
        return NULL;
    made->args = calloc(kernel->note->arg_count + 1, sizeof *made->args);
    made->hidden = calloc(2 * kernel->note->buffer_count + 1, sizeof *made->hidden);
    if (made->args && made->hidden) {
        before = dl__context_count_begin(context);
        made->handle = dl__next.clCreateKernel(shadow->program, kernel->name, &err);
        dl__context_count_end(context, before);
    }
    if (err != CL_SUCCESS) {
        free(made->args);
        free(made->hidden);
        free(made);
        return NULL;
    }
    made->shadow = shadow;
    made->next = kernel->shadows;
    kernel->shadows = made;
    return made;
}

struct dl__shadow_kernel *dl__shadow_kernel_get(struct dl__kernel *kernel,
                                                struct dl__queue *queue,
                                                struct dl__mem *const *mems,
                                                struct dl__shadow_knobs *knobs,
                                                const char **reason)
{
    struct dl__rewrite *rewrite = kernel->rewrite;
    struct dl__shadow_kernel *found;
    struct dl__shadow *shadow;

    shadow_knobs_narrow(rewrite, kernel->note, knobs);
    shadow = shadow_get(rewrite, kernel->object.context, queue->device, knobs);
    if (!shadow || !shadow->program) {
        *reason = shadow && shadow->unbuilt ? shadow->unbuilt
                  : knobs->only ? "its rewritten text does not build with this driver"
                                : "the rewritten program does not build with this driver";
        return NULL;
    }
    for (found = kernel->shadows; found; found = found->next) {
        if (found->shadow == shadow)
            break;
    }
    if (!found)
        found = make_shadow_kernel(kernel, shadow);
    if (!found) {
        *reason = "the rewritten kernel can't be created";
        return NULL;
    }
    if (dl__shadow_kernel_set(kernel, mems, found) != CL_SUCCESS) {
        *reason = "the rewritten kernel does not take the program's arguments";
        return NULL;
    }
    return found;
}

static bool make_key(const struct dl__build *build, struct dl__pack *key)
{
    if (!dl__cache_key_begin(key, "kernels", build->device))
        return false;
    dl__pack_text(key, build->options);
    dl__pack_number(key, build->count);
    for (size_t t = 0; t < build->count; t++)
        dl__pack_text(key, build->texts[t]);
    return !key->failed;
}

static void *find(const struct dl__build *build, size_t *bytes)
{
    struct dl__pack key;
    void *binary = make_key(build, &key) ? binary_get(&key, bytes) : NULL;

    dl__pack_free(&key);
    return binary;
}

static void keep(const struct dl__build *build, const void *binary, size_t bytes)
{
    struct dl__pack key;

    if (make_key(build, &key))
        binary_put(&key, binary, bytes);
    dl__pack_free(&key);
}

static _Thread_local struct dl__hold held = {.fd = -1}; /* of the build in the thread */

static bool make(const struct dl__build *build)
{
    struct dl__pack key;

    if (!dl__transformer_get())
        return kernels_wait(build);
    if (make_key(build, &key))
        hold_build(&key, &held);
    dl__pack_free(&key);
    return true;
}

static void end(const struct dl__build *build)
{
    (void)build;
    dl__store_let_go(&held);
}

void dl__binaries_offer(void)
{
    static const struct dl__binaries
        program = {.find = find, .keep = keep, .make = make, .end = end},
        builder = {.find = find, .keep = keep, .make = make, .end = end, .warm = true};

    dl__contexts_use_binaries(dl__transformer_get() ? &builder : &program);
}
