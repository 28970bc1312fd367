/* SPDX-License-Identifier: MIT */
/* Chooses what of a launch is explored on copies, what is compared again, and bounds what
 * both cost. */
#include "core.h"

#include <limits.h>

/* Of what is promised, so much is spent. */
static const double spent_part = 0.8;

double dl__ledger_left(const struct dl__ledger *ledger, double now, bool decided)
{
    double own = now - ledger->begun - ledger->spent;
    double part = decided ? DL__PROMISED_PART_DECIDED : DL__PROMISED_PART;
    double seconds = decided ? DL__PROMISED_SECONDS_DECIDED : DL__PROMISED_SECONDS;

    return spent_part * (part * (own > 0 ? own : 0) + seconds) -
           (decided ? ledger->spent_decided : ledger->spent);
}

void dl__ledger_spend(struct dl__ledger *ledger, double seconds, bool decided)
{
    ledger->spent += seconds;
    if (decided)
        ledger->spent_decided += seconds;
}

/* ---- what to explore ---- */

/* Exploring begins when a row has taken so long, and is worth it for so much of its
 * group's time. */
static const double explored_seconds = 0.5e-3;
/* The same where a driver compiles for some tens of milliseconds in a kernel's first
 * launch. */
static const double explored_cpu_seconds = 5e-3;
static const double explored_part = 0.02;
/* Of shorter launches no program has so many pending that it matters. */
static const double held_seconds = 100e-6;
/* A candidate may take so many times native where the text does not say that it gains. */
static const double unclear_factor = 2;
/* Several candidates are explored with one launch where that takes so much of what may be
 * spent. */
static const double several_part = 0.25;

enum { ATTEMPTS_MAX = 3 };

/* What others of the group gain by is explored whatever the text says: as written, each
 * launch takes the group's conversions. */
static bool is_open(const struct dl__policy_group *group,
                    const struct dl__policy_ask *ask, enum dl__candidate_id c)
{
    return ask->tile[c] > 0 && ask->row->of[c].state == DL__UNTRIED &&
           (ask->estimate.of[c].verdict != DL__NEVER ||
            dl__gains_others(group, ask->row, c));
}

/* Returns what hangs on a launch: its own time; or the conversions there and back that it
 * takes while nobody knows whether it can run on what others of the group gain by. */
static double stake_of(const struct dl__policy_group *group,
                       const struct dl__policy_ask *ask, double native)
{
    double stake = native;

    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
        if (!dl__candidate_get(c)->in_place && is_open(group, ask, c) &&
            dl__gains_others(group, ask->row, c))
            stake = dl__max(stake, dl__both_ways(group, c));
    }
    return stake;
}

/* True when what is not known of the row could matter. */
static bool matters(const struct dl__policy *policy, struct dl__policy_group *group,
                    const struct dl__policy_ask *ask, double native)
{
    const struct dl__member *member = dl__group_member(group, ask->row);
    double launches = member ? member->ever.launches : 0;
    double expected = dl__max(launches, dl__row_horizon(ask->row));
    double stake = stake_of(group, ask, native);

    return expected * stake >=
               (policy->rates.is_cpu ? explored_cpu_seconds : explored_seconds) &&
           (launches + 1) * stake >=
               explored_part * dl__group_saving(group, DL__NATIVE, true).whole;
}

/* What others of the group gain by comes first, by how much they do, then what the text
 * is sure of, then how much it promises. */
static double promise_of(const struct dl__policy_group *group,
                         const struct dl__policy_ask *ask, enum dl__candidate_id c)
{
    double promise = ask->estimate.of[c].speedup +
                     (double)ask->estimate.of[c].verdict * 2 * DL__FACTOR_MAX;

    for (unsigned m = 0; m < group->member_count; m++) {
        const struct dl__member *member = &group->members[m];
        double native = dl__member_seconds(member, DL__NATIVE),
               seconds = dl__member_seconds(member, c);

        if (dl__may_run(member, c) && seconds < native)
            promise += (1 + 4 * (1 - seconds / native)) * 8 * DL__FACTOR_MAX;
    }
    return promise;
}

