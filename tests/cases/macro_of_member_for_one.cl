// run: go structs
// The first kernel is rewritten. In front of the second, which needs the same accessor, a
// member's name is a macro; in the third it becomes one.
typedef struct {
    int x, y;
} pair;

int first_of(__global pair *p)
{
    pair copy = *p;

    return copy.x;
}

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    f[get_global_id(0)].x += first_of(f + get_global_id(0));
}
#define y broken
//DL: AoS: f[global_size(0)]
__kernel void behind(__global pair *f)
{
    f[get_global_id(0)].x = first_of(f);
}
#undef y
//DL: AoS: f[global_size(0)]
__kernel void within(__global pair *f)
{
    f[get_global_id(0)].x = first_of(f);
#define y broken
    f[get_global_id(0)].x++;
}
