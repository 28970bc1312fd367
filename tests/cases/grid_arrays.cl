/* Grids by pointers to arrays of constant extents: an argument's own, and variables that are set once from one, which stay
 * as they are. Elements by all their indices are places. */
#define NX 64
#define NY 32

typedef __global const float (*plane)[NX];

//DL: grid: f[nz][NY][NX], g[nz][NY][NX] as z[*] y[*] x y[1:0]
__kernel void go(__global float (*f)[NY][NX], __global const float *g, int nz)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    __global const float (*from)[NY][NX] = (__global const float (*)[NY][NX])g;
    __global float (*to)[NY][NX] = f;

    to[z][y][x] = from[z][y > 0 ? y - 1 : NY - 1][x] + from[z][y][(x + 1) % NX] + g[(z * NY + y) * NX + x];
    f[z][y][x]++;
    f[0][y][x] += from[z][y][x + 1];
}

//DL: grid: f[NY][NX], g[NY][NX] as y[*] x y[1:0]
__kernel void unsized(__global float f[][NX], __global const float *g)
{
    plane from = (plane)g;

    f[get_global_id(1)][get_global_id(0)] = from[get_global_id(1)][get_global_id(0)];
}
