/* SPDX-License-Identifier: MIT */
/* Lattice Boltzmann in three dimensions (D3Q19): one flat grid of floats, twenty for a
 * cell, the last being its flags. A margin before and behind keeps what walls send
 * outwards inside of the buffer. SIZE_X, SIZE_Y and SIZE_Z come from the host. */
#define N_CELL_ENTRIES 20
#define CALC_INDEX(x, y, z, e)                                                           \
    ((e) + N_CELL_ENTRIES * ((x) + (y)*SIZE_X + (z)*SIZE_X * SIZE_Y))
#define MARGIN (CALC_INDEX(0, 0, 2, 0))
#define OMEGA 1.85f
#define LID_SPEED 0.05f

enum { C, N, S, E, W, T, B, NE, NW, SE, SW, NT, NB, ST, SB, ET, EB, WT, WB, FLAGS };
enum { OBSTACLE = 1, LID = 2 };

__constant int ex[19] = {0, 0, 0, 1, -1, 0, 0, 1, -1, 1, -1, 0, 0, 0, 0, 1, 1, -1, -1};
__constant int ey[19] = {0, 1, -1, 0, 0, 0, 0, 1, 1, -1, -1, 1, 1, -1, -1, 0, 0, 0, 0};
__constant int ez[19] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1};

#define WEIGHT(e) ((e) == C ? 1.0f / 3.0f : (e) <= B ? 1.0f / 18.0f : 1.0f / 36.0f)
#define TEST_FLAG(cell, flag) (as_uint((cell)[FLAGS]) & (flag))
/* Entry e of the neighbour that a cell's e goes to. */
#define TO(cell, x, y, z, e) ((cell)[CALC_INDEX(x, y, z, e)])

__kernel void init_grid(__global float *grid)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    grid += MARGIN;
    __global float *cell = grid + CALC_INDEX(x, y, z, 0);
    uint flags = 0;
    if (x == 0 || x == SIZE_X - 1 || y == 0 || y == SIZE_Y - 1 || z == 0 ||
        z == SIZE_Z - 1)
        flags |= OBSTACLE;
    else if (z == SIZE_Z - 2)
        flags |= LID;
    for (int e = 0; e < 19; e++)
        *cell++ = WEIGHT(e);
    *cell = as_float(flags);
}

static void bounce_back(__global const float *src, __global float *dst)
{
    TO(dst, 0, 0, 0, C) = src[C];
    TO(dst, 0, -1, 0, S) = src[N];
    TO(dst, 0, +1, 0, N) = src[S];
    TO(dst, -1, 0, 0, W) = src[E];
    TO(dst, +1, 0, 0, E) = src[W];
    TO(dst, 0, 0, -1, B) = src[T];
    TO(dst, 0, 0, +1, T) = src[B];
    TO(dst, -1, -1, 0, SW) = src[NE];
    TO(dst, +1, -1, 0, SE) = src[NW];
    TO(dst, -1, +1, 0, NW) = src[SE];
    TO(dst, +1, +1, 0, NE) = src[SW];
    TO(dst, 0, -1, -1, SB) = src[NT];
    TO(dst, 0, -1, +1, ST) = src[NB];
    TO(dst, 0, +1, -1, NB) = src[ST];
    TO(dst, 0, +1, +1, NT) = src[SB];
    TO(dst, -1, 0, -1, WB) = src[ET];
    TO(dst, -1, 0, +1, WT) = src[EB];
    TO(dst, +1, 0, -1, EB) = src[WT];
    TO(dst, +1, 0, +1, ET) = src[WB];
}

static float4 moments(__global const float *src)
{
    float rho = 0.0f, ux = 0.0f, uy = 0.0f, uz = 0.0f;
    for (int e = 0; e < 19; e++, src++) {
        rho += *src;
        ux += ex[e] * *src;
        uy += ey[e] * *src;
        uz += ez[e] * *src;
    }
    return (float4)(ux / rho, uy / rho, uz / rho, rho);
}

__kernel void stream_collide(__global const float *src_grid, __global float *dst_grid)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    src_grid += MARGIN;
    dst_grid += MARGIN;
    __global const float *src = src_grid + CALC_INDEX(x, y, z, 0);
    __global float *dst = dst_grid + CALC_INDEX(x, y, z, 0);

    if (TEST_FLAG(src, OBSTACLE)) {
        bounce_back(src, dst);
        return;
    }
    float4 m = moments(src);
    if (TEST_FLAG(src, LID))
        m.xyz = (float3)(LID_SPEED, 0.4f * LID_SPEED, 0.0f);
    const float u2 = 1.5f * (m.x * m.x + m.y * m.y + m.z * m.z);
    for (int e = 0; e < 19; e++) {
        const float eu = ex[e] * m.x + ey[e] * m.y + ez[e] * m.z;
        const float eq = WEIGHT(e) * m.w * (1.0f + eu * (4.5f * eu + 3.0f) - u2);
        TO(dst, ex[e], ey[e], ez[e], e) = (1.0f - OMEGA) * src[e] + OMEGA * eq;
    }
}

/* Velocity and density of each cell, four floats a cell. */
__kernel void macroscopic(__global const float *grid, __global float *out)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    const int cell = x + y * SIZE_X + z * SIZE_X * SIZE_Y;
    __global const float *f = grid + MARGIN + cell * N_CELL_ENTRIES;
    vstore4(TEST_FLAG(f, OBSTACLE) ? (float4)(0.0f) : moments(f), cell, out);
}

/* What the cells of a row hold that are no wall. */
__kernel void row_mass(__global const float *grid, __global float *mass)
{
    const int y = get_global_id(0), z = get_global_id(1);
    __global const float *p = grid + MARGIN + CALC_INDEX(0, y, z, 0);
    __global const float *const end = p + SIZE_X * N_CELL_ENTRIES;
    float sum = 0.0f;
    while (p < end) {
        float cell_sum = 0.0f;
        for (int e = 0; e < 19; e++)
            cell_sum += *p++;
        if (!(as_uint(*p++) & OBSTACLE))
            sum += cell_sum;
    }
    mass[z * SIZE_Y + y] = sum;
}
