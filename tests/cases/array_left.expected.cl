// run: go structs structs n
// run: flat structs structs n
/* Pointers into an array member that go on behind it, before it and into other structs. */
typedef struct {
    float w[4];
    float x;
    int id[2];
    float z[2];
} cell;

typedef struct {
    short kind[2];
    double d;
    float w[6];
} mixed;

float total(__global const float *from, __global const float *to)
{
    float s = 0.0f;

    while (from < to)
        s += *from++;
    return s;
}

//DL: AoS: f[n] AOS2ASTA_cell, g[n] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static __global float *dl_cell_float(__global const cell *dl_f, dl_part dl_p DL_FORMALS)
{
    return DL_ANY_AT(float, dl_f, dl_p.dl_i, 36, 0 + dl_p.dl_o, 4);
}
#line 17
static DL_INLINE float dl_total(__global const float *from, dl_part dl_at_from DL_PARAMS(from), __global const float *to, dl_part dl_at_to DL_PARAMS(to))
{
    float s = 0.0f;

    while ((dl_apart(dl_at_from, dl_at_to, 36) < 0))
        s += (*dl_cell_float((__global const cell *)from, (dl_at_from.dl_o += 4, dl_moved(dl_at_from, (dl_index)0 - 4)) DL_ARGS(from)));
    return s;
}
static float4 dl_cell_float_vload4(dl_index dl_o, __global const cell *dl_f, dl_part dl_p DL_FORMALS)
{
    return (float4)(*DL_ANY_AT(float, dl_f, dl_p.dl_i, 36, 0 + dl_p.dl_o + dl_o * 16, 4), *DL_ANY_AT(float, dl_f, dl_p.dl_i, 36, 4 + dl_p.dl_o + dl_o * 16, 4), *DL_ANY_AT(float, dl_f, dl_p.dl_i, 36, 8 + dl_p.dl_o + dl_o * 16, 4), *DL_ANY_AT(float, dl_f, dl_p.dl_i, 36, 12 + dl_p.dl_o + dl_o * 16, 4));
}
//DL-kernel: go 3
//DL-sums: contractable
//DL-buffer: f arg 0 write aos bytes 36 line 26 type cell
//DL-leaves: 0+4*9
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+36 read write walks
//DL-access: uniform 0+36 write
//DL-buffer: g arg 1 read aos bytes 36 line 26 type cell
//DL-leaves: 0+4*9
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+36 read walks loops 1 counted 1 rounds 5
//DL-access: linear 1 8+4 read
//DL-access: linear 1 0+36 read walks
//DL-access: uniform 0+36 read
//DL-access: uniform 0+36 read walks loops 1 line 21
//DL-access: linear 1 0+36 read
//DL-end: go
#line 27
__kernel void go(__global cell *f, __global const cell *g, int n DL_PARAMS(f) DL_PARAMS(g))
{
    int i = get_global_id(0), next = i + 1 < n ? i + 1 : 0;
    dl_part x = dl_part_at(i, 0), back = dl_part_at(i, 28), all = dl_part_at(0, 0), end;
    dl_part to = dl_part_at(i, 0);
    float s = 0.0f;

    for (int k = 0; k < 5; k++)
        s += (*dl_cell_float(g, dl_moved(x, (dl_index)(k) * 4) DL_ARGS(g))) * k;
    s += (*dl_cell_float(g, dl_moved(back, (dl_index)(-5) * 4) DL_ARGS(g))) + (*dl_cell_float(g, dl_moved(back, (dl_index)(-7 - 9 * (i > 0)) * 4) DL_ARGS(g)));
    s += (*dl_cell_float(g, dl_moved(all, (dl_index)(i * 9 + (i & 3)) * 4) DL_ARGS(g))) + (*dl_cell_float(g, dl_moved(all, (dl_index)(next * 9 + 4) * 4) DL_ARGS(g)));
    s += (*dl_cell_float(g, (dl_moved(dl_moved(x, (dl_index)((next - i) * 9) * 4), (dl_index)(1) * 4)) DL_ARGS(g)));
    x.dl_o += (dl_index)((next - i) * 9) * 4;
    s += (*dl_cell_float(g, dl_moved(x, (dl_index)(2) * 4) DL_ARGS(g))) - (dl_same(x, dl_part_at(next, 0), 36)) - (!dl_same(x, dl_part_at(i, 0), 36)) + (float)(((dl_difference)dl_apart(x, all, 36) / 4));
    end = dl_moved(dl_part_at(n - 1, 0), (dl_index)(4) * 4);
    s += dl_total((__global float *)g, dl_part_at(n / 2, 0) DL_ARGS(g), (__global float *)g, dl_moved(dl_part_at(n / 2, 0), (dl_index)(5) * 4) DL_ARGS(g)) + ((dl_apart(all, end, 36) <= 0)) + ((dl_apart(x, end, 36) > 0));
    s += dl_cell_float_vload4((next - i) * 9 / 9, g, dl_moved(x, (dl_index)0 - (dl_index)(4 * ((next - i) * 9 / 9)) * 4) DL_ARGS(g)).s1;
    (*dl_cell_float(f, dl_moved(to, (dl_index)((i & 1) * 4) * 4) DL_ARGS(f))) += s;
    to = dl_part_at(0, 28);
    (*dl_cell_float(f, dl_moved(to, (dl_index)(i * 9 + 1) * 4) DL_ARGS(f))) = s;
}

//DL: AoS: f[n] AOS2ASTA_mixed, g[n] AOS2ASTA_mixed
static __global float *dl_mixed_float(__global const mixed *dl_f, dl_part dl_p DL_FORMALS)
{
    return DL_ANY_AT(float, dl_f, dl_p.dl_i, 40, 0 + dl_p.dl_o, 4);
}
static __global float *dl_mixed_w(__global const mixed *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(float, dl_f, dl_i, 40, 16 + dl_k0 * 4, 4);
}
//DL-kernel: flat 3
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 40 line 49 type mixed
//DL-leaves: 0+2*2 4+4 8+8 16+4*6
//DL-structs: arg(2, i4, 0)
//DL-gaps: 4+4
//DL-access: uniform 0+40 read write
//DL-access: linear 1 20+4 read
//DL-buffer: g arg 1 read aos bytes 40 line 49 type mixed
//DL-leaves: 0+2*2 4+4 8+8 16+4*6
//DL-structs: arg(2, i4, 0)
//DL-access: uniform 0+40 read
//DL-access: uniform 16+24 read
//DL-end: flat
#line 50
__kernel void flat(__global mixed *f, __global const mixed *g, int n DL_PARAMS(f) DL_PARAMS(g))
{
    int i = get_global_id(0);
    dl_part to = dl_part_at(0, 16);
    dl_part from = dl_part_at(n - 1, 16);
    int per = sizeof(mixed) / sizeof(float);

    (*dl_mixed_float(f, dl_moved(to, (dl_index)(i * per + 2) * 4) DL_ARGS(f))) = (*dl_mixed_float(g, dl_moved(from, (dl_index)((i - (n - 1)) * per + 5) * 4) DL_ARGS(g)));
    to.dl_o += (dl_index)(i * per) * 4;
    (*dl_mixed_float(f, dl_moved(to, (dl_index)(3) * 4) DL_ARGS(f))) += (*dl_mixed_w(f, i, (1) DL_ARGS(f))) + (*dl_mixed_w(g, 0, (i * per) DL_ARGS(g)));
}
