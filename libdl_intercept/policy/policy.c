/* SPDX-License-Identifier: MIT */
/* The policy of this process: what launches ask it, times that events tell, and decisions
 * kept in the cache. */
#include "policy.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdl_intercept/base/clock.h"
#include "libdl_intercept/base/event.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/programs/cache.h"
#include "libdl_intercept/programs/devices.h"
#include "libdl_intercept/programs/serve.h"
#include "libdl_intercept/reports/reasons.h"
#include "libdl_intercept/reports/stats.h"
#include "libdl_intercept/state/contexts.h"

/* ---- times of events ----
 *
 * Nothing waits: what is complete is read when somebody asks, what never completes is let
 * go of at its context's end. All of it under the policy's lock, but for the count. */

/* Says what a time is of. */
struct timed {
    struct dl__policy *policy;
    struct dl__policy_ticket ticket;
};

enum { PENDING_MAX = 128, LOOKS_MAX = 2, MISSES_MAX = 4, PAUSE_MAX = 8 };

static struct pending {
    void *context;
    cl_event first, last;
    struct timed timed;
} pending[PENDING_MAX]; /* by age */
static atomic_uint pending_count;
/* Launches before the next look, and how many there are after one that finds nothing. */
static unsigned looks_pause_left, looks_pause;

/* True when there is no room for more. */
static bool timing_is_full(void)
{
    return pending_count == PENDING_MAX;
}

/* Keeps the events' times for `timed`, with references of its own. `first` may be `last`.
 */
static void timing_add(void *context, cl_event first, cl_event last,
                       const struct timed *timed)
{
    if (timing_is_full() || !first || !last || !dl__event_share(first))
        return;
    if (!dl__event_share(last)) {
        dl__next.clReleaseEvent(first);
        return;
    }
    pending[pending_count++] = (struct pending){context, first, last, *timed};
}

static void let_go(struct pending *item)
{
    dl__next.clReleaseEvent(item->first);
    dl__next.clReleaseEvent(item->last);
}

static void tell(struct pending *item)
{
    struct timed *timed = &item->timed;
    double seconds = dl__event_status(item->last) == CL_COMPLETE
                         ? dl__event_seconds(item->first, item->last)
                         : 0;

    /* A map may take no time at all. */
    if (seconds == 0 && !timed->ticket.look && dl__policy_untold(timed->policy))
        dl__log(DL__LOG_REMARK, "policy: the driver's events have no times, or "
                                "impossible ones: only the kernels' texts decide");
    if (timed->ticket.look)
        dl__log(DL__LOG_DEBUG, "policy: a look at %.0f bytes took %.0f us, buffer in %s",
                timed->ticket.work, 1e6 * seconds,
                dl__candidate_get(timed->ticket.candidate)->name);
    dl__policy_measured(timed->policy, &timed->ticket, seconds);
    let_go(item);
}

/* Polls at most `most` pending events of a context (NULL: any), until `misses_most` are
 * not complete; of a context that `ends` all others are let go of. True when one was
 * complete. */
static bool poll(const void *context, unsigned most, unsigned misses_most, bool ends)
{
    unsigned before = pending_count, kept = 0, looks = 0, misses = 0;
    bool told = false;

    for (unsigned i = 0; i < before; i++) {
        bool own = !context || pending[i].context == context,
             asked = own && looks < most && misses < misses_most;

        looks += asked;
        if (asked && dl__event_is_done(pending[i].last)) {
            tell(&pending[i]);
            told = true;
            continue;
        }
        misses += asked;
        if (own && ends)
            let_go(&pending[i]);
        else
            pending[kept++] = pending[i];
    }
    pending_count = kept;
    return told;
}

/* Reads what is complete of the oldest few. */
static void timing_poll_some(void)
{
    if (pending_count == 0)
        return;
    if (looks_pause_left > 0) {
        looks_pause_left--;
        return;
    }
    if (poll(NULL, LOOKS_MAX, LOOKS_MAX, false))
        looks_pause = 0;
    else if (looks_pause < PAUSE_MAX)
        looks_pause = 2 * looks_pause + 1;
    looks_pause_left = looks_pause;
}

