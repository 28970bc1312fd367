typedef struct {
    int x, y;
} pair;
__kernel void over(__global pair *f, __global int *sums); __kernel void go(__global pair *);
int unused(int);
