// run: go structs structs structs structs n
enum sizes { FEW = 2, MANY = FEW * 2 };
typedef enum { LATE = 3 } late;
__constant int rows = 5;
#define WIDTH 2
typedef struct {
    float x, y;
    int n;
} cell;
struct tagged {
    cell c[2];
    long k;
};

//DL: AoS: f[get_global_size(0) > 0 ? get_global_size(0) : 1], g[n][MANY * WIDTH], h[n][sizeof(cell) / sizeof(float) + (sizeof(unsigned int) == 4 && rows != 0)], t[n * rows / 5 * LATE / LATE],
__kernel void go(__global cell *f, __global float *g, __global float *h, __global struct tagged *t, int n)
{
    int i = get_global_id(0);

    f[i].n += f[i].x > 0.0f;
    g[i * 8 + MANY] += g[i * 8];
    h[i * 4 + 3] = h[i * 4 + 1] + f[i].y;
    t[i].c[1].n += (int)t[i].k;
}
