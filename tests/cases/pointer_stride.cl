// run: go structs structs n
typedef struct {
    int x, y, z;
} triple;

//DL: AoS: f[n], out[n]
__kernel void go(__global const triple *f, __global triple *out, int n)
{
    int i = get_global_id(0), left = (n - i + 2) / 3;
    __global const triple *p = f;
    int sum = 0;

    p += i;
    for (; left > 0; left--) {
        sum += p->x ^ p[0].y;
        p += 3;
    }
    p -= 3;
    out[i].z = sum + p->z + (p - 0)->x;
}
