// run: go structs
typedef struct {
    float f[5];
    int flags;
} site;

//DL: AoS: s[global_size(0)]
__kernel void go(__global site *s)
{
    int i = get_global_id(0);
    float sum = s[i].f[0] + s[i].f[1] + s[i].f[2] + s[i].f[3] + s[i].f[4];

    s[i].f[0] = sum;
    s[i].f[4] -= s[i].f[3];
}
