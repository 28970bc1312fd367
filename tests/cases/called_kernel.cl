// optimised: else PoCL 3.1 leaves out the work-group's number where a kernel is called by a kernel
// run: add structs structs n
// run: twice structs
// run: outer structs words:2 n
// Kernels that others call, before and behind them, are rewritten for both: callers that stay as they are,
// and what is not followed, use them as written.
typedef struct {
    int x, y;
} pair;

__kernel void add(__global pair *f, __global const pair *g, int by); kernel void twice(__global pair *f);
#define CALL(name, ...) name(__VA_ARGS__)

__kernel void plain(__global pair *f)
{
    CALL(add, f, f, (int){1});
}

//DL: AoS: f[global_size(0)]
kernel void twice(__global pair *f)
{
    add(f, f, 1);
    add(f + 0, f, 2);
}

//DL: AoS: f[n], g[n]
__attribute__((reqd_work_group_size(1, 1, 1))) __kernel __attribute__((work_group_size_hint(1, 1, 1),
                                                                     vec_type_hint(int)))
void add(__global pair *f, __global const pair *g, int n)
{
    int i = get_global_id(0);

    f[i].x += g[i].y + n;
}

__kernel void add(__global pair *f, __global const pair *g, int by);

//DL: AoS: f[n]
__kernel void outer(__global pair *f, __global pair *g, int n)
{
    add(g, g, n);
    twice(f);
    add(f, g, n);
    f[get_global_id(0)].y ^= g[get_global_id(0)].x;
}
