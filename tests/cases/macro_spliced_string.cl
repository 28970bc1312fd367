// run: go structs n
typedef struct {
    int x, y;
} pair;
#define SHOW(v) printf("the value \
is %d\n", v)

//DL: AoS: f[n]
__kernel void go(__global pair *f, int n)
{
    int i = get_global_id(0);

    if (n < 0)
        SHOW(f[i].x);
    f[i].y += f[i].x;
}
