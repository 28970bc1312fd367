// run: go structs structs n
typedef struct {
    int x, y, z;
} triple;

//DL: AoS: f[n] AOS2ASTA_triple, out[n] AOS2ASTA_triple
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
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: f arg 0 read aos bytes 12 line 6 type triple
//DL-leaves: 0+4*3
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+4 read loops 1 line 14
//DL-access: linear 1 4+4 read loops 1 line 14
//DL-access: linear 1 8+4 read
//DL-access: linear 1 0+4 read
//DL-buffer: out arg 1 write aos bytes 12 line 6 type triple
//DL-leaves: 0+4*3
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 8+4 write
//DL-end: go
#line 7
__kernel void go(__global const triple *f, __global triple *out, int n DL_PARAMS(f) DL_PARAMS(out))
{
    int i = get_global_id(0), left = (n - i + 2) / 3;
    dl_index p = 0;
    int sum = 0;

    p += i;
    for (; left > 0; left--) {
        sum += (*dl_triple_x(f, p DL_ARGS(f))) ^ (*dl_triple_y(f, p + 0 DL_ARGS(f)));
        p += 3;
    }
    p -= 3;
    (*dl_triple_z(out, i DL_ARGS(out))) = sum + (*dl_triple_z(f, p DL_ARGS(f))) + (*dl_triple_x(f, (p - 0) DL_ARGS(f)));
}
