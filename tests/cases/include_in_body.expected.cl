// Code of other files within bodies: of a kernel, twice, and of a helper.
typedef struct {
    int x, y;
} pair;

int sum_of(__global const pair *f, int i)
{
    int sum = 0;
#line 1 "include/sum.h"
#ifdef AT
    sum += AT(x) ^ __LINE__;
#else
    sum += f[i].x + 2 * f[i].y; /* this file's */
#endif
    sum &= 0xffff;
#line 10 "include_in_body.cl"
    return sum * __LINE__;
}

//DL: AoS: f[n] AOS2ASTA_pair
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
#line 6
static DL_INLINE int dl_sum_of(__global const pair *f, dl_index dl_at_f DL_PARAMS(f), int i)
{
    int sum = 0;
#line 1 "include/sum.h"



    sum += (*dl_pair_x(f, dl_at_f + i DL_ARGS(f))) + 2 * (*dl_pair_y(f, dl_at_f + i DL_ARGS(f))); /* this file's */

    sum &= 0xffff;

#line 9 "include_in_body.cl"

    return sum * __LINE__;
}
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 13 type pair
//DL-leaves: 0+4*2
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read write
//DL-end: go
#line 14
__kernel void go(__global pair *f, __global int *out, int n DL_PARAMS(f))
{
    int i = get_global_id(0), sum = 0;
#define AT(k) f[i].k
#line 1 "include/sum.h"

    sum += (*dl_pair_x(f, i DL_ARGS(f))) ^ __LINE__;



    sum &= 0xffff;

#line 18 "include_in_body.cl"

    out[i] = sum + __LINE__;
    (*dl_pair_x(f, i DL_ARGS(f))) = dl_sum_of(f, 0 DL_ARGS(f), i) & 0xff;
#undef AT
    sum = 1;
#line 1 "include/sum.h"



    sum += (*dl_pair_x(f, i DL_ARGS(f))) + 2 * (*dl_pair_y(f, i DL_ARGS(f))); /* this file's */

    sum &= 0xffff;

#line 23 "include_in_body.cl"

    (*dl_pair_y(f, i DL_ARGS(f))) = sum;
}

__kernel void other(__global pair *f, __global int *out)
{
    int i = 0, sum = 0;
#line 1 "include/sum.h"
#ifdef AT
    sum += AT(x) ^ __LINE__;
#else
    sum += f[i].x + 2 * f[i].y; /* this file's */
#endif
    sum &= 0xffff;
#line 31 "include_in_body.cl"
    out[0] = sum;
}
// run: go structs words:1 n
