// run: go structs structs
typedef struct {
    float x;
    int k;
} cell;

//DL: AoS: in[global_size(0)], out[global_size(0)]
__kernel void go(const __global cell *restrict in, __global cell *restrict const out)
{
    const int i = get_global_id(0);
    __global const cell *const p = in + i;

    out[i].x = p->x * 2.0f;
    out[i].k = (*p).k;
}
