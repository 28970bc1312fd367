/* SPDX-License-Identifier: MIT */
/* The policy of this process. */
#include "policy.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdl_intercept/base/clock.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/base/standard_error.h"
#include "libdl_intercept/programs/rates.h"
#include "libdl_intercept/programs/serve.h"
#include "libdl_intercept/reports/stats.h"
#include "libdl_intercept/state/contexts.h"
#include "decisions.h"
#include "numbers.h"
#include "say.h"
#include "timing.h"

/* Of one device. */
struct device_policy {
    struct dl__policy core; /* first */
    cl_device_id device;
    struct device_policy *next;
};

/* What a record of a buffer keeps. */
struct kept_buffer {
    struct dl__kept kept;
    struct dl__policy *policy; /* of its last launch; NULL: none */
    struct dl__policy_buffer buffer;
    bool bound; /* to the launch on its way */
};

struct kept_context {
    struct dl__kept kept;
};

static struct dl__mutex lock = DL__MUTEX_INITIALIZER;
static struct device_policy *policies DL__GUARDED_BY(lock);
static struct dl__ledger ledger DL__GUARDED_BY(lock);
static double loaded; /* when the library was: the program's time counts from there */

__attribute__((constructor)) static void begin(void)
{
    loaded = dl__clock_seconds();
}
static pid_t owner DL__GUARDED_BY(lock);

/* ---- what happens to buffers ---- */

static DL__WITH_LOCK void converted(void *record, void *kept, const struct dl_layout *to,
                                    cl_event first, cl_event done)
{
    struct kept_buffer *own = kept;
    struct dl__mem *mem = record;
    struct dl__timed timed = {.policy = own->policy};
    enum dl__candidate_id id = dl__candidate_of(to->kind);

    if (!own->policy || id == DL__CANDIDATES)
        return;
    dl__mutex_lock(&lock);
    if (id != DL__NATIVE) {
        timed.move = dl__policy_moved(own->policy, &own->buffer, id);
    }
    if (id == DL__NATIVE && own->buffer.lies != DL__NATIVE)
        timed.move = dl__policy_returned(own->policy, &own->buffer, own->bound);
    if (timed.move.candidate != DL__NATIVE && first && done)
        dl__timing_add(mem->object.context, first, done, &timed);
    dl__mutex_unlock(&lock);
}

static DL__WITH_LOCK void touched(void *record, void *kept, uint64_t part_bytes)
{
    struct kept_buffer *own = kept;

    (void)record;
    if (own->bound || !own->policy)
        return;
    dl__mutex_lock(&lock);
    if (part_bytes)
        dl__policy_touched_part(own->policy, &own->buffer, part_bytes);
    else
        dl__policy_touched(own->policy, &own->buffer);
    dl__mutex_unlock(&lock);
}

static DL__WITH_LOCK bool may_look(void *record, void *kept, uint64_t bytes, bool *timed)
{
    struct kept_buffer *own = kept;
    bool may;

    (void)record;
    /* What a launch does to compare or explore is none of the program's. */
    if (!own->policy || own->bound)
        return true;
    dl__mutex_lock(&lock);
    may = dl__policy_may_look(own->policy, &own->buffer, bytes, timed);
    dl__mutex_unlock(&lock);
    return may;
}

static DL__WITH_LOCK void looked(void *record, void *kept, uint64_t bytes, cl_event event)
{
    struct kept_buffer *own = kept;
    struct dl__mem *mem = record;
    struct dl__timed timed = {.policy = own->policy};

    if (!own->policy || own->bound)
        return;
    dl__mutex_lock(&lock);
    timed.move = dl__policy_looked(own->policy, &own->buffer, bytes);
    if (timed.move.candidate != DL__NATIVE && event)
        dl__timing_add(mem->object.context, event, event, &timed);
    dl__mutex_unlock(&lock);
}

