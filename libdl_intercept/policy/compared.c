/* SPDX-License-Identifier: MIT */
/* Comparing again: launches 2, 8, 64, ... on a candidate are compared with what the
 * program's own kernel gives, and one more when an argument's value first changes, within
 * a hundredth of the time since the program's first on any. */
#include <limits.h>

#include "core.h"
#include "numbers.h"

enum { SECOND = 2, EVERY_TIMES = 8 };

static const double compared_part = 0.01;
/* Copies that a comparison makes of each buffer, at most, and runs of the program's
 * kernel. */
static const double copies = 8, runs = 2;

static unsigned long due_after(unsigned long launches)
{
    unsigned long due = SECOND;

    while (due <= launches)
        due = due == SECOND ? EVERY_TIMES : due * EVERY_TIMES;
    return due;
}

/* What comparing takes, before it has been done. */
static double expected(const struct dl__policy *policy, const struct dl__policy_ask *ask,
                       enum dl__candidate_id c)
{
    double seconds = copies * ask->copy_seconds +
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
                                           : expected(policy, ask, c)) <=
           compared_part * (now - policy->ledger->compare_since);
}

void dl__policy_compared(struct dl__policy *policy, struct dl__policy_ask *ask,
                         enum dl__candidate_id candidate, double spent_seconds)
{
    struct dl__tried_on *on = &ask->row->of[candidate];

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
