/* SPDX-License-Identifier: MIT */
/* Groups of buffers that launches bind together, by union and find: what is launched on
 * them and what that would have saved elsewhere; what of a launch is explored on copies
 * or compared again, and what both may cost; what a group lies in, and what a launch runs
 * on. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"
#include "libdl_intercept/reports/reasons.h"

static void unlink_group(struct dl__policy_group *group)
{
    if (!group->link)
        return;
    *group->link = group->next;
    if (group->next)
        group->next->link = group->link;
    group->link = NULL;
}

/* ---- what its launches would have saved ---- */

/* Alternating between layouts is worth repeating if it has saved this part more than any
 * single layout. */
static const double achieved_part = 0.02;
enum { EARLY_TIMES = 4 };

/* True when launches of the member may run on the candidate. */
static bool may_run(const struct dl__member *member, enum dl__candidate_id c)
{
    return c == DL__NATIVE || (member->possible[c] && !member->exact &&
                               member->row->of[c].state == DL__MAY_RUN);
}

/* Returns the seconds of a launch of the member, as far as is known or the text says. */
static double member_seconds(const struct dl__member *member, enum dl__candidate_id c)
{
    double seconds = dl__row_seconds(member->row, c, member->work);

    if (seconds <= 0) {
        seconds = dl__row_native(member->row, &member->estimate, member->work);
        if (c != DL__NATIVE)
            seconds /= member->estimate.of[c].speedup;
    }
    return c == DL__NATIVE ? seconds : seconds + dl__host_seconds;
}

/* True when what the member's launches take on the candidate may be compared with what
 * they take as written: what a text says of that may be wrong by several times, so that
 * it is compared with nothing that was measured. */
static bool is_comparable(const struct dl__member *member, enum dl__candidate_id c)
{
    return dl__row_seconds(member->row, DL__NATIVE, member->work) > 0 ||
           member->row->of[c].by_text;
}

/* Returns the seconds that a launch of the member saves on the candidate. */
static double saves(const struct dl__member *member, enum dl__candidate_id c)
{
    return member_seconds(member, DL__NATIVE) - member_seconds(member, c);
}

/* Returns how much other kernels of the group than the row's are known to gain by it: 1
 * to 5 each, the more the less is left of their time. */
static double gains_of_others(const struct dl__policy_group *group,
                              const struct dl__policy_row *row, enum dl__candidate_id c)
{
    double gains = 0;

    for (unsigned m = 0; m < group->member_count; m++) {
        const struct dl__member *member = &group->members[m];

        if (member->row != row && may_run(member, c) && saves(member, c) > 0)
            gains += 1 + 4 * saves(member, c) / member_seconds(member, DL__NATIVE);
    }
    return gains;
}

static bool gains_others(const struct dl__policy_group *group,
                         const struct dl__policy_row *row, enum dl__candidate_id c)
{
    return gains_of_others(group, row, c) > 0;
}

/* True when launches of the member run on the candidate: what is slower there than
 * converting back, running as written, and converting again, does that. */
static bool runs_there(const struct dl__policy_group *group,
                       const struct dl__member *member, enum dl__candidate_id c)
{
    return may_run(member, c) &&
           member_seconds(member, c) <=
               member_seconds(member, DL__NATIVE) + dl__both_ways(group, c);
}

/* True when it may turn out that launches of the member run on the candidate. */
static bool is_untried(const struct dl__member *member, enum dl__candidate_id c)
{
    return member->possible[c] && !member->exact &&
           member->row->of[c].state == DL__UNTRIED;
}

/* Returns where the group counts such looks. */
static struct dl__looked *group_looked(struct dl__policy_group *group,
                                       const struct dl__look *look)
{
    unsigned at = 0;

    while (at < group->look_count && group->looks[at].look != look)
        at++;
    if (at == DL__LOOKS_MAX) /* the last stands for all others */
        at--;
    else if (at == group->look_count)
        group->looks[group->look_count++] = (struct dl__looked){.look = look};
    return &group->looks[at];
}

/* A launch follows: `counts`, or they were not made by parts. */
static void looks_end(struct dl__policy_group *group, bool counts)
{
    for (unsigned l = 0; l < group->look_count; l++) {
        struct dl__looked *looked = &group->looks[l];

        looked->lately += counts ? looked->since : 0;
        looked->ever += counts ? looked->since : 0;
        looked->since = 0;
    }
}

/* Returns how much longer all took, or would have, on the candidate. */
static double look_cost_of(const struct dl__policy_group *group, enum dl__candidate_id c,
                           bool ever)
{
    double cost = 0;

    for (unsigned l = 0; l < group->look_count; l++) {
        const struct dl__looked *looked = &group->looks[l];
        const double bytes = ever ? looked->ever : looked->lately;

        cost += bytes > 0 ? dl__look_cost(looked->look, c, bytes) : 0;
    }
    return cost;
}

/* Returns the conversions there and back, as parts of the group's, of turns that run
 * there and turns as written, which have these `parts` of its buffers: several as
 * written, one behind the other, are one return. */
static double returns_of(double there, double as_written, double parts)
{
    return as_written > 0 ? parts / as_written * dl__min(there, as_written) : 0;
}

struct dl__saving dl__group_saving(const struct dl__policy_group *group,
                                   enum dl__candidate_id candidate, bool ever)
{
    struct dl__saving out = {0};
    double there = 0, as_written = 0, open = 0, touched = 0, hosted = 0, parts = 0, part,
           hops = candidate == DL__NATIVE ? 0 : group->hops[candidate];

    for (unsigned m = 0; m < group->member_count; m++) {
        const struct dl__member *member = &group->members[m];
        const struct dl__usage *usage = ever ? &member->ever : &member->lately;
        double native = usage->launches * member_seconds(member, DL__NATIVE);
        bool comparable = is_comparable(member, candidate);

        out.whole += native;
        out.launches += usage->launches;
        if (dl__is_unexplored(member) || !comparable)
            out.unknown += native;
        if (candidate == DL__NATIVE)
            continue;
        /* A kernel that was not explored may have to run as written. */
        if (runs_there(group, member, candidate)) {
            if (comparable)
                out.saved += native - usage->launches * member_seconds(member, candidate);
            there += usage->turns;
        } else {
            as_written += usage->turns;
            parts += usage->turns * member->part;
            open += is_untried(member, candidate) ? usage->turns : 0;
        }
        touched += usage->touched;
        hosted += usage->hosted;
    }
    /* As written, each of these is a conversion there and back. */
    if (candidate == group->host)
        out.saved += hosted * dl__both_ways(group, candidate);
    else
        touched += hosted;
    if (!dl__candidate_get(candidate)->in_place)
        out.looks = look_cost_of(group, candidate, ever);
    out.least = out.launches * dl__least_seconds;
    part = as_written > 0 ? parts / as_written : 1;
    out.touched = touched;
    out.returns = touched + returns_of(there, as_written, parts);
    out.at_best = out.saved - out.looks -
                  (hops + touched + part * dl__min(there + open, as_written - open)) *
                      dl__both_ways(group, candidate);
    out.saved -= out.looks + (hops + out.returns) * dl__both_ways(group, candidate);
    return out;
}

enum dl__candidate_id dl__group_hindsight(const struct dl__policy_group *group)
{
    enum dl__candidate_id best = DL__NATIVE;
    struct dl__saving native = dl__group_saving(group, DL__NATIVE, true);
    double most = 0, saved = 0,
           least = dl__max(dl__by_chance * native.whole, native.least);
    bool open = native.unknown > dl__unknown_part * native.whole;
    unsigned long last;

    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
        struct dl__saving on = dl__group_saving(group, c, true);
        double saving = on.saved - dl__both_ways(group, c);

