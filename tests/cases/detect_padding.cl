// detect: on
// run: advance structs structs words:16 structs n
/* Structs with padding, or a vector of three, are written whole: `f` by a helper that is given one by value, `v` from local
 * memory. */
typedef struct {
    int x, pad_follows;
    int4 v;
    int last;
} padded;
typedef struct {
    int3 three;
    int4 four;
} vectors;
typedef struct {
    int a, b, c, d;
} whole;

void put(__global padded *f, int at, padded value)
{
    f[at] = value;
}

__kernel void advance(__global padded *f, __global vectors *v, __global int *out,
                   __global whole *w, int n)
{
    int i = get_global_id(0);
    padded mine = {i, 1, (int4)(i), 2};
    __local vectors local_v[1];
    whole all = w[i];

    if (i == n)
        put(f, i, mine);
    f[i].x += all.a;
    local_v[0] = v[i];
    local_v[0].three += v[i].four.xyz;
    v[i] = local_v[0];
    all.b ^= out[i % 16];
    w[i] = all;
}

__kernel void gather(__global const padded *h, __global int *out)
{
    padded mine = h[get_global_id(0)];

    out[get_global_id(0)] = mine.x + mine.v.y;
}
