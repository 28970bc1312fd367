// run: go structs
typedef struct {
    float x, y;
    int k;
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    int i = get_global_id(0);

    f[i] = (cell){f[i].y, f[i].x, i};
}
