// run: go structs structs
typedef struct {
    float x, y;
} pair;

void blend(__global pair *to, int i, const __global pair *from)
{
    to[i].x = from[i].x * 0.5f;
    to[i] = from[i];
    to[i].y += 1.0f;
}

//DL: AoS: f[global_size(0)] AOS2ASTA_pair, g[global_size(0)] AOS2ASTA_pair
//DL-table: 2
/* prelude */
static __global float *dl_pair_x(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 0, 4);
}
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
static __global float *dl_pair_y(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 4, 4);
}
#line 6
static DL_INLINE void dl_blend(__global pair *to, dl_index dl_at_to DL_PARAMS(to), int i, const __global pair *from, dl_index dl_at_from DL_PARAMS(from))
{
    (*dl_pair_x(to, dl_at_to + i DL_ARGS(to))) = (*dl_pair_x(from, dl_at_from + i DL_ARGS(from))) * 0.5f;
    dl_pair_store(to, dl_at_to + i DL_ARGS(to), dl_pair_load(from, dl_at_from + i DL_ARGS(from)));
    (*dl_pair_y(to, dl_at_to + i DL_ARGS(to))) += 1.0f;
}
#line 6
static DL_INLINE void dl_blend_2(__global pair *to, dl_index dl_at_to DL_PARAMS(to), int i, const __global pair *from, dl_index dl_at_from DL_PARAMS(from))
{
    (*dl_pair_x(to, dl_at_to + i DL_ARGS(to))) = (*dl_pair_x(to, dl_at_from + i DL_ARGS(to))) * 0.5f;
    dl_pair_store(to, dl_at_to + i DL_ARGS(to), dl_pair_load(to, dl_at_from + i DL_ARGS(to)));
    (*dl_pair_y(to, dl_at_to + i DL_ARGS(to))) += 1.0f;
}
//DL-kernel: go 2
//DL-sums: contractable
//DL-buffer: f arg 0 write aos bytes 8 line 13 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 write
//DL-access: linear 1 0+8 write
//DL-access: linear 1 4+4 read write
//DL-buffer: g arg 1 write aos bytes 8 line 13 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 0+8 read write
//DL-access: linear 1 4+4 read write
//DL-end: go
#line 14
__kernel void go(__global pair *f, __global pair *g DL_PARAMS(f) DL_PARAMS(g))
{
    dl_blend(f, 0 DL_ARGS(f), get_global_id(0), g, 0 DL_ARGS(g));
    dl_blend_2(g, 0 DL_ARGS(g), get_global_id(0), g, 0 DL_ARGS(g));
}
