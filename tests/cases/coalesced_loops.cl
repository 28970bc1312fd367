// run: go structs structs n
/* Structs in loops stay as they are, each with a remark: not all work-items of a group need to come to each round. */
typedef struct {
    float4 a, b, c, d;
} cell;

//DL: AoS: f[n], g[n]
__kernel void go(__global const cell *f, __global cell *g, int n)
{
    const int i = get_global_id(0);
    float4 sum = 0;

    for (int k = 0; k < 4; k++) {
        cell c = f[(i * 5 + k) % n];

        sum += c.a * c.b + c.c * c.d;
    }
    for (int j = i; j < n; j += get_global_size(0)) {
        g[j].a = f[j].a + f[j].b + f[j].c + f[j].d;
        g[j].b = sum;
    }
}
