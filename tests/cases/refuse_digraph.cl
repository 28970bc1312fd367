%:define STEP 1
typedef struct {
    int a;
    float b;
} cell;

//DL: AoS: f[]
__kernel void go(__global cell *f)
{
    f[get_global_id(0)].a += STEP;
}
