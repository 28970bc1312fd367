typedef struct {
    int x, y;
} pair;
#define y broken

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    pair copy = f[get_global_id(0)];

    f[0] = copy;
}
