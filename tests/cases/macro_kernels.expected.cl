// run: whole_first structs n
// Several kernels that one macro makes, among other things.
#define BOTH(type, name)                                                                 \
    typedef type name##_type;                                                            \
    __kernel void name##_first(__global cell *f, int n)                                  \
    {                                                                                    \
        f[get_global_id(0)].x = (name##_type)n;                                          \
    }                                                                                    \
    __kernel void name##_other(__global int *g) { g[0] = 1; }                            \
    float name##_twice(__global const cell *c) { return c->y * 2; }                      \
    __kernel void name##_second(__global cell *f, int n)                                 \
    {                                                                                    \
        f[get_global_id(0)].y = name##_twice(&f[n - 1 - get_global_id(0)]);              \
    }
typedef struct {
    float x, y;
} cell;

//DL: AoS: f[n] AOS2ASTA_cell
typedef int whole_type; 
//DL-table: 2
/* prelude */
static __global float *dl_cell_x(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 0, 4);
}
//DL-kernel: whole_first 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 19 type cell
//DL-leaves: 0+4*2
//DL-structs: arg(1, i4, 0)
//DL-access: linear 1 0+4 write
//DL-end: whole_first
#line 20
    __kernel void whole_first(__global cell *f, int n DL_PARAMS(f)) { (*dl_cell_x(f, get_global_id(0) DL_ARGS(f))) = (whole_type)n; } __kernel void whole_other(__global int *g) { g[0] = 1; } float whole_twice(__global const cell *c) { return c->y * 2; } 
static __global float *dl_cell_y(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 4, 4);
}
#line 20
static DL_INLINE float dl_whole_twice(__global const cell *c, dl_index dl_at_c DL_PARAMS(c)) { return (*dl_cell_y(c, dl_at_c DL_ARGS(c))) * 2; }
//DL-kernel: whole_second 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 19 type cell
//DL-leaves: 0+4*2
//DL-structs: arg(1, i4, 0)
//DL-access: linear 1 4+4 write
//DL-access: linear -1 4+4 read
//DL-end: whole_second
#line 20
__kernel void whole_second(__global cell *f, int n DL_PARAMS(f)) { (*dl_cell_y(f, get_global_id(0) DL_ARGS(f))) = dl_whole_twice(f, (n - 1 - get_global_id(0)) DL_ARGS(f)); }

