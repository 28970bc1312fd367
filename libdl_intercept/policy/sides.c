/* SPDX-License-Identifier: MIT */
/* Groups whose buffers several devices use. Each device has times of its own, but the buffers lie in one layout at a
 * time. So the gains of all devices are added up, and what their turns take is taken off:
 *
 *   a device that would lose more in the group's layout than bringing its buffers back and converting them
 *   again at its turns takes, stays: it runs as written. Between two that stay nothing moves, so that which do is
 *   decided of all together (cut.h). The one that gains most never does;
 *   a layout that is not the same bytes on each (tiles of other sizes) is converted each turn;
 *   what may be spent, they have together: one may lose more than it may alone where the others gain it, and then
 *   they have less for what they do alone. The way back is charged as the slowest of them would make it.
 *
 * Like all else in a group, turns of long ago count less (groups.c). */
#include "numbers.h"

#include "core.h"
#include "cut.h"

/* Of these two; else the rarest place is theirs. */
static struct dl__turns *turns_of(struct dl__policy_group *group, struct dl__policy *a,
                                  struct dl__policy *b)
{
    struct dl__turns *rarest = &group->turns[0], *found = NULL;

    for (unsigned t = 0; t < group->turn_count && !found; t++) {
        struct dl__turns *turns = &group->turns[t];

        if ((turns->of[0] == a && turns->of[1] == b) ||
            (turns->of[0] == b && turns->of[1] == a))
            found = turns;
        if (turns->lately < rarest->lately)
            rarest = turns;
    }
    if (found)
        return found;
    if (group->turn_count < DL__TURNS_MAX)
        rarest = &group->turns[group->turn_count++];
    *rarest = (struct dl__turns){.of = {a, b}};
    return rarest;
}

void dl__side_note(struct dl__policy_group *group, const struct dl__member *member)
{
    struct dl__turns *turns;

    if (group->last && group->last != member->policy) {
        turns = turns_of(group, group->last, member->policy);
        turns->lately++;
        group->turn = (unsigned)(turns - group->turns);
        group->shared = true;
    }
    group->last = member->policy;
}

void dl__sides_merge(struct dl__policy_group *group, const struct dl__policy_group *from)
{
    for (unsigned t = 0; t < from->turn_count; t++)
        turns_of(group, from->turns[t].of[0], from->turns[t].of[1])->lately +=
            from->turns[t].lately;
    group->shared |= from->shared;
}

void dl__sides_forget_some(struct dl__policy_group *group)
{
    for (unsigned t = 0; t < group->turn_count; t++)
        group->turns[t].lately /= 2;
}

static double cost(const struct dl__policy_group *group, const struct dl__member *member,
                   enum dl__candidate_id c)
{
    return dl__cost_expected(member->row, &member->estimate, c, member->work,
                             group->counts_only, NULL);
}

/* A group's devices where it is on a candidate. */
struct sides {
    unsigned count;
    struct side {
        const struct dl__policy *policy;
        double lost; /* lately, on the candidate instead of as written */
        bool can;    /* its launches can run on it */
        bool stays;  /* they run as written all the same */
    } of[DL__MEMBERS_MAX];
};

/* NULL: it has no launch in the group lately. */
static struct side *find(struct sides *sides, const struct dl__policy *policy)
{
    for (unsigned s = 0; s < sides->count; s++)
        if (sides->of[s].policy == policy)
            return &sides->of[s];
    return NULL;
}

static void list_sides(const struct dl__policy_group *group, enum dl__candidate_id c,
                       struct sides *sides)
{
    sides->count = 0;
    for (unsigned m = 0; m < group->member_count; m++) {
        const struct dl__member *member = &group->members[m];
        struct side *side = find(sides, member->policy);

        if (!side) {
            side = &sides->of[sides->count++];
            *side = (struct side){.policy = member->policy, .can = true};
        }
        side->can = side->can &&
                    (member->ready[c] || (group->counts_only && !member->contractable));
        side->lost +=
            member->launches * (cost(group, member, c) - cost(group, member, DL__NATIVE));
    }
}

