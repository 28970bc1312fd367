/* Grids by pointers to arrays of constant extents: an argument's own, and variables that are set once from one, which stay
 * as they are. Elements by all their indices are places. */
#define NX 64
#define NY 32

typedef __global const float (*plane)[NX];

//DL: grid: f[nz][NY][NX] AOS2ASTA_float_1, g[nz][NY][NX] AOS2ASTA_float_1 as z[*] y[*] x y[1:0]
//DL-table: 2
/* prelude */
static __global float *dl_float_1_any(__global const float *dl_f, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + dl_e;
#else
    dl_index dl_i = dl_e / 1;

    if (dl_i >= dl_head + dl_tail)
        return (__global float *)dl_f + (dl_signed)dl_e;
    return DL_AT(float, dl_f, dl_i, 4, dl_e % 1 * 4, 4);
#endif
}
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 4 line 8 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: z arg(2, i4, 0)
//DL-extent: y 32
//DL-extent: x 64
//DL-strips: z[*] y[*] x y[1:0]
//DL-access: linear 1 0+4 read write
//DL-buffer: g arg 1 read aos bytes 4 line 8 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: z arg(2, i4, 0)
//DL-extent: y 32
//DL-extent: x 64
//DL-strips: z[*] y[*] x y[1:0]
//DL-access: linear 1 0+4 read
//DL-end: go
#line 9
__kernel void go(__global float (*f)[NY][NX], __global const float *g, int nz DL_PARAMS(f) DL_PARAMS(g))
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    __global const float (*from)[NY][NX] = (__global const float (*)[NY][NX])g;
    __global float (*to)[NY][NX] = f;

    (*dl_float_1_any((__global const float *)f, DL_RANK3(f, (dl_index)(z) * 2048 + (dl_index)(y) * 64 + (dl_index)(x), 0, (dl_index)z, (dl_index)y, (dl_index)x) DL_RANKED(f))) = (*dl_float_1_any(g, DL_RANK3(g, (dl_index)(z) * 2048 + (dl_index)(y > 0 ? y - 1 : NY - 1) * 64 + (dl_index)(x), 0, (dl_index)z, ((y > 0) ? (dl_index)y - (dl_index)1 : (dl_index)31), (dl_index)x) DL_RANKED(g))) + (*dl_float_1_any(g, DL_RANK3(g, (dl_index)(z) * 2048 + (dl_index)(y) * 64 + (dl_index)((x + 1) % NX), 0, (dl_index)z, (dl_index)y, (dl_index)((x + 1) % 64)) DL_RANKED(g))) + (*dl_float_1_any(g, DL_RANK3(g, (z * NY + y) * NX + x, 0, (dl_index)z, (dl_index)y, (dl_index)x) DL_RANKED(g)));
    (*dl_float_1_any((__global const float *)f, DL_RANK3(f, (dl_index)(z) * 2048 + (dl_index)(y) * 64 + (dl_index)(x), 0, (dl_index)z, (dl_index)y, (dl_index)x) DL_RANKED(f)))++;
    (*dl_float_1_any((__global const float *)f, DL_RANK3(f, (dl_index)(0) * 2048 + (dl_index)(y) * 64 + (dl_index)(x), 0, 0, (dl_index)y, (dl_index)x) DL_RANKED(f))) += (*dl_float_1_any(g, DL_RANK3(g, (dl_index)(z) * 2048 + (dl_index)(y) * 64 + (dl_index)(x + 1), 0, (dl_index)z, (dl_index)y, (dl_index)x + (dl_index)1) DL_RANKED(g)));
}

//DL: grid: f[NY][NX] AOS2ASTA_float_1, g[NY][NX] AOS2ASTA_float_1 as y[*] x y[1:0]
//DL-kernel: unsized 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 4 line 20 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: y 32
//DL-extent: x 64
//DL-strips: y[*] x y[1:0]
//DL-matrix: 0 0 0 0 0 0 0 1 0
//DL-matrix: 0 0 0 0 0 0 1 0 0
//DL-access: linear 1 0+4 write
//DL-buffer: g arg 1 read aos bytes 4 line 20 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: y 32
//DL-extent: x 64
//DL-strips: y[*] x y[1:0]
//DL-matrix: 0 0 0 0 0 0 0 1 0
//DL-matrix: 0 0 0 0 0 0 1 0 0
//DL-access: linear 1 0+4 read
//DL-end: unsized
#line 21
__kernel void unsized(__global float f[][NX], __global const float *g DL_PARAMS(f) DL_PARAMS(g))
{
    plane from = (plane)g;

    (*dl_float_1_any((__global const float *)f, DL_RANK2(f, (dl_index)(get_global_id(1)) * 64 + (dl_index)(get_global_id(0)), 0, (dl_index)get_global_id(1), (dl_index)get_global_id(0)) DL_RANKED(f))) = (*dl_float_1_any(g, DL_RANK2(g, (dl_index)(get_global_id(1)) * 64 + (dl_index)(get_global_id(0)), 0, (dl_index)get_global_id(1), (dl_index)get_global_id(0)) DL_RANKED(g)));
}
