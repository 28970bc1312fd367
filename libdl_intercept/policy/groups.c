/* SPDX-License-Identifier: MIT */
/* Groups of buffers that launches bind together, by union and find. */
#include "numbers.h"
#include <stdlib.h>
#include <string.h>

#include "core.h"

struct dl__policy_group *dl__group_of(struct dl__policy_group *group)
{
    while (group && group->into)
        group = group->into;
    return group;
}

void dl__group_release(struct dl__policy_group *group)
{
    struct dl__policy_group *into;

    while (group && --group->references == 0) {
        into = group->into;
        free(group);
        group = into;
    }
}

static void merge(struct dl__policy_group *from, struct dl__policy_group *to)
{
    for (unsigned m = 0; m < from->member_count; m++) {
        bool there = false;

        for (unsigned t = 0; t < to->member_count; t++)
            there |= to->members[t].row == from->members[m].row;
        if (!there && to->member_count < DL__MEMBERS_MAX)
            to->members[to->member_count++] = from->members[m];
    }
    for (int c = 0; c < DL__CANDIDATES; c++) {
        to->moves[c] += from->moves[c];
        to->rent[c] += from->rent[c];
    }
    to->demand = dl__max(to->demand, from->demand);
    to->paid += from->paid;
    to->gained += from->gained;
    to->looks += from->looks;
    to->looked += from->looked;
    to->launches += from->launches;
    dl__sides_merge(to, from);
    /* What no time may decide has not been decided by one: it begins natively. */
    if (from->counts_only != to->counts_only)
        to->current = DL__NATIVE;
    to->counts_only |= from->counts_only;
    from->into = to;
    to->references++;
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
    if (!group) {
        group = calloc(1, sizeof *group);
        if (!group)
            return NULL;
        group->number = ++policy->group_count;
        group->demand = ask->row->pays ? 0 : 1;
    }
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
        for (int c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
            buffer->moves[c] =
                2 * dl__estimate_move(&policy->rates, (enum dl__candidate_id)c,
                                      buffer->bytes);
            group->moves[c] += buffer->moves[c];
        }
    }
    return group;
}

double dl__looks_halved(double looks)
{
    static const double few_seconds = 1e-6;

    return looks > few_seconds ? looks / 2 : 0;
}

/* Launches and looks of long ago count less. */
static void forget_some(struct dl__policy_group *group)
{
    double all = 0;

    for (unsigned m = 0; m < group->member_count; m++)
        all += group->members[m].launches;
    if (all <= DL__LATELY)
        return;
    for (unsigned m = 0; m < group->member_count; m++)
        group->members[m].launches /= 2;
    dl__sides_forget_some(group);
    group->looks = dl__looks_halved(group->looks);
}

void dl__group_note_again(struct dl__policy_group *group, struct dl__member *member,
                          const struct dl__policy_ask *ask, unsigned launches)
{
    member->launches += launches;
    dl__side_note(group, member);
    member->work = ask->work;
    member->estimate = ask->estimate;
    group->launches += launches;
    forget_some(group);
}

struct dl__member *dl__group_note(struct dl__policy *policy,
                                  struct dl__policy_group *group,
                                  const struct dl__policy_ask *ask)
{
    struct dl__member *member = NULL;
    unsigned rarest = 0;

    for (unsigned m = 0; m < group->member_count; m++) {
        if (group->members[m].row == ask->row)
            member = &group->members[m];
        if (group->members[m].launches < group->members[rarest].launches)
            rarest = m;
    }
    if (!member) {
        if (group->member_count < DL__MEMBERS_MAX)
            rarest = group->member_count++;
        member = &group->members[rarest];
        *member = (struct dl__member){.row = ask->row, .policy = policy};
        policy->version++;
    }
    if (memcmp(member->ready, ask->ready, sizeof member->ready) != 0)
        policy->version++;
    member->contractable = ask->kernel->contractable;
    memcpy(member->ready, ask->ready, sizeof member->ready);
    dl__group_note_again(group, member, ask, 1);
    return member;
}
