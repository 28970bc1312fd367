/* SPDX-License-Identifier: MIT */
/* One step of a lattice-Boltzmann fluid, D3Q19: each cell gathers what its neighbours
 * send it, then collides. -DLBM_FLAT addresses the same cells as a plain float buffer
 * through macros, and -DLBM_SOA does so with each direction in an array of its own.
 *
 * Every sum of products is spelled with fma: no a * b + c is left that one compilation of
 * this file could fuse and another not, so the result does not depend on the code around
 * it. */
#pragma OPENCL FP_CONTRACT OFF

/* The values of `flags`, a whole number kept as a float. */
#define CELL_SOLID 1
#define CELL_LID 2

/* What flows to each side: east is +x, north +y, top +z. */
typedef struct {
    float c, n, s, e, w, t, b;
    float ne, nw, se, sw;
    float nt, nb, st, sb;
    float et, eb, wt, wb;
    float flags;
} cell;

/* f moved towards the equilibrium `weight * (1 + 3 v + 4.5 v v + rest)`; v is the
 * velocity along f's direction. */
float relax(float f, float weight, float v, float rest, float omega)
{
    const float polynomial = fma(v, fma(v, 4.5f, 3.0f), rest);
    return fma(omega, fma(weight, polynomial, -f), f);
}

void collide(cell *f, float omega, float lid)
{
    const float rho = f->c + f->n + f->s + f->e + f->w + f->t + f->b + f->ne + f->nw +
                      f->se + f->sw + f->nt + f->nb + f->st + f->sb + f->et + f->eb +
                      f->wt + f->wb;
    float x = f->e - f->w + f->ne + f->se - f->nw - f->sw + f->et + f->eb - f->wt - f->wb;
    float y = f->n - f->s + f->ne + f->nw - f->se - f->sw + f->nt + f->nb - f->st - f->sb;
    float z = f->t - f->b + f->nt + f->st - f->nb - f->sb + f->et + f->wt - f->eb - f->wb;
    x /= rho;
    y /= rho;
    z /= rho;
    if ((int)f->flags == CELL_LID) {
        x = lid;
        y = 0.0f;
        z = 0.0f;
    }

    const float rest = fma(-1.5f, fma(x, x, fma(y, y, z * z)), 1.0f);
    const float centre = rho * (1.0f / 3.0f);
    const float face = rho * (1.0f / 18.0f);
    const float edge = rho * (1.0f / 36.0f);
    f->c = relax(f->c, centre, 0.0f, rest, omega);
    f->n = relax(f->n, face, y, rest, omega);
    f->s = relax(f->s, face, -y, rest, omega);
    f->e = relax(f->e, face, x, rest, omega);
    f->w = relax(f->w, face, -x, rest, omega);
    f->t = relax(f->t, face, z, rest, omega);
    f->b = relax(f->b, face, -z, rest, omega);
    f->ne = relax(f->ne, edge, x + y, rest, omega);
    f->nw = relax(f->nw, edge, y - x, rest, omega);
    f->se = relax(f->se, edge, x - y, rest, omega);
    f->sw = relax(f->sw, edge, -x - y, rest, omega);
    f->nt = relax(f->nt, edge, y + z, rest, omega);
    f->nb = relax(f->nb, edge, y - z, rest, omega);
    f->st = relax(f->st, edge, z - y, rest, omega);
    f->sb = relax(f->sb, edge, -y - z, rest, omega);
    f->et = relax(f->et, edge, x + z, rest, omega);
    f->eb = relax(f->eb, edge, x - z, rest, omega);
    f->wt = relax(f->wt, edge, z - x, rest, omega);
    f->wb = relax(f->wb, edge, -x - z, rest, omega);
}

/* A solid cell sends everything back where it came from. */
void bounce(cell *f)
{
    const cell in = *f;
    f->n = in.s;
    f->s = in.n;
    f->e = in.w;
    f->w = in.e;
    f->t = in.b;
    f->b = in.t;
    f->ne = in.sw;
    f->nw = in.se;
    f->se = in.nw;
    f->sw = in.ne;
    f->nt = in.sb;
    f->nb = in.st;
    f->st = in.nb;
    f->sb = in.nt;
    f->et = in.wb;
    f->eb = in.wt;
    f->wt = in.eb;
    f->wb = in.et;
}

#if !defined LBM_FLAT && !defined LBM_SOA

