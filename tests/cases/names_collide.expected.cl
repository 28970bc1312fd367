// run: go structs
typedef struct {
    int a_b;
    struct {
        int b, load;
    } a;
} cell;

//DL: AoS: f[global_size(0)] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static cell dl_cell_load(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    cell dl_s;
    dl_s.a_b = *DL_AT(int, dl_f, dl_i, 12, 0, 4);
    dl_s.a.b = *DL_AT(int, dl_f, dl_i, 12, 4, 4);
    dl_s.a.load = *DL_AT(int, dl_f, dl_i, 12, 8, 4);
    return dl_s;
}
static __global int *dl_cell_a_b(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 12, 0, 4);
}
static __global int *dl_cell_a_b_2(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 12, 4, 4);
}
static __global int *dl_cell_a_load(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 12, 8, 4);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 12 line 9 type cell
//DL-leaves: 0+4*3
//DL-structs: global_size(0)
//DL-access: linear 1 0+12 read
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read write
//DL-access: linear 1 8+4 read write
//DL-end: go
#line 10
__kernel void go(__global cell *f DL_PARAMS(f))
{
    int i = get_global_id(0);
    cell c = dl_cell_load(f, i DL_ARGS(f));

    (*dl_cell_a_b(f, i DL_ARGS(f))) = c.a.b;
    (*dl_cell_a_b_2(f, i DL_ARGS(f))) += 1;
    (*dl_cell_a_load(f, i DL_ARGS(f))) += (*dl_cell_a_b(f, i DL_ARGS(f)));
}
