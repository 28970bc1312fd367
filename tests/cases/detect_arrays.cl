// detect: on
// run: update arrays:6 words:4 words:6 n
// Arrays that one kernel is sure of are arrays in another, which uses one of them or goes from each to the
// next; a matrix whose columns are gone down stays as it is, and so does what has a length taken away.
float sum_of(__global const float *from, int i, int length)
{
    float all = 0.0f;

    for (int k = 1; k < 4; k++)
        all += from[i + k * length];
    return all;
}

__kernel void update(__global float *f, __global const float *matrix, __global float *line,
                   const int n)
{
    const int i = get_global_id(0);
    float all = 0.0f;
    f[5 * n + i] = f[i] - sum_of(f, i, n);
    __global const float *p = matrix + i;
    for (int row = 1; row < 5; row++, p += n)
        all += *p + line[row * n + i - n];
    line[2 * n + i] = all;
}

__kernel void first(__global float *f, const int n)
{
    const int y = get_global_id(0);

    f[0 * n + y * 4 + 8] = 1.0f;
}

__kernel void through(__global const float *f, const int n, __global float *out)
{
    const int i = get_global_id(0);
    __global const float *p = f + i;

    out[i] = *p;
    p += n;
    out[i] += *p;
}

__kernel void cells(__global float *f, const int nx, const int ny)
{
    const int count = nx * ny, x = get_global_id(0);

    for (int y = 0; y < ny; y++)
        f[3 * count + y * nx + x] = f[y * nx + x] + f[x + count];
}