/* How many times as fast the best is that is known, and that the group as a whole gains
 * by. */
static double known_speedup(const struct dl__policy_group *group,
                            const struct dl__policy_ask *ask)
{
    double most = 0, native = dl__row_seconds(ask->row, DL__NATIVE, ask->work);

    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
        if (ask->row->of[c].state == DL__MAY_RUN &&
            (group->launches < DL__KNOWN_LAUNCHES ||
             dl__group_saving(group, c, true).saved > 0))
            most = dl__max(most, native / dl__row_seconds(ask->row, c, ask->work));
    }
    return most;
}

/* The fastest that the row is known on. */
static enum dl__candidate_id fastest(const struct dl__policy_ask *ask)
{
    enum dl__candidate_id best = DL__NATIVE;

    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
        if (ask->row->of[c].state == DL__MAY_RUN &&
            dl__row_seconds(ask->row, c, ask->work) <
                dl__row_seconds(ask->row, best, ask->work))
            best = c;
    }
    return best;
}

/* True when other kernels of the group that take half as long as this one, or longer, are
 * known on both, and gain more by `better`. */
static bool others_prefer(const struct dl__policy_group *group,
                          const struct dl__policy_ask *ask, enum dl__candidate_id better,
                          enum dl__candidate_id c)
{
    double own = 0, native = 0, seconds = 0, least = 0;

    for (unsigned m = 0; m < group->member_count; m++) {
        const struct dl__member *member = &group->members[m];
        double launches = member->ever.launches,
               all = launches * dl__member_seconds(member, DL__NATIVE);

        if (member->row == ask->row) {
            own = all;
        } else if (dl__may_run(member, c) && dl__may_run(member, better)) {
            native += all;
            seconds += launches * dl__member_seconds(member, c);
            least += launches * dl__member_seconds(member, better);
        }
    }
    return native > 0 && 2 * native >= own && least * (1 + dl__by_chance) < seconds;
}

/* True on a CPU where what is known to gain is as fast as the text promises at best, or
 * better for others: its tiles lose where arrays gain, and finding that out takes the
 * group's conversions. */
static bool is_beaten(const struct dl__policy *policy,
                      const struct dl__policy_group *group,
                      const struct dl__policy_ask *ask, enum dl__candidate_id c)
{
    double known;

    if (!policy->rates.is_cpu)
        return false;
    if (dl__gains_others(group, ask->row, c))
        return others_prefer(group, ask, fastest(ask), c);
    known = known_speedup(group, ask);
    return known > 1 + dl__by_chance && ask->estimate.of[c].speedup <= known;
}

/* True when the text promises more than is known. One that expects a loss, without being
 * sure, promises nothing. */
static bool promises_more(const struct dl__estimate *estimate, enum dl__candidate_id c,
                          double known)
{
    return !dl__estimate_is_loss(estimate, c) && estimate->of[c].speedup > known;
}

/* Returns how many times native a candidate may take. */
static double factor_of(const struct dl__estimate *estimate, enum dl__candidate_id c)
{
    if (dl__estimate_is_loss(estimate, c))
        return dl__max(unclear_factor, 1 / estimate->of[c].speedup);
    return estimate->of[c].verdict == DL__CLEAR ? 1 : unclear_factor;
}

/* Returns what exploring a candidate takes besides its launches. */
static double price_of(const struct dl__policy_ask *ask, enum dl__candidate_id c)
{
    double moves = 0;

    for (size_t b = 0; b < ask->buffer_count && ask->explored_whole; b++)
        moves += ask->buffers[b]->there[c] + ask->buffers[b]->back[c];
    return dl__max(ask->explore_each[c], dl__candidate_get(c)->in_place ? 0 : moves);
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
           price = ask->explore_seconds + price_of(ask, c) +
                   native * dl__max(1, factor_of(&ask->estimate, c) / unclear_factor);

    if (group->current == DL__NATIVE)
        launches = dl__max(launches, ever);
    else
        price += dl__both_ways(group, group->current);
    return launches * native / dl__max(known, 1) > price;
}

