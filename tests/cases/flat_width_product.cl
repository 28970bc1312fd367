// run: go structs structs n w int:3
//DL: AoS: in[n][ny * nz], out[n][2 * ny]
__kernel void go(__global const int *in, __global int *out, int n, int ny, int nz)
{
    int x = get_global_id(0);
    const int plane = ny * nz, line = 2 * ny;

    for (int y = 0; y < ny; y++)
        for (int z = 0; z < nz; z++)
            out[2 * ny * x + y] += in[x * ny * nz + y * nz + z] - in[(x * ny + y) * nz + z];
    out[x * 2 * ny] += in[nz * x * ny];
    out[line * x + 1] += in[x * plane + plane - 1] ^ in[(n - 1 - x) * (nz * ny)];
    out[x * ny * 4 - x * line] -= in[x * (plane) + 2];
    out[x * line] += in[6 * nz * ny * 0 + x * plane];
}
