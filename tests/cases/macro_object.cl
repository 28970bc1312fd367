// run: go structs
#define GRID f
#define FIELD bar
#define STEP 2
typedef struct {
    float bar;
    int baz;
} foo;

//DL: AoS: f[global_size(0)]
__kernel void go(__global foo *f)
{
    int i = get_global_id(0);

    GRID[i].FIELD *= STEP; GRID[i].baz += STEP * STEP;
    f[i].baz -= STEP;
}
