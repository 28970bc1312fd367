typedef struct __attribute__((packed)) {
    char c;
    int b;
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    f[get_global_id(0)].b = 1;
}
