// run: go structs structs n
typedef struct {
    float x, y, z;
} vec;
typedef struct {
    double mass;
    vec pos, vel;
    vec at[2];
} body;

float dot_of(__global const vec *a, __global const vec *b)
{
    return a->x * b->x + a->y * b->y + a->z * b->z;
}

void put(__global vec *v, float a)
{
    v->x = a;
    v->y -= a;
    (*v).z = v[0].x + a;
}

void both(__global body *p, __global const vec *from)
{
    put(&p->pos, from->x);
    put(&p->vel, p->mass);
    put(&p->at[1], dot_of(&p->pos, from));
}

//DL: AoS: f[n] AOS2ASTA_body, g[n] AOS2ASTA_body
//DL-table: 2
/* prelude */
static __global float *dl_body_vec_x(__global const body *dl_f, dl_part dl_p DL_FORMALS)
{
    return DL_ANY_AT(float, dl_f, dl_p.dl_i, 56, 0 + dl_p.dl_o, 4);
}
static __global float *dl_body_vec_y(__global const body *dl_f, dl_part dl_p DL_FORMALS)
{
    return DL_ANY_AT(float, dl_f, dl_p.dl_i, 56, 4 + dl_p.dl_o, 4);
}
static __global float *dl_body_vec_z(__global const body *dl_f, dl_part dl_p DL_FORMALS)
{
    return DL_ANY_AT(float, dl_f, dl_p.dl_i, 56, 8 + dl_p.dl_o, 4);
}
#line 16
static DL_INLINE void dl_put(__global vec *v, dl_part dl_at_v DL_PARAMS(v), float a)
{
    (*dl_body_vec_x((__global const body *)v, dl_at_v DL_ARGS(v))) = a;
    (*dl_body_vec_y((__global const body *)v, dl_at_v DL_ARGS(v))) -= a;
    (*dl_body_vec_z((__global const body *)v, dl_at_v DL_ARGS(v))) = (*dl_body_vec_x((__global const body *)v, dl_at_v DL_ARGS(v))) + a;
}
#line 11
static DL_INLINE float dl_dot_of(__global const vec *a, dl_part dl_at_a DL_PARAMS(a), __global const vec *b, dl_part dl_at_b DL_PARAMS(b))
{
    return (*dl_body_vec_x((__global const body *)a, dl_at_a DL_ARGS(a))) * (*dl_body_vec_x((__global const body *)b, dl_at_b DL_ARGS(b))) + (*dl_body_vec_y((__global const body *)a, dl_at_a DL_ARGS(a))) * (*dl_body_vec_y((__global const body *)b, dl_at_b DL_ARGS(b))) + (*dl_body_vec_z((__global const body *)a, dl_at_a DL_ARGS(a))) * (*dl_body_vec_z((__global const body *)b, dl_at_b DL_ARGS(b)));
}
static __global double *dl_body_mass(__global const body *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(double, dl_f, dl_i, 56, 0, 8);
}
#line 23
static DL_INLINE void dl_both(__global body *p, dl_index dl_at_p DL_PARAMS(p), __global const vec *from, dl_part dl_at_from DL_PARAMS(from))
{
    dl_put((__global vec *)p, dl_part_at(dl_at_p, 8) DL_ARGS(p), (*dl_body_vec_x((__global const body *)from, dl_at_from DL_ARGS(from))));
    dl_put((__global vec *)p, dl_part_at(dl_at_p, 20) DL_ARGS(p), (*dl_body_mass(p, dl_at_p DL_ARGS(p))));
    dl_put((__global vec *)p, dl_part_at(dl_at_p, (dl_index)(1) * 12 + 32) DL_ARGS(p), dl_dot_of((__global vec *)p, dl_part_at(dl_at_p, 8) DL_ARGS(p), (__global vec *)from, dl_at_from DL_ARGS(from)));
}
//DL-kernel: go 3
//DL-sums: contractable
//DL-buffer: f arg 0 write aos bytes 56 line 30 type body
//DL-leaves: 0+8 8+4*12
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 8+4 read write
//DL-access: linear 1 12+4 read write
//DL-access: linear 1 16+4 read write
//DL-access: linear 1 0+8 read write
//DL-access: linear 1 20+4 read write
//DL-access: linear 1 24+4 read write
//DL-access: linear 1 28+4 write
//DL-access: linear 1 44+4 read write
//DL-access: linear 1 48+4 read write
//DL-access: linear 1 52+4 write
//DL-buffer: g arg 1 read aos bytes 56 line 30 type body
//DL-leaves: 0+8 8+4*12
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 20+4 read
//DL-access: linear 1 24+4 read
//DL-access: linear 1 28+4 read
//DL-access: linear -1 0+56 read walks
//DL-access: linear 1 32+4 read
//DL-access: linear 1 36+4 read
//DL-access: linear 1 40+4 read
//DL-end: go
#line 31
__kernel void go(__global body *f, __global const body *g, int n DL_PARAMS(f) DL_PARAMS(g))
{
    int i = get_global_id(0);

    dl_both(f, (i) DL_ARGS(f), (__global vec *)g, dl_part_at(i, 20) DL_ARGS(g));
    dl_both(f, (i) DL_ARGS(f), (__global vec *)g, dl_part_at(n - 1 - i, (dl_index)(i & 1) * 12 + 32) DL_ARGS(g));
    (*dl_body_mass(f, i DL_ARGS(f))) = dl_dot_of((__global vec *)f, dl_part_at(i, 8) DL_ARGS(f), (__global vec *)g, dl_part_at(i, (dl_index)(0) * 12 + 32) DL_ARGS(g));
}
