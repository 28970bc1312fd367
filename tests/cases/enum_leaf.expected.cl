// run: go structs
typedef enum { RED, GREEN = 5 } colour;
typedef struct {
    colour c;
    float x;
} spot;

//DL: AoS: f[global_size(0)] AOS2ASTA_spot
//DL-table: 2
/* prelude */
static __global colour *dl_spot_c(__global const spot *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(colour, dl_f, dl_i, 8, 0, 4);
}
static __global float *dl_spot_x(__global const spot *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 8 type spot
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 write
//DL-access: linear 1 4+4 read
//DL-end: go
#line 9
__kernel void go(__global spot *f DL_PARAMS(f))
{
    int i = get_global_id(0);

    (*dl_spot_c(f, i DL_ARGS(f))) = (*dl_spot_x(f, i DL_ARGS(f))) > 1.25f ? RED : GREEN;
}
