// run: go structs ints:5,7,9,2
typedef struct {
    int x, y;
} pair;
typedef struct {
    pair p;
    int k[2];
} params;

//DL: AoS: f[global_size(0)] AOS2ASTA_pair
//DL-table: 2
/* prelude */
static pair dl_pair_store(__global const pair *dl_f, dl_index dl_i DL_FORMALS, pair dl_s)
{
    *DL_AT(int, dl_f, dl_i, 8, 0, 4) = dl_s.x;
    *DL_AT(int, dl_f, dl_i, 8, 4, 4) = dl_s.y;
    return dl_s;
}
static __global int *dl_pair_x(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
//DL-kernel: go 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 10 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+8 write
//DL-access: linear 1 0+4 read write
//DL-end: go
#line 11
__kernel void go(__global pair *f, params a DL_PARAMS(f))
{
    int i = get_global_id(0);

    dl_pair_store(f, i DL_ARGS(f), a.p);
    (*dl_pair_x(f, i DL_ARGS(f))) += a.k[i & 1];
}
