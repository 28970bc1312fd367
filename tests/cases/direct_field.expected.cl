// run: scale structs
typedef struct foo {
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
//DL-kernel: scale 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 6 type foo
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 read write
//DL-end: scale
#line 7
__kernel void scale(__global foo *f DL_PARAMS(f))
{
    (*dl_foo_bar(f, get_global_id(0) DL_ARGS(f))) *= 2.0f;
}
