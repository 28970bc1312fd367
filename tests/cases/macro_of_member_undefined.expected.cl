// run: go structs structs
// A macro of a member's name is undefined before the kernel, and defined again behind it; one that stands for
// its own name changes nothing.
#define __global __global
#define pair pair
#define x x
typedef struct {
    int x, y;
} pair;
#define y p->x

int twice(pair *p)
{
    return 2 * y;
}
#undef y
#define halved broken
#define mix(a, b) a = 3 * (a) + (b)

int half_of(__global pair *p)
{
#undef halved
    int halved = p->x / 2;

    return halved;
}

//DL: AoS: f[global_size(0)] AOS2ASTA_pair, g[global_size(0)] AOS2ASTA_pair
//DL-table: 2
/* prelude */
static __global int *dl_pair_x(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
#line 20
static DL_INLINE int dl_half_of(__global pair *p, dl_index dl_at_p DL_PARAMS(p))
{

    int halved = (*dl_pair_x(p, dl_at_p DL_ARGS(p))) / 2;

    return halved;
}
static pair dl_pair_load(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    pair dl_s;
    dl_s.x = *DL_AT(int, dl_f, dl_i, 8, 0, 4);
    dl_s.y = *DL_AT(int, dl_f, dl_i, 8, 4, 4);
    return dl_s;
}
static pair dl_pair_store(__global const pair *dl_f, dl_index dl_i DL_FORMALS, pair dl_s)
{
    *DL_AT(int, dl_f, dl_i, 8, 0, 4) = dl_s.x;
    *DL_AT(int, dl_f, dl_i, 8, 4, 4) = dl_s.y;
    return dl_s;
}
//DL-kernel: go 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 28 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+8 read write
//DL-access: linear 1 0+4 read
//DL-buffer: g arg 1 read aos bytes 8 line 28 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 read
//DL-end: go
#line 29
__kernel void go(__global pair *f, __global pair *g DL_PARAMS(f) DL_PARAMS(g))
{
    size_t i = get_global_id(0);
    pair copy = dl_pair_load(f, i DL_ARGS(f));

    copy.x += twice(&copy);
    copy.y ^= dl_half_of(g, (i) DL_ARGS(g));
    copy . y = 3 * (copy . y) + ((*dl_pair_x(f, i DL_ARGS(f))));
    dl_pair_store(f, i DL_ARGS(f), copy);
}
#define y broken
#define halved broken
