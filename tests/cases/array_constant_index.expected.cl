// run: go structs
typedef struct {
    float f[5];
    int flags;
} site;

//DL: AoS: s[global_size(0)] AOS2ASTA_site
//DL-table: 2
/* prelude */
static __global float *dl_site_f(__global const site *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(float, dl_f, dl_i, 24, 0 + dl_k0 * 4, 4);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: s arg 0 write aos bytes 24 line 7 type site
//DL-leaves: 0+4*6
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read
//DL-access: linear 1 8+4 read
//DL-access: linear 1 12+4 read
//DL-access: linear 1 16+4 read write
//DL-end: go
#line 8
__kernel void go(__global site *s DL_PARAMS(s))
{
    int i = get_global_id(0);
    float sum = (*dl_site_f(s, i, (0) DL_ARGS(s))) + (*dl_site_f(s, i, (1) DL_ARGS(s))) + (*dl_site_f(s, i, (2) DL_ARGS(s))) + (*dl_site_f(s, i, (3) DL_ARGS(s))) + (*dl_site_f(s, i, (4) DL_ARGS(s)));

    (*dl_site_f(s, i, (0) DL_ARGS(s))) = sum;
    (*dl_site_f(s, i, (4) DL_ARGS(s))) -= (*dl_site_f(s, i, (3) DL_ARGS(s)));
}
