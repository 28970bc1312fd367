// detect: on
// optimised: else PoCL 3.1 leaves out the work-group's number where a kernel is called by a kernel
// run: three structs structs
// run: add_two structs
// run: sub structs
// Kernels that a macro makes, one of which calls another, and both are called.
typedef struct { int x, y; } pair;
#define MAKE(name, op)                                                                   \
    __kernel void name(__global pair *f) { f[get_global_id(0)].x op f[get_global_id(0)].y; } \
    __kernel void name##_two(__global pair *f) { name(f); name(f + 0); }
#define add dl_add
#line 11
__kernel void add(__global pair *f) { f[get_global_id(0)]. x += f[get_global_id(0)]. y; }
#undef add
//DL: AoS: f[] AOS2ASTA_pair
//DL-table: 2
/* prelude */
static __global int *dl_pair_x(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
static __global int *dl_pair_y(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: add 1
//DL-sums: exact
//DL-detected: 0
//DL-buffer: f arg 0 write aos bytes 8 line 11 type pair
//DL-leaves: 0+4*2
//DL-structs: *
//DL-found: f[]
//DL-members: x 0+4*1 y 4+4*1
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read
//DL-end: add
#line 11
__kernel void add(__global pair *f DL_PARAMS(f)) { (*dl_pair_x(f, get_global_id(0) DL_ARGS(f))) += (*dl_pair_y(f, get_global_id(0) DL_ARGS(f))); }
#define add dl_add
#line 11
 
#define add_two dl_add_two
#line 11
__kernel void add_two(__global pair *f) { add(f); add(f + 0); }
#undef add_two
//DL: AoS: f[] AOS2ASTA_pair
#line 11
static DL_INLINE  void dl_add_2(__global pair *f, dl_index dl_at_f DL_PARAMS(f)) { (*dl_pair_x(f, dl_at_f + get_global_id(0) DL_ARGS(f))) += (*dl_pair_y(f, dl_at_f + get_global_id(0) DL_ARGS(f))); }
//DL-kernel: add_two 1
//DL-sums: exact
//DL-detected: 0
//DL-buffer: f arg 0 write aos bytes 8 line 11 type pair
//DL-leaves: 0+4*2
//DL-structs: *
//DL-found: f[]
//DL-members: x 0+4*1 y 4+4*1
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read
//DL-end: add_two
#line 11
__kernel void add_two(__global pair *f DL_PARAMS(f)) { dl_add_2(f, 0 DL_ARGS(f)); dl_add_2(f, (0) DL_ARGS(f)); }
#define add_two dl_add_two
#line 11

#define sub dl_sub
#line 12
__kernel void sub(__global pair *f) { f[get_global_id(0)]. x -= f[get_global_id(0)]. y; }
#undef sub
//DL: AoS: f[] AOS2ASTA_pair
//DL-kernel: sub 1
//DL-sums: exact
//DL-detected: 0
//DL-buffer: f arg 0 write aos bytes 8 line 12 type pair
//DL-leaves: 0+4*2
//DL-structs: *
//DL-found: f[]
//DL-members: x 0+4*1 y 4+4*1
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read
//DL-end: sub
#line 12
__kernel void sub(__global pair *f DL_PARAMS(f)) { (*dl_pair_x(f, get_global_id(0) DL_ARGS(f))) -= (*dl_pair_y(f, get_global_id(0) DL_ARGS(f))); }
#define sub dl_sub
#line 12
 
//DL: AoS: f[] AOS2ASTA_pair
#line 12
static DL_INLINE  void dl_sub_2(__global pair *f, dl_index dl_at_f DL_PARAMS(f)) { (*dl_pair_x(f, dl_at_f + get_global_id(0) DL_ARGS(f))) -= (*dl_pair_y(f, dl_at_f + get_global_id(0) DL_ARGS(f))); }
//DL-kernel: sub_two 1
//DL-sums: exact
//DL-detected: 0
//DL-buffer: f arg 0 write aos bytes 8 line 12 type pair
//DL-leaves: 0+4*2
//DL-structs: *
//DL-found: f[]
//DL-members: x 0+4*1 y 4+4*1
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read
//DL-end: sub_two
#line 12
__kernel void sub_two(__global pair *f DL_PARAMS(f)) { dl_sub_2(f, 0 DL_ARGS(f)); dl_sub_2(f, (0) DL_ARGS(f)); }

//DL: AoS: f[] AOS2ASTA_pair, g[] AOS2ASTA_pair
#line 11
static DL_INLINE  void dl_add_two_2(__global pair *f, dl_index dl_at_f DL_PARAMS(f)) { dl_add_2(f, dl_at_f DL_ARGS(f)); dl_add_2(f, dl_at_f + 0 DL_ARGS(f)); }
//DL-kernel: three 2
//DL-sums: exact
//DL-detected: 0 1
//DL-buffer: f arg 0 write aos bytes 8 line 14 type pair
//DL-leaves: 0+4*2
//DL-structs: *
//DL-found: f[]
//DL-members: x 0+4*1 y 4+4*1
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read
//DL-buffer: g arg 1 write aos bytes 8 line 14 type pair
//DL-leaves: 0+4*2
//DL-structs: *
//DL-found: g[]
//DL-members: x 0+4*1 y 4+4*1
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read write
//DL-end: three
#line 14
__kernel void three(__global pair *f, __global pair *g DL_PARAMS(f) DL_PARAMS(g))
{
    dl_add_two_2(f, 0 DL_ARGS(f));
    dl_sub_2(g, 0 DL_ARGS(g));
    (*dl_pair_y(g, get_global_id(0) DL_ARGS(g))) = (*dl_pair_x(f, get_global_id(0) DL_ARGS(f)));
}
