typedef struct {
    int a;
    float b;
} cell;
#ifdef DL_TILE
#define BY 2
#else
#define BY 1
#endif

//DL: AoS: f[]
__kernel void go(__global cell *f)
{
    f[get_global_id(0)].a += BY;
}
