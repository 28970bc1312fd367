/* What an index is made of is repeated where the element is reached only if it is still the same there: not where
 * a pointer may have changed it, or another work-item has, or a name means something else by then. */

//DL: grid: f[ny][nx] AOS2ASTA_float_1, g[ny][nx] AOS2ASTA_float_1 as y[*] x[*] y[1:0] x[2:0]
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
//DL-kernel: through_pointer 4
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 4 line 4 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: y arg(3, i4, 0)
//DL-extent: x arg(2, i4, 0)
//DL-strips: y[*] x[*] y[1:0] x[2:0]
//DL-access: unknown 0+4 write
//DL-buffer: g arg 1 read aos bytes 4 line 4 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: y arg(3, i4, 0)
//DL-extent: x arg(2, i4, 0)
//DL-strips: y[*] x[*] y[1:0] x[2:0]
//DL-access: unknown 0+4 read
//DL-end: through_pointer
#line 5
__kernel void through_pointer(__global float *f, __global const float *g, int nx, int ny DL_PARAMS(f) DL_PARAMS(g))
{
    int x = get_global_id(0), y = get_global_id(1), *to_y = &y;
    {
        const int i = x + nx * y;

        *to_y = 0;
        (*dl_float_1_any(f, i DL_ARGS(f))) = (*dl_float_1_any(g, i DL_ARGS(g)));
    }
}

