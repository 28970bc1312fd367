// run: go structs n
typedef struct {
    float x, y;
} point;
typedef struct {
    uchar used;
    point points[4];
} shape;

float length_of(__global const point *p, int count)
{
    float s = 0.0f;

    for (int k = 0; k < count; k++, p++)
        s += p->x * p->y + p[k & 1 ? 0 : 1].x;
    return s;
}

//DL: AoS: f[n] AOS2ASTA_shape
//DL-table: 2
/* prelude */
static __global float *dl_shape_point_x(__global const shape *dl_f, dl_part dl_p DL_FORMALS)
{
    return DL_ANY_AT(float, dl_f, dl_p.dl_i, 36, 0 + dl_p.dl_o, 4);
}
static __global float *dl_shape_point_y(__global const shape *dl_f, dl_part dl_p DL_FORMALS)
{
    return DL_ANY_AT(float, dl_f, dl_p.dl_i, 36, 4 + dl_p.dl_o, 4);
}
#line 10
static DL_INLINE float dl_length_of(__global const point *p, dl_part dl_at_p DL_PARAMS(p), int count)
{
    float s = 0.0f;

    for (int k = 0; k < count; k++, dl_at_p.dl_o += 8)
        s += (*dl_shape_point_x((__global const shape *)p, dl_at_p DL_ARGS(p))) * (*dl_shape_point_y((__global const shape *)p, dl_at_p DL_ARGS(p))) + (*dl_shape_point_x((__global const shape *)p, dl_moved(dl_at_p, (dl_index)(k & 1 ? 0 : 1) * 8) DL_ARGS(p)));
    return s;
}
static __global float *dl_shape_points_y(__global const shape *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(float, dl_f, dl_i, 36, 8 + dl_k0 * 8, 4);
}
static point dl_shape_point_store(__global const shape *dl_f, dl_part dl_p DL_FORMALS, point dl_s)
{
    *DL_ANY_AT(float, dl_f, dl_p.dl_i, 36, 0 + dl_p.dl_o, 4) = dl_s.x;
    *DL_ANY_AT(float, dl_f, dl_p.dl_i, 36, 4 + dl_p.dl_o, 4) = dl_s.y;
    return dl_s;
}
static point dl_shape_point_load(__global const shape *dl_f, dl_part dl_p DL_FORMALS)
{
    point dl_s;
    dl_s.x = *DL_ANY_AT(float, dl_f, dl_p.dl_i, 36, 0 + dl_p.dl_o, 4);
    dl_s.y = *DL_ANY_AT(float, dl_f, dl_p.dl_i, 36, 4 + dl_p.dl_o, 4);
    return dl_s;
}
static __global unsigned char *dl_shape_used(__global const shape *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(unsigned char, dl_f, dl_i, 36, 0, 1);
}
//DL-kernel: go 2
//DL-sums: contractable
//DL-buffer: f arg 0 write aos bytes 36 line 19 type shape
//DL-leaves: 0+1*2 2+2 4+4*8
//DL-structs: arg(1, i4, 0)
//DL-gaps: 1+1 2+2
//DL-access: linear 1 0+36 read write walks loops 1 line 25
//DL-access: linear 1 32+4 write
//DL-access: linear 1 20+8 write
//DL-access: linear 1 4+8 read
//DL-access: linear 1 0+1 read
//DL-access: linear 1 0+36 write walks
//DL-end: go
#line 20
__kernel void go(__global shape *f, int n DL_PARAMS(f))
{
    int i = get_global_id(0);
    dl_part p = dl_part_at(i, 4), end = dl_moved(p, (dl_index)(4) * 8);

    for (; !dl_same(p, end, 36); p.dl_o += 8)
        (*dl_shape_point_x(f, p DL_ARGS(f))) += 1.0f;
    (*dl_shape_points_y(f, i, (3) DL_ARGS(f))) = dl_length_of((__global point *)f, dl_part_at(i, 4) DL_ARGS(f), 3);
    p = dl_moved(dl_part_at(i, 4), (dl_index)(1) * 8);
    dl_shape_point_store(f, dl_moved(p, (dl_index)(1) * 8) DL_ARGS(f), dl_shape_point_load(f, dl_moved(p, (dl_index)(-1) * 8) DL_ARGS(f)));
    p.dl_o += (dl_index)((*dl_shape_used(f, i DL_ARGS(f))) & 1) * 8;
    (*dl_shape_point_y(f, p DL_ARGS(f))) = (float)(((dl_difference)dl_apart(end, p, 36) / 8));
}
