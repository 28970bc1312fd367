// run: go structs ints:n,2,1,1 ushort:0
typedef struct {
    int x, y;
} pair;

//DL: AoS: f[size.x * size.s1 * (ushort_count + 1u)] AOS2ASTA_pair
//DL-table: 2
/* prelude */
static __global int *dl_pair_x(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 6 type pair
//DL-leaves: 0+4*2
//DL-structs: arg(1, i4, 0) * arg(1, i4, 4) * (arg(2, u2, 0) + 1u)
//DL-access: linear 1 0+4 write
//DL-end: go
#line 7
__kernel void go(__global pair *f, int4 size, ushort ushort_count DL_PARAMS(f))
{
    (*dl_pair_x(f, get_global_id(0) DL_ARGS(f))) = size.x;
}
