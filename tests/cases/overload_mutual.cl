// run: go structs words:2
// ternaries choosing between overloaded calls in index; recursion-like mutual
#define OVER __attribute__((overloadable))
typedef struct { short s[3]; int n; } cell;
int OVER odd(__global cell *p, int k);
int OVER even(__global cell *p, char k);
int OVER even(__global cell *p, short k) { return k > 2 ? p->n : odd(p, (int)k + 1); }
int OVER odd(__global cell *p, int k) { return k > 3 ? p->s[k % 3] : even(p, (char)k); }
int OVER even(__global cell *p, char k) { return p->s[0] + k; }
//DL: AoS: f[]
__kernel void go(__global cell *f, __global int *out) {
    int i = get_global_id(0), n = get_global_size(0);
    out[2*i] = odd(f + i, i % 5) + even(f + i, (short)(i % 4));
    out[2*i+1] = f[(odd(f + i, 1) & 0xff) % n].s[even(f + i, (short)3) & 1];
}
