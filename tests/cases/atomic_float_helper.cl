typedef struct {
    float sum;
    uint count;
    int hist[4];
} bin;

void add_float(volatile __global float *p, float v)
{
    union {
        uint u;
        float f;
    } old, new;

    do {
        old.f = *p;
        new.f = old.f + v;
    } while (atomic_cmpxchg((volatile __global uint *)p, old.u, new.u) != old.u);
}

//DL: AoS: f[n]
__kernel void go(__global bin *f, __global const int *in, int n)
{
    int i = get_global_id(0), b = (uint)in[i] % n;

    add_float(&f[b].sum, 0.25f);
    atomic_inc((volatile __global uint *)&f[b].count);
    atomic_add(&f[b].hist[in[i] & 3], in[i] & 15);
    (void)atomic_max(&f[b].hist[3], i);
}
// run: go structs words:1 n
