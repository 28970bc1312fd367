// run: go structs
typedef struct {
    int hits;
    uint mask;
    float pad;
} counter;

//DL: AoS: c[global_size(0)] AOS2ASTA_counter
//DL-table: 2
/* prelude */
static __global int *dl_counter_hits(__global const counter *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 12, 0, 4);
}
static __global unsigned int *dl_counter_mask(__global const counter *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(unsigned int, dl_f, dl_i, 12, 4, 4);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: c arg 0 write aos bytes 12 line 8 type counter
//DL-leaves: 0+4*3
//DL-structs: global_size(0)
//DL-access: unknown 0+4 read write atomic
//DL-access: uniform 0+4 read write atomic
//DL-access: uniform 4+4 read write atomic
//DL-access: linear 1 0+4 read write atomic
//DL-end: go
#line 9
__kernel void go(__global counter *c DL_PARAMS(c))
{
    int i = get_global_id(0);

    atomic_add(dl_counter_hits(c, i / 2 DL_ARGS(c)), i);
    atomic_inc(dl_counter_hits(c, 0 DL_ARGS(c)));
    atomic_or(dl_counter_mask(c, 0 DL_ARGS(c)), 1u << (i & 15));
    atomic_max((volatile __global int *)dl_counter_hits(c, i DL_ARGS(c)), 3);
}
