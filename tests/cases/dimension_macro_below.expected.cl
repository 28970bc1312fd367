// run: go structs uint:3
// Macros between an annotation and its kernel, also where another macro makes it one.
typedef struct {
    int x, y;
} pair;

//DL: AoS: f[global_size(0) / UNIT + MORE] AOS2ASTA_pair
#define UNIT 2
#define MORE (max(count, 10) * UNIT)
#define KERNEL __kernel
//DL-table: 2
/* prelude */
static __global int *dl_pair_x(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
//DL-kernel: go 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 7 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0) / 2 + (max(arg(1, u4, 0), 10) * 2)
//DL-access: linear 1 0+4 write
//DL-end: go
#line 11
KERNEL void go(__global pair *f, uint count DL_PARAMS(f))
{
    (*dl_pair_x(f, get_global_id(0) DL_ARGS(f))) = count * UNIT;
}
#undef UNIT
#define UNIT 1000
