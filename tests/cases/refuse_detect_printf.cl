// detect: on
typedef struct {
    int x, y;
} pair;

void say(int x)
{
    printf("%d\n", x);
}

__kernel void go(__global pair *f)
{
    say(f[get_global_id(0)].x);
}
