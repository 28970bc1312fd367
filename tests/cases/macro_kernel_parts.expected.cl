// run: go structs n
// Heads, bodies and braces of kernels that macros make.
#define HEAD(name) __kernel void name(__global cell *f, int n)
#define BEGIN {
#define END }
#define PROLOGUE                                                                         \
    int i = get_global_id(0);                                                            \
    if (i >= n)                                                                          \
        return;
#define OPEN(name)                                                                       \
    HEAD(name)                                                                           \
    BEGIN PROLOGUE
#define BODY { PROLOGUE f[i].y -= f[i].x; }
typedef struct {
    float x, y;
} cell;

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
//DL-kernel: head 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 18 type cell
//DL-leaves: 0+4*2
//DL-structs: arg(1, i4, 0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read
//DL-end: head
#line 19
__kernel void head(__global cell *f, int n DL_PARAMS(f))
{
    PROLOGUE
    (*dl_cell_x(f, i DL_ARGS(f))) += (*dl_cell_y(f, i DL_ARGS(f)));
}
//DL: AoS: f[n] AOS2ASTA_cell
//DL-kernel: body 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 24 type cell
//DL-leaves: 0+4*2
//DL-structs: arg(1, i4, 0)
//DL-access: linear 1 4+4 read write
//DL-access: linear 1 0+4 read
//DL-end: body
#line 25
__kernel void body(__global cell *f, int n DL_PARAMS(f)) { int i = get_global_id(0); if (i >= n) return; (*dl_cell_y(f, i DL_ARGS(f))) -= (*dl_cell_x(f, i DL_ARGS(f))); }
//DL: AoS: f[n] AOS2ASTA_cell
//DL-kernel: go 2
//DL-sums: contractable
//DL-buffer: f arg 0 write aos bytes 8 line 26 type cell
//DL-leaves: 0+4*2
//DL-structs: arg(1, i4, 0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read write
//DL-end: go
#line 27
__kernel void go(__global cell *f, int n DL_PARAMS(f)) { int i = get_global_id(0); if (i >= n) return;
    (*dl_cell_x(f, i DL_ARGS(f))) *= (*dl_cell_y(f, i DL_ARGS(f)));
    (*dl_cell_y(f, i DL_ARGS(f))) += 1;
END __kernel void between(__global int *g) { g[0] = 1; }
//DL: AoS: f[n] AOS2ASTA_cell
//DL-kernel: braces 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 31 type cell
//DL-leaves: 0+4*2
//DL-structs: arg(1, i4, 0)
//DL-access: uniform 0+4 write
//DL-end: braces
#line 32
__kernel void braces(__global cell *f, int n DL_PARAMS(f)) BEGIN (*dl_cell_x(f, n - 1 DL_ARGS(f))) = 3; END
// One invocation ends a kernel and begins the next.
#define NEXT(name) END HEAD(name) BEGIN
//DL: AoS: f[n] AOS2ASTA_cell
//DL-kernel: one 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 35 type cell
//DL-leaves: 0+4*2
//DL-structs: arg(1, i4, 0)
//DL-access: uniform 0+4 write
//DL-end: one
#line 36
__kernel void one(__global cell *f, int n DL_PARAMS(f)) {
    (*dl_cell_x(f, 0 DL_ARGS(f))) = 1;
//DL: AoS: f[n]
} 
//DL-kernel: two 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 38 type cell
//DL-leaves: 0+4*2
//DL-structs: arg(1, i4, 0)
//DL-access: uniform 0+4 write
//DL-end: two
#line 39
__kernel void two(__global cell *f, int n DL_PARAMS(f)) {
    (*dl_cell_x(f, 0 DL_ARGS(f))) = 2;
END
