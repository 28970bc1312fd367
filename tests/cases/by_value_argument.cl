// run: go structs ints:5,7,9,2
typedef struct {
    int x, y;
} pair;
typedef struct {
    pair p;
    int k[2];
} params;

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f, params a)
{
    int i = get_global_id(0);

    f[i] = a.p;
    f[i].x += a.k[i & 1];
}
