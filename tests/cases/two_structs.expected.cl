// run: go structs structs
typedef struct {
    int x, y;
} pair;
struct pair_ {
    int x, y;
};

//DL: AoS: f[global_size(0)] AOS2ASTA_pair, g[global_size(0)] AOS2ASTA_pair_
//DL-table: 2
/* prelude */
static __global int *dl_pair_x(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
static __global int *dl_pair__y(__global const struct pair_ *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 4, 4);
}
static __global int *dl_pair__x(__global const struct pair_ *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
static __global int *dl_pair_y(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: go 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 9 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 write
//DL-access: linear 1 4+4 read
//DL-buffer: g arg 1 write aos bytes 8 line 9 type struct pair_
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 4+4 read
//DL-access: linear 1 0+4 write
//DL-end: go
#line 10
__kernel void go(__global pair *f, __global struct pair_ *g DL_PARAMS(f) DL_PARAMS(g))
{
    int i = get_global_id(0);

    (*dl_pair_x(f, i DL_ARGS(f))) = (*dl_pair__y(g, i DL_ARGS(g)));
    (*dl_pair__x(g, i DL_ARGS(g))) = (*dl_pair_y(f, i DL_ARGS(f)));
}
