// run: go structs
#define KERNEL __kernel void
#define GLOBAL __global
#define ARGS (GLOBAL pair *f)
typedef struct { int x, y; } pair;
//DL: AoS: f[global_size(0)]
KERNEL go ARGS
{
    f[get_global_id(0)].x += 1;
}
