// run: go structs
typedef struct {
    int x, y;
} pair;

#if 0
//DL: AoS: nothing[global_size(0)]
#else
//DL: AoS: f[global_size(0)]
#endif
/* //DL: AoS: f[1] */
__constant char text[] = "//DL: AoS: f[2]";
__kernel void go(__global pair *f)
{
    f[get_global_id(0)].x += text[0];
}
