// run: go structs n
typedef struct {
    int x, y;
} pair;

//DL: AoS: f[n]
__kernel void go(__global pair *f, int n)
{
    int i = get_global_id(0), k = 0;

    switch (f[i].x & 3) {
    case 0:
        f[i].y = 1;
        break;
    case 1: {
        f[i].y = 2;
    }
    default:
        f[i].x++;
    }
    do
        f[i].y += 3;
    while (++k < (f[i].x & 7));
    while (k > 0 && f[i].y > 0)
        k--, f[i].y >>= 1;
    for (k = f[i].x & 3; k; --k)
        ;
    if (f[i].y)
        f[i].x = 0;
    else if (f[i].x)
        f[i].y = 9;
    if (n < 0)
        return;
}
