/* SPDX-License-Identifier: MIT */
/* Agents on a meadow. What several of them do to a patch at once is an atomic on a member
 * of the patch, and commutes, so that the meadow is the same each time. */
#include "world.h"

static int wrap(int x, int side)
{
    return x < 0 ? x + side : x >= side ? x - side : x;
}

static __global patch_t *patch_at(__global patch_t *patches, const int2_member at,
                                  int side)
{
    return patches + at[1] * side + at[0];
}

static uint next_random(__global uint *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

static bool is_out(const __global agent_t *agent)
{
    return agent->state == AGENT_GRAZING || agent->state == AGENT_HEADING_HOME;
}

__kernel void settle(__global agent_t *agents, __global patch_t *patches, const int side)
{
    const int id = get_global_id(0);
    __global agent_t *agent = &agents[id];
    const int2_member at = {agent->home[0], agent->home[1]};
    agent->at[0] = agent->wish[0] = at[0];
    agent->at[1] = agent->wish[1] = at[1];
    agent->state = AGENT_GRAZING;
    atomic_inc(&patch_at(patches, at, side)->crowd);
}

/* Where to: uphill in food when grazing, towards home when full. */
__kernel void decide(__global agent_t *agents, __global patch_t *patches, const int side)
{
    __global agent_t *self = agents + get_global_id(0);
    if (!is_out(self))
        return;
    int best_x = 0, best_y = 0;
    if (self->state == AGENT_HEADING_HOME) {
        best_x = clamp(self->home[0] - self->at[0], -1, 1);
        best_y = clamp(self->home[1] - self->at[1], -1, 1);
    } else {
        const uint turn = next_random(&self->random);
        __global const patch_t *best = 0;
        for (uint k = 0; k < 8; k++) {
            const uint way = (k + turn) % 9;
            const int dx = way % 3 - 1, dy = way / 3 - 1;
            const int2_member at = {wrap(self->at[0] + dx, side),
                                    wrap(self->at[1] + dy, side)};
            __global const patch_t *there = patch_at(patches, at, side);
            if (best && there->food <= best->food)
                continue;
            best = there;
            best_x = dx;
            best_y = dy;
        }
    }
    self->wish[0] = wrap(self->at[0] + best_x, side);
    self->wish[1] = wrap(self->at[1] + best_y, side);
}

__kernel void claim(__global const agent_t *agents, __global patch_t *patches,
                    const int side)
{
    const int id = get_global_id(0);
    const __global agent_t *self = &agents[id];
    if (!is_out(self))
        return;
    const int2_member wish = {self->wish[0], self->wish[1]};
    atomic_min(&patch_at(patches, wish, side)->claimed, id);
}

static void enter(__global patch_t *patch, uint family, uint scent)
{
    atomic_inc(&patch->crowd);
    atomic_or(&patch->visitors, 1u << family);
    atomic_add(&patch->scent, scent);
}

__kernel void move(__global agent_t *agents, __global patch_t *patches, const int side)
{
    const int id = get_global_id(0);
    __global agent_t *self = &agents[id];
    if (!is_out(self))
        return;
    const int2_member from = {self->at[0], self->at[1]},
                      to = {self->wish[0], self->wish[1]};
    self->energy--;
    if (from[0] == to[0] && from[1] == to[1])
        return;
    __global patch_t *there = patch_at(patches, to, side);
    if (there->claimed != id) {
        self->diary.blocked++;
        return;
    }
    atomic_dec(&patch_at(patches, from, side)->crowd);
    enter(there, id % 32, self->state == AGENT_HEADING_HOME ? 5 : 1);
    for (int k = 0; k < 2; k++)
        self->at[k] = to[k];
    self->diary.moves++;
}

/* Those on one patch share what is there; nobody takes more than its appetite. */
__kernel void eat(__global agent_t *agents, __global patch_t *patches, const int side)
{
    __global agent_t *self = &agents[get_global_id(0)];
    if (self->state == AGENT_DEAD)
        return;
    const int2_member at = {self->at[0], self->at[1]};
    __global patch_t *here = patch_at(patches, at, side);
    switch (self->state) {
    case AGENT_GRAZING: {
        const int share = min(here->food / max(here->crowd, 1), APPETITE);
        self->energy += share / 3;
        self->carried += share - share / 3;
        self->diary.meals += share > 0;
        if (self->carried >= FULL)
            self->state = AGENT_HEADING_HOME;
        break;
    }
    case AGENT_HEADING_HOME:
        if (at[0] == self->home[0] && at[1] == self->home[1])
            self->state = AGENT_RESTING;
        break;
    default:
        self->energy += min(self->carried, 10);
        self->carried -= min(self->carried, 10);
        if (self->carried == 0)
            self->state = AGENT_GRAZING;
    }
    if (self->energy > 0)
        return;
    self->state = AGENT_DEAD;
    atomic_add(&here->scent, 100u);
}

/* What was eaten is taken off, and the grass grows. The dead stay where they are, and in
 * the crowd. */
__kernel void tidy(__global patch_t *patches, const uint step)
{
    __global patch_t *patch = patches + get_global_id(0);
    if (patch->crowd > 0)
        patch->food -= min(patch->food / patch->crowd, APPETITE) * patch->crowd;
    if (step % 4 == 0)
        patch->food = min(patch->food + REGROWTH, MOST_FOOD);
    patch->scent -= patch->scent / 8;
    patch->claimed = NOBODY;
}

__kernel void sum_agents(__global const agent_t *agents, __global summary_t *summary)
{
    const int id = get_global_id(0);
    const agent_t agent = agents[id];
    atomic_inc(&summary->population[agent.state]);
    atomic_add(&summary->meals, agent.diary.meals);
    atomic_max(&summary->richest, agent.carried);
    if (agent.state != AGENT_DEAD)
        atomic_or(&summary->families, 1u << (id % 32));
}

__kernel void sum_patches(__global const patch_t *patches, __global summary_t *summary)
{
    atomic_add(&summary->scent, patches[get_global_id(0)].scent);
}