/* ---- decisions in the cache ---- */

/* A program text on a device, with its key in the cache: at the end the driver is not
 * asked for one. */
struct text {
    struct text *next;
    const struct dl__policy *policy;
    unsigned char hash[DL__TEXT_BYTES];
    struct dl__pack key;
    bool kept; /* there is a cache */
};

static struct text *texts;

/* Adds what earlier runs have kept, or other processes since. */
static void load(struct dl__policy *policy, const struct text *text, bool others)
{
    void *value = NULL;
    size_t bytes;

    if (text->kept && dl__cache_get(&text->key, &value, &bytes))
        dl__remember_read(policy, text->hash, value, bytes, others);
    free(value);
    policy->version++;
}

/* Loads what earlier runs have measured of this text on the device, at the first call. */
static void decisions_load(struct dl__policy *policy, cl_device_id device,
                           const unsigned char *hash)
{
    struct text *text;

    for (text = texts; text; text = text->next) {
        if (text->policy == policy && memcmp(text->hash, hash, sizeof text->hash) == 0)
            return;
    }
    text = calloc(1, sizeof *text);
    if (!text)
        return;
    text->policy = policy;
    memcpy(text->hash, hash, sizeof text->hash);
    text->kept = dl__cache_key_begin(&text->key, "policy", device);
    dl__pack_bytes(&text->key, hash, sizeof text->hash);
    text->next = texts;
    texts = text;
    load(policy, text, false);
}

/* The program may be ending. */
enum { KEEPING_MS_MAX = 500 };

/* Keeps what is new. Asks the driver nothing. */
static void decisions_keep(struct dl__policy *policy)
{
    for (struct text *text = texts; text; text = text->next) {
        struct dl__pack said = {0};
        struct dl__hold hold;

        if (text->policy != policy || !text->kept ||
            !dl__remember_changed(policy, text->hash))
            continue;
        /* Other ranks of a job keep theirs now, too: of other sizes, as likely as not. */
        dl__cache_hold(&text->key, KEEPING_MS_MAX, NULL, &hold);
        load(policy, text, true);
        dl__remember_write(policy, text->hash, &said);
        if (!said.failed)
            dl__cache_put(&text->key, said.data, said.bytes);
        dl__store_let_go(&hold);
        dl__pack_free(&said);
    }
}

/* ---- what command lines have met ---- */

/* Tells what this command line has met before. */
enum met {
    MET_NOTHING,
    MET_STRUCTS, /* kernels that DL may rewrite */
    MET_SHORT    /* the same, whose launches are all too short for their times to be of
                        use */
};

enum { COMMAND_BYTES = 16 << 10 };

/* The key of this process's command line. False: there is no cache, or no telling. */
static bool command_key(struct dl__pack *key)
{
    bool known = dl__cache_key_begin_lasting(key, "a program with annotations", NULL) &&
                 dl__cache_is_on();
    char *command = malloc(COMMAND_BYTES), path[4096];
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t bytes = fd >= 0 && command ? read(fd, command, COMMAND_BYTES) : -1;
    ssize_t path_bytes = readlink("/proc/self/exe", path, sizeof path);

    known = known && bytes > 0 && bytes < COMMAND_BYTES && path_bytes > 0;
    if (known) {
        dl__pack_bytes(key, path, (size_t)path_bytes);
        dl__pack_bytes(key, command, (size_t)bytes);
    }
    if (fd >= 0)
        close(fd);
    free(command);
    return known;
}

static const char short_launches[] = "short";

static enum met decisions_met(void)
{
    struct dl__pack key = {0};
    enum met met = MET_NOTHING;
    void *value = NULL;
    size_t bytes;

    if (command_key(&key) && dl__cache_get(&key, &value, &bytes))
        met = bytes == sizeof short_launches && memcmp(value, short_launches, bytes) == 0
                  ? MET_SHORT
                  : MET_STRUCTS;
    free(value);
    dl__pack_free(&key);
    return met;
}

