// run: go structs
typedef struct {
    int x, y;
} pair;

int get(__global pair *p) { return p->x; }
int twice(__global pair *p, int k) { return get(p) + get(p + k); }
void set(__global pair *p) { p->y = twice(p, 0); }

//DL: AoS: f[global_size(0)] AOS2ASTA_pair
//DL-table: 2
/* prelude */
static __global int *dl_pair_x(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
#line 6
static DL_INLINE int dl_get(__global pair *p, dl_index dl_at_p DL_PARAMS(p)) { return (*dl_pair_x(p, dl_at_p DL_ARGS(p))); }
#line 7
static DL_INLINE int dl_twice(__global pair *p, dl_index dl_at_p DL_PARAMS(p), int k) { return dl_get(p, dl_at_p DL_ARGS(p)) + dl_get(p, dl_at_p + k DL_ARGS(p)); }
static __global int *dl_pair_y(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 4, 4);
}
#line 8
static DL_INLINE void dl_set(__global pair *p, dl_index dl_at_p DL_PARAMS(p)) { (*dl_pair_y(p, dl_at_p DL_ARGS(p))) = dl_twice(p, dl_at_p DL_ARGS(p), 0); }
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 10 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 4+4 write
//DL-access: linear 1 0+4 read
//DL-end: go
#line 11
__kernel void go(__global pair *f DL_PARAMS(f))
{
    dl_set(f, (get_global_id(0)) DL_ARGS(f));
}
