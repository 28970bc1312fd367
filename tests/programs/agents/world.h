/* SPDX-License-Identifier: MIT */
/* Ants on a meadow that wraps around: agents, patches and what is counted of them. */
#ifndef WORLD_H
#define WORLD_H
#ifndef __OPENCL_VERSION__
#include <CL/cl.h>
typedef cl_uint uint;
typedef cl_int int2_member[2];
#else
typedef int int2_member[2];
#endif

#define NOBODY 0x7fffffff
#define APPETITE 12
#define FULL 200
#define REGROWTH 3
#define MOST_FOOD 60

typedef enum {
    AGENT_GRAZING,
    AGENT_HEADING_HOME,
    AGENT_RESTING,
    AGENT_DEAD
} agent_state_t;

typedef struct {
    int2_member at;
    int2_member home;
    int2_member wish; /* where it wants to be next */
    agent_state_t state;
    int energy;
    int carried;
    uint random;
    struct {
        int moves, blocked, meals;
    } diary;
} agent_t;

typedef struct {
    int food;
    int crowd;   /* agents on it */
    int claimed; /* the agent with the smallest number that wants to come, or NOBODY */
    uint scent;
    uint visitors; /* a bit for each of 32 families */
} patch_t;

typedef struct {
    int population[4]; /* by state */
    int meals, richest;
    uint scent;
    uint families; /* that are alive */
} summary_t;
#endif
