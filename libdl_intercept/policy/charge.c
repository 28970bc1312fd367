/* SPDX-License-Identifier: MIT */
/* What launches and conversions do to the ledger, and whether conversions have paid. */
#include "numbers.h"

#include "core.h"

/* Residences in a row that did not pay, before a group goes back to native. */
enum { FUTILE_MAX = 2, DEMAND_MAX = 64 };

static void add(struct dl__policy *policy, bool counts_only, double native, double excess)
{
    policy->ledger.native_seconds += native;
    policy->ledger.excess_seconds += excess;
    if (counts_only) {
        policy->counted.native_seconds += native;
        policy->counted.excess_seconds += excess;
    }
}

/* ---- launches ---- */

/* What a launch adds to the accounts. */
static void price(const struct dl__policy *policy, const struct dl__policy_ask *ask,
                  enum dl__candidate_id candidate, struct dl__standing *out)
{
    const struct dl__policy_group *group = dl__group_of(ask->group);
    bool counts_only = group && group->counts_only;
    double high;

    out->candidate = candidate;
    out->native = dl__cost_native_low(ask->kernel, ask->row, ask->work, false);
    out->charged = out->native;
    out->gained = out->counted_native = out->counted_excess = 0;
    if (candidate != DL__NATIVE && group) {
        out->charged = dl__cost_high(ask->kernel, ask->row, &ask->estimate, candidate,
                                     ask->work, false);
    }
    /* For conversions. */
    if (group && !dl__candidate_get(candidate)->in_place)
        out->gained = dl__cost_expected(ask->row, &ask->estimate, DL__NATIVE, ask->work,
                                        counts_only, NULL) -
                      dl__cost_expected(ask->row, &ask->estimate, candidate, ask->work,
                                        counts_only, NULL);
    if (counts_only) {
        out->counted_native = dl__cost_native_low(ask->kernel, ask->row, ask->work, true);
        high = candidate == DL__NATIVE
                   ? out->counted_native
                   : dl__cost_high(ask->kernel, ask->row, &ask->estimate, candidate,
                                   ask->work, true);
        out->counted_excess = dl__max(0, high - out->counted_native);
    }
    out->on_trial = dl__is_on_trial(ask, candidate);
    dl__doubt_price(policy, ask, candidate, out);
    out->priced = true;
}

struct dl__policy_ticket dl__policy_launched(struct dl__policy *policy,
                                             struct dl__policy_ask *ask,
                                             enum dl__candidate_id candidate)
{
    struct dl__policy_group *group = dl__group_of(ask->group);
    struct dl__standing *standing = &ask->standing;

    if (!standing->priced || standing->version != policy->version + 1 ||
        standing->candidate != candidate)
        price(policy, ask, candidate, standing);
    ask->row->launches[candidate]++;
    ask->row->untold[candidate] += standing->on_trial;
    dl__doubt_launched(policy, ask->row, standing, 1);
    if (group) {
        group->gained += standing->gained;
        group->looked = 0;
    }
    add(policy, false, standing->native, standing->charged - standing->native);
    policy->counted.native_seconds += standing->counted_native;
    policy->counted.excess_seconds += standing->counted_excess;
    if (group && standing->charged > standing->native)
        dl__sides_share(group, policy);
    dl__lease_grant(policy, ask);
    return (struct dl__policy_ticket){.row = ask->row,
                                      .kernel = ask->kernel,
                                      .candidate = candidate,
                                      .work = ask->work,
                                      .native = standing->native,
                                      .factor = ask->estimate.of[candidate].factor,
                                      .charged = standing->charged};
}

void dl__policy_spent(struct dl__policy *policy, const struct dl__policy_ask *ask,
                      double seconds)
{
    const struct dl__policy_group *group = dl__group_of(ask->group);

    policy->version++;
    add(policy, group && group->counts_only, 0, seconds);
}

static void put_off(struct dl__policy_row *row, double work)
{
    if (row->unjudged == 0 || work < row->unjudged_work)
        row->unjudged_work = work;
    row->unjudged++;
}

/* What was put off is compared, now that a native time is known. */
static void judge_late(struct dl__policy *policy, const struct dl__policy_kernel *kernel,
                       struct dl__policy_row *row)
{
    double native = row->unjudged == 0
                        ? 0
                        : dl__cost_native_low(kernel, row, row->unjudged_work, false);

    if (native == 0)
        return;
    policy->ledger.native_seconds += native * (double)row->unjudged;
    policy->ledger.excess_seconds -= native * (double)row->unjudged;
    row->unjudged = 0;
}

void dl__policy_measured(struct dl__policy *policy, struct dl__policy_ticket *ticket,
                         double seconds)
{
    struct dl__policy_row *row = ticket->row;
    double native, excess;

    ticket->row = NULL;
    if (row && row->untold[ticket->candidate] > 0) {
        row->untold[ticket->candidate] = 0;
        policy->version++;
    }
    if (!row || !dl__is_time(seconds))
        return;
    policy->untold = 0;
    dl__samples_add(&row->samples[ticket->candidate], seconds, ticket->work);
    if (row->samples[ticket->candidate].count > 1)
        row->doubted[ticket->candidate] = false;
    row->changed = true;
    policy->version++;
    native = ticket->candidate == DL__NATIVE
                 ? seconds
                 : dl__cost_native_low(ticket->kernel, row, ticket->work, false);
    excess = seconds - native;
    /* There is nothing to compare it with: the first is the worst that the text allows. */
    if (native == 0 && row->samples[ticket->candidate].count == 1)
        excess = seconds - seconds / dl__max(1, ticket->factor);
    else if (native == 0)
        put_off(row, ticket->work);
    policy->ledger.native_seconds += native - ticket->native;
    policy->ledger.excess_seconds += excess - (ticket->charged - ticket->native);
    judge_late(policy, ticket->kernel, row);
}

