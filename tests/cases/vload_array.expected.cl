typedef struct {
    int id;
    float v[7];
    float4 at;
    struct {
        short m[2][4];
    } in;
} cell;

float3 middle(__global const cell *p, int k)
{
    return vload3(0, p->v + k) + vload2(1, (__global const float *)&p->at).xyx;
}

//DL: AoS: f[global_size(0)] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static float3 dl_cell_v_vload3(dl_index dl_o, __global const cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return (float3)(*DL_ANY_AT(float, dl_f, dl_i, 64, 4 + dl_k0 * 4 + dl_o * 12, 4), *DL_ANY_AT(float, dl_f, dl_i, 64, 8 + dl_k0 * 4 + dl_o * 12, 4), *DL_ANY_AT(float, dl_f, dl_i, 64, 12 + dl_k0 * 4 + dl_o * 12, 4));
}
static __global float4 *dl_cell_at(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float4, dl_f, dl_i, 64, 32, 16);
}
#line 10
static DL_INLINE float3 dl_middle(__global const cell *p, dl_index dl_at_p DL_PARAMS(p), int k)
{
    return dl_cell_v_vload3(0, p, dl_at_p, (k) DL_ARGS(p)) + vload2(1, (__global const float *)dl_cell_at(p, dl_at_p DL_ARGS(p))).xyx;
}
static float4 dl_cell_v_vload4(dl_index dl_o, __global const cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return (float4)(*DL_ANY_AT(float, dl_f, dl_i, 64, 4 + dl_k0 * 4 + dl_o * 16, 4), *DL_ANY_AT(float, dl_f, dl_i, 64, 8 + dl_k0 * 4 + dl_o * 16, 4), *DL_ANY_AT(float, dl_f, dl_i, 64, 12 + dl_k0 * 4 + dl_o * 16, 4), *DL_ANY_AT(float, dl_f, dl_i, 64, 16 + dl_k0 * 4 + dl_o * 16, 4));
}
static uint2 dl_cell_v_vload2(dl_index dl_o, __global const cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return (uint2)(((__global DL_ALIASED(unsigned int) *)DL_ANY_AT(unsigned int, dl_f, dl_i, 64, 4 + dl_k0 * 4 + dl_o * 8, 4))->dl_v, ((__global DL_ALIASED(unsigned int) *)DL_ANY_AT(unsigned int, dl_f, dl_i, 64, 8 + dl_k0 * 4 + dl_o * 8, 4))->dl_v);
}
static short8 dl_cell_in_m_vload8(dl_index dl_o, __global const cell *dl_f, dl_index dl_i, dl_index dl_k0, dl_index dl_k1 DL_FORMALS)
{
    return (short8)(*DL_ANY_AT(short, dl_f, dl_i, 64, 48 + dl_k0 * 8 + dl_k1 * 2 + dl_o * 16, 2), *DL_ANY_AT(short, dl_f, dl_i, 64, 50 + dl_k0 * 8 + dl_k1 * 2 + dl_o * 16, 2), *DL_ANY_AT(short, dl_f, dl_i, 64, 52 + dl_k0 * 8 + dl_k1 * 2 + dl_o * 16, 2), *DL_ANY_AT(short, dl_f, dl_i, 64, 54 + dl_k0 * 8 + dl_k1 * 2 + dl_o * 16, 2), *DL_ANY_AT(short, dl_f, dl_i, 64, 56 + dl_k0 * 8 + dl_k1 * 2 + dl_o * 16, 2), *DL_ANY_AT(short, dl_f, dl_i, 64, 58 + dl_k0 * 8 + dl_k1 * 2 + dl_o * 16, 2), *DL_ANY_AT(short, dl_f, dl_i, 64, 60 + dl_k0 * 8 + dl_k1 * 2 + dl_o * 16, 2), *DL_ANY_AT(short, dl_f, dl_i, 64, 62 + dl_k0 * 8 + dl_k1 * 2 + dl_o * 16, 2));
}
static void dl_cell_v_vstore3(float3 dl_v, dl_index dl_o, __global const cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    *DL_ANY_AT(float, dl_f, dl_i, 64, 4 + dl_k0 * 4 + dl_o * 12, 4) = dl_v.s0;
    *DL_ANY_AT(float, dl_f, dl_i, 64, 8 + dl_k0 * 4 + dl_o * 12, 4) = dl_v.s1;
    *DL_ANY_AT(float, dl_f, dl_i, 64, 12 + dl_k0 * 4 + dl_o * 12, 4) = dl_v.s2;
}
static __global int *dl_cell_id(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 64, 0, 4);
}
static void dl_cell_in_m_vstore4(short4 dl_v, dl_index dl_o, __global const cell *dl_f, dl_index dl_i, dl_index dl_k0, dl_index dl_k1 DL_FORMALS)
{
    *DL_ANY_AT(short, dl_f, dl_i, 64, 48 + dl_k0 * 8 + dl_k1 * 2 + dl_o * 8, 2) = dl_v.s0;
    *DL_ANY_AT(short, dl_f, dl_i, 64, 50 + dl_k0 * 8 + dl_k1 * 2 + dl_o * 8, 2) = dl_v.s1;
    *DL_ANY_AT(short, dl_f, dl_i, 64, 52 + dl_k0 * 8 + dl_k1 * 2 + dl_o * 8, 2) = dl_v.s2;
    *DL_ANY_AT(short, dl_f, dl_i, 64, 54 + dl_k0 * 8 + dl_k1 * 2 + dl_o * 8, 2) = dl_v.s3;
}
static short4 dl_cell_in_m_vload4(dl_index dl_o, __global const cell *dl_f, dl_index dl_i, dl_index dl_k0, dl_index dl_k1 DL_FORMALS)
{
    return (short4)(*DL_ANY_AT(short, dl_f, dl_i, 64, 48 + dl_k0 * 8 + dl_k1 * 2 + dl_o * 8, 2), *DL_ANY_AT(short, dl_f, dl_i, 64, 50 + dl_k0 * 8 + dl_k1 * 2 + dl_o * 8, 2), *DL_ANY_AT(short, dl_f, dl_i, 64, 52 + dl_k0 * 8 + dl_k1 * 2 + dl_o * 8, 2), *DL_ANY_AT(short, dl_f, dl_i, 64, 54 + dl_k0 * 8 + dl_k1 * 2 + dl_o * 8, 2));
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 64 line 15 type cell
//DL-leaves: 0+4*8 32+16 48+2*8
//DL-structs: global_size(0)
//DL-access: linear 1 4+28 read
//DL-access: linear 1 48+8 read
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 32+16 read write
//DL-access: linear 1 8+24 write
//DL-access: linear 1 56+8 write
//DL-end: go
#line 16
__kernel void go(__global cell *f DL_PARAMS(f))
{
    int i = get_global_id(0);
    float4 v = dl_cell_v_vload4(0, f, i, 0 DL_ARGS(f));
    uint2 u = dl_cell_v_vload2(2, f, i, 0 DL_ARGS(f));
    short8 s = dl_cell_in_m_vload8(0, f, i, (0), 0 DL_ARGS(f));

    dl_cell_v_vstore3(v.yzw + dl_middle(f, (i) DL_ARGS(f), (*dl_cell_id(f, i DL_ARGS(f))) & 3), 1, f, i, (1) DL_ARGS(f));
    (*dl_cell_id(f, i DL_ARGS(f))) += u.x ^ u.y;
    dl_cell_in_m_vstore4(s.hi - dl_cell_in_m_vload4(0, f, i, (i & 1), (0) DL_ARGS(f)), 0, f, i, (1), 0 DL_ARGS(f));
    vstore2(v.xy, 0, (__global float *)dl_cell_at(f, i DL_ARGS(f)));
}
// run: go structs
