// optimised: else PoCL 3.1 leaves out the work-group's number where a kernel is called by a kernel
// run: add structs structs n
// run: twice structs
// run: outer structs words:2 n
// Kernels that others call, before and behind them, are rewritten for both: callers that stay as they are,
// and what is not followed, use them as written.
typedef struct {
    int x, y;
} pair;

#define add dl_add
#line 11
__kernel void add(__global pair *f, __global const pair *g, int by); 
#define twice dl_twice
#line 11
kernel void twice(__global pair *f);
#define CALL(name, ...) name(__VA_ARGS__)

__kernel void plain(__global pair *f)
{
    CALL(add, f, f, (int){1});
}

//DL: AoS: f[global_size(0)] AOS2ASTA_pair
#define twice dl_twice
#line 20
kernel void twice(__global pair *f)
{
    add(f, f, 1);
    add(f + 0, f, 2);
}
#undef twice
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
#line 27
static DL_INLINE   

void dl_add_2(__global pair *f, dl_index dl_at_f DL_PARAMS(f), __global const pair *g, dl_index dl_at_g DL_PARAMS(g), int n)
{
    int i = get_global_id(0);

    (*dl_pair_x(f, dl_at_f + i DL_ARGS(f))) += (*dl_pair_y(f, dl_at_g + i DL_ARGS(f))) + n;
}
//DL-kernel: twice 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 19 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read
//DL-end: twice
#line 20
kernel void twice(__global pair *f DL_PARAMS(f))
{
    dl_add_2(f, 0 DL_ARGS(f), f, 0 DL_ARGS(f), 1);
    dl_add_2(f, (0) DL_ARGS(f), f, 0 DL_ARGS(f), 2);
}
#define twice dl_twice
#line 24


//DL: AoS: f[n] AOS2ASTA_pair, g[n] AOS2ASTA_pair
#define add dl_add
#line 27
__attribute__((reqd_work_group_size(1, 1, 1))) __kernel __attribute__((work_group_size_hint(1, 1, 1),
                                                                     vec_type_hint(int)))
void add(__global pair *f, __global const pair *g, int n)
{
    int i = get_global_id(0);

    f[i].x += g[i].y + n;
}
#undef add
//DL-kernel: add 3
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 26 type pair
//DL-leaves: 0+4*2
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+4 read write
//DL-buffer: g arg 1 read aos bytes 8 line 26 type pair
//DL-leaves: 0+4*2
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 4+4 read
//DL-end: add
#line 27
__attribute__((reqd_work_group_size(1, 1, 1))) __kernel __attribute__((work_group_size_hint(1, 1, 1),
                                                                     vec_type_hint(int)))
void add(__global pair *f, __global const pair *g, int n DL_PARAMS(f) DL_PARAMS(g))
{
    int i = get_global_id(0);

    (*dl_pair_x(f, i DL_ARGS(f))) += (*dl_pair_y(g, i DL_ARGS(g))) + n;
}
#define add dl_add
#line 34


__kernel void add(__global pair *f, __global const pair *g, int by);

//DL: AoS: f[n] AOS2ASTA_pair
#line 20
static DL_INLINE  void dl_twice_2(__global pair *f, dl_index dl_at_f DL_PARAMS(f))
{
    dl_add_2(f, dl_at_f DL_ARGS(f), f, dl_at_f DL_ARGS(f), 1);
    dl_add_2(f, dl_at_f + 0 DL_ARGS(f), f, dl_at_f DL_ARGS(f), 2);
}
#line 27
static DL_INLINE   

void dl_add_3(__global pair *f, dl_index dl_at_f DL_PARAMS(f), __global const pair *g, int n)
{
    int i = get_global_id(0);

    (*dl_pair_x(f, dl_at_f + i DL_ARGS(f))) += g[i].y + n;
}
//DL-kernel: outer 3
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 38 type pair
//DL-leaves: 0+4*2
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read write
//DL-end: outer
#line 39
__kernel void outer(__global pair *f, __global pair *g, int n DL_PARAMS(f))
{
    add(g, g, n);
    dl_twice_2(f, 0 DL_ARGS(f));
    dl_add_3(f, 0 DL_ARGS(f), g, n);
    (*dl_pair_y(f, get_global_id(0) DL_ARGS(f))) ^= g[get_global_id(0)].x;
}
