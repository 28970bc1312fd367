// detect: on
// run: go structs n
// Index functions that only macros name, one of them glued together: they are read as if the kernel named them.
#define AT(i, k) at(i, k)
#define GLUE(a, b) a##b
#define NEXT GLUE(next, _at)
ulong at(const uint i, const uint k)
{
    return (ulong)i * 19 + k;
}

ulong next_at(const uint i, const uint k)
{
    return ((ulong)i + 1) * 19 + k;
}

__kernel void go(__global float *f, int n)
{
    const int i = get_global_id(0);

    if (i + 1 < n && i % 2 == 0)
        f[AT(i, 3)] += f[NEXT(i, 4)];
}
