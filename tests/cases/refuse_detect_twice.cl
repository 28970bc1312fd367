// detect: on
// options: -cl-std=CL2.0
/* Kernels that can't be run once more to be compared: one that waits for others, one that changes an
 * image. */
typedef struct {
    int x, y;
} pair;

__kernel void waits(__global pair *f, __global volatile int *flag)
{
    while (!*flag)
        ;
    f[get_global_id(0)].x = f[get_global_id(0)].y;
}

__kernel void draws(__global pair *f, write_only image2d_t to)
{
    int i = get_global_id(0);

    write_imagei(to, (int2)(i, f[i].x), (int4)(f[i].y));
}