static bool is_worth(struct dl__policy_group *group, const struct dl__policy_ask *ask,
                     enum dl__candidate_id c, double known)
{
    return promises_more(&ask->estimate, c, known) ||
           dl__gains_others(group, ask->row, c) || is_affordable(group, ask, c, known);
}

unsigned dl__policy_asks_for(struct dl__policy *policy, struct dl__policy_ask *ask,
                             unsigned *later)
{
    struct dl__policy_group *group = dl__group_join(policy, ask);
    double native = dl__row_native(ask->row, &ask->estimate, ask->work), known;
    enum dl__candidate_id first = DL__NATIVE;
    unsigned wanted = 0;

    ask->group = group;
    *later = 0;
    if (!group || !matters(policy, group, ask, native))
        return 0;
    known = known_speedup(group, ask);
    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
        double seconds = dl__row_seconds(ask->row, c, ask->work);

        if (is_open(group, ask, c) && !is_beaten(policy, group, ask, c) &&
            (!dl__estimate_is_loss(&ask->estimate, c) ||
             is_worth(group, ask, c, known))) {
            *later |= 1u << c;
            if (first == DL__NATIVE ||
                promise_of(group, ask, c) > promise_of(group, ask, first))
                first = c;
        } else if (ask->tile[c] && ask->row->of[c].state == DL__MAY_RUN &&
                   (seconds < native || dl__gains_others(group, ask->row, c) ||
                    c == group->current || c == ask->row->best)) {
            wanted |= 1u << c;
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
    double whole = dl__group_saving(group, DL__NATIVE, true).whole;

    for (unsigned m = 0; m < group->member_count; m++) {
        const struct dl__member *member = &group->members[m];

        if (member->row != row && dl__is_unexplored(member) &&
            member->ever.launches * dl__member_seconds(member, DL__NATIVE) >
                dl__unknown_part * whole)
            return true;
    }
    return false;
}

/* Of those that are open, or of these that are ready; NATIVE: none is worth it now. */
static enum dl__candidate_id most_promising(struct dl__policy_group *group,
                                            const struct dl__policy_ask *ask,
                                            unsigned open, bool ready)
{
    enum dl__candidate_id best = DL__NATIVE;
    double known = known_speedup(group, ask);

    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
        if (open >> c & 1 && (ask->ready[c] || !ready) &&
            is_worth(group, ask, c, known) &&
            (best == DL__NATIVE ||
             promise_of(group, ask, c) > promise_of(group, ask, best)))
            best = c;
    }
    return known > 0 && others_wait(group, ask->row) ? DL__NATIVE : best;
}

