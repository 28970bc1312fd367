/* SPDX-License-Identifier: MIT */
/* A fountain's particles. The kernels come first; what they call stands behind them. */
#include "particle.h"

static float next_random(__global uint *state);
static void spawn(__global Particle *p, const __global Nozzle *from, float late);
static void fall(__global Particle *p, float dt);
static int hit_floor(__global float *position, __global float *velocity);
static void fade(__global uchar *color, float age, float life);
void count_one(const __global Particle *p, __global Census *census);

__kernel void plant(__global Particle *particles, const uint seed, const uint nozzles)
{
    const uint i = get_global_id(0);
    __global Particle *p = &particles[i];
    p->random = (seed + i) * 2654435761u | 1u;
    p->state = STATE_WAITING;
    p->nozzle = i % nozzles;
    p->age = p->life = 0.0f;
    for (int k = 0; k < 3; k++)
        p->position[k] = p->velocity[k] = 0.0f;
    for (int k = 0; k < 4; k++)
        p->color[k] = 0;
}

__kernel void emit(__global Particle *particles, __global const Nozzle *nozzles,
                   const uint step, const float dt)
{
    __global Particle *p = particles + get_global_id(0);
    const __global Nozzle *from = nozzles + p->nozzle;
    if (p->state == STATE_FLYING || p->state == STATE_ROLLING)
        return;
    if (step < from->start || step >= from->stop)
        return;
    if (next_random(&p->random) < 0.2f)
        spawn(p, from, dt * next_random(&p->random));
}

__kernel void advance(__global Particle *particles, __global uint *bounces,
                      const float dt)
{
    __global Particle *p = particles + get_global_id(0);
    switch (p->state) {
    case STATE_FLYING:
        fall(p, dt);
        bounces[get_global_id(0)] += hit_floor(p->position, p->velocity);
        if (p->position[1] == FLOOR && p->velocity[1] < 0.3f)
            p->state = STATE_ROLLING;
        break;
    case STATE_ROLLING:
        p->velocity[1] = 0.0f;
        p->position[0] += p->velocity[0] * dt;
        p->position[2] += p->velocity[2] * dt;
        p->velocity[0] *= GRIP;
        p->velocity[2] *= GRIP;
        break;
    default:
        return;
    }
    p->age += dt;
    fade(p->color, p->age, p->life);
    if (p->age > p->life)
        p->state = STATE_GONE;
}

__kernel void take_census(__global const Particle *particles,
                          __global const uint *bounces, __global Census *census)
{
    const uint i = get_global_id(0);
    count_one(&particles[i], census);
    atomic_add(&census->bounces, bounces[i]);
}

static float next_random(__global uint *state)
{
    uint x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    *state = x;
    return (x >> 8) * (1.0f / 16777216.0f);
}

static void spawn(__global Particle *p, const __global Nozzle *from, float late)
{
    const float a = from->spread * (next_random(&p->random) - 0.5f);
    const float b = from->spread * (next_random(&p->random) - 0.5f);
    for (int k = 0; k < 3; k++)
        p->position[k] = from->origin[k];
    p->velocity[0] = from->speed * (from->tilt[0] + a);
    p->velocity[1] = from->speed;
    p->velocity[2] = from->speed * (from->tilt[1] + b);
    for (int k = 0; k < 4; k++)
        p->color[k] = from->color[k];
    p->age = 0.0f;
    p->life = 0.5f + next_random(&p->random);
    p->state = STATE_FLYING;
    fall(p, late);
}

static void fall(__global Particle *p, float dt)
{
    __global float *x = p->position, *v = p->velocity;
    v[1] -= GRAVITY * dt;
    for (int k = 0; k < 3; k++)
        *x++ += *v++ * dt;
}

static int hit_floor(__global float *position, __global float *velocity)
{
    if (position[1] > FLOOR)
        return 0;
    position[1] = FLOOR;
    velocity[1] *= -BOUNCE;
    velocity[0] *= GRIP;
    velocity[2] *= GRIP;
    return 1;
}

static void fade(__global uchar *color, float age, float life)
{
    const float left = clamp(1.0f - age / life, 0.0f, 1.0f);
    color[3] = (uchar)(left * 255.0f);
}

void count_one(const __global Particle *p, __global Census *census)
{
    atomic_inc(&census->in_state[p->state]);
    if (p->state != STATE_FLYING && p->state != STATE_ROLLING)
        return;
    atomic_max(&census->highest_mm, convert_int_rtn(p->position[1] * 1000.0f));
    for (int k = 0; k < 2; k++) {
        const int mm = convert_int_rtn(p->position[2 * k] * 1000.0f);
        atomic_min(&census->ground.low[k], mm);
        atomic_max(&census->ground.high[k], mm);
    }
}