/* Keeps what it has met now. */
static void decisions_meet(enum met met)
{
    struct dl__pack key = {0};

    if (command_key(&key))
        dl__cache_put(&key, met == MET_SHORT ? short_launches : "",
                      met == MET_SHORT ? sizeof short_launches : 1);
    dl__pack_free(&key);
}

/* ---- the policy of this process ---- */

/* Is kept with the record of a buffer. */
struct kept_buffer {
    struct dl__kept kept;
    struct dl__policy *policy; /* of its last launch; NULL: none */
    struct dl__policy_buffer buffer;
    bool bound; /* to the launch on its way */
};

static struct dl__mutex lock = DL__MUTEX_INITIALIZER;
static struct dl__policy *policies DL__GUARDED_BY(lock);
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
    struct timed timed = {.policy = own->policy};
    enum dl__candidate_id id = dl__candidate_of(to->kind);

    if (!own->policy || id == DL__CANDIDATES)
        return;
    dl__mutex_lock(&lock);
    if (id != DL__NATIVE || own->buffer.lies != DL__NATIVE)
        timed.ticket = dl__policy_moved(own->policy, &own->buffer, id, own->bound);
    if (timed.ticket.candidate != DL__NATIVE && first && done)
        timing_add(mem->object.context, first, done, &timed);
    dl__mutex_unlock(&lock);
}

/* The candidate whose layout the host sees the buffer in; NATIVE: as written, or in one
 * that no kernel has. Arrays are of another kind on CPUs (bind.c). */
static DL__WITH_LOCK enum dl__candidate_id host_of(const struct dl__mem *mem,
                                                   const struct dl__policy *policy)
{
    const enum dl_layout_kind arrays =
        policy->rates.is_cpu ? DL_LAYOUT_SOA : DL_LAYOUT_DA;

    return mem->residence.host_kind == arrays ? DL__DA : DL__NATIVE;
}

static DL__WITH_LOCK void touched(void *record, void *kept, uint64_t part_bytes)
{
    struct kept_buffer *own = kept;
    const struct dl__look *look;
    double ms;

    if (own->bound || !own->policy)
        return;
    dl__mutex_lock(&lock);
    own->buffer.host = host_of(record, own->policy);
    dl__policy_touched(own->policy, &own->buffer, part_bytes);
    look = part_bytes && own->buffer.lies != DL__NATIVE
               ? dl__look_get(own->policy, part_bytes)
               : NULL;
    if (look) {
        ms = 1e3 * dl__look_cost(look, own->buffer.lies, (double)part_bytes);
        dl__stats_add(DL__STATS_PART_MS, ms);
        if (dl__look_is_estimated(look, own->buffer.lies))
            dl__stats_add(DL__STATS_PART_ESTIMATED_MS, ms);
    }
    dl__mutex_unlock(&lock);
}

static DL__WITH_LOCK bool may_look(void *record, void *kept, uint64_t bytes)
{
    struct kept_buffer *own = kept;
    bool may;

    (void)record;
    /* Commands that a launch enqueues to compare or explore are not the program's. */
    if (!own->policy || own->bound)
        return true;
    dl__mutex_lock(&lock);
    may = dl__policy_may_look(own->policy, &own->buffer, bytes);
    dl__mutex_unlock(&lock);
    return may;
}

static DL__WITH_LOCK bool looked(void *record, void *kept, uint64_t bytes, cl_event first,
                                 cl_event last)
{
    struct kept_buffer *own = kept;
    struct dl__mem *mem = record;
    struct timed timed = {.policy = own->policy};
    bool wanted = false;

    if (own->bound || !own->policy)
        return false;
    dl__mutex_lock(&lock);
    if (first) {
        timed.ticket = dl__policy_looked(own->policy, &own->buffer, bytes);
        if (timed.ticket.look)
            timing_add(mem->object.context, first, last, &timed);
    } else {
        wanted = !timing_is_full() && own->policy->untold < DL__UNTOLD_MAX &&
                 dl__policy_times_look(own->policy, &own->buffer, bytes);
    }
    dl__mutex_unlock(&lock);
    return wanted;
}

