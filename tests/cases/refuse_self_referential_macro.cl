typedef struct {
    int x, y;
} pair;
#define index index + 1

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f, int n)
{
#undef index
    int index = get_global_id(0);
#define index index + 1
#define AT(k) f[k].x
    AT(index) = n;
}
