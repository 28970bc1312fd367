// run: go structs n
typedef struct {
    float f[6];
    uchar tag[4];
} site;

//DL: AoS: s[n]
__kernel void go(__global site *s, int n)
{
    int i = get_global_id(0);

    for (int k = 0; k < 6; k++)
        s[i].f[k] += s[i].f[(k + n) % 6] * 0.25f;
    s[i].tag[i & 3] = s[i].tag[(i + 1) & 3] + 1;
}
