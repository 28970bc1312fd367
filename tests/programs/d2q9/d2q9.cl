/* SPDX-License-Identifier: MIT */
/* Lattice Boltzmann in two dimensions (D2Q9, BGK), a cell's nine speeds in a struct:
 *   6 2 5
 *   3 0 1
 *   7 4 8 */
#define NSPEEDS 9

typedef struct {
    float speeds[NSPEEDS];
} t_speed;

typedef struct {
    int nx, ny;
    float density, accel, omega;
} t_param;

typedef struct {
    float rho;
    float2 u;
} t_macro;

__kernel void accelerate_flow(__global t_speed *cells, __global const int *obstacles,
                              const t_param params)
{
    const float w1 = params.density * params.accel / 9.0f;
    const float w2 = params.density * params.accel / 36.0f;
    const int jj = params.ny - 2; /* the second row from the top */
    const int ii = get_global_id(0);
    const int cell = ii + jj * params.nx;

    if (obstacles[cell] || cells[cell].speeds[3] - w1 <= 0.0f ||
        cells[cell].speeds[6] - w2 <= 0.0f || cells[cell].speeds[7] - w2 <= 0.0f)
        return;
    cells[cell].speeds[1] += w1;
    cells[cell].speeds[5] += w2;
    cells[cell].speeds[8] += w2;
    cells[cell].speeds[3] -= w1;
    cells[cell].speeds[6] -= w2;
    cells[cell].speeds[7] -= w2;
}

__kernel void propagate(__global const t_speed *cells, __global t_speed *tmp_cells,
                        const t_param params)
{
    const int nx = params.nx, ny = params.ny;
    const int ii = get_global_id(0), jj = get_global_id(1);
    const int y_n = (jj + 1) % ny, x_e = (ii + 1) % nx;
    const int y_s = jj == 0 ? ny - 1 : jj - 1;
    const int x_w = ii == 0 ? nx - 1 : ii - 1;
    __global t_speed *to = &tmp_cells[ii + jj * nx];

    to->speeds[0] = cells[ii + jj * nx].speeds[0];
    to->speeds[1] = cells[x_w + jj * nx].speeds[1];
    to->speeds[2] = cells[ii + y_s * nx].speeds[2];
    to->speeds[3] = cells[x_e + jj * nx].speeds[3];
    to->speeds[4] = cells[ii + y_n * nx].speeds[4];
    to->speeds[5] = cells[x_w + y_s * nx].speeds[5];
    to->speeds[6] = cells[x_e + y_s * nx].speeds[6];
    to->speeds[7] = cells[x_e + y_n * nx].speeds[7];
    to->speeds[8] = cells[x_w + y_n * nx].speeds[8];
}

__kernel void rebound(__global t_speed *cells, __global const t_speed *tmp_cells,
                      __global const int *obstacles, const t_param params)
{
    const int cell = get_global_id(0) + get_global_id(1) * params.nx;
    if (!obstacles[cell])
        return;
    const t_speed in = tmp_cells[cell];
    t_speed out = {{in.speeds[0], in.speeds[3], in.speeds[4], in.speeds[1], in.speeds[2],
                    in.speeds[7], in.speeds[8], in.speeds[5], in.speeds[6]}};
    cells[cell] = out;
}

static t_macro moments(const float *f)
{
    t_macro m;
    m.rho = 0.0f;
    for (int kk = 0; kk < NSPEEDS; kk++)
        m.rho += f[kk];
    m.u.x = (f[1] + f[5] + f[8] - (f[3] + f[6] + f[7])) / m.rho;
    m.u.y = (f[2] + f[5] + f[6] - (f[4] + f[7] + f[8])) / m.rho;
    return m;
}

static void equilibrium(const t_macro *m, float *d_equ)
{
    const float w0 = 4.0f / 9.0f, w1 = 1.0f / 9.0f, w2 = 1.0f / 36.0f;
    const float u_sq = dot(m->u, m->u);
    const float2 u = m->u;
    const float along[NSPEEDS] = {0.0f,      u.x,        u.y,        -u.x,     -u.y,
                                  u.x + u.y, -u.x + u.y, -u.x - u.y, u.x - u.y};
    for (int kk = 0; kk < NSPEEDS; kk++) {
        const float w = kk == 0 ? w0 : kk < 5 ? w1 : w2;
        d_equ[kk] =
            w * m->rho *
            (1.0f + 3.0f * along[kk] + 4.5f * along[kk] * along[kk] - 1.5f * u_sq);
    }
}

__kernel void collision(__global t_speed *cells, __global const t_speed *tmp_cells,
                        __global const int *obstacles, const t_param params)
{
    const int cell = get_global_id(0) + get_global_id(1) * params.nx;
    if (obstacles[cell])
        return;
    t_speed f = tmp_cells[cell];
    float d_equ[NSPEEDS];
    const t_macro m = moments(f.speeds);
    equilibrium(&m, d_equ);
    for (int kk = 0; kk < NSPEEDS; kk++)
        cells[cell].speeds[kk] = f.speeds[kk] + params.omega * (d_equ[kk] - f.speeds[kk]);
}

/* The sum of the speeds of a group's cells, added up in a tree. */
__kernel void av_velocity(__global const t_speed *cells, __global const int *obstacles,
                          __local float *sums, __global float *partial,
                          const int cell_count)
{
    const int cell = get_global_id(0), local_id = get_local_id(0);
    float speed = 0.0f;
    if (cell < cell_count && !obstacles[cell]) {
        float f[NSPEEDS];
        for (int kk = 0; kk < NSPEEDS; kk++)
            f[kk] = cells[cell].speeds[kk];
        const t_macro m = moments(f);
        speed = sqrt(dot(m.u, m.u));
    }
    sums[local_id] = speed;
    for (int half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (local_id < half_size)
            sums[local_id] += sums[local_id + half_size];
    }
    if (local_id == 0)
        partial[get_group_id(0)] = sums[0];
}
