// detect: on
typedef struct {
    int x, y;
} pair;

int of_another_text(int x);

int pass_on(int x)
{
    return of_another_text(x);
}

__kernel void go(__global pair *f)
{
    f[get_global_id(0)].y = pass_on(f[get_global_id(0)].x);
}

__kernel void ask(__global pair *f)
{
    f[get_global_id(0)].x = of_another_text(1);
}
