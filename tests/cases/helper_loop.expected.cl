// run: go structs structs n
typedef struct {
    int x, y;
} pair;

int total(__global const pair *p, int count)
{
    __global const pair *end = p + count;
    int sum = 0;

    while (p < end) {
        sum += p->x;
        p++;
    }
    return sum;
}

//DL: AoS: f[n] AOS2ASTA_pair, out[n] AOS2ASTA_pair
//DL-table: 2
/* prelude */
static __global int *dl_pair_x(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
#line 6
static DL_INLINE int dl_total(__global const pair *p, dl_index dl_at_p DL_PARAMS(p), int count)
{
    dl_index end = dl_at_p + count;
    int sum = 0;

    while ((dl_signed)(dl_at_p) < (dl_signed)(end)) {
        sum += (*dl_pair_x(p, dl_at_p DL_ARGS(p)));
        dl_at_p++;
    }
    return sum;
}
static __global int *dl_pair_y(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: f arg 0 read aos bytes 8 line 18 type pair
//DL-leaves: 0+4*2
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+4 read loops 1 line 11
//DL-buffer: out arg 1 write aos bytes 8 line 18 type pair
//DL-leaves: 0+4*2
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 4+4 write
//DL-end: go
#line 19
__kernel void go(__global const pair *f, __global pair *out, int n DL_PARAMS(f) DL_PARAMS(out))
{
    int i = get_global_id(0);

    (*dl_pair_y(out, i DL_ARGS(out))) = dl_total(f, (i) DL_ARGS(f), n - i);
}
