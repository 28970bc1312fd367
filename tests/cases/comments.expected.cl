// run: go structs
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
static __global int *dl_pair_y(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 6 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read write
//DL-end: go
#line 7
__kernel /* a */ void go(__global pair *f /* the "f" */ DL_PARAMS(f)) // { (
{
    int i = get_global_id(0);

    (*dl_pair_x(f, i DL_ARGS(f))) = 1; // f[i].x, why??!!
    (*dl_pair_y(f, 
i DL_ARGS(f)))

        += (*dl_pair_x(f, i DL_ARGS(f)));
}
