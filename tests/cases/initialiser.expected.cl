// run: go structs
typedef struct {
    float x[2];
    int k;
} cell;

//DL: AoS: f[global_size(0)] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static __global float *dl_cell_x(__global const cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(float, dl_f, dl_i, 12, 0 + dl_k0 * 4, 4);
}
static __global int *dl_cell_k(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 12, 8, 4);
}
static cell dl_cell_store(__global const cell *dl_f, dl_index dl_i DL_FORMALS, cell dl_s)
{
    *DL_AT(float, dl_f, dl_i, 12, 0, 4) = dl_s.x[0];
    *DL_AT(float, dl_f, dl_i, 12, 4, 4) = dl_s.x[1];
    *DL_AT(int, dl_f, dl_i, 12, 8, 4) = dl_s.k;
    return dl_s;
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 12 line 7 type cell
//DL-leaves: 0+4*3
//DL-structs: global_size(0)
//DL-access: linear 1 4+4 read
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 8+4 read write
//DL-access: linear 1 0+12 write
//DL-end: go
#line 8
__kernel void go(__global cell *f DL_PARAMS(f))
{
    int i = get_global_id(0);
    cell a = {{(*dl_cell_x(f, i, (1) DL_ARGS(f))), (*dl_cell_x(f, i, (0) DL_ARGS(f)))}, (*dl_cell_k(f, i DL_ARGS(f)))};
    cell b = {.k = (*dl_cell_k(f, i DL_ARGS(f))) + 1, .x = {1.0f, (*dl_cell_x(f, i, (0) DL_ARGS(f)))}};
    float v[3] = {(*dl_cell_x(f, i, (0) DL_ARGS(f))), a.x[0], b.x[1]};
    float2 w = (float2)((*dl_cell_x(f, i, (0) DL_ARGS(f))), (*dl_cell_x(f, i, (1) DL_ARGS(f))));

    dl_cell_store(f, i DL_ARGS(f), a);
    (*dl_cell_k(f, i DL_ARGS(f))) += b.k + (int)v[2];
    (*dl_cell_x(f, i, (0) DL_ARGS(f))) += w.y;
}
