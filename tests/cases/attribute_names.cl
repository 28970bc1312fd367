// Kernels named as attributes are.
typedef struct {
    float x __attribute__((aligned(8)));
    float y;
} cell;
typedef struct __attribute__((packed)) {
    char c;
    int y;
} narrow;

//DL: AoS: f[n]
__kernel __attribute__((vec_type_hint(int))) void aligned(__global cell *f, __global int *out, int n)
{
    int k __attribute__ ((aligned (16))) = get_global_id(0);

    out[k] = (int)sizeof(cell);
    f[k].x += f[k].y;
}

//DL: AoS: f[n]
__kernel void packed(__global narrow *f, int n)
{
    f[get_global_id(0)].y++;
}
// run: aligned structs words:1 n
