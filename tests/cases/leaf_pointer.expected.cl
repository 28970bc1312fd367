// run: go structs
// run: choose structs
typedef struct {
    float a;
    int b;
} cell;

//DL: AoS: f[global_size(0)] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static __global float *dl_cell_a(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 0, 4);
}
static __global int *dl_cell_b(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: go 1
//DL-sums: contractable
//DL-buffer: f arg 0 write aos bytes 8 line 8 type cell
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read write
//DL-end: go
#line 9
__kernel void go(__global cell *f DL_PARAMS(f))
{
    int i = get_global_id(0);
    __global float *a = dl_cell_a(f, i DL_ARGS(f));
    __global int *b = dl_cell_b(f, i DL_ARGS(f));

    *a = *a * 2.0f + 1.0f;
    b[0] += 3;
    atomic_xchg(b, *b ^ 5);
    *dl_cell_b(f, i DL_ARGS(f)) += 1;
    *(__global uint *)dl_cell_a(f, i DL_ARGS(f)) |= 1u;
}

/* One of several members, as counters are chosen. */
void count(int way, __global cell *f)
{
    __global int *chosen = 0, *counter;

    switch (way) {
    case 0:
        chosen = (__global int *)&f->a;
        break;
    case 1:
        chosen = &f->b;
    }
    counter = chosen ? chosen : 0;
    if (counter)
        atomic_xchg(counter, *chosen ^ 9);
}

//DL: AoS: f[global_size(0)] AOS2ASTA_cell
#line 23
static DL_INLINE void dl_count(int way, __global cell *f, dl_index dl_at_f DL_PARAMS(f))
{
    __global int *chosen = 0, *counter;

    switch (way) {
    case 0:
        chosen = (__global int *)dl_cell_a(f, dl_at_f DL_ARGS(f));
        break;
    case 1:
        chosen = dl_cell_b(f, dl_at_f DL_ARGS(f));
    }
    counter = chosen ? chosen : 0;
    if (counter)
        atomic_xchg(counter, *chosen ^ 9);
}
//DL-kernel: choose 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 39 type cell
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 read write conditional
//DL-access: linear 1 4+4 read write conditional
//DL-end: choose
#line 40
__kernel void choose(__global cell *f DL_PARAMS(f))
{
    dl_count(get_global_id(0) % 3, f, (get_global_id(0)) DL_ARGS(f));
}
