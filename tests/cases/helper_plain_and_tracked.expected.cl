// run: go structs words:2
typedef struct {
    int x, y;
} pair;

int sum(__global pair *p) { return p->x + p->y; }

//DL: AoS: f[global_size(0)] AOS2ASTA_pair
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
#line 6
static DL_INLINE int dl_sum(__global pair *p, dl_index dl_at_p DL_PARAMS(p)) { return (*dl_pair_x(p, dl_at_p DL_ARGS(p))) + (*dl_pair_y(p, dl_at_p DL_ARGS(p))); }
//DL-kernel: go 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 8 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read
//DL-end: go
#line 9
__kernel void go(__global pair *f, __global pair *plain DL_PARAMS(f))
{
    int i = get_global_id(0);

    (*dl_pair_x(f, i DL_ARGS(f))) = sum(&plain[i]) - dl_sum(f, (i) DL_ARGS(f));
    plain[i].y = dl_sum(f, (i) DL_ARGS(f));
}
