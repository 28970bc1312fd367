// vload and vstore through pointers into an array member.
typedef struct {
    int kind;
    float m[8];
    short s[6];
} cell;

float4 upper(__global const float *m)
{
    return vload4(1, m) + vload4(0, m + 2);
}

void put(__global float *m, float2 v, int k)
{
    vstore2(v.yx, k & 3, m);
}

//DL: AoS: f[n] AOS2ASTA_cell, g[n] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static float4 dl_cell_float_vload4(dl_index dl_o, __global const cell *dl_f, dl_part dl_p DL_FORMALS)
{
    return (float4)(*DL_ANY_AT(float, dl_f, dl_p.dl_i, 48, 0 + dl_p.dl_o + dl_o * 16, 4), *DL_ANY_AT(float, dl_f, dl_p.dl_i, 48, 4 + dl_p.dl_o + dl_o * 16, 4), *DL_ANY_AT(float, dl_f, dl_p.dl_i, 48, 8 + dl_p.dl_o + dl_o * 16, 4), *DL_ANY_AT(float, dl_f, dl_p.dl_i, 48, 12 + dl_p.dl_o + dl_o * 16, 4));
}
#line 8
static DL_INLINE float4 dl_upper(__global const float *m, dl_part dl_at_m DL_PARAMS(m))
{
    return dl_cell_float_vload4(1, (__global const cell *)m, dl_at_m DL_ARGS(m)) + dl_cell_float_vload4(0, (__global const cell *)m, dl_moved(dl_at_m, (dl_index)(2) * 4) DL_ARGS(m));
}
static void dl_cell_float_vstore2(float2 dl_v, dl_index dl_o, __global const cell *dl_f, dl_part dl_p DL_FORMALS)
{
    *DL_ANY_AT(float, dl_f, dl_p.dl_i, 48, 0 + dl_p.dl_o + dl_o * 8, 4) = dl_v.s0;
    *DL_ANY_AT(float, dl_f, dl_p.dl_i, 48, 4 + dl_p.dl_o + dl_o * 8, 4) = dl_v.s1;
}
#line 13
static DL_INLINE void dl_put(__global float *m, dl_part dl_at_m DL_PARAMS(m), float2 v, int k)
{
    dl_cell_float_vstore2(v.yx, k & 3, (__global const cell *)m, dl_at_m DL_ARGS(m));
}
static void dl_cell_float_vstore4(float4 dl_v, dl_index dl_o, __global const cell *dl_f, dl_part dl_p DL_FORMALS)
{
    *DL_ANY_AT(float, dl_f, dl_p.dl_i, 48, 0 + dl_p.dl_o + dl_o * 16, 4) = dl_v.s0;
    *DL_ANY_AT(float, dl_f, dl_p.dl_i, 48, 4 + dl_p.dl_o + dl_o * 16, 4) = dl_v.s1;
    *DL_ANY_AT(float, dl_f, dl_p.dl_i, 48, 8 + dl_p.dl_o + dl_o * 16, 4) = dl_v.s2;
    *DL_ANY_AT(float, dl_f, dl_p.dl_i, 48, 12 + dl_p.dl_o + dl_o * 16, 4) = dl_v.s3;
}
static void dl_cell_float_vstore3(float3 dl_v, dl_index dl_o, __global const cell *dl_f, dl_part dl_p DL_FORMALS)
{
    *DL_ANY_AT(float, dl_f, dl_p.dl_i, 48, 0 + dl_p.dl_o + dl_o * 12, 4) = dl_v.s0;
    *DL_ANY_AT(float, dl_f, dl_p.dl_i, 48, 4 + dl_p.dl_o + dl_o * 12, 4) = dl_v.s1;
    *DL_ANY_AT(float, dl_f, dl_p.dl_i, 48, 8 + dl_p.dl_o + dl_o * 12, 4) = dl_v.s2;
}
static float3 dl_cell_float_vload3(dl_index dl_o, __global const cell *dl_f, dl_part dl_p DL_FORMALS)
{
    return (float3)(*DL_ANY_AT(float, dl_f, dl_p.dl_i, 48, 0 + dl_p.dl_o + dl_o * 12, 4), *DL_ANY_AT(float, dl_f, dl_p.dl_i, 48, 4 + dl_p.dl_o + dl_o * 12, 4), *DL_ANY_AT(float, dl_f, dl_p.dl_i, 48, 8 + dl_p.dl_o + dl_o * 12, 4));
}
static float2 dl_cell_float_vload2(dl_index dl_o, __global const cell *dl_f, dl_part dl_p DL_FORMALS)
{
    return (float2)(*DL_ANY_AT(float, dl_f, dl_p.dl_i, 48, 0 + dl_p.dl_o + dl_o * 8, 4), *DL_ANY_AT(float, dl_f, dl_p.dl_i, 48, 4 + dl_p.dl_o + dl_o * 8, 4));
}
static void dl_cell_short_vstore4(short4 dl_v, dl_index dl_o, __global const cell *dl_f, dl_part dl_p DL_FORMALS)
{
    *DL_ANY_AT(short, dl_f, dl_p.dl_i, 48, 0 + dl_p.dl_o + dl_o * 8, 2) = dl_v.s0;
    *DL_ANY_AT(short, dl_f, dl_p.dl_i, 48, 2 + dl_p.dl_o + dl_o * 8, 2) = dl_v.s1;
    *DL_ANY_AT(short, dl_f, dl_p.dl_i, 48, 4 + dl_p.dl_o + dl_o * 8, 2) = dl_v.s2;
    *DL_ANY_AT(short, dl_f, dl_p.dl_i, 48, 6 + dl_p.dl_o + dl_o * 8, 2) = dl_v.s3;
}
static short4 dl_cell_short_vload4(dl_index dl_o, __global const cell *dl_f, dl_part dl_p DL_FORMALS)
{
    return (short4)(*DL_ANY_AT(short, dl_f, dl_p.dl_i, 48, 0 + dl_p.dl_o + dl_o * 8, 2), *DL_ANY_AT(short, dl_f, dl_p.dl_i, 48, 2 + dl_p.dl_o + dl_o * 8, 2), *DL_ANY_AT(short, dl_f, dl_p.dl_i, 48, 4 + dl_p.dl_o + dl_o * 8, 2), *DL_ANY_AT(short, dl_f, dl_p.dl_i, 48, 6 + dl_p.dl_o + dl_o * 8, 2));
}
static void dl_cell_s_vstore2(short2 dl_v, dl_index dl_o, __global const cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    *DL_ANY_AT(short, dl_f, dl_i, 48, 36 + dl_k0 * 2 + dl_o * 4, 2) = dl_v.s0;
    *DL_ANY_AT(short, dl_f, dl_i, 48, 38 + dl_k0 * 2 + dl_o * 4, 2) = dl_v.s1;
}
static __global int *dl_cell_kind(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 48, 0, 4);
}
//DL-kernel: go 3
//DL-sums: contractable
//DL-buffer: f arg 0 write aos bytes 48 line 18 type cell
//DL-leaves: 0+4*9 36+2*6
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+48 read write
//DL-access: unknown 0+48 write
//DL-access: linear 1 0+4 read
//DL-access: linear 1 36+12 write
//DL-buffer: g arg 1 read aos bytes 48 line 18 type cell
//DL-leaves: 0+4*9 36+2*6
//DL-structs: arg(2, i4, 0)
//DL-access: linear -1 0+48 read
//DL-access: unknown 0+48 read
//DL-end: go
#line 19
__kernel void go(__global cell *f, __global const cell *g, int n DL_PARAMS(f) DL_PARAMS(g))
{
    int i = get_global_id(0);
    dl_part m = dl_part_at(i, 4);
    dl_part q = dl_moved(dl_part_at(n - 1 - i, 4), (dl_index)((i & 1)) * 4);
    dl_part s = dl_moved(dl_part_at(i, 36), (dl_index)(1) * 2);

    dl_cell_float_vstore4(dl_upper((__global float *)f, m DL_ARGS(f)) * 0.5f + dl_cell_float_vload4(0, g, dl_moved(q, (dl_index)(3) * 4) DL_ARGS(g)), 0, f, dl_moved(m, (dl_index)(4) * 4) DL_ARGS(f));
    m.dl_o += 4;
    dl_cell_float_vstore3(dl_cell_float_vload3(1, f, m DL_ARGS(f)).zyx, 0, f, m DL_ARGS(f));
    dl_put((__global float *)f, dl_part_at(i, 4) DL_ARGS(f), dl_cell_float_vload2(i & 1, g, q DL_ARGS(g)), i);
    dl_cell_short_vstore4(dl_cell_short_vload4(0, f, s DL_ARGS(f)).wzyx, 0, f, s DL_ARGS(f));
    dl_cell_s_vstore2((short2)((short)(*dl_cell_kind(f, i DL_ARGS(f)))), 2, f, i, 0 DL_ARGS(f));
}
// run: go structs structs n