        if (dl__candidate_get(c)->in_place)
            continue;
        open |= on.at_best - dl__both_ways(group, c) > least;
        if (saving > most && saving > least) {
            most = saving;
            saved = saving + dl__both_ways(group, c);
            best = c;
        }
    }
    if (group->achieved <=
        saved + dl__max(dl__both_ways(group, group->first), achieved_part * native.whole))
        return best == DL__NATIVE && open ? DL__CANDIDATES : best;
    /* The layout that the group has been in nearly all the time. */
    last = group->left_at ? group->launches - group->left_at : 0;
    return EARLY_TIMES * (group->first_at + last) <= group->launches ? group->first
                                                                     : DL__CANDIDATES;
}

/* ---- making and merging ---- */

double dl__group_returns(const struct dl__policy_group *group, enum dl__candidate_id c)
{
    const struct dl__saving on =
        dl__group_saving(group, c == DL__CANDIDATES ? DL__NATIVE : c, true);
    const double ways = c == DL__CANDIDATES ? 0 : dl__both_ways(group, c);

    return c == DL__NATIVE || ways <= 0 || on.launches <= 0
               ? -1
               : (on.returns + on.looks / ways) / on.launches;
}

/* Remembers how the group was used, which predicts the next run. */
static void remember_use(const struct dl__policy_group *group)
{
    enum dl__candidate_id best = dl__group_hindsight(group);

    for (unsigned m = 0; m < group->member_count; m++) {
        struct dl__policy_row *row = group->members[m].row;
        double launches = group->members[m].ever.launches;

        row->best = dl__row_best(row, best);
        row->returns = dl__group_returns(group, row->best);
        row->touched = dl__group_touched(group, &group->members[m]);
        row->together = group->member_count;
        row->shortest = row->shortest > 0 ? dl__min(row->shortest, launches) : launches;
        row->changed = true;
    }
}

static void group_release(struct dl__policy_group *group)
{
    struct dl__policy_group *into;

    while (group && --group->references == 0) {
        into = group->into;
        if (!into)
            remember_use(group);
        unlink_group(group);
        free(group);
        group = into;
    }
}

static void add_usage(struct dl__usage *to, const struct dl__usage *usage)
{
    to->launches += usage->launches;
    to->turns += usage->turns;
    to->touched += usage->touched;
    to->hosted += usage->hosted;
}

/* The row's; NULL: it has none yet. */
static struct dl__member *group_member(struct dl__policy_group *group,
                                       const struct dl__policy_row *row)
{
    for (unsigned m = 0; m < group->member_count; m++)
        if (group->members[m].row == row)
            return &group->members[m];
    return NULL;
}

static void merge(struct dl__policy_group *from, struct dl__policy_group *to)
{
    for (unsigned m = 0; m < from->member_count; m++) {
        struct dl__member *there = group_member(to, from->members[m].row);

        if (there) {
            add_usage(&there->lately, &from->members[m].lately);
            add_usage(&there->ever, &from->members[m].ever);
        } else if (to->member_count < DL__MEMBERS_MAX) {
            to->members[to->member_count++] = from->members[m];
        }
    }
    for (unsigned l = 0; l < from->look_count; l++) {
        const struct dl__looked *looked = &from->looks[l];
        struct dl__looked *there = group_looked(to, looked->look);

        there->lately += looked->lately;
        there->ever += looked->ever;
    }
    for (enum dl__candidate_id c = 0; c < DL__CANDIDATES; c++) {
        to->there[c] += from->there[c];
        to->back[c] += from->back[c];
        to->gone_there[c] += from->gone_there[c];
        to->gone_back[c] += from->gone_back[c];
    }
    to->demand = dl__max(to->demand, from->demand);
    to->launches += from->launches;
    to->asked_for |= from->asked_for;
    to->achieved += from->achieved;
    to->look_at = 0;
    to->decided = to->decided && from->decided;
    from->into = to;
    to->references++;
}

/* One way, as expected before any was measured on copies. */
static double move_expected(const struct dl__policy *policy,
                            const struct dl__policy_buffer *buffer,
                            enum dl__candidate_id candidate)
{
    return dl__estimate_move(&policy->rates, candidate, buffer->bytes) *
           dl__ratio_of(&policy->moves[candidate], &policy->moves_before[candidate]);
}

/* Updates the price of a buffer's conversions in the sum of its group. */
static void move_price(struct dl__policy_buffer *buffer, enum dl__candidate_id candidate,
                       double there, double back)
{
    struct dl__policy_group *group = dl__group_of(buffer->group);

    if (group) {
        group->there[candidate] += there - buffer->there[candidate];
        group->back[candidate] += back - buffer->back[candidate];
        group->look_at = 0;
    }
    buffer->there[candidate] = there;
    buffer->back[candidate] = back;
}

static struct dl__policy_group *make(struct dl__policy *policy)
{
    struct dl__policy_group *group = calloc(1, sizeof *group);

    if (!group)
        return NULL;
    group->number = ++policy->group_count;
    group->demand = 1;
    group->next = policy->groups;
    group->link = &policy->groups;
    if (group->next)
        group->next->link = &group->next;
    policy->groups = group;
    return group;
}

/* NULL: no memory. */
static struct dl__policy_group *group_join(struct dl__policy *policy,
                                           struct dl__policy_ask *ask)
{
    struct dl__policy_group *group = NULL;

    for (size_t b = 0; b < ask->buffer_count; b++) {
        struct dl__policy_group *own = dl__group_of(ask->buffers[b]->group);

        if (own && (!group || own->launches > group->launches))
            group = own;
    }
    if (!group && !(group = make(policy)))
        return NULL;
    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
        group->there[c] -= group->gone_there[c];
        group->back[c] -= group->gone_back[c];
        group->gone_there[c] = group->gone_back[c] = 0;
    }
    for (size_t b = 0; b < ask->buffer_count; b++) {
        struct dl__policy_buffer *buffer = ask->buffers[b];
        struct dl__policy_group *own = dl__group_of(buffer->group);

        if (own == group)
            continue;
        policy->version++;
        if (own) {
            merge(own, group);
            continue;
        }
        buffer->group = group;
        group->references++;
        for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
            double expected = move_expected(policy, buffer, c);

            move_price(buffer, c, expected, expected);
        }
        group->look_at = 0;
    }
    return group;
}

static struct dl__member *add_member(struct dl__policy_group *group,
                                     struct dl__policy_row *row)
{
    unsigned rarest = 0;

    for (unsigned m = 1; m < group->member_count; m++)
        if (group->members[m].ever.launches < group->members[rarest].ever.launches)
            rarest = m;
    if (group->member_count < DL__MEMBERS_MAX)
        rarest = group->member_count++;
    group->members[rarest] = (struct dl__member){.row = row};
    return &group->members[rarest];
}

/* Looks and touches since the last launch count with that launch, once another follows.
 */
static void count_touches(struct dl__policy_group *group)
{
    struct dl__usage add = {0};

    if (group->launches) {
        add.touched = dl__min(1, group->touched);
        add.hosted = dl__min(1, group->hosted);
    }
    looks_end(group, group->last < group->member_count);
    group->touched = group->hosted = 0;
    group->looked = 0;
    if (group->last < group->member_count) {
        add_usage(&group->members[group->last].lately, &add);
        add_usage(&group->members[group->last].ever, &add);
    }
}

/* The launch wants other tiles than the one before. */
static void count_hops(struct dl__policy_group *group, const struct dl__policy_ask *ask)
{
    for (enum dl__candidate_id c = 0; c < DL__CANDIDATES; c++) {
        if (group->tile[c] && ask->tile[c] && group->tile[c] != ask->tile[c])
            group->hops[c] += 1;
        if (ask->tile[c])
            group->tile[c] = ask->tile[c];
    }
}

/* Returns the part of the group's conversions that those of the buffers are. */
static double part_of(const struct dl__policy_group *group,
                      struct dl__policy_buffer *const *buffers, size_t count)
{
    double own = 0, all = 0;

    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
        all += dl__both_ways(group, c);
        for (size_t b = 0; b < count; b++)
            own += buffers[b]->there[c] + buffers[b]->back[c];
    }
    return all > 0 ? dl__min(1, own / all) : 1;
}

