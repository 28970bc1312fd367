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
#include "verify.h"

enum { STUCK_MAX = 2 };

/* True where nobody answers for what the rewritten kernel does: who annotates one does.
 */
static bool must_be_checked(const struct dl__kernel *kernel)
{
    return kernel->note->detected && dl__options_get()->detect;
}

/* ---- what was compared ---- */

static unsigned class_of(uint64_t number)
{
    return number ? 64 - (unsigned)__builtin_clzll(number) : 0;
}

/* The size class of a launch: work-items, and bytes of its largest buffer; and its group
 * size. */
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
    memcpy(at->kernel, kernel->name, bytes);
    at->next = kernel->rewrite->checked;
    kernel->rewrite->checked = at;
    return at;
}

/* Such launches run as written; `everywhere`: and all others of the kernel. */
static DL__WITH_LOCK void give_up(const struct dl__kernel *kernel,
                                  const struct dl__ndrange *range,
                                  struct dl__checked *size, bool everywhere,
                                  enum dl__log_level level, const char *reason)
{
    if (size) {
        size->failed = true;
        size->everywhere = everywhere;
    } else {
        dl__choice_differed(range->choice);
    }
    dl__log(level, "kernel '%s' runs as written: %s", kernel->name, reason);
}

/* ---- launches ---- */

/* True where the policy asks for comparisons. */
static bool is_chosen(const struct dl__ndrange *range)
{
    return range->choice->asked && !dl__options_get()->policy_test;
}

struct dl__check dl__check_begin(struct dl__kernel *kernel, struct dl__queue *queue,
                                 const struct dl__ndrange *range,
                                 const struct dl__shadow_knobs *knobs)
{
    struct dl__check check = {.when = DL__CHECK_NOT};
    bool chosen = is_chosen(range);
    const char *why;

    if (dl__kernel_wants_soa(kernel) ||
        !(chosen ? range->choice->answer.compare : must_be_checked(kernel)))
        return check;
    if (!chosen) {
        check.size = checked_get(kernel, range, knobs);
        if (!check.size || check.size->failed)
            check.when = DL__CHECK_AS_WRITTEN;
        if (!check.size || check.size->failed || check.size->compared)
            return check;
    }
    check.when = DL__CHECK_WAIT;
    if (!range->waited && !range->wait_failed)
        return check;
    check.when = DL__CHECK_AS_WRITTEN;
    if (!range->waited && check.size && ++check.size->stuck <= STUCK_MAX)
        return check;
    check.compare = dl__compare_begin(kernel, queue, range, &why);
    if (check.compare) {
        check.when = DL__CHECK_NOW;
    } else if (check.size || why == dl__prints) {
        give_up(kernel, range, check.size, why == dl__prints, DL__LOG_REMARK, why);
    } else {
        dl__choice_compared(range->choice, 0);
        check.when = DL__CHECK_NOT;
    }
    return check;
}

void dl__check_end(struct dl__kernel *kernel, const struct dl__ndrange *range,
                   struct dl__check *check, cl_int err)
{
    bool compared = check->compare != NULL, first = check->size != NULL, differs;
    struct dl__compared all;
    char why[160] = "its first rewritten launch can't be compared with its own text";

    dl__compare_end(check->compare, err, &all);
    check->compare = NULL;
    if (err != CL_SUCCESS)
        return;
    if (check->size)
        check->size->compared = true;
    if (!compared)
        return;
    if (dl__options_get()->verify_every)
        dl__verify_count(&all);
    dl__stats_compared(all.spent_seconds);
    if (!first)
        dl__choice_compared(range->choice, all.spent_seconds);
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
    if (all.verdict == DL__UNJUDGED)
        snprintf(why, sizeof why,
                 "it gives a different result each time, so that %s can't be compared",
                 first ? "its first rewritten launch" : "it");
    if (differs)
        snprintf(why, sizeof why,
                 "%s gives other bytes in argument %u than its own text%s",
                 first ? "its first rewritten launch" : "a rewritten launch",
                 all.argument, first ? "" : ", which the program has not seen");
    kernel->launched.differed = true;
    /* Launches before it may have, too. */
    give_up(kernel, range, check->size, true,
            (differs && !first) || !dl__options_get()->layout_auto ? DL__LOG_WARNING
                                                                   : DL__LOG_REMARK,
            why);
}
