typedef struct {
    int x, y;
} pair;

//DL: AoS: f[a.z]
__kernel void go(__global pair *f, pair a)
{
    f[get_global_id(0)] = a;
}
