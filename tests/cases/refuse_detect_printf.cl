// detect: on
typedef struct {
    int x, y;
} pair;

void say(int x)
{
    printf("%d\n", x);
}

void pass_on(int x)
{
    say(x);
}

int of_another_text(int x);

__kernel void go(__global pair *f)
{
    pass_on(f[get_global_id(0)].x);
}

__kernel void ask(__global pair *f)
{
    f[get_global_id(0)].x = of_another_text(1);
}
