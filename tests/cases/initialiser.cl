// run: go structs
typedef struct {
    float x[2];
    int k;
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    int i = get_global_id(0);
    cell a = {{f[i].x[1], f[i].x[0]}, f[i].k};
    cell b = {.k = f[i].k + 1, .x = {1.0f, f[i].x[0]}};
    float v[3] = {f[i].x[0], a.x[0], b.x[1]};
    float2 w = (float2)(f[i].x[0], f[i].x[1]);

    f[i] = a;
    f[i].k += b.k + (int)v[2];
    f[i].x[0] += w.y;
}
