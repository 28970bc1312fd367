// run: go structs n
typedef struct {
    float x, y;
} point;
typedef struct {
    uchar used;
    point points[4];
} shape;

float length_of(__global const point *p, int count)
{
    float s = 0.0f;

    for (int k = 0; k < count; k++, p++)
        s += p->x * p->y + p[k & 1 ? 0 : 1].x;
    return s;
}

//DL: AoS: f[n]
__kernel void go(__global shape *f, int n)
{
    int i = get_global_id(0);
    __global point *p = f[i].points, *end = p + 4;

    for (; p != end; ++p)
        p->x += 1.0f;
    f[i].points[3].y = length_of(f[i].points, 3);
    p = f[i].points + 1;
    p[1] = p[-1];
    p += f[i].used & 1;
    p->y = (float)(end - p);
}
