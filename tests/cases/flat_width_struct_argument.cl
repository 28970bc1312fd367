// run: go structs structs ints:n,w,3
typedef struct {
    int n;
    int width[2];
} shape;

//DL: AoS: in[s.n][s.width[0]], out[s.n][s.width[0]]
__kernel void go(__global const int *in, __global int *out, shape s)
{
    int i = get_global_id(0), whole = s.width[0];

    for (int j = 0; j < s.width[0]; j++)
        out[i * whole + j] = in[i * s.width[0] + j] + s.width[1] * j;
    s.width[0] = 1;
    out[i * whole] -= in[i * s.width[0]];
}
