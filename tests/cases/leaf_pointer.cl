// run: go structs
typedef struct {
    float a;
    int b;
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    int i = get_global_id(0);
    __global float *a = &f[i].a;
    __global int *b = &(f[i].b);

    *a = *a * 2.0f + 1.0f;
    b[0] += 3;
    atomic_xchg(b, *b ^ 5);
    *&f[i].b += 1;
    *(__global uint *)&f[i].a |= 1u;
}
