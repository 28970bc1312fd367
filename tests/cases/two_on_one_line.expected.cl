// run: b structs
typedef struct { int x, y; } pair;
//DL: AoS: f[global_size(0)] AOS2ASTA_pair
//DL-table: 2
/* prelude */
static __global int *dl_pair_x(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
//DL-kernel: a 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 3 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 write
//DL-end: a
#line 4
__kernel void a(__global pair *f DL_PARAMS(f)) { (*dl_pair_x(f, get_global_id(0) DL_ARGS(f))) = 1; } __kernel void plain(void) {}
//DL: AoS: g[global_size(0)] AOS2ASTA_pair
static __global int *dl_pair_y(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: b 1
//DL-sums: exact
//DL-buffer: g arg 0 write aos bytes 8 line 5 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 4+4 write
//DL-access: uniform 0+4 read
//DL-end: b
#line 6
__kernel void b(__global pair *g DL_PARAMS(g)) { (*dl_pair_y(g, get_global_id(0) DL_ARGS(g))) = (*dl_pair_x(g, 0 DL_ARGS(g))); }
