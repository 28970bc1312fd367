// options: -DBLOCKS=2
// run: go structs uint:3
#define UNIT (1 << 2)
#define ROUND(x) ((x + UNIT - 1) / UNIT * UNIT)
typedef struct {
    int x, y;
} pair;

//DL: AoS: f[min(ROUND(global_size(0)) + BLOCKS, max(count, 10) * UNIT)] AOS2ASTA_pair
//DL-table: 2
/* prelude */
static __global int *dl_pair_x(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
//DL-kernel: go 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 9 type pair
//DL-leaves: 0+4*2
//DL-structs: min(((global_size(0) + (1 << 2) - 1) / (1 << 2) * (1 << 2)) + 2, max(arg(1, u4, 0), 10) * (1 << 2))
//DL-access: linear 1 0+4 write
//DL-end: go
#line 10
__kernel void go(__global pair *f, uint count DL_PARAMS(f))
{
    (*dl_pair_x(f, get_global_id(0) DL_ARGS(f))) = count * BLOCKS;
}
