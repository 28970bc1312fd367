// detect: on
// run: move structs float:0.5
typedef struct { float x, y, z, w; } point;
__kernel void move
    (__global point *p, float dt);
__kernel void move(__global point *p, float dt)
{
    int i = get_global_id(0);
    p[i].x += p[i].w * dt;
}
