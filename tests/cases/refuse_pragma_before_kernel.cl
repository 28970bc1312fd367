typedef struct {
    float a, b;
} cell;

float sum(__global cell *p) { return p->a + p->b; }
#pragma clang fp reassociate(on)

//DL: AoS: f[]
__kernel void go(__global cell *f)
{
    f[get_global_id(0)].a += sum(f);
}
