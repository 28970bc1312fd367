/* SPDX-License-Identifier: MIT */
/* Deciding: what a group's buffers lie in, and what a launch runs on. */
#include <limits.h>
#include <string.h>

#include "core.h"
#include "numbers.h"
#include "say.h"
#include "libdl_intercept/reports/reasons.h"

/* Going from one layout to another is worth repeating where it has saved so much more
 * than any one of them. */
static const double achieved_part = 0.02;
/* A kernel that makes up less of a group's time is explored after the others. */
static const double unknown_part = 0.1;
/* A conversion must be worth so many times its cost at most, after some that were not. */
static const double demand_max = 64;
/* Exploring begins when a row has taken so long, and is worth it for so much of its
 * group's time. */
static const double explored_seconds = 0.5e-3;
/* The same where a driver compiles for some tens of milliseconds in a kernel's first
 * launch. */
static const double explored_cpu_seconds = 5e-3;
static const double explored_part = 0.02;
/* What has happened lately decides by itself where it is so much of all. */
static const double typical_part = 0.25;
/* Of shorter launches no program has so many pending that it matters. */
static const double held_seconds = 100e-6;
/* What a candidate may take of native where the text does not say that it gains. */
static const double unclear_factor = 2;
/* A rewritten kernel has more arguments, which are set once more: the host takes so much
 * longer for a launch. */
static const double host_seconds = 0.5e-6;
/* Nor does anything go for less than this a launch, which is within what times of short
 * ones are wrong by. */
static const double least_seconds = 1e-6;
/* Several candidates are explored with one launch where that takes so much of what may be
 * spent. */
static const double several_part = 0.25;

enum { ATTEMPTS_MAX = 3, KNOWN_LAUNCHES = 16, EARLY_TIMES = 4 };

/* ---- what it would have saved ---- */

static bool may_run(const struct dl__member *member, enum dl__candidate_id c)
{
    return c == DL__NATIVE || (member->possible[c] && !member->exact &&
                               member->row->of[c].state == DL__MAY_RUN);
}

/* True when nothing is known of what it could gain. */
static bool is_unexplored(const struct dl__member *member)
{
    bool any = false, tried = false;

    for (int c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
        any |= member->possible[c];
        tried |= member->possible[c] && member->row->of[c].state != DL__UNTRIED;
    }
    return any && !tried;
}

double dl__member_seconds(const struct dl__member *member, enum dl__candidate_id c)
{
    double seconds = dl__row_seconds(member->row, c, member->work);

    if (seconds <= 0) {
        seconds = dl__row_native(member->row, &member->estimate, member->work);
        if (c != DL__NATIVE)
            seconds /= member->estimate.of[c].speedup;
    }
    return c == DL__NATIVE ? seconds : seconds + host_seconds;
}

static double both_ways(const struct dl__policy_group *group, enum dl__candidate_id c)
{
    return group->there[c] + group->back[c];
}

/* True when launches of the member run on the candidate: what is slower there than
 * converting back, running as written, and converting again, does that. */
static bool runs_there(const struct dl__policy_group *group,
                       const struct dl__member *member, enum dl__candidate_id c)
{
    return may_run(member, c) &&
           dl__member_seconds(member, c) <=
               dl__member_seconds(member, DL__NATIVE) + both_ways(group, c);
}

double dl__group_saving(const struct dl__policy_group *group,
                        enum dl__candidate_id candidate, bool ever, double *whole,
                        double *unknown)
{
    double sum = 0, returns = candidate == DL__NATIVE ? 0 : group->hops[candidate];
    double there = 0, as_written = 0;

    *whole = *unknown = 0;
    for (unsigned m = 0; m < group->member_count; m++) {
        const struct dl__member *member = &group->members[m];
        const struct dl__usage *usage = ever ? &member->ever : &member->lately;
        double native = usage->launches * dl__member_seconds(member, DL__NATIVE);

        *whole += native;
        if (is_unexplored(member))
            *unknown += native;
        if (candidate == DL__NATIVE)
            continue;
        /* What is not known may have to run as written. */
        if (runs_there(group, member, candidate)) {
            sum += native - usage->launches * dl__member_seconds(member, candidate);
            there += usage->turns;
        } else {
            as_written += usage->turns;
        }
        returns += usage->touched;
        sum -= usage->looks;
    }
    /* Several that run as written, one behind the other, are one return. */
    return sum - (returns + dl__min(there, as_written)) * both_ways(group, candidate);
}

