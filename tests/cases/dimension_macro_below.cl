// run: go structs uint:3
// Macros between an annotation and its kernel, also where another macro makes it one.
typedef struct {
    int x, y;
} pair;

//DL: AoS: f[global_size(0) / UNIT + MORE]
#define UNIT 2
#define MORE (max(count, 10) * UNIT)
#define KERNEL __kernel
KERNEL void go(__global pair *f, uint count)
{
    f[get_global_id(0)].x = count * UNIT;
}
#undef UNIT
#define UNIT 1000
