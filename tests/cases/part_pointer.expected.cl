// run: go structs structs n
typedef struct {
    float x, y, z;
} vec;
typedef struct {
    int id;
    vec pos, vel;
    vec corners[3];
    struct {
        vec at;
        short kind;
    } seen[2];
} body;

//DL: AoS: f[n] AOS2ASTA_body, g[n] AOS2ASTA_body
//DL-table: 2
/* prelude */
static __global float *dl_body_vec_x(__global const body *dl_f, dl_part dl_p DL_FORMALS)
{
    return DL_ANY_AT(float, dl_f, dl_p.dl_i, 96, 0 + dl_p.dl_o, 4);
}
static __global float *dl_body_vec_y(__global const body *dl_f, dl_part dl_p DL_FORMALS)
{
    return DL_ANY_AT(float, dl_f, dl_p.dl_i, 96, 4 + dl_p.dl_o, 4);
}
static __global float *dl_body_vec_z(__global const body *dl_f, dl_part dl_p DL_FORMALS)
{
    return DL_ANY_AT(float, dl_f, dl_p.dl_i, 96, 8 + dl_p.dl_o, 4);
}
static vec dl_body_vec_store(__global const body *dl_f, dl_part dl_p DL_FORMALS, vec dl_s)
{
    *DL_ANY_AT(float, dl_f, dl_p.dl_i, 96, 0 + dl_p.dl_o, 4) = dl_s.x;
    *DL_ANY_AT(float, dl_f, dl_p.dl_i, 96, 4 + dl_p.dl_o, 4) = dl_s.y;
    *DL_ANY_AT(float, dl_f, dl_p.dl_i, 96, 8 + dl_p.dl_o, 4) = dl_s.z;
    return dl_s;
}
static vec dl_body_vec_load(__global const body *dl_f, dl_part dl_p DL_FORMALS)
{
    vec dl_s;
    dl_s.x = *DL_ANY_AT(float, dl_f, dl_p.dl_i, 96, 0 + dl_p.dl_o, 4);
    dl_s.y = *DL_ANY_AT(float, dl_f, dl_p.dl_i, 96, 4 + dl_p.dl_o, 4);
    dl_s.z = *DL_ANY_AT(float, dl_f, dl_p.dl_i, 96, 8 + dl_p.dl_o, 4);
    return dl_s;
}
static vec dl_body_corners_store(__global const body *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS, vec dl_s)
{
    *DL_ANY_AT(float, dl_f, dl_i, 96, 28 + dl_k0 * 12, 4) = dl_s.x;
    *DL_ANY_AT(float, dl_f, dl_i, 96, 32 + dl_k0 * 12, 4) = dl_s.y;
    *DL_ANY_AT(float, dl_f, dl_i, 96, 36 + dl_k0 * 12, 4) = dl_s.z;
    return dl_s;
}
//DL-kernel: go 3
//DL-sums: contractable
//DL-buffer: f arg 0 write aos bytes 96 line 15 type body
//DL-leaves: 0+4*19 76+2*2 80+4*3 92+2*2
//DL-structs: arg(2, i4, 0)
//DL-gaps: 78+2 94+2
//DL-access: linear 1 16+4 read write
//DL-access: linear 1 20+4 write
//DL-access: linear 1 24+4 read write
//DL-access: linear 1 12+4 read
//DL-access: unknown 0+96 read write
//DL-access: linear 1 16+12 write conditional
//DL-access: linear 1 40+12 write
//DL-buffer: g arg 1 read aos bytes 96 line 15 type body
//DL-leaves: 0+4*19 76+2*2 80+4*3 92+2*2
//DL-structs: arg(2, i4, 0)
//DL-access: linear -1 0+96 read walks
//DL-access: linear 1 4+12 read
//DL-access: unknown 0+96 read
//DL-end: go
#line 16
__kernel void go(__global body *f, __global const body *g, int n DL_PARAMS(f) DL_PARAMS(g))
{
    int i = get_global_id(0);
    dl_part v = dl_part_at(i, 16), w = dl_part_at(((i)), 4);
    dl_part from = dl_part_at(n - 1 - i, (dl_index)(i & 1) * 16 + 64);
    vec whole;

    (*dl_body_vec_x(f, v DL_ARGS(f))) += 1.0f;
    (*dl_body_vec_y(f, v DL_ARGS(f))) = (*dl_body_vec_y(g, from DL_ARGS(g))) * 2.0f;
    (*dl_body_vec_z(f, v DL_ARGS(f))) -= (*dl_body_vec_z(f, w DL_ARGS(f)));
    w = i & 1 ? dl_part_at(i, 4) : v;
    (*dl_body_vec_x(f, w DL_ARGS(f))) += (*dl_body_vec_x(g, from DL_ARGS(g)));
    dl_body_vec_store(f, w DL_ARGS(f), dl_body_vec_load(g, from DL_ARGS(g)));
    whole = dl_body_vec_load(g, dl_part_at(i, 4) DL_ARGS(g));
    if (!dl_same(w, dl_part_at(i, 16), 96))
        dl_body_vec_store(f, v DL_ARGS(f), whole);
    from = i % 3 ? dl_part_at(i, 4) : from;
    dl_body_corners_store(f, i, (1) DL_ARGS(f), dl_body_vec_load(g, from DL_ARGS(g)));
}
