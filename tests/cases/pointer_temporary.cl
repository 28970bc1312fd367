// run: advance structs n
struct particle {
    float x, v;
    int id;
};

//DL: AoS: p[n]
__kernel void advance(__global struct particle *p, int n)
{
    int i = get_global_id(0);
    __global struct particle *q = &p[i], *r = p + i;

    q->x += r->v * 0.5f;
    (*r).id = (q - p) + (int)(r == q);
}
