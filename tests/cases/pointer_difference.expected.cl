// run: go structs n
typedef struct {
    int x, y, z;
} triple;

//DL: AoS: f[n] AOS2ASTA_triple
//DL-table: 2
/* prelude */
static __global int *dl_triple_x(__global const triple *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 12, 0, 4);
}
static __global int *dl_triple_y(__global const triple *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 12, 4, 4);
}
static __global int *dl_triple_z(__global const triple *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 12, 8, 4);
}
//DL-kernel: go 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 12 line 6 type triple
//DL-leaves: 0+4*3
//DL-structs: arg(1, i4, 0)
//DL-access: linear 1 0+4 write
//DL-access: linear 1 4+4 write
//DL-access: linear 1 8+4 write
//DL-end: go
#line 7
__kernel void go(__global triple *f, int n DL_PARAMS(f))
{
    dl_index p = (get_global_id(0)), last = (n - 1);

    (*dl_triple_x(f, p DL_ARGS(f))) = (int)((dl_difference)(dl_signed)(last - p)) * 2;
    (*dl_triple_y(f, p DL_ARGS(f))) = (dl_difference)(dl_signed)(p - 0);
    (*dl_triple_z(f, p DL_ARGS(f))) = ((dl_difference)(dl_signed)(0 - p)) < 0 ? 1 : (int)((dl_difference)(dl_signed)((dl_index)(p + 0) - (dl_index)(0)));
}
