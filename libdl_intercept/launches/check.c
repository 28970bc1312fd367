/* SPDX-License-Identifier: MIT */
/* Which rewritten launches are compared. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/policy/policy.h"
#include "libdl_intercept/programs/rewrite.h"
#include "libdl_intercept/reports/stats.h"
#include "tell.h"
#include "verify.h"

/* Comparing again takes no more than this of the time so far. */
static const double compared_part = 0.01;

enum { SECOND = 2, EVERY_TIMES = 8, STUCK_MAX = 2, COPIES = 16 };

/* True where nobody answers for what the rewritten kernel does. */
static DL__WITH_LOCK bool must_be_checked(struct dl__kernel *kernel)
{
    struct dl__launches *launched = &kernel->launched;

    if (kernel->note->detected)
        return dl__options_get()->detect;
    /* What runs on discrete arrays only can't be compared with itself on others. */
    if (dl__kernel_wants_soa(kernel) || kernel->note->once)
        return false;
    if (!atomic_load(&launched->shown))
        atomic_store(&launched->shown,
                     dl__rewrite_shows(kernel->rewrite, kernel->name) ? 1 : 2);
    return atomic_load(&launched->shown) == 2;
}

/* ---- what was compared ---- */

static unsigned class_of(uint64_t number)
{
    return number ? 64 - (unsigned)__builtin_clzll(number) : 0;
}

/* The size class of a launch: work-items, and bytes of its largest buffer; and its group size. */
static DL__WITH_LOCK void classify(const struct dl__kernel *kernel,
                                   const struct dl__ndrange *range,
                                   struct dl__checked *out)
{
    uint64_t items = 1, largest = 0;

    for (cl_uint d = 0; d < range->work_dim && d < 3; d++) {
        items *= range->global[d];
        out->group[d] = range->local ? range->local[d] : 0;
    }
    for (unsigned i = 0; range->mems && i < kernel->arg_count; i++) {
        const struct dl__mem *mem = dl__mem_root(range->mems[i]);

        if (mem && mem->bytes > largest)
            largest = mem->bytes;
    }
    out->work_class = class_of(items);
    out->bytes_class = class_of(largest);
}

/* A number for the values of all arguments that are none of buffers. */
static uint64_t values_of(const struct dl__kernel *kernel,
                          const struct dl__ndrange *range)
{
    uint64_t sum = 14695981039346656037ull;

    for (unsigned i = 0; i < kernel->arg_count; i++) {
        const struct dl__arg *arg = &kernel->args[i];

        if (range->mems[i] || arg->null || arg->svm ||
            arg->bytes > sizeof arg->value.small)
            continue;
        for (size_t b = 0; b < arg->bytes; b++)
            sum = (sum ^ (unsigned char)arg->value.small[b]) * 1099511628211ull;
    }
    return sum;
}

/* NULL: out of memory. */
static DL__WITH_LOCK struct dl__checked *checked_get(struct dl__kernel *kernel,
                                                     const struct dl__ndrange *range,
                                                     const struct dl__shadow_knobs *knobs)
{
    struct dl__checked key = {0}, *at;
    size_t bytes = strlen(kernel->name) + 1;

    classify(kernel, range, &key);
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
    at->values = values_of(kernel, range);
    memcpy(at->kernel, kernel->name, bytes);
    at->next = kernel->rewrite->checked;
    kernel->rewrite->checked = at;
    return at;
}

/* Such launches run as written; `everywhere`: and all others of the kernel. */
static DL__WITH_LOCK void give_up(struct dl__checked *checked,
                                  const struct dl__ndrange *range, bool everywhere,
                                  const char *reason)
{
    checked->failed = true;
    checked->everywhere = everywhere;
    dl__choice_refused(range->choice);
    dl__log(DL__LOG_REMARK, "kernel '%s' runs as written: %s", checked->kernel, reason);
}

/* ---- launches ---- */

