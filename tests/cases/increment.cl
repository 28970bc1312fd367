// run: go structs
typedef struct {
    int a, b;
    float c;
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    int i = get_global_id(0), before;

    before = f[i].a++;
    ++f[i].b;
    f[i].c--;
    f[i].b += before - --f[i].a;
}
