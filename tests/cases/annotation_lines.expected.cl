// run: go structs structs structs
typedef struct {
    int x, y;
} pair;
typedef struct {
    float a, b, c;
} triple;

//DL: AoS: f[global_size(0)] AOS2ASTA_pair, h[global_size(0)] AOS2ASTA_pair
/* a comment between */
//DL: AoS: g[] AOS2ASTA_triple

//DL-table: 2
/* prelude */
static __global int *dl_pair_x(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
static __global int *dl_pair_y(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 4, 4);
}
static __global float *dl_triple_c(__global const triple *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 12, 8, 4);
}
static __global float *dl_triple_a(__global const triple *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 12, 0, 4);
}
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 9 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 write
//DL-buffer: h arg 2 read aos bytes 8 line 9 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 4+4 read
//DL-buffer: g arg 1 write aos bytes 12 line 11 type triple
//DL-leaves: 0+4*3
//DL-structs: *
//DL-access: linear 1 8+4 write
//DL-access: linear 1 0+4 read
//DL-end: go
#line 13
__kernel void go(__global pair *f, __global triple *g,
                 __global pair *h DL_PARAMS(f) DL_PARAMS(h) DL_PARAMS(g))
{
    int i = get_global_id(0);

    (*dl_pair_x(f, i DL_ARGS(f))) = (*dl_pair_y(h, i DL_ARGS(h)));
    (*dl_triple_c(g, i DL_ARGS(g))) = (*dl_triple_a(g, i DL_ARGS(g)));
}
