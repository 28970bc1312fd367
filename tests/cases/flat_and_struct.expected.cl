// run: go structs structs n
typedef struct {
    int row;
    float scale;
} header;

//DL: AoS: h[n] AOS2ASTA_header
//DL: AoS: data[n][4] AOS2ASTA_float_4
//DL-table: 2
/* prelude */
static __global float *dl_float_4_in(__global const float *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * 4 + dl_e);
#else
    return DL_AT(float, dl_f, dl_i, 16, dl_e * 4, 4);
#endif
}
static __global int *dl_header_row(__global const header *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
static __global float *dl_header_scale(__global const header *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 4, 4);
}
static __global float *dl_float_4(__global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 4;
    if (dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global float *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_AT(float, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
//DL-kernel: go 3
//DL-sums: contractable
//DL-buffer: h arg 0 read aos bytes 8 line 7 type header
//DL-leaves: 0+4*2
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+4 read
//DL-access: linear 1 4+4 read
//DL-buffer: data arg 1 write aos bytes 16 line 8 type float
//DL-leaves: 0+4*4
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 4+4 write
//DL-access: gather 0+4 read
//DL-access: linear 1 0+16 read write
//DL-end: go
#line 9
__kernel void go(__global const header *h, __global float *data, int n DL_PARAMS(h) DL_PARAMS(data))
{ dl_index dl_w_data = (long)4;
    int i = get_global_id(0);

    (*dl_float_4_in(data, i, 1 DL_ARGS(data))) = (*dl_float_4_in(data, (*dl_header_row(h, i DL_ARGS(h))) % n, 0 DL_ARGS(data))) * (*dl_header_scale(h, i DL_ARGS(h)));
    (*dl_float_4(data, i, (dl_index)((*dl_header_row(h, i DL_ARGS(h))) % 3) + 1, dl_w_data DL_ARGS(data))) += 1.0f;
}
