// run: go structs
#line 100 "other.cl"
typedef struct {
    int x, line;
} pair;
#line 7
//DL: AoS: f[global_size(0)] AOS2ASTA_pair
//DL-table: 2
/* prelude */
static __global int *dl_pair_line(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 7 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 4+4 write
//DL-end: go
#line 8 "other.cl"
__kernel void go(__global pair *f DL_PARAMS(f))
{
    (*dl_pair_line(f, get_global_id(0) DL_ARGS(f))) = __LINE__;
}
