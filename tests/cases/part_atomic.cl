// run: go structs words:1
/* An atomic function takes a pointer into an array member, by its name and moved. */
typedef struct {
    int n[4];
    float x;
} cell;

//DL: AoS: f[]
__kernel void go(__global cell *f, __global int *out)
{
    int i = get_global_id(0);
    __global int *q = f[i].n + 1;

    out[i] = atomic_add(q, 2);
    atomic_inc(&q[1]);
    atomic_sub(q + 2, i);
}
