// run: go structs
typedef struct {
    int x, line, more, name;
} place;
int helped(__global place *p)
{
    p->x = 1;
#line 300 "helper.h"
    return __LINE__;
}
//DL: AoS: f[global_size(0)]
__kernel void go(__global place *f)
{
    int i = get_global_id(0);
#line 500 "body.h"
    f[i].line = __LINE__ + helped(f + i);
# 700
    f[i].more = __LINE__;
    f[i].name = sizeof __FILE__ + __FILE__[0];
}
int behind(void)
{
    return __LINE__;
}
//DL: AoS: f[global_size(0)]
__kernel void next(__global place *f)
{
    f[get_global_id(0)].line += __LINE__ + behind() + sizeof __FILE__;
}
