typedef struct {
    uchar alive;
    int hits;
    float speed;
    int3 cell;
} agent;

bool is_fast(__global const agent *a, float limit)
{
    return a->speed > limit && !(a->hits < 0);
}

//DL: AoS: f[global_size(0)]
__kernel void go(__global agent *f)
{
    int i = get_global_id(0);
    bool fast = is_fast(&f[i], 1.5f), odd = f[i].hits & 1;

    f[i].alive = f[i].alive && fast;
    f[i].hits = !f[i].hits || !!f[i].alive || any(f[i].cell > 0x3fc00000) ? f[i].hits : odd;
    if (f[i].alive)
        f[i].cell = select(f[i].cell, (int3)(f[i].hits), f[i].cell > f[i].cell.yzx);
    switch (f[i].hits & 3) {
    case 0:
        f[i].speed = f[i].hits == f[i].cell.x;
        break;
    default:
        while (f[i].speed > 1.1f)
            f[i].speed -= 0.5f;
    }
}
// run: go structs
// ignore: 1+3 12+4 28+4