//DL: grid: f[ny][nx] AOS2ASTA_float_1, g[ny][nx] AOS2ASTA_float_1 as y[*] x[*] y[1:0] x[2:0]
//DL-kernel: by_others 4
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 4 line 16 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: y arg(3, i4, 0)
//DL-extent: x arg(2, i4, 0)
//DL-strips: y[*] x[*] y[1:0] x[2:0]
//DL-access: linear 1 0+4 write
//DL-buffer: g arg 1 read aos bytes 4 line 16 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: y arg(3, i4, 0)
//DL-extent: x arg(2, i4, 0)
//DL-strips: y[*] x[*] y[1:0] x[2:0]
//DL-access: linear 1 0+4 read
//DL-end: by_others
#line 17
__kernel void by_others(__global float *f, __global const float *g, int nx, int ny DL_PARAMS(f) DL_PARAMS(g))
{
    __local int row;
    __local struct { int count; } rows;

    if (get_local_id(0) == 0) {
        row = get_group_id(1);
        rows.count = row;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    {
        const int i = get_global_id(0) + nx * row, k = get_global_id(0) + nx * rows.count;

        barrier(CLK_LOCAL_MEM_FENCE);
        (*dl_float_1_any(f, i DL_ARGS(f))) = (*dl_float_1_any(g, k DL_ARGS(g)));
    }
    if (get_local_id(0) == 0)
        rows.count = row = 0;
}

//DL: grid: f[ny][nx] AOS2ASTA_float_1, g[ny][nx] AOS2ASTA_float_1 as y[*] x[*] y[1:0] x[2:0]
//DL-kernel: by_enumerator 4
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 4 line 37 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: y arg(3, i4, 0)
//DL-extent: x arg(2, i4, 0)
//DL-strips: y[*] x[*] y[1:0] x[2:0]
//DL-matrix: 0 0 0 0 0 0 0 1 0
//DL-matrix: 0 0 0 0 0 0 1 0 0
//DL-access: linear 1 0+4 write
//DL-buffer: g arg 1 read aos bytes 4 line 37 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: y arg(3, i4, 0)
//DL-extent: x arg(2, i4, 0)
//DL-strips: y[*] x[*] y[1:0] x[2:0]
//DL-matrix: 0 0 0 0 0 0 0 1 0
//DL-matrix: 0 0 0 0 0 0 1 0 0
//DL-access: linear 1 0+4 read
//DL-end: by_enumerator
#line 38
__kernel void by_enumerator(__global float *f, __global const float *g, int nx, int ny DL_PARAMS(f) DL_PARAMS(g))
{
    const int x = get_global_id(0), y = get_global_id(1), i = x + nx * y;
    {
        enum { x = 1 };
        (*dl_float_1_any(f, i DL_ARGS(f))) = (*dl_float_1_any(g, i DL_ARGS(g))) + x;
    }
}

//DL: grid: f[ny][nx] AOS2ASTA_float_1, g[ny][nx] AOS2ASTA_float_1 as y[*] x[*] y[1:0] x[2:0]
//DL-kernel: by_typedef 4
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 4 line 47 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: y arg(3, i4, 0)
//DL-extent: x arg(2, i4, 0)
//DL-strips: y[*] x[*] y[1:0] x[2:0]
//DL-matrix: 0 0 0 0 0 0 0 1 0
//DL-matrix: 0 0 0 0 0 0 1 0 0
//DL-access: linear 1 0+4 write
//DL-buffer: g arg 1 read aos bytes 4 line 47 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: y arg(3, i4, 0)
//DL-extent: x arg(2, i4, 0)
//DL-strips: y[*] x[*] y[1:0] x[2:0]
//DL-matrix: 0 0 0 0 0 0 0 1 0
//DL-matrix: 0 0 0 0 0 0 1 0 0
//DL-access: linear 1 0+4 read
//DL-end: by_typedef
#line 48
__kernel void by_typedef(__global float *f, __global const float *g, int nx, int ny DL_PARAMS(f) DL_PARAMS(g))
{
    const int x = get_global_id(0), y = get_global_id(1), i = x + nx * y;
    {
        typedef float y;
        (*dl_float_1_any(f, i DL_ARGS(f))) = (*dl_float_1_any(g, i DL_ARGS(g))) + (y)1;
    }
}

//DL: grid: f[ny][nx] AOS2ASTA_float_1, g[ny][nx] AOS2ASTA_float_1 as y[*] x[*] y[1:0] x[2:0]
//DL-kernel: by_variable 4
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 4 line 57 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: y arg(3, i4, 0)
//DL-extent: x arg(2, i4, 0)
//DL-strips: y[*] x[*] y[1:0] x[2:0]
//DL-matrix: 0 0 0 0 0 0 0 1 0
//DL-matrix: 0 0 0 0 0 0 1 0 0
//DL-access: linear 1 0+4 write
//DL-buffer: g arg 1 read aos bytes 4 line 57 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: y arg(3, i4, 0)
//DL-extent: x arg(2, i4, 0)
//DL-strips: y[*] x[*] y[1:0] x[2:0]
//DL-matrix: 0 0 0 0 0 0 0 1 0
//DL-matrix: 0 0 0 0 0 0 1 0 0
//DL-access: linear 1 0+4 read
//DL-end: by_variable
#line 58
__kernel void by_variable(__global float *f, __global const float *g, int nx, int ny DL_PARAMS(f) DL_PARAMS(g))
{
    const int x = get_global_id(0), y = get_global_id(1), i = x + nx * y;
    {
        const int x = 1;
        (*dl_float_1_any(f, i DL_ARGS(f))) = (*dl_float_1_any(g, i DL_ARGS(g))) + x;
    }
}

/* The extents, too: nx is split by nx + pad, whose pad is another here. */
//DL: grid: f[ny][nx + pad] AOS2ASTA_float_1, g[ny][nx + pad] AOS2ASTA_float_1 as y[*] k[*] y[1:0] k[2:0]
//DL-kernel: other_extent 5
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 4 line 68 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: y arg(3, i4, 0)
//DL-extent: k arg(2, i4, 0) + arg(4, i4, 0)
//DL-strips: y[*] k[*] y[1:0] k[2:0]
//DL-access: linear 1 0+4 read write
//DL-buffer: g arg 1 read aos bytes 4 line 68 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: y arg(3, i4, 0)
//DL-extent: k arg(2, i4, 0) + arg(4, i4, 0)
//DL-strips: y[*] k[*] y[1:0] k[2:0]
//DL-access: linear 1 0+4 read
//DL-end: other_extent
#line 69
__kernel void other_extent(__global float *f, __global const float *g, int nx, int ny, int pad DL_PARAMS(f) DL_PARAMS(g))
{
    const int x = get_global_id(0), y = get_global_id(1);

    for (int pad = 0; pad < 2; pad++)
        (*dl_float_1_any(f, y * nx + x DL_ARGS(f))) += (*dl_float_1_any(g, y * nx + x DL_ARGS(g))) + pad;
}
