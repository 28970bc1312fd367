// run: go structs ints:n,2,1,1 ushort:0
typedef struct {
    int x, y;
} pair;

//DL: AoS: f[size.x * size.s1 * (ushort_count + 1u)]
__kernel void go(__global pair *f, int4 size, ushort ushort_count)
{
    f[get_global_id(0)].x = size.x;
}
