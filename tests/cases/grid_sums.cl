/* What is read of an index of a grid and of its extents, form by form, and what is not: such an index is divided. */
typedef struct {
    int a, b;
} cell;

int far(int x, char y, int w)
{
    return x + w * y;
}

short narrow(int x, int y, int w)
{
    return x + w * y;
}

int wrapped(int x, int y, int w)
{
    return x % w + w * y;
}

int chosen(int x, int y, int w)
{
    return x > 0 ? x - 1 + w * y : w * y;
}

//DL: grid: f[nz][ny - 1][3 + 2 * nx], g[nz][ny - 1][3 + 2 * nx] as z[*] i1[*] k[*] i1[1:0] k[2:0]
__kernel void extents(__global float *f, __global const float *g, int nx, int ny, int nz)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    const int w = 2 * nx + 3, h = ny - 1, slice = z * h * w;

    f[x + w * y + slice] = g[x + y * w] + g[z * (ny - 1) * (2 * nx + 3) + x] + g[(ny * z - z) * w + w * 2 - 1];
    f[x + nx * y] += g[x + 6 * nx + 9];
}

//DL: grid: f[nz][ny][nx], g[nz][ny][nx] as z[*] y[*] x[*] y[1:0] x[2:0]
__kernel void sums(__global float *f, __global const float *g, int nx, int ny, int nz)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    const int i = (z * ny + y) * nx + x;
    __global float *to = &f[i];
    __global const float *from = g + i - nx;

    *to = from[nx] + *(from + x - 1) + (&from[-x])[1] + *(to - nx * ny);
    f[x + nx * y] = g[(x > 1 ? y : z) * nx + x] + g[nx * (x > 1 ? y : z) + x] + g[(x > 1 ? 2 * nx : 3 * nx) + x];
    f[i] = g[(x > 1 ? y : 0) * (y > 1 ? nx : 0)] + g[x > 1 ? y > 1 ? i : 0 : i - 1] + g[(x > 1 ? -1 : 1) + (y > 2 ? nx : 0) + i];
    f[i] += g[~x + nx * y] + g[!x + nx * y] + g[-x - nx * -y] + g[(uchar)(x + 1) + nx * y] + g[(int)(x * 1.5f) + nx * y];
    f[i] += g[x * 65536 * 65536 + nx * y] + g[(x + 65536 * 32767) * 2 + 65536 * 32767 * 2 + nx * y];
    f[i] += g[(x > 1 ? y : 0) * (y > 1 ? nx : 0) + i] + g[(x > 1 ? y > 1 ? nx : 0 : 1) + i] + g[x * x * x * x * x * x * x * x * x + i];
    f[i] += g[nx * y - 1] + g[nx * y - nx - 1] + *(to - nx);
    f[i] += g[far(x, y, nx)] + g[narrow(x, y, nx)] + g[wrapped(x, y, nx)] + g[chosen(x, y, nx)];
}

//DL: grid: f[ny][nx], g[ny][nx] as y[*] x[*] y[1:0] x[2:0]
__kernel void changed(__global float *f, __global const float *g, int nx, int ny)
{
    const int x = get_global_id(0), y = get_global_id(1);

    f[x + nx * y] = g[x + nx * y];
    nx++;
}

//DL: grid: f[ny][nx], g[ny][nx] as y[*] x[*] y[1:0] x[2:0]
__kernel void moved(__global float *f, __global const float *g, int nx, int ny)
{
    const int x = get_global_id(0), y = get_global_id(1);
    volatile int v = y;

    g += nx;
    f[x + nx * y] = g[x + nx * y] + f[x + nx * v];
}

//DL: grid: f[n.y][n.x], g[n.y][n.x] as i0[*] k[*] i0[1:0] k[2:0]
__kernel void of_vector(__global float *f, __global const float *g, int2 n)
{
    const int x = get_global_id(0), y = get_global_id(1);

    f[x + n.x * y] = g[x + n.x * y];
}

//DL: grid: f[ny][nx], g[ny][nx] as y[*] x[*] y[1:0] x[2:0]
__kernel void far_pointers(__global cell *f, __global cell *g, int nx, int ny)
{
    const int x = get_global_id(0), y = get_global_id(1);
    __global cell *either = x > 3 ? f : g;

    either[x + nx * y].a = f[x + nx * y].b;
}

//DL: grid: f[16][32], g[16][32] as i0[*] k[*] i0[1:0] k[2:0]
__kernel void arrays(__global float (*f)[32], __global const float (*g)[32])
{
    const int x = get_global_id(0);

    f[0][x] = g[x / 32][x % 32] + g[1][x - 32];
}

//DL: grid: f[64][32], g[64][32] as i0[*] k[*] i0[1:0] k[2:0]
__kernel void numbers(__global float *f, __global const float *g)
{
    const int x = get_global_id(0), y = get_global_id(1);

    f[y * 32 + (x > 1 ? 0 : x)] = g[(y > 1 ? 64 : 32) + x] + g[y * 96 - x] + g[y * 32 + (x > 2 ? 63 : 31)] + g[x * 3 + 31];
    f[y * 32 + (x > 1 ? 5 : x) + 31] = g[(y > 1 ? 63 : 31) + x];
}

//DL: grid: f[ny][nx - nx], g[ny][nx - nx] as y[*] k[*] y[1:0] k[2:0]
__kernel void nothing(__global float *f, __global const float *g, int nx, int ny)
{
    f[get_global_id(0)] = g[ny];
}

float beside(__global const float *f, int x, int y, int nx)
{
    f += nx;
    return f[x + nx * y];
}

//DL: grid: f[ny][nx], g[ny][nx] as y[*] x[*] y[1:0] x[2:0]
__kernel void helped(__global float *f, __global const float *g, int nx, int ny)
{
    f[get_global_id(0)] = beside(g, get_global_id(0), 1, nx);
}

int next(int *state)
{
    return *state += 1;
}

struct ids {
    volatile int x;
    int y;
};

/* What would be computed twice, if it were repeated, or is no plain value. */
//DL: grid: f[ny][nx], g[ny][nx] as y[*] x[*] y[1:0] x[2:0]
__kernel void not_twice(__global float *f, __global const float *g, int nx, int ny)
{
    const int x = get_global_id(0), y = get_global_id(1);
    int state = x, q = x, list[2] = {x, y}, *p = list;
    struct ids id = {x, y}, *at = &id;

    f[x + nx * y] = g[next(&state) + nx * y] + g[q++ + nx * y] + g[--q + nx * y] + g[(q = x) + nx * y] + g[(q += 1) + nx * y];
    f[x + nx * y] += g[*p + nx * y] + g[list[0] + nx * y] + g[at->y + nx * y] + g[id.x + nx * y] + g[id.y + nx * y];
    {
        const int r = q, i = x + nx * r;
        int last = y;
        {
            const int k = x + nx * last;

            f[i] += g[k];
        }
        last++;
    }
}
