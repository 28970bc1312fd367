typedef struct {
    char a;
    int b __attribute__((aligned(16)));
    short c __attribute__((aligned(8)));
    char d[3];
} padded;

//DL: AoS: f[global_size(0)]
__kernel void go(__global padded *f)
{
    int i = get_global_id(0);
    padded p = f[i];

    f[i].b += p.a;
    f[i].c = p.d[i % 3];
    f[i].d[1] ^= f[i].a--;
}
// run: go structs