unsigned dl__explore_wanted(const struct dl__policy *policy,
                            struct dl__policy_group *group,
                            const struct dl__policy_ask *ask, double now, bool *hold)
{
    const struct dl__policy_row *row = ask->row;
    double native = dl__row_native(row, &ask->estimate, ask->work), spend, left;
    enum dl__candidate_id best;
    unsigned open = 0, chosen = 0;

    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++)
        open |= (unsigned)(is_open(group, ask, c) && !is_beaten(policy, group, ask, c))
                << c;
    if (!open || ask->exact || !matters(policy, group, ask, native) ||
        most_promising(group, ask, open, false) == DL__NATIVE)
        return 0;
    *hold = native >= held_seconds;
    if (row->launches < row->explore_at)
        return 0;
    left = dl__ledger_left(policy->ledger, now, group->decided);
    spend = ask->explore_seconds + native;
    if (group->current != DL__NATIVE)
        spend += dl__both_ways(group, group->current);
    while ((best = most_promising(group, ask, open, true)) != DL__NATIVE) {
        open &= ~(1u << best);
        spend += price_of(ask, best) + native * factor_of(&ask->estimate, best);
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

/* Keeps the times that exploring has found, as the device or else the text tells them. */
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

/* Comparing again: launches 2, 8, 64, ... on a candidate are compared with what the
 * program's own kernel gives, and one more when an argument's value first changes, within
 * a hundredth of the time since the program's first on any. */

enum { SECOND = 2, EVERY_TIMES = 8 };

static const double compared_part = 0.01;
/* Copies that a comparison makes of each buffer, at most, and runs of the program's
 * kernel. */
static const double copies_made = 8, runs = 2;

static unsigned long due_after(unsigned long launches)
{
    unsigned long due = SECOND;

    while (due <= launches)
        due = due == SECOND ? EVERY_TIMES : due * EVERY_TIMES;
    return due;
}

/* Returns what comparing will take, before it has been done. */
static double comparing_seconds(const struct dl__policy *policy,
                                const struct dl__policy_ask *ask, enum dl__candidate_id c)
{
    double seconds = copies_made * ask->copy_seconds +
                     runs * dl__row_native(ask->row, &ask->estimate, ask->work);

    for (size_t b = 0; b < ask->buffer_count && !dl__candidate_get(c)->in_place; b++)
        seconds += 2 * dl__move_expected(policy, ask->buffers[b], c);
    return seconds;
}

bool dl__compare_is_due(struct dl__policy *policy, struct dl__policy_ask *ask,
                        enum dl__candidate_id c, double now, unsigned long *until)
{
    struct dl__tried_on *on = &ask->row->of[c];
    unsigned long next = on->launches + 1;

    ask->watches_values = false;
    *until = ULONG_MAX;
    if (c == DL__NATIVE || policy->random)
        return false;
    if (!policy->ledger->compare_since)
        policy->ledger->compare_since = now;
    if (!on->compare_at) {
        on->compare_at = SECOND;
        on->values = ask->values;
    }
    if (!on->values_changed && on->values != ask->values) {
        on->values_changed = true;
        if (on->compare_at > next)
            on->compare_at = next;
    }
    ask->watches_values = !on->values_changed;
    if (next < on->compare_at) {
        *until = on->compare_at - next;
        return false;
    }
    return policy->ledger->compared + (on->compared_seconds > 0
                                           ? on->compared_seconds
                                           : comparing_seconds(policy, ask, c)) <=
           compared_part * (now - policy->ledger->compare_since);
}

void dl__policy_compared(struct dl__policy *policy, struct dl__policy_ask *ask,
                         enum dl__candidate_id candidate, double spent_seconds,
                         double native_seconds)
{
    struct dl__tried_on *on = &ask->row->of[candidate];
    double known = dl__row_seconds(ask->row, DL__NATIVE, ask->work);
    struct dl__policy_group *group = dl__group_of(ask->group);

    /* A time that was taken on a busy machine would else keep it there for good. */
    if (dl__is_time(native_seconds) && 1.2 * native_seconds < known &&
        !dl__samples_known(&ask->row->of[DL__NATIVE].samples)) {
        ask->row->of[DL__NATIVE].promised =
            (struct dl__sample){native_seconds, ask->work};
        ask->row->changed = true;
        if (group) {
            group->doubted = true;
            group->look_at = 0;
        }
    }
    dl__ledger_spend(policy->ledger, spent_seconds, true);
    on->compared_seconds = spent_seconds;
    on->compare_at = due_after(on->launches + (spent_seconds <= 0));
    policy->ledger->compared += spent_seconds;
    policy->version++;
}

void dl__policy_differed(struct dl__policy *policy, struct dl__policy_ask *ask)
{
    struct dl__policy_group *group = dl__group_of(ask->group);

    ask->kernel->differed = true;
    for (struct dl__policy_row *row = ask->kernel->rows; row; row = row->next)
        dl__row_as_written(row);
    if (group)
        group->look_at = 0;
    policy->version++;
}
