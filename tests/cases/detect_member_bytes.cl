// detect: on
// run: go structs words:1
typedef struct {
    uint n, v[16];
} pw;

__kernel void go(__global pw *f, __global int *o)
{
    int i = get_global_id(0);

    o[i] = ((__global uchar *)f[i].v)[i & 63];
}