/* What a layout has to save at least, to be gone to from the program's own. */
static double least_saving(const struct dl__policy_group *group, bool ever)
{
    double launches = 0;

    for (unsigned m = 0; m < group->member_count; m++)
        launches +=
            ever ? group->members[m].ever.launches : group->members[m].lately.launches;
    return launches * least_seconds;
}

enum dl__candidate_id dl__group_hindsight(const struct dl__policy_group *group)
{
    enum dl__candidate_id best = DL__NATIVE;
    double most = 0, saved = 0, whole, unknown, saving;
    unsigned long last;

    for (int i = DL__NATIVE + 1; i < DL__CANDIDATES; i++) {
        enum dl__candidate_id c = (enum dl__candidate_id)i;

        if (dl__candidate_get(c)->in_place)
            continue;
        saving = dl__group_saving(group, c, true, &whole, &unknown) - both_ways(group, c);
        if (saving > most && saving > dl__by_chance * whole &&
            saving > least_saving(group, true)) {
            most = saving;
            saved = saving + both_ways(group, c);
            best = c;
        }
    }
    dl__group_saving(group, DL__NATIVE, true, &whole, &unknown);
    if (group->achieved <=
        saved + dl__max(both_ways(group, group->first), achieved_part * whole))
        return best == DL__NATIVE && unknown > unknown_part * whole ? DL__CANDIDATES
                                                                    : best;
    /* What it has been in nearly all the time. */
    last = group->left_at ? group->launches - group->left_at : 0;
    return EARLY_TIMES * (group->first_at + last) <= group->launches ? group->first
                                                                     : DL__CANDIDATES;
}

/* What launches to come will save, as earlier runs say. */
static double to_come(const struct dl__policy_group *group, enum dl__candidate_id c)
{
    double sum = 0;

    for (unsigned m = 0; m < group->member_count; m++) {
        const struct dl__member *member = &group->members[m];
        double left = dl__row_horizon(member->row) - member->ever.launches;

        if (member->row->best == c && may_run(member, c) && left > 0)
            sum += left * (dl__member_seconds(member, DL__NATIVE) -
                           dl__member_seconds(member, c));
    }
    return sum;
}

/* True when what may run on it can do so now. */
static bool is_ready(const struct dl__policy_group *group, enum dl__candidate_id c)
{
    for (unsigned m = 0; m < group->member_count; m++)
        if (may_run(&group->members[m], c) && !group->members[m].ready[c])
            return false;
    return true;
}

/* ---- the group ---- */

static void switch_to(struct dl__policy *policy, struct dl__policy_group *group,
                      enum dl__candidate_id c, const char *reason,
                      struct dl__policy_answer *answer)
{
    double whole, unknown,
        saved = dl__group_saving(group, group->current, false, &whole, &unknown);

    if (answer) {
        answer->decided = true;
        dl__say_decision(group, c, reason, answer->why, sizeof answer->why);
    }
    if (c == DL__NATIVE && saved < group->paid)
        group->demand = dl__min(demand_max, 2 * group->demand);
    group->paid = both_ways(group, c);
    if (group->first == DL__NATIVE) {
        group->first = c;
        group->first_at = group->launches;
    } else if (!group->left_at) {
        group->left_at = group->launches;
    }
    group->current = c;
    for (unsigned m = 0; m < group->member_count; m++)
        group->members[m].lately = (struct dl__usage){0};
    memset(group->hops, 0, sizeof group->hops);
    policy->version++;
}

/* So many launches were best made as written in the last run, without any going from one
 * to the other; 0: it is not known. */
static double best_as_written(const struct dl__policy_group *group)
{
    double launches = 0;

    for (unsigned m = 0; m < group->member_count; m++) {
        const struct dl__policy_row *row = group->members[m].row;

        if (row->best != DL__NATIVE || row->run_count == 0)
            return 0;
        launches += row->runs[0];
    }
    return launches;
}

/* True when what has happened lately stands for the group: it is a good part of all, or
 * all of it speaks for the candidate, too. What comes once in many steps would else
 * decide by itself. What the last run has shown stands until as much speaks against it.
 */
