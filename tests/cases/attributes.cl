// run: go structs
typedef struct __attribute__((aligned(16))) {
    float x, y;
} pair;

//DL: AoS: f[global_size(0)]
__attribute__((reqd_work_group_size(1, 1, 1)))
__kernel void
go(__global pair *f)
{
    f[get_global_id(0)].x += 1.0f;
}
