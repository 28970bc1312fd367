/* SPDX-License-Identifier: MIT */
/* A kernel file of the size that programs have: grains in a fluid on a grid, 500 lines
 * with macros, helpers and several annotated kernels. It is made to be read by DL, not to
 * be a good simulation. */
#pragma OPENCL FP_CONTRACT OFF

#ifndef BLOCK
#define BLOCK 64
#endif
#ifndef WITH_HEAT
#define WITH_HEAT 1
#endif

#if BLOCK & (BLOCK - 1)
#error BLOCK must be a power of two
#endif

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

/* ---- constants and small macros ---- */

#define DIRECTIONS 9
#define CELL_FLOATS 12
enum { RHO = DIRECTIONS, HEAT, KIND };

enum { KIND_FLUID, KIND_WALL, KIND_INLET };

#define EPS 1.0e-6f
#define GRAVITY 9.81f
#define STIFFNESS 4.0e3f
#define DAMPING 12.0f

#define SQUARE(x) ((x) * (x))
#define CLAMP01(x) clamp((x), 0.0f, 1.0f)
#define LERP(a, b, t) fma((t), (b) - (a), (a))
#define SWAP(type, a, b)                                                                 \
    do {                                                                                 \
        type swap_ = (a);                                                                \
        (a) = (b);                                                                       \
        (b) = swap_;                                                                     \
    } while (0)

#define WRAP(i, n) ((i) < 0 ? (i) + (n) : (i) >= (n) ? (i) - (n) : (i))
#define CELL(x, y) (WRAP((x), nx) + nx * WRAP((y), ny))
#define GRID(g, x, y, field) g[CELL((x), (y)) * CELL_FLOATS + (field)]
#define FROM(dx, dy, field) GRID(src, x + (dx), y + (dy), field)
#define TO(field) GRID(dst, x, y, field)

#define FOR_EACH_DIRECTION(X)                                                            \
    X(0, 0, 0, 4.0f / 9.0f)                                                              \
    X(1, 1, 0, 1.0f / 9.0f)                                                              \
    X(2, 0, 1, 1.0f / 9.0f)                                                              \
    X(3, -1, 0, 1.0f / 9.0f)                                                             \
    X(4, 0, -1, 1.0f / 9.0f)                                                             \
    X(5, 1, 1, 1.0f / 36.0f)                                                             \
    X(6, -1, 1, 1.0f / 36.0f)                                                            \
    X(7, -1, -1, 1.0f / 36.0f)                                                           \
    X(8, 1, -1, 1.0f / 36.0f)

/* ---- types ---- */

typedef struct {
    float4 position; /* w: radius */
    float4 velocity; /* w: inverse mass */
    float4 force;
    float4 spin;
    float heat;
    int cell;
    uint flags;
    int next;
} grain;

typedef struct {
    float x, y;
    float radius;
    float density;
    int material;
    int counts[4];
} seed;

typedef struct {
    float stiffness, damping, friction, conductivity;
} material;

typedef struct {
    int a, b;
    float overlap;
    float impulse;
    material mixed;
} contact;

struct statistics {
    float energy, heat, highest;
    int contacts, lost, histogram[8];
};

typedef struct {
    int nx, ny;
    float dt, omega, width, height;
} domain;

enum grain_flags { GRAIN_ALIVE = 1, GRAIN_FIXED = 2, GRAIN_HOT = 4 };

/* ---- helpers on values ---- */

inline float2 cross_spin(float w, float2 r)
{
    return (float2)(-w * r.y, w * r.x);
}

inline float dot2(float2 a, float2 b)
{
    return fma(a.x, b.x, a.y * b.y);
}

float equilibrium(float weight, float rho, float2 u, float2 c)
{
    const float cu = dot2(c, u);
    const float uu = dot2(u, u);

    return weight * rho * (1.0f + 3.0f * cu + 4.5f * cu * cu - 1.5f * uu);
}

material mix_materials(material a, material b)
{
    material m;

    m.stiffness = 2.0f * a.stiffness * b.stiffness / (a.stiffness + b.stiffness + EPS);
    m.damping = 0.5f * (a.damping + b.damping);
    m.friction = fmin(a.friction, b.friction);
    m.conductivity = LERP(a.conductivity, b.conductivity, 0.5f);
    return m;
}