/* The row's, which is made, as the launch has it. */
static struct dl__member *group_enter(struct dl__policy_group *group,
                                      const struct dl__policy_ask *ask)
{
    struct dl__member *member = group_member(group, ask->row);

    if (!member) {
        member = add_member(group, ask->row);
        group->look_at = 0;
    }
    member->work = ask->work;
    member->part = part_of(group, ask->buffers, ask->buffer_count);
    member->estimate = ask->estimate;
    member->exact = ask->exact;
    for (enum dl__candidate_id c = 0; c < DL__CANDIDATES; c++) {
        member->ready[c] = ask->ready[c];
        member->possible[c] =
            ask->tile[c] > 0 && ((ask->estimate.of[c].verdict != DL__NEVER &&
                                  !(dl__estimate_is_loss(&ask->estimate, c) &&
                                    ask->row->of[c].state == DL__UNTRIED)) ||
                                 gains_others(group, ask->row, c));
    }
    return member;
}

/* One more launch was made on the candidate. */
static inline void count(struct dl__policy_group *group, struct dl__member *member,
                         const struct dl__policy_ask *ask,
                         enum dl__candidate_id candidate)
{
    if (group->touched > 0 || group->hosted > 0 || group->looked > 0)
        count_touches(group);
    if (&group->members[group->last] != member) {
        group->last = (unsigned)(member - group->members);
        member->lately.turns++;
        member->ever.turns++;
        count_hops(group, ask);
    }
    member->lately.launches++;
    member->ever.launches++;
    if (candidate != DL__NATIVE)
        group->achieved += ask->saves;
    group->launches++;
    group->asked_for |= ask->asked_for;
    ask->row->launches++;
    ask->row->of[candidate].launches++;
    ask->row->changed = true;
}

bool dl__policy_again(const struct dl__policy *policy, struct dl__policy_ask *ask)
{
    struct dl__policy_group *group = ask->group;
    struct dl__member *member;

    /* Of another version the group may have ended. */
    if (ask->version != policy->version ||
        ask->row->of[ask->candidate].launches >= ask->until ||
        group->launches >= group->look_at || !(member = group_member(group, ask->row)))
        return false;
    count(group, member, ask, ask->candidate);
    return true;
}

/* ---- what happens to buffers besides launches ----
 *
 * Conversions, commands of the host's that want them as written, and looks by parts
 * (host/looks.h). A group rents before it buys here, too: when the looks since its last
 * launch would take longer than converting the buffer back and again, it is brought back.
 */

/* The buffer is wanted as written, or as the host has asked for, since the last launch:
 * once for all commands. */
static void touch(struct dl__policy_group *group, struct dl__policy_buffer *buffer)
{
    if (buffer->touched_at == group->launches + 1)
        return;
    buffer->touched_at = group->launches + 1;
    if (buffer->host == DL__NATIVE) {
        group->touched += part_of(group, &buffer, 1);
        return;
    }
    group->hosted += part_of(group, &buffer, 1);
    group->host = buffer->host;
}

/* Nothing is waited for to see it, and what was decided is looked at again soon. */
static void note_touch(struct dl__policy *policy, struct dl__policy_buffer *buffer)
{
    struct dl__policy_group *group = dl__group_of(buffer->group);

    if (!group)
        return;
    touch(group, buffer);
    if (group->current == DL__NATIVE || group->current == buffer->host)
        return;
    group->look_at = 0;
    policy->version++;
}

struct dl__policy_ticket dl__policy_moved(struct dl__policy *policy,
                                          struct dl__policy_buffer *buffer,
                                          enum dl__candidate_id to, bool by_launch)
{
    enum dl__candidate_id c = to == DL__NATIVE ? buffer->lies : to;
    struct dl__policy_group *group = dl__group_of(buffer->group);

    policy->version++;
    if (group)
        group->achieved -= to == DL__NATIVE ? buffer->back[c] : buffer->there[c];
    buffer->lies = to;
    if (to == DL__NATIVE && !by_launch)
        note_touch(policy, buffer);
    return (struct dl__policy_ticket){
        .candidate = c,
        .work = dl__estimate_move(&policy->rates, c, buffer->bytes),
        .buffer = buffer,
        .back = to == DL__NATIVE};
}

/* ---- looks by parts ---- */

/* There and back, where it is or would be. */
static double both_ways(const struct dl__policy_buffer *buffer)
{
    double most = 0;

    if (buffer->lies != DL__NATIVE)
        return buffer->there[buffer->lies] + buffer->back[buffer->lies];
    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++)
        most = dl__max(most, buffer->there[c] + buffer->back[c]);
    return most;
}

void dl__policy_touched(struct dl__policy *policy, struct dl__policy_buffer *buffer,
                        uint64_t part_bytes)
{
    struct dl__policy_group *group = dl__group_of(buffer->group);
    struct dl__look *look;

    if (!part_bytes || !group) {
        note_touch(policy, buffer);
        return;
    }
    look = dl__look_get(policy, part_bytes);
    if (!look)
        return;
    group->looked += dl__look_cost(look, buffer->lies, (double)part_bytes);
    group_looked(group, look)->since += (double)part_bytes;
    /* Looks since a launch that are dearer than both ways count like them. */
    if (group->looked > both_ways(buffer)) {
        touch(group, buffer);
        looks_end(group, false);
    }
    if (buffer->lies == DL__NATIVE)
        return;
    group->look_at = 0;
    policy->version++;
}

bool dl__policy_may_look(struct dl__policy *policy,
                         const struct dl__policy_buffer *buffer, uint64_t bytes)
{
    struct dl__policy_group *group = dl__group_of(buffer->group);
    const struct dl__look *look;

    if (!group || buffer->lies == DL__NATIVE)
        return true;
    if (policy->random) /* one in eight is refused */
        return dl__policy_chance(policy) % 8 != 0;
    look = dl__look_get(policy, bytes);
    return !look || group->looked + dl__look_cost(look, buffer->lies, (double)bytes) <=
                        both_ways(buffer);
}

void dl__policy_dropped(struct dl__policy *policy, struct dl__policy_buffer *buffer,
                        bool as_written)
{
    if (buffer->lies == DL__NATIVE && !as_written)
        return;
    policy->version += buffer->lies != DL__NATIVE;
    buffer->lies = DL__NATIVE;
    note_touch(policy, buffer);
}

void dl__policy_buffer_end(struct dl__policy *policy, struct dl__policy_buffer *buffer)
{
    struct dl__policy_group *group = dl__group_of(buffer->group);

    policy->version++;
    for (enum dl__candidate_id c = DL__NATIVE + 1; group && c < DL__CANDIDATES; c++) {
        group->gone_there[c] += buffer->there[c];
        group->gone_back[c] += buffer->back[c];
    }
    group_release(buffer->group);
    buffer->group = NULL;
}

/* ---- the ledger ---- */

/* The part of the promised bound that is spent. */
static const double spent_part = 0.8;

static double ledger_at_first(bool decided)
{
    return spent_part * (decided ? DL__PROMISED_SECONDS_DECIDED : DL__PROMISED_SECONDS);
}

double dl__ledger_left(const struct dl__ledger *ledger, double now, bool decided)
{
    double own = now - ledger->begun - ledger->spent;
    double part = decided ? DL__PROMISED_PART_DECIDED : DL__PROMISED_PART;

    return ledger_at_first(decided) + spent_part * part * (own > 0 ? own : 0) -
           (decided ? ledger->spent_decided : ledger->spent);
}

/* How long the program has run when `seconds` may be spent, if nothing else is. */
static double ledger_allows_at(const struct dl__ledger *ledger, double seconds,
                               bool decided)
{
    double part = decided ? DL__PROMISED_PART_DECIDED : DL__PROMISED_PART;

    return ledger->spent + (seconds - ledger_at_first(decided) +
                            (decided ? ledger->spent_decided : ledger->spent)) /
                               (spent_part * part);
}

