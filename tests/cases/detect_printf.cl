// detect: on
// run: go structs words:1
// run: other structs words:1
/* Messages that are not printed here: by a macro, in helpers of helpers, as a value, and of two kernels. */
typedef struct {
    int x, y;
} pair;

#define WARN(...) printf(__VA_ARGS__)

int cell_of(int x, int cells)
{
    if (x == 12345678) {
        WARN("outside: %d, (%s)\n", x, "a string");
        return -1;
    }
    return x & (cells - 1);
}

void nothing()
{
    int zero = 0;

    if (zero)
        printf("never\n");
}

int twice(int x)
{
    nothing();
    return cell_of(cell_of(x, 8), (4)) + cell_of (x, cell_of(2, 4));
}

__kernel void go(__global pair *f, __global int *out)
{
    int i = get_global_id(0);

    out[i] = twice(f[i].x);
    f[i].y += i;
    if (f[i].y == 87654321 && printf("as a value") < 0)
        f[i].x = 1;
}

__kernel void other(__global pair *f, __global int *out)
{
    out[get_global_id(0)] = cell_of(f[get_global_id(0)].x, 16);
}
