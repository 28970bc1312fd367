// run: go structs
typedef struct {
    float x;
    int n;
} cell;

float half_of(__global const float *v)
{
    return *v * 0.5f;
}
void bump(__global int *n, int by)
{
    n[0] += by;
    atomic_inc(n);
}
void bump_twice(__global int *n)
{
    bump(n, 1);
    bump((n), 2);
}

//DL: AoS: f[global_size(0)] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static __global float *dl_cell_x(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 0, 4);
}
static __global int *dl_cell_n(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 22 type cell
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read write
//DL-end: go
#line 23
__kernel void go(__global cell *f DL_PARAMS(f))
{
    int i = get_global_id(0);
    dl_index p = (i);

    (*dl_cell_x(f, p DL_ARGS(f))) = half_of(dl_cell_x(f, i DL_ARGS(f)));
    bump_twice(dl_cell_n(f, p DL_ARGS(f)));
}