/* ---- what to explore ---- */

/* Exploring begins when a row has taken explored_seconds, and is worth it for
 * dl__explored_part of its group's time. */
static const double explored_seconds = 0.5e-3;
/* The same where a driver compiles for some tens of milliseconds in a kernel's first
 * launch. */
static const double explored_cpu_seconds = 5e-3;
/* No program has enough shorter launches pending to matter. */
static const double held_seconds = 100e-6;
/* A candidate may take this many times native if the text does not promise a gain. */
static const double unclear_factor = 2;
/* Several candidates are explored with one launch if that takes at most this part of what
 * may be spent. */
static const double several_part = 0.25;

enum { ATTEMPTS_MAX = 3 };

/* A candidate that other kernels of the group gain from is explored whatever the text
 * says: as written, each launch takes the group's conversions. */
static bool is_open(const struct dl__policy_group *group,
                    const struct dl__policy_ask *ask, enum dl__candidate_id c)
{
    return ask->tile[c] > 0 && ask->row->of[c].state == DL__UNTRIED &&
           (ask->estimate.of[c].verdict != DL__NEVER || gains_others(group, ask->row, c));
}

/* Returns what hangs on a launch: its own time; or the conversions there and back that it
 * takes while nobody knows whether it can run on what others of the group gain by. */
static double stake_of(const struct dl__policy_group *group,
                       const struct dl__policy_ask *ask, double native)
{
    double stake = native;

    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
        if (!dl__candidate_get(c)->in_place && is_open(group, ask, c) &&
            gains_others(group, ask->row, c))
            stake = dl__max(stake, dl__both_ways(group, c));
    }
    return stake;
}

/* Of a row's launches, so that what is not known of it could matter. */
static double explored_from(const struct dl__policy *policy)
{
    return policy->rates.is_cpu ? explored_cpu_seconds : explored_seconds;
}

/* Returns the seconds of a launch as measured, if nothing that counts could be saved of
 * it; 0: it could. Busy machines and cold caches only make launches longer, so that an
 * earlier run's shorter time counts. */
static double too_short(const struct dl__policy_group *group,
                        const struct dl__policy_ask *ask)
{
    const struct dl__sample *before = &ask->row->of[DL__NATIVE].before;
    double native = dl__row_seconds(ask->row, DL__NATIVE, ask->work);

    if (native > 0 && before->seconds > 0)
        native = dl__min(native, before->seconds * ask->work / before->work);
    return native > 0 && dl__is_too_short(stake_of(group, ask, native)) ? native : 0;
}

/* Returns what the launches of a program took in earlier runs, as written: nobody knows
 * yet which others the group of a first launch will have. */
static double text_seconds(const struct dl__policy *policy,
                           const struct dl__policy_kernel *kernel)
{
    double seconds = 0;

    for (const struct dl__policy_kernel *k = policy->kernels; k; k = k->next) {
        if (memcmp(k->text, kernel->text, sizeof k->text) != 0)
            continue;
        for (const struct dl__policy_row *row = k->rows; row; row = row->next)
            seconds += dl__row_horizon(row) * row->of[DL__NATIVE].before.seconds;
    }
    return seconds;
}

/* True when others of the group save enough for it to matter, and what bringing their
 * buffers back for this number of the row's launches takes matters to that. */
static bool returns_matter(const struct dl__policy_group *group,
                           const struct dl__policy_ask *ask, double launches,
                           double whole)
{
    bool matter = false;

    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
        double saved = 0;

        if (dl__candidate_get(c)->in_place || !is_open(group, ask, c))
            continue;
        for (unsigned m = 0; m < group->member_count; m++) {
            const struct dl__member *member = &group->members[m];

            if (member->row != ask->row && may_run(member, c))
                saved += member->ever.launches * dl__max(0, saves(member, c));
        }
        matter |= saved > 0 && saved >= dl__explored_part * whole &&
                  launches * dl__both_ways(group, c) >= dl__explored_part * saved;
    }
    return matter;
}

/* True when what is not known of the row could matter. */
static bool matters(const struct dl__policy *policy, struct dl__policy_group *group,
                    const struct dl__policy_ask *ask, double native)
{
    const struct dl__member *member = group_member(group, ask->row);
    double launches = member ? member->ever.launches : 0;
    double expected = dl__max(launches, dl__row_horizon(ask->row));
    double whole = dl__group_saving(group, DL__NATIVE, true).whole;

    if (too_short(group, ask) > 0 ||
        expected * stake_of(group, ask, native) < explored_from(policy))
        return false;
    if (returns_matter(group, ask, launches + 1, whole))
        return true;
    return (launches + 1) * native >= dl__explored_part * whole &&
           (launches > 0 ||
            expected * native >=
                dl__explored_part * text_seconds(policy, ask->row->kernel));
}

/* Candidates that other kernels of the group gain from come first, in order of that gain,
 * then those that the text is sure of, then those of which it promises most. */
static double promise_of(const struct dl__policy_group *group,
                         const struct dl__policy_ask *ask, enum dl__candidate_id c)
{
    return ask->estimate.of[c].speedup +
           (double)ask->estimate.of[c].verdict * 2 * DL__FACTOR_MAX +
           gains_of_others(group, ask->row, c) * 8 * DL__FACTOR_MAX;
}

/* How many times as fast the best is that is known. */
static double known_speedup(const struct dl__policy_ask *ask)
{
    double most = 0, native = dl__row_seconds(ask->row, DL__NATIVE, ask->work);

    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++)
        if (ask->row->of[c].state == DL__MAY_RUN)
            most = dl__max(most, native / dl__row_seconds(ask->row, c, ask->work));
    return most;
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
    const struct dl__member *member = group_member(group, ask->row);
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
    return promises_more(&ask->estimate, c, known) || gains_others(group, ask->row, c) ||
           is_affordable(group, ask, c, known);
}

/* True when it has lost in an earlier run, as everything that is known of the kernel, so
 * that the launch may be explored on it once more: within what may be spent for a group
 * that has been decided, and nothing waits for that. */
static bool is_open_again(const struct dl__policy_group *group,
                          const struct dl__policy_ask *ask, enum dl__candidate_id c,
                          double known)
{
    return ask->tile[c] > 0 && dl__tried_again(&ask->row->of[c]) &&
           ask->estimate.of[c].verdict != DL__NEVER && group->current == DL__NATIVE &&
           known * (1 - dl__by_chance) <= 1 && !gains_others(group, ask->row, c);
}

/* Candidates, by bits, that the launch is worth being explored on: those that no run has
 * tried, else those that may be tried once more.
 *   again  out: it is the latter; may be NULL */
static unsigned open_of(struct dl__policy_group *group, const struct dl__policy_ask *ask,
                        bool *again)
{
    const double known = known_speedup(ask);
    unsigned open = 0, once_more = 0;

    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
        const bool worth = is_worth(group, ask, c, known);

        open |= (unsigned)(worth && is_open(group, ask, c)) << c;
        once_more |= (unsigned)(worth && is_open_again(group, ask, c, known)) << c;
    }
    if (again)
        *again = !open;
    return open ? open : once_more;
}

/* Of these, by bits; NATIVE: there are none. */
static enum dl__candidate_id most_promising(const struct dl__policy_group *group,
                                            const struct dl__policy_ask *ask,
                                            unsigned open)
{
    enum dl__candidate_id best = DL__NATIVE;

    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++)
        if (open >> c & 1 && (best == DL__NATIVE ||
                              promise_of(group, ask, c) > promise_of(group, ask, best)))
            best = c;
    return best;
}

