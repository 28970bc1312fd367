// detect: on
// run: look structs structs words:1 n
/* A table in constant memory, by an index that is read; and a helper. */
typedef struct {
    int x;
    short low, high;
} entry;

int weigh(__global const entry *e)
{
    return e->low * 3 - e->high;
}

__kernel void look(__constant entry *table, __global const entry *f, __global int *out, int n)
{
    int i = get_global_id(0);

    out[i] = table[(f[i].x & 7) % n].low + weigh(&f[i]) + table[i].x;
}
