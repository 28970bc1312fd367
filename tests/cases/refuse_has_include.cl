#if defined(__has_include) && __has_include("step.h")
#define STEP 2
#else
#define STEP 1
#endif
typedef struct {
    int a;
    float b;
} cell;

//DL: AoS: f[]
__kernel void go(__global cell *f)
{
    f[get_global_id(0)].a += STEP;
}
