/* SPDX-License-Identifier: MIT */
/* Which candidate a launch runs on.
 *
 * A group rents before it buys: each launch adds to a candidate's rent what the candidate would have
 * saved. When that exceeds what converting the group's buffers costs, there and back, and the ledger
 * has room for the worst, they are converted. From then on measured times decide. What a command that
 * DL does not transform makes of it, residence.c's calls tell (moves.c). */
#include "numbers.h"
#include <string.h>

#include "core.h"
#include "say.h"

/* What the text says neither good nor bad of is worth a trial: as if it saved this part of a launch. */
static const double curiosity = 0.1;
/* What so short a launch uses a cache may hold, whatever memory takes for it. */
static const double cached_seconds = 30e-6;
/* Of the promise, what contractable kernels may cost (ledger.h). */
static const double counted_part = 0.4;
/* How much each member of a group counts hangs on how often it is launched: that is looked at every so many
 * launches. */
enum { LOOK_AGAIN = 8 };

struct look {
    struct dl__policy *policy;
    const struct dl__policy_ask *ask;
    struct dl__policy_group *group;
    double left; /* what may be spent */
    double gain[DL__CANDIDATES];
    double seconds[DL__CANDIDATES]; /* that the launch is expected to take */
    bool known[DL__CANDIDATES];     /* and not only by its text */
};

static void expect(struct look *look)
{
    for (int c = 0; c < DL__CANDIDATES; c++)
        look->seconds[c] = dl__cost_expected(look->ask->row, &look->ask->estimate,
                                             (enum dl__candidate_id)c, look->ask->work,
                                             look->group->counts_only, &look->known[c]);
}

double dl__policy_left(const struct dl__policy *policy, const struct dl__policy_row *row,
                       bool counts_only)
{
    bool remembered = dl__row_is_remembered(row);
    double counted =
        counted_part *
            dl__ledger_left(&(struct dl__ledger){policy->counted.native_seconds, 0},
                            remembered) -
        policy->counted.excess_seconds;
    double left = dl__ledger_left(&policy->ledger, remembered);

    if (counts_only)
        return counted;
    return policy->has_contractable ? left - dl__max(0, counted) : left;
}

bool dl__policy_affords(const struct dl__policy *policy, const struct dl__policy_ask *ask,
                        uint64_t bytes, unsigned runs)
{
    const struct dl__policy_group *group = dl__group_of(ask->group);
    bool counts_only = group && group->counts_only;
    double seconds = (double)bytes / (policy->rates.copy_mb * 1e6) +
                     runs * dl__cost_expected(ask->row, &ask->estimate, DL__NATIVE,
                                              ask->work, counts_only, NULL);

    return policy->random || seconds <= dl__policy_left(policy, ask->row, counts_only);
}

/* ---- gains ---- */

/* Where the launch runs when its group is on `c`. */
static enum dl__candidate_id runs_on(const struct look *look, enum dl__candidate_id c)
{
    return dl__side_stays(look->group, look->policy, c) ? DL__NATIVE : c;
}

/* What the launch would save with its group on `c` instead of where it runs now. */
static double gain_on(const struct look *look, enum dl__candidate_id c)
{
    const struct dl__estimate *estimate = &look->ask->estimate;
    enum dl__candidate_id current = runs_on(look, look->group->current);
    bool known_current = look->known[current];
    double now = look->seconds[current], then = look->seconds[c];

    if (look->known[c] || c == DL__NATIVE)
        return now - then;
    if (estimate->of[c].verdict == DL__NEVER)
        return dl__min(0, now - then);
    if (current == DL__NATIVE &&
        (estimate->of[c].verdict == DL__CLEAR ||
         (estimate->of[c].verdict == DL__NEUTRAL && estimate->of[c].speedup > 1.05)))
        return now - then;
    /* A trial, for curiosity: of contractable kernels on what earlier runs have measured. */
    if (look->group->counts_only && look->ask->row->remembered[DL__NATIVE].work == 0)
        return 0;
    /* Where it runs now is to be measured first. */
    if (current != DL__NATIVE && !known_current)
        return 0;
    if (known_current && dl__cost_is_near_least(estimate, now) &&
        (current == DL__NATIVE || now > cached_seconds))
        return 0;
    return curiosity * now;
}

static void look_at_gains(struct look *look)
{
    double moves = dl__sides_moves_each(look->group, look->group->current);

    for (int i = 0; i < DL__CANDIDATES; i++) {
        enum dl__candidate_id c = (enum dl__candidate_id)i;

        look->gain[c] = gain_on(look, runs_on(look, c)) + moves -
                        dl__sides_moves_each(look->group, c);
    }
}

/* ---- what may be ---- */

