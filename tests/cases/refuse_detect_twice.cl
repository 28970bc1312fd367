// detect: on
// options: -cl-std=CL2.0
/* Kernels that can't be run once more to be compared: one that waits for others, one that
 * draws from a pipe. */
typedef struct {
    int x, y;
} pair;

__kernel void waits(__global pair *f, __global volatile int *flag)
{
    while (!*flag)
        ;
    f[get_global_id(0)].x = f[get_global_id(0)].y;
}

__kernel void draws(__global pair *f, read_only pipe int from)
{
    int i = get_global_id(0), n = 0;

    if (read_pipe(from, &n) == 0)
        f[i].x = n + f[i].y;
}
