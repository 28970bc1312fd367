// run: go structs words:2
// overloads on enum / bool / half-ish / typedef'd pointers / nested struct by pointer
#define OVER __attribute__((overloadable))
typedef struct { float x, y; } inner;
typedef struct { inner in[2]; int a; bool b; uchar3 rgb; enum k { A, B } e; } cell;
typedef __global cell *gcell;
int OVER r(__global inner *p) { return p->x > 0; }
int OVER r(gcell p) { return p->a; }
int OVER r(inner i) { return i.y > 1; }
int OVER r(bool b) { return b + 2; }
int OVER r(enum k e) { return e + 100; }
int OVER r(uchar u) { return u; }
int OVER r(uchar3 u) { return u.x + u.z; }
//DL: AoS: f[]
__kernel void go(__global cell *f, __global int *out) {
    int i = get_global_id(0);
    gcell p = f + i;
    out[2*i] = r(f + i) + r(p) * 2 + r(f[i].in[i & 1]) + r(p->rgb) + r(p->rgb.y) + r(p->in[1]);
    out[2*i+1] = r(&f[i]) - r((bool)(p->a > 3)) + r(f[i].b) + r(f[i].e);
}
