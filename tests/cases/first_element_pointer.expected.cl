// run: go structs words:1 n
// The address of an array's element is as the array plus the index.
typedef struct {
    float x;
    int h[5];
    float w[2][3];
} line;

void put(__global float *row, int k, float v)
{
    row[k % 3] += v;
}

//DL: AoS: l[n] AOS2ASTA_line
//DL-table: 2
/* prelude */
static __global float *dl_line_float(__global const line *dl_f, dl_part dl_p DL_FORMALS)
{
    return DL_ANY_AT(float, dl_f, dl_p.dl_i, 48, 0 + dl_p.dl_o, 4);
}
#line 9
static DL_INLINE void dl_put(__global float *row, dl_part dl_at_row DL_PARAMS(row), int k, float v)
{
    (*dl_line_float((__global const line *)row, dl_moved(dl_at_row, (dl_index)(k % 3) * 4) DL_ARGS(row))) += v;
}
static __global int *dl_line_int(__global const line *dl_f, dl_part dl_p DL_FORMALS)
{
    return DL_ANY_AT(int, dl_f, dl_p.dl_i, 48, 0 + dl_p.dl_o, 4);
}
static __global float *dl_line_x(__global const line *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 48, 0, 4);
}
static int2 dl_line_int_vload2(dl_index dl_o, __global const line *dl_f, dl_part dl_p DL_FORMALS)
{
    return (int2)(*DL_ANY_AT(int, dl_f, dl_p.dl_i, 48, 0 + dl_p.dl_o + dl_o * 8, 4), *DL_ANY_AT(int, dl_f, dl_p.dl_i, 48, 4 + dl_p.dl_o + dl_o * 8, 4));
}
static __global int *dl_line_h(__global const line *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(int, dl_f, dl_i, 48, 4 + dl_k0 * 4, 4);
}
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: l arg 0 write aos bytes 48 line 14 type line
//DL-leaves: 0+4*12
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+48 read write walks
//DL-access: unknown 0+48 read write walks loops 1 line 22
//DL-access: linear 1 0+4 read
//DL-access: linear 1 0+48 read
//DL-access: linear 1 20+4 read write atomic
//DL-end: go
#line 15
__kernel void go(__global line *l, __global int *out, int n DL_PARAMS(l))
{
    int i = get_global_id(0), k = out[i] & 3;
    dl_part f = dl_part_at(i, (dl_index)(0) * 4 + 4), g;
    dl_part w = dl_part_at(i, (dl_index)(k & 1) * 12 + (dl_index)(0) * 4 + 24);

    (*dl_line_int(l, dl_moved(f, (dl_index)(k) * 4) DL_ARGS(l))) ^= (*dl_line_int(l, dl_moved(f, (dl_index)(k + 1) * 4) DL_ARGS(l)));
    for (g = k ? dl_part_at(i, (dl_index)(1) * 4 + 4) : f; (dl_apart(g, dl_part_at(i, (dl_index)(5) * 4 + 4), 48) < 0); g.dl_o += 4)
        (*dl_line_int(l, g DL_ARGS(l))) += 3;
    dl_put((__global float *)l, dl_part_at(i, (dl_index)(1) * 12 + (dl_index)(0) * 4 + 24) DL_ARGS(l), i, (*dl_line_float(l, dl_moved(w, (dl_index)(i % 3) * 4) DL_ARGS(l))) + (*dl_line_x(l, i DL_ARGS(l))));
    out[i] = dl_line_int_vload2(0, l, f DL_ARGS(l)).y + (((dl_difference)dl_apart(g, f, 48) / 4));
    atomic_xchg(dl_line_h(l, i, (4) DL_ARGS(l)), k);
}
