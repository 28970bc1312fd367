/* SPDX-License-Identifier: MIT */
/* Looks by parts: commands that read or write some bytes of a converted buffer through a staging area,
 * and leave it converted (host/staging.h). Each is charged with what it takes, and counts against what
 * launches gain. Here too a group rents before it buys: when the looks since its last launch would take
 * longer than converting the buffer back and again, it is brought back. */
#include "numbers.h"

#include "core.h"

/* One look in so many is timed, once the first few are. */
enum { FIRST_FEW = 3, TIMED_EVERY = 16 };

/* There and back. */
static double both_ways(const struct dl__policy *policy,
                        const struct dl__policy_buffer *buffer,
                        enum dl__candidate_id candidate, bool counts_only)
{
    return 2 * dl__cost_move(policy, buffer, candidate, counts_only);
}

/* A look, done or not: one that is dearer than both ways counts like them. */
static void note(struct dl__policy *policy, struct dl__policy_group *group, double cost,
                 double most)
{
    double before = dl__min(group->looked, most);

    group->looked += cost;
    group->looks += dl__min(group->looked, most) - before;
    dl__sides_changed(group, policy);
}

void dl__policy_touched_part(struct dl__policy *policy, struct dl__policy_buffer *buffer,
                             uint64_t bytes)
{
    struct dl__policy_group *group = dl__group_of(buffer->group);
    double cost, most = 0;

    if (!group)
        return;
    cost = dl__cost_look(policy, bytes, group->counts_only);
    for (int i = DL__NATIVE + 1; i < DL__CANDIDATES; i++) {
        enum dl__candidate_id c = (enum dl__candidate_id)i;
        double ways = both_ways(policy, buffer, c, group->counts_only);

        if (group->current == DL__NATIVE)
            group->rent[c] =
                group->looked + cost > ways ? 0 : dl__max(0, group->rent[c] - cost);
        most = dl__max(most, ways);
    }
    note(policy, group, cost, most);
}

/* What may be spent for a look at the group's buffers: the least for any of its kernels. */
static double left_for(const struct dl__policy *policy,
                       const struct dl__policy_group *group)
{
    double left = DBL_MAX;

    for (unsigned m = 0; m < group->member_count; m++)
        left = dl__min(
            left, dl__policy_left(policy, group->members[m].row, group->counts_only));
    return left;
}

/* For tests: one in eight is refused. */
static bool refused_by_chance(struct dl__policy *policy)
{
    policy->random ^= policy->random << 13;
    policy->random ^= policy->random >> 7;
    policy->random ^= policy->random << 17;
    return policy->random / 4 % 8 == 0;
}

bool dl__policy_may_look(struct dl__policy *policy, struct dl__policy_buffer *buffer,
                         uint64_t bytes, bool *timed)
{
    struct dl__policy_group *group = dl__group_of(buffer->group);
    double cost, most;

    *timed = false;
    if (!group || buffer->lies == DL__NATIVE)
        return true;
    if (policy->random)
        return !refused_by_chance(policy);
    *timed = policy->look_count < FIRST_FEW || policy->look_count % TIMED_EVERY == 0;
    cost = dl__cost_look(policy, bytes, group->counts_only);
    most = both_ways(policy, buffer, buffer->lies, group->counts_only);
    if (group->looked + cost <= most && cost <= left_for(policy, group))
        return true;
    note(policy, group, cost, most);
    return false;
}

struct dl__move_charge dl__policy_looked(struct dl__policy *policy,
                                         const struct dl__policy_buffer *buffer,
                                         uint64_t bytes)
{
    struct dl__policy_group *group = dl__group_of(buffer->group);
    double cost = dl__cost_look(policy, bytes, false), counted;
    struct dl__move_charge charge = {
        buffer->lies, cost,
        policy->look_count == 0 ? 0 : dl__estimate_look(&policy->rates, bytes), bytes};

    if (!group || buffer->lies == DL__NATIVE)
        return (struct dl__move_charge){0};
    counted = dl__cost_look(policy, bytes, true);
    policy->look_count++;
    policy->ledger.excess_seconds += cost;
    if (group->counts_only)
        policy->counted.excess_seconds += counted;
    group->gained -= group->counts_only ? counted : cost;
    note(policy, group, group->counts_only ? counted : cost,
         both_ways(policy, buffer, buffer->lies, group->counts_only));
    return charge;
}
