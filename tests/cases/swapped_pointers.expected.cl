// run: go structs structs n
// Pointers of one type change places, in the kernel and in a helper.
typedef struct {
    int a, b, c;
} cell;

void steps(__global cell *from, __global cell *to, int i, int rounds)
{
    while (rounds-- > 0) {
        __global cell *other = from;

        to[i].a = from[i].b + rounds;
        to[i].c = from[i].a ^ to[i].b;
        from = to, to = other;
    }
}

//DL: AoS: now[n] AOS2ASTA_cell, next[n] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static __global int *dl_cell_a(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 12, 0, 4);
}
static __global int *dl_cell_b(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 12, 4, 4);
}
static __global int *dl_cell_c(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 12, 8, 4);
}
#line 7
static DL_INLINE void dl_steps(__global cell *from, dl_index dl_at_from DL_PARAMS(from), __global cell *to, dl_index dl_at_to DL_PARAMS(to), int i, int rounds)
{ dl_far dl_far_from = dl_far_at(from, dl_at_from DL_ARGS(from)); dl_far dl_far_to = dl_far_at(to, dl_at_to DL_ARGS(to));
    while (rounds-- > 0) {
        dl_far other = dl_far_from;

        (*dl_cell_a((__global cell *)dl_far_to.dl_f, dl_far_to.dl_i + i DL_FAR_ARGS(dl_far_to))) = (*dl_cell_b((__global cell *)dl_far_from.dl_f, dl_far_from.dl_i + i DL_FAR_ARGS(dl_far_from))) + rounds;
        (*dl_cell_c((__global cell *)dl_far_to.dl_f, dl_far_to.dl_i + i DL_FAR_ARGS(dl_far_to))) = (*dl_cell_a((__global cell *)dl_far_from.dl_f, dl_far_from.dl_i + i DL_FAR_ARGS(dl_far_from))) ^ (*dl_cell_b((__global cell *)dl_far_to.dl_f, dl_far_to.dl_i + i DL_FAR_ARGS(dl_far_to)));
        dl_far_from = dl_far_to, dl_far_to = other;
    }
}
static cell dl_cell_store(__global const cell *dl_f, dl_index dl_i DL_FORMALS, cell dl_s)
{
    *DL_AT(int, dl_f, dl_i, 12, 0, 4) = dl_s.a;
    *DL_AT(int, dl_f, dl_i, 12, 4, 4) = dl_s.b;
    *DL_AT(int, dl_f, dl_i, 12, 8, 4) = dl_s.c;
    return dl_s;
}
static cell dl_cell_load(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    cell dl_s;
    dl_s.a = *DL_AT(int, dl_f, dl_i, 12, 0, 4);
    dl_s.b = *DL_AT(int, dl_f, dl_i, 12, 4, 4);
    dl_s.c = *DL_AT(int, dl_f, dl_i, 12, 8, 4);
    return dl_s;
}
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: now arg 0 write aos bytes 12 line 18 type cell
//DL-leaves: 0+4*3
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+12 read write loops 1 counted 1 rounds 5
//DL-access: linear 1 4+4 read write loops 1 counted 1 rounds 5
//DL-access: linear 1 0+4 read write loops 1 line 9
//DL-access: linear 1 4+4 read loops 1 line 9
//DL-access: linear 1 8+4 write loops 1 line 9
//DL-buffer: next arg 1 write aos bytes 12 line 18 type cell
//DL-leaves: 0+4*3
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+12 read write loops 1 counted 1 rounds 5
//DL-access: linear 1 4+4 read write loops 1 counted 1 rounds 5
//DL-access: linear 1 0+4 read write loops 1 line 9
//DL-access: linear 1 4+4 read loops 1 line 9
//DL-access: linear 1 8+4 write loops 1 line 9
//DL-end: go
#line 19
__kernel void go(__global cell *now, __global cell *next, int n DL_PARAMS(now) DL_PARAMS(next))
{ dl_far dl_far_now = dl_far_at(now, 0 DL_ARGS(now)); dl_far dl_far_next = dl_far_at(next, 0 DL_ARGS(next));
    int i = get_global_id(0);

    for (int k = 0; k < 5; k++) {
        dl_far tmp;

        dl_cell_store((__global cell *)dl_far_next.dl_f, dl_far_next.dl_i + i DL_FAR_ARGS(dl_far_next), dl_cell_load((__global cell *)dl_far_now.dl_f, dl_far_now.dl_i + i DL_FAR_ARGS(dl_far_now)));
        (*dl_cell_b((__global cell *)dl_far_next.dl_f, dl_far_next.dl_i + i DL_FAR_ARGS(dl_far_next))) += k;
        tmp = dl_far_now;
        dl_far_now = dl_far_next;
        dl_far_next = tmp;
    }
    dl_steps((__global cell *)dl_far_now.dl_f, dl_far_now.dl_i DL_FAR_ARGS(dl_far_now), (__global cell *)dl_far_next.dl_f, dl_far_next.dl_i DL_FAR_ARGS(dl_far_next), i, 3 + (i & 1));
    dl_steps((__global cell *)dl_far_now.dl_f, dl_far_now.dl_i + i DL_FAR_ARGS(dl_far_now), (__global cell *)dl_far_next.dl_f, dl_far_next.dl_i + i DL_FAR_ARGS(dl_far_next), 0, 2);
}
