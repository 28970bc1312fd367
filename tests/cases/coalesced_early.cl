// run: early structs n
// group: 8
typedef struct {
    float x, y, z;
} point;

// Stores are plain: a work-item may have left.
//DL: AoS: f[n]
kernel void early(global point *f, int n)
{
    const size_t i = get_global_id(0);

    if (i >= n) { return; }
    point p = f[i];
    if (p.x > 3)
        return;
    p.z = 17;
    f[i] = p;
}
