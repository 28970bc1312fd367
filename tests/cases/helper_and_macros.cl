// run: go structs
#define STEP 2
#define FIELD(p) ((p)->x)
typedef struct {
    int x, y;
} pair;

void advance(__global pair *p)
{
#define TWICE (2 * STEP)
    FIELD(p) += STEP + TWICE;
    p->y = STEP;
#undef TWICE
}
#undef STEP
#define STEP 100
#undef FIELD
#define FIELD(p) ((p)->y)

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    int i = get_global_id(0);

    advance(&f[i]);
    FIELD(&f[i]) += STEP;
}
