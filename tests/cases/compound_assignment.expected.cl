// run: go structs structs
typedef struct {
    float x, y;
    int n;
    uint m;
} cell;

//DL: AoS: f[global_size(0)] AOS2ASTA_cell, g[global_size(0)] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static __global float *dl_cell_x(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 16, 0, 4);
}
static __global float *dl_cell_y(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 16, 4, 4);
}
static __global int *dl_cell_n(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 16, 8, 4);
}
static __global unsigned int *dl_cell_m(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(unsigned int, dl_f, dl_i, 16, 12, 4);
}
//DL-kernel: go 2
//DL-sums: contractable
//DL-buffer: f arg 0 write aos bytes 16 line 8 type cell
//DL-leaves: 0+4*4
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read write
//DL-access: linear 1 8+4 read write
//DL-access: linear 1 12+4 read write
//DL-buffer: g arg 1 write aos bytes 16 line 8 type cell
//DL-leaves: 0+4*4
//DL-structs: global_size(0)
//DL-access: linear 1 4+4 read
//DL-access: linear 1 12+4 read write
//DL-access: linear 1 8+4 read write
//DL-end: go
#line 9
__kernel void go(__global cell *f, __global cell *g DL_PARAMS(f) DL_PARAMS(g))
{
    int i = get_global_id(0);

    (*dl_cell_x(f, i DL_ARGS(f))) += 1.5f;
    (*dl_cell_y(f, i DL_ARGS(f))) -= (*dl_cell_x(f, i DL_ARGS(f)));
    (*dl_cell_x(f, i DL_ARGS(f))) *= (*dl_cell_y(g, i DL_ARGS(g)));
    (*dl_cell_y(f, i DL_ARGS(f))) /= 3.0f;
    (*dl_cell_n(f, i DL_ARGS(f))) %= 7;
    (*dl_cell_m(f, i DL_ARGS(f))) <<= 2, (*dl_cell_m(f, i DL_ARGS(f))) >>= 1;
    (*dl_cell_m(g, i DL_ARGS(g))) &= 0xff00ffu;
    (*dl_cell_m(g, i DL_ARGS(g))) |= (*dl_cell_m(f, i DL_ARGS(f)));
    (*dl_cell_n(g, i DL_ARGS(g))) ^= (*dl_cell_n(f, i DL_ARGS(f))) += 5;
}
