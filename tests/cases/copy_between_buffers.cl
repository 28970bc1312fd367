typedef struct {
    short2 at;
    struct part {
        int k;
        float w[2];
    } parts[3];
} whole;
struct part first_of(__global const whole *g, int i)
{
    return g[i].parts[0];
}
whole moved(__global const whole *g, int i, int by)
{
    whole w = g[i];

    w.at.x += by;
    return w;
}

//DL: AoS: to[n], from[n], parts[n]
__kernel void go(__global whole *to, __global const whole *from, __global struct part *parts, int n)
{
    int i = get_global_id(0), j = n - 1 - i;
    __global whole *p = to + i;
    __global const whole *q = &from[j];

    to[i] = from[j];
    p->parts[1] = q->parts[2];
    parts[i] = q[0].parts[i % 3];
    parts[i] = first_of(from, i);
    *(parts + i) = moved(from, i, 3).parts[1];
    if (i & 1)
        *p = *q;
    else if (i & 2)
        to[i] = moved(&from[i], 0, i);
}
// run: go structs structs structs n
