// run: go structs
#line 100 "other.cl"
typedef struct {
    int x, line;
} pair;
#line 7
//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    f[get_global_id(0)].line = __LINE__;
}