static bool is_typical(const struct dl__policy_group *group, enum dl__candidate_id c,
                       double cost)
{
    double lately = 0, ever = 0, whole, unknown;

    for (unsigned m = 0; m < group->member_count; m++) {
        lately += group->members[m].lately.launches;
        ever += group->members[m].ever.launches;
    }
    if (group->current == DL__NATIVE && lately < best_as_written(group))
        return false;
    return lately >= typical_part * ever ||
           dl__group_saving(group, c, true, &whole, &unknown) -
                   dl__group_saving(group, group->current, true, &whole, &unknown) >
               cost;
}

/* What may be lost before a layout is left that has saved much so far, or is known to by
 * earlier runs: hosts look by fits and starts. */
static double patience(const struct dl__policy_group *group)
{
    double whole, unknown,
        saved = dl__group_saving(group, group->current, true, &whole, &unknown);

    return dl__max(dl__by_chance * saved, to_come(group, group->current));
}

/* The layout most worth changing to; DL__CANDIDATES: none. *idle: none has gained on the
 * present one lately. */
static enum dl__candidate_id better(const struct dl__policy_group *group, bool *idle)
{
    enum dl__candidate_id best = DL__CANDIDATES;
    double whole, unknown, most = 0;
    double now = dl__group_saving(group, group->current, false, &whole, &unknown);

    *idle = true;
    for (int i = 0; i < DL__CANDIDATES; i++) {
        enum dl__candidate_id c = (enum dl__candidate_id)i;
        double gain, cost, future;

        if (c == group->current || (c != DL__NATIVE && dl__candidate_get(c)->in_place))
            continue;
        gain = dl__group_saving(group, c, false, &whole, &unknown) - now;
        *idle = *idle && gain <= 0 && unknown == 0;
        cost = both_ways(group, c == DL__NATIVE ? group->current : c) * group->demand;
        if (group->current == DL__NATIVE)
            cost = dl__max(cost, least_saving(group, false));
        else
            cost = dl__max(cost, patience(group));
        future = group->current == DL__NATIVE ? to_come(group, c) : 0;
        if (!is_ready(group, c) || ((gain <= dl__max(cost, dl__by_chance * whole) ||
                                     (c != DL__NATIVE && !is_typical(group, c, cost))) &&
                                    (future <= both_ways(group, c) || group->demand > 1)))
            continue;
        gain = dl__max(gain, future);
        if (gain > most) {
            most = gain;
            best = c;
        }
    }
    return best;
}

/* True when all of a group is known that has been launched more than a few times. */
static bool is_known(const struct dl__policy_group *group)
{
    if (group->launches < KNOWN_LAUNCHES)
        return false;
    for (unsigned m = 0; m < group->member_count; m++)
        for (int c = DL__NATIVE + 1; c < DL__CANDIDATES; c++)
            if (group->members[m].possible[c] &&
                group->members[m].row->of[c].state == DL__UNTRIED)
                return false;
    return true;
}

/* True when launches take as long where it lies, whatever conversions take. */
static bool gains_nothing(const struct dl__policy_group *group)
{
    double whole, unknown;

    return dl__group_saving(group, group->current, true, &whole, &unknown) <= 0;
}

static void decide(struct dl__policy *policy, struct dl__policy_group *group,
                   struct dl__policy_answer *answer)
{
    enum dl__candidate_id c;
    bool idle;

    dl__group_settle(group);
    c = better(group, &idle);
    if (group->doubted && group->current != DL__NATIVE && gains_nothing(group))
        switch_to(policy, group, DL__NATIVE, "it takes longer there than on copies",
                  answer);
    else if (c != DL__CANDIDATES)
        switch_to(policy, group, c,
                  dl__why_text(c == DL__NATIVE                ? DL__WHY_NOT_PAID
                               : group->current == DL__NATIVE ? DL__WHY_WORTH
                                                              : DL__WHY_FASTER_STILL),
                  answer);
    else if (idle)
        for (unsigned m = 0; m < group->member_count; m++)
            group->members[m].lately = (struct dl__usage){0};
    group->doubted = false;
    group->decided = group->decided || is_known(group);
    group->look_at = group->launches + group->launches / 8 + 1;
}

/* For tests: any candidate at any moment. */
static void decide_by_chance(struct dl__policy *policy, struct dl__policy_group *group,
                             const struct dl__policy_ask *ask,
                             struct dl__policy_answer *answer)
{
    enum dl__candidate_id c;

