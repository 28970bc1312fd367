// run: go structs n
typedef struct {
    int x, y;
} pair;

//DL: AoS: f[n] AOS2ASTA_pair
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
//DL-kernel: go 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 6 type pair
//DL-leaves: 0+4*2
//DL-structs: arg(1, i4, 0)
//DL-access: linear 1 0+4 read
//DL-access: linear 1 4+4 read write conditional
//DL-access: linear 1 0+4 read write conditional
//DL-end: go
#line 7
__kernel void go(__global pair *f, int n DL_PARAMS(f))
{
    int i = get_global_id(0), k = 0;

    switch ((*dl_pair_x(f, i DL_ARGS(f))) & 3) {
    case 0:
        (*dl_pair_y(f, i DL_ARGS(f))) = 1;
        break;
    case 1: {
        (*dl_pair_y(f, i DL_ARGS(f))) = 2;
    }
    default:
        (*dl_pair_x(f, i DL_ARGS(f)))++;
    }
    do
        (*dl_pair_y(f, i DL_ARGS(f))) += 3;
    while (++k < ((*dl_pair_x(f, i DL_ARGS(f))) & 7));
    while (k > 0 && (*dl_pair_y(f, i DL_ARGS(f))) > 0)
        k--, (*dl_pair_y(f, i DL_ARGS(f))) >>= 1;
    for (k = (*dl_pair_x(f, i DL_ARGS(f))) & 3; k; --k)
        ;
    if ((*dl_pair_y(f, i DL_ARGS(f))))
        (*dl_pair_x(f, i DL_ARGS(f))) = 0;
    else if ((*dl_pair_x(f, i DL_ARGS(f))))
        (*dl_pair_y(f, i DL_ARGS(f))) = 9;
    if (n < 0)
        return;
}
