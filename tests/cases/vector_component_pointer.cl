// run: go structs structs n
// Components of vectors through pointers to them.
typedef struct {
    float a;
    float4 v;
    int2 w[3];
} cell;

void add(__global float4 *v, float d)
{
    v->x += d;
}

int2 turned(__global const int2 *w)
{
    return (int2)(w->y, w[1].x);
}

//DL: AoS: f[n], r[n][2]
__kernel void go(__global cell *f, __global float4 *r, int n)
{
    int i = get_global_id(0);
    __global float4 *v = &f[i].v, *late = 0;
    __global float4 *row = r + i * 2;
    __global int2 *w = f[i].w + 1;

    v->yw += v->x;
    *v = v->yxwz;
    late = v;
    if (late->x > 0)
        late->z = 0;
    add(late, 1.0f);
    (&f[i].v)->x += f[i].a;
    w->x = f[i].w->s1;
    w->y++;
    w[1] = turned(f[i].w);
    if (row->x < row[1].x)
        row->y = 3;
}