static DL__WITH_LOCK void overwritten(void *record, void *kept, bool as_written)
{
    struct kept_buffer *own = kept;

    if (!own->policy)
        return;
    dl__mutex_lock(&lock);
    own->buffer.host = host_of(record, own->policy);
    dl__policy_dropped(own->policy, &own->buffer, as_written);
    dl__mutex_unlock(&lock);
}

/* One decision with its numbers, for --explain-policy and the statistics. */
static void explain(const char *why)
{
    if (dl__options_get()->explain_policy)
        dl__stderr_say("dl: policy: %s%s\n", why,
                       dl__log_words_are_new(why) ? " (" DL_WORDS_POINTER ")" : "");
    else
        dl__log(DL__LOG_REMARK, "policy: %s", why);
    dl__stats_decision(why);
}

/* Says what has become of a group that ends. */
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
    for (unsigned i = 0; i < pending_count; i++)
        if (pending[i].timed.ticket.buffer == &own->buffer)
            pending[i].timed.ticket.buffer = NULL;
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
static _Atomic enum met met; /* by the command line, so far */

static void look_what_was_met(void)
{
    met = decisions_met();
}

static DL__REQUIRES(lock) void keep_all(void)
{
    size_t launched = 0, known_short = 0;
    enum met now;

    /* A forked child knows no more than its parent. */
    if (getpid() != owner)
        return;
    for (struct dl__policy *at = policies; at; at = at->next) {
        decisions_keep(at);
        dl__policy_count_short(at, &launched, &known_short);
    }
    now = launched == known_short ? MET_SHORT : MET_STRUCTS;
    if (launched > 0 && now != met) {
        met = now;
        decisions_meet(now);
    }
}

static void keep_at_exit(void)
{
    dl__mutex_lock(&lock);
    for (struct dl__policy *at = policies; at && getpid() == owner; at = at->next)
        for (struct dl__policy_group *group = at->groups; group; group = group->next)
            explain_group(group);
    keep_all();
    dl__mutex_unlock(&lock);
}

/* ---- events ---- */

static DL__WITH_LOCK void settle_context(struct dl__context *context, void *kept)
{
    (void)kept;
    dl__mutex_lock(&lock);
    poll(context, PENDING_MAX, PENDING_MAX, false);
    dl__mutex_unlock(&lock);
}

static DL__WITH_LOCK void end_context(void *record, void *kept)
{
    (void)kept;
    dl__mutex_lock(&lock);
    poll(record, PENDING_MAX, PENDING_MAX, true);
    keep_all();
    dl__mutex_unlock(&lock);
}

static const struct dl__keeper context_keeper = {
    .bytes = sizeof(struct dl__kept), .end = end_context, .settle = settle_context};

bool dl__policy_wants_profiling(void)
{
    if (!dl__policy_is_on())
        return false;
    pthread_once(&met_once, look_what_was_met);
    return met == MET_STRUCTS || (met == MET_NOTHING && dl__contexts_any_annotated());
}

void dl__policy_settle(void)
{
    if (!dl__policy_is_on())
        return;
    dl__mutex_lock(&lock);
    poll(NULL, PENDING_MAX, PENDING_MAX, false);
    dl__mutex_unlock(&lock);
}

void dl__policy_waited(void)
{
    if (!atomic_load_explicit(&pending_count, memory_order_relaxed))
        return;
    dl__mutex_lock(&lock);
    poll(NULL, PENDING_MAX, MISSES_MAX, false);
    dl__mutex_unlock(&lock);
}

unsigned dl__policy_references(cl_event event)
{
    unsigned count = 0;

    if (!dl__policy_is_on())
        return 0;
    dl__mutex_lock(&lock);
    for (unsigned i = 0; i < pending_count; i++)
        count += (pending[i].first == event) + (pending[i].last == event);
    dl__mutex_unlock(&lock);
    return count;
}

/* ---- launches ---- */

/* Says where and why the kernel runs as written, and what its user does next. */
static void say_as_written(const struct dl__policy_kernel *kernel,
                           enum dl__candidate_id c, const struct dl__tried_on *on)
{
    const char *layout = dl__candidate_get(c)->name,
               *found = *on->why ? on->why : dl__why_text(DL__WHY_OTHER_BYTES);
    const enum dl__why why = dl__why_find(found);

