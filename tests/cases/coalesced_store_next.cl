// run: without_braces structs structs n
// group: 8
typedef struct {
    uint a, b, c;
} point;

// The store follows the load.
//DL: AoS: from[n], to[n]
kernel void copy(global const point *from, global point *to, global const uint *order, int n)
{
    const int i = get_global_id(0);

    if (i >= n)
        return;
    const point p = from[order[i] % (uint)n];
    to[i] = p;
}

//DL: AoS: from[n], to[n]
kernel void store_alone(global const point *from, global point *to, int n)
{
    const int i = get_global_id(0);

    if (i < n) {
        to[i] = from[n - 1 - i];
    }
}

//DL: AoS: from[n], to[n]
kernel void without_braces(global const point *from, global point *to, int n)
{
    const int i = get_global_id(0);

    if (i < n)
        to[i] = from[i];
}
