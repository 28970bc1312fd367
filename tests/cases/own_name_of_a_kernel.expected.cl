// run: go structs
typedef struct {
    int x, name;
} place;
//DL: AoS: f[global_size(0)] AOS2ASTA_place
//DL-table: 2
/* prelude */
static __global int *dl_place_name(__global const place *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 5 type place
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 4+4 read write
//DL-end: go
#line 6
__kernel void go(__global place *f DL_PARAMS(f))
{
    (*dl_place_name(f, get_global_id(0) DL_ARGS(f))) += sizeof(__func__) + __func__[0]; /* not __PRETTY_FUNCTION__ */
}