static DL__WITH_LOCK void overwritten(void *record, void *kept)
{
    struct kept_buffer *own = kept;

    (void)record;
    if (!own->policy)
        return;
    dl__mutex_lock(&lock);
    dl__policy_dropped(own->policy, &own->buffer);
    dl__mutex_unlock(&lock);
}

/* One decision with its numbers, for --explain-policy and the statistics. */
static void explain(const char *why)
{
    if (dl__options_get()->explain_policy)
        dl__stderr_say("dl: policy: %s\n", why);
    else
        dl__log(DL__LOG_REMARK, "policy: %s", why);
    dl__stats_decision(why);
}

/* What has become of a group that ends. */
static DL__REQUIRES(lock) void explain_group(struct dl__policy_group *group)
{
    char why[DL__WHY_BYTES];

    if (dl__options_get()->explain_policy && !group->into &&
        dl__say_group(group, why, sizeof why))
        explain(why);
}

static DL__WITH_LOCK void end_buffer(void *record, void *kept)
{
    struct kept_buffer *own = kept;
    struct dl__policy_group *group;

    (void)record;
    if (!own->policy)
        return;
    dl__mutex_lock(&lock);
    group = dl__group_of(own->buffer.group);
    if (group && group->references == 1)
        explain_group(group);
    dl__policy_buffer_end(own->policy, &own->buffer);
    dl__mutex_unlock(&lock);
}

static const struct dl__keeper buffer_keeper = {.bytes = sizeof(struct kept_buffer),
                                                .end = end_buffer,
                                                .converted = converted,
                                                .touched = touched,
                                                .may_look = may_look,
                                                .looked = looked,
                                                .overwritten = overwritten};

struct dl__policy_buffer *dl__policy_buffer_of(struct dl__mem *mem)
{
    struct kept_buffer *own = dl__kept_get(mem, &buffer_keeper);

    if (own)
        own->buffer.bytes = mem->bytes;
    return own ? &own->buffer : NULL;
}

/* ---- what is remembered ---- */

static pthread_once_t met_once = PTHREAD_ONCE_INIT;
static _Atomic enum dl__met met; /* by the command line, so far */

static void look_what_was_met(void)
{
    met = dl__decisions_met();
}

static DL__REQUIRES(lock) void keep_all(void)
{
    size_t launched = 0, known_short = 0;
    enum dl__met now;

    /* A forked child knows no more than its parent. */
    if (getpid() != owner)
        return;
    for (struct device_policy *at = policies; at; at = at->next) {
        dl__decisions_keep(&at->core);
        dl__policy_count_short(&at->core, &launched, &known_short);
    }
    now = launched == known_short ? DL__MET_SHORT : DL__MET_STRUCTS;
    if (launched > 0 && now != met) {
        met = now;
        dl__decisions_meet(now);
    }
}

static void keep_at_exit(void)
{
    dl__mutex_lock(&lock);
    for (struct device_policy *at = policies; at && getpid() == owner; at = at->next)
        for (struct dl__policy_group *group = at->core.groups; group; group = group->next)
            explain_group(group);
    keep_all();
    dl__mutex_unlock(&lock);
}

/* ---- events ---- */

static DL__WITH_LOCK void settle_context(struct dl__context *context, void *kept)
{
    (void)kept;
    dl__mutex_lock(&lock);
    dl__timing_poll(context, true);
    dl__mutex_unlock(&lock);
}

static DL__WITH_LOCK void end_context(void *record, void *kept)
{
    (void)kept;
    dl__mutex_lock(&lock);
    dl__timing_drop(record);
    keep_all();
    dl__mutex_unlock(&lock);
}

static const struct dl__keeper context_keeper = {
    .bytes = sizeof(struct kept_context), .end = end_context, .settle = settle_context};

bool dl__policy_wants_profiling(void)
{
    if (!dl__policy_is_on())
        return false;
    pthread_once(&met_once, look_what_was_met);
    return met == DL__MET_STRUCTS ||
           (met == DL__MET_NOTHING && dl__contexts_any_annotated());
}

