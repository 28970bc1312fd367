// run: go structs
#define UPDATE(cell, dx, dy) \
    do {                     \
        (cell).x += (dx);    \
        (cell).y += (dy);    \
    } while (0)
#define F(i) f[i]
typedef struct {
    float x, y;
} pair;

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    int i = get_global_id(0);
    UPDATE(F(i),
           1.0f, /* first */
           2.0f); // second
    f[i].x *= 2.0f;
}
