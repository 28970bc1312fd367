typedef struct {
    union {
        double16 d[2];
        char bytes[256];
    } u;
    int k;
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    f[get_global_id(0)].u.bytes[7] = 1;
}
