// detect: on
// options: -cl-std=CL1.1
// run: look structs structs words:1
/* Tables in constant memory, by an index that is read; and a helper for both address spaces. */
typedef struct {
    int x;
    short low, high;
} entry;

int weigh(__global const entry *e)
{
    return e->low * 3 - e->high;
}

__kernel void look(__constant entry *table, __global const entry *f, __global int *out)
{
    int i = get_global_id(0);

    out[i] = table[f[i].x & 0].low + weigh(&f[i]) + table[i].x;
}
