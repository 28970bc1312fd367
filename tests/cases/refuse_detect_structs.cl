// detect: on
// Structs that can't be taken apart: the reason is said of each.
typedef struct { volatile int count; float x; } counted;
typedef struct { int n, m; float values[]; } flexible;
typedef struct { int n, m; float values[0]; } headed;
__kernel void counts(__global counted *p) { p[get_global_id(0)].x += 1; }
__kernel void follows(__global flexible *p) { p->values[get_global_id(0)] += 1; }
__kernel void heads(__global headed *p) { p[get_global_id(0)].n += p[get_global_id(0)].m; }
