// run: go structs
#define AT(i) f[(i)]
#define GET(i, field) (AT(i).field)
#define SWAP(a, b) { float t_ = (a); (a) = (b); (b) = t_; }
#define ID get_global_id(0)
typedef struct {
    float x, y;
} pair;

//DL: AoS: f[global_size(0)] AOS2ASTA_pair
//DL-table: 2
/* prelude */
static __global float *dl_pair_x(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 0, 4);
}
static __global float *dl_pair_y(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 10 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read write
//DL-end: go
#line 11
__kernel void go(__global pair *f DL_PARAMS(f))
{
    { float t_ = (((*dl_pair_x(f, (get_global_id(0)) DL_ARGS(f))))); (((*dl_pair_x(f, (get_global_id(0)) DL_ARGS(f))))) = (((*dl_pair_y(f, (get_global_id(0)) DL_ARGS(f))))); (((*dl_pair_y(f, (get_global_id(0)) DL_ARGS(f))))) = t_; };
    ((*dl_pair_x(f, (get_global_id(0)) DL_ARGS(f)))) += 1.0f; /* kept */ (*dl_pair_y(f, (get_global_id(0)) DL_ARGS(f))) -= ((*dl_pair_x(f, (get_global_id(0)) DL_ARGS(f))));
}
