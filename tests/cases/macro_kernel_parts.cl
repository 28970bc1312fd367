// run: go structs n
// Heads, bodies and braces of kernels that macros make.
#define HEAD(name) __kernel void name(__global cell *f, int n)
#define BEGIN {
#define END }
#define PROLOGUE                                                                         \
    int i = get_global_id(0);                                                            \
    if (i >= n)                                                                          \
        return;
#define OPEN(name)                                                                       \
    HEAD(name)                                                                           \
    BEGIN PROLOGUE
#define BODY { PROLOGUE f[i].y -= f[i].x; }
typedef struct {
    float x, y;
} cell;

//DL: AoS: f[n]
HEAD(head)
{
    PROLOGUE
    f[i].x += f[i].y;
}
//DL: AoS: f[n]
__kernel void body(__global cell *f, int n) BODY
//DL: AoS: f[n]
OPEN(go)
    f[i].x *= f[i].y;
    f[i].y += 1;
END __kernel void between(__global int *g) { g[0] = 1; }
//DL: AoS: f[n]
__kernel void braces(__global cell *f, int n) BEGIN f[n - 1].x = 3; END
// One invocation ends a kernel and begins the next.
#define NEXT(name) END HEAD(name) BEGIN
//DL: AoS: f[n]
__kernel void one(__global cell *f, int n) {
    f[0].x = 1;
//DL: AoS: f[n]
NEXT(two)
    f[0].x = 2;
END
