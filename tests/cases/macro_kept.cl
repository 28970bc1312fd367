// options: -DSCALE=3.0f
// run: go structs
#define OFFSET (2)
#define SQUARE(x) ((x) * (x))
typedef struct {
    float x, y;
} pair;

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    int i = get_global_id(0);

    f[i].x = SCALE + OFFSET;
    f[i].y = SQUARE(SCALE) + SQUARE(f[i].x);
    barrier(CLK_LOCAL_MEM_FENCE);
}
