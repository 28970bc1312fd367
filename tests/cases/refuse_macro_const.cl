#define const
typedef struct {
    int a;
    float b;
} cell;

//DL: AoS: f[]
kernel void go(global cell *f)
{
    f[get_global_id(0)].a += 1;
}
