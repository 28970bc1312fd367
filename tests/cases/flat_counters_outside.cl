// How far loops count: places that leave their row of six by one are in the next. See flat_counters.
// run: outside structs structs n
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