/* Of the sides that can run on it, the one that gains most; NULL: none can. */
static const struct side *main_side(const struct sides *sides)
{
    const struct side *best = NULL;

    for (unsigned s = 0; s < sides->count; s++)
        if (sides->of[s].can && (!best || sides->of[s].lost < best->lost))
            best = &sides->of[s];
    return best;
}

/* Of a turn between one that stays and one that does not: all the group's buffers one way, by either. */
static double one_way(const struct dl__policy_group *group, const struct dl__turns *turns,
                      enum dl__candidate_id c)
{
    double ratios = dl__cost_move_ratio(turns->of[0], c, group->counts_only) +
                    dl__cost_move_ratio(turns->of[1], c, group->counts_only);

    return group->moves[c] / 2 * ratios / 2;
}

static void plan_sides(const struct dl__policy_group *group, enum dl__candidate_id c,
                       struct sides *sides)
{
    bool stays[DL__CUT_MAX];
    const struct side *most;
    struct dl__cut cut;

    _Static_assert((int)DL__MEMBERS_MAX <= (int)DL__CUT_MAX, "a side for each member");
    list_sides(group, c, sides);
    most = main_side(sides);
    dl__cut_begin(&cut, sides->count);
    for (unsigned s = 0; s < sides->count; s++) {
        dl__cut_loses(&cut, s, sides->of[s].lost);
        if (!sides->of[s].can || &sides->of[s] == most)
            dl__cut_fix(&cut, s, !sides->of[s].can);
    }
    for (unsigned t = 0; t < group->turn_count; t++) {
        const struct dl__turns *turns = &group->turns[t];
        const struct side *a = find(sides, turns->of[0]), *b = find(sides, turns->of[1]);

        if (a && b)
            dl__cut_turns(&cut, (unsigned)(a - sides->of), (unsigned)(b - sides->of),
                          turns->lately * one_way(group, turns, c),
                          turns->lately * turns->hop[c]);
    }
    dl__cut_choose(&cut, stays);
    for (unsigned s = 0; s < sides->count; s++)
        sides->of[s].stays = stays[s];
}

/* Where all is on one device, or as written, there is nothing to plan. */
static bool is_planned(const struct dl__policy_group *group, enum dl__candidate_id c,
                       struct sides *sides)
{
    if (!group->shared || dl__candidate_get(c)->in_place)
        return false;
    plan_sides(group, c, sides);
    return true;
}

bool dl__side_stays(const struct dl__policy_group *group, const struct dl__policy *policy,
                    enum dl__candidate_id c)
{
    struct sides sides;
    const struct side *side;

    if (!is_planned(group, c, &sides))
        return false;
    side = find(&sides, policy);
    return side && side->stays;
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

/* Between two that both stay nothing moves. */
static double moves_of_plan(const struct dl__policy_group *group, enum dl__candidate_id c,
                            struct sides *sides)
{
    double sum = 0;

