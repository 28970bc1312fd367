// run: go structs structs n
typedef struct {
    int x, y;
    float w;
} pair;

int twice(int x);
static int sum(__global const pair *p, int by);
void push(__global pair *p, __global const pair *from);
enum { SEVEN = 7 };
constant int steps[3] = {3, 1, 2};

//DL: AoS: f[global_size(0)] AOS2ASTA_pair, g[global_size(0)] AOS2ASTA_pair
//DL-table: 2
/* prelude */
static __global int *dl_pair_y(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 12, 4, 4);
}
static __global int *dl_pair_x(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 12, 0, 4);
}
#line 39
DL_INLINE static int dl_sum(__global const pair *p, dl_index dl_at_p DL_PARAMS(p), int by)
{
    const int late = (*dl_pair_y(p, dl_at_p DL_ARGS(p)));

    return twice((*dl_pair_x(p, dl_at_p DL_ARGS(p)))) + late * by;
}
//DL-kernel: first 3
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 12 line 13 type pair
//DL-leaves: 0+4*3
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 write
//DL-buffer: g arg 1 read aos bytes 12 line 13 type pair
//DL-leaves: 0+4*3
//DL-structs: global_size(0)
//DL-access: uniform 4+4 read
//DL-access: uniform 0+4 read
//DL-end: first
#line 14
__kernel void first(__global pair *f, __global const pair *g, int n DL_PARAMS(f) DL_PARAMS(g))
{
    (*dl_pair_x(f, get_global_id(0) DL_ARGS(f))) = dl_sum(g, 0 DL_ARGS(g), n);
}
#define SCALE(v) ((v) * SEVEN)

//DL: AoS: f[global_size(0)] AOS2ASTA_pair, g[global_size(0)] AOS2ASTA_pair
static __global float *dl_pair_w(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 12, 8, 4);
}
#line 32
static DL_INLINE void dl_push(__global pair *p, dl_index dl_at_p DL_PARAMS(p), __global const pair *from, dl_index dl_at_from DL_PARAMS(from))
{
    int twice = (*dl_pair_y(from, dl_at_from DL_ARGS(from)));

    (*dl_pair_y(p, dl_at_p DL_ARGS(p))) = ((twice) * SEVEN) + dl_sum(from, dl_at_from DL_ARGS(from), steps[twice & 1]);
    (*dl_pair_w(p, dl_at_p DL_ARGS(p))) *= 0.5f;
}
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 12 line 20 type pair
//DL-leaves: 0+4*3
//DL-structs: global_size(0)
//DL-access: linear 1 4+4 write
//DL-access: linear 1 8+4 read write
//DL-access: linear 1 0+4 read write
//DL-buffer: g arg 1 read aos bytes 12 line 20 type pair
//DL-leaves: 0+4*3
//DL-structs: global_size(0)
//DL-access: linear 1 4+4 read
//DL-access: linear 1 0+4 read
//DL-end: go
#line 21
__kernel void go(__global pair *f, __global const pair *g, int n DL_PARAMS(f) DL_PARAMS(g))
{
    int i = get_global_id(0);

    dl_push(f, (i) DL_ARGS(f), g, ((i + 1) % n) DL_ARGS(g));
    (*dl_pair_x(f, i DL_ARGS(f))) += dl_sum(g, (i) DL_ARGS(g), 2);
}
int twice(int x)
{
    return x + x;
}
void push(__global pair *p, __global const pair *from)
{
    int twice = from->y;

    p->y = SCALE(twice) + sum(from, steps[twice & 1]);
    p->w *= 0.5f;
}
static int sum(__global const pair *p, int by)
{
    const int late = p->y;

    return twice(p->x) + late * by;
}