    policy->random ^= policy->random << 13;
    policy->random ^= policy->random >> 7;
    policy->random ^= policy->random << 17;
    c = (enum dl__candidate_id)(policy->random / 4 % DL__CANDIDATES);
    if (policy->random % 4 != 0 || !ask->ready[c] || c == group->current)
        return;
    switch_to(policy, group, c, dl__why_text(DL__WHY_CHANCE), answer);
}

/* For tests: all candidates, with one launch in four. */
static void explore_by_chance(struct dl__policy *policy, const struct dl__policy_ask *ask,
                              struct dl__policy_answer *answer)
{
    answer->hold = true;
    if (policy->random / 32 % 4 != 0)
        return;
    for (int c = DL__NATIVE + 1; c < DL__CANDIDATES; c++)
        answer->explore |= (unsigned)(ask->tile[c] > 0) << c;
}

/* ---- what to explore ---- */

static bool is_open(const struct dl__policy_ask *ask, enum dl__candidate_id c)
{
    return ask->tile[c] > 0 && ask->row->of[c].state == DL__UNTRIED &&
           ask->estimate.of[c].verdict != DL__NEVER;
}

/* True when another kernel of the group is known to gain by it. */
static bool gains_others(const struct dl__policy_group *group,
                         const struct dl__policy_ask *ask, enum dl__candidate_id c)
{
    for (unsigned m = 0; m < group->member_count; m++) {
        const struct dl__member *member = &group->members[m];

        if (member->row != ask->row && may_run(member, c) &&
            dl__member_seconds(member, c) < dl__member_seconds(member, DL__NATIVE))
            return true;
    }
    return false;
}

/* What hangs on a launch: its own time; or the conversions there and back that it takes
 * while nobody knows whether it can run on what others of the group gain by. */
static double stake_of(const struct dl__policy_group *group,
                       const struct dl__policy_ask *ask, double native)
{
    double stake = native;

    for (int i = DL__NATIVE + 1; i < DL__CANDIDATES; i++) {
        enum dl__candidate_id c = (enum dl__candidate_id)i;

        if (!dl__candidate_get(c)->in_place && is_open(ask, c) &&
            gains_others(group, ask, c))
            stake = dl__max(stake, both_ways(group, c));
    }
    return stake;
}

/* True when what is not known of the row could matter. */
static bool matters(const struct dl__policy *policy, struct dl__policy_group *group,
                    const struct dl__policy_ask *ask, double native)
{
    const struct dl__member *member = dl__group_member(group, ask->row);
    double launches = member ? member->ever.launches : 0, whole, unknown;
    double expected = dl__max(launches, dl__row_horizon(ask->row));
    double stake = stake_of(group, ask, native);

    dl__group_saving(group, DL__NATIVE, true, &whole, &unknown);
    return expected * stake >=
               (policy->rates.is_cpu ? explored_cpu_seconds : explored_seconds) &&
           (launches + 1) * stake >= explored_part * whole;
}

/* What others of the group gain by comes first, then what the text is sure of, then how
 * much it promises. */
static double promise_of(const struct dl__policy_group *group,
                         const struct dl__policy_ask *ask, enum dl__candidate_id c)
{
    double promise = ask->estimate.of[c].speedup +
                     (double)ask->estimate.of[c].verdict * 2 * DL__FACTOR_MAX;

    for (unsigned m = 0; m < group->member_count; m++) {
        const struct dl__member *member = &group->members[m];

        if (may_run(member, c) &&
            dl__member_seconds(member, c) < dl__member_seconds(member, DL__NATIVE))
            promise += 8 * DL__FACTOR_MAX;
    }
    return promise;
}

/* How many times as fast the best is that is known, and that the group as a whole gains
 * by. */
static double known_speedup(const struct dl__policy_group *group,
                            const struct dl__policy_ask *ask)
{
    double most = 0, native = dl__row_seconds(ask->row, DL__NATIVE, ask->work), whole,
           unknown;

    for (int i = DL__NATIVE + 1; i < DL__CANDIDATES; i++) {
        enum dl__candidate_id c = (enum dl__candidate_id)i;

        if (ask->row->of[c].state == DL__MAY_RUN &&
            (group->launches < KNOWN_LAUNCHES ||
             dl__group_saving(group, c, true, &whole, &unknown) > 0))
            most = dl__max(most, native / dl__row_seconds(ask->row, c, ask->work));
    }
    return most;
}

