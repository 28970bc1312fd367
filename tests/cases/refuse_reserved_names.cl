typedef struct {
    int x, y;
} pair;

int dl_rest(int x) { return x; }

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    f[get_global_id(0)].x = dl_rest(1);
}
