// run: go structs ints:n,w,3
typedef struct {
    int n, width, step;
} shape;

//DL: AoS: f[s.n][s.width]
__kernel void go(__global int *f, const shape s)
{
    const int pitch = s.width;
    int i = get_global_id(0);

    for (int j = 0; j < pitch; j += s.step)
        f[i * pitch + j] += f[s.width * i + (s.width - 1)];
}
