// detect: on
// run: swap structs words:2 words:2 n
/* Of two buffers that one variable can point into, neither can be; the third is. */
typedef struct {
    int x, y;
} pair;

int both(__global const pair *p)
{
    return p->x + p->y;
}

//DL: AoS: f[] AOS2ASTA_pair
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
//DL-kernel: swap 4
//DL-sums: exact
//DL-detected: 0 1 2
//DL-buffer: f arg 0 write aos bytes 8 line 13 type pair
//DL-leaves: 0+4*2
//DL-structs: *
//DL-found: f[]
//DL-members: x 0+4*1 y 4+4*1
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 write
//DL-end: swap
#line 13
__kernel void swap(__global pair *f, __global const pair *g, __global pair *h, int n DL_PARAMS(f))
{
    int i = get_global_id(0);
    __global const pair *q = g + i;

    for (; q < g + n; q += 2)
        (*dl_pair_x(f, i DL_ARGS(f))) += both(q);
    q = n > 3 ? h : h + i;
    (*dl_pair_y(f, i DL_ARGS(f))) = q->y + (int)((ulong)q & 1);
}
