/* SPDX-License-Identifier: MIT */
/* Deciding: what a group's buffers lie in, and what a launch runs on. */
#include <limits.h>
#include <string.h>

#include "core.h"
#include "libdl_intercept/reports/reasons.h"

/* A conversion must be worth so many times its cost at most, after some that were not. */
static const double demand_max = 64;
/* What has happened lately decides by itself where it is so much of all. */
static const double typical_part = 0.25;

/* What launches to come would save on a layout that was not the last run's best: that has
 * only been timed since; the group is as large again, and none of its kernels that gained
 * then runs as written there. */
static double to_come_anew(const struct dl__policy_group *group, enum dl__candidate_id c)
{
    double sum = 0;

    for (unsigned m = 0; m < group->member_count; m++) {
        const struct dl__member *member = &group->members[m];
        const struct dl__policy_row *row = member->row;
        double left = dl__row_horizon(row) - member->ever.launches;

        if (row->best == DL__NATIVE || row->best == DL__CANDIDATES || left <= 0)
            continue;
        if (row->returns < 0 || row->together > group->member_count ||
            !dl__runs_there(group, member, c) || row->of[c].promised.seconds <= 0)
            return 0;
        sum += left *
               (dl__member_seconds(member, DL__NATIVE) - dl__member_seconds(member, c) -
                row->returns * dl__both_ways(group, c));
    }
    return sum;
}

/* Returns what launches to come will save, as earlier runs say. */
static double to_come(const struct dl__policy_group *group, enum dl__candidate_id c)
{
    double sum = 0;

    for (unsigned m = 0; m < group->member_count; m++) {
        const struct dl__member *member = &group->members[m];
        double left = dl__row_horizon(member->row) - member->ever.launches;

        if (member->row->best == c && dl__may_run(member, c) && left > 0)
            sum += left * (dl__member_seconds(member, DL__NATIVE) -
                           dl__member_seconds(member, c));
    }
    return sum;
}

/* True when what may run on it can do so now. */
static bool is_ready(const struct dl__policy_group *group, enum dl__candidate_id c)
{
    for (unsigned m = 0; m < group->member_count; m++)
        if (dl__may_run(&group->members[m], c) && !group->members[m].ready[c])
            return false;
    return true;
}

/* ---- the group ---- */

static void switch_to(struct dl__policy *policy, struct dl__policy_group *group,
                      enum dl__candidate_id c, const char *reason,
                      struct dl__policy_answer *answer)
{
    double saved = dl__group_saving(group, group->current, false).saved;

    if (answer) {
        answer->decided = true;
        dl__say_decision(group, c, reason, answer->why, sizeof answer->why);
    }
    if (c == DL__NATIVE && saved < group->paid)
        group->demand = dl__min(demand_max, 2 * group->demand);
    group->paid = dl__both_ways(group, c);
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
    double lately = 0, ever = 0;

    for (unsigned m = 0; m < group->member_count; m++) {
        lately += group->members[m].lately.launches;
        ever += group->members[m].ever.launches;
    }
    if (group->current == DL__NATIVE && lately < best_as_written(group))
        return false;
    return lately >= typical_part * ever ||
           dl__group_saving(group, c, true).saved -
                   dl__group_saving(group, group->current, true).saved >
               cost;
}

/* Returns what may be lost before a layout is left that has saved much so far, or is
 * known to by earlier runs: hosts look by fits and starts. */
static double patience(const struct dl__policy_group *group)
{
    return dl__max(dl__by_chance * dl__group_saving(group, group->current, true).saved,
                   to_come(group, group->current));
}

/* The layout most worth changing to; DL__CANDIDATES: none. *idle: none has gained on the
 * present one lately. */
static enum dl__candidate_id better(const struct dl__policy_group *group, bool *idle)
{
    enum dl__candidate_id best = DL__CANDIDATES;
    double most = 0, now = dl__group_saving(group, group->current, false).saved;

    *idle = true;
    for (enum dl__candidate_id c = 0; c < DL__CANDIDATES; c++) {
        struct dl__saving saving;
        double gain, cost, future;

        if (c == group->current || (c != DL__NATIVE && dl__candidate_get(c)->in_place))
            continue;
        saving = dl__group_saving(group, c, false);
        gain = saving.saved - now;
        *idle = *idle && gain <= 0 && saving.unknown == 0;
        cost = dl__both_ways(group, c == DL__NATIVE ? group->current : c) * group->demand;
        if (group->current == DL__NATIVE)
            cost = dl__max(cost, dl__least_saving(group, false));
        else
            cost = dl__max(cost, patience(group));
        future = group->current == DL__NATIVE && c != DL__NATIVE
                     ? dl__max(to_come(group, c), to_come_anew(group, c))
                     : 0;
        if (!is_ready(group, c) ||
            ((gain <= dl__max(cost, dl__by_chance * saving.whole) ||
              (c != DL__NATIVE && !is_typical(group, c, cost))) &&
             (future <= dl__both_ways(group, c) || group->demand > 1)))
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
    if (group->launches < DL__KNOWN_LAUNCHES)
        return false;
    for (unsigned m = 0; m < group->member_count; m++)
        for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++)
            if (group->members[m].possible[c] &&
                group->members[m].row->of[c].state == DL__UNTRIED)
                return false;
    return true;
}

static void decide(struct dl__policy *policy, struct dl__policy_group *group,
                   struct dl__policy_answer *answer)
{
    enum dl__candidate_id c;
    bool idle;

    dl__group_settle(group);
    c = better(group, &idle);
    /* Launches take as long where it lies, whatever conversions take. */
    if (group->doubted && group->current != DL__NATIVE &&
        dl__group_saving(group, group->current, true).saved <= 0)
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

    c = (enum dl__candidate_id)(dl__policy_chance(policy) % DL__CANDIDATES);
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
    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++)
        answer->explore |= (unsigned)(ask->tile[c] > 0) << c;
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
                   dl__runs_there(group, dl__group_member(group, ask->row), c)
               ? c
               : DL__NATIVE;
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
        answer->explore = dl__explore_wanted(policy, group, ask, now, &answer->hold);
    if (policy->random)
        decide_by_chance(policy, group, ask, answer);
    else if (group->launches >= group->look_at && !answer->explore)
        decide(policy, group, answer);
    answer->candidate = runs_on(policy, group, ask);
    answer->seconds = dl__row_native(ask->row, &ask->estimate, ask->work);
    if (policy->random)
        explore_by_chance(policy, ask, answer);
    else if (!answer->explore)
        answer->explore = dl__explore_wanted(policy, group, ask, now, &answer->hold);
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
