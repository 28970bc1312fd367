// run: go structs
// run: choose structs
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

/* One of several members, as counters are chosen. */
void count(int way, __global cell *f)
{
    __global int *chosen = 0, *counter;

    switch (way) {
    case 0:
        chosen = (__global int *)&f->a;
        break;
    case 1:
        chosen = &f->b;
    }
    counter = chosen ? chosen : 0;
    if (counter)
        atomic_xchg(counter, *chosen ^ 9);
}

//DL: AoS: f[global_size(0)]
__kernel void choose(__global cell *f)
{
    count(get_global_id(0) % 3, f + get_global_id(0));
}
