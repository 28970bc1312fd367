// run: go structs structs n
typedef union {
    float4 v;
    float e[4];
    int i[4];
    struct {
        float x, y, z, w;
    } c;
} vec;
typedef struct {
    vec pos, vel;
    union {
        float4 rows[2];
        float cells[2][4];
        uint bits[2][4];
    } m;
    int n;
} body;

float sum(vec a)
{
    return a.e[0] + a.c.w;
}

//DL: AoS: f[global_size(0)] AOS2ASTA_body, g[global_size(0)] AOS2ASTA_body
//DL-table: 2
/* prelude */
typedef DL_ALIASED(float4) dl_body_pos_v_view;
static __global dl_body_pos_v_view *dl_body_pos_v(__global const body *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(dl_body_pos_v_view, dl_f, dl_i, 80, 0, 16);
}
typedef DL_ALIASED(float4) dl_body_vel_v_view;
static __global dl_body_vel_v_view *dl_body_vel_v(__global const body *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(dl_body_vel_v_view, dl_f, dl_i, 80, 16, 16);
}
typedef DL_ALIASED(float) dl_body_pos_e_view;
static __global dl_body_pos_e_view *dl_body_pos_e(__global const body *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return ((__global dl_body_pos_e_view *)(DL_AT(unsigned char, dl_f, dl_i, 80, 0, 16) + 0 + dl_k0 * 4));
}
typedef DL_ALIASED(float) dl_body_vel_c_y_view;
static __global dl_body_vel_c_y_view *dl_body_vel_c_y(__global const body *dl_f, dl_index dl_i DL_FORMALS)
{
    return ((__global dl_body_vel_c_y_view *)(DL_AT(unsigned char, dl_f, dl_i, 80, 16, 16) + 4));
}
typedef DL_ALIASED(int) dl_body_vel_i_view;
static __global dl_body_vel_i_view *dl_body_vel_i(__global const body *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return ((__global dl_body_vel_i_view *)(DL_AT(unsigned char, dl_f, dl_i, 80, 16, 16) + 0 + dl_k0 * 4));
}
static __global int *dl_body_pos_i(__global const body *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return ((__global int *)(DL_AT(unsigned char, dl_f, dl_i, 80, 0, 16) + 0 + dl_k0 * 4));
}
static vec dl_body_pos_load(__global const body *dl_f, dl_index dl_i DL_FORMALS)
{
    vec dl_s;
    ((DL_ALIASED(uint4) *)((unsigned char *)&dl_s + 0))->dl_v = ((__global DL_ALIASED(uint4) *)DL_AT(unsigned char, dl_f, dl_i, 80, 0, 16))->dl_v;
    return dl_s;
}
static vec dl_body_vel_store(__global const body *dl_f, dl_index dl_i DL_FORMALS, vec dl_s)
{
    ((__global DL_ALIASED(uint4) *)DL_AT(unsigned char, dl_f, dl_i, 80, 16, 16))->dl_v = ((DL_ALIASED(uint4) *)((unsigned char *)&dl_s + 0))->dl_v;
    return dl_s;
}
typedef DL_ALIASED(float4) dl_body_m_rows_view;
static __global dl_body_m_rows_view *dl_body_m_rows(__global const body *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(dl_body_m_rows_view, dl_f, dl_i, 80, 32 + dl_k0 * 16, 16);
}
typedef DL_ALIASED(float) dl_body_m_cells_view;
static __global dl_body_m_cells_view *dl_body_m_cells(__global const body *dl_f, dl_index dl_i, dl_index dl_k0, dl_index dl_k1 DL_FORMALS)
{
    return ((__global dl_body_m_cells_view *)(DL_ANY_AT(unsigned char, dl_f, dl_i, 80, 32 + dl_k0 * 16, 16) + 0 + dl_k1 * 4));
}
static vec dl_body_vel_load(__global const body *dl_f, dl_index dl_i DL_FORMALS)
{
    vec dl_s;
    ((DL_ALIASED(uint4) *)((unsigned char *)&dl_s + 0))->dl_v = ((__global DL_ALIASED(uint4) *)DL_AT(unsigned char, dl_f, dl_i, 80, 16, 16))->dl_v;
    return dl_s;
}
typedef DL_ALIASED(unsigned int) dl_body_m_bits_view;
static __global dl_body_m_bits_view *dl_body_m_bits(__global const body *dl_f, dl_index dl_i, dl_index dl_k0, dl_index dl_k1 DL_FORMALS)
{
    return ((__global dl_body_m_bits_view *)(DL_ANY_AT(unsigned char, dl_f, dl_i, 80, 32 + dl_k0 * 16, 16) + 0 + dl_k1 * 4));
}
static __global int *dl_body_n(__global const body *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 80, 64, 4);
}
static void dl_body_m_cells_vstore2(float2 dl_v, dl_index dl_o, __global const body *dl_f, dl_index dl_i, dl_index dl_k0, dl_index dl_k1 DL_FORMALS)
{
    ((__global DL_ALIASED(float) *)((__global float *)(DL_ANY_AT(unsigned char, dl_f, dl_i, 80, 32 + dl_k0 * 16, 16) + 0 + dl_k1 * 4 + dl_o * 8)))->dl_v = dl_v.s0;
    ((__global DL_ALIASED(float) *)((__global float *)(DL_ANY_AT(unsigned char, dl_f, dl_i, 80, 32 + dl_k0 * 16, 16) + 4 + dl_k1 * 4 + dl_o * 8)))->dl_v = dl_v.s1;
}
static float2 dl_body_pos_e_vload2(dl_index dl_o, __global const body *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return (float2)(((__global DL_ALIASED(float) *)((__global float *)(DL_AT(unsigned char, dl_f, dl_i, 80, 0, 16) + 0 + dl_k0 * 4 + dl_o * 8)))->dl_v, ((__global DL_ALIASED(float) *)((__global float *)(DL_AT(unsigned char, dl_f, dl_i, 80, 0, 16) + 4 + dl_k0 * 4 + dl_o * 8)))->dl_v);
}
static void dl_body_load(__global const body *dl_f, dl_index dl_i DL_FORMALS, body *dl_s)
{
    ((DL_ALIASED(uint4) *)((unsigned char *)dl_s + 0))->dl_v = ((__global DL_ALIASED(uint4) *)DL_AT(unsigned char, dl_f, dl_i, 80, 0, 16))->dl_v;
    ((DL_ALIASED(uint4) *)((unsigned char *)dl_s + 16))->dl_v = ((__global DL_ALIASED(uint4) *)DL_AT(unsigned char, dl_f, dl_i, 80, 16, 16))->dl_v;
    ((DL_ALIASED(uint4) *)((unsigned char *)dl_s + 32))->dl_v = ((__global DL_ALIASED(uint4) *)DL_AT(unsigned char, dl_f, dl_i, 80, 32, 16))->dl_v;
    ((DL_ALIASED(uint4) *)((unsigned char *)dl_s + 48))->dl_v = ((__global DL_ALIASED(uint4) *)DL_AT(unsigned char, dl_f, dl_i, 80, 48, 16))->dl_v;
    (*dl_s).n = *DL_AT(int, dl_f, dl_i, 80, 64, 4);
    ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 68))->dl_v = ((__global DL_ALIASED(unsigned int) *)DL_AT(unsigned char, dl_f, dl_i, 80, 68, 4))->dl_v;
    ((DL_ALIASED(uint2) *)((unsigned char *)dl_s + 72))->dl_v = ((__global DL_ALIASED(uint2) *)DL_AT(unsigned char, dl_f, dl_i, 80, 72, 8))->dl_v;
}
static void dl_body_store(__global const body *dl_f, dl_index dl_i DL_FORMALS, body *dl_s)
{
    ((__global DL_ALIASED(uint4) *)DL_AT(unsigned char, dl_f, dl_i, 80, 0, 16))->dl_v = ((DL_ALIASED(uint4) *)((unsigned char *)dl_s + 0))->dl_v;
    ((__global DL_ALIASED(uint4) *)DL_AT(unsigned char, dl_f, dl_i, 80, 16, 16))->dl_v = ((DL_ALIASED(uint4) *)((unsigned char *)dl_s + 16))->dl_v;
    ((__global DL_ALIASED(uint4) *)DL_AT(unsigned char, dl_f, dl_i, 80, 32, 16))->dl_v = ((DL_ALIASED(uint4) *)((unsigned char *)dl_s + 32))->dl_v;
    ((__global DL_ALIASED(uint4) *)DL_AT(unsigned char, dl_f, dl_i, 80, 48, 16))->dl_v = ((DL_ALIASED(uint4) *)((unsigned char *)dl_s + 48))->dl_v;
    *DL_AT(int, dl_f, dl_i, 80, 64, 4) = (*dl_s).n;
    ((__global DL_ALIASED(unsigned int) *)DL_AT(unsigned char, dl_f, dl_i, 80, 68, 4))->dl_v = ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 68))->dl_v;
    ((__global DL_ALIASED(uint2) *)DL_AT(unsigned char, dl_f, dl_i, 80, 72, 8))->dl_v = ((DL_ALIASED(uint2) *)((unsigned char *)dl_s + 72))->dl_v;
}
//DL-kernel: go 3
//DL-sums: contractable
//DL-buffer: f arg 0 write aos bytes 80 line 25 type body
//DL-leaves: 0+16*4 64+4*2 72+8
//DL-structs: global_size(0)
//DL-gaps: 68+4 72+8
//DL-access: linear 1 0+16 read write
//DL-access: linear 1 20+4 read
//DL-access: linear 1 28+4 read write
//DL-access: linear 1 16+16 write
//DL-access: linear 1 0+4 read write atomic
//DL-access: linear 1 32+32 read write
//DL-access: linear 1 60+4 read write
//DL-access: linear 1 64+4 read
//DL-access: linear 1 52+8 write
//DL-access: linear 1 0+80 read write
//DL-buffer: g arg 1 read aos bytes 80 line 25 type body
//DL-leaves: 0+16*4 64+4*2 72+8
//DL-structs: global_size(0)
//DL-access: linear 1 16+16 read
//DL-access: linear 1 0+16 read
//DL-access: linear -1 16+16 read
//DL-end: go
#line 26
__kernel void go(__global body *f, __global body *g, int n DL_PARAMS(f) DL_PARAMS(g))
{
    int i = get_global_id(0);
    dl_index b = (i);
    vec v;

    (dl_body_pos_v(f, b DL_ARGS(f))->dl_v) += (dl_body_vel_v(g, (i + 1) % n DL_ARGS(g))->dl_v) * 0.5f;
    (dl_body_pos_e(f, b, (i % 4) DL_ARGS(f))->dl_v) = (dl_body_vel_c_y(f, b DL_ARGS(f))->dl_v);
    (dl_body_vel_i(f, b, (3) DL_ARGS(f))->dl_v) ^= i;
    (dl_body_vel_v(f, b DL_ARGS(f))->dl_v).xy = (dl_body_pos_v(f, b DL_ARGS(f))->dl_v).zw;
    atomic_add(dl_body_pos_i(f, b, (0) DL_ARGS(f)), 3);
    v = dl_body_pos_load(g, (i + 3) % n DL_ARGS(g));
    v.e[2] -= 1.0f;
    dl_body_vel_store(f, b DL_ARGS(f), v);
    (dl_body_m_rows(f, b, (i & 1) DL_ARGS(f))->dl_v) += sum(dl_body_pos_load(f, b DL_ARGS(f)));
    (dl_body_m_cells(f, b, (i & 1), (i % 3) DL_ARGS(f))->dl_v) = (dl_body_m_cells(f, b, (~i & 1), (2) DL_ARGS(f))->dl_v) + sum(dl_body_vel_load(g, n - 1 - i DL_ARGS(g)));
    (dl_body_m_bits(f, b, (1), (3) DL_ARGS(f))->dl_v) |= (*dl_body_n(f, b DL_ARGS(f)));
    dl_body_m_cells_vstore2(dl_body_pos_e_vload2(1, f, b, 0 DL_ARGS(f)), 0, f, b, (1), (1) DL_ARGS(f));
    body all = ({ body dl_s; dl_body_load(f, i DL_ARGS(f), &dl_s); dl_s; });
    all.pos.c.z += all.m.cells[0][1];
    all.n++;
    ({ body dl_s; dl_body_store(f, i DL_ARGS(f), (dl_s = all, &dl_s)); });
}