/* Other devices' launches that can't be run on it yet are counted as written (sides.c). */
static bool all_ready(const struct look *look, enum dl__candidate_id c)
{
    const struct dl__policy_group *group = look->group;

    for (unsigned m = 0; m < group->member_count; m++) {
        const struct dl__member *member = &group->members[m];

        if (member->policy == look->policy && !dl__member_passes(member, c) &&
            (!group->counts_only || member->contractable) && !member->ready[c])
            return false;
    }
    return true;
}

/* What the launch costs on `c` at its worst, beyond native. */
static double worst_of(const struct look *look, enum dl__candidate_id c)
{
    const struct dl__policy_ask *ask = look->ask;
    bool counts_only = look->group->counts_only;

    return dl__cost_high(ask->kernel, ask->row, &ask->estimate, c, ask->work,
                         counts_only) -
           dl__cost_native_low(ask->kernel, ask->row, ask->work, counts_only);
}

/* Conversions there and back of what does not lie so: of the launch's buffers. */
static double moves_of(const struct look *look, enum dl__candidate_id c)
{
    double sum = 0;

    for (size_t b = 0; b < look->ask->buffer_count; b++) {
        const struct dl__policy_buffer *buffer = look->ask->buffers[b];

        if (buffer->lies != c || buffer->tile != look->ask->tile[c])
            sum += dl__cost_move(look->policy, buffer, c, look->group->counts_only) +
                   dl__sides_way_back(look->policy, buffer, c, look->group->counts_only);
    }
    return sum;
}

/* True when a trial could be judged: it is known what native takes, and its time will be told. */
static bool can_be_judged(const struct look *look, enum dl__candidate_id c)
{
    if (look->ask->estimate.of[c].verdict == DL__CLEAR || look->known[c])
        return true;
    return look->known[DL__NATIVE] && (look->ask->timed || look->group->counts_only);
}

/* ---- decisions ---- */

static void say(const struct look *look, struct dl__policy_answer *answer,
                enum dl__candidate_id to, const char *reason)
{
    const struct dl__policy_group *group = look->group;

    answer->decided = true;
    dl__say_decision(look->ask, group, to, reason,
                     to != DL__NATIVE ? moves_of(look, to) : group->paid, look->left,
                     answer->why, sizeof answer->why);
}

static void switch_to(struct dl__policy_group *group, enum dl__candidate_id c)
{
    group->current = c;
    for (int r = 0; r < DL__CANDIDATES; r++)
        group->rent[r] = 0;
}

/* True when two times that are known differ by no more than they may by chance. */
static bool is_as_fast(const struct look *look, enum dl__candidate_id c)
{
    enum dl__candidate_id now = look->group->current;

    return look->known[c] && look->known[now] &&
           look->gain[c] < dl__max(dl__cost_least_gain(look->seconds[now], now),
                                   dl__cost_doubt(look->ask->row, c, now, look->ask->work,
                                                  look->group->counts_only));
}

/* What an earlier run found, if it promises little, waits for this one's native times. */
static bool waits_for_native(const struct look *look, enum dl__candidate_id c)
{
    const struct dl__policy_ask *ask = look->ask;

    return look->group->current == DL__NATIVE && !look->group->counts_only &&
           ask->timed && dl__cost_wants_native(ask->row, c, ask->work);
}

/* What the other members of a group may lose on a candidate. One that has none is as curious as it is. */
static double slack(const struct look *look, enum dl__candidate_id c)
{
    return look->known[c] || look->group->member_count > 1 ? dl__by_chance : curiosity;
}

/* What the rent of a candidate, and what may be spent, must reach before it is changed to. False: it
 * is not changed to at all. */
static bool weigh(const struct look *look, enum dl__candidate_id c, double *worth,
                  double *needs)
{
    const struct dl__policy_group *group = look->group;
    double cost, demand, whole;

    if (c == DL__NATIVE || c == group->current || !look->ask->ready[c] ||
        !all_ready(look, c) || look->gain[c] <= 0 || is_as_fast(look, c) ||
        waits_for_native(look, c) || !can_be_judged(look, c) ||
        dl__sides_balance(group, group->current, c, &whole) < -slack(look, c) * whole ||
        dl__trial_is_full(look->ask, c))
        return false;
    cost = dl__max(moves_of(look, c),
                   group->moves[c] *
                       dl__cost_move_ratio(look->policy, c, group->counts_only));
    demand = group->current == DL__NATIVE ? group->demand : dl__max(1, group->demand);
    *worth = demand * cost;
    *needs = cost + dl__max(0, worst_of(look, c));
    return true;
}

/* What may be spent on a trial that may go wrong is not spent while another candidate promises more: that
 * one is tried first, when it is worth its conversions and fits. */
