// How far loops count, and what is made of that: places that stay in their row of six are there without a
// division, and those that leave it by one are in the next.
// run: inside structs structs n
// run: outside structs structs n
#define BODY(place) s = s * 31 + a[i * 6 + (place)], b[i * 6 + (place)] += s
//DL: AoS: a[n][6], b[n][6]
__kernel void inside(__global const int *a, __global int *b, int n)
{
    int i = get_global_id(0), s = 0, k;
    uint u;
    char c;

    for (int j = 0; j < 6; j++)
        BODY(j);
    for (int j = 1; j <= 5; j += 2)
        BODY(6 - j);
    for (k = 5; k >= 0; k--)
        BODY(k);
    for (k = 6; 0 < k; k -= 3)
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

//DL: AoS: a[n][6], b[n][6]
__kernel void outside(__global const int *a, __global int *b, int n)
{
    int i = get_global_id(0), s = 0, k;
    uint u;

    if (i + 1 >= n)
        return;
    for (int j = 0; j <= 6; j++)
        s += a[i * 6 + j];
    for (int j = 1; j <= 5; j += 2)
        s = s * 31 + a[i * 6 + j + 1];
    for (k = 6; k >= 0; k--)
        s = s * 31 + a[i * 6 + k];
    for (k = 0; k < 6; k++) {
        s = s * 31 + a[i * 6 + k];
        k += s & 1;
        s = s * 31 + a[i * 6 + k];
    }
    for (u = 6; u > 3; u -= 4)
        s = s * 31 + a[i * 6 + u];
    for (k = 2; k > 0u && k < 9; k += 4)
        s = s * 31 + a[i * 6 + k];
    for (k = 0; k < 6; k++)
        ;
    s = s * 31 + a[i * 6 + k];
    s = s * 31 + a[i * 6 + (n & 1 ? s & 1 : 6)];
    s = s * 31 + a[i * 6 + (s & 7)];
    s = s * 31 + a[i * 6 + max(s & 3, 6)];
    b[i * 6] = s;
}
