// run: go structs
#define GRID f
#define FIELD bar
#define STEP 2
typedef struct {
    float bar;
    int baz;
} foo;

//DL: AoS: f[global_size(0)] AOS2ASTA_foo
//DL-table: 2
/* prelude */
static __global float *dl_foo_bar(__global const foo *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 0, 4);
}
static __global int *dl_foo_baz(__global const foo *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 10 type foo
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read write
//DL-end: go
#line 11
__kernel void go(__global foo *f DL_PARAMS(f))
{
    int i = get_global_id(0);

    (*dl_foo_bar(f, i DL_ARGS(f))) *= STEP; (*dl_foo_baz(f, i DL_ARGS(f))) += STEP * STEP;
    (*dl_foo_baz(f, i DL_ARGS(f))) -= STEP;
}
