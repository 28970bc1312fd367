// run: go structs structs
// Structs with members that may not be assigned without cl_khr_fp16 are copied as a whole.
typedef struct {
    float x;
    half h, several[3];
    int y;
} grain;
typedef struct {
    uchar tag;
    half h;
} __attribute__((packed)) speck;

//DL: AoS: f[global_size(0)], g[global_size(0)]
__kernel void go(__global grain *f, __global speck *g)
{
    size_t i = get_global_id(0);
    grain copy = f[i];
    speck other = g[i];

    copy.y ^= other.tag;
    other.tag += 3;
    f[i] = copy;
    g[i] = other;
}
