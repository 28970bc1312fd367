/* SPDX-License-Identifier: MIT */
#include "reference.h"

#include <stdio.h>
#include <string.h>

#include "common/sample.h"

static struct agent agent_made(size_t i)
{
    struct agent agent = {.group = (uint32_t)(i % 97), .partner = (uint32_t)(i ^ 1)};

    for (int d = 0; d < 3; d++) {
        agent.position[d] = 1000 * sample_noise(16 * i + (size_t)d);
        agent.goal[d] = 1000 * sample_noise(16 * i + 3 + (size_t)d);
        agent.heading[d] = agent.goal[d] - agent.position[d];
    }
    for (size_t t = 0; t < 8; t++) {
        agent.traits[t] = sample_noise(16 * i + 6 + t);
        agent.memory[t] = (uint32_t)(i * 8 + t);
    }
    agent.age = (uint32_t)(100 * sample_noise(16 * i + 14));
    agent.appetite = 1 + (uint32_t)(50000 * agent.traits[0]);
    agent.energy[0] = 1 + (uint32_t)(1e6f * agent.traits[1]);
    agent.food = (uint32_t)(10000 * agent.traits[2]);
    return agent;
}

void agents_fill(struct agent *agents, size_t count)
{
    for (size_t i = 0; i < count; i++)
        agents[i] = agent_made(i);
}

static void live(struct agent *agent, int season)
{
    const uint32_t energy = agent->energy[season & 1];
    const uint32_t food = agent->food * (uint32_t)(season % 7);
    const uint32_t eaten = food < agent->appetite ? food : agent->appetite;

    agent->energy[(season + 1) & 1] = energy - (energy >> 5) + eaten;
}

bool agents_check(const struct agent *agents, size_t count, int season_count)
{
    for (size_t i = 0; i < count; i++) {
        struct agent want = agent_made(i);

        for (int season = 0; season < season_count; season++)
            live(&want, season);
        if (memcmp(&agents[i], &want, sizeof want) == 0)
            continue;
        fprintf(stderr, "check: agent %zu has an energy of %u and %u, not %u and %u\n", i,
                agents[i].energy[0], agents[i].energy[1], want.energy[0], want.energy[1]);
        return false;
    }
    return true;
}
