/* SPDX-License-Identifier: MIT */
/* Groups of buffers that launches bind together, by union and find: what is launched on
 * them, what that would have saved elsewhere, and what else happens to the buffers. */
#include "core.h"

#include <stdlib.h>
#include <string.h>

struct dl__policy_group *dl__group_of(struct dl__policy_group *group)
{
    while (group && group->into)
        group = group->into;
    return group;
}

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

/* Going from one layout to another is worth repeating where it has saved so much more
 * than any one of them. */
static const double achieved_part = 0.02;
/* A rewritten kernel has more arguments, which are set once more: the host takes so much
 * longer for a launch. */
static const double host_seconds = 0.5e-6;
/* Nothing goes for less than this a launch, which is within what times of short
 * ones are wrong by. */
static const double least_seconds = 1e-6;

enum { EARLY_TIMES = 4 };

bool dl__is_unexplored(const struct dl__member *member)
{
    bool any = false, tried = false;

    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
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

bool dl__gains_others(const struct dl__policy_group *group,
                      const struct dl__policy_row *row, enum dl__candidate_id c)
{
    for (unsigned m = 0; m < group->member_count; m++) {
        const struct dl__member *member = &group->members[m];

        if (member->row != row && dl__may_run(member, c) &&
            dl__member_seconds(member, c) < dl__member_seconds(member, DL__NATIVE))
            return true;
    }
    return false;
}

bool dl__runs_there(const struct dl__policy_group *group, const struct dl__member *member,
                    enum dl__candidate_id c)
{
    return dl__may_run(member, c) &&
           dl__member_seconds(member, c) <=
               dl__member_seconds(member, DL__NATIVE) + dl__both_ways(group, c);
}

struct dl__saving dl__group_saving(const struct dl__policy_group *group,
                                   enum dl__candidate_id candidate, bool ever)
{
    struct dl__saving out = {0};
    double there = 0, as_written = 0,
           returns = candidate == DL__NATIVE ? 0 : group->hops[candidate];

    for (unsigned m = 0; m < group->member_count; m++) {
        const struct dl__member *member = &group->members[m];
        const struct dl__usage *usage = ever ? &member->ever : &member->lately;
        double native = usage->launches * dl__member_seconds(member, DL__NATIVE);

        out.whole += native;
        if (dl__is_unexplored(member))
            out.unknown += native;
        if (candidate == DL__NATIVE)
            continue;
        /* What is not known may have to run as written. */
        if (dl__runs_there(group, member, candidate)) {
            out.saved += native - usage->launches * dl__member_seconds(member, candidate);
            there += usage->turns;
        } else {
            as_written += usage->turns;
        }
        returns += usage->touched;
        out.saved -= usage->looks;
    }
    /* Several that run as written, one behind the other, are one return. */
    out.saved -= (returns + dl__min(there, as_written)) * dl__both_ways(group, candidate);
    return out;
}

double dl__least_saving(const struct dl__policy_group *group, bool ever)
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
    struct dl__saving native = dl__group_saving(group, DL__NATIVE, true);
    double most = 0, saved = 0;
    unsigned long last;

    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
        double saving = dl__group_saving(group, c, true).saved - dl__both_ways(group, c);

        if (!dl__candidate_get(c)->in_place && saving > most &&
            saving > dl__by_chance * native.whole &&
            saving > dl__least_saving(group, true)) {
            most = saving;
            saved = saving + dl__both_ways(group, c);
            best = c;
        }
    }
    if (group->achieved <=
        saved + dl__max(dl__both_ways(group, group->first), achieved_part * native.whole))
        return best == DL__NATIVE && native.unknown > dl__unknown_part * native.whole
                   ? DL__CANDIDATES
                   : best;
    /* What it has been in nearly all the time. */
    last = group->left_at ? group->launches - group->left_at : 0;
    return EARLY_TIMES * (group->first_at + last) <= group->launches ? group->first
                                                                     : DL__CANDIDATES;
}

/* ---- making and merging ---- */

