// run: go structs
typedef struct {
    int x, y;
} pair;

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
#define STEP 3
#define HERE f[get_global_id(0)]
    HERE.x += STEP;
#undef STEP
#define STEP 4
    HERE.y += STEP;
    int left = STEP;
    HERE.x -= left;
}
