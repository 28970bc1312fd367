/* SPDX-License-Identifier: MIT */
/* Which launches are compared: for --verify, or because nobody answers for what a
 * rewritten kernel does. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/clock.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/policy/policy.h"
#include "libdl_intercept/programs/rewrite.h"
#include "libdl_intercept/reports/facts.h"
#include "libdl_intercept/reports/reasons.h"
#include "libdl_intercept/reports/stats.h"
#include "compare.h"

/* ---- --verify ---- */

/* How long a launch may wait for what comes before it: at first, and at least. */
#define WAIT_SECONDS 10.0
#define WAIT_SECONDS_LEAST 0.1

static atomic_bool ran_out;    /* a wait has, in this process */
static _Atomic double longest; /* seconds of those that have not */

/* Once a wait has run out, others may take four times as long as the longest that did
 * not: a program whose launches never end by themselves, made from callbacks of a driver
 * that calls one at a time, has many of them. */
static double wait_seconds(void)
{
    double seconds = 4 * atomic_load(&longest);

    return !atomic_load(&ran_out) || seconds > WAIT_SECONDS ? WAIT_SECONDS
           : seconds < WAIT_SECONDS_LEAST                   ? WAIT_SECONDS_LEAST
                                                            : seconds;
}

bool dl__verify_wait(struct dl__queue *queue, const struct dl__ndrange *range)
{
    double begin = dl__clock_seconds(), limit = wait_seconds(), seconds;
    bool ended = dl__explore_wait(queue, range, limit) &&
                 dl__next.clFinish(queue->object.handle) == CL_SUCCESS;

    seconds = dl__clock_seconds() - begin;
    if (!ended && seconds >= limit)
        atomic_store(&ran_out, true);
    if (ended && seconds > atomic_load(&longest))
        atomic_store(&longest, seconds);
    return ended;
}

/* A line for each kernel: the reason seldom changes. */
static DL__WITH_LOCK void say_not_verified(struct dl__kernel *kernel,
                                           unsigned long launch, const char *why)
{
    dl__log(kernel->launched.unverified_said ? DL__LOG_DEBUG : DL__LOG_WARNING,
            "kernel '%s', launch %lu, is not verified: %s", kernel->name, launch, why);
    kernel->launched.unverified_said = true;
}

static void print_bytes(char *text, size_t room, const unsigned char *bytes, size_t count)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < count && used + 3 < room; i++)
        used += (size_t)snprintf(text + used, room - used, "%02x", bytes[i]);
}

/* Names the first byte that differs: its struct and leaf, and both values of the leaf. */
static DL__WITH_LOCK void report(const struct dl__kernel *kernel, unsigned long launch,
                                 const struct dl__compared *compared)
{
    const struct dl_kernel_note *notes = kernel->note;
    const struct dl_buffer_note *note = NULL;
    const struct dl_leaf_table *leaves = NULL;
    size_t at = compared->byte, begin = at, width = 1;
    char ours[2 * DL_LEAF_BYTES_MAX + 1], theirs[2 * DL_LEAF_BYTES_MAX + 1], place[96];

    for (size_t b = 0; b < notes->buffer_count; b++) {
        if (notes->buffers[b].arg_index != compared->argument)
            continue;
        note = &notes->buffers[b];
        leaves = dl__kernel_leaves(kernel, b);
    }
    snprintf(place, sizeof place, "byte %zu", at);
    if (compared->is_image) {
        snprintf(place, sizeof place, "pixel %zu", at / compared->count);
        width = compared->count;
    }
    if (note && leaves->struct_bytes) {
        size_t inside = at % leaves->struct_bytes;

        for (uint32_t l = 0; l < leaves->leaf_count; l++) {
            const struct dl_leaf leaf = leaves->leaves[l];

            if (inside >= leaf.offset_bytes &&
                inside - leaf.offset_bytes < leaf.width_bytes) {
                begin = at - inside + leaf.offset_bytes;
                width = leaf.width_bytes;
            }
        }
        snprintf(place, sizeof place, "struct %zu, %s at byte %zu",
                 at / leaves->struct_bytes, compared->gaps ? "padding" : "member",
                 begin % leaves->struct_bytes);
    }
    /* Behind the last whole struct. */
    if (begin + width > compared->first + compared->count) {
        begin = compared->count ? at : compared->first;
        width = compared->count ? 1 : 0;
    }
    print_bytes(ours, sizeof ours, compared->ours + (begin - compared->first), width);
    print_bytes(theirs, sizeof theirs, compared->native + (begin - compared->first),
                width);
    dl__log(DL__LOG_WARNING,
            "verify: kernel %s, launch %lu, argument %u%s%s, %s: bytes %s rewritten, "
            "%s as written; it runs as written from now on",
            kernel->name, launch, compared->argument, note ? " " : "",
            note ? note->name : "", place, ours, theirs);
}

