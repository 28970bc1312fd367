// run: second structs
typedef struct {
    int x, y;
} pair;

//DL: AoS: f[global_size(0)] AOS2ASTA_pair
//DL-table: 2
/* prelude */
static __global int *dl_pair_x(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
//DL-kernel: first 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 6 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 read write
//DL-end: first
#line 7
__kernel void first(__global pair *f DL_PARAMS(f))
{
    (*dl_pair_x(f, get_global_id(0) DL_ARGS(f))) += 1;
}

__kernel void plain(__global pair *f)
{
    f[get_global_id(0)].x += 2;
}

//DL: AoS: g[global_size(0)] AOS2ASTA_pair
static __global int *dl_pair_y(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: second 1
//DL-sums: exact
//DL-buffer: g arg 0 write aos bytes 8 line 17 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read write
//DL-end: second
#line 18
__kernel void second(__global pair *g DL_PARAMS(g))
{
    (*dl_pair_x(g, get_global_id(0) DL_ARGS(g))) += 3;
    (*dl_pair_y(g, get_global_id(0) DL_ARGS(g))) += 4;
}
