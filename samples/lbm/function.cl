/* SPDX-License-Identifier: MIT */
/* The same fluid as lbm.cl's, in place on one grid: what flows in pairs of opposite
 * directions changes places with the neighbours at every other step (Lehmann 2022,
 * esoteric pull). Where a direction of a cell lies says one function, as programs do that
 * have several layouts:
 *   LBM_FORM    0: cells one after the other; 1: an array for each direction; 2: tiles of
 *               LBM_TILE cells, by hand
 *   LBM_BITS    of an element: 32, or 16 with conversions
 *   LBM_X, LBM_Y, LBM_Z  cells
 *
 * Every sum of products is spelled with fma, as in lbm.cl. */
#pragma OPENCL FP_CONTRACT OFF

#define DIRECTIONS 19u
#define CELLS ((ulong)LBM_X * LBM_Y * LBM_Z)
#define CELL_SOLID 1
#define CELL_LID 2

#if LBM_BITS == 16
typedef half element;
#define LOAD(f, at) vload_half(at, f)
#define STORE(f, at, value) vstore_half(value, at, f)
#else
typedef float element;
#define LOAD(f, at) (f)[at]
#define STORE(f, at, value) ((f)[at] = (value))
#endif

ulong index_f(const uint n, const uint i)
{
#if LBM_FORM == 0
    return (ulong)n * DIRECTIONS + (ulong)i;
#elif LBM_FORM == 1
    return (ulong)i * CELLS + (ulong)n;
#else
    return (ulong)(n / LBM_TILE) * (DIRECTIONS * LBM_TILE) +
           (ulong)(i * LBM_TILE + n % LBM_TILE);
#endif
}

/* The neighbours by the first direction of each pair: n, e, t, ne, nw, nt, nb, et, eb.
 * The grid is periodic. */
void find_neighbours(const uint x, const uint y, const uint z, uint *j)
{
    const uint east = x + 1u < LBM_X ? x + 1u : 0u, west = x > 0u ? x - 1u : LBM_X - 1u;
    const uint row = LBM_X * y, plane = LBM_X * LBM_Y * z;
    const uint north = y + 1u < LBM_Y ? row + LBM_X : 0u;
    const uint top = z + 1u < LBM_Z ? plane + LBM_X * LBM_Y : 0u;
    const uint bottom = z > 0u ? plane - LBM_X * LBM_Y : LBM_X * LBM_Y * (LBM_Z - 1u);

    j[1] = x + north + plane;
    j[3] = east + row + plane;
    j[5] = x + row + top;
    j[7] = east + north + plane;
    j[9] = west + north + plane;
    j[11] = x + north + top;
    j[13] = x + north + bottom;
    j[15] = east + row + top;
    j[17] = east + row + bottom;
}

void load_f(const uint n, float *f, __global const element *fi, const uint *j,
            const ulong t)
{
    f[0] = LOAD(fi, index_f(n, 0u));
    for (uint i = 1u; i < DIRECTIONS; i += 2u) {
        f[i] = LOAD(fi, index_f(n, t % 2ul ? i : i + 1u));
        f[i + 1u] = LOAD(fi, index_f(j[i], t % 2ul ? i + 1u : i));
    }
}

void store_f(const uint n, const float *f, __global element *fi, const uint *j,
             const ulong t)
{
    STORE(fi, index_f(n, 0u), f[0]);
    for (uint i = 1u; i < DIRECTIONS; i += 2u) {
        STORE(fi, index_f(j[i], t % 2ul ? i + 1u : i), f[i]);
        STORE(fi, index_f(n, t % 2ul ? i : i + 1u), f[i + 1u]);
    }
}

/* f moved towards the equilibrium `weight * (1 + 3 v + 4.5 v v + rest)`. */
float relax(const float f, const float weight, const float v, const float rest,
            const float omega)
{
    const float polynomial = fma(v, fma(v, 4.5f, 3.0f), rest);
    return fma(omega, fma(weight, polynomial, -f), f);
}

/* The directions: c, n, s, e, w, t, b, ne, sw, nw, se, nt, sb, nb, st, et, wb, eb, wt. */
void collide(float *f, const float omega, const float lid, const bool is_lid)
{
    float rho = f[0], x, y, z;
    for (uint i = 1u; i < DIRECTIONS; i++)
        rho += f[i];
    x = f[3] - f[4] + f[7] - f[8] - f[9] + f[10] + f[15] - f[16] + f[17] - f[18];
    y = f[1] - f[2] + f[7] - f[8] + f[9] - f[10] + f[11] - f[12] + f[13] - f[14];
    z = f[5] - f[6] + f[11] - f[12] - f[13] + f[14] + f[15] - f[16] - f[17] + f[18];
    x = is_lid ? lid : x / rho;
    y = is_lid ? 0.0f : y / rho;
    z = is_lid ? 0.0f : z / rho;

    const float rest = fma(-1.5f, fma(x, x, fma(y, y, z * z)), 1.0f);
    const float face = rho * (1.0f / 18.0f), edge = rho * (1.0f / 36.0f);
    const float along[9] = {y, x, z, x + y, y - x, y + z, y - z, x + z, x - z};
    f[0] = relax(f[0], rho * (1.0f / 3.0f), 0.0f, rest, omega);
    for (uint i = 1u; i < DIRECTIONS; i += 2u) {
        const float weight = i < 7u ? face : edge;
        f[i] = relax(f[i], weight, along[i / 2u], rest, omega);
        f[i + 1u] = relax(f[i + 1u], weight, -along[i / 2u], rest, omega);
    }
}

__kernel void lbm_in_place(__global element *fi, __global const uchar *flags,
                           const ulong t, const float omega, const float lid)
{
    const uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    const uint n = x + LBM_X * (y + LBM_Y * z);
    uint j[DIRECTIONS];
    float f[DIRECTIONS];
    if (x >= LBM_X)
        return; /* the global size is rounded up to whole work-groups */

    find_neighbours(x, y, z, j);
    load_f(n, f, fi, j, t);
    if (flags[n] == CELL_SOLID) { /* it sends everything back */
        for (uint i = 1u; i < DIRECTIONS; i += 2u) {
            const float first = f[i];
            f[i] = f[i + 1u];
            f[i + 1u] = first;
        }
    } else {
        collide(f, omega, lid, flags[n] == CELL_LID);
    }
    store_f(n, f, fi, j, t);
}
