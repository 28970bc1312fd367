// run: go structs
#define NAME(a, b) a##b
#define COUNT(...) COUNT_(__VA_ARGS__, 3, 2, 1)
#define COUNT_(a, b, c, n, ...) n
typedef struct {
    float field1, field2;
} pair;

//DL: AoS: f[global_size(0)] AOS2ASTA_pair
//DL-table: 2
/* prelude */
static __global float *dl_pair_field1(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 0, 4);
}
static __global float *dl_pair_field2(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 9 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read write
//DL-end: go
#line 10
__kernel void go(__global pair *f DL_PARAMS(f))
{
    int i = get_global_id(0);

    (*dl_pair_field1(f, i DL_ARGS(f))) += COUNT(1, 1, 1);
    (*dl_pair_field2(f, i DL_ARGS(f))) -= COUNT(1);
}