double dl__group_wanted(const struct dl__policy_group *group, enum dl__candidate_id c)
{
    double touched = 0, there = 0, as_written = 0;

    for (unsigned m = 0; m < group->member_count; m++) {
        const struct dl__member *member = &group->members[m];

        touched += member->ever.touched;
        *(dl__runs_there(group, member, c) ? &there : &as_written) += member->ever.turns;
    }
    return touched + dl__min(there, as_written);
}

double dl__group_returns(const struct dl__policy_group *group, enum dl__candidate_id c)
{
    double launches = 0;

    if (c == DL__NATIVE || c == DL__CANDIDATES)
        return -1;
    for (unsigned m = 0; m < group->member_count; m++) {
        const struct dl__member *member = &group->members[m];

        if (member->ever.looks > 0)
            return -1;
        launches += member->ever.launches;
    }
    return launches > 0 ? dl__group_wanted(group, c) / launches : -1;
}

/* What it was used for says what the next one will be. */
static void remember_use(const struct dl__policy_group *group)
{
    enum dl__candidate_id best = dl__group_hindsight(group);

    for (unsigned m = 0; m < group->member_count; m++) {
        struct dl__policy_row *row = group->members[m].row;
        double launches = group->members[m].ever.launches;

        row->best = best;
        row->returns = dl__group_returns(group, best);
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
        dl__group_settle(group);
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
    to->looks += usage->looks;
}

struct dl__member *dl__group_member(struct dl__policy_group *group,
                                    const struct dl__policy_row *row)
{
    for (unsigned m = 0; m < group->member_count; m++)
        if (group->members[m].row == row)
            return &group->members[m];
    return NULL;
}

void dl__group_settle(struct dl__policy_group *group)
{
    while (group->leased)
        dl__lease_settle(group->leased);
}

static void merge(struct dl__policy_group *from, struct dl__policy_group *to)
{
    dl__group_settle(from);
    dl__group_settle(to);
    for (unsigned m = 0; m < from->member_count; m++) {
        struct dl__member *there = dl__group_member(to, from->members[m].row);

        if (there) {
            add_usage(&there->lately, &from->members[m].lately);
            add_usage(&there->ever, &from->members[m].ever);
        } else if (to->member_count < DL__MEMBERS_MAX) {
            to->members[to->member_count++] = from->members[m];
        }
    }
    for (enum dl__candidate_id c = 0; c < DL__CANDIDATES; c++) {
        to->there[c] += from->there[c];
        to->back[c] += from->back[c];
    }
    to->demand = dl__max(to->demand, from->demand);
    to->launches += from->launches;
    to->achieved += from->achieved;
    to->look_at = 0;
    to->decided = to->decided && from->decided;
    from->into = to;
    to->references++;
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

struct dl__policy_group *dl__group_join(struct dl__policy *policy,
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
            double expected = dl__move_expected(policy, buffer, c);

            dl__move_price(buffer, c, expected, expected);
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

/* What has happened since the last launch counts with that, once other launches follow.
 */
static void count_touches(struct dl__policy_group *group, unsigned long launches)
{
    struct dl__usage add = {.looks = group->looked};

    if (group->touches && group->launches)
        add.touched = (double)(group->touches < launches ? group->touches : launches);
    group->touches = 0;
    group->looked = 0;
    if (group->last < group->member_count) {
        add_usage(&group->members[group->last].lately, &add);
        add_usage(&group->members[group->last].ever, &add);
    }
}

struct dl__member *dl__group_enter(struct dl__policy_group *group,
                                   const struct dl__policy_ask *ask)
{
    struct dl__member *member = dl__group_member(group, ask->row);

    if (!member) {
        member = add_member(group, ask->row);
        group->look_at = 0;
    }
    member->work = ask->work;
    member->estimate = ask->estimate;
    member->exact = ask->exact;
    for (enum dl__candidate_id c = 0; c < DL__CANDIDATES; c++) {
        member->ready[c] = ask->ready[c];
        member->possible[c] =
            ask->tile[c] > 0 && ((ask->estimate.of[c].verdict != DL__NEVER &&
                                  !(dl__estimate_is_loss(&ask->estimate, c) &&
                                    ask->row->of[c].state == DL__UNTRIED)) ||
                                 dl__gains_others(group, ask->row, c));
    }
    return member;
}

/* Launches of others that were made without being looked at, so far. */
static unsigned long group_taken(const struct dl__policy_group *group,
                                 const struct dl__policy_row *row)
{
    unsigned long taken = 0;

    for (const struct dl__policy_ask *ask = group->leased; ask; ask = ask->next_leased)
        if (ask->row != row)
            taken += ask->taken;
    return taken;
}

void dl__group_count(struct dl__policy_group *group, const struct dl__policy_ask *ask,
                     enum dl__candidate_id candidate, unsigned taken)
{
    struct dl__member *member = dl__group_enter(group, ask);
    struct dl__usage add = {.launches = taken};
    unsigned index = (unsigned)(member - group->members);
    unsigned long others = group_taken(group, ask->row);

    count_touches(group, taken + group_taken(group, NULL));
    /* Where others come between, those that were not looked at were taken by turns. */
    if (index != group->last)
        add.turns = taken;
    else if (others > group->taken)
        add.turns = 1;
    group->taken = others;
    add_usage(&member->lately, &add);
    add_usage(&member->ever, &add);
    for (enum dl__candidate_id c = 0; c < DL__CANDIDATES; c++) {
        if (group->tile[c] && ask->tile[c] && group->tile[c] != ask->tile[c])
            group->hops[c] += 1;
        if (ask->tile[c])
            group->tile[c] = ask->tile[c];
    }
    if (candidate != DL__NATIVE)
        group->achieved += taken * (dl__member_seconds(member, DL__NATIVE) -
                                    dl__member_seconds(member, candidate));
    group->last = index;
    group->launches += taken;
    ask->row->launches += taken;
    ask->row->changed = true;
}

/* Launches of the group's other kernels since the lease was granted. */
static unsigned long others_since(const struct dl__policy_group *group,
                                  const struct dl__policy_ask *ask)
{
    return group_taken(group, ask->row) +
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

/* ---- what happens to buffers besides launches ----
 *
 * Conversions, commands of the host's that want them as written, and looks by parts
 * (host/looks.h). A group rents before it buys here, too: when the looks since its last
 * launch would take longer than converting the buffer back and again, it is brought back.
 */

/* The first few looks are timed, and then one in so many. */
enum { FIRST_FEW = 3, LOOKS_EVERY = 64 };

/* Of those that are measured, against what was expected. */
static double ratio_of(const struct dl__samples *now, const struct dl__samples *before)
{
    if (dl__samples_known(now))
        return dl__samples_median(now, 1);
    return dl__samples_known(before) ? dl__samples_median(before, 1) : 1;
}

double dl__move_expected(const struct dl__policy *policy,
                         const struct dl__policy_buffer *buffer,
                         enum dl__candidate_id candidate)
{
    return dl__estimate_move(&policy->rates, candidate, buffer->bytes) *
           ratio_of(&policy->moves[candidate], &policy->moves_before[candidate]);
}

void dl__move_price(struct dl__policy_buffer *buffer, enum dl__candidate_id candidate,
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

/* Nothing is waited for to see it, and what was decided is looked at again soon. */
static void note_touch(struct dl__policy *policy, struct dl__policy_buffer *buffer)
{
    struct dl__policy_group *group = dl__group_of(buffer->group);

    if (!group)
        return;
    group->touches++;
    if (group->current == DL__NATIVE)
        return;
    group->look_at = 0;
    policy->version++;
}

struct dl__move_charge dl__policy_moved(struct dl__policy *policy,
                                        struct dl__policy_buffer *buffer,
                                        enum dl__candidate_id candidate)
{
    struct dl__policy_group *group = dl__group_of(buffer->group);

    policy->version++;
    if (group)
        group->achieved -= buffer->there[candidate];
    buffer->lies = candidate;
    return (struct dl__move_charge){
        candidate, dl__estimate_move(&policy->rates, candidate, buffer->bytes), false};
}

struct dl__move_charge dl__policy_returned(struct dl__policy *policy,
                                           struct dl__policy_buffer *buffer,
                                           bool by_launch)
{
    enum dl__candidate_id from = buffer->lies;
    struct dl__policy_group *group = dl__group_of(buffer->group);

    policy->version++;
    if (group)
        group->achieved -= buffer->back[from];
    buffer->lies = DL__NATIVE;
    if (!by_launch)
        note_touch(policy, buffer);
    return (struct dl__move_charge){
        from, dl__estimate_move(&policy->rates, from, buffer->bytes), false};
}

void dl__policy_move_measured(struct dl__policy *policy,
                              const struct dl__move_charge *charge, double seconds)
{
    if (charge->candidate == DL__NATIVE || charge->estimated <= 0 ||
        !dl__is_time(seconds))
        return;
    dl__samples_add(charge->is_look ? &policy->look_ratios
                                    : &policy->moves[charge->candidate],
                    seconds / charge->estimated, 1);
}

/* ---- looks by parts ---- */

static double look_cost(const struct dl__policy *policy, uint64_t bytes)
{
    static const struct dl__samples none;

    return dl__estimate_look(&policy->rates, bytes) *
           ratio_of(&policy->look_ratios, &none);
}

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

/* A look, done or not: those since a launch that are dearer than both ways count like
 * them. */
static void note_look(struct dl__policy_group *group,
                      const struct dl__policy_buffer *buffer, double cost)
{
    group->looked = dl__min(group->looked + cost, both_ways(buffer));
}

void dl__policy_touched(struct dl__policy *policy, struct dl__policy_buffer *buffer,
                        uint64_t part_bytes)
{
    struct dl__policy_group *group = dl__group_of(buffer->group);

    if (!part_bytes)
        note_touch(policy, buffer);
    else if (group)
        note_look(group, buffer, look_cost(policy, part_bytes));
}

bool dl__policy_may_look(struct dl__policy *policy, struct dl__policy_buffer *buffer,
                         uint64_t bytes, bool *timed)
{
    struct dl__policy_group *group = dl__group_of(buffer->group);

    *timed = false;
    if (!group || buffer->lies == DL__NATIVE)
        return true;
    if (policy->random) /* one in eight is refused */
        return dl__policy_chance(policy) % 8 != 0;
    *timed = policy->look_count < FIRST_FEW || policy->look_count % LOOKS_EVERY == 0;
    return group->looked + look_cost(policy, bytes) <= both_ways(buffer);
}

struct dl__move_charge dl__policy_looked(struct dl__policy *policy,
                                         const struct dl__policy_buffer *buffer,
                                         uint64_t bytes)
{
    struct dl__policy_group *group = dl__group_of(buffer->group);
    double estimated = dl__estimate_look(&policy->rates, bytes);

    if (!group || buffer->lies == DL__NATIVE)
        return (struct dl__move_charge){0};
    note_look(group, buffer, look_cost(policy, bytes));
    group->look_at = 0;
    policy->version++;
    /* The first may have had more to do than others. */
    return (struct dl__move_charge){policy->look_count++ ? buffer->lies : DL__NATIVE,
                                    estimated, true};
}

void dl__policy_dropped(struct dl__policy *policy, struct dl__policy_buffer *buffer)
{
    if (buffer->lies == DL__NATIVE)
        return;
    policy->version++;
    buffer->lies = DL__NATIVE;
    note_touch(policy, buffer);
}

void dl__policy_buffer_end(struct dl__policy *policy, struct dl__policy_buffer *buffer)
{
    policy->version++;
    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++)
        dl__move_price(buffer, c, 0, 0);
    group_release(buffer->group);
    buffer->group = NULL;
}