uint hash_cell(int x, int y)
{
    uint h = (uint)x * 73856093u ^ (uint)y * 19349663u;

    h ^= h >> 13;
    h *= 0x5bd1e995u;
    h ^= h >> 15;
    return h;
}

float random_unit(uint *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) * (1.0f / 16777216.0f);
}

float sum_in_group(__local float *scratch, float value)
{
    const int lane = get_local_id(0);

    scratch[lane] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int stride = BLOCK / 2; stride > 0; stride /= 2) {
        if (lane < stride)
            scratch[lane] += scratch[lane + stride];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return scratch[0];
}

/* ---- helpers on grains ---- */

bool is_alive(__global const grain *g)
{
    return (g->flags & GRAIN_ALIVE) != 0;
}

float2 centre_of(__global const grain *g)
{
    return g->position.xy;
}

float radius_of(__global const grain *g)
{
    return g->position.w;
}

void push(__global grain *g, float2 force, float torque)
{
    g->force.x += force.x;
    g->force.y += force.y;
    g->spin.w += torque;
}

void warm(__global grain *g, float heat)
{
    g->heat += heat;
    if (g->heat > 1.0f)
        g->flags |= GRAIN_HOT;
}

float2 velocity_at(__global const grain *g, float2 where)
{
    const float2 arm = where - centre_of(g);

    return g->velocity.xy + cross_spin(g->spin.z, arm);
}

float overlap_of(__global const grain *grains, int a, int b)
{
    const float2 d = centre_of(&grains[b]) - centre_of(&grains[a]);
    const float far = sqrt(dot2(d, d));

    return radius_of(grains + a) + radius_of(grains + b) - far;
}

/* ---- the fluid ---- */

//DL: AoS: src[nx * ny][CELL_FLOATS], dst[nx * ny][CELL_FLOATS]
__kernel void fluid_step(__global const float *src, __global float *dst, int nx, int ny,
                         float omega, float2 inlet)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);

    if (x >= nx || y >= ny)
        return;

    float f[DIRECTIONS];
    float rho = 0.0f;
    float2 u = (float2)(0.0f, 0.0f);

#define GATHER(i, cx, cy, weight)                                                        \
    f[i] = FROM(-(cx), -(cy), i);                                                        \
    rho += f[i];                                                                         \
    u.x += (cx)*f[i];                                                                    \
    u.y += (cy)*f[i];
    FOR_EACH_DIRECTION(GATHER)
#undef GATHER

    const int kind = (int)FROM(0, 0, KIND);

    u /= fmax(rho, EPS);
    if (kind == KIND_INLET)
        u = inlet;
    if (kind == KIND_WALL) {
        SWAP(float, f[1], f[3]);
        SWAP(float, f[2], f[4]);
        SWAP(float, f[5], f[7]);
        SWAP(float, f[6], f[8]);
    } else {
#define RELAX(i, cx, cy, weight)                                                         \
    f[i] = LERP(f[i], equilibrium(weight, rho, u, (float2)(cx, cy)), omega);
        FOR_EACH_DIRECTION(RELAX)
#undef RELAX
    }

#define SCATTER(i, cx, cy, weight) TO(i) = f[i];
    FOR_EACH_DIRECTION(SCATTER)
#undef SCATTER
    TO(RHO) = rho;
    TO(KIND) = FROM(0, 0, KIND);
#if WITH_HEAT
    TO(HEAT) = 0.25f * (FROM(1, 0, HEAT) + FROM(-1, 0, HEAT) + FROM(0, 1, HEAT) +
                        FROM(0, -1, HEAT));
#else
    TO(HEAT) = 0.0f;
#endif
}

//DL: AoS: grid[nx * ny][CELL_FLOATS]
__kernel void fluid_clear(__global float *grid, int nx, int ny, float rho)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);

    if (x >= nx || y >= ny)
        return;
    const float2 still = (float2)(0.0f, 0.0f);
    const bool wall = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;

