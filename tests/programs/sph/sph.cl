/* SPDX-License-Identifier: MIT */
/* Smoothed particle hydrodynamics after Mueller 2003. Particles are sorted by cell, so
 * that a cell's particles are neighbours in memory; ties go by number, which makes the
 * sums' order the same each time. */
#include "sph.h"

static int3 cell_of(const float3 pos, const float h)
{
    const int3 c = convert_int3(floor(pos / h));
    return clamp(c, (int3)(0), (int3)(CELLS_X - 1, CELLS_Y - 1, CELLS_Z - 1));
}

static uint cell_number(const int3 c)
{
    return (uint)((c.z * CELLS_Y + c.y) * CELLS_X + c.x);
}

__kernel void hash(__global Particle *particles, __global Entry *entries,
                   __constant Params *params)
{
    const uint i = get_global_id(0);
    Entry e = {UINT_MAX, UINT_MAX};
    if (i < params->count) {
        __global Particle *me = &particles[i];
        me->cell = cell_number(cell_of(me->pos, params->h));
        e.cell = me->cell;
        e.particle = i;
    }
    entries[i] = e;
}

static bool comes_after(const Entry a, const Entry b)
{
    return a.cell > b.cell || (a.cell == b.cell && a.particle > b.particle);
}

__kernel void bitonic_pass(__global Entry *entries, const uint stride, const uint block)
{
    const uint i = get_global_id(0);
    const uint partner = i ^ stride;
    if (partner <= i)
        return;
    const Entry mine = entries[i], other = entries[partner];
    const bool ascending = (i & block) == 0;
    if (comes_after(mine, other) == ascending) {
        entries[i] = other;
        entries[partner] = mine;
    }
}

__kernel void clear_cells(__global Cell *cells)
{
    cells[get_global_id(0)].begin = 0;
    cells[get_global_id(0)].end = 0;
}

__kernel void reorder(__global const Particle *restrict from,
                      __global Particle *restrict to, __global const Entry *entries,
                      __global Cell *cells, __constant Params *params)
{
    const uint i = get_global_id(0);
    if (i >= params->count)
        return;
    const uint cell = entries[i].cell;
    if (i == 0 || entries[i - 1].cell != cell)
        cells[cell].begin = i;
    if (i == params->count - 1 || entries[i + 1].cell != cell)
        cells[cell].end = i + 1;
    to[i] = from[entries[i].particle];
}

/* The body runs for each particle `other` in the 27 cells around `me`. */
#define FOR_NEIGHBOURS(me, other, particles, cells, h)                                   \
    const int3 home = cell_of((me)->pos, h);                                             \
    const int3 low = max(home - 1, (int3)(0));                                           \
    const int3 high = min(home + 1, (int3)(CELLS_X - 1, CELLS_Y - 1, CELLS_Z - 1));      \
    for (int z = low.z; z <= high.z; z++)                                                \
        for (int y = low.y; y <= high.y; y++)                                            \
            for (int x = low.x; x <= high.x; x++)                                        \
                for (__global const Particle *                                           \
                         other = particles + cells[cell_number((int3)(x, y, z))].begin,  \
                        *other##_end =                                                   \
                            particles + cells[cell_number((int3)(x, y, z))].end;         \
                     other < other##_end; other++)

__kernel void density(__global Particle *particles, __global const Cell *cells,
                      __constant Params *params)
{
    const uint i = get_global_id(0);
    if (i >= params->count)
        return;
    __global Particle *me = particles + i;
    const float h2 = params->h * params->h;
    float rho = 0.0f;
    FOR_NEIGHBOURS(me, other, particles, cells, params->h)
    {
        const float3 d = me->pos - other->pos;
        const float r2 = dot(d, d);
        if (r2 < h2) {
            const float q = h2 - r2;
            rho += q * q * q;
        }
    }
    me->rho = rho * params->mass * params->poly6;
    me->p = params->stiffness * fmax(me->rho - params->rest_rho, 0.0f);
}

static float3 pair_force(__global const Particle *a, __global const Particle *b,
                         __constant Params *params)
{
    const float3 d = a->pos - b->pos;
    const float r = sqrt(dot(d, d));
    if (r >= params->h || r < 1e-6f)
        return (float3)(0.0f);
    const float near = params->h - r;
    const float pressure =
        (a->p + b->p) / (2.0f * b->rho) * params->spiky_grad * near * near;
    const float drag = params->viscosity / b->rho * params->visc_lap * near;
    return params->mass * (drag * (b->vel - a->vel) - pressure * (d / r));
}

__kernel void forces(__global Particle *particles, __global const Cell *cells,
                     __constant Params *params)
{
    const uint i = get_global_id(0);
    if (i >= params->count)
        return;
    __global Particle *me = &particles[i];
    float3 sum = (float3)(0.0f);
    FOR_NEIGHBOURS(me, other, particles, cells, params->h)
    {
        if (other != me)
            sum += pair_force(me, other, params);
    }
    me->acc = sum / me->rho + params->gravity;
}

static void bounce(float *x, float *v, float limit)
{
    if (*x < 0.0f) {
        *x = 0.0f;
        *v *= -0.3f;
    } else if (*x > limit) {
        *x = limit;
        *v *= -0.3f;
    }
}

__kernel void move(__global Particle *particles, __constant Params *params)
{
    const uint i = get_global_id(0);
    if (i >= params->count)
        return;
    __global Particle *me = particles + i;
    float3 vel = me->vel + params->dt * me->acc;
    float3 pos = me->pos + params->dt * vel;
    float x[3] = {pos.x, pos.y, pos.z}, v[3] = {vel.x, vel.y, vel.z};
    bounce(&x[0], &v[0], params->box.x);
    bounce(&x[1], &v[1], params->box.y);
    bounce(&x[2], &v[2], params->box.z);
    me->pos = vload3(0, x);
    me->vel = vload3(0, v);
}
