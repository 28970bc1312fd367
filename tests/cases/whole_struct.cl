// run: move structs structs
typedef struct {
    float a[3];
    int b;
} cell;

//DL: AoS: from[global_size(0)], to[global_size(0)]
kernel void move(global const cell *restrict from, global cell *restrict to)
{
    const size_t i = get_global_id(0);
    cell c = from[i];

    c.b += 1;
    to[i] = c;
    to[i].a[1] = from[i].a[2];
}
