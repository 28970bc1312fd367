// run: go structs
//DL: AoS: f[global_size(0)] AOS2ASTA_pair
typedef struct {
    int x, y;
} pair;
int unrelated(int a) { return a; }
//DL-table: 2
/* prelude */
static __global int *dl_pair_x(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 2 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 read write
//DL-end: go
#line 7
__kernel void go(__global pair *f DL_PARAMS(f)) { (*dl_pair_x(f, unrelated(get_global_id(0)) DL_ARGS(f))) += 1; }