/* True on a CPU where what is known to gain is as fast as the text promises at best: its
 * tiles lose where arrays gain, and finding that out takes the group's conversions. */
static bool is_beaten(const struct dl__policy *policy,
                      const struct dl__policy_group *group,
                      const struct dl__policy_ask *ask, enum dl__candidate_id c)
{
    double known = policy->rates.is_cpu ? known_speedup(group, ask) : 0;

    return known > 1 + dl__by_chance && ask->estimate.of[c].speedup <= known &&
           !gains_others(group, ask, c);
}

unsigned dl__policy_asks_for(struct dl__policy *policy, struct dl__policy_ask *ask,
                             unsigned *later)
{
    struct dl__policy_group *group = dl__group_join(policy, ask);
    double native = dl__row_native(ask->row, &ask->estimate, ask->work);
    enum dl__candidate_id first = DL__NATIVE;
    unsigned wanted = 0;

    ask->group = group;
    *later = 0;
    if (!group || !matters(policy, group, ask, native))
        return 0;
    for (int i = DL__NATIVE + 1; i < DL__CANDIDATES; i++) {
        enum dl__candidate_id c = (enum dl__candidate_id)i;
        double seconds = dl__row_seconds(ask->row, c, ask->work);

        if (is_open(ask, c) && !is_beaten(policy, group, ask, c)) {
            *later |= 1u << i;
            if (first == DL__NATIVE ||
                promise_of(group, ask, c) > promise_of(group, ask, first))
                first = c;
        } else if (ask->tile[c] && ask->row->of[c].state == DL__MAY_RUN &&
                   (seconds < native || gains_others(group, ask, c) ||
                    c == group->current || c == ask->row->best)) {
            wanted |= 1u << i;
        }
    }
    wanted |= 1u << first;
    *later &= ~wanted;
    return wanted & ~(1u << DL__NATIVE);
}

/* True when another kernel of the group that matters has not been explored at all: it
 * comes first. */
static bool others_wait(const struct dl__policy_group *group,
                        const struct dl__policy_row *row)
{
    double whole, unknown;

    dl__group_saving(group, DL__NATIVE, true, &whole, &unknown);
    for (unsigned m = 0; m < group->member_count; m++) {
        const struct dl__member *member = &group->members[m];

        if (member->row != row && is_unexplored(member) &&
            member->ever.launches * dl__member_seconds(member, DL__NATIVE) >
                unknown_part * whole)
            return true;
    }
    return false;
}

/* True when launches take so long at best that a faster one would pay for being found,
 * whatever the text says: as many to come as there were, or as earlier runs had. What is
 * converted is not brought back for the former. */
static bool is_affordable(struct dl__policy_group *group,
                          const struct dl__policy_ask *ask, enum dl__candidate_id c,
                          double known)
{
    const struct dl__member *member = dl__group_member(group, ask->row);
    double ever = member ? member->ever.launches : 0,
           launches = dl__row_horizon(ask->row) - ever;
    double native = dl__row_native(ask->row, &ask->estimate, ask->work),
           price = ask->explore_seconds + ask->explore_each[c] + native;

    if (group->current == DL__NATIVE)
        launches = dl__max(launches, ever);
    else
        price += both_ways(group, group->current);
    return launches * native / dl__max(known, 1) > price;
}

/* Of those that are open, or of these that are ready; NATIVE: none is worth it now. */
static enum dl__candidate_id most_promising(struct dl__policy_group *group,
                                            const struct dl__policy_ask *ask,
                                            unsigned open, bool ready)
{
    enum dl__candidate_id best = DL__NATIVE;
    double known = known_speedup(group, ask);

    for (int i = DL__NATIVE + 1; i < DL__CANDIDATES; i++) {
        enum dl__candidate_id c = (enum dl__candidate_id)i;

        if (open >> i & 1 && (ask->ready[i] || !ready) &&
            (ask->estimate.of[i].speedup > known || gains_others(group, ask, c) ||
             is_affordable(group, ask, c, known)) &&
            (best == DL__NATIVE ||
             promise_of(group, ask, c) > promise_of(group, ask, best)))
            best = c;
    }
    return known > 0 && others_wait(group, ask->row) ? DL__NATIVE : best;
}

/* Candidates to be explored, by bits: the most promising first, within what may be spent.
 */
