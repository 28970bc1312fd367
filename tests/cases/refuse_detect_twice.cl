// detect: on
/* Kernels that can't be run once more to be compared: one that waits for others, and any beside one
 * that is heard. */
typedef struct {
    int x, y;
} pair;

__kernel void waits(__global pair *f, __global volatile int *flag)
{
    while (!*flag)
        ;
    f[get_global_id(0)].x = f[get_global_id(0)].y;
}
