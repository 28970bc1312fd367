// Kernels named as attributes are.
typedef struct {
    float x __attribute__((aligned(8)));
    float y;
} cell;
typedef struct __attribute__((packed)) {
    char c;
    int y;
} narrow;

//DL: AoS: f[n] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static __global float *dl_cell_x(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 0, 4);
}
static __global float *dl_cell_y(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: aligned 3
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 11 type cell
//DL-leaves: 0+4*2
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read
//DL-end: aligned
#line 12
__kernel __attribute__((vec_type_hint(int))) void aligned(__global cell *f, __global int *out, int n DL_PARAMS(f))
{
    int k __attribute__ ((aligned (16))) = get_global_id(0);

    out[k] = (int)sizeof(cell);
    (*dl_cell_x(f, k DL_ARGS(f))) += (*dl_cell_y(f, k DL_ARGS(f)));
}

//DL: AoS: f[n] AOS2ASTA_narrow
typedef DL_PACKED(int) dl_narrow_y_view;
static __global dl_narrow_y_view *dl_narrow_y(__global const narrow *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(dl_narrow_y_view, dl_f, dl_i, 5, 1, 4);
}
//DL-kernel: packed 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 5 line 20 type narrow
//DL-leaves: 0+1 1+4
//DL-structs: arg(1, i4, 0)
//DL-access: linear 1 1+4 read write
//DL-end: packed
#line 21
__kernel void packed(__global narrow *f, int n DL_PARAMS(f))
{
    (dl_narrow_y(f, get_global_id(0) DL_ARGS(f))->dl_v)++;
}
// run: aligned structs words:1 n
