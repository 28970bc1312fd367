// detect: on
// run: go structs structs structs words:1 words:6 int:5 n
/* Rows of five and six by constants, and of `width` by the argument; what is counted by loops is a place in
 * the row. An image is left alone: its columns are work-items. */
#define AT(row, column) f[(row) * 5 + (column)]

//DL: AoS: f[][5] AOS2ASTA_int_5, by_two[][6] AOS2ASTA_int_6, rows[][width] AOS2ASTA_int_row
//DL-table: 2
/* prelude */
static __global int *dl_int_6_in(__global const int *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + (dl_i * 6 + dl_e);
#else
    return DL_AT(int, dl_f, dl_i, 24, dl_e * 4, 4);
#endif
}
static __global int *dl_int_row(__global const int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + (dl_i * dl_w + dl_e);
#else
    if (dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global int *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_ROW_AT(__global, int, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
static __global int *dl_int_5_in(__global const int *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + (dl_i * 5 + dl_e);
#else
    return DL_AT(int, dl_f, dl_i, 20, dl_e * 4, 4);
#endif
}
//DL-kernel: go 7
//DL-sums: exact
//DL-detected: 0 1 2 3 4
//DL-buffer: f arg 0 write aos bytes 20 line 7 type int
//DL-leaves: 0+4*5
//DL-structs: *
//DL-found: f[][5]
//DL-access: linear 1 0+4 write
//DL-access: linear 1 16+4 read
//DL-access: linear 1 12+4 read write
//DL-buffer: by_two arg 1 read aos bytes 24 line 7 type int
//DL-leaves: 0+4*6
//DL-structs: *
//DL-found: by_two[][6]
//DL-access: linear 1 0+24 read walks loops 1 counted 1 rounds 2
//DL-access: linear -1 20+4 read
//DL-buffer: rows arg 2 write aos bytes 4 line 7 type int
//DL-leaves: 0+4
//DL-width: arg(5, i4, 0)
//DL-structs: *
//DL-found: rows[][width]
//DL-access: linear 1 0+* read write walks loops 1 line 14
//DL-end: go
#line 7
__kernel void go(__global int *f, __global const int *by_two, __global int *rows,
                 __global int *image, __global const int *table, int width, int n DL_PARAMS(f) DL_PARAMS(by_two) DL_PARAMS(rows))
{ dl_index dl_w_f = (long)5; dl_index dl_w_by_two = (long)6; dl_index dl_w_rows = (long)width;
    int i = get_global_id(0), sum = 0, k;

    for (int j = 0; j < 2; j++)
        sum += (*dl_int_6_in(by_two, i, 3 * j DL_ARGS(by_two))) ^ (*dl_int_6_in(by_two, n - 1 - i, 5 DL_ARGS(by_two)));
    for (k = 0; k < width; k++)
        (*dl_int_row(rows, i, k, dl_w_rows DL_ARGS(rows))) += sum + k;
    (*dl_int_5_in(f, i, 0 DL_ARGS(f))) = (*dl_int_5_in(f, i, 4 DL_ARGS(f))) + sum;
    (*dl_int_5_in(f, i, 3 DL_ARGS(f)))++;
    image[i / width * width + i % width] = table[sum & 3] + sum;
}
