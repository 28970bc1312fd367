// run: go structs structs n
typedef struct {
    float x, y, z;
} vec;
typedef struct {
    double mass;
    vec pos, vel;
    vec at[2];
} body;

float dot_of(__global const vec *a, __global const vec *b)
{
    return a->x * b->x + a->y * b->y + a->z * b->z;
}

void put(__global vec *v, float a)
{
    v->x = a;
    v->y -= a;
    (*v).z = v[0].x + a;
}

void both(__global body *p, __global const vec *from)
{
    put(&p->pos, from->x);
    put(&p->vel, p->mass);
    put(&p->at[1], dot_of(&p->pos, from));
}

//DL: AoS: f[n], g[n]
__kernel void go(__global body *f, __global const body *g, int n)
{
    int i = get_global_id(0);

    both(f + i, &g[i].vel);
    both(&f[i], &g[n - 1 - i].at[i & 1]);
    f[i].mass = dot_of(&f[i].pos, &g[i].at[0]);
}