void dl__policy_settle(void)
{
    if (!dl__policy_is_on())
        return;
    dl__mutex_lock(&lock);
    dl__timing_poll(NULL, true);
    dl__mutex_unlock(&lock);
}

void dl__policy_waited(void)
{
    if (!dl__timing_is_any())
        return;
    dl__mutex_lock(&lock);
    dl__timing_poll(NULL, false);
    dl__mutex_unlock(&lock);
}

unsigned dl__policy_references(cl_event event)
{
    unsigned count;

    if (!dl__policy_is_on())
        return 0;
    dl__mutex_lock(&lock);
    count = dl__timing_references(event);
    dl__mutex_unlock(&lock);
    return count;
}

/* ---- launches ---- */

static struct device_policy *policy_make(cl_device_id device, bool is_cpu)
{
    struct device_policy *made = calloc(1, sizeof *made);

    if (!made)
        return NULL;
    dl__device_rates(device, is_cpu, &made->core.rates);
    made->core.ledger = &ledger;
    if (dl__decisions_are_kept())
        made->core.rates.first_us = 0;
    made->core.random = dl__options_get()->policy_test;
    made->device = device;
    return made;
}

struct dl__policy *dl__policy_of(cl_device_id device, bool is_cpu)
{
    struct device_policy *at;

    dl__mutex_lock(&lock);
    for (at = policies; at && at->device != device; at = at->next)
        ;
    if (!at && (at = policy_make(device, is_cpu))) {
        if (!policies && !dl__transformer_get()) { /* the builder remembers nothing */
            owner = getpid();
            ledger.begun = loaded;
            atexit(keep_at_exit);
            pthread_once(&met_once, look_what_was_met);
            if (met == DL__MET_NOTHING) {
                met = DL__MET_STRUCTS;
                dl__decisions_meet(met);
            }
        }
        at->next = policies;
        policies = at;
    }
    dl__mutex_unlock(&lock);
    return at ? &at->core : NULL;
}

struct dl__policy_kernel *dl__policy_kernel_of(struct dl__policy *policy,
                                               const unsigned char *text,
                                               const char *name)
{
    struct dl__policy_kernel *kernel;

    dl__mutex_lock(&lock);
    dl__decisions_load(policy, ((struct device_policy *)policy)->device, text);
    kernel = dl__policy_kernel_get(policy, text, name);
    policy->version++;
    dl__mutex_unlock(&lock);
    return kernel;
}

enum dl__candidate_id dl__policy_best(const struct dl__policy_kernel *kernel)
{
    enum dl__candidate_id best = DL__NATIVE;

    dl__mutex_lock(&lock);
    for (const struct dl__policy_row *row = kernel ? kernel->rows : NULL; row;
         row = row->next)
        if (row->best != DL__NATIVE && row->best != DL__CANDIDATES &&
            row->of[row->best].state == DL__MAY_RUN)
            best = row->best;
    dl__mutex_unlock(&lock);
    return best;
}

static struct kept_buffer *kept_of(struct dl__policy_buffer *buffer)
{
    return (struct kept_buffer *)((char *)buffer - offsetof(struct kept_buffer, buffer));
}

void dl__choice_begin(struct dl__choice *choice)
{
    *choice = (struct dl__choice){0};
}

bool dl__choice_asks_for(struct dl__choice *choice, unsigned *wanted, unsigned *later)
{
    struct dl__policy_ask *ask = choice->ask;

    *wanted = ~0u;
    *later = 0;
    dl__mutex_lock(&lock);
    if (!ask->row)
        ask->row =
            dl__policy_row_get(ask->kernel, ask->work, ask->structs, ask->group_items);
    if (ask->row && !choice->policy->random)
        *wanted = dl__policy_asks_for(choice->policy, ask, later);
    dl__mutex_unlock(&lock);
    return ask->row != NULL;
}

