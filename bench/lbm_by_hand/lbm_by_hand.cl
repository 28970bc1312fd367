/* SPDX-License-Identifier: MIT */
/* lbm_step as one would port it by hand: tiles of TILE cells, a cell's floats TILE apart.
 * Goes behind samples/lbm/lbm.cl, whose cell, collide and bounce it uses. The grid is
 * whole tiles. */
#define TILE 32
#define AT(cell, field)                                                                  \
    ((cell) / TILE * (TILE * CELL_FLOATS) + (field)*TILE + (cell) % TILE)
#define HAND_FROM(cell, field) src[AT((uint)(cell), field)]
#define HAND_TO(field) dst[AT((uint)here, field)]

void store(__global float *dst, int here, const cell *f)
{
    HAND_TO(C) = f->c;
    HAND_TO(N) = f->n;
    HAND_TO(S) = f->s;
    HAND_TO(E) = f->e;
    HAND_TO(W) = f->w;
    HAND_TO(T) = f->t;
    HAND_TO(B) = f->b;
    HAND_TO(NE) = f->ne;
    HAND_TO(NW) = f->nw;
    HAND_TO(SE) = f->se;
    HAND_TO(SW) = f->sw;
    HAND_TO(NT) = f->nt;
    HAND_TO(NB) = f->nb;
    HAND_TO(ST) = f->st;
    HAND_TO(SB) = f->sb;
    HAND_TO(ET) = f->et;
    HAND_TO(EB) = f->eb;
    HAND_TO(WT) = f->wt;
    HAND_TO(WB) = f->wb;
    HAND_TO(FLAGS) = f->flags;
}

__kernel void lbm_step_by_hand(__global const float *src, __global float *dst, int nx,
                               int ny, int nz, float omega, float lid)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    const int z = get_global_id(2);
    if (x >= nx)
        return;

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
    f.c = HAND_FROM(here, C);
    f.n = HAND_FROM(x + south + plane, N);
    f.s = HAND_FROM(x + north + plane, S);
    f.e = HAND_FROM(west + row + plane, E);
    f.w = HAND_FROM(east + row + plane, W);
    f.t = HAND_FROM(x + row + bottom, T);
    f.b = HAND_FROM(x + row + top, B);
    f.ne = HAND_FROM(west + south + plane, NE);
    f.nw = HAND_FROM(east + south + plane, NW);
    f.se = HAND_FROM(west + north + plane, SE);
    f.sw = HAND_FROM(east + north + plane, SW);
    f.nt = HAND_FROM(x + south + bottom, NT);
    f.nb = HAND_FROM(x + south + top, NB);
    f.st = HAND_FROM(x + north + bottom, ST);
    f.sb = HAND_FROM(x + north + top, SB);
    f.et = HAND_FROM(west + row + bottom, ET);
    f.eb = HAND_FROM(west + row + top, EB);
    f.wt = HAND_FROM(east + row + bottom, WT);
    f.wb = HAND_FROM(east + row + top, WB);
    f.flags = HAND_FROM(here, FLAGS);

    if ((int)f.flags == CELL_SOLID)
        bounce(&f);
    else
        collide(&f, omega, lid);

    store(dst, here, &f);
}