static bool waits_for_another(const struct look *look, enum dl__candidate_id c)
{
    double worth, needs;

    if (look->known[c] || look->ask->estimate.of[c].verdict == DL__CLEAR)
        return false;
    for (int i = DL__NATIVE + 1; i < DL__CANDIDATES; i++) {
        if (look->gain[i] > look->gain[c] &&
            weigh(look, (enum dl__candidate_id)i, &worth, &needs))
            return true;
    }
    return false;
}

/* The candidate most worth changing to; DL__CANDIDATES: none. */
static enum dl__candidate_id better(const struct look *look)
{
    enum dl__candidate_id best = DL__CANDIDATES;
    double most = 0;

    for (int i = DL__NATIVE + 1; i < DL__CANDIDATES; i++) {
        enum dl__candidate_id c = (enum dl__candidate_id)i;
        double worth, needs;

        if (look->gain[c] <= most || !weigh(look, c, &worth, &needs) ||
            look->group->rent[c] < worth || needs > look->left ||
            waits_for_another(look, c))
            continue;
        most = look->gain[c];
        best = c;
    }
    return best;
}

/* What the launch must leave to be spent where it runs now, at least. */
static double need_of(const struct look *look)
{
    double need =
        moves_of(look, look->group->current) + worst_of(look, look->group->current);

    return need > 0 ? need : -DBL_MAX;
}

static void add_rent(struct dl__policy_group *group, const double *gain, unsigned count)
{
    for (unsigned c = 0; c < count; c++)
        group->rent[c] = c == group->current ? 0 : dl__max(0, group->rent[c] + gain[c]);
}

static void decide(struct look *look, struct dl__policy_answer *answer)
{
    struct dl__policy_group *group = look->group;
    enum dl__candidate_id c;

    look_at_gains(look);
    add_rent(group, look->gain, DL__CANDIDATES);
    if (dl__sides_lose(group)) {
        say(look, answer, DL__NATIVE, "slower than as written");
        switch_to(group, DL__NATIVE);
        look_at_gains(look);
    }
    if (dl__trial_is_full(look->ask, group->current)) {
        say(look, answer, DL__NATIVE, "the device has not told yet what it takes");
        switch_to(group, DL__NATIVE);
        look_at_gains(look);
    }
    c = better(look);
    if (c != DL__CANDIDATES) {
        say(look, answer, c, dl__say_reason(group->current, c));
        switch_to(group, c);
    }
    if (runs_on(look, group->current) == DL__NATIVE || !look->ask->ready[group->current])
        return;
    if (need_of(look) > look->left) {
        say(look, answer, DL__NATIVE, "the rest could cost more than may be spent");
        switch_to(group, DL__NATIVE);
    }
}

/* ---- decisions that stand ---- */

static void let_stand(const struct look *look, struct dl__policy_ask *ask,
                      struct dl__member *member)
{
    struct dl__policy_group *group = look->group;
    struct dl__standing *standing = &ask->standing;
    bool stays = dl__side_stays(group, look->policy, group->current);
    bool tiled = group->current != DL__NATIVE && ask->ready[group->current] && !stays;

    *standing = (struct dl__standing){.version = look->policy->version + 1,
                                      .group = group,
                                      .member = member,
                                      .current = group->current,
                                      .count = dl__standing_count(group, ask),
                                      .stays = stays,
                                      .need = tiled ? need_of(look) : -DBL_MAX};
    memcpy(standing->ready, ask->ready, sizeof standing->ready);
    memcpy(standing->gain, look->gain, sizeof standing->gain);
    for (int c = 0; c < DL__CANDIDATES; c++) {
        standing->slack[c] = slack(look, (enum dl__candidate_id)c);
        standing->as_fast[c] =
            look->gain[c] > 0 && is_as_fast(look, (enum dl__candidate_id)c);
        if (!weigh(look, (enum dl__candidate_id)c, &standing->worth[c],
                   &standing->needs[c]))
            standing->worth[c] = DBL_MAX;
    }
    if (group->looks > 0)
        dl__looks_price(ask);
}

/* True when what was decided for the last launch like this is decided for this one, and counted. */
static bool stands(struct dl__policy *policy, struct dl__policy_ask *ask)
{
    const struct dl__standing *standing = &ask->standing;
    struct dl__policy_group *group = standing->group;
    double left;

    /* All of a group's buffers may have ended: it is looked at when nothing has. */
    if (standing->version != policy->version + 1 || policy->random || group->into ||
        group->current != standing->current || standing->member->row != ask->row ||
        memcmp(standing->ready, ask->ready, sizeof standing->ready) != 0 ||
        (standing->on_trial && dl__trial_is_full(ask, standing->current)) ||
        (group->looks > 0 && !dl__looks_let_it_stand(ask)) ||
        (group->member_count > 1 && group->launches % LOOK_AGAIN <= group->shared))
        return false;
    left = dl__sides_left(group, policy, ask->row);
    if (left < standing->need)
        return false;
    for (unsigned c = DL__NATIVE + 1; c < standing->count; c++)
        if (group->rent[c] + standing->gain[c] >= standing->worth[c] &&
            left >= standing->needs[c])
            return false;
    dl__group_note_again(group, standing->member, ask, 1);
    add_rent(group, standing->gain, standing->count);
    return true;
}

