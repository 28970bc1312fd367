/* SPDX-License-Identifier: MIT */
/* What happens to buffers besides launches: conversions, commands of the host's that want
 * them as written, and looks by parts (host/staging.h). A group rents before it buys
 * here, too: when the looks since its last launch would take longer than converting the
 * buffer back and again, it is brought back. */
#include "core.h"
#include "numbers.h"

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

void dl__policy_touched(struct dl__policy *policy, struct dl__policy_buffer *buffer)
{
    note_touch(policy, buffer);
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
    for (int c = DL__NATIVE + 1; c < DL__CANDIDATES; c++)
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

void dl__policy_touched_part(struct dl__policy *policy, struct dl__policy_buffer *buffer,
                             uint64_t bytes)
{
    struct dl__policy_group *group = dl__group_of(buffer->group);

    if (group)
        note_look(group, buffer, look_cost(policy, bytes));
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

    *timed = false;
    if (!group || buffer->lies == DL__NATIVE)
        return true;
    if (policy->random)
        return !refused_by_chance(policy);
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
    for (int c = DL__NATIVE + 1; c < DL__CANDIDATES; c++)
        dl__move_price(buffer, (enum dl__candidate_id)c, 0, 0);
    dl__group_release(buffer->group);
    buffer->group = NULL;
}
