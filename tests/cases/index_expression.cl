// run: go structs+4 n
typedef struct {
    int a, b, c, d, e, g;
} cell;

int pick(int i)
{
    return i;
}

//DL: AoS: f[n + 4]
__kernel void go(__global cell *f, int n)
{
    int i = get_global_id(0), j = 0;

    f[i + 2].a = 1;
    f[(i) + 2 * 2 - 4].b = f[i ^ 0].g;
    f[j++, i].b += f[pick(i) + (i ? 2 : 3)].g;
    f[i].b += j;
    (f + 2)[i].c = 5;
    (&f[1])[i + 1].d += 2;
    *(&f[i].b) += 1;
    (f)[i].e += (int)(*(f + i + 1)).g;
}
