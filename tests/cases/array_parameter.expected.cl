// run: go structs structs
typedef struct {
    int x, y;
} pair;

int get(__global const pair p[], int i)
{
    return p[i].x;
}

//DL: AoS: f[global_size(0)] AOS2ASTA_pair, g[global_size(0)] AOS2ASTA_pair
//DL-table: 2
/* prelude */
static __global int *dl_pair_x(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
#line 6
static DL_INLINE int dl_get(__global const pair p[], dl_index dl_at_p DL_PARAMS(p), int i)
{
    return (*dl_pair_x(p, dl_at_p + i DL_ARGS(p)));
}
static __global int *dl_pair_y(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: go 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 11 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 4+4 read write
//DL-buffer: g arg 1 read aos bytes 8 line 11 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 read
//DL-end: go
#line 12
__kernel void go(__global pair f[], __global pair g[16] DL_PARAMS(f) DL_PARAMS(g))
{
    int i = get_global_id(0);

    (*dl_pair_y(f, i DL_ARGS(f))) += dl_get(g, 0 DL_ARGS(g), i);
}