void dl__choice_decide(struct dl__choice *choice)
{
    struct dl__policy_ask *ask = choice->ask;

    dl__kept_get(choice->context, &context_keeper);
    dl__mutex_lock(&lock);
    dl__timing_poll_some();
    ask->timed =
        ask->timed && !dl__timing_is_full() && choice->policy->untold < DL__UNTOLD_MAX;
    for (size_t b = 0; b < ask->buffer_count; b++) {
        kept_of(ask->buffers[b])->bound = true;
        kept_of(ask->buffers[b])->policy = choice->policy;
    }
    dl__policy_choose(choice->policy, ask, dl__clock_seconds(), &choice->answer);
    choice->asked = true;
    dl__mutex_unlock(&lock);
    if (choice->answer.decided)
        explain(choice->answer.why);
}

void dl__choice_forget(struct dl__policy_ask *ask)
{
    if (!ask->leased_link)
        return;
    dl__mutex_lock(&lock);
    dl__lease_settle(ask);
    dl__mutex_unlock(&lock);
}

void dl__choice_unready(struct dl__choice *choice)
{
    if (!choice->asked || choice->answer.candidate == DL__NATIVE)
        return;
    dl__mutex_lock(&lock);
    dl__policy_unready(choice->policy, choice->ask, choice->answer.candidate);
    dl__mutex_unlock(&lock);
}

void dl__choice_compared(struct dl__choice *choice, double spent_seconds)
{
    dl__mutex_lock(&lock);
    dl__policy_compared(choice->policy, choice->ask, choice->answer.candidate,
                        spent_seconds);
    dl__mutex_unlock(&lock);
}

void dl__choice_differed(struct dl__choice *choice)
{
    dl__mutex_lock(&lock);
    dl__policy_differed(choice->policy, choice->ask);
    dl__mutex_unlock(&lock);
}

void dl__choice_explored(struct dl__choice *choice, const struct dl__finding *findings,
                         size_t count, double spent_seconds)
{
    dl__mutex_lock(&lock);
    dl__policy_explored(choice->policy, choice->ask, findings, count, spent_seconds);
    dl__mutex_unlock(&lock);
}

double dl__choice_native_seconds(const struct dl__choice *choice)
{
    double seconds;

    if (!choice->asked)
        return 0;
    dl__mutex_lock(&lock);
    seconds = dl__row_seconds(choice->ask->row, DL__NATIVE, choice->ask->work);
    dl__mutex_unlock(&lock);
    return seconds;
}

void dl__choice_say(const struct dl__choice *choice, char *why, size_t bytes)
{
    dl__mutex_lock(&lock);
    dl__say_why(choice->ask, choice->answer.candidate, why, bytes);
    dl__mutex_unlock(&lock);
}

void dl__choice_launched(struct dl__choice *choice, bool transformed, cl_event event)
{
    struct dl__timed timed = {.policy = choice->policy};

    if (!choice->asked)
        return;
    dl__mutex_lock(&lock);
    timed.ticket = dl__policy_launched(
        choice->policy, choice->ask, transformed ? choice->answer.candidate : DL__NATIVE);
    if (choice->answer.sample && event)
        dl__timing_add(choice->context, event, event, &timed);
    dl__mutex_unlock(&lock);
}

bool dl__choice_binds(const struct dl__policy_ask *ask, const struct dl__mem *mem)
{
    const struct kept_buffer *own = dl__kept_find(mem, &buffer_keeper);
    bool binds = false;

    for (size_t b = 0; own && b < ask->buffer_count; b++)
        binds |= ask->buffers[b] == &own->buffer;
    return binds;
}

void dl__choice_end(struct dl__choice *choice)
{
    for (size_t b = 0; choice->asked && b < choice->ask->buffer_count; b++)
        kept_of(choice->ask->buffers[b])->bound = false;
    free(choice->own.buffers);
    choice->own.buffers = NULL;
}
