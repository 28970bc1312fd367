// run: go structs+2 n
#define MARGIN 2
typedef struct {
    int x, y;
} pair;

//DL: AoS: grid[n + MARGIN] AOS2ASTA_pair
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
//DL-buffer: grid arg 0 write aos bytes 8 line 7 type pair
//DL-leaves: 0+4*2
//DL-structs: arg(1, i4, 0) + 2
//DL-access: linear 1 0+4 write
//DL-access: linear 1 4+4 write
//DL-access: uniform 4+4 read
//DL-end: go
#line 8
__kernel void go(__global pair *grid, int n DL_PARAMS(grid))
{ dl_index dl_at_grid = 0;
    dl_at_grid += MARGIN;
    (*dl_pair_x(grid, dl_at_grid + ((int)get_global_id(0) - MARGIN) DL_ARGS(grid))) = 1;
    dl_at_grid--;
    (*dl_pair_y(grid, dl_at_grid + (-1 + (int)get_global_id(0)) DL_ARGS(grid))) = (*dl_pair_y(grid, (dl_at_grid + n) DL_ARGS(grid))) + n;
}
