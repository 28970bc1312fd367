// run: go structs
#define head 1
#define tail 2
#define i get_global_id(0)
#define s 3
#define k0 4
typedef struct {
    int x[2], y;
} pair;

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    pair copy = f[i];

    f[i].x[0] = head + tail + s + k0;
    copy.y = f[i].x[0];
    f[i] = copy;
}
