// run: go structs
//DL: AoS: f[global_size(0)]
typedef struct {
    int x, y;
} pair;
int unrelated(int a) { return a; }
__kernel void go(__global pair *f) { f[unrelated(get_global_id(0))].x += 1; }
