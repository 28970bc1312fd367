// run: move structs structs words:1 n
// group: 8
#define AT(i) order[i]
typedef struct {
    float a[3];
    int b;
    float4 c;
    long d[2];
} cell;

typedef struct {
    float x, y, z;
} point;

float sum(const cell c)
{
    return c.a[0] + c.c.y;
}

//DL: AoS: from[n] AOS2ASTA_cell, to[n] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static cell dl_cell_load(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    cell dl_s;
    dl_s.a[0] = *DL_AT(float, dl_f, dl_i, 48, 0, 4);
    dl_s.a[1] = *DL_AT(float, dl_f, dl_i, 48, 4, 4);
    dl_s.a[2] = *DL_AT(float, dl_f, dl_i, 48, 8, 4);
    dl_s.b = *DL_AT(int, dl_f, dl_i, 48, 12, 4);
    dl_s.c = *DL_AT(float4, dl_f, dl_i, 48, 16, 16);
    dl_s.d[0] = *DL_AT(long, dl_f, dl_i, 48, 32, 8);
    dl_s.d[1] = *DL_AT(long, dl_f, dl_i, 48, 40, 8);
    return dl_s;
}
static cell dl_cell_store(__global const cell *dl_f, dl_index dl_i DL_FORMALS, cell dl_s)
{
    *DL_AT(float, dl_f, dl_i, 48, 0, 4) = dl_s.a[0];
    *DL_AT(float, dl_f, dl_i, 48, 4, 4) = dl_s.a[1];
    *DL_AT(float, dl_f, dl_i, 48, 8, 4) = dl_s.a[2];
    *DL_AT(int, dl_f, dl_i, 48, 12, 4) = dl_s.b;
    *DL_AT(float4, dl_f, dl_i, 48, 16, 16) = dl_s.c;
    *DL_AT(long, dl_f, dl_i, 48, 32, 8) = dl_s.d[0];
    *DL_AT(long, dl_f, dl_i, 48, 40, 8) = dl_s.d[1];
    return dl_s;
}
//DL-kernel: move 4
//DL-sums: contractable
//DL-buffer: from arg 0 read aos bytes 48 line 20 type cell
//DL-leaves: 0+4*4 16+16 32+8*2
//DL-structs: arg(3, i4, 0)
//DL-access: gather 0+48 read
//DL-buffer: to arg 1 write aos bytes 48 line 20 type cell
//DL-leaves: 0+4*4 16+16 32+8*2
//DL-structs: arg(3, i4, 0)
//DL-access: linear 1 0+48 write
//DL-end: move
#line 21
kernel void move(global const cell *from, global cell *to, global const uint *order, int n DL_PARAMS(from) DL_PARAMS(to))
{
    const int i = get_global_id(0);
    if (i >= n)
        return; // more work-items than structs
    const uint j = AT(i) % n, k = j;
    const cell c = dl_cell_load(from, k DL_ARGS(from));
    cell d = c;

    for (int l = 0; l < 3; l++)
        d.a[l] *= 2;
    if (d.b & 1)
        d.d[1] -= (long)sum(c);
    dl_cell_store(to, i DL_ARGS(to), d);
}

//DL: AoS: f[n] AOS2ASTA_point, g[n] AOS2ASTA_point
static __global float *dl_point_x(__global const point *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 12, 0, 4);
}
static point dl_point_load(__global const point *dl_f, dl_index dl_i DL_FORMALS)
{
    point dl_s;
    dl_s.x = *DL_AT(float, dl_f, dl_i, 12, 0, 4);
    dl_s.y = *DL_AT(float, dl_f, dl_i, 12, 4, 4);
    dl_s.z = *DL_AT(float, dl_f, dl_i, 12, 8, 4);
    return dl_s;
}
static point dl_point_store(__global const point *dl_f, dl_index dl_i DL_FORMALS, point dl_s)
{
    *DL_AT(float, dl_f, dl_i, 12, 0, 4) = dl_s.x;
    *DL_AT(float, dl_f, dl_i, 12, 4, 4) = dl_s.y;
    *DL_AT(float, dl_f, dl_i, 12, 8, 4) = dl_s.z;
    return dl_s;
}
//DL-kernel: inner 3
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 12 line 37 type point
//DL-leaves: 0+4*3
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+4 read
//DL-access: linear 1 0+12 read write conditional
//DL-buffer: g arg 1 write aos bytes 12 line 37 type point
//DL-leaves: 0+4*3
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+12 write conditional
//DL-end: inner
#line 38
kernel void inner(global point *f, global point *g, int n DL_PARAMS(f) DL_PARAMS(g))
{
    const size_t i = get_global_id(0) + 1;

    if (i < n && (*dl_point_x(f, i DL_ARGS(f))) > 0) {
        point p = dl_point_load(f, i - 1 DL_ARGS(f)), q;

        if (p.x < p.y)
            p.z = p.x;
        q = p;
        dl_point_store(f, i - 1 DL_ARGS(f), p);
        dl_point_store(g, i - 1 DL_ARGS(g), q);
    }
}

// The second store reads what the first may have written.
//DL: AoS: f[n] AOS2ASTA_point, g[n] AOS2ASTA_point
//DL-kernel: twice 3
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 12 line 54 type point
//DL-leaves: 0+4*3
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+12 read write
//DL-buffer: g arg 1 write aos bytes 12 line 54 type point
//DL-leaves: 0+4*3
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+12 read write
//DL-end: twice
#line 55
kernel void twice(global point *f, global point *g, int n DL_PARAMS(f) DL_PARAMS(g))
{
    const size_t i = get_global_id(0);

    if (i < n) {
        point p = dl_point_load(g, i DL_ARGS(g));

        p.x += 1;
        dl_point_store(f, i DL_ARGS(f), p);
        dl_point_store(g, i DL_ARGS(g), dl_point_load(f, i DL_ARGS(f)));
    }
}
