// run: go structs structs n
typedef struct {
    int x, y;
} pair;

int total(__global const pair *p, int count)
{
    __global const pair *end = p + count;
    int sum = 0;

    while (p < end) {
        sum += p->x;
        p++;
    }
    return sum;
}

//DL: AoS: f[n], out[n]
__kernel void go(__global const pair *f, __global pair *out, int n)
{
    int i = get_global_id(0);

    out[i].y = total(f + i, n - i);
}
