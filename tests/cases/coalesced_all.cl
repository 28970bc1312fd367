// run: copy structs structs words:1
typedef struct {
    int a[6];
    uint2 b;
    float c[2];
} wide;

typedef struct {
    short a;
    int b;
} padded;

typedef struct {
    short a, b, c;
} halves;

//DL: AoS: from[global_size(0)], to[global_size(0)]
kernel void copy(global const wide *restrict from, global wide *restrict to,
                 global uint *seen)
{
    const size_t i = get_global_id(0);
    wide w;

    to[i] = from[get_global_size(0) - 1 - i];
    w = to[i];
    w.a[1]++;
    to[i] = w;
    seen[i] = to[i].a[1];
    for (int k = 0; k < 2; k++) {
        wide v = from[i];

        to[i].c[k] += v.c[1];
    }
}

// Functions that are given a struct of 16 bytes or less may lose its padding.
//DL: AoS: f[global_size(0)], g[global_size(0)]
kernel void gaps(global padded *f, global halves *g)
{
    const size_t i = get_global_id(0);
    padded p = f[i];
    halves h = g[i];

    p.b += h.a;
    f[i] = p;
    g[i] = h;
}

//DL: AoS: f[global_size(0)]
kernel void waits(global wide *f, local int *l)
{
    const size_t i = get_global_id(0);
    wide w = f[i];

    l[get_local_id(0)] = w.a[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    w.a[0] = l[0];
    f[i] = w;
}

//DL: AoS: f[global_size(0)]
kernel void counts(global wide *f, global int *all)
{
    const size_t i = get_global_id(0);
    wide w = f[i];

    atomic_add(all, w.a[0]);
}
