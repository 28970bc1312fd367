typedef struct {
    float x, y, z, w, age, life, mass, heat;
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    vstore4(1.0f, 2 * get_global_id(0), (__global float *)f);
}
