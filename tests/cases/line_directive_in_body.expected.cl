// run: go structs
typedef struct {
    int x, line, more, name;
} place;
int helped(__global place *p)
{
    p->x = 1;
#line 300 "helper.h"
    return __LINE__;
}
//DL: AoS: f[global_size(0)] AOS2ASTA_place
//DL-table: 2
/* prelude */
static __global int *dl_place_x(__global const place *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 16, 0, 4);
}
#line 5 "line_directive_in_body.cl"
static DL_INLINE int dl_helped(__global place *p, dl_index dl_at_p DL_PARAMS(p))
{
    (*dl_place_x(p, dl_at_p DL_ARGS(p))) = 1;
#line 300 "helper.h"
    return __LINE__;
}
static __global int *dl_place_line(__global const place *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 16, 4, 4);
}
static __global int *dl_place_more(__global const place *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 16, 8, 4);
}
static __global int *dl_place_name(__global const place *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 16, 12, 4);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 16 line 11 type place
//DL-leaves: 0+4*4
//DL-structs: global_size(0)
//DL-access: linear 1 4+4 write
//DL-access: linear 1 0+4 write
//DL-access: linear 1 8+4 write
//DL-access: linear 1 12+4 write
//DL-end: go
#line 303 "helper.h"
__kernel void go(__global place *f DL_PARAMS(f))
{
    int i = get_global_id(0);
#line 500 "body.h"
    (*dl_place_line(f, i DL_ARGS(f))) = __LINE__ + dl_helped(f, (i) DL_ARGS(f));
#line 700
    (*dl_place_more(f, i DL_ARGS(f))) = __LINE__;
    (*dl_place_name(f, i DL_ARGS(f))) = sizeof __FILE__ + __FILE__[0];
}
int behind(void)
{
    return __LINE__;
}
//DL: AoS: f[global_size(0)] AOS2ASTA_place
//DL-kernel: next 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 16 line 25 type place
//DL-leaves: 0+4*4
//DL-structs: global_size(0)
//DL-access: linear 1 4+4 read write
//DL-end: next
#line 708 "body.h"
__kernel void next(__global place *f DL_PARAMS(f))
{
    (*dl_place_line(f, get_global_id(0) DL_ARGS(f))) += __LINE__ + behind() + sizeof __FILE__;
}
