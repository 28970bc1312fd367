/* SPDX-License-Identifier: MIT */
/* Looks by parts: commands that read or write some bytes of a converted buffer through a staging area,
 * and leave it converted (host/staging.h). Each is charged with what it takes, and counts against what
 * launches gain. Here too a group rents before it buys: when the looks since its last launch would take
 * longer than converting the buffer back and again, it is brought back. */
#include "numbers.h"

#include "core.h"

/* The first few are timed, and then as many as of launches. */
enum { FIRST_FEW = 3 };

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
    /* Of one device alone, decisions that stand reckon with looks (below). */
    if (group->shared)
        dl__sides_changed(group, policy);
    else
        policy->touches++;
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

        if (dl__candidate_get(c)->in_place)
            continue;
        if (dl__candidate_get(group->current)->in_place)
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
    *timed = policy->look_count < FIRST_FEW ||
             policy->look_count % dl__sampled_every(policy->look_count) == 0;
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
    double cost = dl__cost_look(policy, bytes, false), counted = cost;
    struct dl__move_charge charge = {
        buffer->lies, cost,
        policy->look_count == 0 ? 0 : dl__estimate_look(&policy->rates, bytes), bytes};

    if (!group || buffer->lies == DL__NATIVE)
        return (struct dl__move_charge){0};
    if (group->counts_only) {
        counted = dl__cost_look(policy, bytes, true);
        policy->counted.excess_seconds += counted;
    }
    policy->look_count++;
    policy->ledger.excess_seconds += cost;
    group->gained -= counted;
    note(policy, group, counted,
         both_ways(policy, buffer, buffer->lies, group->counts_only));
    return charge;
}

/* ---- decisions that stand ---- */

/* Of the group. */
struct lately {
    double launches, looks;
};

/* As dl__sides_balance has it, of a group with one kernel on one device. */
static double balance(const struct dl__standing *standing, struct lately lately,
                      enum dl__candidate_id to, double *whole)
{
    enum dl__candidate_id from = standing->current;
    double launches = lately.launches, looks = lately.looks;
    double there = dl__candidate_get(from)->in_place ? 0 : looks;
    double sum = there - (dl__candidate_get(to)->in_place ? 0 : looks);

    *whole = there;
    *whole += launches * standing->each[from];
    return sum + launches * (standing->each[from] - standing->each[to]);
}

static bool is_outweighed(const struct dl__standing *standing, struct lately lately,
                          enum dl__candidate_id c)
{
    double whole, sum = balance(standing, lately, c, &whole);

    return sum < -standing->slack[c] * whole;
}

static void price(struct dl__policy_ask *ask, struct lately lately)
{
    struct dl__standing *standing = &ask->standing;
    const struct dl__member *member = standing->member;

    standing->looks_priced = true;
    standing->chance = dl__cost_doubt(member->row, standing->current, DL__NATIVE,
                                      member->work, standing->group->counts_only);
    for (int c = 0; c < DL__CANDIDATES; c++)
        standing->each[c] =
            dl__cost_expected(member->row, &member->estimate, (enum dl__candidate_id)c,
                              member->work, standing->group->counts_only, NULL);
    for (int c = 0; c < DL__CANDIDATES; c++)
        standing->outweighed[c] =
            is_outweighed(standing, lately, (enum dl__candidate_id)c);
}

void dl__looks_price(struct dl__policy_ask *ask)
{
    const struct dl__standing *standing = &ask->standing;

    price(ask, (struct lately){standing->member->launches, standing->group->looks});
}

bool dl__looks_let_it_stand(struct dl__policy_ask *ask)
{
    struct dl__standing *standing = &ask->standing;
    const struct dl__policy_group *group = standing->group;
    struct lately lately = {standing->member->launches + 1, group->looks};
    double whole;

    if (group->member_count != 1 || group->shared)
        return false;
    /* There were none when it was decided. */
    if (!standing->looks_priced)
        price(ask, (struct lately){lately.launches, 0});
    /* As when this launch is noted. */
    if (lately.launches > DL__LATELY)
        lately = (struct lately){lately.launches / 2, dl__looks_halved(lately.looks)};
    for (int c = DL__NATIVE + 1; c < DL__CANDIDATES; c++)
        if (is_outweighed(standing, lately, (enum dl__candidate_id)c) !=
            standing->outweighed[c])
            return false;
    return standing->current == DL__NATIVE ||
           balance(standing, lately, DL__NATIVE, &whole) <=
               dl__max(dl__by_chance * whole, lately.launches * standing->chance);
}
