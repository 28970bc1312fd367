// detect: on
// run: go structs
typedef struct {
    int x, y;
} pair;

void say(int x)
{
    printf("%d\n", x);
}

__kernel void talk(__global pair *f)
{
    if (f[get_global_id(0)].x == 12345678)
        say(1);
}

__kernel void go(__global pair *f)
{
    f[get_global_id(0)].x += f[get_global_id(0)].y;
}
