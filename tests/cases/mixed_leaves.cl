// run: go structs
typedef struct {
    char c;
    double d;
    short s;
    uchar3 rgb;
    int i;
    uchar tail;
} mixed;

//DL: AoS: f[global_size(0)]
__kernel void go(__global mixed *f)
{
    int i = get_global_id(0);

    f[i].c += f[i].s;
    f[i].d += f[i].i;
    f[i].rgb = f[i].rgb.zyx;
    f[i].tail ^= f[i].c;
}
