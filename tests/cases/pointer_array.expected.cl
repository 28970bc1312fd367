/* Pointers into one buffer in a private array: each element is an index. */
typedef struct {
    float x, y;
    int n, tags[3];
} cell;

// run: go structs structs n
//DL: AoS: in[n] AOS2ASTA_cell, out[n] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static __global float *dl_cell_x(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 24, 0, 4);
}
static __global int *dl_cell_tags(__global const cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(int, dl_f, dl_i, 24, 12 + dl_k0 * 4, 4);
}
//DL-kernel: go 3
//DL-sums: contractable
//DL-buffer: in arg 0 read aos bytes 24 line 8 type cell
//DL-leaves: 0+4*6
//DL-structs: arg(2, i4, 0)
//DL-access: unknown 0+4 read loops 1 counted 1 rounds 3
//DL-access: unknown 12+12 read loops 1 counted 1 rounds 3
//DL-buffer: out arg 1 write aos bytes 24 line 8 type cell
//DL-leaves: 0+4*6
//DL-structs: arg(2, i4, 0)
//DL-access: unknown 0+4 write
//DL-access: unknown 20+4 write
//DL-end: go
#line 9
__kernel void go(__global const cell *in, __global cell *out, int n DL_PARAMS(in) DL_PARAMS(out))
{
    int i = get_global_id(0), kept = 0;
    dl_index rows[3], here = (i);
    dl_index own[2];
    float s = 0;

    own[0] = (i);
    own[kept + 1] = (i);
    for (int r = 0; r < 3; r++)
        rows[r] = ((i + r) % n);
    for (int r = 0; r < 3; r++)
        s += (*dl_cell_x(in, rows[r] DL_ARGS(in))) * (*dl_cell_tags(in, rows[r] + 0, (r) DL_ARGS(in)));
    rows[1] = here;
    rows[1]--;
    rows[kept++] = rows[1] + 1;
    rows[2] -= 2 - kept * 2;
    if (rows[0] == here && (dl_difference)(dl_signed)(rows[0] - 0) == i && sizeof(char[24]) == 3 * sizeof(long))
        s += kept;
    (*dl_cell_x(out, own[0] DL_ARGS(out))) = s;
    (*dl_cell_tags(out, own[kept], (2) DL_ARGS(out))) = (int)((dl_difference)(dl_signed)(rows[2] - 0));
}

//DL: AoS: in[n], out[n]
__kernel void either(__global cell *in, __global cell *out, int n)
{
    __global cell *both[2];

    both[0] = in;
    both[1] = out;
    both[get_global_id(0) & 1]->x = n;
}

//DL: AoS: in[n]
__kernel void handed(__global cell *in, int n)
{
    __global cell *some[2];
    __global cell **first = some;

    some[0] = in;
    some[1] = in + 1;
    first[n & 1]->x = 1;
}
