// detect: on
// run: by_hand structs words:2 n
/* What is annotated stays as it is annotated: its other buffers are not looked for. */
typedef struct {
    int x, y;
} pair;

//DL: AoS: f[n]
__kernel void by_hand(__global pair *f, __global pair *other, int n)
{
    int i = get_global_id(0);

    f[i].x += other[i].y;
}

__kernel void found(__global pair *f, __global const pair *g)
{
    int i = get_global_id(0);

    f[i].x = g[i].y;
}
