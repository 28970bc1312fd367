// options: -DBLOCKS=2
// run: go structs uint:3
#define UNIT (1 << 2)
#define ROUND(x) ((x + UNIT - 1) / UNIT * UNIT)
typedef struct {
    int x, y;
} pair;

//DL: AoS: f[min(ROUND(global_size(0)) + BLOCKS, max(count, 10) * UNIT)]
__kernel void go(__global pair *f, uint count)
{
    f[get_global_id(0)].x = count * BLOCKS;
}
