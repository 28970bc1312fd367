// run: go structs+2 n
#define MARGIN 2
typedef struct {
    int x, y;
} pair;

//DL: AoS: grid[n + MARGIN]
__kernel void go(__global pair *grid, int n)
{
    grid += MARGIN;
    grid[(int)get_global_id(0) - MARGIN].x = 1;
    grid--;
    grid[-1 + (int)get_global_id(0)].y = (grid + n)->y + n;
}
