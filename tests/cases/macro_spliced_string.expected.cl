// run: go structs n
typedef struct {
    int x, y;
} pair;
#define SHOW(v) printf("the value \
is %d\n", v)

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
//DL-once: prints
//DL-buffer: f arg 0 write aos bytes 8 line 8 type pair
//DL-leaves: 0+4*2
//DL-structs: arg(1, i4, 0)
//DL-access: linear 1 0+4 read
//DL-access: linear 1 4+4 read write
//DL-end: go
#line 9
__kernel void go(__global pair *f, int n DL_PARAMS(f))
{
    int i = get_global_id(0);

    if (n < 0)
        printf("the value is %d\n", (*dl_pair_x(f, i DL_ARGS(f))));
    (*dl_pair_y(f, i DL_ARGS(f))) += (*dl_pair_x(f, i DL_ARGS(f)));
}
