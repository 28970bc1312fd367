// run: go structs
#define head 1
#define tail 2
#define i get_global_id(0)
#define s 3
#define k0 4
typedef struct {
    int x[2], y;
} pair;

//DL: AoS: f[global_size(0)] AOS2ASTA_pair
//DL-table: 2
/* prelude */
static pair dl_pair_load(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    pair dl_s;
    dl_s.x[0] = *DL_AT(int, dl_f, dl_i, 12, 0, 4);
    dl_s.x[1] = *DL_AT(int, dl_f, dl_i, 12, 4, 4);
    dl_s.y = *DL_AT(int, dl_f, dl_i, 12, 8, 4);
    return dl_s;
}
static __global int *dl_pair_x(__global const pair *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(int, dl_f, dl_i, 12, 0 + dl_k0 * 4, 4);
}
static pair dl_pair_store(__global const pair *dl_f, dl_index dl_i DL_FORMALS, pair dl_s)
{
    *DL_AT(int, dl_f, dl_i, 12, 0, 4) = dl_s.x[0];
    *DL_AT(int, dl_f, dl_i, 12, 4, 4) = dl_s.x[1];
    *DL_AT(int, dl_f, dl_i, 12, 8, 4) = dl_s.y;
    return dl_s;
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 12 line 11 type pair
//DL-leaves: 0+4*3
//DL-structs: global_size(0)
//DL-access: linear 1 0+12 read write
//DL-access: linear 1 0+4 read write
//DL-end: go
#line 12
__kernel void go(__global pair *f DL_PARAMS(f))
{
    pair copy = dl_pair_load(f, i DL_ARGS(f));

    (*dl_pair_x(f, i, (0) DL_ARGS(f))) = head + tail + s + k0;
    copy.y = (*dl_pair_x(f, i, (0) DL_ARGS(f)));
    dl_pair_store(f, i DL_ARGS(f), copy);
}
