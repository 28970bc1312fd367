// run: go structs structs n
typedef struct {
    float x, y;
} pair;

//DL: AoS: f[n] AOS2ASTA_pair, out[n] AOS2ASTA_pair
//DL-table: 2
/* prelude */
static __global float *dl_pair_x(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 0, 4);
}
static __global float *dl_pair_y(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: f arg 0 read aos bytes 8 line 6 type pair
//DL-leaves: 0+4*2
//DL-structs: arg(2, i4, 0)
//DL-access: uniform 0+4 read loops 1 line 12
//DL-access: uniform 4+4 read loops 1 line 14
//DL-buffer: out arg 1 write aos bytes 8 line 6 type pair
//DL-leaves: 0+4*2
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+4 write
//DL-end: go
#line 7
__kernel void go(__global const pair *f, __global pair *out, int n DL_PARAMS(f) DL_PARAMS(out))
{
    int i = get_global_id(0);
    float sum = 0.0f;

    for (dl_index p = 0, end = (n); (dl_signed)(p) < (dl_signed)(end); p++)
        sum += (*dl_pair_x(f, p DL_ARGS(f)));
    for (dl_index p = ((n - 1)); (dl_signed)(p) >= (dl_signed)((dl_index)(i)); --p)
        sum -= (*dl_pair_y(f, p DL_ARGS(f)));
    (*dl_pair_x(out, i DL_ARGS(out))) = sum;
}
