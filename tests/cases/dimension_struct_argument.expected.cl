// run: go structs ints:1,n,1,0
typedef struct {
    int x, y;
} pair;
typedef struct {
    int border;
    struct {
        int nx, ny;
    } size;
    int spare[1];
} params;

//DL: AoS: f[p.size.nx * p.size.ny + p.spare[0] * p.border] AOS2ASTA_pair
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
//DL-buffer: f arg 0 write aos bytes 8 line 13 type pair
//DL-leaves: 0+4*2
//DL-structs: arg(1, i4, 4) * arg(1, i4, 8) + arg(1, i4, 12) * arg(1, i4, 0)
//DL-access: linear 1 0+4 write
//DL-access: linear 1 4+4 read write
//DL-end: go
#line 14
__kernel void go(__global pair *f, params p DL_PARAMS(f))
{
    int i = get_global_id(0);

    (*dl_pair_x(f, i DL_ARGS(f))) = p.size.nx + p.border;
    (*dl_pair_y(f, i DL_ARGS(f))) ^= p.size.ny;
}
