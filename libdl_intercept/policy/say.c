/* SPDX-License-Identifier: MIT */
/* Why a launch runs as it does: for the statistics, and for --explain-policy. */
#include <stdio.h>
#include <string.h>

#include "core.h"
#include "layout/c_locale.h"
#include "say.h"

double dl__say_native_seconds(const struct dl__policy_ask *ask)
{
    bool measured = false;
    double seconds = dl__cost_expected(ask->row, &ask->estimate, DL__NATIVE, ask->work,
                                       false, &measured);

    return measured ? seconds : 0;
}

/* The fastest of the others that could run, or all of them; DL__CANDIDATES: there is none. */
static enum dl__candidate_id best_other(const struct dl__policy_ask *ask, bool ready)
{
    enum dl__candidate_id best = DL__CANDIDATES;
    double least = 0, seconds;

    for (int i = DL__NATIVE + 1; i < DL__CANDIDATES; i++) {
        enum dl__candidate_id c = (enum dl__candidate_id)i;

        if (ask->estimate.of[c].verdict == DL__NEVER || (ready && !ask->ready[c]))
            continue;
        seconds = dl__cost_expected(ask->row, &ask->estimate, c, ask->work, false, NULL);
        if (best == DL__CANDIDATES || seconds < least) {
            best = c;
            least = seconds;
        }
    }
    return best;
}

/* What keeps all others from running. */
static const char *why_none(const struct dl__policy_ask *ask)
{
    for (int c = DL__NATIVE + 1; c < DL__CANDIDATES; c++)
        if (ask->estimate.of[c].verdict != DL__NEVER && ask->tile[c])
            return "what it would be rewritten to is still being built";
    return best_other(ask, false) == DL__CANDIDATES
               ? "by the kernel's text, no other layout is faster"
               : "what it is given has no other layout that DL knows";
}

void dl__say_why(const struct dl__policy_ask *ask, enum dl__candidate_id chosen,
                 char *why, size_t bytes)
{
    enum dl__candidate_id other = chosen == DL__NATIVE ? best_other(ask, true) : chosen;
    bool native_known, other_known;
    double native, seconds;
    locale_t before;

    if (other == DL__CANDIDATES) {
        snprintf(why, bytes, "%s", why_none(ask));
        return;
    }
    native = dl__cost_expected(ask->row, &ask->estimate, DL__NATIVE, ask->work, false,
                               &native_known);
    seconds = dl__cost_expected(ask->row, &ask->estimate, other, ask->work, false,
                                &other_known);
    before = dl_c_locale_enter();
    snprintf(why, bytes, "%s; as written %.3f ms (%s), %s %.3f ms (%s)",
             chosen != DL__NATIVE && seconds <= native ? "auto expects a gain"
             : chosen != DL__NATIVE
                 ? "it lies so, and a change would cost more than it brings"
             : seconds < native ? "a gain is not certain yet, or not worth a conversion"
                                : "auto expects no gain",
             native * 1e3, native_known ? "measured" : "estimated",
             dl__candidate_get(other)->name, seconds * 1e3,
             other_known ? "measured" : "estimated");
    dl_c_locale_leave(before);
}

void dl__say_decision(const struct dl__policy_ask *ask,
                      const struct dl__policy_group *group, enum dl__candidate_id to,
                      const char *reason, double moves, double left, char *why,
                      size_t bytes)
{
    bool known_native, known;
    enum dl__candidate_id other = to != DL__NATIVE ? to : group->current;
    double native = dl__cost_expected(ask->row, &ask->estimate, DL__NATIVE, ask->work,
                                      group->counts_only, &known_native);
    double then = dl__cost_expected(ask->row, &ask->estimate, other, ask->work,
                                    group->counts_only, &known);
    const locale_t before = dl_c_locale_enter();
    int used;

    used = snprintf(why, bytes,
                    "group %u: %s -> %s at launch %lu, of kernel %s: %s; native %.3f ms "
                    "(%s)",
                    group->number, dl__candidate_get(group->current)->name,
                    dl__candidate_get(to)->name, group->launches, ask->kernel->name,
                    reason, native * 1e3, known_native ? "measured" : "estimated");
    if (used > 0 && (size_t)used < bytes && other != DL__NATIVE)
        used += snprintf(why + used, bytes - (size_t)used, ", %s %.3f ms (%s)",
                         dl__candidate_get(other)->name, then * 1e3,
                         known ? "measured" : "estimated");
    if (used > 0 && (size_t)used < bytes)
        snprintf(why + used, bytes - (size_t)used,
                 ", saved since %.3f ms, conversions %.3f ms, may be spent %.3f ms",
                 (to != DL__NATIVE ? group->rent[to] : group->gained) * 1e3, moves * 1e3,
                 left * 1e3);
    dl_c_locale_leave(before);
}

const char *dl__say_reason(enum dl__candidate_id from, enum dl__candidate_id to)
{
    if (dl__candidate_get(to)->in_place)
        return "worth a trial, or faster";
    return from == DL__NATIVE ? "worth its conversions" : "faster still";
}
