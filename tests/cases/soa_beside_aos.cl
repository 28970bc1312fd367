// run: go structs structs n
// One buffer of either kind: hidden arguments for the rewritten one alone.
typedef struct {
    int a, b, c;
} item;

//DL: SoA: from[n][3]
//DL: AoS: to[n]
__kernel void go(__global const int *from, __global item *to, int n)
{
    int i = get_global_id(0);

    to[i].b += from[2 * n + i];
}
