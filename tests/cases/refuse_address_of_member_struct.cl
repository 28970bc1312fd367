typedef struct {
    struct inner {
        float x, y;
    } in;
} cell;

float sum(__global struct inner *p) { return p->x + p->y; }

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    f[0].in.x = sum(&f[get_global_id(0)].in);
}
