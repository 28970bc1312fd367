// run: go structs structs n
// Grids with a margin, as the thesis's lattice has them: pointers moved by rows keep row and place apart.
#define W 5
#define INDEX(x, e) ((e) + W * (x))
#define MARGIN (INDEX(1, 0))
#define AT(g, dx, e) ((g)[INDEX(dx, e) + here])

void bounce(__global const float *from, __global float *to)
{
    to[INDEX(0, 1)] = from[2];
    to[INDEX(0, 2)] = *(from + 1);
    *++to = from[-1 + 1];
}

//DL: AoS: src[n][W], dst[n][W]
__kernel void go(__global const float *src, __global float *dst, int n)
{
    const int i = get_global_id(0) % max(n - 2, 1), here = INDEX(i, 0);
    __global float *cell;

    if (n < 3 || get_global_id(0) >= n - 2)
        return;
    src += MARGIN;
    dst += MARGIN;
    AT(dst, 0, 0) = AT(src, 0, 0) + AT(src, -1, 3) * 0.5f;
    AT(dst, 0, 4) = AT(src, 1, W - 1) - src[here - 2];
    cell = dst + here + W * 3 - 12;
    cell -= 2 * W;
    cell[7] = cell[W + 3] + 1.0f;
    if (i % 3)
        bounce(src + here, dst + W * i);
    for (__global float *p = dst + here + 3, *e = dst + INDEX(i + 1, 0); p != e; p++)
        *p += 0.25f;
}