    for (unsigned t = 0; t < group->turn_count; t++) {
        const struct dl__turns *turns = &group->turns[t];
        const struct side *a = find(sides, turns->of[0]), *b = find(sides, turns->of[1]);

        if (!a || !b || (a->stays && b->stays))
            continue;
        sum += turns->lately *
               (a->stays || b->stays ? one_way(group, turns, c) : turns->hop[c]);
    }
    return sum;
}

static double sides_moves(const struct dl__policy_group *group, enum dl__candidate_id c)
{
    struct sides sides;

    return is_planned(group, c, &sides) ? moves_of_plan(group, c, &sides) : 0;
}

double dl__sides_moves_each(const struct dl__policy_group *group, enum dl__candidate_id c)
{
    double launches = 0;

    for (unsigned m = 0; m < group->member_count; m++)
        launches += group->members[m].launches;
    return launches > 0 ? sides_moves(group, c) / launches : 0;
}

/* What all members' launches lately, looks by parts and moves between devices take on a candidate. */
static double takes(const struct dl__policy_group *group, enum dl__candidate_id c)
{
    struct sides sides;
    bool planned = is_planned(group, c, &sides);
    double sum = dl__candidate_get(c)->in_place ? 0 : group->looks;

    if (planned)
        sum += moves_of_plan(group, c, &sides);
    for (unsigned m = 0; m < group->member_count; m++) {
        const struct dl__member *member = &group->members[m];
        bool stays = planned && find(&sides, member->policy)->stays;

        sum += member->launches * cost(group, member, stays ? DL__NATIVE : c);
    }
    return sum;
}

double dl__sides_balance(const struct dl__policy_group *group, enum dl__candidate_id from,
                         enum dl__candidate_id to, double *whole)
{
    *whole = takes(group, from);
    return *whole - takes(group, to);
}

bool dl__sides_lose(const struct dl__policy_group *group)
{
    double whole, doubt = 0,
                  saved = dl__sides_balance(group, group->current, DL__NATIVE, &whole);

    if (group->current == DL__NATIVE || saved <= dl__by_chance * whole)
        return false;
    for (unsigned m = 0; m < group->member_count; m++) {
        const struct dl__member *member = &group->members[m];

        doubt +=
            member->launches * dl__cost_doubt(member->row, group->current, DL__NATIVE,
                                              member->work, group->counts_only);
    }
    return saved > doubt;
}

/* What the device may spend in the group: the least for any of its kernels. */
static double left_of(const struct dl__policy_group *group,
                      const struct dl__policy *policy)
{
    double left = DBL_MAX;

    for (unsigned m = 0; m < group->member_count; m++)
        if (group->members[m].policy == policy)
            left = dl__min(
                left, dl__policy_left(policy, group->members[m].row, group->counts_only));
    return left;
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
            left += left_of(group, member->policy);
    }
    return left;
}

void dl__sides_changed(const struct dl__policy_group *group, struct dl__policy *policy)
{
    policy->version++;
    for (unsigned m = 0; group && group->shared && m < group->member_count; m++)
        if (group->members[m].policy != policy)
            group->members[m].policy->version++;
}

static void put_on(struct dl__policy *policy, double seconds, bool counts_only)
{
    policy->ledger.excess_seconds += seconds;
    if (counts_only)
        policy->counted.excess_seconds += seconds;
    policy->version++;
}

void dl__sides_share(struct dl__policy_group *group, struct dl__policy *policy)
{
    double over = group->shared ? -left_of(group, policy) : 0;

    for (unsigned m = 0; over > 0 && m < group->member_count; m++) {
        struct dl__policy *other = group->members[m].policy;
        double part = dl__min(over, left_of(group, other));

        if (other == policy || part <= 0)
            continue;
        put_on(other, part, group->counts_only);
        put_on(policy, -part, group->counts_only);
        over -= part;
    }
}

double dl__sides_way_back(const struct dl__policy *policy,
                          const struct dl__policy_buffer *buffer, enum dl__candidate_id c,
                          bool counts_only)
{
    const struct dl__policy_group *group = dl__group_of(buffer->group);
    double most = dl__cost_move(policy, buffer, c, counts_only);

    for (unsigned m = 0; group && group->shared && m < group->member_count; m++)
        if (group->members[m].policy != policy)
            most = dl__max(
                most, dl__cost_move(group->members[m].policy, buffer, c, counts_only));
    return most;
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
    struct dl__turns *turns = &group->turns[group->turn];

    if (group->turn_count == 0 || buffer->returned_at != group->launches ||
        buffer->returned_from != c)
        return;
    if (turns->hop_at != group->launches)
        turns->hop[c] = 0;
    turns->hop_at = group->launches;
    turns->hop[c] += both_ways;
}
