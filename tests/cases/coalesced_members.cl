// run: every structs words:1 words:1 n
// group: 8
typedef struct {
    uint4 a, b, c;
    uint w[6];
    float2 v;
} row;

// One load of all but the last member, which only some read.
//DL: AoS: f[n]
kernel void every(global const row *f, global uint *to, global const uint *order, int n)
{
    const int i = get_global_id(0);

    if (i >= n)
        return;
    const uint j = order[i] % (uint)n;
    uint r = (f[j].a ^ f[j].b).x ^ f[j].c.y ^ f[j].w[0] ^ f[j].w[1] ^ f[j].w[2]
             ^ f[j].w[3] ^ f[j].w[4];
    if (r & 1)
        r += (uint)f[j].v.x + f[j].w[3];
    for (int k = 0; k < 3; k++)
        r = r * 3 + f[j].w[5] + f[j].w[k];
    to[i] = r ^ f[j].w[5];
}

// All work-items come to all of it; the store is the last that is done.
//DL: AoS: f[]
kernel void all(global row *f)
{
    const size_t i = get_global_id(0);

    f[i].w[0] = (f[i].a ^ f[i].b).x ^ f[i].c.y ^ f[i].w[0] ^ f[i].w[1] ^ f[i].w[2]
             ^ f[i].w[3] ^ f[i].w[4] ^ f[i].w[5];
}

// Without braces, at a fixed expression.
//DL: AoS: f[n]
kernel void bare(global const row *f, global uint *to, int n)
{
    if (get_global_id(0) < n)
        to[get_global_id(0)] = (f[get_global_id(0)].a ^ f[get_global_id(0)].b).x ^ f[get_global_id(0)].c.y
             ^ f[get_global_id(0)].w[0] ^ f[get_global_id(0)].w[1]
             ^ f[get_global_id(0)].w[2] ^ f[get_global_id(0)].w[3]
             ^ f[get_global_id(0)].w[4] ^ f[get_global_id(0)].w[5];
}

// What is stored in between may be the struct's.
//DL: AoS: f[n]
kernel void stored_between(global const row *f, global uint *to, int n)
{
    const int i = get_global_id(0);

    if (i < n) {
        uint r = (f[i].a ^ f[i].b).x ^ f[i].w[0] ^ f[i].w[1] ^ f[i].w[2];
        to[i] = r;
        to[i] += f[i].c.x ^ f[i].w[0] ^ f[i].w[1] ^ f[i].w[2] ^ f[i].w[3] ^ f[i].w[4]
             ^ f[i].w[5];
    }
}

uint stores(global uint *to, uint r)
{
    *to = r;
    return r;
}

// By a helper, too.
//DL: AoS: f[n]
kernel void stored_by_helper(global const row *f, global uint *to, int n)
{
    const int i = get_global_id(0);

    if (i < n) {
        uint r = stores(to + i, f[i].w[0]);
        r ^= f[i].c.x ^ f[i].w[0] ^ f[i].w[1] ^ f[i].w[2] ^ f[i].w[3] ^ f[i].w[4]
             ^ f[i].w[5];
        to[i] = r;
    }
}

// Another struct each time.
//DL: AoS: f[n]
kernel void moves(global const row *f, global uint *to, int n)
{
    int i = get_global_id(0);

    if (i < n) {
        uint r = (f[i].a ^ f[i].b).x ^ f[i].w[0] ^ f[i].w[1] ^ f[i].w[2];
        i = n - 1 - i;
        r ^= f[i].c.x ^ f[i].w[0] ^ f[i].w[1] ^ f[i].w[2] ^ f[i].w[3] ^ f[i].w[4]
             ^ f[i].w[5];
        to[i] = r;
    }
}

// Not all are read by all.
//DL: AoS: f[n]
kernel void some_of_some(global const row *f, global uint *to, int n)
{
    const int i = get_global_id(0);

    if (i < n) {
        uint r = (f[i].a ^ f[i].b).x ^ f[i].w[0] ^ f[i].w[1] ^ f[i].w[2];
        if (r)
            r ^= f[i].c.x ^ f[i].w[0] ^ f[i].w[1] ^ f[i].w[2] ^ f[i].w[3] ^ f[i].w[4]
             ^ f[i].w[5];
        to[i] = r;
    }
}

// Too few.
//DL: AoS: f[n]
kernel void few(global const row *f, global uint *to, int n)
{
    const int i = get_global_id(0);

    if (i < n)
        to[i] = (f[i].a ^ f[i].b).x ^ f[i].c.x;
}

// A component is stored on the way.
//DL: AoS: f[n]
kernel void stored_by_component(global const row *f, global uint2 *to, int n)
{
    const int i = get_global_id(0);

    if (i < n) {
        global uint2 *at = to + i;
        uint r = (f[i].a ^ f[i].b).x ^ f[i].c.x ^ f[i].w[0] ^ f[i].w[1] ^ f[i].w[2];
        at->x = r;
        at->y = r ^ f[i].w[3] ^ f[i].w[4] ^ f[i].w[5];
    }
}
