// run: go structs
typedef struct {
    int x, name;
} place;
//DL: AoS: f[global_size(0)]
__kernel void go(__global place *f)
{
    f[get_global_id(0)].name += sizeof(__func__) + __func__[0]; /* not __PRETTY_FUNCTION__ */
}
