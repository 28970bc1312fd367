// run: go structs n
typedef struct {
    float f[6];
    uchar tag[4];
} site;

//DL: AoS: s[n] AOS2ASTA_site
//DL-table: 2
/* prelude */
static __global float *dl_site_f(__global const site *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(float, dl_f, dl_i, 28, 0 + dl_k0 * 4, 4);
}
static __global unsigned char *dl_site_tag(__global const site *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(unsigned char, dl_f, dl_i, 28, 24 + dl_k0 * 1, 1);
}
//DL-kernel: go 2
//DL-sums: contractable
//DL-buffer: s arg 0 write aos bytes 28 line 7 type site
//DL-leaves: 0+4*6 24+1*4
//DL-structs: arg(1, i4, 0)
//DL-access: linear 1 0+24 read write walks loops 1 counted 1 rounds 6
//DL-access: linear 1 24+4 read write
//DL-end: go
#line 8
__kernel void go(__global site *s, int n DL_PARAMS(s))
{
    int i = get_global_id(0);

    for (int k = 0; k < 6; k++)
        (*dl_site_f(s, i, (k) DL_ARGS(s))) += (*dl_site_f(s, i, ((k + n) % 6) DL_ARGS(s))) * 0.25f;
    (*dl_site_tag(s, i, (i & 3) DL_ARGS(s))) = (*dl_site_tag(s, i, ((i + 1) & 3) DL_ARGS(s))) + 1;
}