/* Compares the launch where --verify asks for it. */
static DL__WITH_LOCK void verify_begin(const struct dl__ndrange *range,
                                       struct dl__check *check)
{
    struct dl__kernel *kernel = range->kernel;
    unsigned every = dl__options_get()->verify_every;
    unsigned long launch = kernel->launched.transformed++;
    const char *why;

    if (every == 0 || launch % every != 0)
        return;
    check->moved = true;
    check->compare = dl__compare_begin(range, &why);
    if (check->compare) {
        check->when = DL__CHECK_NOW;
        check->verified = launch + 1;
        return;
    }
    dl__facts_verified(DL__NOT_COMPARED);
    say_not_verified(kernel, launch + 1, why);
}

static DL__WITH_LOCK void verify_end(struct dl__kernel *kernel, unsigned long launch,
                                     const struct dl__compared *compared, cl_int err)
{
    switch (compared->verdict) {
    case DL__EQUAL:
        dl__log(DL__LOG_DEBUG, "verify: kernel %s, launch %lu: same bytes", kernel->name,
                launch);
        break;
    case DL__DIFFERS:
        report(kernel, launch, compared);
        kernel->launched.native_only = true;
        kernel->launched.differed = dl__why_text(DL__WHY_DIFFERED);
        break;
    case DL__UNJUDGED:
        dl__log(DL__LOG_WARNING,
                "verify: kernel %s, launch %lu: %s, so it can't be verified",
                kernel->name, launch,
                kernel->note->draws
                    ? "it gave other bytes, and uses what atomic functions return, "
                      "which may differ from run to run"
                    : "even as written, it gives a different result each time");
        break;
    case DL__NOT_EXPLORED:
        say_not_verified(kernel, launch,
                         err == CL_SUCCESS ? "its own kernel can't be run on copies"
                                           : "it has not been launched");
        break;
    }
}

/* ---- which rewritten launches are compared ---- */

enum { STUCK_MAX = 2 };

/* True where nobody answers for what the rewritten kernel does: who annotates one does.
 */
static bool must_be_checked(const struct dl__kernel *kernel)
{
    return kernel->note->detected && dl__options_get()->detect;
}

static unsigned class_of(uint64_t number)
{
    return number ? 64 - (unsigned)__builtin_clzll(number) : 0;
}

/* The size class of a launch: work-items, and bytes of its largest buffer; and its group
 * size. */
static DL__WITH_LOCK void classify(const struct dl__ndrange *range,
                                   struct dl__checked *out)
{
    uint64_t items = 1, largest = 0;

    for (cl_uint d = 0; d < range->work_dim && d < 3; d++) {
        items *= range->global[d];
        out->group[d] = range->local ? range->local[d] : 0;
    }
    for (unsigned i = 0; range->mems && i < range->kernel->arg_count; i++) {
        const struct dl__mem *mem = dl__mem_root(range->mems[i]);

        if (mem && mem->bytes > largest)
            largest = mem->bytes;
    }
    out->work_class = class_of(items);
    out->bytes_class = class_of(largest);
}

/* NULL: out of memory. */
static DL__WITH_LOCK struct dl__checked *checked_get(const struct dl__ndrange *range,
                                                     const struct dl__shadow_knobs *knobs)
{
    struct dl__kernel *kernel = range->kernel;
    struct dl__checked key = {0}, *at;
    size_t bytes = strlen(kernel->name) + 1;

    classify(range, &key);
    for (at = kernel->rewrite->checked; at; at = at->next)
        if (strcmp(at->kernel, kernel->name) == 0 &&
            (at->everywhere ||
             (at->work_class == key.work_class && at->bytes_class == key.bytes_class &&
              memcmp(at->group, key.group, sizeof key.group) == 0 &&
              dl__shadow_knobs_equal(&at->knobs, knobs))))
            return at;
    at = calloc(1, sizeof *at + bytes);
    if (!at)
        return NULL;
    *at = key;
    at->knobs = *knobs;
    memcpy(at->kernel, kernel->name, bytes);
    at->next = kernel->rewrite->checked;
    kernel->rewrite->checked = at;
    return at;
}

/* Such launches run as written; `everywhere`: and all others of the kernel.
 *   reason  for the log
 *   why     for the reports */
static DL__WITH_LOCK void give_up(const struct dl__ndrange *range,
                                  struct dl__checked *size, bool everywhere,
                                  enum dl__log_level level, const char *reason,
                                  const char *why)
{
    if (size) {
        size->failed = true;
        size->everywhere = everywhere;
        snprintf(size->why, sizeof size->why, "%s", why);
    } else {
        dl__choice_differed(range->choice, why);
    }
    dl__log(level, "kernel '%s' runs as written: %s", range->kernel->name, reason);
}

/* The same of a launch that could not be compared, for the same reason in both. */
static DL__WITH_LOCK void give_up_uncompared(const struct dl__ndrange *range,
                                             struct dl__checked *size, bool everywhere,
                                             const char *reason)
{
    char why[sizeof size->why];

    snprintf(why, sizeof why, "%s: %s", dl__why_text(DL__WHY_UNCOMPARED), reason);
    give_up(range, size, everywhere, DL__LOG_REMARK, why, why);
}

