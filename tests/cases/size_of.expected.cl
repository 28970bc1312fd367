// run: go structs
typedef struct {
    char c;
    double d;
} cell;

//DL: AoS: f[global_size(0)] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static __global char *dl_cell_c(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(char, dl_f, dl_i, 16, 0, 1);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 16 line 7 type cell
//DL-leaves: 0+1*2 2+2 4+4 8+8
//DL-structs: global_size(0)
//DL-gaps: 1+1 2+2 4+4
//DL-access: linear 1 0+1 write
//DL-end: go
#line 8
__kernel void go(__global cell *f DL_PARAMS(f))
{
    int i = get_global_id(0);

    (*dl_cell_c(f, i DL_ARGS(f))) = sizeof(f[i]) + sizeof(cell) + sizeof(*f) + sizeof f[0].d;
}
