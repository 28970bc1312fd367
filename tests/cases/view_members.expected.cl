// run: go structs structs structs n
typedef struct {
    float x, y, z, w;
    int id;
    uint a, b;
    struct {
        float p, q;
    } in[3];
    float4 v;
    double d;
} cell;
typedef struct {
    float x, y, z, w;
} quad;

float first(__global const quad *q)
{
    return (*(__global const float2 *)q).x;
}

//DL: AoS: f[global_size(0)] AOS2ASTA_cell, g[global_size(0)] AOS2ASTA_cell, h[global_size(0)] AOS2ASTA_quad
//DL-table: 2
/* prelude */
static float2 dl_quad_view(dl_index dl_o, __global const quad *dl_f, dl_index dl_i DL_FORMALS)
{
    return (float2)(((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 16, 0, 4))->dl_v, ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 16, 4, 4))->dl_v);
}
#line 16
static DL_INLINE float dl_first(__global const quad *q, dl_index dl_at_q DL_PARAMS(q))
{
    return (dl_quad_view(0, q, dl_at_q DL_ARGS(q))).x;
}
static float4 dl_cell_view(dl_index dl_o, __global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return (float4)(((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 96, 0, 4))->dl_v, ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 96, 4, 4))->dl_v, ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 96, 8, 4))->dl_v, ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 96, 12, 4))->dl_v);
}
static void dl_cell_x_view_store(dl_index dl_o, __global const cell *dl_f, dl_index dl_i DL_FORMALS, float4 dl_v)
{
    ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 96, 0, 4))->dl_v = dl_v.s0;
    ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 96, 4, 4))->dl_v = dl_v.s1;
    ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 96, 8, 4))->dl_v = dl_v.s2;
    ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 96, 12, 4))->dl_v = dl_v.s3;
}
static void dl_cell_a_view_store(dl_index dl_o, __global const cell *dl_f, dl_index dl_i DL_FORMALS, uint2 dl_v)
{
    ((__global DL_ALIASED(unsigned int) *)DL_AT(unsigned int, dl_f, dl_i, 96, 20, 4))->dl_v = dl_v.s0;
    ((__global DL_ALIASED(unsigned int) *)DL_AT(unsigned int, dl_f, dl_i, 96, 24, 4))->dl_v = dl_v.s1;
}
static uint2 dl_cell_a_view(dl_index dl_o, __global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return (uint2)(((__global DL_ALIASED(unsigned int) *)DL_AT(unsigned int, dl_f, dl_i, 96, 20, 4))->dl_v, ((__global DL_ALIASED(unsigned int) *)DL_AT(unsigned int, dl_f, dl_i, 96, 24, 4))->dl_v);
}
static void dl_cell_in_p_vstore2(float2 dl_v, dl_index dl_o, __global const cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    ((__global DL_ALIASED(float) *)DL_ANY_AT(float, dl_f, dl_i, 96, 28 + dl_k0 * 8, 4))->dl_v = dl_v.s0;
    ((__global DL_ALIASED(float) *)DL_ANY_AT(float, dl_f, dl_i, 96, 32 + dl_k0 * 8, 4))->dl_v = dl_v.s1;
}
static float2 dl_cell_in_p_vload2(dl_index dl_o, __global const cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return (float2)(((__global DL_ALIASED(float) *)DL_ANY_AT(float, dl_f, dl_i, 96, 28 + dl_k0 * 8, 4))->dl_v, ((__global DL_ALIASED(float) *)DL_ANY_AT(float, dl_f, dl_i, 96, 32 + dl_k0 * 8, 4))->dl_v);
}
static __global int *dl_cell_id(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 96, 16, 4);
}
static __global float *dl_cell_x(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 96, 0, 4);
}
static void dl_cell_x_vstore2(float2 dl_v, dl_index dl_o, __global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 96, 0, 4))->dl_v = dl_v.s0;
    ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 96, 4, 4))->dl_v = dl_v.s1;
}
static float2 dl_cell_y_vload2(dl_index dl_o, __global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return (float2)(((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 96, 12, 4))->dl_v, ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 96, 16, 4))->dl_v);
}
static __global float4 *dl_cell_v(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float4, dl_f, dl_i, 96, 64, 16);
}
static void dl_quad_vstore4(float4 dl_v, dl_index dl_o, __global const quad *dl_f, dl_index dl_i DL_FORMALS)
{
    dl_i += dl_o;
    ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 16, 0, 4))->dl_v = dl_v.s0;
    ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 16, 4, 4))->dl_v = dl_v.s1;
    ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 16, 8, 4))->dl_v = dl_v.s2;
    ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 16, 12, 4))->dl_v = dl_v.s3;
}
static float4 dl_quad_vload4(dl_index dl_o, __global const quad *dl_f, dl_index dl_i DL_FORMALS)
{
    dl_i += dl_o;
    return (float4)(((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 16, 0, 4))->dl_v, ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 16, 4, 4))->dl_v, ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 16, 8, 4))->dl_v, ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 16, 12, 4))->dl_v);
}
static void dl_cell_v_view_store(dl_index dl_o, __global const cell *dl_f, dl_index dl_i DL_FORMALS, float2 dl_v)
{
    ((__global DL_ALIASED(float) *)((__global float *)(DL_AT(unsigned char, dl_f, dl_i, 96, 64, 16) + 0)))->dl_v = dl_v.s0;
    ((__global DL_ALIASED(float) *)((__global float *)(DL_AT(unsigned char, dl_f, dl_i, 96, 64, 16) + 4)))->dl_v = dl_v.s1;
}
static void dl_cell_d_view_store(dl_index dl_o, __global const cell *dl_f, dl_index dl_i DL_FORMALS, int dl_v)
{
    ((__global DL_ALIASED(int) *)((__global int *)(DL_AT(unsigned char, dl_f, dl_i, 96, 80, 8) + 0)))->dl_v = dl_v;
}
static __global float *dl_cell_w(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 96, 12, 4);
}
static float4 dl_quad_view_2(dl_index dl_o, __global const quad *dl_f, dl_index dl_i DL_FORMALS)
{
    return (float4)(((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 16, 0, 4))->dl_v, ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 16, 4, 4))->dl_v, ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 16, 8, 4))->dl_v, ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 16, 12, 4))->dl_v);
}
//DL-kernel: go 4
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 96 line 21 type cell
//DL-leaves: 0+4*14 56+8 64+16 80+8*2
//DL-structs: global_size(0)
//DL-gaps: 52+4 56+8 88+8
//DL-access: linear 1 0+16 read write
//DL-access: linear 1 20+8 write conditional
//DL-access: linear 1 28+8 write
//DL-access: linear 1 16+4 read write
//DL-access: linear 1 4+16 read
//DL-access: linear 1 0+8 write
//DL-access: linear 1 64+16 write
//DL-access: linear 1 64+8 write
//DL-access: linear 1 80+4 write
//DL-access: linear 1 12+4 write
//DL-buffer: g arg 1 read aos bytes 96 line 21 type cell
//DL-leaves: 0+4*14 56+8 64+16 80+8*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+16 read
//DL-access: linear 1 20+8 read conditional
//DL-access: linear 1 28+8 read
//DL-access: linear 1 0+4 read
//DL-buffer: h arg 2 write aos bytes 16 line 21 type quad
//DL-leaves: 0+4*4
//DL-structs: global_size(0)
//DL-access: linear 1 0+16 read write
//DL-access: linear 1 0+8 read
//DL-end: go
#line 22
__kernel void go(__global cell *f, __global const cell *g, __global quad *h, int n DL_PARAMS(f) DL_PARAMS(g) DL_PARAMS(h))
{
    int i = get_global_id(0), k = i % 3;
    dl_index c = (i);
    dl_index o = ((i + 1) % n);
    float4 v = dl_cell_view(0, g, (i) DL_ARGS(g));

    v += dl_cell_view(0, f, c DL_ARGS(f));
    dl_cell_x_view_store(0, f, c DL_ARGS(f), v);
    if (i & 1)
        dl_cell_a_view_store(0, f, i DL_ARGS(f), dl_cell_a_view(0, g, o DL_ARGS(g)) + 1u);
    dl_cell_in_p_vstore2(dl_cell_in_p_vload2(0, g, o, (k) DL_ARGS(g)), 0, f, i, ((k + 1) % 3) DL_ARGS(f));
    (*dl_cell_id(f, i DL_ARGS(f))) ^= *(__global const int *)dl_cell_x(g, o DL_ARGS(g));
    dl_cell_x_vstore2(dl_cell_y_vload2(1, f, i DL_ARGS(f)), 0, f, i DL_ARGS(f));
    vstore2((float2)(1.5f, v.y), 1, (__global float *)dl_cell_v(f, i DL_ARGS(f)));
    dl_quad_vstore4(dl_quad_vload4(i, h, 0 DL_ARGS(h)) + dl_first(h, (i) DL_ARGS(h)), i, h, 0 DL_ARGS(h));
    dl_cell_v_view_store(0, f, i DL_ARGS(f), v.zw);
    dl_cell_d_view_store(0, f, i DL_ARGS(f), i);
    (*dl_cell_w(f, i DL_ARGS(f))) = (dl_quad_view_2(0, h, (i) DL_ARGS(h))).s2;
}
