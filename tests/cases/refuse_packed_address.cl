typedef struct __attribute__((packed)) {
    char c;
    int n;
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    atomic_add(&f[get_global_id(0)].n, 1);
}
