#define else(x) else
typedef struct {
    int a;
    float b;
} cell;

//DL: AoS: f[]
__kernel void go(__global cell *f)
{
    int i = get_global_id(0);

    if (i)
        f[i].b = 1;
    else f[i].a += 1;
}
