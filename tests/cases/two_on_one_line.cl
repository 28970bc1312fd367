// run: b structs
typedef struct { int x, y; } pair;
//DL: AoS: f[global_size(0)]
__kernel void a(__global pair *f) { f[get_global_id(0)].x = 1; } __kernel void plain(void) {}
//DL: AoS: g[global_size(0)]
__kernel void b(__global pair *g) { g[get_global_id(0)].y = g->x; }
