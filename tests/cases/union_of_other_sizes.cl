// run: go structs structs n
// ignore: 52+12 104+8
typedef struct {
    int kind;
    union {
        struct {
            float radius;
        } circle;
        struct {
            float half_x, half_y;
        } box;
        float extent[2];
        struct {
            uchar bytes[3];
            short word[3];
        } mixed;
    } as;
} shape;
typedef struct {
    int turn;
    shape shapes[3];
    union {
        struct {
            float2 impulse;
            float turn, largest;
        } part;
        float4 all;
        uchar bytes[20];
    } push;
    union {
        double d;
        int i[2];
    } u;
} body;

//DL: AoS: f[global_size(0)], g[global_size(0)]
__kernel void go(__global body *f, __global const body *g, int n)
{
    int i = get_global_id(0), k = i % 3;
    __global const body *o = g + (i * 7 + 1) % n;

    f[i].shapes[k].as.box.half_y = f[i].shapes[(k + 1) % 3].as.circle.radius;
    f[i].shapes[0].as.mixed.word[k] += o->shapes[2].as.mixed.bytes[k];
    f[i].push.all = o->push.all + 1.0f;
    f[i].push.part.impulse += f[i].push.part.turn;
    f[i].push.bytes[(i * 5) % 20]++;
    f[i].u.i[i & 1] ^= o->u.i[0];
    shape s = o->shapes[k];
    s.as.extent[1] *= 2.0f;
    f[i].shapes[1] = s;
    body copy = *o;
    copy.turn = f[i].turn + f[i].push.bytes[3];
    copy.u.d = f[i].u.d;
    copy.push.part.largest = f[i].push.part.largest;
    if (i & 1)
        f[i] = copy;
}
