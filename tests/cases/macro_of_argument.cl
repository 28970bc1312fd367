// Macros for names of arguments, and with names that generated text begins with.
// options: -DW=3 -DN=n
// run: go structs~6 structs~15 words:4 n
#define f in
#define g(x) out##x
#define dl(x) x
#define restrict
#define inline static
//DL: AoS: in[N][W], half_[][W + 2]
__kernel void go(__global const float *restrict f, __global float4 *half_, __global int *out, int n)
{
    int i = get_global_id(0);

    out[4 * i] = f[W * i + 1] > f[i * W] ? dl(f)[0] > 0 : dl(in[W * i + dl(2)]) > 0;
    half_[5 * i + 1].xz += half_[5 * i].s12;
    g( )[4 * i + 1] = half_[5 * i + 2].x > 0;
}
