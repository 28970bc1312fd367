// each turn: other cases have no such elements
// run: edges structs=33~4 structs=33~4 words:1
// Elements of 16 bits in arrays of a constant length, two beyond each end of an array and two behind the last.
//DL: SoA: f[33][5], g[33][5] to ASTA
__kernel void edges(__global const ushort *f, __global ushort *g, __global uint *out)
{
    const int i = get_global_id(0);
    uint sum = 0;

    for (int k = 0; k < 5; k++)
        for (int n = k ? -2 : 0; n < 35; n++)
            sum = sum * 31u + f[33 * k + n];
    out[i] = sum;
    g[i + 106] = f[i + 106];
}
