typedef struct {
    int x, y;
} pair;

//DL: AoS: f[n][3]
__kernel void go(__global pair *f, int n)
{
    f[3 * get_global_id(0)].x = 1;
}
