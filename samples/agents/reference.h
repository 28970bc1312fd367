/* SPDX-License-Identifier: MIT */
/* Agents on the host: the data and the same arithmetic in C. */
#ifndef AGENTS_REFERENCE_H
#define AGENTS_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As in agents.cl. */
struct agent {
    float position[3], heading[3], goal[3];
    float traits[8];
    uint32_t memory[8];
    uint32_t group, partner, age;
    uint32_t appetite;
    uint32_t energy[2];
    uint32_t food;
};

/* Agents that depend on their numbers alone. */
void agents_fill(struct agent *agents, size_t count);
/* Compares with the result of season_count seasons on agents_fill.
 *   returns  false after a message at the first difference */
bool agents_check(const struct agent *agents, size_t count, int season_count);

#endif