#define FILL(i, cx, cy, weight)                                                          \
    GRID(grid, x, y, i) = equilibrium(weight, rho, still, (float2)(cx, cy));
    FOR_EACH_DIRECTION(FILL)
#undef FILL
    GRID(grid, x, y, RHO) = rho;
    GRID(grid, x, y, HEAT) = 0.0f;
    GRID(grid, x, y, KIND) = wall ? (float)KIND_WALL : (float)KIND_FLUID;
}

/* ---- grains: setting up ---- */

//DL: AoS: seeds[count], grains[count]
__kernel void grains_make(__global const seed *seeds, __global grain *grains, int count,
                          domain box)
{
    const int i = get_global_id(0);

    if (i >= count)
        return;

    uint state = hash_cell(i, seeds[i].material);
    grain g;
    const float mass = seeds[i].density * M_PI_F * SQUARE(seeds[i].radius);

    g.position =
        (float4)(seeds[i].x * box.width, seeds[i].y * box.height, 0.0f, seeds[i].radius);
    g.velocity = (float4)(random_unit(&state) - 0.5f, random_unit(&state) - 0.5f, 0.0f,
                          1.0f / fmax(mass, EPS));
    g.force = (float4)(0.0f);
    g.spin = (float4)(0.0f, 0.0f, random_unit(&state), 0.0f);
    g.heat = CLAMP01(seeds[i].density);
    g.cell = -1;
    g.flags = GRAIN_ALIVE;
    g.next = -1;
    for (int k = 0; k < 4; k++)
        if (seeds[i].counts[k] > 3)
            g.flags |= GRAIN_FIXED;
    grains[i] = g;
}

//DL: AoS: grains[count]
__kernel void grains_bin(__global grain *grains, __global int *heads, int count,
                         domain box)
{
    const int i = get_global_id(0);

    if (i >= count || !is_alive(&grains[i]))
        return;

    const float2 at = centre_of(&grains[i]);
    const int x = clamp((int)(at.x / box.width * box.nx), 0, box.nx - 1);
    const int y = clamp((int)(at.y / box.height * box.ny), 0, box.ny - 1);

    grains[i].cell = x + box.nx * y;
    grains[i].next = atomic_xchg(&heads[grains[i].cell], i);
}

/* ---- grains: contacts ---- */

//DL: AoS: grains[count], contacts[room]
__kernel void contacts_find(__global const grain *grains, __global const int *heads,
                            __global contact *contacts, __global int *found,
                            __constant material *materials, int count, int room, int nx,
                            int ny)
{
    const int i = get_global_id(0);

    if (i >= count || !is_alive(grains + i))
        return;

    const int x = grains[i].cell % nx;
    const int y = grains[i].cell / nx;

    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            int other = heads[CELL(x + dx, y + dy)];

            while (other >= 0) {
                const float overlap = overlap_of(grains, i, other);

                if (other > i && overlap > 0.0f) {
                    const int slot = atomic_inc(found);

                    if (slot < room) {
                        __global contact *c = &contacts[slot];
                        const int hot_a = (grains[i].flags & GRAIN_HOT) != 0;
                        const int hot_b = (grains[other].flags & GRAIN_HOT) != 0;
                        const material mixed =
                            mix_materials(materials[hot_a], materials[hot_b]);

                        c->a = i;
                        c->b = other;
                        c->overlap = overlap;
                        c->impulse = 0.0f;
                        c->mixed.stiffness = mixed.stiffness;
                        c->mixed.damping = mixed.damping;
                        c->mixed.friction = mixed.friction;
                        c->mixed.conductivity = mixed.conductivity;
                    }
                }
                other = grains[other].next;
            }
        }
    }
}