//DL: AoS: src[nx * ny * nz], dst[nx * ny * nz]
__kernel void lbm_step(__global const cell *src, __global cell *dst, int nx, int ny,
                       int nz, float omega, float lid)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    const int z = get_global_id(2);
    if (x >= nx)
        return; /* the global size is rounded up to whole work-groups */

    /* The grid is periodic: rows to the west, east, south, north, bottom and top. */
    const int west = x > 0 ? x - 1 : nx - 1;
    const int east = x < nx - 1 ? x + 1 : 0;
    const int row = nx * y;
    const int south = y > 0 ? row - nx : nx * (ny - 1);
    const int north = y < ny - 1 ? row + nx : 0;
    const int plane = nx * ny * z;
    const int bottom = z > 0 ? plane - nx * ny : nx * ny * (nz - 1);
    const int top = z < nz - 1 ? plane + nx * ny : 0;
    const int here = x + row + plane;

    cell f;
    f.c = src[here].c;
    f.n = src[x + south + plane].n;
    f.s = src[x + north + plane].s;
    f.e = src[west + row + plane].e;
    f.w = src[east + row + plane].w;
    f.t = src[x + row + bottom].t;
    f.b = src[x + row + top].b;
    f.ne = src[west + south + plane].ne;
    f.nw = src[east + south + plane].nw;
    f.se = src[west + north + plane].se;
    f.sw = src[east + north + plane].sw;
    f.nt = src[x + south + bottom].nt;
    f.nb = src[x + south + top].nb;
    f.st = src[x + north + bottom].st;
    f.sb = src[x + north + top].sb;
    f.et = src[west + row + bottom].et;
    f.eb = src[west + row + top].eb;
    f.wt = src[east + row + bottom].wt;
    f.wb = src[east + row + top].wb;
    f.flags = src[here].flags;

    if ((int)f.flags == CELL_SOLID)
        bounce(&f);
    else
        collide(&f, omega, lid);

    __global cell *out = dst + here;
    out->c = f.c;
    out->n = f.n;
    out->s = f.s;
    out->e = f.e;
    out->w = f.w;
    out->t = f.t;
    out->b = f.b;
    out->ne = f.ne;
    out->nw = f.nw;
    out->se = f.se;
    out->sw = f.sw;
    out->nt = f.nt;
    out->nb = f.nb;
    out->st = f.st;
    out->sb = f.sb;
    out->et = f.et;
    out->eb = f.eb;
    out->wt = f.wt;
    out->wb = f.wb;
    out->flags = f.flags;
}

#else

enum direction {
    C,
    N,
    S,
    E,
    W,
    T,
    B,
    NE,
    NW,
    SE,
    SW,
    NT,
    NB,
    ST,
    SB,
    ET,
    EB,
    WT,
    WB,
    FLAGS
};
#define CELL_FLOATS 20

#define WRAP(i, n) ((i) < 0 ? (i) + (n) : (i) >= (n) ? (i) - (n) : (i))
#define CELL(x, y, z) (WRAP(x, nx) + nx * (WRAP(y, ny) + ny * WRAP(z, nz)))
#ifdef LBM_SOA
#define FROM(dx, dy, dz, field) src[(field)*cells + CELL(x + (dx), y + (dy), z + (dz))]
#define TO(field) dst[(field)*cells + CELL(x, y, z)]

//DL: SoA: src[nx * ny * nz][CELL_FLOATS], dst[nx * ny * nz][CELL_FLOATS] to ASTA
#else
#define FROM(dx, dy, dz, field)                                                          \
    src[CELL(x + (dx), y + (dy), z + (dz)) * CELL_FLOATS + (field)]
#define TO(field) dst[CELL(x, y, z) * CELL_FLOATS + (field)]

//DL: AoS: src[nx * ny * nz][CELL_FLOATS], dst[nx * ny * nz][CELL_FLOATS]
#endif
__kernel void lbm_step(__global const float *src, __global float *dst, int nx, int ny,
                       int nz, float omega, float lid)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    const int z = get_global_id(2);
    if (x >= nx)
        return;
#ifdef LBM_SOA
    const int cells = nx * ny * nz;
#endif

    cell f;
    f.c = FROM(0, 0, 0, C);
    f.n = FROM(0, -1, 0, N);
    f.s = FROM(0, +1, 0, S);
    f.e = FROM(-1, 0, 0, E);
    f.w = FROM(+1, 0, 0, W);
    f.t = FROM(0, 0, -1, T);
    f.b = FROM(0, 0, +1, B);
    f.ne = FROM(-1, -1, 0, NE);
    f.nw = FROM(+1, -1, 0, NW);
    f.se = FROM(-1, +1, 0, SE);
    f.sw = FROM(+1, +1, 0, SW);
    f.nt = FROM(0, -1, -1, NT);
    f.nb = FROM(0, -1, +1, NB);
    f.st = FROM(0, +1, -1, ST);
    f.sb = FROM(0, +1, +1, SB);
    f.et = FROM(-1, 0, -1, ET);
    f.eb = FROM(-1, 0, +1, EB);
    f.wt = FROM(+1, 0, -1, WT);
    f.wb = FROM(+1, 0, +1, WB);
    f.flags = FROM(0, 0, 0, FLAGS);

    if ((int)f.flags == CELL_SOLID)
        bounce(&f);
    else
        collide(&f, omega, lid);

    TO(C) = f.c;
    TO(N) = f.n;
    TO(S) = f.s;
    TO(E) = f.e;
    TO(W) = f.w;
    TO(T) = f.t;
    TO(B) = f.b;
    TO(NE) = f.ne;
    TO(NW) = f.nw;
    TO(SE) = f.se;
    TO(SW) = f.sw;
    TO(NT) = f.nt;
    TO(NB) = f.nb;
    TO(ST) = f.st;
    TO(SB) = f.sb;
    TO(ET) = f.et;
    TO(EB) = f.eb;
    TO(WT) = f.wt;
    TO(WB) = f.wb;
    TO(FLAGS) = f.flags;
}

#endif
