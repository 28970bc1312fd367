// run: go structs
typedef struct {
    int hits;
    uint mask;
    float pad;
} counter;

//DL: AoS: c[global_size(0)]
__kernel void go(__global counter *c)
{
    int i = get_global_id(0);

    atomic_add(&c[i / 2].hits, i);
    atomic_inc(&c[0].hits);
    atomic_or(&c->mask, 1u << (i & 15));
    atomic_max((volatile __global int *)&c[i].hits, 3);
}
