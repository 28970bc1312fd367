// optimised: else PoCL 3.1 leaves out the work-group's number where a kernel is called by a kernel
// run: outer structs structs n
// What a kernel calls may be a kernel: it is copied as a helper is, and stays a kernel itself.
typedef struct {
    int x, y;
} pair;

__kernel void add(__global pair *f, __global const pair *g, int by)
{
    int i = get_global_id(0);

    f[i].x += g[i].y + by;
}

kernel void twice(__global pair *f)
{
    add(f, f, 1);
    add(f + 0, f, 2);
}

//DL: AoS: f[n] AOS2ASTA_pair, g[n] AOS2ASTA_pair
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
#line 8
static DL_INLINE  void dl_add(__global pair *f, dl_index dl_at_f DL_PARAMS(f), __global const pair *g, dl_index dl_at_g DL_PARAMS(g), int by)
{
    int i = get_global_id(0);

    (*dl_pair_x(f, dl_at_f + i DL_ARGS(f))) += (*dl_pair_y(g, dl_at_g + i DL_ARGS(g))) + by;
}
#line 8
static DL_INLINE  void dl_add_2(__global pair *f, dl_index dl_at_f DL_PARAMS(f), __global const pair *g, dl_index dl_at_g DL_PARAMS(g), int by)
{
    int i = get_global_id(0);

    (*dl_pair_x(f, dl_at_f + i DL_ARGS(f))) += (*dl_pair_y(f, dl_at_g + i DL_ARGS(f))) + by;
}
#line 15
static DL_INLINE  void dl_twice(__global pair *f, dl_index dl_at_f DL_PARAMS(f))
{
    dl_add_2(f, dl_at_f DL_ARGS(f), f, dl_at_f DL_ARGS(f), 1);
    dl_add_2(f, dl_at_f + 0 DL_ARGS(f), f, dl_at_f DL_ARGS(f), 2);
}
//DL-kernel: outer 3
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 21 type pair
//DL-leaves: 0+4*2
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+4 read write
//DL-buffer: g arg 1 write aos bytes 8 line 21 type pair
//DL-leaves: 0+4*2
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 4+4 read write
//DL-access: linear 1 0+4 read write
//DL-end: outer
#line 22
__kernel void outer(__global pair *f, __global pair *g, int n DL_PARAMS(f) DL_PARAMS(g))
{
    dl_add(f, 0 DL_ARGS(f), g, 0 DL_ARGS(g), n);
    dl_twice(g, 0 DL_ARGS(g));
    (*dl_pair_y(g, get_global_id(0) DL_ARGS(g))) ^= (*dl_pair_x(f, get_global_id(0) DL_ARGS(f)));
}