unsigned dl__policy_asks_for(struct dl__policy *policy, struct dl__policy_ask *ask,
                             unsigned *later)
{
    struct dl__policy_group *group = group_join(policy, ask);
    double native = dl__row_native(ask->row, &ask->estimate, ask->work);
    unsigned wanted = 0;

    ask->group = group;
    *later = 0;
    if (!group)
        return 0;
    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++)
        if (ask->tile[c] && ask->row->of[c].state == DL__MAY_RUN &&
            (dl__row_seconds(ask->row, c, ask->work) < native ||
             gains_others(group, ask->row, c) || c == group->current ||
             c == ask->row->best))
            wanted |= 1u << c;
    ask->tried_from = explored_from(policy) / stake_of(group, ask, native);
    ask->too_short = too_short(group, ask);
    if (matters(policy, group, ask, native))
        *later = open_of(group, ask, NULL);
    wanted |= 1u << most_promising(group, ask, *later);
    *later &= ~wanted;
    return wanted & ~(1u << DL__NATIVE);
}

/* True when the run will have ended, if it has as many launches as earlier ones, before
 * exploring can be paid for. */
static bool is_out_of_reach(const struct dl__policy_group *group,
                            const struct dl__policy_row *row, double ran)
{
    return group->waits_price > 0 &&
           ran * dl__row_horizon(row) < group->waits_until * row->launches &&
           row->run_count > 0;
}

/* Launches of the row wait until exploring them may take this. */
static void wait_for(const struct dl__policy *policy, struct dl__policy_group *group,
                     const struct dl__policy_row *row, double price)
{
    double all = 0;

    group_member(group, row)->waits_price = price;
    for (unsigned m = 0; m < group->member_count; m++)
        all += group->members[m].waits_price;
    group->waits_price = price;
    group->waits_until = ledger_allows_at(policy->ledger, price, group->decided);
    group->all_wait_until = ledger_allows_at(policy->ledger, all, group->decided);
}

/* True when exploring the member waits for more than may be spent now, and may be paid
 * for before the program has run as long again: nobody knows how much longer it runs. */
static bool waits_for_little(const struct dl__policy *policy,
                             const struct dl__policy_group *group,
                             const struct dl__member *member, double ran)
{
    const double at =
        ledger_allows_at(policy->ledger, member->waits_price, group->decided);
    bool open = false;

    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++)
        open |= is_untried(member, c);
    return open && member->waits_price > 0 && at > ran && at <= 2 * ran;
}

/* True when what exploring the row takes is kept for another on which more hangs for what
 * that takes. */
static bool is_kept_for_another(const struct dl__policy *policy,
                                const struct dl__member *own, double price, double now)
{
    const double worth = own->ever.launches * member_seconds(own, DL__NATIVE) / price;

    for (const struct dl__policy_group *group = policy->groups; group;
         group = group->next)
        for (unsigned m = 0; m < group->member_count; m++) {
            const struct dl__member *other = &group->members[m];

            if (other->row != own->row &&
                other->ever.launches * member_seconds(other, DL__NATIVE) >
                    worth * other->waits_price &&
                waits_for_little(policy, group, other, now - policy->ledger->begun))
                return true;
        }
    return false;
}

/* Candidates to be explored, by bits: the most promising first, within what may be spent.
 *   hold     out: launches of the group are worth waiting for
 *   awaited  out: candidates that nothing but what is being built, or one more launch,
 *            keeps from being explored */
static unsigned choose_explored(const struct dl__policy *policy,
                                struct dl__policy_group *group,
                                const struct dl__policy_ask *ask, double now, bool *hold,
                                unsigned *awaited)
{
    const struct dl__policy_row *row = ask->row;
    const double beyond = dl__policy_beyond(policy);
    double native = dl__row_native(row, &ask->estimate, ask->work), spend, left, price;
    enum dl__candidate_id best;
    bool again;
    unsigned open = open_of(group, ask, &again), all = open, chosen = 0;

    *awaited = 0;
    if (!open || ask->exact || !matters(policy, group, ask, native))
        return 0;
    *hold = native >= held_seconds && !again;
    if (row->launches < row->explore_at)
        return 0;
    left = dl__ledger_left(policy->ledger, now, group->decided || again);
    spend = ask->explore_seconds + native;
    if (group->current != DL__NATIVE)
        spend += dl__both_ways(group, group->current);
    open &= ask->explorable;
    price = spend;
    while ((best = most_promising(group, ask, open)) != DL__NATIVE) {
        const double one = price_of(ask, best) + native * factor_of(&ask->estimate, best);

        open &= ~(1u << best);
        spend += one;
        price += one + beyond;
        /* More than one at a time only where that takes little. */
        if (!chosen && price > left && !again)
            wait_for(policy, group, row, price);
        group->waits_for_longer = price > ledger_at_first(group->decided);
        if (price > (chosen ? left * several_part : left) ||
            (!again && is_kept_for_another(policy, group_member(group, row), price, now)))
            break;
        group->waits_price = group_member(group, row)->waits_price = 0;
        group->priced = spend;
        chosen |= 1u << best;
    }
    if (best == DL__NATIVE || chosen)
        *awaited = all;
    /* A group that gains already is not held back for a candidate that can't be paid for
     * yet, but where its buffers are brought back for the launch until that is explored.
     */
    else if (is_out_of_reach(group, row, now - policy->ledger->begun) ||
             (group->current != DL__NATIVE &&
              row->of[group->current].state != DL__UNTRIED))
        *hold = false;
    return chosen;
}

static unsigned explore_wanted(const struct dl__policy *policy,
                               struct dl__policy_group *group,
                               const struct dl__policy_ask *ask, double now, bool *hold)
{
    struct dl__member *member = group_member(group, ask->row);
    unsigned awaited, chosen = choose_explored(policy, group, ask, now, hold, &awaited);

    if (member->awaited != awaited)
        group->look_at = 0;
    member->awaited = (unsigned char)awaited;
    return chosen;
}

/* Keeps the times that exploring has found, as the device or else the text tells them. */
static void keep_times(struct dl__policy_ask *ask, const struct dl__finding *finding)
{
    struct dl__tried_on *on = &ask->row->of[finding->candidate];
    double seconds = finding->seconds;

    on->earlier = false;
    on->lost = dl__is_time(seconds) && dl__is_time(finding->native_seconds) &&
                       seconds > (1 - dl__by_chance) * finding->native_seconds
                   ? on->lost + 1
                   : 0;
    on->by_text = !dl__is_time(seconds);
    if (on->by_text)
        seconds = dl__row_native(ask->row, &ask->estimate, ask->work) /
                  ask->estimate.of[finding->candidate].speedup;
    on->promised = (struct dl__sample){seconds, ask->work};
    on->beside = dl__is_time(finding->seconds) ? dl__max(0, finding->native_seconds) : 0;
}

/* Conversions of the launch's buffers, by their sizes. Kernels for any shape take several
 * times as long as those that are being built, and at most show that these take less than
 * was expected. */
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
        struct dl__policy_buffer *buffer = ask->buffers[b];
        double part = (double)buffer->bytes / bytes,
               there = finding->there_seconds * part, back = finding->back_seconds * part;

        if (finding->stands_in) {
            there = dl__min(there, buffer->there[c]);
            back = dl__min(back, buffer->back[c]);
        }
        move_price(buffer, c, there, back);
    }
    if (finding->stands_in)
        return;
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
    if (group->priced > 0 && count > 0 && spent_seconds > 0)
        dl__samples_add(&policy->beyond,
                        dl__max(1e-9, (spent_seconds - group->priced) / (double)count),
                        1);
    group->priced = 0;
    for (size_t f = 0; f < count; f++) {
        const struct dl__finding *finding = &findings[f];
        struct dl__tried_on *on = &row->of[finding->candidate];

        if (dl__is_time(finding->native_seconds)) {
            row->of[DL__NATIVE].promised =
                (struct dl__sample){finding->native_seconds, ask->work};
            row->of[DL__NATIVE].earlier = false;
        }
        /* Others may have found out what this one has not. */
        if (finding->state != DL__UNTRIED)
            on->state = finding->state;
        on->unbound = finding->unbound;
        if (on->state == DL__UNTRIED && !finding->soon && ++on->attempts >= ATTEMPTS_MAX)
            on->state = ask->annotated ? DL__MAY_RUN : DL__AS_WRITTEN;
        dl__tried_why(on, on->state == DL__AS_WRITTEN ? finding->why : NULL);
        if (on->state == DL__MAY_RUN && finding->state != DL__UNTRIED) {
            keep_times(ask, finding);
            keep_moves(policy, ask, finding);
        }
        none = none && on->state == DL__UNTRIED;
        /* A first step may move nothing: later launches are tried first. */
        if (finding->unchanged && f == 0)
            ask->kernel->unchanged++;
        else if (finding->state != DL__UNTRIED && !ask->explored_whole)
            ask->kernel->unchanged = 0;
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
        seconds += 2 * move_expected(policy, ask->buffers[b], c);
    return seconds;
}

