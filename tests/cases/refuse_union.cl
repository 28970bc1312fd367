typedef struct {
    union {
        int i;
        float f;
    } u;
    int k;
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    f[get_global_id(0)].u.i = 1;
}
