// run: go structs n
typedef struct {
    int x, y;
} pair;

//DL: AoS: f[n] AOS2ASTA_pair
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
//DL-buffer: f arg 0 write aos bytes 8 line 6 type pair
//DL-leaves: 0+4*2
//DL-structs: arg(1, i4, 0)
//DL-access: linear 1 0+4 write conditional
//DL-access: linear 1 4+4 write
//DL-end: go
#line 7
__kernel void go(__global pair *f, int n DL_PARAMS(f))
{
    dl_index p = (get_global_id(0));

    if (p != 0 && p == (dl_index)((dl_index)((n - 1))))
        (*dl_pair_x(f, p DL_ARGS(f))) = 1;
    (*dl_pair_y(f, p DL_ARGS(f))) = ((dl_signed)(p) < (dl_signed)((dl_index)(n / 2))) + 2 * ((dl_signed)(p) >= (dl_signed)(0)) + 4 * ((dl_signed)(0) <= (dl_signed)(p)) + 8 * ((dl_signed)(p) > (dl_signed)(0));
}