/* True when a launch on the candidate is to be compared.
 *   due  out, else: the launch that is, from 0 */
static bool compare_is_due(struct dl__policy *policy, struct dl__policy_ask *ask,
                           enum dl__candidate_id c, double now, unsigned long *due)
{
    struct dl__tried_on *on = &ask->row->of[c];
    unsigned long next = on->launches + 1;

    ask->watches_values = false;
    *due = ULONG_MAX;
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
        *due = on->compare_at - 1;
        return false;
    }
    return policy->ledger->compared + (on->compared_seconds > 0
                                           ? on->compared_seconds
                                           : comparing_seconds(policy, ask, c)) <=
           compared_part * (now - policy->ledger->compare_since);
}

/* A time as written that was taken on a busy machine would keep the group where it is for
 * good: a shorter one replaces it. */
static void correct_native(struct dl__policy *policy, struct dl__policy_row *row,
                           double seconds, double work)
{
    if (!dl__is_time(seconds) || 1.2 * seconds >= dl__row_seconds(row, DL__NATIVE, work))
        return;
    row->of[DL__NATIVE].promised = (struct dl__sample){seconds, work};
    row->of[DL__NATIVE].earlier = false;
    row->changed = true;
    for (struct dl__policy_group *group = policy->groups; group; group = group->next)
        if (group_member(group, row)) {
            group->doubted = true;
            group->look_at = 0;
        }
    policy->version++;
}

void dl__policy_compared(struct dl__policy *policy, struct dl__policy_ask *ask,
                         enum dl__candidate_id candidate, double spent_seconds,
                         double native_seconds)
{
    struct dl__tried_on *on = &ask->row->of[candidate];

    if (dl__row_is_earlier(ask->row, DL__NATIVE) ||
        !dl__samples_known(&ask->row->of[DL__NATIVE].samples))
        correct_native(policy, ask->row, native_seconds, ask->work);
    dl__ledger_spend(policy->ledger, spent_seconds, true);
    on->compared_seconds = spent_seconds;
    on->compare_at = due_after(on->launches + (spent_seconds <= 0));
    policy->ledger->compared += spent_seconds;
    policy->version++;
}

void dl__policy_differed(struct dl__policy *policy, struct dl__policy_ask *ask,
                         const char *why)
{
    struct dl__policy_group *group = dl__group_of(ask->group);

    snprintf(ask->kernel->differed, sizeof ask->kernel->differed, "%s", why);
    for (struct dl__policy_row *row = ask->kernel->rows; row; row = row->next)
        dl__row_as_written(row);
    if (group)
        group->look_at = 0;
    policy->version++;
}

/* ---- deciding ---- */

/* The largest factor by which a conversion must exceed its cost, after some that did not
 * pay. */
static const double demand_max = 64;
/* The latest launches decide by themselves where they are at least this share of all. */
static const double typical_part = 0.25;
/* This part of the launches that come shows what others there are between them; with an
 * eighth, one random program in 50000 goes there and back. */
static const double shown_part = 0.25;

/* Returns what launches to come will save on a layout, as earlier runs say: where it was
 * the last run's best; or has only been timed since, while the group is as large again,
 * and none of its kernels that gained then runs as written there.
 *   returns  with the conversions that came between them there */
static double to_come(const struct dl__policy_group *group, enum dl__candidate_id c,
                      bool returns)
{
    double best = 0, sum = 0;
    bool fits = true;

    for (unsigned m = 0; m < group->member_count; m++) {
        const struct dl__member *member = &group->members[m];
        const struct dl__policy_row *row = member->row;
        double left = dl__row_horizon(row) - member->ever.launches, gain;

        if (row->best == DL__NATIVE || row->best == DL__CANDIDATES || left <= 0 ||
            !is_comparable(member, c))
            continue;
        gain = left * (saves(member, c) - (returns ? dl__max(0, row->returns) : 0) *
                                              dl__both_ways(group, c));
        best += row->best == c && may_run(member, c) ? gain : 0;
        sum += gain;
        fits = fits && row->returns >= 0 && row->together <= group->member_count &&
               runs_there(group, member, c) && row->of[c].promised.seconds > 0;
    }
    return fits ? dl__max(best, sum) : best;
}

/* True when its buffers would be brought back for a kernel that is explored there soon,
 * and may turn out to run there. */
static bool is_awaited(const struct dl__policy_group *group, enum dl__candidate_id c)
{
    bool awaited = false;

    for (unsigned m = 0; m < group->member_count; m++)
        awaited |= (group->members[m].awaited >> c & 1) &&
                   is_untried(&group->members[m], c) && group->members[m].lately.turns;
    return awaited;
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

static void forget_lately(struct dl__policy_group *group)
{
    for (unsigned m = 0; m < group->member_count; m++)
        group->members[m].lately = (struct dl__usage){0};
    for (unsigned l = 0; l < group->look_count; l++)
        group->looks[l].lately = 0;
}

static void switch_to(struct dl__policy *policy, struct dl__policy_group *group,
                      enum dl__candidate_id c, const char *reason,
                      struct dl__policy_answer *answer)
{
    double saved = dl__group_saving(group, group->current, false).saved;

    answer->reason = reason;
    answer->from = group->current;
    answer->lately = dl__group_saving(group, c == DL__NATIVE ? group->current : c, false);
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
    group->switched_at = group->launches;
    group->quiet = 0;
    forget_lately(group);
    memset(group->hops, 0, sizeof group->hops);
    policy->version++;
}

/* Returns the number of launches of the last run that were best made as written, with no
 * change of layout between them; 0: it is not known. */
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
    const struct dl__saving ever = dl__group_saving(group, c, true);
    const double lately = dl__group_saving(group, c, false).launches;

    /* The last run did not have what the host has asked for, or it would have gained. */
    if (group->current == DL__NATIVE && c != group->host &&
        lately < best_as_written(group))
        return false;
    return lately >= typical_part * ever.launches ||
           ever.saved - dl__group_saving(group, group->current, true).saved > cost;
}

/* True when the group's launches so far do not show yet what they will be: there are
 * fewer kernels than in the last run, or few launches of as many as come. */
static bool is_beginning(const struct dl__policy_group *group)
{
    double launches = 0, horizon = 0;

    for (unsigned m = 0; m < group->member_count; m++) {
        const struct dl__member *member = &group->members[m];

        if (member->row->together > group->member_count)
            return true;
        launches += member->ever.launches;
        horizon += dl__row_horizon(member->row);
    }
    return launches < shown_part * horizon;
}

/* Returns the seconds that launches to come will take on the candidate, as earlier runs
 * say how many each kernel has, with the conversions that kernels want there, not the
 * host: what will not be launched again as written takes none. */
static double seconds_to_come(const struct dl__policy_group *group,
                              enum dl__candidate_id c)
{
    double seconds = 0, there = 0, as_written = 0, parts = 0;

