// run: go structs
typedef struct {
    int tag;
    struct {
        float x, y;
    };
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    int i = get_global_id(0);

    f[i].x += 1.0f;
    f[i].y = f[i].x;
    f[i].tag++;
}
