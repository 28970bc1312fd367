// run: go structs
typedef struct {
    double d;
    long l;
    ulong u[2];
    double2 v;
} wide;

//DL: AoS: f[global_size(0)] AOS2ASTA_wide
//DL-table: 2
/* prelude */
static __global double *dl_wide_d(__global const wide *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(double, dl_f, dl_i, 48, 0, 8);
}
static __global long *dl_wide_l(__global const wide *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(long, dl_f, dl_i, 48, 8, 8);
}
static __global unsigned long *dl_wide_u(__global const wide *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(unsigned long, dl_f, dl_i, 48, 16 + dl_k0 * 8, 8);
}
static __global double2 *dl_wide_v(__global const wide *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(double2, dl_f, dl_i, 48, 32, 16);
}
//DL-kernel: go 1
//DL-sums: contractable
//DL-buffer: f arg 0 write aos bytes 48 line 9 type wide
//DL-leaves: 0+8*4 32+16
//DL-structs: global_size(0)
//DL-access: linear 1 0+8 read write
//DL-access: linear 1 8+8 write
//DL-access: linear 1 16+16 read
//DL-access: linear 1 32+16 read write
//DL-end: go
#line 10
__kernel void go(__global wide *f DL_PARAMS(f))
{
    int i = get_global_id(0);

    (*dl_wide_d(f, i DL_ARGS(f))) *= 2.0;
    (*dl_wide_l(f, i DL_ARGS(f))) = (*dl_wide_u(f, i, (i & 1) DL_ARGS(f))) - 1;
    (*dl_wide_v(f, i DL_ARGS(f))).y += (*dl_wide_d(f, i DL_ARGS(f)));
}
