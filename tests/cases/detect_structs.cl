// detect: on
// run: move structs structs words:4 words:2 words:1 n
/* What all work-items read alike stays, and so does what is not understood: each by itself. */
typedef struct {
    int at, speed;
} body;
typedef struct {
    int step, limit, spare, more;
} settings;
typedef struct {
    int x;
} single;

__kernel void move(__global body *f, __global const body *g, __constant settings *s,
                   __global body *stored, __global single *one, int n)
{
    int i = get_global_id(0);
    __global body *both[2] = {stored, stored + i};

    f[i].at = g[(i + 1) % n].at + f[i].speed * s->step;
    both[1]->speed += g[i].speed;
    one[i].x ^= f[i].at;
}

__kernel void nothing(__global int *f)
{
    f[get_global_id(0)] = 1;
}
