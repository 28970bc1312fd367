// run: go structs
typedef struct {
    float x, y;
} pair;

float norm(pair p) { return p.x * p.x + p.y * p.y; }
pair scaled(pair p, float s)
{
    p.x *= s;
    p.y *= s;
    return p;
}

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    int i = get_global_id(0);

    f[i] = scaled(f[i], 2.0f);
    f[i].x = norm(f[i]);
    f[i].y = scaled(f[i], 0.5f).y;
}