//DL: AoS: contacts[count], grains[grain_count]
__kernel void contacts_solve(__global contact *contacts, __global grain *grains,
                             int count, int grain_count, float dt)
{
    const int i = get_global_id(0);

    if (i >= count)
        return;

    __global contact *c = contacts + i;
    const int a = c->a, b = c->b;
    const float2 way = centre_of(&grains[b]) - centre_of(&grains[a]);
    const float2 normal = way / fmax(sqrt(dot2(way, way)), EPS);
    const float2 middle = centre_of(&grains[a]) + 0.5f * way;
    const float2 slip = velocity_at(&grains[b], middle) - velocity_at(&grains[a], middle);
    const float closing = dot2(slip, normal);
    const float2 tangent = slip - closing * normal;
    const float strength = c->mixed.stiffness * c->overlap - c->mixed.damping * closing;
    const float press = fmax(strength, 0.0f);
    const float grip = c->mixed.friction * press;
    const float speed = sqrt(dot2(tangent, tangent));
    const float2 rub = tangent * (grip / fmax(speed, EPS));
    const float2 force = press * normal - rub;
    const float flow = c->mixed.conductivity * (grains[a].heat - grains[b].heat) * dt;

    c->impulse += press * dt;
    push(&grains[a], -force, -grip * radius_of(&grains[a]));
    push(&grains[b], force, -grip * radius_of(&grains[b]));
#if WITH_HEAT
    warm(&grains[a], -flow);
    warm(&grains[b], flow);
#endif
}

/* ---- grains: moving ---- */

//DL: AoS: grains[count], grid[box.nx * box.ny][CELL_FLOATS]
__kernel void grains_move(__global grain *grains, __global const float *grid, int count,
                          domain box)
{
    const int i = get_global_id(0);

    if (i >= count || !is_alive(&grains[i]) || (grains[i].flags & GRAIN_FIXED))
        return;

    __global grain *g = &grains[i];
    const int nx = box.nx, ny = box.ny;
    const int x = g->cell % nx;
    const int y = g->cell / nx;
    const float rho = GRID(grid, x, y, RHO);
    const float4 drag = -DAMPING * rho * g->velocity * SQUARE(g->position.w);
    const float inverse_mass = g->velocity.w;
    float4 v = g->velocity + box.dt * inverse_mass * (g->force + drag);

    v.y -= box.dt * GRAVITY;
    v.w = inverse_mass;
    g->velocity = v;
    g->position.xy += box.dt * v.xy;
    g->spin.z += box.dt * g->spin.w * inverse_mass;
    g->spin.w = 0.0f;
    g->force = (float4)(0.0f);
    g->heat += box.dt * (GRID(grid, x, y, HEAT) - g->heat);
    if (g->position.x < 0.0f || g->position.x > box.width) {
        g->velocity.x = -g->velocity.x;
        g->position.x = clamp(g->position.x, 0.0f, box.width);
    }
    if (g->position.y < 0.0f) {
        g->position.y = -g->position.y;
        g->velocity.y *= -0.5f;
    }
    if (g->position.y > 4.0f * box.height)
        g->flags &= ~(uint)GRAIN_ALIVE;
}

/* ---- statistics ---- */

//DL: AoS: grains[count]
__kernel void grains_measure(__global const grain *grains,
                             __global struct statistics *totals, __local float *scratch,
                             int count)
{
    float energy = 0.0f, heat = 0.0f, highest = 0.0f;

    for (int i = get_global_id(0); i < count; i += get_global_size(0)) {
        const grain g = grains[i];
        const float mass = 1.0f / fmax(g.velocity.w, EPS);

        if (!(g.flags & GRAIN_ALIVE))
            continue;
        energy += 0.5f * mass * dot2(g.velocity.xy, g.velocity.xy);
        energy += mass * GRAVITY * g.position.y;
        heat += g.heat;
        highest = fmax(highest, g.position.y + g.position.w);
    }
    energy = sum_in_group(scratch, energy);
    barrier(CLK_LOCAL_MEM_FENCE);
    heat = sum_in_group(scratch, heat);
    if (get_local_id(0) == 0) {
        totals[get_group_id(0)].energy = energy;
        totals[get_group_id(0)].heat = heat;
        totals[get_group_id(0)].highest = highest;
    }
}

//DL: AoS: contacts[count]
__kernel void contacts_measure(__global const contact *contacts, __global int *histogram,
                               int count)
{
    const int i = get_global_id(0);

    if (i >= count)
        return;
    const int bin = clamp((int)(contacts[i].impulse / (STIFFNESS * EPS)), 0, 7);

    atomic_inc(&histogram[bin]);
}
