// options: -DDL=1 -Ddl=2
// run: go structs/3+1 structs words:4
// Macros with the names of types that generated text could use.
#define uchar uint
#define uint int
#define ulong float
#define size_t int
#define global __global
#define restrict
#define inline
#define as_float(x) (x)
#define vload2(a, b) ((b)[a])
#define min(a, b) 77
#define get_local_id(d) 3
#define head 5
#define bytes 6
#define width(x) 7
typedef struct {
    unsigned char a, b, c;
    unsigned short s[2];
    unsigned n;
    unsigned long l;
} cell;

int helper(global cell *restrict bytes_of) { return bytes_of->a + bytes_of[0].n; }

//DL: AoS: f[], g[][3]
__kernel void go(global cell *restrict f, global unsigned *g, global int *out)
{
    int i = get_global_id(0);
    cell copy = f[i];
    uchar large = 300;

    f[i].a += large;
    f[i].s[i & 1] -= f[i].b;
    g[3 * i + 1] = as_float(f[i].n) + g[3u * (unsigned)i + 2u];
    f[i].l += g[i - i % 3] * head + bytes;
    f[i].c = min(f[i].c, 2);
    out[4 * i] = helper(f + i) + copy.b;
    copy.n = out[4 * i + 1] & 0xff;
    f[i] = copy;
}
