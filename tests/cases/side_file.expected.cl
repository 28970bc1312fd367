// run: go structs structs
typedef struct {
    int x, y;
} pair;
#define N global_size(0)

//DL: AoS: f[12345]
//DL: AoS: f[N] AOS2ASTA_pair
//DL: AoS: g[N] AOS2ASTA_pair
//DL-table: 2
/* prelude */
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
//DL-buffer: f arg 0 write aos bytes 8 line 2 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 write
//DL-buffer: g arg 1 read aos bytes 8 line 3 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 4+4 read
//DL-end: go
#line 8
__kernel void go(__global pair *f, __global pair *g DL_PARAMS(f) DL_PARAMS(g))
{
    (*dl_pair_x(f, get_global_id(0) DL_ARGS(f))) = (*dl_pair_y(g, get_global_id(0) DL_ARGS(g)));
}
__kernel void other(__global pair *f)
{
    f->x = 1;
}
