// run: go structs+4 n
typedef struct {
    int a, b;
} cell;

int pick(int i) { return i; }

//DL: AoS: f[n + 4]
__kernel void go(__global cell *f, int n)
{
    int i = get_global_id(0), j = 0;

    f[i + 2].a = 1;
    f[(i) + 2 * 2 - 4].b = f[i ^ 0].a;
    f[j++, i].b += f[pick(i) + (i ? 2 : 3)].a;
    f[i].b += j;
    (f + 2)[i].b = 5;
    (&f[1])[i + 1].b += 2;
    *(&f[i].b) += 1;
    (f)[i].b += (int)(*(f + i + 1)).a;
}
