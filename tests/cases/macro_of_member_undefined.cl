// run: go structs structs
// A macro of a member's name is undefined before the kernel, and defined again behind it; one that stands for
// its own name changes nothing.
#define __global __global
#define pair pair
#define x x
typedef struct {
    int x, y;
} pair;
#define y p->x

int twice(pair *p)
{
    return 2 * y;
}
#undef y
#define halved broken
#define mix(a, b) a = 3 * (a) + (b)

int half_of(__global pair *p)
{
#undef halved
    int halved = p->x / 2;

    return halved;
}

//DL: AoS: f[global_size(0)], g[global_size(0)]
__kernel void go(__global pair *f, __global pair *g)
{
    size_t i = get_global_id(0);
    pair copy = f[i];

    copy.x += twice(&copy);
    copy.y ^= half_of(&g[i]);
    mix(copy.y, f[i].x);
    f[i] = copy;
}
#define y broken
#define halved broken