static unsigned wanted(const struct dl__policy *policy, struct dl__policy_group *group,
                       const struct dl__policy_ask *ask, double now, bool *hold)
{
    const struct dl__policy_row *row = ask->row;
    double native = dl__row_native(row, &ask->estimate, ask->work), spend, left;
    enum dl__candidate_id best;
    unsigned open = 0, chosen = 0;

    for (int i = DL__NATIVE + 1; i < DL__CANDIDATES; i++)
        open |= (unsigned)(is_open(ask, (enum dl__candidate_id)i) &&
                           !is_beaten(policy, group, ask, (enum dl__candidate_id)i))
                << i;
    if (!open || ask->exact || !matters(policy, group, ask, native) ||
        most_promising(group, ask, open, false) == DL__NATIVE)
        return 0;
    *hold = native >= held_seconds;
    if (row->launches < row->explore_at)
        return 0;
    left = dl__ledger_left(policy->ledger, now, group->decided);
    spend = ask->explore_seconds + native;
    if (group->current != DL__NATIVE)
        spend += both_ways(group, group->current);
    while ((best = most_promising(group, ask, open, true)) != DL__NATIVE) {
        double factor = ask->estimate.of[best].verdict == DL__CLEAR ? 1 : unclear_factor;

        open &= ~(1u << best);
        spend += ask->explore_each[best] + native * factor;
        /* More than one at a time only where that takes little. */
        if (!chosen && spend > left)
            group->waits_price = spend;
        group->waits_left = left;
        if (spend > (chosen ? left * several_part : left))
            break;
        group->waits_price = 0;
        chosen |= 1u << best;
    }
    /* What gains already is not held back for what can't be paid yet. */
    if (best != DL__NATIVE && !chosen && group->current != DL__NATIVE)
        *hold = false;
    return chosen;
}

/* What exploring has found out about times, as the device or else the text tells it. */
static void keep_times(struct dl__policy_ask *ask, const struct dl__finding *finding)
{
    struct dl__tried_on *on = &ask->row->of[finding->candidate];
    struct dl__tried_on *native = &ask->row->of[DL__NATIVE];
    double seconds = finding->seconds;

    if (dl__is_time(finding->native_seconds))
        native->promised = (struct dl__sample){finding->native_seconds, ask->work};
    if (!dl__is_time(seconds))
        seconds = dl__row_native(ask->row, &ask->estimate, ask->work) /
                  ask->estimate.of[finding->candidate].speedup;
    on->promised = (struct dl__sample){seconds, ask->work};
    on->beside = dl__is_time(finding->seconds) ? dl__max(0, finding->native_seconds) : 0;
}

/* Conversions of the launch's buffers, by their sizes. */
static void keep_moves(struct dl__policy *policy, struct dl__policy_ask *ask,
                       const struct dl__finding *finding)
{
    enum dl__candidate_id c = finding->candidate;
    double bytes = 0, estimated = 0;

    if (dl__candidate_get(c)->in_place || finding->there_seconds <= 0)
        return;
    for (size_t b = 0; b < ask->buffer_count; b++) {
        bytes += (double)ask->buffers[b]->bytes;
        estimated += dl__estimate_move(&policy->rates, c, ask->buffers[b]->bytes);
    }
    for (size_t b = 0; b < ask->buffer_count; b++) {
        double part = (double)ask->buffers[b]->bytes / bytes;

        dl__move_price(ask->buffers[b], c, finding->there_seconds * part,
                       finding->back_seconds * part);
    }
    dl__samples_add(&policy->moves[c],
                    (finding->there_seconds + finding->back_seconds) / 2 / estimated, 1);
}

void dl__policy_explored(struct dl__policy *policy, struct dl__policy_ask *ask,
                         const struct dl__finding *findings, size_t count,
                         double spent_seconds)
{
    struct dl__policy_group *group = dl__group_of(ask->group);
    struct dl__policy_row *row = ask->row;
    bool none = true;

    dl__ledger_spend(policy->ledger, spent_seconds, group->decided);
    if (policy->random)
        return;
    for (size_t f = 0; f < count; f++) {
        const struct dl__finding *finding = &findings[f];
        struct dl__tried_on *on = &row->of[finding->candidate];

        /* Others may have found out what this one has not. */
        if (finding->state != DL__UNTRIED)
            on->state = finding->state;
        if (on->state == DL__UNTRIED && !finding->soon && ++on->attempts >= ATTEMPTS_MAX)
            on->state = ask->annotated ? DL__MAY_RUN : DL__AS_WRITTEN;
        if (on->state == DL__MAY_RUN && finding->state != DL__UNTRIED) {
            keep_times(ask, finding);
            keep_moves(policy, ask, finding);
        }
        none = none && on->state == DL__UNTRIED;
    }
    if (none)
        row->explore_at = row->launches + row->launches / 2 + 1;
    row->changed = true;
    group->look_at = 0;
    policy->version++;
}

