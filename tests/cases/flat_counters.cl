// How far loops count, and what is made of that: places that stay in their row of six are there without a
// division. See flat_counters_outside.
// run: inside structs structs n
#define BODY(place) s = s * 31 + a[i * 6 + (place)], b[i * 6 + (place)] += s
//DL: AoS: a[n][6], b[n][6]
__kernel void inside(__global const int *a, __global int *b, int n)
{
    int i = get_global_id(0), s = 0;
    uint u;
    char c;

    for (int j = 0; j < 6; j++)
        BODY(j);
    for (int j = 1; j <= 5; j += 2)
        BODY(6 - j);
    for (int k = 5; k >= 0; k--)
        BODY(k);
    for (int k = 6; k > 0; k -= 3)
        BODY(k - 1);
    for (u = 0; u != 6; ++u)
        BODY(5 - u);
    for (c = 2; c < 4 && s; c++)
        BODY(c + 2);
    for (u = 1; u < 6; u += 4)
        BODY(n & 1 ? u : u - 1);
    BODY(min(s & 15, 5));
    BODY((uint)s % 6u);
    BODY((s & 0xff) >> 6);
}
