/* SPDX-License-Identifier: MIT */
/* Particles of a fountain and the nozzles that they come from. */
#ifndef PARTICLE_H
#define PARTICLE_H
#ifndef __OPENCL_VERSION__
#include <CL/cl.h>
typedef cl_uint uint;
typedef cl_ushort ushort;
typedef cl_uchar uchar;
#endif

enum { STATE_WAITING, STATE_FLYING, STATE_ROLLING, STATE_GONE, STATES };

#define FLOOR 0.0f
#define GRAVITY 9.81f
#define BOUNCE 0.55f
#define GRIP 0.9f

typedef struct {
    float position[3];
    float velocity[3];
    float age, life;
    uint random;
    uchar color[4];
    short state;
    ushort nozzle;
} Particle;

typedef struct {
    float origin[3];
    float speed, spread, tilt[2];
    uchar color[4];
    uint start, stop; /* steps in which it is open */
} Nozzle;

typedef struct {
    int in_state[STATES];
    uint bounces;
    int highest_mm;
    struct {
        int low[2], high[2]; /* mm */
    } ground;
} Census;
#endif