static DL__WITH_LOCK bool is_due(struct dl__kernel *kernel,
                                 const struct dl__ndrange *range,
                                 struct dl__checked *checked)
{
    double age = dl__choice_age(range->choice), price;

    if (!checked->changed && checked->values != values_of(kernel, range)) {
        checked->changed = true;
        checked->due = checked->launches + 1;
    }
    price = checked->last_spent > 0 ? checked->last_spent
                                    : COPIES * range->choice->ask->explore_seconds +
                                          range->choice->answer.seconds;
    return checked->launches + 1 >= checked->due &&
           checked->spent + price <= compared_part * age;
}

enum dl__check dl__check_begin(struct dl__kernel *kernel, struct dl__queue *queue,
                               const struct dl__ndrange *range,
                               const struct dl__plan *plan, struct dl__checked **out,
                               struct dl__compare **compare)
{
    bool chosen = range->choice->asked && !dl__options_get()->policy_test, must;
    struct dl__checked *checked;
    const char *why;

    *out = NULL;
    *compare = NULL;
    must = must_be_checked(kernel);
    if (!plan->shadow || dl__kernel_wants_soa(kernel) || (!must && !chosen))
        return DL__CHECK_NOT;
    *out = checked = checked_get(kernel, range, &plan->knobs);
    if (!checked || checked->failed)
        return DL__CHECK_AS_WRITTEN;
    must = must && !chosen && !checked->launches;
    if (!checked->due)
        checked->due = SECOND;
    if (!must && (!chosen || !is_due(kernel, range, checked)))
        return DL__CHECK_NOT;
    if (!range->waited && !range->wait_failed)
        return DL__CHECK_WAIT;
    if (!range->waited && must && ++checked->stuck <= STUCK_MAX)
        return DL__CHECK_AS_WRITTEN;
    *compare = dl__compare_begin(kernel, queue, range, &why);
    if (*compare)
        return DL__CHECK_NOW;
    if (must || why == dl__prints) {
        give_up(checked, range, why == dl__prints, why);
        return DL__CHECK_AS_WRITTEN;
    }
    checked->due *= EVERY_TIMES;
    return DL__CHECK_NOT;
}

bool dl__check_end(const struct dl__ndrange *range, struct dl__checked *checked,
                   struct dl__compare *compare, cl_int err)
{
    bool first, compared = compare != NULL;
    enum dl__verdict_of_copies verdict;
    struct dl__compared all;
    char why[160] = "its first launch in tiles can't be compared with its own text";

    dl__compare_end(compare, err, &all);
    verdict = all.verdict;
    if (!checked || err != CL_SUCCESS)
        return true;
    first = checked->launches++ == 0;
    if (!compared)
        return true;
    if (dl__options_get()->verify_every)
        dl__verify_count(&all);
    checked->spent += all.spent_seconds;
    dl__stats_compared(all.spent_seconds);
    checked->last_spent = all.spent_seconds;
    while (checked->due <= checked->launches)
        checked->due *= EVERY_TIMES / (checked->due == SECOND ? 2 : 1);
    if (verdict == DL__EQUAL) {
        dl__log(DL__LOG_DEBUG, "kernel '%s': %s in tiles gives the same bytes",
                checked->kernel, first ? "its first launch" : "one more launch");
        return true;
    }
    if (verdict == DL__NOT_EXPLORED && !first)
        return true;
    if (verdict == DL__UNJUDGED)
        snprintf(why, sizeof why,
                 "it gives a different result each time, so that %s can't be compared",
                 first ? "its first tiled launch" : "it");
    if (verdict == DL__DIFFERS)
        snprintf(why, sizeof why,
                 "%s in tiles gives other bytes in argument %u than its own text%s",
                 first ? "its first launch" : "a launch", all.argument,
                 first ? "" : ", which the program has not seen");
    give_up(checked, range, true, why);
    return false;
}
