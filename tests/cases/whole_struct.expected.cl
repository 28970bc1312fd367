// run: move structs structs
typedef struct {
    float a[3];
    int b;
} cell;

//DL: AoS: from[global_size(0)] AOS2ASTA_cell, to[global_size(0)] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static cell dl_cell_load(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    cell dl_s;
    dl_s.a[0] = *DL_AT(float, dl_f, dl_i, 16, 0, 4);
    dl_s.a[1] = *DL_AT(float, dl_f, dl_i, 16, 4, 4);
    dl_s.a[2] = *DL_AT(float, dl_f, dl_i, 16, 8, 4);
    dl_s.b = *DL_AT(int, dl_f, dl_i, 16, 12, 4);
    return dl_s;
}
static cell dl_cell_store(__global const cell *dl_f, dl_index dl_i DL_FORMALS, cell dl_s)
{
    *DL_AT(float, dl_f, dl_i, 16, 0, 4) = dl_s.a[0];
    *DL_AT(float, dl_f, dl_i, 16, 4, 4) = dl_s.a[1];
    *DL_AT(float, dl_f, dl_i, 16, 8, 4) = dl_s.a[2];
    *DL_AT(int, dl_f, dl_i, 16, 12, 4) = dl_s.b;
    return dl_s;
}
static __global float *dl_cell_a(__global const cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(float, dl_f, dl_i, 16, 0 + dl_k0 * 4, 4);
}
//DL-kernel: move 2
//DL-sums: exact
//DL-buffer: from arg 0 read aos bytes 16 line 7 type cell
//DL-leaves: 0+4*4
//DL-structs: global_size(0)
//DL-access: linear 1 0+16 read
//DL-access: linear 1 8+4 read
//DL-buffer: to arg 1 write aos bytes 16 line 7 type cell
//DL-leaves: 0+4*4
//DL-structs: global_size(0)
//DL-access: linear 1 0+16 write
//DL-access: linear 1 4+4 write
//DL-end: move
#line 8
kernel void move(global const cell *restrict from, global cell *restrict to DL_PARAMS(from) DL_PARAMS(to))
{
    const size_t i = get_global_id(0);
    cell c = dl_cell_load(from, i DL_ARGS(from));

    c.b += 1;
    dl_cell_store(to, i DL_ARGS(to), c);
    (*dl_cell_a(to, i, (1) DL_ARGS(to))) = (*dl_cell_a(from, i, (2) DL_ARGS(from)));
}
