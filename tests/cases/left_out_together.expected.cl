// run: go words:2 words:2 structs n
// Two that do not go by themselves, and one that does.
typedef struct {
    int x, y;
} pair;

//DL: AoS: h[n] AOS2ASTA_pair
//DL-table: 2
/* prelude */
static __global int *dl_pair_y(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 4, 4);
}
static __global int *dl_pair_x(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
//DL-kernel: go 4
//DL-sums: exact
//DL-buffer: h arg 2 write aos bytes 8 line 7 type pair
//DL-leaves: 0+4*2
//DL-structs: arg(3, i4, 0)
//DL-access: linear 1 4+4 read
//DL-access: linear 1 0+4 read write
//DL-end: go
#line 8
__kernel void go(__global pair *f, __global pair *g, __global pair *h, int n DL_PARAMS(h))
{
    int i = get_global_id(0);
    ulong at = i & 1 ? (ulong)&f[i] : (ulong)&g[i];

    ((__global pair *)at)->x = (*dl_pair_y(h, i DL_ARGS(h)));
    (*dl_pair_x(h, i DL_ARGS(h)))++;
}