    for (unsigned m = 0; m < group->member_count; m++) {
        const struct dl__member *member = &group->members[m];
        double left = dl__max(0, dl__row_horizon(member->row) - member->ever.launches),
               turns = left * member->ever.turns / dl__max(1, member->ever.launches);
        const bool gone = runs_there(group, member, c);

        seconds += left * member_seconds(member, gone ? c : DL__NATIVE);
        there += gone ? turns : 0;
        as_written += gone ? 0 : turns;
        parts += gone ? 0 : turns * member->part;
    }
    return seconds + returns_of(there, as_written, parts) * dl__both_ways(group, c);
}

/* Returns what may be lost before a layout is left for the candidate that has saved much
 * so far, or is known to by earlier runs: hosts look by fits and starts. Before the
 * program's own is gone back to, no more than exploring may cost. */
static double patience(const struct dl__policy_group *group, enum dl__candidate_id c)
{
    const double come =
        c == DL__NATIVE || is_beginning(group)
            ? to_come(group, group->current, false)
            : seconds_to_come(group, c) - seconds_to_come(group, group->current);
    const double most =
        DL__PROMISED_PART * dl__group_saving(group, DL__NATIVE, true).whole +
        DL__PROMISED_SECONDS;

    return dl__max(dl__by_chance * dl__group_saving(group, group->current, true).saved,
                   c == DL__NATIVE ? dl__min(come, most) : come);
}

/* Returns what conversions that the host has not wanted lately would take, if it wants
 * the rest of what it wanted in the last run as evenly as launches come: hosts look by
 * fits and starts, and a run that stayed as written has seen all of them. What the host
 * has asked for, that run did not have. */
static double touches_to_come(const struct dl__policy_group *group,
                              enum dl__candidate_id c)
{
    double touched = 0, launches = 0, lately = 0, seen = 0;

    for (unsigned m = 0; m < group->member_count; m++) {
        const struct dl__member *member = &group->members[m];
        const struct dl__policy_row *row = member->row;

        touched += dl__max(0, row->touched - member->ever.touched);
        launches += dl__max(0, row->runs[0] - member->ever.launches);
        lately += member->lately.launches;
        seen += member->lately.touched;
    }
    return launches > 0 && c != group->host
               ? dl__max(0, touched / launches * lately - seen) * dl__both_ways(group, c)
               : 0;
}

/* The layout most worth changing to; DL__CANDIDATES: none. Notes whether one is waited
 * for that is still being built.
 *   idle  out, none has gained on the present one lately
 *   come  out, the seconds that launches to come save there, if only these make it worth
 *         it; 0: they do not, or there is none */
