/* SPDX-License-Identifier: MIT */
/* Groups of buffers that launches bind together, by union and find, and what is launched
 * on them. */
#include <stdlib.h>
#include <string.h>

#include "core.h"
#include "numbers.h"

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

/* What it was used for says what the next one will be. */
static void remember_use(const struct dl__policy_group *group)
{
    enum dl__candidate_id best = dl__group_hindsight(group);

    for (unsigned m = 0; m < group->member_count; m++) {
        struct dl__policy_row *row = group->members[m].row;
        double launches = group->members[m].ever.launches;

        row->best = best;
        row->shortest = row->shortest > 0 ? dl__min(row->shortest, launches) : launches;
        row->changed = true;
    }
}

void dl__group_release(struct dl__policy_group *group)
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
    for (int c = 0; c < DL__CANDIDATES; c++) {
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
        for (int i = DL__NATIVE + 1; i < DL__CANDIDATES; i++) {
            enum dl__candidate_id c = (enum dl__candidate_id)i;
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
    for (int c = 0; c < DL__CANDIDATES; c++) {
        member->ready[c] = ask->ready[c];
        member->possible[c] =
            ask->tile[c] > 0 && ask->estimate.of[c].verdict != DL__NEVER;
    }
    return member;
}

unsigned long dl__group_taken(const struct dl__policy_group *group,
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
    unsigned long others = dl__group_taken(group, ask->row);

    count_touches(group, taken + dl__group_taken(group, NULL));
    /* Where others come between, those that were not looked at were taken by turns. */
    if (index != group->last)
        add.turns = taken;
    else if (others > group->taken)
        add.turns = 1;
    group->taken = others;
    add_usage(&member->lately, &add);
    add_usage(&member->ever, &add);
    for (int c = 0; c < DL__CANDIDATES; c++) {
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
