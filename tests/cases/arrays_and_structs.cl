// run: gather structs structs n long:9
// Arrays beside structs: under one tile the structs alone are moved. Vectors are elements, too.
typedef struct {
    float4 at;
    float weight;
} body;

//DL: AoS: bodies[n]
//DL: SoA: f[n][3] to ASTA;
__kernel void gather(__global body *bodies, __global float4 *f, const int n, const long seed)
{
    const int i = get_global_id(0);

    f[2 * n + i] = f[i] * bodies[i].weight + bodies[i].at;
    bodies[i].at = f[n + i].wzyx;
    f[i].y = seed;
}
