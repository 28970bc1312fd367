// detect: on
// run: by_hand structs words:2 n
/* What is annotated stays as it is annotated: its other buffers are not looked for. */
typedef struct {
    int x, y;
} pair;

//DL: AoS: f[n] AOS2ASTA_pair
//DL-table: 2
/* prelude */
static __global int *dl_pair_x(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
//DL-kernel: by_hand 3
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 8 type pair
//DL-leaves: 0+4*2
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+4 read write
//DL-end: by_hand
#line 9
__kernel void by_hand(__global pair *f, __global pair *other, int n DL_PARAMS(f))
{
    int i = get_global_id(0);

    (*dl_pair_x(f, i DL_ARGS(f))) += other[i].y;
}

//DL: AoS: f[] AOS2ASTA_pair, g[] AOS2ASTA_pair
static __global int *dl_pair_y(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: found 2
//DL-sums: exact
//DL-detected: 0 1
//DL-buffer: f arg 0 write aos bytes 8 line 16 type pair
//DL-leaves: 0+4*2
//DL-structs: *
//DL-found: f[]
//DL-members: x 0+4*1 y 4+4*1
//DL-access: linear 1 0+4 write
//DL-buffer: g arg 1 read aos bytes 8 line 16 type pair
//DL-leaves: 0+4*2
//DL-structs: *
//DL-found: g[]
//DL-members: x 0+4*1 y 4+4*1
//DL-access: linear 1 4+4 read
//DL-end: found
#line 16
__kernel void found(__global pair *f, __global const pair *g DL_PARAMS(f) DL_PARAMS(g))
{
    int i = get_global_id(0);

    (*dl_pair_x(f, i DL_ARGS(f))) = (*dl_pair_y(g, i DL_ARGS(g)));
}
