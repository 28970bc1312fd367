// run: second structs
typedef struct {
    int x, y;
} pair;

int sum(__global const pair *p)
{
    return p->x + p->y;
}

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
static DL_INLINE int dl_sum(__global const pair *p, dl_index dl_at_p DL_PARAMS(p))
{
    return (*dl_pair_x(p, dl_at_p DL_ARGS(p))) + (*dl_pair_y(p, dl_at_p DL_ARGS(p)));
}
//DL-kernel: first 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 11 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 write
//DL-access: uniform 0+4 read
//DL-access: uniform 4+4 read
//DL-end: first
#line 12
__kernel void first(__global pair *f DL_PARAMS(f))
{
    (*dl_pair_x(f, get_global_id(0) DL_ARGS(f))) = dl_sum(f, 0 DL_ARGS(f));
}

//DL: AoS: g[global_size(0)] AOS2ASTA_pair
//DL-kernel: second 1
//DL-sums: exact
//DL-buffer: g arg 0 write aos bytes 8 line 17 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 4+4 read write
//DL-access: linear 1 0+4 read
//DL-end: second
#line 18
__kernel void second(__global pair *g DL_PARAMS(g))
{
    int i = get_global_id(0);

    (*dl_pair_y(g, i DL_ARGS(g))) = dl_sum(g, (i) DL_ARGS(g));
}
