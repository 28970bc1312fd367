// run: early structs n
// group: 8
typedef struct {
    float x, y, z;
} point;

// Stores are plain: a work-item may have left.
//DL: AoS: f[n] AOS2ASTA_point
//DL-table: 2
/* prelude */
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
//DL-kernel: early 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 12 line 8 type point
//DL-leaves: 0+4*3
//DL-structs: arg(1, i4, 0)
//DL-access: linear 1 0+12 read
//DL-access: linear 1 0+12 write conditional
//DL-end: early
#line 9
kernel void early(global point *f, int n DL_PARAMS(f))
{
    const size_t i = get_global_id(0);

    if (i >= n) { return; }
    point p = dl_point_load(f, i DL_ARGS(f));
    if (p.x > 3)
        return;
    p.z = 17;
    dl_point_store(f, i DL_ARGS(f), p);
}
