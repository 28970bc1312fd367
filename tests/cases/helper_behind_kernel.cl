// run: go structs structs n
typedef struct {
    int x, y;
    float w;
} pair;

int twice(int x);
static int sum(__global const pair *p, int by);
void push(__global pair *p, __global const pair *from);
enum { SEVEN = 7 };
constant int steps[3] = {3, 1, 2};

//DL: AoS: f[global_size(0)], g[global_size(0)]
__kernel void first(__global pair *f, __global const pair *g, int n)
{
    f[get_global_id(0)].x = sum(g, n);
}
#define SCALE(v) ((v) * SEVEN)

//DL: AoS: f[global_size(0)], g[global_size(0)]
__kernel void go(__global pair *f, __global const pair *g, int n)
{
    int i = get_global_id(0);

    push(&f[i], g + (i + 1) % n);
    f[i].x += sum(&g[i], 2);
}
int twice(int x)
{
    return x + x;
}
void push(__global pair *p, __global const pair *from)
{
    int twice = from->y;

    p->y = SCALE(twice) + sum(from, steps[twice & 1]);
    p->w *= 0.5f;
}
static int sum(__global const pair *p, int by)
{
    const int late = p->y;

    return twice(p->x) + late * by;
}
