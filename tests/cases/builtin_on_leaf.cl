// run: go structs
typedef struct {
    float whole, part;
    int e;
} split;

//DL: AoS: f[global_size(0)]
__kernel void go(__global split *f)
{
    int i = get_global_id(0);
    float x = f[i].part + 0.5f;

    f[i].part = fract(x, &f[i].whole);
    f[i].whole += frexp(x, &f[i].e);
}
