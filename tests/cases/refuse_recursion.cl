typedef struct {
    int x, y;
} pair;

int sum(__global pair *p, int k) { return k ? p->x + sum(p + 1, k - 1) : 0; }

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    f[0].x = sum(f, 1);
}
