// run: go structs
typedef struct {
    char c;
    double d;
    short s;
    uchar3 rgb;
    int i;
    uchar tail;
} mixed;

//DL: AoS: f[global_size(0)] AOS2ASTA_mixed
//DL-table: 2
/* prelude */
static __global char *dl_mixed_c(__global const mixed *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(char, dl_f, dl_i, 32, 0, 1);
}
static __global short *dl_mixed_s(__global const mixed *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(short, dl_f, dl_i, 32, 16, 2);
}
static __global double *dl_mixed_d(__global const mixed *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(double, dl_f, dl_i, 32, 8, 8);
}
static __global int *dl_mixed_i(__global const mixed *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 32, 24, 4);
}
static __global uchar3 *dl_mixed_rgb(__global const mixed *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(uchar3, dl_f, dl_i, 32, 20, 4);
}
static __global unsigned char *dl_mixed_tail(__global const mixed *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(unsigned char, dl_f, dl_i, 32, 28, 1);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 32 line 11 type mixed
//DL-leaves: 0+1*2 2+2 4+4 8+8 16+2*2 20+4*2 28+1*2 30+2
//DL-structs: global_size(0)
//DL-gaps: 1+1 2+2 4+4 18+2 23+1 29+1 30+2
//DL-access: linear 1 0+1 read write
//DL-access: linear 1 16+2 read
//DL-access: linear 1 8+8 read write
//DL-access: linear 1 24+4 read
//DL-access: linear 1 20+4 read write
//DL-access: linear 1 28+1 read write
//DL-end: go
#line 12
__kernel void go(__global mixed *f DL_PARAMS(f))
{
    int i = get_global_id(0);

    (*dl_mixed_c(f, i DL_ARGS(f))) += (*dl_mixed_s(f, i DL_ARGS(f)));
    (*dl_mixed_d(f, i DL_ARGS(f))) += (*dl_mixed_i(f, i DL_ARGS(f)));
    (*dl_mixed_rgb(f, i DL_ARGS(f))) = (*dl_mixed_rgb(f, i DL_ARGS(f))).zyx;
    (*dl_mixed_tail(f, i DL_ARGS(f))) ^= (*dl_mixed_c(f, i DL_ARGS(f)));
}
