// options: -DUSE_Y -DLEVEL=2
// run: go structs
typedef struct {
    int x, y;
} pair;

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    int i = get_global_id(0);
#if defined(USE_Y) && LEVEL >= 2 /* on */
    f[i].y += 1;
#elif LEVEL == 1
    f[i].missing += 1;
#else
    f[i].x += 1;
#endif
#ifndef USE_Y
    f[i].x += 1;
#endif
#ifdef __OPENCL_VERSION__
    f[i].x ^= 6;
#endif
}
