// A member that stands for a buffer, asked for being null, whose struct is found by what a buffer holds.
typedef struct {
    int x, y;
} cell;
struct ctx {
    __global cell *cells;
    int n;
};

//DL: AoS: f[n]
__kernel void go(__global cell *f, __global int *out, int n)
{
    int i = get_global_id(0), k = 0;
    struct ctx c[2] = {{f, n}, {.n = n, .cells = f}};

    if (c[f[i].x & 1].cells)
        k = c[0].cells[i].y;
    if (c[f[i].y & 1].cells != 0)
        k += c[1].cells[n - 1 - i].x;
    out[i] = k;
}
// run: go structs words:1 n
