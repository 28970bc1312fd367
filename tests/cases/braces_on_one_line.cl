// run: go structs
typedef struct { int x, y; } pair; __kernel void before(void) {} //DL: AoS: f[global_size(0)]
  __kernel void go(__global pair *f) { f[get_global_id(0)].x = 1; } __kernel void behind(void) {}
