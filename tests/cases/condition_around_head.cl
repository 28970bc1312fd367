// options: -DFAST
// run: go structs n
// Conditionals that begin before a kernel and end in it, and others that end behind it.
typedef struct {
    float x, y;
} cell;
#define HEAD(name) __kernel void name(__global cell *f, int n)

//DL: AoS: f[n]
#ifdef FAST
__kernel void go(__global cell *f, int n)
{
#else
HEAD(slow)
{
#endif
    int i = get_global_id(0);
#if 1
    f[i].x = f[i].y;
#endif
#ifndef SLOW
    f[i].y += i;
}
#else
    f[i].y -= i;
}
#endif
//DL: AoS: f[n]
#if defined FAST
#ifdef FAST
HEAD(other) {
#else
HEAD(another) {
#endif
    f[0].x = 1;
#if 0
}
#elif 1
    f[0].y = n; }
#else
}
#endif
#endif
int behind(void)
{
    return 0;
}
