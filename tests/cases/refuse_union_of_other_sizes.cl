typedef struct {
    union {
        double d;
        int i[2];
    } u;
    int k;
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    f[get_global_id(0)].u.i[0] = 1;
}
