/* SPDX-License-Identifier: MIT */
/* Groups whose buffers several devices use. Each device has times of its own, but the buffers lie in one layout at a
 * time. So the gains of all devices are added up, and what their turns take is taken off:
 *
 *   a device that would lose more in the group's layout than bringing its buffers back and converting them
 *   again each turn takes, stays: it runs as written. The one that gains most never does;
 *   a layout that is not the same bytes on each (tiles of other sizes) is converted each turn;
 *   what may be spent, they have together: one may lose more than it may alone where the others gain it.
 *
 * Like all else in a group, turns of long ago count less (groups.c). */
#include "numbers.h"

#include "core.h"

void dl__side_note(struct dl__policy_group *group, struct dl__member *member)
{
    if (group->last && group->last != member->policy) {
        group->shared = true;
        member->turns++;
    }
    group->last = member->policy;
}

/* One device's part of a group. */
struct side {
    double lost;  /* lately, on a candidate instead of as written */
    double turns; /* lately, to it from another device */
    bool can;     /* its launches can run on the candidate */
};

static double cost(const struct dl__policy_group *group, const struct dl__member *member,
                   enum dl__candidate_id c)
{
    return dl__cost_expected(member->row, &member->estimate, c, member->work,
                             group->counts_only, NULL);
}

static struct side side_of(const struct dl__policy_group *group,
                           const struct dl__policy *policy, enum dl__candidate_id c)
{
    struct side side = {.can = true};

    for (unsigned m = 0; m < group->member_count; m++) {
        const struct dl__member *member = &group->members[m];

        if (member->policy != policy)
            continue;
        side.can = side.can &&
                   (member->ready[c] || (group->counts_only && !member->contractable));
        side.turns += member->turns;
        side.lost +=
            member->launches * (cost(group, member, c) - cost(group, member, DL__NATIVE));
    }
    return side;
}

/* Of the sides that can run on it, the one that gains most. */
static const struct dl__policy *main_side(const struct dl__policy_group *group,
                                          enum dl__candidate_id c)
{
    const struct dl__policy *best = NULL;
    double lowest = 0;

    for (unsigned m = 0; m < group->member_count; m++) {
        const struct dl__policy *policy = group->members[m].policy;
        struct side side = side_of(group, policy, c);

        if (side.can && (!best || side.lost < lowest)) {
            best = policy;
            lowest = side.lost;
        }
    }
    return best;
}

/* All the group's buffers, there and back. */
static double both_ways(const struct dl__policy_group *group,
                        const struct dl__policy *policy, enum dl__candidate_id c)
{
    return group->moves[c] * dl__cost_move_ratio(policy, c, group->counts_only);
}

bool dl__side_stays(const struct dl__policy_group *group, const struct dl__policy *policy,
                    enum dl__candidate_id c)
{
    struct side side;

    if (!group->shared || c == DL__NATIVE)
        return false;
    side = side_of(group, policy, c);
    if (!side.can)
        return true;
    /* Of two turns, there and back again, each is a conversion where both have it in their own way. */
    return side.lost + 2 * side.turns * group->hop[c] >
               side.turns * both_ways(group, policy, c) &&
           main_side(group, c) != policy;
}

/* What tests do by chance, they do. */
bool dl__side_stays_now(const struct dl__policy *policy, const struct dl__policy_ask *ask)
{
    if (policy->random)
        return false;
    return ask->standing.version > 0
               ? ask->standing.stays
               : dl__side_stays(ask->group, policy, ask->group->current);
}

double dl__sides_moves(const struct dl__policy_group *group, enum dl__candidate_id c)
{
    double staying = 0, hopping = 0;
    bool any = false;

    if (!group->shared || c == DL__NATIVE)
        return 0;
    for (unsigned m = 0; m < group->member_count; m++) {
        const struct dl__member *member = &group->members[m];

        hopping += member->turns * group->hop[c];
        if (!dl__side_stays(group, member->policy, c))
            continue;
        any = true;
        staying += member->turns * both_ways(group, member->policy, c);
    }
    return any ? staying : hopping;
}

double dl__sides_moves_each(const struct dl__policy_group *group, enum dl__candidate_id c)
{
    double launches = 0;

    for (unsigned m = 0; m < group->member_count; m++)
        launches += group->members[m].launches;
    return launches > 0 ? dl__sides_moves(group, c) / launches : 0;
}

double dl__sides_balance(const struct dl__policy_group *group, enum dl__candidate_id from,
                         enum dl__candidate_id to, double *whole)
{
    double sum =
        (from != DL__NATIVE ? group->looks : 0) - (to != DL__NATIVE ? group->looks : 0);

    *whole = from != DL__NATIVE ? group->looks : 0;
    for (unsigned m = 0; m < group->member_count; m++) {
        const struct dl__member *member = &group->members[m];
        bool stayed = dl__side_stays(group, member->policy, from);
        bool stays = dl__side_stays(group, member->policy, to);
        double now = cost(group, member, stayed ? DL__NATIVE : from);
        double then = cost(group, member, stays ? DL__NATIVE : to);

        *whole += member->launches * now;
        sum += member->launches * (now - then);
    }
    *whole += dl__sides_moves(group, from);
    return sum + dl__sides_moves(group, from) - dl__sides_moves(group, to);
}

/* True when an earlier member is of the same device. */
static bool is_counted(const struct dl__policy_group *group, unsigned member)
{
    bool counted = false;

    for (unsigned m = 0; m < member; m++)
        counted |= group->members[m].policy == group->members[member].policy;
    return counted;
}

double dl__sides_left(const struct dl__policy_group *group,
                      const struct dl__policy *policy, const struct dl__policy_row *row)
{
    double left = dl__policy_left(policy, row, group->counts_only);

    for (unsigned m = 0; group->shared && m < group->member_count; m++) {
        const struct dl__member *member = &group->members[m];

        if (member->policy != policy && !is_counted(group, m))
            left += dl__policy_left(member->policy, member->row, group->counts_only);
    }
    return left;
}

void dl__side_returned(const struct dl__policy_group *group,
                       struct dl__policy_buffer *buffer)
{
    buffer->returned_at = group->launches;
    buffer->returned_from = buffer->lies;
}

void dl__side_moved(struct dl__policy_group *group,
                    const struct dl__policy_buffer *buffer, enum dl__candidate_id c,
                    double both_ways)
{
    if (!group->shared || buffer->returned_at != group->launches ||
        buffer->returned_from != c)
        return;
    if (group->hop_at != group->launches)
        group->hop[c] = 0;
    group->hop_at = group->launches;
    group->hop[c] += both_ways;
}
