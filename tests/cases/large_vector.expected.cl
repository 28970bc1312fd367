// run: go structs
typedef struct {
    double16 wide;
    float8 f;
    int k[8];
} big;

//DL: AoS: b[global_size(0)] AOS2ASTA_big
//DL-table: 2
/* prelude */
static __global double16 *dl_big_wide(__global const big *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(double16, dl_f, dl_i, 256, 0, 128);
}
static __global float8 *dl_big_f(__global const big *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float8, dl_f, dl_i, 256, 128, 32);
}
static __global int *dl_big_k(__global const big *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(int, dl_f, dl_i, 256, 160 + dl_k0 * 4, 4);
}
//DL-kernel: go 1
//DL-sums: contractable
//DL-buffer: b arg 0 write aos bytes 256 line 8 type big
//DL-leaves: 0+128 128+32 160+4*8 192+16*4
//DL-structs: global_size(0)
//DL-gaps: 192+16 208+16 224+16 240+16
//DL-access: linear 1 0+128 read write
//DL-access: linear 1 128+32 read write
//DL-access: linear 1 160+32 read
//DL-end: go
#line 9
__kernel void go(__global big *b DL_PARAMS(b))
{
    int i = get_global_id(0);

    (*dl_big_wide(b, i DL_ARGS(b))) *= 2.0;
    (*dl_big_f(b, i DL_ARGS(b))).s7 = (*dl_big_k(b, i, (i & 7) DL_ARGS(b)));
    (*dl_big_wide(b, i DL_ARGS(b))).sf += (*dl_big_f(b, i DL_ARGS(b))).s0;
}