/* ---- launches ---- */

/* Of a launch in place, its own text or the one for structs together. */
static enum dl__candidate_id in_place(const struct dl__policy_ask *ask)
{
    const struct dl__tried_on *on = &ask->row->of[DL__COALESCED];

    return on->state == DL__MAY_RUN && !ask->exact && ask->ready[DL__COALESCED] &&
                   ask->tile[DL__COALESCED] &&
                   dl__row_seconds(ask->row, DL__COALESCED, ask->work) <=
                       dl__row_seconds(ask->row, DL__NATIVE, ask->work)
               ? DL__COALESCED
               : DL__NATIVE;
}

static enum dl__candidate_id runs_on(const struct dl__policy *policy,
                                     struct dl__policy_group *group,
                                     const struct dl__policy_ask *ask)
{
    enum dl__candidate_id c = group->current;
    enum dl__tried state = ask->exact ? DL__AS_WRITTEN : ask->row->of[c].state;

    if (policy->random)
        return ask->ready[c] && state != DL__AS_WRITTEN ? c : DL__NATIVE;
    if (c == DL__NATIVE)
        return in_place(ask);
    return state == DL__MAY_RUN && ask->tile[c] && ask->ready[c] &&
                   runs_there(group, dl__group_member(group, ask->row), c)
               ? c
               : DL__NATIVE;
}

/* Launches of the group's other kernels since the lease was granted. */
static unsigned long others_since(const struct dl__policy_group *group,
                                  const struct dl__policy_ask *ask)
{
    return dl__group_taken(group, ask->row) +
           (group->launches > ask->lease_at ? group->launches - ask->lease_at : 0);
}

void dl__lease_settle(struct dl__policy_ask *ask)
{
    struct dl__policy_group *group;
    unsigned taken = ask->taken;
    unsigned long others, turns;
    struct dl__member *member;

    /* Its group may be gone; one that has leased to it is not. */
    if (!ask->leased_link)
        return;
    group = dl__group_of(ask->group);
    others = group ? others_since(group, ask) : 0;
    *ask->leased_link = ask->next_leased;
    if (ask->next_leased)
        ask->next_leased->leased_link = ask->leased_link;
    ask->leased_link = NULL;
    ask->taken = ask->lease = 0;
    if (!taken)
        return;
    ask->row->of[ask->leased].launches += taken;
    member = dl__group_member(group, ask->row);
    turns = member && group->last == (unsigned)(member - group->members)
                ? (others < taken ? others : taken)
                : 0;
    dl__group_count(group, ask, ask->leased, taken);
    /* Nobody saw who came between: as many turns as there can have been. */
    if (turns) {
        member->lately.turns =
            dl__min(member->lately.turns + (double)turns, member->lately.launches);
        member->ever.turns =
            dl__min(member->ever.turns + (double)turns, member->ever.launches);
    }
}

/* So many launches change nothing, as things are. */
static void grant_lease(const struct dl__policy *policy, struct dl__policy_ask *ask,
                        struct dl__policy_group *group,
                        const struct dl__policy_answer *answer,
                        unsigned long compare_until)
{
    unsigned long until =
        group->look_at > group->launches + 1 ? group->look_at - group->launches - 1 : 0;
    unsigned sampled = DL__LEASE_MAX;

    if (until > compare_until - 1)
        until = compare_until - 1;
    if (ask->timed)
        dl__row_is_sampled(ask->row, answer->candidate, &sampled);
    ask->lease = 0;
    if (!ask->lasts || answer->hold || answer->explore || answer->sample ||
        answer->compare || policy->random)
        return;
    ask->lease = until < sampled ? (unsigned)until : sampled - 1;
    if (ask->lease == 0)
        return;
    ask->lease_version = policy->version;
    ask->lease_at = group->launches;
    ask->leased = answer->candidate;
    ask->next_leased = group->leased;
    if (group->leased)
        group->leased->leased_link = &ask->next_leased;
    ask->leased_link = &group->leased;
    group->leased = ask;
}

