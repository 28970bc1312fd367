// run: go structs+4 n
typedef struct {
    int a, b, c, d, e, g;
} cell;

int pick(int i)
{
    return i;
}

//DL: AoS: f[n + 4] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static __global int *dl_cell_a(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 24, 0, 4);
}
static __global int *dl_cell_b(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 24, 4, 4);
}
static __global int *dl_cell_g(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 24, 20, 4);
}
static __global int *dl_cell_c(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 24, 8, 4);
}
static __global int *dl_cell_d(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 24, 12, 4);
}
static __global int *dl_cell_e(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 24, 16, 4);
}
//DL-kernel: go 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 24 line 11 type cell
//DL-leaves: 0+4*6
//DL-structs: arg(1, i4, 0) + 4
//DL-access: linear 1 0+4 write
//DL-access: linear 1 4+4 read write
//DL-access: unknown 20+4 read
//DL-access: linear 1 20+4 read
//DL-access: linear 1 8+4 write
//DL-access: linear 1 12+4 read write
//DL-access: linear 1 16+4 read write
//DL-end: go
#line 12
__kernel void go(__global cell *f, int n DL_PARAMS(f))
{
    int i = get_global_id(0), j = 0;

    (*dl_cell_a(f, i + 2 DL_ARGS(f))) = 1;
    (*dl_cell_b(f, (i) + 2 * 2 - 4 DL_ARGS(f))) = (*dl_cell_g(f, i ^ 0 DL_ARGS(f)));
    (*dl_cell_b(f, (j++, i) DL_ARGS(f))) += (*dl_cell_g(f, pick(i) + (i ? 2 : 3) DL_ARGS(f)));
    (*dl_cell_b(f, i DL_ARGS(f))) += j;
    (*dl_cell_c(f, ((dl_index)(2)) + i DL_ARGS(f))) = 5;
    (*dl_cell_d(f, ((dl_index)(1)) + (i + 1) DL_ARGS(f))) += 2;
    *(dl_cell_b(f, i DL_ARGS(f))) += 1;
    (*dl_cell_e(f, i DL_ARGS(f))) += (int)(*dl_cell_g(f, ((dl_index)(i) + 1) DL_ARGS(f)));
}