    if (!*on->why && on->differs)
        dl__log(DL__LOG_REMARK,
                "kernel '%s', argument %u: in %s it gives other bytes than its own text, "
                "as an earlier run has found: it runs as written there; %s",
                kernel->name, on->differs - 1, layout,
                dl__reasons[DL__WHY_UNREPEATABLE].next);
    else
        dl__log(DL__LOG_REMARK, "kernel '%s' runs as written in %s%s: %s; %s",
                kernel->name, layout, on->earlier ? ", as an earlier run has found" : "",
                found,
                why == DL__WHYS || why == DL__WHY_UNCOMPARED
                    ? "remove that cause and what --cache keeps, or annotate it"
                    : dl__reasons[why].next);
}

static struct dl__policy *policy_make(cl_device_id device, bool is_cpu)
{
    struct dl__policy *made = calloc(1, sizeof *made);

    if (!made)
        return NULL;
    dl__device_rates(device, is_cpu, &made->rates);
    made->ledger = &ledger;
    made->random = dl__options_get()->policy_test;
    made->device = device;
    return made;
}

struct dl__policy *dl__policy_of(cl_device_id device, bool is_cpu)
{
    struct dl__policy *at;

    dl__mutex_lock(&lock);
    for (at = policies; at && at->device != device; at = at->next)
        ;
    if (!at && (at = policy_make(device, is_cpu))) {
        if (!policies && !dl__transformer_get()) { /* the builder remembers nothing */
            owner = getpid();
            ledger.begun = loaded;
            atexit(keep_at_exit);
            pthread_once(&met_once, look_what_was_met);
            if (met == MET_NOTHING && dl__policy_is_on()) {
                met = MET_STRUCTS;
                decisions_meet(met);
            }
        }
        at->next = policies;
        policies = at;
    }
    dl__mutex_unlock(&lock);
    return at;
}

/* Says, once a run, where earlier ones have found that the kernel runs as written, or
 * that some of its bytes don't count. */
static void say_kept(struct dl__policy_kernel *kernel)
{
    unsigned said = 0;

    for (const struct dl__policy_row *row = kernel->kept_is_said ? NULL : kernel->rows;
         row; row = row->next)
        for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
            const struct dl__tried_on *on = &row->of[c];

            if (!on->earlier || said >> c & 1)
                continue;
            if (on->state == DL__AS_WRITTEN)
                say_as_written(kernel, c, on);
            else if (on->state == DL__MAY_RUN && on->differs)
                dl__log(DL__LOG_REMARK,
                        "kernel '%s', argument %u: in %s it differs only in bytes that "
                        "its own text does not set, as an earlier run has found: %s",
                        kernel->name, on->differs - 1, dl__candidate_get(c)->name,
                        dl__options_get()->exact ? "it runs as written there"
                                                 : "that doesn't count");
            else
                continue;
            said |= 1u << c;
        }
    kernel->kept_is_said = true;
}

struct dl__policy_kernel *dl__policy_kernel_of(struct dl__policy *policy,
                                               const unsigned char *text,
                                               const char *name)
{
    struct dl__policy_kernel *kernel;

    dl__mutex_lock(&lock);
    decisions_load(policy, policy->device, text);
    kernel = dl__policy_kernel_get(policy, text, name);
    if (kernel)
        say_kept(kernel);
    policy->version++;
    dl__mutex_unlock(&lock);
    return kernel;
}