static enum dl__candidate_id better(struct dl__policy_group *group, bool *idle,
                                    double *come)
{
    enum dl__candidate_id best = DL__CANDIDATES;
    double most = 0, now = dl__group_saving(group, group->current, false).saved;

    *idle = true;
    *come = 0;
    group->waits_for_build = false;
    for (enum dl__candidate_id c = 0; c < DL__CANDIDATES; c++) {
        struct dl__saving saving;
        double gain, cost, future;
        bool by_come;

        if (c == group->current || (c != DL__NATIVE && dl__candidate_get(c)->in_place))
            continue;
        saving = dl__group_saving(group, c, false);
        /* Where none of them gains, the program's own is as good. */
        if (c != DL__NATIVE && group->current != DL__NATIVE && saving.saved <= 0)
            continue;
        gain = saving.saved - now;
        if (group->current == DL__NATIVE)
            gain -= touches_to_come(group, c);
        *idle = *idle && gain <= 0 && saving.unknown == 0;
        cost = dl__both_ways(group, c == DL__NATIVE ? group->current : c) *
               (group->current == DL__NATIVE && is_awaited(group, c) ? demand_max
                                                                     : group->demand);
        if (group->current == DL__NATIVE)
            cost = dl__max(cost, saving.least);
        else
            cost = dl__max(cost, patience(group, c));
        future =
            group->current == DL__NATIVE && c != DL__NATIVE ? to_come(group, c, true) : 0;
        by_come = gain <= dl__max(cost, dl__by_chance * saving.whole) ||
                  (c != DL__NATIVE && !is_typical(group, c, cost));
        if (by_come && (future <= dl__both_ways(group, c) || group->demand > 1))
            continue;
        if (!is_ready(group, c)) {
            group->waits_for_build = true;
            continue;
        }
        gain = dl__max(gain, future);
        if (gain > most) {
            most = gain;
            best = c;
            *come = by_come ? future : 0;
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
    double come;
    bool idle;

    c = better(group, &idle, &come);
    /* Launches take as long where it lies, whatever conversions take. */
    if (group->doubted && group->current != DL__NATIVE &&
        dl__group_saving(group, group->current, true).saved <= 0)
        switch_to(policy, group, DL__NATIVE, "it takes longer there than on copies",
                  answer);
    else if (c != DL__CANDIDATES) {
        switch_to(policy, group, c,
                  dl__why_text(c == DL__NATIVE                ? DL__WHY_NOT_PAID
                               : group->current == DL__NATIVE ? DL__WHY_WORTH
                                                              : DL__WHY_FASTER_STILL),
                  answer);
        answer->to_come = come;
    } else if (idle)
        forget_lately(group);
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

/* The part of a run that a launch as written may be which only puts right what an earlier
 * one has measured. That of the second run, since a builder was beside the first, may be
 * one of this number of launches, so that it takes no more of what the others gain. */
static const double timed_part = 0.02;
enum { TIMED_LAUNCHES = 20 };

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

/* The first few launches are timed, then one in OFTEN_EVERY, and fewer after more
 * launches. To time one costs some 35 us on NVIDIA's driver: of short ones no more than
 * one in so long a time is, or one in SHORT_EVERY. */
enum {
    FIRST_FEW = 3,
    OFTEN_EVERY = 16,
    RARELY = 64,
    RARELY_EVERY = 64,
    SELDOM = 1024,
    SELDOM_EVERY = 256,
    SHORT_EVERY = 4096
};
static const double sampled_after = 10e-3;

/* True when the launch is to be timed: the first few, and then one in some.
 *   seconds  of a launch, as far as that is known
 *   next     out, the next launch to be timed */
static bool row_is_sampled(const struct dl__policy_row *row,
                           enum dl__candidate_id candidate, double seconds,
                           unsigned long *next)
{
    const struct dl__tried_on *on = &row->of[candidate];
    unsigned long made = on->launches;
    bool doubted = on->worse > 0 && on->worse < dl__tried_doubted(on, 0);
    unsigned every = made < FIRST_FEW || doubted ? 1
                     : made < RARELY             ? OFTEN_EVERY
                     : made < SELDOM             ? RARELY_EVERY
                                                 : SELDOM_EVERY;

    while (made >= SELDOM && every > 1 && every < SHORT_EVERY &&
           every * seconds < sampled_after)
        every *= 2;
    *next = made + every - made % every;
    return made % every == 0;
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
                   runs_there(group, group_member(group, ask->row), c)
               ? c
               : DL__NATIVE;
}

/* A program that runs ahead would have all of its launches decided before it is known
 * what bringing buffers back for some of them takes: the first after a switch are held
 * back. */
enum { HELD_AFTER_SWITCH = 32 };

static bool is_unproved(const struct dl__policy_group *group)
{
    bool returns = false;

    if (group->current == DL__NATIVE ||
        group->launches - group->switched_at >= HELD_AFTER_SWITCH)
        return false;
    for (unsigned m = 0; m < group->member_count; m++)
        returns |= group->members[m].ever.turns > 0 &&
                   !runs_there(group, &group->members[m], group->current);
    return returns;
}

/* True while what the launch needs is being built, of a layout that its group would go
 * to: nobody looks away meanwhile. */
static bool waits_for_build(const struct dl__policy_group *group,
                            const struct dl__policy_ask *ask)
{
    bool waits = false;

    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++)
        waits |= ask->row->of[c].state == DL__MAY_RUN && (ask->explorable >> c & 1) &&
                 !ask->ready[c];
    return waits && group->waits_for_build;
}

/* True when the launch, its kernel's first, runs as written, so that what an earlier run
 * says of that is put right if it was a busy one. */
static bool is_timed_first(const struct dl__policy_group *group,
                           const struct dl__policy_ask *ask)
{
    const struct dl__policy_row *row = ask->row;
    double launches = dl__row_horizon(row),
           native = dl__row_seconds(row, DL__NATIVE, ask->work), least = native;

    if (group->current != DL__NATIVE || row->launches > 0 || !ask->timed ||
        !dl__row_is_earlier(row, DL__NATIVE))
        return false;
    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++)
        if (row->of[c].state == DL__MAY_RUN && row->of[c].promised.seconds > 0)
            least = dl__min(least, dl__row_seconds(row, c, ask->work));
    return (row->run_count == 1 && launches >= TIMED_LAUNCHES) ||
           native <= timed_part * launches * least;
}

void dl__policy_choose(struct dl__policy *policy, struct dl__policy_ask *ask, double now,
                       struct dl__policy_answer *answer)
{
    struct dl__policy_group *group;
    unsigned long sampled = ULONG_MAX, due = ULONG_MAX;

    *answer = (struct dl__policy_answer){.candidate = DL__NATIVE};
    ask->until = 0;
    ask->group = group = group_join(policy, ask);
    if (!group)
        return;
    for (enum dl__candidate_id c = 0; c < DL__CANDIDATES; c++)
        ask->exact |= ask->strict && ask->row->of[c].state == DL__MAY_RUN &&
                      ask->row->of[c].differs > 0;
    group_enter(group, ask);
    ask->timed_first = !policy->random && is_timed_first(group, ask);
    /* Nothing is decided before the candidates that are being explored are known. */
    if (!policy->random && group->current == DL__NATIVE)
        answer->explore = explore_wanted(policy, group, ask, now, &answer->hold);
    if (policy->random)
        decide_by_chance(policy, group, ask, answer);
    else if (group->launches >= group->look_at && !answer->explore && !ask->timed_first)
        decide(policy, group, answer);
    answer->candidate = runs_on(policy, group, ask);
    answer->seconds = dl__row_native(ask->row, &ask->estimate, ask->work);
    answer->hold |= is_unproved(group);
    if (waits_for_build(group, ask)) {
        answer->hold |= answer->seconds >= held_seconds;
        group->look_at = 0;
    }
    if (group->current != DL__NATIVE && answer->candidate == DL__NATIVE)
        answer->seconds += dl__both_ways(group, group->current);
    if (policy->random)
        explore_by_chance(policy, ask, answer);
    else if (!answer->explore)
        answer->explore = explore_wanted(policy, group, ask, now, &answer->hold);
    answer->sample =
        ask->timed &&
        row_is_sampled(ask->row, answer->candidate,
                       dl__row_seconds(ask->row, answer->candidate, ask->work), &sampled);
    answer->compare =
        !answer->explore && compare_is_due(policy, ask, answer->candidate, now, &due);
    ask->version = policy->version;
    ask->candidate = answer->candidate;
    ask->saves = saves(group_member(group, ask->row), answer->candidate);
    if (answer->explore || answer->compare)
        group->quiet = 0;
    if (!answer->hold && !answer->explore && !answer->compare && !policy->random)
        ask->until = sampled < due ? sampled : due;
}

/* The one that was converted or copied for, and the next. */
enum { COLD_LAUNCHES = 2 };

struct dl__policy_ticket dl__policy_launched(struct dl__policy_ask *ask,
                                             enum dl__candidate_id candidate)
{
    struct dl__policy_group *group = dl__group_of(ask->group);

    if (!group)
        return (struct dl__policy_ticket){0};
    count(group, group_enter(group, ask), ask, candidate);
    return (struct dl__policy_ticket){.row = ask->row,
                                      .candidate = candidate,
                                      .work = ask->work,
                                      .is_cold = group->quiet++ < COLD_LAUNCHES};
}

void dl__policy_unready(struct dl__policy *policy, struct dl__policy_ask *ask,
                        enum dl__candidate_id candidate)
{
    struct dl__policy_group *group = dl__group_of(ask->group);
    struct dl__member *member = group ? group_member(group, ask->row) : NULL;

    ask->ready[candidate] = false;
    if (member)
        member->ready[candidate] = false;
    policy->version++;
}

/* ---- times ---- */

/* Cold caches make a launch take at most this many times as long. */
static const double cold_most = 2;

/* Two launches that take a fifth longer than was promised are believed; the median of
 * three would be, too. Against many of an earlier run, the machine may be busy. */
enum { DOUBTED = 2 };

static void doubt(struct dl__policy *policy, struct dl__policy_row *row,
                  enum dl__candidate_id c, double seconds, double work)
{
    struct dl__tried_on *on = &row->of[c];
    unsigned needed;

    if (c == DL__NATIVE || on->promised.seconds <= 0 ||
        seconds / work <= 1.2 * on->promised.seconds / on->promised.work) {
        on->worse = 0;
        return;
    }
    needed = dl__tried_doubted(on, DOUBTED);
    policy->version += needed > DOUBTED; /* the next is timed, too */
    if (++on->worse != needed)
        return;
    on->promised = (struct dl__sample){seconds, work};
    on->earlier = false;
    on->beside = 0;
    for (struct dl__policy_group *group = policy->groups; group; group = group->next)
        group->doubted |= group->current == c && group_member(group, row);
}

/* A conversion of a copy, which a device's caches may hold, takes another time than one
 * between launches. No single time changes a price by more than this. */
static const double repriced = 1.25;

static void reprice(struct dl__policy_buffer *buffer, enum dl__candidate_id c, bool back,
                    double seconds)
{
    double there = buffer->there[c], before = back ? buffer->back[c] : there,
           now = dl__min(before * repriced, dl__max(before / repriced, seconds));

    if (now > before * (1 + dl__by_chance) || now < before * (1 - dl__by_chance))
        move_price(buffer, c, back ? there : now, back ? now : buffer->back[c]);
}

/* A layout in which looks take longer than was thought may have lost all along, if they
 * are a part of its time that counts. */
static void look_measured(struct dl__policy *policy,
                          const struct dl__policy_ticket *ticket, double seconds)
{
    struct dl__look *look = ticket->look;
    enum dl__candidate_id c = ticket->candidate;
    double before = dl__look_cost(look, c, ticket->work), now;

    dl__samples_add(&look->of[c], seconds, ticket->work);
    now = dl__look_cost(look, c, ticket->work);
    if (now <= 1.2 * before && before <= 1.2 * now)
        return;
    for (struct dl__policy_group *group = policy->groups; group; group = group->next) {
        group->doubted |=
            group->current != DL__NATIVE && now > before &&
            look_cost_of(group, group->current, true) >
                dl__by_chance * dl__group_saving(group, DL__NATIVE, true).whole;
        group->look_at = 0;
    }
    policy->version++;
}

void dl__policy_measured(struct dl__policy *policy,
                         const struct dl__policy_ticket *ticket, double seconds)
{
    struct dl__policy_row *row = ticket->row;
    double before, now;

    if (!dl__is_time(seconds))
        return;
    if (ticket->look) {
        policy->untold = 0;
        look_measured(policy, ticket, seconds);
        return;
    }
    if (!row && ticket->candidate != DL__NATIVE && ticket->work > 0)
        dl__samples_add(&policy->moves[ticket->candidate], seconds / ticket->work, 1);
    if (!row && ticket->buffer)
        reprice(ticket->buffer, ticket->candidate, ticket->back, seconds);
    if (!row)
        return;
    policy->untold = 0;
    if (ticket->candidate == DL__NATIVE && dl__row_is_earlier(row, DL__NATIVE))
        correct_native(policy, row, seconds, ticket->work);
    before = dl__row_seconds(row, ticket->candidate, ticket->work);
    if (ticket->is_cold && dl__is_time(before) && seconds <= cold_most * before)
        return;
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
