// Code of other files within bodies: of a kernel, twice, and of a helper.
typedef struct {
    int x, y;
} pair;

int sum_of(__global const pair *f, int i)
{
    int sum = 0;
#include "include/sum.h"
    return sum * __LINE__;
}

//DL: AoS: f[n]
__kernel void go(__global pair *f, __global int *out, int n)
{
    int i = get_global_id(0), sum = 0;
#define AT(k) f[i].k
#include "include/sum.h"
    out[i] = sum + __LINE__;
    AT(x) = sum_of(f, i) & 0xff;
#undef AT
    sum = 1;
#include "include/sum.h"
    f[i].y = sum;
}

__kernel void other(__global pair *f, __global int *out)
{
    int i = 0, sum = 0;
#include "include/sum.h"
    out[0] = sum;
}
// run: go structs words:1 n
