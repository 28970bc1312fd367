// run: go structs words:2 words:2 structs words:1 n
// Of five buffers two can't be transformed and one is misspelt: the others are.
typedef struct {
    int x, y;
} pair;

//DL: AoS: f[n] AOS2ASTA_pair
//DL: AoS: out[n]
//DL: AoS: h[n] AOS2ASTA_pair
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
//DL-kernel: go 6
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 7 type pair
//DL-leaves: 0+4*2
//DL-structs: arg(5, i4, 0)
//DL-access: linear 1 0+4 read write
//DL-access: linear -1 4+4 read
//DL-buffer: h arg 3 write aos bytes 8 line 9 type pair
//DL-leaves: 0+4*2
//DL-structs: arg(5, i4, 0)
//DL-access: linear 1 4+4 read write
//DL-access: linear 1 0+4 read
//DL-end: go
#line 10
__kernel void go(__global pair *f, __global pair *g, __global int *out, __global pair *h,
                 __global int *plain, int n DL_PARAMS(f) DL_PARAMS(h))
{
    int i = get_global_id(0);
    __global int *words = (__global int *)g;

    (*dl_pair_x(f, i DL_ARGS(f))) += words[2 * i];
    (*dl_pair_y(h, i DL_ARGS(h))) ^= (*dl_pair_y(f, n - 1 - i DL_ARGS(f)));
    out[2 * i] = (*dl_pair_x(h, i DL_ARGS(h))) + plain[i];
}
