// run: go structs
#define STEP 2
#define FIELD(p) ((p)->x)
typedef struct {
    int x, y;
} pair;

void advance(__global pair *p)
{
#define TWICE (2 * STEP)
    FIELD(p) += STEP + TWICE;
    p->y = STEP;
#undef TWICE
}
#undef STEP
#define STEP 100
#undef FIELD
#define FIELD(p) ((p)->y)

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
#line 8
static DL_INLINE void dl_advance(__global pair *p, dl_index dl_at_p DL_PARAMS(p))
{

    ((*dl_pair_x(p, (dl_at_p) DL_ARGS(p)))) += 2 + (2 * 2);
    (*dl_pair_y(p, dl_at_p DL_ARGS(p))) = 2;

}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 20 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read write
//DL-end: go
#line 21
__kernel void go(__global pair *f DL_PARAMS(f))
{
    int i = get_global_id(0);

    dl_advance(f, (i) DL_ARGS(f));
    ((*dl_pair_y(f, ((i)) DL_ARGS(f)))) += STEP;
}
