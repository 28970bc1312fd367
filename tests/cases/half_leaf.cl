typedef struct {
    float x;
    half h;
    short tag;
    half many[4];
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    int i = get_global_id(0);
    float v = vload_half(0, &f[i].h);

    f[i].x += v;
    vstore_half_rte(v * 1.5f, 0, &f[i].h);
    vstore_half2(vload_half2(1, f[i].many).yx + f[i].x, 0, f[i].many);
    f[i].tag ^= 3;
}
// run: go structs
