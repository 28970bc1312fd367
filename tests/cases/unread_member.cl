// run: go structs structs words:1 n
// run: other structs
// A pointer into a buffer that is kept in a struct whose member nothing reads, as generators of random
// numbers keep their streams: it becomes null.
typedef struct {
    int g[3];
} state;
typedef struct {
    state current, initial;
} host;
struct stream {
    state current;
    __global const state *initial;
    __global const void *from;
};

int fetch(int count, struct stream *to, __global const host *from)
{
    if (!to || !from)
        return 1;
    for (int i = 0; i < count; i++) {
        to[i].current = from[i].current;
        to[i].initial = &from[i].initial;
        to[i].from = from, (to[i].from) = (&from[0]);
    }
    return 0;
}

int next(state *s)
{
    s->g[0] = s->g[1] * 3 + s->g[2];
    return s->g[0];
}

//DL: AoS: f[n], g[n]
__kernel void go(__global host *f, __global const host *g, __global int *out, int n)
{
    int i = get_global_id(0);
    struct stream s[2], copy;

    fetch(1, s, &g[i]);
    fetch(1, s + 1, f + i);
    copy = s[i & 1];
    out[i] = next(&copy.current) + next(&s[0].current);
    f[i].current = copy.current;
}

//DL: AoS: f[global_size(0)]
__kernel void other(__global host *f)
{
    int i = get_global_id(0);
    struct stream s;

    s.current = f[i].current;
    s.initial = &f[i].initial;
    f[i].initial = s.current;
}