bool dl__policy_untold(struct dl__policy *policy)
{
    return ++policy->untold == DL__UNTOLD_MAX;
}

/* ---- conversions ---- */

struct dl__move_charge dl__policy_moved(struct dl__policy *policy,
                                        struct dl__policy_buffer *buffer,
                                        enum dl__candidate_id candidate)
{
    struct dl__policy_group *group = dl__group_of(buffer->group);
    bool first = dl__move_is_first(policy, buffer, candidate);
    double way = dl__cost_move(policy, buffer, candidate, false);
    double back = dl__sides_way_back(policy, buffer, candidate, false);
    double counted = dl__cost_move(policy, buffer, candidate, true) +
                     dl__sides_way_back(policy, buffer, candidate, true);

    dl__sides_changed(group, policy);
    if (group)
        dl__side_moved(group, buffer, candidate,
                       group->counts_only ? counted : way + back);
    add(policy, false, 0, way + back - buffer->owed);
    buffer->owed = back;
    buffer->lies = candidate;
    buffer->first = first;
    policy->moved[candidate] |= UINT64_C(1) << buffer->struct_bytes % 64;
    if (group)
        group->paid += group->counts_only ? counted : way + back;
    if (group && group->counts_only)
        policy->counted.excess_seconds += counted;
    if (group)
        dl__sides_share(group, policy);
    return (struct dl__move_charge){
        candidate, way,
        first ? 0 : dl__estimate_move(&policy->rates, candidate, buffer->bytes), 0};
}

/* A residence has ended: did it pay? */
static void judge(struct dl__policy_group *group)
{
    bool pays = group->gained >= 2 * group->paid;

    if (group->paid == 0)
        return;
    if (group->gained < group->paid) {
        group->demand = dl__max(1, group->demand);
        if (++group->futile >= FUTILE_MAX) {
            group->futile = 0;
            group->demand = dl__min(DEMAND_MAX, 2 * group->demand);
            group->current = DL__NATIVE;
        }
    } else {
        group->futile = 0;
        group->demand = pays ? 0 : 1;
    }
    for (unsigned m = 0; m < group->member_count; m++) {
        group->members[m].row->changed |= group->members[m].row->pays != pays;
        group->members[m].row->pays = pays;
    }
    group->paid = group->gained = 0;
}

static void forget_rent(struct dl__policy_group *group)
{
    for (int c = 0; c < DL__CANDIDATES; c++)
        group->rent[c] = 0;
}

struct dl__move_charge dl__policy_returned(struct dl__policy *policy,
                                           struct dl__policy_buffer *buffer,
                                           bool by_launch)
{
    struct dl__policy_group *group = dl__group_of(buffer->group);
    /* A device that has not had the buffer before may be slower than those that had. */
    double more = buffer->lies == DL__NATIVE
                      ? 0
                      : dl__max(0, dl__cost_move(policy, buffer, buffer->lies, false) -
                                       buffer->owed);
    struct dl__move_charge charge = {
        buffer->lies, buffer->owed + more,
        buffer->first ? 0
                      : dl__estimate_move(&policy->rates, buffer->lies, buffer->bytes),
        0};

    dl__sides_changed(group, policy);
    add(policy, false, 0, more);
    if (group && by_launch)
        dl__side_returned(group, buffer);
    buffer->owed = 0;
    buffer->lies = DL__NATIVE;
    if (group && !by_launch) {
        judge(group);
        forget_rent(group);
    }
    return charge;
}

void dl__policy_move_measured(struct dl__policy *policy,
                              const struct dl__move_charge *charge, double seconds)
{
    if (!dl__is_time(seconds))
        return;
    policy->version++;
    policy->ledger.excess_seconds += seconds - charge->charged;
    if (charge->estimated > 0)
        dl__samples_add(charge->looked_bytes ? &policy->look_ratios
                                             : &policy->moves[charge->candidate],
                        seconds / charge->estimated, 1);
    if (charge->estimated > 0 && charge->looked_bytes)
        dl__samples_add(&policy->looks, seconds, (double)charge->looked_bytes);
}

void dl__policy_touched(struct dl__policy *policy, struct dl__policy_buffer *buffer)
{
    struct dl__policy_group *group = dl__group_of(buffer->group);

    policy->touches++;
    if (group && dl__candidate_get(group->current)->in_place)
        forget_rent(group);
}

void dl__policy_dropped(struct dl__policy *policy, struct dl__policy_buffer *buffer)
{
    struct dl__policy_group *group = dl__group_of(buffer->group);

    policy->ledger.excess_seconds -= buffer->owed;
    if (buffer->lies != DL__NATIVE)
        dl__sides_changed(group, policy);
    if (group && buffer->lies != DL__NATIVE) {
        group->paid = dl__max(0, group->paid - buffer->owed);
        judge(group);
    } else if (group) {
        dl__policy_touched(policy, buffer);
    }
    buffer->owed = 0;
    buffer->lies = DL__NATIVE;
}

void dl__policy_buffer_end(struct dl__policy *policy, struct dl__policy_buffer *buffer)
{
    struct dl__policy_group *group = dl__group_of(buffer->group);

    dl__sides_changed(group, policy);
    dl__policy_dropped(policy, buffer);
    for (int c = 0; group && c < DL__CANDIDATES; c++)
        group->moves[c] = dl__max(0, group->moves[c] - buffer->moves[c]);
    dl__group_release(buffer->group);
    buffer->group = NULL;
}
