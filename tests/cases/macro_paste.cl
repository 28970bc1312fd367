// run: go structs
#define NAME(a, b) a##b
#define COUNT(...) COUNT_(__VA_ARGS__, 3, 2, 1)
#define COUNT_(a, b, c, n, ...) n
typedef struct {
    float field1, field2;
} pair;

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    int i = get_global_id(0);

    f[i].NAME(field, 1) += COUNT(1, 1, 1);
    NAME(f, )[i].NAME(fie, ld2) -= COUNT(1);
}
