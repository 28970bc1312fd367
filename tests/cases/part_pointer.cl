// run: go structs structs n
typedef struct {
    float x, y, z;
} vec;
typedef struct {
    int id;
    vec pos, vel;
    vec corners[3];
    struct {
        vec at;
        short kind;
    } seen[2];
} body;

//DL: AoS: f[n], g[n]
__kernel void go(__global body *f, __global const body *g, int n)
{
    int i = get_global_id(0);
    __global vec *v = &f[i].vel, *w = &(f + i)->pos;
    __global const vec *from = &g[n - 1 - i].seen[i & 1].at;
    vec whole;

    v->x += 1.0f;
    (*v).y = from->y * 2.0f;
    v[0].z -= w->z;
    w = i & 1 ? &f[i].pos : v;
    w->x += from->x;
    *w = *from;
    whole = *&g[i].pos;
    if (w != &f[i].vel)
        *v = whole;
    from = i % 3 ? &g[i].pos : from;
    f[i].corners[1] = *from;
}