/* For tests: any candidate at any moment. */
static void decide_by_chance(struct look *look, struct dl__policy_answer *answer)
{
    struct dl__policy *policy = look->policy;
    enum dl__candidate_id c;

    policy->random ^= policy->random << 13;
    policy->random ^= policy->random >> 7;
    policy->random ^= policy->random << 17;
    c = (enum dl__candidate_id)(policy->random / 4 % DL__CANDIDATES);
    if (policy->random % 4 != 0 || !look->ask->ready[c] || c == look->group->current)
        return;
    say(look, answer, c, "by chance, as the test asks");
    switch_to(look->group, c);
}

/* Contractable kernels: what their first launch finds stays. */
static void fix(struct look *look, struct dl__policy_answer *answer)
{
    struct dl__policy_kernel *kernel = look->ask->kernel;
    struct dl__policy_group *group = look->group;
    bool any = false;

    look->policy->has_contractable = true;
    if (!group->counts_only) {
        group->counts_only = true;
        switch_to(group, DL__NATIVE);
    }
    if (kernel->fixed)
        return;
    kernel->fixed = true;
    /* What it ran on before DL had read its text is found, too. */
    for (int c = 0; c < DL__CANDIDATES; c++) {
        kernel->fixed_ready[c] =
            look->ask->ready[c] && (c == DL__NATIVE || !look->ask->late);
        any = any || (c != DL__NATIVE && kernel->fixed_ready[c]);
    }
    say(look, answer, DL__NATIVE,
        any ? "a compiler may contract its sums: counts alone decide in this run"
            : "a compiler may contract its sums: it runs as written in this run");
}

void dl__policy_unready(struct dl__policy *policy, struct dl__policy_ask *ask,
                        enum dl__candidate_id candidate)
{
    struct dl__policy_group *group = dl__group_of(ask->group);

    policy->version++;
    ask->ready[candidate] = false;
    for (unsigned m = 0; m < group->member_count; m++) {
        if (group->members[m].row == ask->row)
            group->members[m].ready[candidate] = false;
    }
    if (group->current == candidate)
        switch_to(group, DL__NATIVE);
}

static void choose_anew(struct dl__policy *policy, struct dl__policy_ask *ask,
                        struct dl__policy_answer *answer)
{
    struct look look = {
        .policy = policy, .ask = ask, .group = dl__group_join(policy, ask)};
    struct dl__member *member;

    ask->standing.version = 0;
    ask->group = look.group;
    if (!look.group)
        return;
    if (ask->kernel->contractable && !policy->random)
        fix(&look, answer);
    if (ask->kernel->fixed)
        memcpy(ask->ready, ask->kernel->fixed_ready, sizeof ask->ready);
    expect(&look);
    look.left = dl__sides_left(look.group, policy, ask->row);
    member = dl__group_note(policy, look.group, ask);
    if (policy->random)
        decide_by_chance(&look, answer);
    else
        decide(&look, answer);
    if (answer->decided)
        policy->version++;
    else if (!policy->random)
        let_stand(&look, ask, member);
}

void dl__policy_choose(struct dl__policy *policy, struct dl__policy_ask *ask,
                       struct dl__policy_answer *answer)
{
    answer->candidate = DL__NATIVE;
    answer->decided = false;
    answer->sample = false;
    dl__lease_settle(policy, ask);
    if (ask->kernel->fixed)
        memcpy(ask->ready, ask->kernel->fixed_ready, sizeof ask->ready);
    if (!stands(policy, ask))
        choose_anew(policy, ask, answer);
    if (!ask->group)
        return;
    if (ask->ready[ask->group->current] && !dl__side_stays_now(policy, ask))
        answer->candidate = ask->group->current;
    answer->sample = dl__is_sampled(ask, answer->candidate);
}

bool dl__policy_choose_again(struct dl__policy *policy, struct dl__policy_ask *ask,
                             bool tiled, bool *sample, bool *counted)
{
    enum dl__candidate_id c = ask->standing.current;

    *sample = false;
    *counted = dl__lease_take(policy, ask, tiled);
    if (*counted)
        return true;
    dl__lease_settle(policy, ask);
    if (!ask->group ||
        tiled != (c != DL__NATIVE && ask->ready[c] && !ask->standing.stays) ||
        !stands(policy, ask))
        return false;
    *sample = dl__is_sampled(ask, tiled ? c : DL__NATIVE);
    return true;
}
