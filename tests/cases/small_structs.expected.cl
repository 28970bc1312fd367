// run: go structs structs
typedef struct {
    uchar v;
} one;
typedef struct {
    short a;
    uchar b;
} three;

//DL: AoS: f[global_size(0)] AOS2ASTA_one, g[global_size(0)] AOS2ASTA_three
//DL-table: 2
/* prelude */
static __global unsigned char *dl_one_v(__global const one *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(unsigned char, dl_f, dl_i, 1, 0, 1);
}
static __global unsigned char *dl_three_b(__global const three *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(unsigned char, dl_f, dl_i, 4, 2, 1);
}
static __global short *dl_three_a(__global const three *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(short, dl_f, dl_i, 4, 0, 2);
}
//DL-kernel: go 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 1 line 10 type one
//DL-leaves: 0+1
//DL-structs: global_size(0)
//DL-access: linear 1 0+1 read write
//DL-buffer: g arg 1 write aos bytes 4 line 10 type three
//DL-leaves: 0+2 2+1*2
//DL-structs: global_size(0)
//DL-gaps: 3+1
//DL-access: linear 1 2+1 read
//DL-access: linear 1 0+2 read write
//DL-end: go
#line 11
__kernel void go(__global one *f, __global three *g DL_PARAMS(f) DL_PARAMS(g))
{
    int i = get_global_id(0);

    (*dl_one_v(f, i DL_ARGS(f))) += (*dl_three_b(g, i DL_ARGS(g)));
    (*dl_three_a(g, i DL_ARGS(g))) -= (*dl_one_v(f, i DL_ARGS(f)));
}
