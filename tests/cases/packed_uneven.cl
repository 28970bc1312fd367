// run: go structs
struct uneven {
    short a;
    uchar b;
} __attribute__((packed));

//DL: AoS: f[global_size(0)]
__kernel void go(__global struct uneven *f)
{
    int i = get_global_id(0);

    f[i].a = as_short((ushort)(f[i].a ^ f[i].b));
    f[i].b--;
}