void dl__policy_choose(struct dl__policy *policy, struct dl__policy_ask *ask, double now,
                       struct dl__policy_answer *answer)
{
    struct dl__policy_group *group;
    unsigned long compare_until = ULONG_MAX; /* an exploring launch has no lease */
    unsigned until;

    *answer = (struct dl__policy_answer){.candidate = DL__NATIVE};
    dl__lease_settle(ask);
    ask->group = group = dl__group_join(policy, ask);
    if (!group)
        return;
    dl__group_enter(group, ask);
    /* What is being explored is known before anything is decided by it. */
    if (!policy->random && group->current == DL__NATIVE)
        answer->explore = wanted(policy, group, ask, now, &answer->hold);
    if (policy->random)
        decide_by_chance(policy, group, ask, answer);
    else if (group->launches >= group->look_at && !answer->explore)
        decide(policy, group, answer);
    answer->candidate = runs_on(policy, group, ask);
    answer->seconds = dl__row_native(ask->row, &ask->estimate, ask->work);
    if (policy->random)
        explore_by_chance(policy, ask, answer);
    else if (!answer->explore)
        answer->explore = wanted(policy, group, ask, now, &answer->hold);
    answer->sample =
        ask->timed && dl__row_is_sampled(ask->row, answer->candidate, &until);
    answer->compare =
        !answer->explore &&
        dl__compare_is_due(policy, ask, answer->candidate, now, &compare_until);
    grant_lease(policy, ask, group, answer, compare_until);
}

struct dl__policy_ticket dl__policy_launched(struct dl__policy *policy,
                                             struct dl__policy_ask *ask,
                                             enum dl__candidate_id candidate)
{
    struct dl__policy_group *group = dl__group_of(ask->group);

    (void)policy;
    if (!group)
        return (struct dl__policy_ticket){0};
    dl__group_count(group, ask, candidate, 1);
    ask->row->of[candidate].launches++;
    return (struct dl__policy_ticket){ask->row, candidate, ask->work};
}

void dl__policy_unready(struct dl__policy *policy, struct dl__policy_ask *ask,
                        enum dl__candidate_id candidate)
{
    struct dl__policy_group *group = dl__group_of(ask->group);
    struct dl__member *member = group ? dl__group_member(group, ask->row) : NULL;

    ask->ready[candidate] = false;
    if (member)
        member->ready[candidate] = false;
    policy->version++;
}

/* ---- times ---- */

/* Two launches that take a fifth longer than was promised are believed; the median of
 * three would be, too. */
enum { DOUBTED = 2 };

static void doubt(struct dl__policy *policy, struct dl__policy_row *row,
                  enum dl__candidate_id c, double seconds, double work)
{
    struct dl__tried_on *on = &row->of[c];

    if (c == DL__NATIVE || on->promised.seconds <= 0 ||
        seconds / work <= 1.2 * on->promised.seconds / on->promised.work) {
        on->worse = 0;
        return;
    }
    if (++on->worse != DOUBTED)
        return;
    on->promised = (struct dl__sample){seconds, work};
    on->beside = 0;
    for (struct dl__policy_group *group = policy->groups; group; group = group->next)
        group->doubted |= group->current == c && dl__group_member(group, row);
}

void dl__policy_measured(struct dl__policy *policy, struct dl__policy_ticket *ticket,
                         double seconds)
{
    struct dl__policy_row *row = ticket->row;
    double before, now;

    if (!row || !dl__is_time(seconds))
        return;
    policy->untold = 0;
    before = dl__row_seconds(row, ticket->candidate, ticket->work);
    doubt(policy, row, ticket->candidate, seconds, ticket->work);
    dl__samples_add(&row->of[ticket->candidate].samples, seconds, ticket->work);
    row->changed = true;
    now = dl__row_seconds(row, ticket->candidate, ticket->work);
    if (now <= 1.2 * before && before <= 1.2 * now)
        return;
    /* Not what was promised: all is weighed anew. */
    for (struct dl__policy_group *group = policy->groups; group; group = group->next)
        group->look_at = 0;
    policy->version++;
}

bool dl__policy_untold(struct dl__policy *policy)
{
    policy->version++;
    return ++policy->untold == DL__UNTOLD_MAX;
}