bool dl__policy_wants_whole(const struct dl__policy_kernel *kernel)
{
    bool wants;

    dl__mutex_lock(&lock);
    wants = kernel && kernel->unchanged >= DL__UNCHANGED_MAX;
    dl__mutex_unlock(&lock);
    return wants;
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

double dl__policy_native_seconds(const struct dl__policy_kernel *kernel, double work)
{
    double seconds = 0;

    dl__mutex_lock(&lock);
    for (const struct dl__policy_row *row = kernel ? kernel->rows : NULL;
         row && seconds <= 0; row = row->next)
        if (dl__row_is_of(row, work))
            seconds = dl__row_seconds(row, DL__NATIVE, work);
    dl__mutex_unlock(&lock);
    return seconds;
}

static struct kept_buffer *kept_of(struct dl__policy_buffer *buffer)
{
    return (struct kept_buffer *)((char *)buffer - offsetof(struct kept_buffer, buffer));
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
    char why[DL__WHY_BYTES];

    dl__kept_get(choice->context, &context_keeper);
    dl__mutex_lock(&lock);
    timing_poll_some();
    ask->timed =
        ask->timed && !timing_is_full() && choice->policy->untold < DL__UNTOLD_MAX;
    for (size_t b = 0; b < ask->buffer_count; b++) {
        kept_of(ask->buffers[b])->bound = true;
        kept_of(ask->buffers[b])->policy = choice->policy;
    }
    dl__policy_choose(choice->policy, ask, dl__clock_seconds(), &choice->answer);
    choice->asked = true;
    if (choice->answer.reason)
        dl__say_decision(ask, &choice->answer, why, sizeof why);
    dl__mutex_unlock(&lock);
    if (choice->answer.reason)
        explain(why);
}

bool dl__choice_again(const struct dl__policy *policy, struct dl__policy_ask *ask)
{
    bool again;

    dl__mutex_lock(&lock);
    again = dl__policy_again(policy, ask);
    dl__mutex_unlock(&lock);
    return again;
}

void dl__choice_unready(struct dl__choice *choice)
{
    if (!choice->asked || choice->answer.candidate == DL__NATIVE)
        return;
    dl__mutex_lock(&lock);
    dl__policy_unready(choice->policy, choice->ask, choice->answer.candidate);
    dl__mutex_unlock(&lock);
}

void dl__choice_compared(struct dl__choice *choice, double spent_seconds,
                         double native_seconds)
{
    dl__mutex_lock(&lock);
    dl__policy_compared(choice->policy, choice->ask, choice->answer.candidate,
                        spent_seconds, native_seconds);
    dl__mutex_unlock(&lock);
}

void dl__choice_differed(struct dl__choice *choice, const char *why)
{
    dl__mutex_lock(&lock);
    dl__policy_differed(choice->policy, choice->ask, why);
    dl__mutex_unlock(&lock);
}

void dl__choice_explored(struct dl__choice *choice, const struct dl__finding *findings,
                         size_t count, double spent_seconds)
{
    dl__mutex_lock(&lock);
    dl__policy_explored(choice->policy, choice->ask, findings, count, spent_seconds);
    for (size_t f = 0; f < count && choice->ask->row; f++) {
        struct dl__tried_on *on = &choice->ask->row->of[findings[f].candidate];

        on->differs = findings[f].differs;
        /* Other findings are said where they are found. */
        if (on->state == DL__AS_WRITTEN && findings[f].state == DL__UNTRIED &&
            !on->unbound)
            say_as_written(choice->ask->kernel, findings[f].candidate, on);
    }
    dl__mutex_unlock(&lock);
}

double dl__choice_native_seconds(const struct dl__choice *choice, bool *earlier)
{
    double seconds;

    if (earlier)
        *earlier = false;
    if (!choice->ask || !choice->ask->row)
        return 0;
    dl__mutex_lock(&lock);
    if (earlier)
        *earlier = dl__row_is_earlier(choice->ask->row, DL__NATIVE);
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
    struct timed timed = {.policy = choice->policy};

    if (!choice->asked)
        return;
    dl__mutex_lock(&lock);
    timed.ticket = dl__policy_launched(choice->ask, transformed ? choice->answer.candidate
                                                                : DL__NATIVE);
    if (choice->answer.sample && event)
        timing_add(choice->context, event, event, &timed);
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

bool dl__policy_has(const struct dl__mem *mem)
{
    const struct kept_buffer *own = dl__kept_find(mem, &buffer_keeper);

    return own && own->policy;
}

void dl__choice_end(struct dl__choice *choice)
{
    for (size_t b = 0; choice->asked && b < choice->ask->buffer_count; b++)
        kept_of(choice->ask->buffers[b])->bound = false;
    free(choice->own.buffers);
    choice->own.buffers = NULL;
}
