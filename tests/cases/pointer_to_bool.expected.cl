// run: go structs words:1 n
// Pointers that become bool, by themselves and in a call.
typedef struct {
    float x, y;
    int h[3];
} cell;

int number(bool has, int k)
{
    return has ? k : -k;
}

bool is_there(__global const cell *f)
{
    return f;
}

//DL: AoS: f[n] AOS2ASTA_cell
//DL-table: 2
/* prelude */
#line 13
static DL_INLINE bool dl_is_there(__global const cell *f, dl_index dl_at_f DL_PARAMS(f))
{
    return (f && dl_at_f != DL_NULL);
}
static __global float *dl_cell_x(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 20, 0, 4);
}
static __global int *dl_cell_int(__global const cell *dl_f, dl_part dl_p DL_FORMALS)
{
    return DL_ANY_AT(int, dl_f, dl_p.dl_i, 20, 0 + dl_p.dl_o, 4);
}
static __global float *dl_cell_y(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 20, 4, 4);
}
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 20 line 18 type cell
//DL-leaves: 0+4*5
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+4 write
//DL-access: linear 1 16+4 write conditional
//DL-access: linear 1 4+4 read write
//DL-end: go
#line 19
__kernel void go(__global cell *f, __global int *out, int n DL_PARAMS(f))
{
    int i = get_global_id(0), k = out[i] & 3;
    dl_index p = k & 1 ? (dl_index)(i) : DL_NULL;
    dl_part h = k & 2 ? dl_moved(dl_part_at(i, 8), (dl_index)(1) * 4) : dl_part_at(DL_NULL, 0);
    bool has = (f && p != DL_NULL), has_both;

    has_both = has & (bool)(f && h.dl_i != DL_NULL);
    if (has)
        (*dl_cell_x(f, p DL_ARGS(f))) = number((f && h.dl_i != DL_NULL), 3);
    if (has_both)
        (*dl_cell_int(f, dl_moved(h, (dl_index)(1) * 4) DL_ARGS(f))) = dl_is_there(f, p DL_ARGS(f));
    (*dl_cell_y(f, i DL_ARGS(f))) += has + 2 * has_both + 4 * is_there(0);
}
