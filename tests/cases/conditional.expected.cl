// run: go structs structs
typedef struct {
    int x, y;
} pair;

//DL: AoS: f[global_size(0)] AOS2ASTA_pair, g[global_size(0)] AOS2ASTA_pair
//DL-table: 2
/* prelude */
static pair dl_pair_load(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    pair dl_s;
    dl_s.x = *DL_AT(int, dl_f, dl_i, 8, 0, 4);
    dl_s.y = *DL_AT(int, dl_f, dl_i, 8, 4, 4);
    return dl_s;
}
static __global int *dl_pair_x(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
static __global int *dl_pair_y(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: go 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 6 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+8 read conditional
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read conditional
//DL-buffer: g arg 1 write aos bytes 8 line 6 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+8 read conditional
//DL-access: linear 1 4+4 write
//DL-access: linear 1 0+4 write
//DL-access: linear 1 4+4 read conditional
//DL-end: go
#line 7
__kernel void go(__global pair *f, __global pair *g DL_PARAMS(f) DL_PARAMS(g))
{
    int i = get_global_id(0);
    pair p = i & 1 ? dl_pair_load(f, i DL_ARGS(f)) : dl_pair_load(g, i DL_ARGS(g));
    dl_index q = i > 2 ? (dl_index)(i - 1) : (dl_index)(i);

    (*dl_pair_x(f, i DL_ARGS(f))) = (i & 2 ? dl_pair_load(g, i DL_ARGS(g)) : p).y;
    (*dl_pair_y(g, i DL_ARGS(g))) = (*dl_pair_x(f, (i > 2 ? (dl_index)(i) : (dl_index)(i)) DL_ARGS(f))) + (q == 0);
    (*dl_pair_x(g, i DL_ARGS(g))) = i & 4 ? (*dl_pair_y(f, i DL_ARGS(f))) : (*dl_pair_y(g, i DL_ARGS(g)));
}
