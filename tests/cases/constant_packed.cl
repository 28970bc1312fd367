typedef struct __attribute__((packed)) {
    uchar tag;
    int v;
    short s[2];
} item;

//DL: AoS: c[n]
__kernel void go(__constant item *c, __global int *out, int n)
{
    int i = get_global_id(0);
    item whole = c[n - 1 - i];

    out[i] = c[i].v + c[i].s[i & 1] * c[i].tag + whole.v - whole.s[1];
}
// run: go structs words:1 n
