// run: go structs structs structs
typedef struct {
    int x, y;
} pair;
typedef struct {
    float a, b, c;
} triple;

//  DL: AoS: f[global_size(0)], h[ global_size(0) ]
/* a comment between */
//DL: AoS: g[]

__kernel void go(__global pair *f, __global triple *g,
                 __global pair *h)
{
    int i = get_global_id(0);

    f[i].x = h[i].y;
    g[i].c = g[i].a;
}
