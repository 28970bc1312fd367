// detect: on
// run: go structs words:1
typedef struct {
    uint n, v[16];
} pw;

//DL: AoS: f[] AOS2ASTA_pw
//DL-table: 2
/* prelude */
static __global unsigned char *dl_pw_uchar(__global const pw *dl_f, dl_part dl_p DL_FORMALS)
{
    dl_index dl_b = 0 + dl_p.dl_o;
    dl_index dl_o = dl_rest(dl_p.dl_i, 68, dl_b);
    dl_index dl_w = 4;
    dl_index dl_r = (dl_o - (0)) % dl_w;
    return (__global unsigned char *)(DL_AT(unsigned char, dl_f, dl_owner(dl_p.dl_i, 68, dl_b), 68, dl_o - dl_r, dl_w) + dl_r);
}
//DL-kernel: go 2
//DL-sums: exact
//DL-detected: 0 1
//DL-buffer: f arg 0 read aos bytes 68 line 7 type pw
//DL-leaves: 0+4*17
//DL-structs: *
//DL-found: f[]
//DL-members: n 0+4*1 v 4+4*16
//DL-access: linear 1 0+68 read walks
//DL-end: go
#line 7
__kernel void go(__global pw *f, __global int *o DL_PARAMS(f))
{
    int i = get_global_id(0);

    o[i] = (*dl_pw_uchar(f, dl_moved((dl_part_at(i, 4)), (dl_index)(i & 63) * 1) DL_ARGS(f)));
}
