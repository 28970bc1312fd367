// run: go structs
// The first kernel is rewritten. In front of the second, which needs the same accessor, a
// member's name is a macro; in the third it becomes one.
typedef struct {
    int x, y;
} pair;

int first_of(__global pair *p)
{
    pair copy = *p;

    return copy.x;
}

//DL: AoS: f[global_size(0)] AOS2ASTA_pair
//DL-table: 2
/* prelude */
static pair dl_pair_load(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    pair dl_s;
    dl_s.x = *DL_AT(int, dl_f, dl_i, 8, 0, 4);
    dl_s.y = *DL_AT(int, dl_f, dl_i, 8, 4, 4);
    return dl_s;
}
#line 8
static DL_INLINE int dl_first_of(__global pair *p, dl_index dl_at_p DL_PARAMS(p))
{
    pair copy = dl_pair_load(p, dl_at_p DL_ARGS(p));

    return copy.x;
}
static __global int *dl_pair_x(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 15 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 0+8 read
//DL-end: go
#line 16
__kernel void go(__global pair *f DL_PARAMS(f))
{
    (*dl_pair_x(f, get_global_id(0) DL_ARGS(f))) += dl_first_of(f, (get_global_id(0)) DL_ARGS(f));
}
#define y broken
//DL: AoS: f[global_size(0)]
__kernel void behind(__global pair *f)
{
    f[get_global_id(0)].x = first_of(f);
}
#undef y
//DL: AoS: f[global_size(0)]
__kernel void within(__global pair *f)
{
    f[get_global_id(0)].x = first_of(f);
#define y broken
    f[get_global_id(0)].x++;
}
