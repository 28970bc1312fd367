// run: go structs structs structs n
/* Compilers give structs of at most 16 bytes in registers, and lose what is no member's: accessors get a pointer. What a
 * store gives is used, too. */
typedef struct { double d; char c; } tail;
typedef struct { char c; double d; } hole;
//DL: AoS: to[n], from[n], h[n]
__kernel void go(__global tail *to, __global const tail *from, __global hole *h, int n)
{
    int i = get_global_id(0);
    tail mine = from[i], again;
    __local hole kept[1];

    mine.c += 3;
    again = to[i] = mine;
    kept[0] = h[i];
    kept[0].c ^= again.c;
    if (i % 2)
        h[i] = kept[0];
    else
        h[i] = h[(i + 0) % n];
    to[i].c += (to[i] = again).c;
}
