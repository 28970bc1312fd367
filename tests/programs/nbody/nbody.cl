/* SPDX-License-Identifier: MIT */
/* Direct summation in single precision, leapfrog (kick, drift, kick). */
#include "body.h"

static float4 pull(const float4 on, const float4 from, const float softening)
{
    vec_t d;
    d.v = from - on;
    const float r2 = d.c.x * d.c.x + d.c.y * d.c.y + d.c.z * d.c.z + softening;
    const float inv_r = 1.0f / sqrt(r2);
    const float phi = from.w * inv_r;
    d.v *= phi * inv_r * inv_r;
    d.c.w = -phi;
    return d.v;
}

/* The number of bodies is a multiple of GROUP; what fills it up has no mass. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
forces(__global body_t *bodies, __local float4 *tile, const uint count,
       const float softening)
{
    const uint i = get_global_id(0);
    const uint l = get_local_id(0);
    const float4 mine = bodies[i].pos.v;
    vec_t acc;
    acc.v = (float4)(0.0f);
    for (uint base = 0; base < count; base += GROUP) {
        tile[l] = bodies[base + l].pos.v;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint j = 0; j < GROUP; j++)
            acc.v += pull(mine, tile[j], softening);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    acc.c.w += mine.w / sqrt(softening); /* it does not pull at itself */
    bodies[i].acc = acc;
}

static void add_scaled(__global vec_t *restrict to, const __global vec_t *restrict what,
                       const float scale)
{
    for (int k = 0; k < 3; k++)
        to->e[k] += scale * what->e[k];
}

__kernel void kick(__global body_t *bodies, const float h)
{
    __global body_t *b = bodies + get_global_id(0);
    add_scaled(&b->vel, &b->acc, h);
    const vec_t vel = b->vel;
    float square = 0.0f;
    for (const float *e = vel.e; e < vel.e + 3; e++)
        square += *e * *e;
    b->vel.c.w = 0.5f * b->pos.c.w * square;
}

__kernel void drift(__global body_t *bodies, const float h)
{
    __global body_t *b = &bodies[get_global_id(0)];
    add_scaled(&b->pos, &b->vel, h);
}

/* One work-item: a few thousand bodies are added up in a fixed order. */
__kernel void add_up(__global const body_t *bodies, const uint count,
                     __global totals_t *totals)
{
    totals_t sum;
    sum.centre.v = sum.momentum.v = (float4)(0.0f);
    sum.kinetic = sum.potential = 0.0f;
    sum.bodies = 0;
    for (uint i = 0; i < count; i++) {
        const __global body_t *b = bodies + i;
        const float mass = b->pos.c.w;
        if (mass == 0.0f)
            continue;
        sum.centre.v.xyz += mass * b->pos.v.xyz;
        sum.centre.v.w += mass;
        sum.momentum.v.xyz += mass * b->vel.v.xyz;
        sum.kinetic += b->vel.c.w;
        sum.potential += 0.5f * mass * b->acc.c.w;
        sum.bodies++;
    }
    sum.centre.v.xyz /= sum.centre.v.w;
    *totals = sum;
}

__kernel void recentre(__global body_t *bodies, __global const totals_t *totals)
{
    __global body_t *b = &bodies[get_global_id(0)];
    const vec_t centre = totals->centre, momentum = totals->momentum;
    for (int k = 0; k < 3; k++) {
        b->pos.e[k] -= centre.e[k];
        b->vel.e[k] -= momentum.e[k] / centre.c.w;
    }
}

/* Bodies that are on their way out for good, for the host's log. */
__kernel void find_escapers(__global const body_t *bodies, __global int *escapes,
                            const float radius)
{
    const int i = get_global_id(0);
    const __global vec_t *pos = &bodies[i].pos, *vel = &bodies[i].vel;
    float r2 = 0.0f, outward = 0.0f;
    for (int k = 0; k < 3; k++) {
        r2 += pos->e[k] * pos->e[k];
        outward += pos->e[k] * vel->e[k];
    }
    const float energy = vel->c.w + pos->c.w * bodies[i].acc.c.w;
    escapes[i] = r2 > radius * radius && outward > 0.0f && energy > 0.0f;
}
