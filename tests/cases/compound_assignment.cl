// run: go structs structs
typedef struct {
    float x, y;
    int n;
    uint m;
} cell;

//DL: AoS: f[global_size(0)], g[global_size(0)]
__kernel void go(__global cell *f, __global cell *g)
{
    int i = get_global_id(0);

    f[i].x += 1.5f;
    f[i].y -= f[i].x;
    f[i].x *= g[i].y;
    f[i].y /= 3.0f;
    f[i].n %= 7;
    f[i].m <<= 2, f[i].m >>= 1;
    g[i].m &= 0xff00ffu;
    g[i].m |= f[i].m;
    g[i].n ^= f[i].n += 5;
}
