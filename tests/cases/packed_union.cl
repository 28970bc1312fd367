// run: go structs words:3
/* What was stored as an int is read as a float, in a packed struct too. */
typedef struct __attribute__((packed)) {
    int first[8];
    union {
        struct {
            float x, y;
        } a;
        struct {
            int c[3];
        } b;
        uint w[3];
    } m;
    short last;
} cell;

//DL: AoS: f[]
__kernel void go(__global cell *f, __global const int *g)
{
    int i = get_global_id(0);

    f[i].m.b.c[(g[3 * i] & 1) * 2] = 0;
    f[i].m.b.c[1] = i;
    f[i].m.a.y += 1.0f;
    f[i].m.w[0] ^= f[i].m.b.c[1];
    f[i].m.a.y += f[i].last;
}
