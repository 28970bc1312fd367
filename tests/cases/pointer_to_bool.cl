// run: go structs words:1 n
// Pointers that become bool, by themselves and in a call.
typedef struct {
    float x, y;
    int h[3];
} cell;

int number(bool has, int k)
{
    return has ? k : -k;
}

bool is_there(__global const cell *f)
{
    return f;
}

//DL: AoS: f[n]
__kernel void go(__global cell *f, __global int *out, int n)
{
    int i = get_global_id(0), k = out[i] & 3;
    __global cell *p = k & 1 ? f + i : 0;
    __global int *h = k & 2 ? f[i].h + 1 : 0;
    bool has = p, has_both;

    has_both = has & (bool)h;
    if (has)
        p->x = number(h, 3);
    if (has_both)
        h[1] = is_there(p);
    f[i].y += has + 2 * has_both + 4 * is_there(0);
}
