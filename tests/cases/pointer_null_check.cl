// run: go structs
typedef struct {
    int x, y;
} pair;

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    if (!f || f == NULL)
        return;
    if (f && f != 0)
        f[get_global_id(0)].x = f ? 3 : 4;
}
