// run: go structs ints:1,n,1,0
typedef struct {
    int x, y;
} pair;
typedef struct {
    int border;
    struct {
        int nx, ny;
    } size;
    int spare[1];
} params;

//DL: AoS: f[p.size.nx * p.size.ny + p.spare[0] * p.border]
__kernel void go(__global pair *f, params p)
{
    int i = get_global_id(0);

    f[i].x = p.size.nx + p.border;
    f[i].y ^= p.size.ny;
}
