#define HERE 500
typedef struct {
    int x, line;
} place;
//DL: AoS: f[global_size(0)]
__kernel void go(__global place *f)
{
#line HERE
    f[get_global_id(0)].line = __LINE__;
}
