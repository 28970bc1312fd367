// run: without_braces structs structs n
// group: 8
typedef struct {
    uint a, b, c;
} point;

// The store follows the load.
//DL: AoS: from[n] AOS2ASTA_point, to[n] AOS2ASTA_point
//DL-table: 2
/* prelude */
static point dl_point_load(__global const point *dl_f, dl_index dl_i DL_FORMALS)
{
    point dl_s;
    dl_s.a = *DL_AT(unsigned int, dl_f, dl_i, 12, 0, 4);
    dl_s.b = *DL_AT(unsigned int, dl_f, dl_i, 12, 4, 4);
    dl_s.c = *DL_AT(unsigned int, dl_f, dl_i, 12, 8, 4);
    return dl_s;
}
static point dl_point_store(__global const point *dl_f, dl_index dl_i DL_FORMALS, point dl_s)
{
    *DL_AT(unsigned int, dl_f, dl_i, 12, 0, 4) = dl_s.a;
    *DL_AT(unsigned int, dl_f, dl_i, 12, 4, 4) = dl_s.b;
    *DL_AT(unsigned int, dl_f, dl_i, 12, 8, 4) = dl_s.c;
    return dl_s;
}
//DL-kernel: copy 4
//DL-sums: exact
//DL-buffer: from arg 0 read aos bytes 12 line 8 type point
//DL-leaves: 0+4*3
//DL-structs: arg(3, i4, 0)
//DL-access: gather 0+12 read
//DL-buffer: to arg 1 write aos bytes 12 line 8 type point
//DL-leaves: 0+4*3
//DL-structs: arg(3, i4, 0)
//DL-access: linear 1 0+12 write
//DL-end: copy
#line 9
kernel void copy(global const point *from, global point *to, global const uint *order, int n DL_PARAMS(from) DL_PARAMS(to))
{
    const int i = get_global_id(0);

    if (i >= n)
        return;
    const point p = dl_point_load(from, order[i] % (uint)n DL_ARGS(from));
    dl_point_store(to, i DL_ARGS(to), p);
}

//DL: AoS: from[n] AOS2ASTA_point, to[n] AOS2ASTA_point
//DL-kernel: store_alone 3
//DL-sums: exact
//DL-buffer: from arg 0 read aos bytes 12 line 19 type point
//DL-leaves: 0+4*3
//DL-structs: arg(2, i4, 0)
//DL-access: linear -1 0+12 read
//DL-buffer: to arg 1 write aos bytes 12 line 19 type point
//DL-leaves: 0+4*3
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+12 write
//DL-end: store_alone
#line 20
kernel void store_alone(global const point *from, global point *to, int n DL_PARAMS(from) DL_PARAMS(to))
{
    const int i = get_global_id(0);

    if (i < n) {
        dl_point_store(to, i DL_ARGS(to), dl_point_load(from, n - 1 - i DL_ARGS(from)));
    }
}

//DL: AoS: from[n] AOS2ASTA_point, to[n] AOS2ASTA_point
//DL-kernel: without_braces 3
//DL-sums: exact
//DL-buffer: from arg 0 read aos bytes 12 line 29 type point
//DL-leaves: 0+4*3
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+12 read
//DL-buffer: to arg 1 write aos bytes 12 line 29 type point
//DL-leaves: 0+4*3
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+12 write
//DL-end: without_braces
#line 30
kernel void without_braces(global const point *from, global point *to, int n DL_PARAMS(from) DL_PARAMS(to))
{
    const int i = get_global_id(0);

    if (i < n)
        dl_point_store(to, i DL_ARGS(to), dl_point_load(from, i DL_ARGS(from)));
}
