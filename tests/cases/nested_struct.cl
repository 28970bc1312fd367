// run: go structs
typedef struct {
    int a;
    struct inner {
        float x;
        struct {
            short s;
            char c;
        } deep;
    } in;
} outer;

//DL: AoS: f[global_size(0)]
__kernel void go(__global outer *f)
{
    int i = get_global_id(0);
    __global outer *p = &f[i];
    struct inner copy = f[i].in;

    copy.x += 1.0f;
    p->in.deep.s = (short)(p->a + p->in.deep.c);
    f[i].in.deep.c++;
    copy.deep.s = f[i].in.deep.s;
    copy.deep.c = f[i].in.deep.c;
    f[i].in = copy;
}
