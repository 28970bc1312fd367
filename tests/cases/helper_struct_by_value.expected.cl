// run: go structs
typedef struct {
    float x, y;
} pair;

float norm(pair p) { return p.x * p.x + p.y * p.y; }
pair scaled(pair p, float s)
{
    p.x *= s;
    p.y *= s;
    return p;
}

//DL: AoS: f[global_size(0)] AOS2ASTA_pair
//DL-table: 2
/* prelude */
static pair dl_pair_store(__global const pair *dl_f, dl_index dl_i DL_FORMALS, pair dl_s)
{
    *DL_AT(float, dl_f, dl_i, 8, 0, 4) = dl_s.x;
    *DL_AT(float, dl_f, dl_i, 8, 4, 4) = dl_s.y;
    return dl_s;
}
static pair dl_pair_load(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    pair dl_s;
    dl_s.x = *DL_AT(float, dl_f, dl_i, 8, 0, 4);
    dl_s.y = *DL_AT(float, dl_f, dl_i, 8, 4, 4);
    return dl_s;
}
static __global float *dl_pair_x(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 0, 4);
}
static __global float *dl_pair_y(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: go 1
//DL-sums: contractable
//DL-buffer: f arg 0 write aos bytes 8 line 14 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+8 read write
//DL-access: linear 1 0+4 write
//DL-access: linear 1 4+4 write
//DL-end: go
#line 15
__kernel void go(__global pair *f DL_PARAMS(f))
{
    int i = get_global_id(0);

    dl_pair_store(f, i DL_ARGS(f), scaled(dl_pair_load(f, i DL_ARGS(f)), 2.0f));
    (*dl_pair_x(f, i DL_ARGS(f))) = norm(dl_pair_load(f, i DL_ARGS(f)));
    (*dl_pair_y(f, i DL_ARGS(f))) = scaled(dl_pair_load(f, i DL_ARGS(f)), 0.5f).y;
}