/* True where the policy asks for comparisons. */
static bool policy_asks(const struct dl__ndrange *range)
{
    return range->choice->asked && !dl__options_get()->policy_test;
}

struct dl__check dl__check_begin(const struct dl__ndrange *range,
                                 const struct dl__shadow_knobs *knobs)
{
    struct dl__check check = {.when = DL__CHECK_NOT};
    bool chosen = policy_asks(range),
         asks = chosen ? range->choice->answer.compare
                       : knobs && must_be_checked(range->kernel);
    const char *why;

    if (dl__kernel_wants_soa(range->kernel))
        return check;
    if (asks && !chosen) {
        check.size = checked_get(range, knobs);
        if (!check.size || check.size->failed) {
            check.when = DL__CHECK_AS_WRITTEN;
            return check;
        }
        asks = !check.size->compared;
    }
    if (!asks) {
        verify_begin(range, &check);
        return check;
    }
    check.when = DL__CHECK_WAIT;
    if (!range->waited && !range->wait_failed)
        return check;
    check.when = DL__CHECK_AS_WRITTEN;
    if (!range->waited && check.size && ++check.size->stuck <= STUCK_MAX) {
        snprintf(check.size->why, sizeof check.size->why, "%s: %s",
                 dl__why_text(DL__WHY_UNCOMPARED), "what comes before it has not ended");
        return check;
    }
    check.moved = true;
    check.compare = dl__compare_begin(range, &why);
    if (check.compare) {
        check.when = DL__CHECK_NOW;
    } else if (check.size || why == dl__prints) {
        give_up_uncompared(range, check.size, why == dl__prints, why);
    } else {
        dl__choice_compared(range->choice, 0, 0);
        check.when = DL__CHECK_NOT;
        verify_begin(range, &check);
    }
    return check;
}

void dl__check_end(const struct dl__ndrange *range, struct dl__check *check, cl_int err)
{
    static const enum dl__verified as[] = {[DL__EQUAL] = DL__SAME,
                                           [DL__DIFFERS] = DL__DIFFERENT,
                                           [DL__UNJUDGED] = DL__UNREPEATABLE,
                                           [DL__NOT_EXPLORED] = DL__NOT_COMPARED};
    struct dl__kernel *kernel = range->kernel;
    bool compared = check->compare != NULL, first = check->size != NULL, differs;
    struct dl__compared all;
    char why[320];

    dl__compare_end(check->compare, err, &all);
    check->compare = NULL;
    if (check->verified ||
        (compared && err == CL_SUCCESS && dl__options_get()->verify_every))
        dl__facts_verified(as[all.verdict]);
    if (check->verified)
        verify_end(kernel, check->verified, &all, err);
    if (err != CL_SUCCESS || check->verified)
        return;
    if (check->size)
        check->size->compared = true;
    if (!compared)
        return;
    dl__stats_add(DL__STATS_COMPARED, all.spent_seconds > 0);
    dl__stats_waited(DL__STATS_COMPARED_MS, all.spent_seconds);
    if (!first)
        dl__choice_compared(range->choice, all.spent_seconds, all.native_seconds);
    if (all.verdict == DL__EQUAL) {
        dl__log(DL__LOG_DEBUG, "kernel '%s': %s gives the same bytes", kernel->name,
                first ? "its first rewritten launch" : "one more rewritten launch");
        return;
    }
    differs = all.verdict == DL__DIFFERS;
    /* Who annotates a kernel answers for what can't be judged. */
    if (!first &&
        (all.verdict == DL__NOT_EXPLORED || (!differs && !kernel->note->detected)))
        return;
    kernel->launched.differed =
        dl__why_text(differs                       ? DL__WHY_DIFFERED
                     : all.verdict == DL__UNJUDGED ? DL__WHY_UNREPEATABLE
                                                   : DL__WHY_UNCOMPARED);
    /* Launches before it may have given other bytes, too. */
    if (all.verdict == DL__NOT_EXPLORED) {
        give_up_uncompared(range, check->size, true,
                           "its own kernel can't be run on copies");
        return;
    }
    if (all.verdict == DL__UNJUDGED)
        snprintf(why, sizeof why,
                 "it gives a different result each time, so that %s can't be compared",
                 first ? "its first rewritten launch" : "it");
    if (differs)
        snprintf(
            why, sizeof why,
            "%s gives other bytes in argument %u than its own text%s; byte %zu is the "
            "first%s: the compiler rounds it differently, it has a race, or DL has "
            "rewritten it wrongly",
            first ? "its first rewritten launch" : "a rewritten launch", all.argument,
            first ? "" : ", which the program has not seen", all.byte,
            all.gaps ? ", and only padding differs, which two builds of its own text "
                       "leave alike"
                     : "");
    give_up(range, check->size, true,
            (differs && !first) || !dl__options_get()->layout_auto ? DL__LOG_WARNING
                                                                   : DL__LOG_REMARK,
            why, kernel->launched.differed);
}
