// run: go structs
// A member is given to helpers that reach its neighbours, which are as wide.
typedef struct {
    float x, y, z;
} point;
typedef struct {
    int tag;
    point at, to;
    float m[2][4];
    double far;
    float w;
} pair;

float second(__global float *v) { return v[1]; }
float other(__global float *v) { return second(v); }
float3 load(const __global float *p) { return vload3(0, p); }
void store(float3 v, __global float *p) { vstore3(v, 0, p); }
float4 row(const __global float *p) { return (float4)(p[0], *(p + 1), p[2], p[3]); }

//DL: AoS: f[global_size(0)] AOS2ASTA_pair
//DL-table: 2
/* prelude */
static __global float *dl_pair_float(__global const pair *dl_f, dl_part dl_p DL_FORMALS)
{
    return DL_ANY_AT(float, dl_f, dl_p.dl_i, 80, 0 + dl_p.dl_o, 4);
}
#line 14
static DL_INLINE float dl_second(__global float *v, dl_part dl_at_v DL_PARAMS(v)) { return (*dl_pair_float((__global const pair *)v, dl_moved(dl_at_v, (dl_index)(1) * 4) DL_ARGS(v))); }
#line 15
static DL_INLINE float dl_other(__global float *v, dl_part dl_at_v DL_PARAMS(v)) { return dl_second((__global float *)v, dl_at_v DL_ARGS(v)); }
static void dl_pair_float_vstore3(float3 dl_v, dl_index dl_o, __global const pair *dl_f, dl_part dl_p DL_FORMALS)
{
    *DL_ANY_AT(float, dl_f, dl_p.dl_i, 80, 0 + dl_p.dl_o + dl_o * 12, 4) = dl_v.s0;
    *DL_ANY_AT(float, dl_f, dl_p.dl_i, 80, 4 + dl_p.dl_o + dl_o * 12, 4) = dl_v.s1;
    *DL_ANY_AT(float, dl_f, dl_p.dl_i, 80, 8 + dl_p.dl_o + dl_o * 12, 4) = dl_v.s2;
}
#line 17
static DL_INLINE void dl_store(float3 v, __global float *p, dl_part dl_at_p DL_PARAMS(p)) { dl_pair_float_vstore3(v, 0, (__global const pair *)p, dl_at_p DL_ARGS(p)); }
static float3 dl_pair_float_vload3(dl_index dl_o, __global const pair *dl_f, dl_part dl_p DL_FORMALS)
{
    return (float3)(*DL_ANY_AT(float, dl_f, dl_p.dl_i, 80, 0 + dl_p.dl_o + dl_o * 12, 4), *DL_ANY_AT(float, dl_f, dl_p.dl_i, 80, 4 + dl_p.dl_o + dl_o * 12, 4), *DL_ANY_AT(float, dl_f, dl_p.dl_i, 80, 8 + dl_p.dl_o + dl_o * 12, 4));
}
#line 16
static DL_INLINE float3 dl_load(const __global float *p, dl_part dl_at_p DL_PARAMS(p)) { return dl_pair_float_vload3(0, (__global const pair *)p, dl_at_p DL_ARGS(p)); }
#line 18
static DL_INLINE float4 dl_row_2(const __global float *p, dl_part dl_at_p DL_PARAMS(p)) { return (float4)((*dl_pair_float((__global const pair *)p, dl_at_p DL_ARGS(p))), (*dl_pair_float((__global const pair *)p, (dl_moved(dl_at_p, (dl_index)(1) * 4)) DL_ARGS(p))), (*dl_pair_float((__global const pair *)p, dl_moved(dl_at_p, (dl_index)(2) * 4) DL_ARGS(p))), (*dl_pair_float((__global const pair *)p, dl_moved(dl_at_p, (dl_index)(3) * 4) DL_ARGS(p)))); }
static __global double *dl_pair_far(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(double, dl_f, dl_i, 80, 64, 8);
}
static __global float *dl_pair_w(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 80, 72, 4);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 80 line 20 type pair
//DL-leaves: 0+4*16 64+8 72+4*2
//DL-structs: global_size(0)
//DL-gaps: 60+4 76+4
//DL-access: linear 1 64+8 read write
//DL-access: linear 1 8+4 read
//DL-access: linear 1 0+80 read write
//DL-access: linear 1 72+4 read write
//DL-access: linear 1 44+4 read
//DL-access: linear 1 48+4 read
//DL-access: linear 1 52+4 read
//DL-access: linear 1 56+4 read
//DL-access: linear 1 28+4 read
//DL-access: linear 1 32+4 read
//DL-access: linear 1 36+4 read
//DL-access: linear 1 40+4 read
//DL-end: go
#line 21
__kernel void go(__global pair *f DL_PARAMS(f))
{
    size_t i = get_global_id(0);
    dl_index p = (i);

    (*dl_pair_far(f, i DL_ARGS(f))) += dl_other((__global float *)f, dl_part_at(p, 4) DL_ARGS(f));
    dl_store(dl_load((__global float *)f, dl_part_at(i, 16) DL_ARGS(f)) + dl_load((__global float *)f, dl_part_at(p, 4) DL_ARGS(f)), (__global float *)f, dl_part_at(i, 4) DL_ARGS(f));
    (*dl_pair_w(f, p DL_ARGS(f))) += dl_row_2((__global float *)f, dl_part_at(p, (dl_index)(1) * 16 + (dl_index)(0) * 4 + 28) DL_ARGS(f)).w - dl_row_2((__global float *)f, dl_part_at(i, (dl_index)(0) * 16 + (dl_index)(0) * 4 + 28) DL_ARGS(f)).x;
}
