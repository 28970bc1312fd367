// Not so wide, not known how far, or in front.
typedef struct {
    float x;
    char c;
    float y, z;
    float m[4];
} mixed;

float3 load(const __global float *p) { return vload3(0, p); }
float at(const __global float *p, int i) { return p[i]; }
float before(const __global float *p) { return p[-1]; }

//DL: AoS: f[global_size(0)]
__kernel void k1(__global mixed *f) { f[get_global_id(0)].x = load(&f[get_global_id(0)].x).y; }
//DL: AoS: f[global_size(0)]
__kernel void k2(__global mixed *f) { f[get_global_id(0)].x = at(&f[get_global_id(0)].y, 1); }
//DL: AoS: f[global_size(0)]
__kernel void k3(__global mixed *f) { f[get_global_id(0)].x = before(&f[get_global_id(0)].z); }
