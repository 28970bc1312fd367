// Annotations of discrete arrays for tiles that say too little, too much, or what can't be.
typedef struct { float x, y; } pair;

//DL: SoA: f[n] to ASTA
__kernel void lacks_arrays(__global float *f, int n) { f[get_global_id(0)] = n; }

//DL: SoA: f[][3] to ASTA
__kernel void lacks_length(__global float *f, int n) { f[get_global_id(0)] = n; }

//DL: SoA: f[n][3] to DA
__kernel void to_another(__global float *f, int n) { f[get_global_id(0)] = n; }

//DL: AoS: f[n][3] to ASTA
__kernel void of_structs(__global float *f, int n) { f[get_global_id(0)] = n; }

//DL: SoA: f[n][m] to ASTA
__kernel void counted_by_an_argument(__global float *f, int n, int m) { f[get_global_id(0)] = n; }

//DL: SoA: f[n][2] to ASTA
__kernel void structs(__global pair *f, int n) { f[get_global_id(0)].x = n; }

//DL: SoA: f[get_local_size(0)][2] to ASTA
__kernel void by_the_launch(__global float *f, int n) { f[get_global_id(0)] = n; }

//DL: SoA: f[n][2] to ASTA again
__kernel void goes_on(__global float *f, int n) { f[get_global_id(0)] = n; }
